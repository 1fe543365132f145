/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_SEGMENT_H
#define HITOP_NODE_SEGMENT_H

/*
 * segment.h - memory that the processes of one host share.
 *
 * One process creates it and tells the others its name; when all have attached, the name is removed, so
 * that nothing is left behind whatever happens to the job afterwards.
 */

#include "hitop/status.h"

enum { HITOP_SEGMENT_NAME = 32 }; /* bytes of a name with its final '\0' */

struct hitop_segment {
    void *memory; /* page-aligned; NULL when there is none */
    size_t bytes;
};

/*
 * Create a segment of zeroed memory. The memory is really reserved: a full /dev/shm is an error here and
 * not a SIGBUS later.
 */
enum hitop_status hitop_segment_create(size_t bytes, char name[HITOP_SEGMENT_NAME],
                                       struct hitop_segment *out, struct hitop_diag *diag);

/* Map the segment that another process of this host created. */
enum hitop_status hitop_segment_attach(const char *name, size_t bytes, struct hitop_segment *out,
                                       struct hitop_diag *diag);

/* Remove the name; the memory lives on until the last process has unmapped it. */
void hitop_segment_unlink(const char *name);

/* Unmap; harmless on a segment without memory. */
void hitop_segment_unmap(struct hitop_segment *segment);

#endif /* HITOP_NODE_SEGMENT_H */

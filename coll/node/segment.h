/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_SEGMENT_H
#define HITOP_NODE_SEGMENT_H

/*
 * segment.h - memory that the processes of one host share.
 *
 * One process creates it, tells the others where it is, and closes the door when all have attached. A
 * nameless segment is found through its creator in /proc, so that nothing is left behind whenever the job is
 * killed; where processes do not see each other there, one with a name in /dev/shm serves, which exists
 * until the door is closed.
 */

#include "hitop/status.h"

enum { HITOP_SEGMENT_PLACE = 96 }; /* bytes of a place with its final '\0' */

enum hitop_segment_kind { HITOP_SEGMENT_NAMELESS, HITOP_SEGMENT_NAMED };

struct hitop_segment {
    void *memory; /* page-aligned; NULL when there is none */
    size_t bytes;
    int door; /* the creator's descriptor + 1, until hitop_segment_close() */
};

/*
 * Create a segment of zeroed memory. The memory is really reserved: a full /dev/shm is an error here and
 * not a SIGBUS later. `place` receives what the others need; it is "" after an error.
 */
enum hitop_status hitop_segment_create(enum hitop_segment_kind kind, size_t bytes,
                                       char place[HITOP_SEGMENT_PLACE], struct hitop_segment *out,
                                       struct hitop_diag *diag);

/* Map the segment that another process of this host created. */
enum hitop_status hitop_segment_attach(const char *place, size_t bytes, struct hitop_segment *out,
                                       struct hitop_diag *diag);

/* The creator: nobody else can attach any more; the memory lives on until the last process unmaps it. */
void hitop_segment_close(struct hitop_segment *segment, const char *place);

/* Unmap; harmless on a segment without memory. */
void hitop_segment_unmap(struct hitop_segment *segment);

#endif /* HITOP_NODE_SEGMENT_H */

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_SEGMENT_H
#define HITOP_NODE_SEGMENT_H

/*
 * segment.h - memory that the processes of one host share.
 *
 * A file in /dev/shm that never has a name for long, so that nothing is left behind whenever the job is
 * killed. Whoever has it shows it to others: they find it through that process in /proc, or, where processes
 * do not see each other there, by a name in /dev/shm, which exists until it is hidden. Memory stands behind
 * a part of it once that part is reserved; a full /dev/shm is an error then and not a SIGBUS later.
 */

#include "hitop/status.h"

#include <sys/types.h>

enum { HITOP_SEGMENT_PLACE = 96 }; /* bytes of a place with its final '\0' */

enum hitop_segment_kind { HITOP_SEGMENT_NAMELESS, HITOP_SEGMENT_NAMED };

struct hitop_segment {
    void *memory; /* page-aligned; NULL when there is none */
    size_t bytes;
    int fd;
    dev_t device; /* what `fd` was: a program may close what it did not open */
    ino_t inode;
};

/* Create a segment of `bytes`, a multiple of 4096. Nothing of it may be touched before it is reserved. */
enum hitop_status hitop_segment_create(size_t bytes, struct hitop_segment *out,
                                       struct hitop_diag *diag);

/* Put zeroed memory behind a part that has none yet; what others have reserved stays as it is. */
enum hitop_status hitop_segment_reserve(const struct hitop_segment *segment, size_t offset,
                                        size_t bytes, struct hitop_diag *diag);

/* Where others find the segment, until it is hidden; "" after an error. */
enum hitop_status hitop_segment_show(const struct hitop_segment *segment,
                                     enum hitop_segment_kind kind, char place[HITOP_SEGMENT_PLACE],
                                     struct hitop_diag *diag);
void hitop_segment_hide(const char *place);

/* Map the segment that another process of this host shows. */
enum hitop_status hitop_segment_attach(const char *place, struct hitop_segment *out,
                                       struct hitop_diag *diag);

/* Unmap and close; harmless on a segment without memory. */
void hitop_segment_release(struct hitop_segment *segment);

#endif /* HITOP_NODE_SEGMENT_H */

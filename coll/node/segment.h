/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_SEGMENT_H
#define HITOP_NODE_SEGMENT_H

/*
 * segment.h - memory that the processes of one host share.
 *
 * Idea:   A segment is a file in /dev/shm that has no name, or only for a short time, so that
 *         nothing remains after a job is killed. Its owner shows it to other processes. They find
 *         it through the owner in /proc, or, where processes do not see each other there, by a name
 *         in /dev/shm, which exists until it is hidden. A part of the segment has memory once it is
 *         reserved; a full /dev/shm is an error at that time and not a SIGBUS later.
 */

#include "hitop/status.h"

#include <sys/types.h>

enum { HITOP_SEGMENT_PLACE = 96 }; /* bytes of a place with its final '\0' */

enum hitop_segment_kind { HITOP_SEGMENT_NAMELESS, HITOP_SEGMENT_NAMED };

struct hitop_segment {
    void *memory; /* page-aligned; NULL when there is none */
    size_t bytes;
    int fd;
    dev_t device; /* identity of `fd`: a program may close descriptors that it did not open */
    ino_t inode;
};

/* Create a segment of `bytes`, a multiple of 4096. A part must be reserved before it is used. */
enum hitop_status hitop_segment_create(size_t bytes, struct hitop_segment *out,
                                       struct hitop_diag *diag);

/*
 * Allocate zeroed memory for a part that has none yet; memory that other processes have reserved
 * keeps its content.
 */
enum hitop_status hitop_segment_reserve(const struct hitop_segment *segment, size_t offset,
                                        size_t bytes, struct hitop_diag *diag);

/* Show the segment to others until it is hidden: `place` identifies it; "" after an error. */
enum hitop_status hitop_segment_show(const struct hitop_segment *segment,
                                     enum hitop_segment_kind kind, char place[HITOP_SEGMENT_PLACE],
                                     struct hitop_diag *diag);
void hitop_segment_hide(const char *place);

/* Map the segment that another process of this host shows. */
enum hitop_status hitop_segment_attach(const char *place, struct hitop_segment *out,
                                       struct hitop_diag *diag);

/* Unmap and close; does nothing for a segment without memory. */
void hitop_segment_release(struct hitop_segment *segment);

#endif /* HITOP_NODE_SEGMENT_H */

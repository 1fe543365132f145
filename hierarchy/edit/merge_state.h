/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MERGE_STATE_H
#define MERGE_STATE_H

/*
 * merge_state.h - the state of a merge, to which the input hierarchies (parts) are added in turn.
 */

#include "hierarchy/text/storage.h"
#include "hierarchy/text/text_index.h"
#include "hitop/edit.h"

enum { MERGE_NONE = -1 };

/* A node of a part that was merged into a rank or group. They form a list in the order of parts. */
struct merge_origin {
    int part, node;
    int next; /* index of the next origin, or MERGE_NONE */
};

struct merge_rank {
    const char *host;
    int up;          /* group, or MERGE_NONE */
    int first, last; /* origins */
};

struct merge_group {
    const char *level, *name;
    int up;          /* group, or MERGE_NONE for the root */
    int first, last; /* origins, or MERGE_NONE */
    int taken;       /* the last part that has a node merged into this group */

    /*
     * numbers of ranks of earlier parts below: all, those also in the current part, those also in
     * the node that is being added
     */
    int total, common, hits;
};

struct merge {
    const struct hitop_part *part;
    int nparts;
    struct merge_rank *rank;
    struct merge_group *group;
    struct merge_origin *origin;
    int nranks, max_ranks, ngroups, max_groups, norigins, max_origins;
    int root;
    struct text_index names; /* "up level name" */
    int *named;              /* by number in names: a group that has or had this name */
    int max_named;
    struct storage text;
    void (*conflict)(void *data, const char *line);
    void *data;
};

/* The current part. */
struct merge_step {
    struct merge *m;
    int part;
    const struct hitop_hierarchy *h;
    int *to;       /* by node of h: rank or group of m; MERGE_NONE for a group that is left out */
    int old_ranks; /* ranks of m before this part; smaller ones are in earlier parts */
    struct storage scratch;
};

/* Add a rank or a group. Returns its index; MERGE_NONE when out of memory. */
int hitop_merge_add_rank(struct merge *m, const char *host);
int hitop_merge_add_group(struct merge *m, const char *level, const char *name, int up);

/* The member of group up that has this level and name, or MERGE_NONE. "" is never found. */
int hitop_merge_find_named(struct merge *m, int up, const char *level, const char *name);

/* Make group up the parent of a group. */
void hitop_merge_move_group(struct merge *m, int group, int up);

/* Record that a node of the current part was merged into a group or rank. */
void hitop_merge_note_group(struct merge_step *s, int group, int node);
void hitop_merge_note_rank(struct merge_step *s, int rank, int node);

/* Report a contradiction. */
void hitop_merge_report(struct merge *m, const char *fmt, ...) HITOP_PRINTF(2, 3);

/* 1 if a group is top or is below it. */
int hitop_merge_is_in(const struct merge *m, int group, int top);

/* 1 if an earlier part also has this rank of the current part. */
static inline int merge_is_old(const struct merge_step *s, int rank)
{
    return s->to[rank] < s->old_ranks;
}

/* Level and name of a group, for a message. */
struct merge_title {
    char text[256];
};

struct merge_title hitop_merge_title(const char *level, const char *name);
struct merge_title hitop_merge_title_of(const struct merge *m, int group);

/* Build the merged hierarchy. */
enum hitop_status hitop_merge_finish(struct merge *m, struct hitop_hierarchy **out,
                                     struct hitop_diag *diag);

#endif /* MERGE_STATE_H */

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LEADERS_H
#define LEADERS_H

/*
 * leaders.h - the leader of each cluster, and how it informs the leaders of the clusters inside.
 *
 * A set is entered once, by a message to its leader. Which of its ranks that is decides how soon it arrives and
 * how soon all inside have it, so that each set keeps a few that could lead it, with the time each
 * takes inside; whoever sends takes the one with which the whole set is done first.
 */

#include "coll/trees/clustering.h"
#include "coll/trees/pool.h"

enum { MOST_CHOICES = 4 };

/* A rank that can lead a set. */
struct choice {
    int leader;
    /* The set inside that it leads as well, as its first choice; CLUSTER_NONE of a rank alone. */
    int via;
    double inner; /* seconds from when the leader has the message until all inside have it */
};

/* Those that can lead a set, the one that takes least inside first. */
struct choices {
    int n;
    struct choice choice[MOST_CHOICES];
};

/* A set inside another one. */
struct part {
    int set;
    struct choice choice; /* the first one; when it is served the one taken */
    int from;             /* who informs the leader; HITOP_NO_RANK of the first part */
    double ready;         /* when the leader has nothing more to send to other parts */
};

struct leaders {
    const struct hitop_tree_args *args;
    const struct sets *sets;
    struct clustering clusters;
    struct choices *choices; /* of sets that hold sets */
    int *slot;               /* [clusters.nsets] where those of a set are, or CLUSTER_NONE */
    struct pool informed;    /* leaders while one set is served, by when they are ready */
    int *part_of;            /* [size] of an informed leader */
};

/* Choose leaders for all sets of ranks; release with hitop_leaders_fini(), also after a failure. */
enum hitop_status hitop_leaders_init(struct leaders *l, const struct sets *sets,
                                     const struct hitop_tree_args *args, struct hitop_diag *diag);
void hitop_leaders_fini(struct leaders *l);

/*
 * The parts of a set in the order in which they are served: `own`, whose leader has the message, then that which
 * takes longest inside, and so on. To be freed; NULL when out of memory.
 */
struct part *hitop_leaders_parts(const struct leaders *l, int set, int own, int *count);

/* Let `leader`, of the first part, inform leaders of all others; returns when all ranks have the message. */
double hitop_leaders_serve(struct leaders *l, int leader, struct part *part, int count);

#endif /* LEADERS_H */

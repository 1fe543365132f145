/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef WHATIF_H
#define WHATIF_H

/*
 * whatif.h - models of machines that are not measured: from attributes of a hierarchy, or of a
 * regular shape.
 */

#include "hitop/model.h"

/*
 * A Hockney model from the attributes of the groups: latency="12us" or latency_us=12, and
 * bandwidth="1.2GB/s" or bandwidth_MBps=1200, for pairs of ranks whose smallest common group this
 * is. Groups with a single member need none. A leaf with these attributes and several ranks becomes
 * a group of level "host".
 *
 * ranks_per_host: that many ranks for each leaf, if each leaf is one rank on its own host; 0: as
 * the graph's attribute ranks_per_host says, or else one.
 *
 * HITOP_ERR_FORMAT: an attribute is missing or wrong; the message names the group.
 */
enum hitop_status hitop_whatif_priced(const struct hitop_hierarchy *h, int ranks_per_host,
                                      struct hitop_model **out, struct hitop_diag *diag);

/* Latency in seconds and bandwidth in bytes per second, written as at groups. */
struct whatif_price {
    double latency, bandwidth;
};

enum {
    WHATIF_LEVELS = 16, /* most levels of a shape */
    WHATIF_WORD = 32,
    WHATIF_RANKS_PER_HOST_MAX = 65536
};

/* A level of a shape. Level 0 is the root; ranks are members of the last one. */
struct whatif_level {
    char name[WHATIF_WORD];
    int members;   /* of each group: groups of the next level, or ranks */
    int is_priced; /* 1: price is given */
    struct whatif_price price;
    char like[WHATIF_WORD]; /* level of the model to take the price from; "": that of this name */
    char capacity[WHATIF_WORD]; /* attribute of its groups; "": that of the model, if any */
    char origin[160];           /* set by hitop_whatif_shaped(): where the price comes from */
};

/* A regular hierarchy. */
struct whatif_shape {
    struct whatif_level level[WHATIF_LEVELS + 1];
    int nlevels;                 /* with the root, without the ranks; at least 1 */
    char rank_name[WHATIF_WORD]; /* the last word: the name of a rank */
    int nranks;
};

/*
 * Parse "rack:8 host:16 core:64": 8 racks of 16 hosts of 64 ranks. Words are separated by blanks or
 * commas. HITOP_ERR_INVALID: not a shape.
 */
enum hitop_status hitop_whatif_parse_shape(const char *text, struct whatif_shape *out,
                                           struct hitop_diag *diag);

/*
 * Set prices of levels from text: words such as "rack=50us,1GB/s", perhaps with a capacity as third
 * item ("rack=50us,1GB/s,4"), or "rack=root", the price of another level of the model. Words are
 * separated by blanks. HITOP_ERR_INVALID: no such level, or not a price.
 */
enum hitop_status hitop_whatif_parse_prices(const char *text, struct whatif_shape *shape,
                                            struct hitop_diag *diag);

/*
 * The model of a shape. Levels without a given price get that of the median group of the level of
 * this name in the base, a model or NULL.
 *
 * HITOP_ERR_NOTFOUND: a level has no price; the message lists the levels of the base.
 * HITOP_ERR_INVALID: a price is that of a level that the base lacks, or none of its formula.
 */
enum hitop_status hitop_whatif_shaped(struct whatif_shape *shape, const struct hitop_model *base,
                                      struct hitop_model **out, struct hitop_diag *diag);

#endif /* WHATIF_H */

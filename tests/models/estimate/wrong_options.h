/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef WRONG_OPTIONS_H
#define WRONG_OPTIONS_H

/* wrong_options.h - options that hitop_estimate() refuses. */

#include "hitop/measure_mpi.h"

#include <stdlib.h>

/*
 * Make options for model hockney wrong in a way: 0, 1, ... Returns how the message of the refusal
 * begins; NULL: there are no more ways.
 */
static inline const char *wrong_options(int way, struct hitop_estimate_options *o)
{
    static const size_t wrong[] = {8, 8}, no_empty[] = {8, 16}, huge[] = {0, (size_t)1 << 31};
    static const struct hitop_grouping how = {0};
    struct {
        const char *words;
        struct hitop_estimate_options o;
    } w[] = {
        {"hitop_estimate_defaults()", *o},
        {"options.type: no model is", *o},
        {"options.sizes: 8 does not", *o},
        {"options.nsizes: 1 sizes", *o},
        {"options.min_size: model", *o},
        {"options.eps: 0 is not", *o},
        {"options.confidence: 1 is", *o},
        {"options.min_samples: 30", *o},
        {"options.parallel: 2", *o},
        {"options.budget: 0 is", *o},
        {"options.time_limit: -1", *o},
        {"options.cache: ", *o},
        {"options.links: 'ring' needs", *o},
        {"options.links: 'x' is none", *o},
        {"options.hierarchy: HITOP", *o},
        {"options.grouping goes", *o},
        {"options.scatter_gather: m", *o},
        {"options.min_size, max_size", *o},
        {"options.tolerance: 0 is", *o},
        {"options.min_stride: 0", *o},
        {"options.max_sizes: 1 is", *o},
        {"options.tree: 3 is", *o},
        {"options.eps: nan is", *o},
        {"options.line: ", *o},
        {"options.triples: model hockney", *o},
        {"options.triples: -2 is", *o},
        {"options.sizes: 2147483648 bytes", *o},
        {"options.max_size: 2147483649 bytes", *o},
    };

    w[0].o.size = 0;
    w[1].o.type = "nosuch";
    w[2].o.sizes = wrong, w[2].o.nsizes = 2;
    w[3].o.nsizes = 1;
    w[4].o.sizes = no_empty, w[4].o.nsizes = 2, w[4].o.type = "plogp";
    w[5].o.eps = 0;
    w[6].o.confidence = 1;
    w[7].o.min_samples = 30;
    w[8].o.parallel = 2;
    w[9].o.budget = 0;
    w[10].o.time_limit = -1;
    w[11].o.cache = "tepid";
    w[12].o.links = "ring";
    w[13].o.links = "x";
    w[14].o.tree = HITOP_TREE_GIVEN;
    w[15].o.grouping = &how;
    w[16].o.scatter_gather = 1;
    w[17].o.sizes = NULL, w[17].o.min_size = 9, w[17].o.max_size = 9;
    w[18].o.tolerance = 0;
    w[19].o.min_stride = 0;
    w[20].o.max_sizes = 1;
    w[21].o.tree = (enum hitop_estimate_tree)3;
    w[22].o.eps = strtod("nan", NULL);
    w[23].o.line = "curved";
    w[24].o.triples = 3;
    w[25].o.triples = -2;
    w[26].o.sizes = huge, w[26].o.nsizes = 2;
    w[27].o.sizes = NULL, w[27].o.max_size = ((size_t)1 << 31) + 1;
    if (way >= (int)(sizeof(w) / sizeof(w[0]))) {
        return NULL;
    }
    *o = w[way].o;
    return w[way].words;
}

#endif /* WRONG_OPTIONS_H */

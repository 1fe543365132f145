/* SPDX-License-Identifier: BSD-3-Clause */
/* predict_list.c - what can be predicted. */
#include <config.h>

#include "predict.h"

#include "hitop/sys/tree.h"

#include <string.h>

static void list_params(const struct hitop_param *params, size_t nparams, FILE *out)
{
    for (size_t i = 0; i < nparams; i++) {
        fprintf(out, "      --param %s=%g  %s; %g..%g\n", params[i].name, params[i].fallback,
                params[i].help, params[i].min, params[i].max);
    }
}

void predict_list(FILE *out)
{
    fprintf(out, "p2p\n  one message\nbcast\n");
    for (size_t i = 0; hitop_tree_builders()[i]; i++) {
        const struct hitop_tree_builder *b = hitop_tree_builders()[i];
        fprintf(out, "  %-16s %s\n", b->name, b->summary);
        list_params(b->params, b->nparams, out);
    }
    fprintf(out, "  %-16s %s\n", "twolevel",
            "as libhitop_coll does it: between hosts, then on them");
}

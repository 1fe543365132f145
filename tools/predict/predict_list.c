/* SPDX-License-Identifier: BSD-3-Clause */
/* predict_list.c - list the operations, algorithms and parameters that can be predicted. */
#include <config.h>

#include "tools/predict/predict.h"

#include "hitop/sys/coll.h"
#include "hitop/sys/tree.h"

#include <string.h>

static void list_params(const struct hitop_param *params, size_t nparams, FILE *out)
{
    for (size_t i = 0; i < nparams; i++) {
        fprintf(out, "      --param %s=%g  %s; %g..%g\n", params[i].name, params[i].fallback,
                params[i].help, params[i].min, params[i].max);
    }
}

/* List the algorithms of an operation; one line stands for all trees of an algorithm. */
static void list_operation(const struct hitop_operation *operation, FILE *out)
{
    const size_t count = hitop_algorithm_count(operation);
    const struct hitop_coll_type *before = NULL;

    fprintf(out, "%s\n", operation->name);
    for (size_t i = 0; i < count; i++) {
        const struct hitop_algorithm algorithm = hitop_algorithm_at(operation, i);
        if (algorithm.type != before) {
            fprintf(out, "  %-16s %s\n", algorithm.tree ? "TREE" : hitop_algorithm_name(algorithm),
                    algorithm.type->summary);
            list_params(algorithm.type->params, algorithm.type->nparams, out);
        }
        before = algorithm.type;
    }
    if (strcmp(operation->name, "bcast") == 0) {
        fprintf(out, "  %-16s %s\n", "twolevel",
                "as libhitop_coll does it: between hosts, then on them");
    }
}

void predict_list(FILE *out)
{
    fprintf(out, "p2p\n  one message\n");
    for (const struct hitop_operation *o = hitop_operations(); o->name; o++) {
        list_operation(o, out);
    }
    fprintf(out, "TREE is one of\n");
    for (size_t i = 0; hitop_tree_builders()[i]; i++) {
        const struct hitop_tree_builder *b = hitop_tree_builders()[i];
        fprintf(out, "  %-16s %s\n", b->name, b->summary);
        list_params(b->params, b->nparams, out);
    }
}

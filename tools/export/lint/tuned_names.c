/* SPDX-License-Identifier: BSD-3-Clause */
/* tuned_names.c - names of algorithms of coll/tuned of Open MPI. */
#include <config.h>

#include "tools/export/lint/tuned_collectives.h"

#include <string.h>

/* Names of algorithms of a collective from 1 on, as in coll_tuned_<name>_algorithm. */
struct names {
    const char *collective;
    const char *name[10];
};

static const struct names all_names[] = {
    {"allgather",
     {"linear", "bruck-k-fanout", "recursive_doubling", "ring", "neighbor", "two_proc", "sparbit",
      "direct-messaging"}},
    {"allgatherv", {"default", "bruck", "ring", "neighbor", "two_proc", "sparbit"}},
    {"allreduce",
     {"basic_linear", "nonoverlapping", "recursive_doubling", "ring", "segmented_ring",
      "rabenseifner", "allgather_reduce"}},
    {"alltoall", {"linear", "pairwise", "modified_bruck", "linear_sync", "two_proc"}},
    {"alltoallv", {"basic_linear", "pairwise"}},
    {"barrier", {"linear", "double_ring", "recursive_doubling", "bruck", "two_proc", "tree"}},
    {"bcast",
     {"basic_linear", "chain", "pipeline", "split_binary_tree", "binary_tree", "binomial",
      "knomial", "scatter_allgather", "scatter_allgather_ring"}},
    {"exscan", {"linear", "recursive_doubling"}},
    {"gather", {"basic_linear", "binomial", "linear_sync"}},
    {"reduce",
     {"linear", "chain", "pipeline", "binary", "binomial", "in-order_binary", "rabenseifner",
      "knomial"}},
    {"reduce_scatter", {"non-overlapping", "recursive_halving", "ring", "butterfly"}},
    {"reduce_scatter_block",
     {"basic_linear", "recursive_doubling", "recursive_halving", "butterfly"}},
    {"scan", {"linear", "recursive_doubling"}},
    {"scatter", {"basic_linear", "binomial", "linear_nb"}},
    {NULL, {NULL}},
};

long tuned_algorithm_number(const struct tuned_collective *tuned, const char *name)
{
    if (strcmp(name, "ignore") == 0) {
        return 0;
    }
    for (const struct names *n = all_names; n->collective; n++) {
        for (int i = 0; strcmp(n->collective, tuned->name) == 0 && n->name[i]; i++) {
            if (strcmp(n->name[i], name) == 0) {
                return i + 1;
            }
        }
    }
    return -1;
}

const char *tuned_algorithm_name(const struct tuned_collective *tuned, long number, int major)
{
    if (tuned->operation == HITOP_ALLGATHER && number == 2 && major < 6) {
        return "bruck";
    }
    for (const struct names *n = all_names; n->collective; n++) {
        if (strcmp(n->collective, tuned->name) == 0 && number > 0 && number <= tuned->max_6) {
            return n->name[number - 1];
        }
    }
    return "unknown";
}

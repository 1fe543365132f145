/* SPDX-License-Identifier: BSD-3-Clause */
/* tuned.c - what coll/tuned of Open MPI can be asked for. */
#include <config.h>

#include "tools/export/tuned.h"

#include "hitop/text.h"

#include <stdint.h>
#include <string.h>

/*
 * The radix of knomial is a parameter of the library for bcast and stands in the line for reduce,
 * and a ring in segments needs their length. Algorithms with number 0 are not of coll/tuned.
 */
int tuned_is_usable(const struct hitop_mpi_choice *choice)
{
    const char *name = choice->algorithm->name;
    const struct tuned_collective *tuned = tuned_of(choice->algorithm->operation);

    if (choice->algorithm->number == 0 || !tuned || tuned->max == 0) {
        return 0;
    }
    if (strcmp(name, "knomial") == 0) {
        return tuned->operation == HITOP_REDUCE ? choice->fanout >= 2
                                                : choice->fanout == 0 || choice->fanout == 4;
    }
    return strcmp(name, "segmented_ring") != 0 || choice->segment > 0;
}

const struct export_variable tuned_variables[] = {
    {"OMPI_MCA_coll_tuned_use_dynamic_rules", "1", 4, 6},
    {"OMPI_MCA_coll_tuned_dynamic_rules_filename", NULL, 4, 6},
    {"OMPI_MCA_coll_han_priority", "0", 5, 6},
    {NULL, NULL, 0, 0},
};

enum hitop_status tuned_rules(const struct export_request *request, struct export_rules *out,
                              struct hitop_diag *diag)
{
    const int major = request->version.major;
    const struct export_rules_request what = {
        .defaults = major == 4   ? "openmpi-4.1"
                    : major == 5 ? "openmpi-5.0"
                                 : "openmpi-6.0",
        .own = major == 4   ? "openmpi-4.1"
               : major == 5 ? "openmpi-5.0-tuned"
                            : "openmpi-6.0-tuned",
        .is_usable = tuned_is_usable,
        .single = 1u << HITOP_GATHER | 1u << HITOP_SCATTER | 1u << HITOP_ALLTOALLV,
    };

    return export_rules_make(request, &what, out, diag);
}

size_t tuned_size(const struct export_rule *rule, size_t bytes)
{
    const size_t ranks = (size_t)hitop_model_nranks(rule->job->model);

    return tuned_of(rule->operation)->size == TUNED_TOTAL && bytes < SIZE_MAX / ranks
               ? bytes * ranks
               : bytes;
}

void tuned_put_gain(const struct export_request *request, const struct export_rule *rule, FILE *to)
{
    char size[32];

    hitop_text_format_size(rule->best_at, size, sizeof(size));
    fprintf(to, "%s, predicted %.3g times as fast as the default", rule->choice.algorithm->name,
            rule->gain);
    if (rule->best > rule->gain * 1.01) {
        fprintf(to, ", %.3g times at %s", rule->best, size);
    }
    export_put_measured(request, rule, to);
}

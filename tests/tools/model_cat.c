/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model_cat.c - read a model file and write it back. The argument --MODEL instead of a file gives
 * an example of that model that has every member of the format. Exit status 3 and a message when
 * the file is refused.
 */
#include <config.h>

#include "hitop/sys/model.h"

#include "tests/support/example_hierarchy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NUMBERS = 16, NROWS = 3 };

/* n numbers near the fallbacks, every one different, with errors and intervals. */
struct numbers {
    double value[MAX_NUMBERS], se[MAX_NUMBERS], lo[MAX_NUMBERS], hi[MAX_NUMBERS];
};

static void fill(const struct hitop_param *params, size_t n, double factor, struct numbers *out)
{
    for (size_t p = 0; p < n; p++) {
        out->value[p] = params[p].fallback * factor;
        out->se[p] = p == 1 ? NAN : out->value[p] / 7;
        out->lo[p] = out->value[p] * 0.9;
        out->hi[p] = out->value[p] * 1.1;
    }
}

/* Rows at 0, 1000 and 2000 bytes. */
static void fill_table(const struct hitop_model_type *type, double *table)
{
    for (size_t row = 0; row < NROWS; row++) {
        for (size_t c = 0; c < type->ncolumns; c++) {
            table[row * type->ncolumns + c] =
                c == 0 ? 1000 * (double)row : type->columns[c].fallback * (1 + (double)row / 3);
        }
    }
}

/* Site 0 has a class for all its links, the root one for its only two members. */
static void fill_classes(const struct hitop_model_type *type, const struct numbers *numbers,
                         const double *table, struct hitop_class *classes)
{
    static const struct hitop_time times[] = {{0, 1 / 3e6, 1 / 4e6, 1 / 2e6},
                                              {4096, 1 / 3e5, 1 / 3e5, 2 / 5e5}};
    static const int pairs[][2] = {{4, 5}, {0, 1}};

    example_classes(classes);
    for (int i = 0; i < EXAMPLE_CLASSES; i++) {
        classes[i].params = numbers->value;
        classes[i].table = type->ncolumns ? table : NULL;
        classes[i].nrows = type->ncolumns ? NROWS : 0;
    }
    classes[4].se = numbers->se;
    classes[4].lo = numbers->lo;
    classes[4].hi = numbers->hi;
    classes[4].nsizes = 14;
    classes[4].nsamples = 420;
    classes[4].residual = 0.0123;
    classes[4].has_eager = classes[5].has_eager = 1;
    classes[4].eager = 4040;
    classes[5].eager = HITOP_ALL_SIZES;
    classes[4].pairs = pairs;
    classes[4].npairs = 2;
    classes[4].nunlike = 1;
    classes[4].spread = 2 / 3.0;
    classes[4].is_synchronous = 1;
    classes[4].synchronous = 4096;
    classes[4].times = times;
    classes[4].ntimes = 2;
    classes[4].date = "2026-01-02T03:04:05Z";
    classes[4].between[0] = 8;
    classes[4].between[1] = 9;
    classes[6].converged = 0;
    classes[6].pair[0] = classes[6].pair[1] = HITOP_NO_RANK;
}

static struct hitop_model *full_example(const char *name)
{
    static const int processor_of[] = {0, 1, 0, 1, 0, 0, 0, 0};
    const struct hitop_provenance provenance = {.tool = "model_cat 0",
                                                .command = "model_cat \"quoted\" \xff",
                                                .mpi_library = "none",
                                                .transport = "simulated",
                                                .cache = "hot",
                                                .date = "",
                                                .seed = 4711,
                                                .confidence = 0.95};
    static const struct hitop_verified verified[] = {
        {.node = 12, .pairs = 3, .median = 1 / 70.0, .q90 = 0.31, .worst = 0.025, .holds = 1},
        {.node = 13, .pairs = 1, .median = 0, .q90 = 0, .worst = 2 / 3.0}};
    static const struct hitop_quality quality = {.seconds = 1 / 3.0,
                                                 .passes = 7,
                                                 .ended_early = 1,
                                                 .latency = {.at_once = 4, .slowdown = 1.0123},
                                                 .bandwidth = {.at_once = 1, .slowdown = 1},
                                                 .tolerance = 0.15,
                                                 .verified = verified,
                                                 .nverified = 2};
    const struct hitop_model_type *type = NULL;
    struct numbers link, fast, slow, collective;
    struct hitop_processor processors[2];
    struct hitop_class classes[EXAMPLE_CLASSES];
    struct hitop_hierarchy *h = example_hierarchy();
    struct hitop_model_parts parts = {.type = name,
                                      .hierarchy = h,
                                      .classes = classes,
                                      .nclasses = EXAMPLE_CLASSES,
                                      .provenance = &provenance,
                                      .quality = &quality};
    struct hitop_model *model = NULL;
    double table[NROWS * MAX_NUMBERS];

    if (hitop_model_type_find(name, &type, NULL) != HITOP_OK) {
        abort();
    }
    fill(type->params, type->nparams, 0.7, &link);
    fill(type->processor_params, type->nprocessor_params, 0.385, &fast);
    fill(type->processor_params, type->nprocessor_params, 1.9, &slow);
    fill(type->collective_params, type->ncollective_params, 0.9, &collective);
    fill_table(type, table);
    fill_classes(type, &link, table, classes);
    processors[0] = (struct hitop_processor){.rank = 0,
                                             .params = fast.value,
                                             .se = fast.se,
                                             .lo = fast.lo,
                                             .hi = fast.hi,
                                             .nsamples = 71,
                                             .converged = 1,
                                             .date = ""};
    processors[1] = (struct hitop_processor){.rank = HITOP_NO_RANK, .params = slow.value};
    if (type->nprocessor_params > 0) {
        parts.processors = processors;
        parts.nprocessors = 2;
        parts.processor_of = processor_of;
    }
    parts.collective = type->ncollective_params > 0 ? collective.value : NULL;
    if (hitop_model_build(&parts, &model, NULL) != HITOP_OK) {
        abort();
    }
    hitop_hierarchy_free(h);
    return model;
}

int main(int argc, char **argv)
{
    struct hitop_model *model = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    enum hitop_status status = HITOP_OK;

    if (argc != 2) {
        fprintf(stderr, "usage: model_cat --MODEL | FILE\n");
        return 2;
    }
    if (strncmp(argv[1], "--", 2) == 0) {
        model = full_example(argv[1] + 2);
    } else {
        status = hitop_model_read(argv[1], &model, &diag);
    }
    if (status == HITOP_OK) {
        status = hitop_model_write(model, stdout, &diag);
    }
    hitop_model_free(model);
    if (status != HITOP_OK) {
        fprintf(stderr, "%s\n", diag.message);
        return 3;
    }
    return EXIT_SUCCESS;
}

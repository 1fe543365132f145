/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model_cat.c - read a model file and write it back. The argument --hockney or --piecewise instead of a
 * file gives an example that has every member of the format. Exit status 3 and a message when the file
 * is refused.
 */
#include <config.h>

#include "example_hierarchy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct hitop_model *full_example(const char *type)
{
    /* the first two are those of hockney */
    static const double params[] = {3e-6, 0.4e-9, 65536, 9e-6, 0.385e-9};
    static const double se[] = {2.385e-9, NAN, NAN, 1e-7, 3e-12};
    static const double lo[] = {2.99e-6, 0.399e-9, 32768, 8e-6, 0.38e-9};
    static const double hi[] = {3.01e-6, 0.401e-9, 65536, 10e-6, 0.39e-9};
    struct hitop_provenance provenance = {.tool = "model_cat 0",
                                          .command = "model_cat \"quoted\" \xff",
                                          .mpi_library = "none",
                                          .transport = "simulated",
                                          .date = "",
                                          .seed = 4711,
                                          .confidence = 0.95};
    struct hitop_class classes[EXAMPLE_CLASSES];
    struct hitop_hierarchy *h = example_hierarchy();
    struct hitop_model *model = NULL;

    example_classes(classes);
    for (int i = 0; i < EXAMPLE_CLASSES; i++) {
        classes[i].params = params;
    }
    classes[4].se = se;
    classes[4].lo = lo;
    classes[4].hi = hi;
    classes[4].nsizes = 14;
    classes[4].nsamples = 420;
    classes[4].residual = 0.0123;
    classes[6].converged = 0;
    classes[6].pair[0] = classes[6].pair[1] = HITOP_NO_RANK;
    if (hitop_model_build(type, h, classes, EXAMPLE_CLASSES, &provenance, &model, NULL) !=
        HITOP_OK) {
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
        fprintf(stderr, "usage: model_cat --hockney | --piecewise | FILE\n");
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

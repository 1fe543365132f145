/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model_cat.c - read a model file and write it back; without an argument write an example that has
 * every member of the format. Exit status 3 and a message when the file is refused.
 */
#include <config.h>

#include "example_hierarchy.h"

#include <math.h>
#include <stdlib.h>

static struct hitop_model *full_example(void)
{
    static const double se[] = {2.385e-9, NAN};
    static const double lo[] = {2.99e-6, 0.399e-9}, hi[] = {3.01e-6, 0.401e-9};
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
    classes[4].se = se;
    classes[4].lo = lo;
    classes[4].hi = hi;
    classes[4].nsizes = 14;
    classes[4].nsamples = 420;
    classes[4].residual = 0.0123;
    classes[6].converged = 0;
    classes[6].pair[0] = classes[6].pair[1] = HITOP_NO_RANK;
    if (hitop_model_build("hockney", h, classes, EXAMPLE_CLASSES, &provenance, &model, NULL) !=
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

    if (argc > 1) {
        status = hitop_model_read(argv[1], &model, &diag);
    } else {
        model = full_example();
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

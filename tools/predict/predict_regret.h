/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PREDICT_REGRET_H
#define PREDICT_REGRET_H

/* predict_regret.h - the choices of an MPI library compared with the fastest algorithms. */

#include "coll/defaults/mpi_choice.h"
#include "tools/predict/predict.h"

/* One operation and size. Times in seconds; NaN: unknown. */
struct predict_regret_row {
    const struct hitop_operation *operation;
    size_t bytes;
    struct hitop_mpi_choice chosen;   /* algorithm NULL: no rule */
    enum hitop_mpi_fidelity fidelity; /* of our plan of it */
    double seconds;
    struct hitop_mpi_choice own; /* the fastest of the library; algorithm NULL: unknown */
    double own_seconds;
    struct hitop_choice best; /* the fastest of all ours */
    double best_seconds;
    char reason[160]; /* why a time is unknown; "" where all are known */
};

struct predict_regret {
    const struct predict_request *request;
    const char *library;
    struct hitop_mpi *mpi;
    int *host;                       /* [ranks] number of the host */
    struct predict_regret_row *rows; /* by operation, then by size */
    size_t count;
};

/*
 * Compare for the sizes of the request and a set of operations (bit i: operation i of
 * hitop_operations()). Release with predict_regret_fini(), also after a failure.
 */
enum hitop_status predict_regret_init(struct predict_regret *regret,
                                      const struct predict_request *request, const char *library,
                                      unsigned operations, struct hitop_diag *diag);
void predict_regret_fini(struct predict_regret *regret);

/* How many times as long; NaN: unknown. */
double predict_regret_loss(double seconds, double best);

enum { PREDICT_REGRET_NAME = 96 };

/* The name of a choice with its parameters: "pipeline segment=16KiB fanout=4", "-" for none. */
void predict_regret_name(const struct hitop_mpi_choice *choice, char *out, size_t length);

/* Draw a heat map of vs_own to an SVG file. */
enum hitop_status predict_regret_draw(const struct predict_regret *regret, const char *path,
                                      struct hitop_diag *diag);

enum hitop_status predict_regret_print(const struct predict_regret *regret,
                                       enum predict_format format, FILE *out,
                                       struct hitop_diag *diag);

#endif /* PREDICT_REGRET_H */

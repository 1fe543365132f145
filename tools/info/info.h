/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef INFO_H
#define INFO_H

/* info.h - what the parts of model_info share: the question, and the answers to it. */

#include "hitop/sys/model.h"

#include "tools/common/sizes.h"
#include "tools/common/tool.h"

#include <stdio.h>

enum { INFO_MAX_ROWS = 2000 }; /* of a matrix, unless more are asked for */

enum info_matrix { INFO_NO_MATRIX, INFO_LATENCY, INFO_BANDWIDTH, INFO_TIME };

enum info_format { INFO_TEXT, INFO_CSV, INFO_JSON };

struct info_request {
    const struct tool *tool;
    const char *path;
    const struct hitop_model *model;
    enum info_format format;
    int worst; /* lines of each list of what is worst */
    struct sizes sizes;

    const char *other_path; /* of the model to compare with, or NULL */
    const struct hitop_model *other;
    size_t *bytes; /* sizes of messages to compare */
    size_t nsizes;
    int max_pairs; /* of ranks to compare */
    int seed;      /* of their choice where they are more */
    double tolerance;

    const char *as; /* the formula to write it in, or NULL */

    enum info_matrix matrix;
    int by_host;
    int is_large; /* a matrix may have any size */
};

/* What the model is: ranges by level, and what is worst. */
enum hitop_status info_write_text(const struct info_request *request, FILE *to,
                                  struct hitop_diag *diag);

/* How the numbers were measured: lines of a head, and a list of groups. */
void info_write_course(const struct info_request *request, FILE *to);
enum hitop_status info_write_verified(const struct info_request *request, FILE *to,
                                      struct hitop_diag *diag);

/* Every number of the model, one to a row. */
enum hitop_status info_write_csv(const struct info_request *request, FILE *to,
                                 struct hitop_diag *diag);
enum hitop_status info_write_json(const struct info_request *request, FILE *to,
                                  struct hitop_diag *diag);

/* How far the other model is from it; *is_same tells whether that is within the tolerance. */
enum hitop_status info_write_diff(const struct info_request *request, int *is_same, FILE *to,
                                  struct hitop_diag *diag);

/* A matrix as CSV. HITOP_ERR_INVALID: it would be too large. */
enum hitop_status info_write_matrix(const struct info_request *request, FILE *to,
                                    struct hitop_diag *diag);

/* Pictures whose names begin with prefix, with the measured times of a file unless points_path is NULL.
 * Returns the exit status. */
int info_plot(const struct info_request *request, const char *prefix, const char *points_path);

#endif /* INFO_H */

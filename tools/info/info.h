/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef INFO_H
#define INFO_H

/*
 * info.h - what the parts of model_info share: the request, what is written, and the levels and
 * places of a hierarchy.
 */

#include "hitop/sys/model.h"

#include "tools/common/sizes.h"
#include "tools/common/tool.h"

#include <stdio.h>

enum { INFO_MAX_ROWS = 2000 }; /* of a matrix without --large */

enum info_matrix { INFO_NO_MATRIX, INFO_LATENCY, INFO_BANDWIDTH, INFO_TIME };

enum info_format { INFO_TEXT, INFO_CSV, INFO_JSON };

struct info_request {
    const struct tool *tool;
    const char *path;
    const struct hitop_model *model;
    enum info_format format;
    int worst; /* lines of each list of classes with the largest errors */
    struct sizes sizes;

    const char *other_path; /* of the model to compare with, or NULL */
    const struct hitop_model *other;
    size_t *bytes; /* sizes of messages to compare */
    size_t nsizes;
    int max_pairs; /* of ranks to compare */
    int seed;      /* of the random choice if there are more */
    double tolerance;

    const char *as; /* the formula to convert the model to, or NULL */

    enum info_matrix matrix;
    int by_host;
    int is_large; /* a matrix may have any size */
};

/* Write a summary of the model: ranges by level, and the classes with the largest errors. */
enum hitop_status info_write_text(const struct info_request *request, FILE *to,
                                  struct hitop_diag *diag);

/*
 * Parts of the summary: how the model was measured, groups that were verified, classes that need
 * attention.
 */
void info_write_measurement(const struct info_request *request, FILE *to);
enum hitop_status info_write_verified(const struct info_request *request, FILE *to,
                                      struct hitop_diag *diag);
enum hitop_status info_write_worst(const struct info_request *request, FILE *to,
                                   struct hitop_diag *diag);

/* Write all numbers of the model, one per row, as CSV or JSON. */
enum hitop_status info_write_rows(const struct info_request *request, FILE *to,
                                  struct hitop_diag *diag);

/*
 * Compare the model with the other one; *is_same: 1 if no difference is beyond the tolerance and
 * the intervals.
 */
enum hitop_status info_write_diff(const struct info_request *request, int *is_same, FILE *to,
                                  struct hitop_diag *diag);

/* Write a matrix as CSV. HITOP_ERR_INVALID: it would be too large. */
enum hitop_status info_write_matrix(const struct info_request *request, FILE *to,
                                    struct hitop_diag *diag);

/*
 * Write pictures whose names begin with prefix; points_path: a file of measured times, or NULL.
 * Returns the exit status.
 */
int info_plot(const struct info_request *request, const char *prefix, const char *points_path);

/*
 * Half the width of the widest interval of a class, relative to its parameter; *param is the index
 * of that parameter. 0 where no interval is known.
 */
double info_widest(const struct hitop_model_type *type, const struct hitop_class *c, size_t *param);

/* Print such a width in percent, right-aligned; "-" for 0, e.g. for a formula that is a table. */
void info_put_width(FILE *to, int columns, double width);

/*
 * The levels of a hierarchy, such as root, rack and host. Groups of equal level names are on one
 * level.
 */

struct info_level {
    const char *name; /* lent by the hierarchy; "" when unknown */
    int ngroups;
};

struct info_levels {
    struct info_level *level; /* the outermost first */
    int n;
    int *of_group; /* by node minus number of ranks */
};

/* Release with info_levels_clear(), also after a failure. */
enum hitop_status info_levels_fill(struct info_levels *levels, const struct hitop_hierarchy *h,
                                   struct hitop_diag *diag);
void info_levels_clear(struct info_levels *levels);

/* The name, or "-" for an empty one. */
const char *info_shown(const char *name);

/* The name of a member of a group, else "node 5" or "rank 3". Returns out or the name. */
const char *info_member_name(const struct hitop_hierarchy *h, int node, char out[32]);

/* The rows of a matrix: ranks, or hosts, each represented by its smallest rank. */

struct info_place {
    int rank;   /* of a host the smallest */
    int second; /* another rank of the host, or HITOP_NO_RANK */
};

struct info_places {
    struct info_place *place;
    int n;
    int are_hosts;
};

/* In the order of the hierarchy. Release with info_places_clear(), also after a failure. */
enum hitop_status info_places_fill(struct info_places *places, const struct hitop_hierarchy *h,
                                   int by_host, struct hitop_diag *diag);
void info_places_clear(struct info_places *places);

/* The two ranks of a row and a column; 0 when there are none. */
int info_places_pair(const struct info_places *places, int row, int column, int pair[2]);

#endif /* INFO_H */

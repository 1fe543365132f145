/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORT_PARTS_H
#define REPORT_PARTS_H

/* report_parts.h - the sections of the guide. */

#include "tools/common/table.h"
#include "tools/report/report.h"
#include "tools/report/report_page.h"

/* A guide being written. */
struct guide {
    const struct results *report;
    struct page page;
    int draws; /* 1: it has figures */
};

/* "Broadcast, by mpi, root rotating": the operation, and what its series do not have in common. */
void series_title(const struct results *report, const struct results_series *s, char *out,
                  size_t length);
/* "series-2", for links. */
void series_id(const struct results *report, const struct results_series *s, char *out,
               size_t length);

/* "95 % interval", or e.g. 75 % if the launches are too few for 95 %. out holds 40 bytes. */
const char *interval_name(const struct results *report, char *out);

/* Parts of the template, guide.txt. */
void write_facts(struct guide *guide);
void write_operations(struct guide *guide);
void write_method(struct guide *guide);
void write_differences(struct guide *guide);
void write_comparisons(struct guide *guide);
void write_guidelines(struct guide *guide);
void write_means(struct guide *guide);
void write_glance(struct guide *guide);
/* At most ten lines: for each operation a short and a long message on the largest team. */
void write_brief(const struct results *report, FILE *to);
void write_series(struct guide *guide, const struct results_series *s);
void write_fits(struct guide *guide, const struct results_series *s);

/* Figures of a series, where the guide has figures. */
void draw_times(struct guide *guide, const struct results_series *s);
void draw_bandwidths(struct guide *guide, const struct results_series *s);

/* Rows of a table: in CSV, or in JSON the objects of a list. */
struct report_rows {
    FILE *to;
    int is_json;
    const struct column *columns;
    size_t ncolumns;
    int n, failed;
};

void report_rows_begin(struct report_rows *rows, const char *format, const char *list);
void report_rows_put(struct report_rows *rows, const void *row);
/* HITOP_ERR_IO: something could not be written. */
enum hitop_status report_rows_end(struct report_rows *rows, struct hitop_diag *diag);

/* All points, with the formulas. */
enum hitop_status report_write_points(const struct results *report, int is_json, FILE *to,
                                      struct hitop_diag *diag);

#endif /* REPORT_PARTS_H */

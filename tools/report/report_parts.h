/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORT_PARTS_H
#define REPORT_PARTS_H

/* report_parts.h - the sections of the guide. */

#include "tools/report/report.h"
#include "tools/report/report_page.h"

/* A guide being written. */
struct guide {
    const struct results *report;
    struct page page;
    int draws;              /* 1: figures are wanted and can be had so far */
    struct hitop_diag *why; /* why no more, once draws is 0 */
};

/* "Broadcast, mpi, root rotating": as short as tells the series apart. */
void series_title(const struct results *report, const struct results_series *s, char *out,
                  size_t length);
/* "broadcast-2", for links. */
void series_id(const struct results *report, const struct results_series *s, char *out,
               size_t length);

/* "T(m) = 1.25 µs + 0.385 ns/B m"; has_ranks: T(m, P). */

/* "95 % interval"; 75 % where three launches do not allow more. out holds 40 bytes. */
const char *interval_name(const struct results *report, char *out);

void write_setup(struct guide *guide);
void write_launches(struct guide *guide);
void write_definitions(struct guide *guide);
void write_glance(struct guide *guide);
/* Ten lines at most: of each operation the time of a short and of a long message on the most ranks. */
void write_brief(const struct results *report, FILE *to);
void write_series(struct guide *guide, const struct results_series *s);
void write_fits(struct guide *guide, const struct results_series *s);
void write_comparisons(struct guide *guide);
void write_guidelines(struct guide *guide);
void write_means(struct guide *guide);

/* Figures; nothing without gnuplot, of which the guide then says so. */
void draw_times(struct guide *guide, const struct results_series *s);
void draw_bandwidths(struct guide *guide, const struct results_series *s);

enum hitop_status report_write_csv(const struct results *report, FILE *to, struct hitop_diag *diag);

#endif /* REPORT_PARTS_H */

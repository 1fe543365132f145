/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ARRIVAL_REPORT_H
#define ARRIVAL_REPORT_H

/*
 * arrival_report.h - the table of the bench of late ranks.
 *
 * Columns, medians over blocks, in us: paper, the metric of the paper, with the least that it could
 * have been for the same arrivals; mean over ranks and calls, with its least; max, the mean of each
 * call's longest; root; spread from the first arrival to the last. eff is the least mean over the
 * mean. Ratios, of paper and of mean, to the first variant's in the same block: median, quartiles.
 */

#include "bench/arrival_options.h"
#include "bench/waits.h"

void arrival_report_head(const struct arrival_settings *s, int ranks);

/* A row for each variant; waits[variant][block], foreign as a share. */
void arrival_report(const struct arrival_settings *s, const struct pattern_setting *p, size_t bytes,
                    struct waits waits[VARIANTS_MAX][ARRIVAL_BLOCKS], double foreign);

#endif /* ARRIVAL_REPORT_H */

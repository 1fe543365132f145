/* SPDX-License-Identifier: BSD-3-Clause */
/* verify_table.c - the table of --verify. */
#include <config.h>

#include "tools/export/verify.h"

#include "hitop/text.h"

static void put_point(const struct export_rules *rules, const struct verify_point *point,
                      int is_dropped, FILE *to)
{
    char size[32], time[2][32], range[64];

    hitop_text_format_size(point->bytes, size, sizeof(size));
    for (int with = 0; with < 2; with++) {
        hitop_text_format_seconds(point->median[with], time[with], sizeof(time[with]));
    }
    (void)snprintf(range, sizeof(range), "%.3g to %.3g", point->low, point->high);
    fprintf(to, "%-14s %8s %9.3g  %9s %9s %7.3g  %-16s %s\n",
            rules->rule[point->rule].operation->name, size, point->predicted, time[0], time[1],
            point->gain, range, is_dropped ? "dropped" : "kept");
}

void verify_put_table(const struct export_rules *rules, const struct verify_points *points,
                      const int *is_dropped, FILE *to)
{
    int nrules = 0, nkept = 0, nmeasured = 0;

    fprintf(to, "%-14s %8s %9s  %9s %9s %7s  %-16s %s\n", "operation", "size", "predicted",
            "without", "with", "gain", "range", "rule");
    for (int p = 0; p < points->count; p++) {
        put_point(rules, &points->point[p], is_dropped[points->point[p].rule], to);
    }
    for (size_t i = 0; i < rules->count; i++) {
        const int is_kept = rules->rule[i].choice.algorithm && !is_dropped[i];
        nrules += rules->rule[i].choice.algorithm != NULL;
        nkept += is_kept;
        nmeasured += is_kept && rules->rule[i].measured.launches > 0;
    }
    fprintf(to, "%d of %d %s kept, %d of them measured\n", nkept, nrules,
            nrules == 1 ? "rule" : "rules", nmeasured);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* arrival_report.c - see arrival_report.h. */
#include <config.h>

#include "bench/arrival_report.h"

#include "models/fit/quantile.h"

#include <stdio.h>

static const enum wait_kind order[] = {WAIT_PAPER, WAIT_PAPER_LEAST, WAIT_MEAN,  WAIT_MEAN_LEAST,
                                       WAIT_MAX,   WAIT_ROOT,        WAIT_SPREAD};

void arrival_report_head(const struct arrival_settings *s, int ranks)
{
    if (s->csv) {
        puts("label,operation,ranks,nodes,size_B,interval_us,pattern,root,variant,paper_us,"
             "paper_least_us,mean_us,mean_least_us,max_us,root_us,spread_us,efficiency,paper_ratio,"
             "paper_ratio_q25,paper_ratio_q75,mean_ratio,mean_ratio_q25,mean_ratio_q75,"
             "foreign_percent");
        return;
    }
    printf("%s, %d ranks, times in us\n%9s %7s %-11s %-8s %-12s", s->operation->name, ranks,
           "size_B", "K", "pattern", "root", "variant");
    printf("%9s%9s%9s%9s%9s%9s%9s %5s  %-23s %-23s %s\n", "paper", "least", "mean", "least", "max",
           "root", "spread", "eff", "paper ratio", "mean ratio", "foreign_%");
}

static double middle(const struct waits *waits, int blocks, enum wait_kind kind)
{
    double values[ARRIVAL_BLOCKS];

    for (int b = 0; b < blocks; b++) {
        values[b] = waits[b].of[kind];
    }
    return quantile(values, blocks, 0.5);
}

static void print_ratio(const struct arrival_settings *s, const struct waits *waits,
                        const struct waits *first, enum wait_kind kind)
{
    double values[ARRIVAL_BLOCKS];

    for (int b = 0; b < s->blocks; b++) {
        values[b] = waits[b].of[kind] / first[b].of[kind];
    }
    printf(s->csv ? ",%.3f,%.3f,%.3f" : "  %5.3f %6.3f .. %-6.3f", quantile(values, s->blocks, 0.5),
           quantile(values, s->blocks, 0.25), quantile(values, s->blocks, 0.75));
}

void arrival_report(const struct arrival_settings *s, const struct pattern_setting *p, size_t bytes,
                    struct waits waits[VARIANTS_MAX][ARRIVAL_BLOCKS], double foreign)
{
    char root[16] = "rotating";

    if (s->root != ROTATING) {
        (void)snprintf(root, sizeof(root), "%d", s->root);
    }
    for (int v = 0; v < s->nvariants; v++) {
        const struct waits *mine = waits[v];
        if (s->csv) {
            printf("%s,%s,%d,%d,", s->label, s->operation->name, p->ranks, p->nodes);
        }
        printf(s->csv ? "%zu,%.1f,%s,%s,%s" : "%9zu %7.1f %-11s %-8s %-12s", bytes,
               1e6 * p->interval, hitop_pattern_names[p->pattern], root, s->variants[v].name);
        for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
            printf(s->csv ? ",%.3f" : "%9.2f", 1e6 * middle(mine, s->blocks, order[i]));
        }
        printf(s->csv ? ",%.3f" : " %5.2f",
               middle(mine, s->blocks, WAIT_MEAN_LEAST) / middle(mine, s->blocks, WAIT_MEAN));
        print_ratio(s, mine, waits[0], WAIT_PAPER);
        print_ratio(s, mine, waits[0], WAIT_MEAN);
        printf(s->csv ? ",%.0f\n" : " %5.0f\n", 100 * foreign);
    }
    (void)fflush(stdout);
}

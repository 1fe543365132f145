/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_update_table.c - which classes of an earlier model hold, and what has become of the others. */
#include <config.h>

#include "models/model/figures.h"
#include "tools/measure/measure.h"

#include <stdlib.h>

/* A longer table is of use where something has changed only. */
enum { MOST_ROWS = 64 };

static void print_row(const struct measure_request *request, const struct measure_result *result,
                      int index)
{
    static const char *const fate[] = {
        [HITOP_HELD] = "holds", [HITOP_DRIFTED] = "drifted", [HITOP_UNSETTLED] = "was unsettled"};
    const size_t largest = request->sizes[request->options.nsizes - 1];
    const struct hitop_class *c = hitop_model_class(result->base, index);
    const struct hitop_model *models[] = {result->base, result->model};
    const struct hitop_verdict *v = &result->verdict;
    char shown[32];
    int pair[2];

    hitop_info_class_pair(result->base, c, pair);
    (void)snprintf(shown, sizeof(shown), "%d-%d", pair[0], pair[1]);
    printf("%-8s %-20s %11s %+8.1f", hitop_hierarchy_level(result->h, c->node),
           hitop_hierarchy_name(result->h, c->node), shown, 100 * v->off[index]);
    for (int m = 0; m < 2; m++) {
        printf(" %10.4g", 1e6 * hitop_info_latency(models[m], pair[0], pair[1]));
    }
    for (int m = 0; m < 2; m++) {
        printf(" %10.4g", 1e-6 * hitop_info_bandwidth(models[m], pair[0], pair[1], largest));
    }
    printf("  %s\n",
           v->is_all && v->fate[index] == HITOP_HELD ? "measured anew" : fate[v->fate[index]]);
}

void measure_update_print(const struct measure_request *request,
                          const struct measure_result *result)
{
    const int n = hitop_model_nclasses(result->base);
    const struct hitop_verdict *v = &result->verdict;
    int rows = 0;

    printf("%-8s %-20s %11s %8s %10s %10s %10s %10s  %s\n", "level", "group", "pair", "off_%",
           "latency_us", "now_us", "bw_MBps", "now_MBps", "state");
    for (int i = n - 1; i >= 0 && rows < MOST_ROWS; i--) {
        if (n <= MOST_ROWS || v->fate[i] != HITOP_HELD) {
            print_row(request, result, i);
            rows++;
        }
    }
    if (rows < n) {
        printf("... and %d more classes\n", n - rows);
    }
    printf("%d classes checked on %d links in %.3g s: %d hold, %d measured anew%s\n", n,
           result->checks.nlinks, result->checks.measurement.seconds, v->nheld, n - v->nheld,
           v->is_all ? ", with all processors, one of which may have changed" : "");
    if (result->links.nlinks > 0) {
        putchar('\n');
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* report_hops.c - launches whose processors were near to each other beside such where they were not. */
#include <config.h>

#include "line_hop.h"
#include "report_merge.h"

#include "hitop/text.h"

#include <math.h>

/* Nanoseconds; NaN where they are not told. */
static double hop_of(const struct report *launch, const char *key)
{
    const char *text = facts_find(launch, key);
    double hop;

    return text && hitop_text_double(text, 0, HUGE_VAL, &hop, NULL) == HITOP_OK ? hop : NAN;
}

enum hitop_status hops_compare(struct report *r, const struct report_input *in,
                               struct hitop_diag *diag)
{
    static const char *const keys[] = {"line_hop_first_ns", "line_hop_last_ns"};
    static const char *const when[] = {"first", "last"};
    struct {
        double hop;
        int launch, moment;
    } least = {.hop = HUGE_VAL}, most = {.hop = 0};

    for (int i = 0; i < r->nlaunches; i++) {
        for (int k = 0; k < 2; k++) {
            const double hop = hop_of(r->launches[i], keys[k]);
            if (hop > 0 && hop < least.hop) {
                least.hop = hop, least.launch = i, least.moment = k;
            }
            if (hop > most.hop) {
                most.hop = hop, most.launch = i, most.moment = k;
            }
        }
    }
    if (!(most.hop > LINE_HOP_OTHER * least.hop)) {
        return HITOP_OK;
    }
    return report_warn(r, diag,
                       "a cache line went from rank to rank in %.3g ns in %.200s at %s, in %.3g ns "
                       "in %.200s at %s: " LINE_HOP_MEANING " from launch to launch",
                       least.hop, in[least.launch].name, when[least.moment], most.hop,
                       in[most.launch].name, when[most.moment]);
}

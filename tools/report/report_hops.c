/* SPDX-License-Identifier: BSD-3-Clause */
/* report_hops.c - launches whose processors were near to each other beside such where they were not. */
#include <config.h>

#include "tools/common/line_hop.h"
#include "tools/report/merge.h"

#include "hitop/text.h"

#include <math.h>

/* Nanoseconds; NaN where they are not told. */
static double hop_of(const struct report *launch, const char *key)
{
    const char *text = facts_find(launch, key);
    double hop;

    return text && hitop_text_double(text, 0, HUGE_VAL, &hop, NULL) == HITOP_OK ? hop : NAN;
}

/* The least and the most of all launches, and which ones those are. */
struct extremes {
    double least, most;
    const char *least_in, *most_in;
};

static void look_at(struct extremes *e, double least, double most, const char *name)
{
    if (least > 0 && least < e->least) {
        e->least = least;
        e->least_in = name;
    }
    if (most > e->most) {
        e->most = most;
        e->most_in = name;
    }
}

enum hitop_status hops_compare(struct report *r, const struct report_input *in,
                               struct hitop_diag *diag)
{
    struct extremes e = {.least = HUGE_VAL};
    char curves[80] = "";
    int nother = 0;

    for (int i = 0; i < r->nlaunches; i++) {
        const struct report *launch = r->launches[i];
        const double first = hop_of(launch, "line_hop_first_ns");
        const double last = hop_of(launch, "line_hop_last_ns");
        look_at(&e, fmin(first, last), fmax(first, last), in[i].name);
        for (int k = 0; k < launch->ncurves; k++) {
            look_at(&e, launch->curves[k].hop_least, launch->curves[k].hop_most, in[i].name);
        }
    }
    if (!(e.most > LINE_HOP_OTHER * e.least)) {
        return HITOP_OK;
    }
    for (int k = 0; k < r->ncurves; k++) {
        nother += r->curves[k].hop_most > LINE_HOP_OTHER * r->curves[k].hop_least;
    }
    if (nother > 0) {
        (void)snprintf(curves, sizeof(curves), ", which changed during %d of %d curves or between",
                       nother, r->ncurves);
    }
    if (e.least_in == e.most_in) {
        return report_warn(r, diag,
                           LINE_HOP_WARNING
                           "%.6g ns from rank to rank at one time and %.6g ns at another, both in "
                           "%.200s%s: " LINE_HOP_MEANING " within a launch or from one to another",
                           e.least, e.most, e.most_in, curves);
    }
    return report_warn(r, diag,
                       LINE_HOP_WARNING "%.6g ns from rank to rank at one time in %.200s, and %.6g "
                                        "ns in %.200s%s: " LINE_HOP_MEANING
                                        " from launch to launch",
                       e.least, e.least_in, e.most, e.most_in, curves);
}

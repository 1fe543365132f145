/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_progress.c - a line that tells how far a measurement is. */
#include <config.h>

#include "tools/common/progress.h"
#include "tools/measure/measure.h"

#include <math.h>
#include <unistd.h>

static int is_line_open;

/* Seconds after which all will have ended: when the budget or the limit does, or sooner if medians go on
 * settling as they did. */
static double guess_rest(const struct hitop_progress *p, double budget, double limit)
{
    double rest = fmax(budget - p->elapsed, 0) + p->left;

    if (limit > 0) {
        rest = fmin(rest, fmax(limit - p->elapsed, 0));
    }
    if (p->finished > 0) {
        rest = fmin(rest, p->left + p->elapsed * (p->njobs - p->finished) / p->finished);
    }
    return rest;
}

void measure_progress_show(const struct measure_run *run, const struct hitop_progress *p)
{
    const struct tool *tool = run->tool;
    const struct measure_request *request = run->request;
    const double limit = request->run.time_limit;
    char line[256], medians[64] = "";

    if (tool->quiet || request->quiet || !progress_is_due(request->progress)) {
        return;
    }
    if (p->njobs > 0) {
        (void)snprintf(medians, sizeof(medians), "%d of %d medians settled, widest +-%.0f %%; ",
                       p->finished, p->njobs, 100 * p->worst);
    }
    (void)snprintf(line, sizeof(line),
                   "pass %d, wave %d of %d, %d links at once; %s%.0f s gone, %.0f s to go",
                   p->block + 1, p->wave, p->nwaves, p->nlinks, medians, run->elapsed + p->elapsed,
                   guess_rest(p, request->options.budget - run->elapsed,
                              limit > 0 ? limit - run->elapsed : 0));
    if (isatty(STDERR_FILENO)) {
        fprintf(stderr, "\r%s: %s\033[K", tool->name, line);
        is_line_open = 1;
    } else {
        tool_error(tool, "%s", line);
    }
}

void measure_progress_end(void)
{
    if (is_line_open) {
        fputs("\r\033[K", stderr);
        is_line_open = 0;
    }
}

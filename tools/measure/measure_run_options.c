/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_run_options.c - the options of long measurements. */
#include <config.h>

#include "tools/measure/run.h"

#include "hitop/text.h"
#include "tools/common/take.h"

#include <string.h>

void measure_run_defaults(struct measure_run_request *run)
{
    *run = (struct measure_run_request){.watchdog = 30};
}

static enum hitop_status read_watchdog(const char *text, double *seconds, struct hitop_diag *diag)
{
    if (strcmp(text, "0") == 0) {
        *seconds = 0;
        return HITOP_OK;
    }
    return hitop_text_seconds(text, seconds, diag);
}

enum hitop_status measure_run_option(int c, const char *text, struct measure_run_request *run,
                                     struct hitop_diag *diag)
{
    switch (c) {
    case O_JOURNAL:
        run->journal = text;
        return HITOP_OK;
    case O_RESUME_ANYWAY:
        run->resume_anyway = 1;
        run->resume = 1;
        return HITOP_OK;
    case O_RESUME:
        run->resume = 1;
        return HITOP_OK;
    case O_DRY_RUN:
        run->dry_run = 1;
        return HITOP_OK;
    case O_TIME_LIMIT:
        return take_time(text, &run->time_limit, diag);
    case O_WATCHDOG:
        return read_watchdog(text, &run->watchdog, diag);
    default:
        return HITOP_ERR_NOTFOUND;
    }
}

int measure_run_check(const struct tool *tool, const struct measure_run_request *run)
{
    if (run->resume && !run->journal) {
        tool_error(tool, "%s needs --journal FILE, from which to go on",
                   run->resume_anyway ? "--resume-anyway" : "--resume");
        return TOOL_USAGE;
    }
    return TOOL_DONE;
}

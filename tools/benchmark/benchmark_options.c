/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_options.c - the command line of benchmark_collective. */
#include <config.h>

#include "tools/benchmark/benchmark_kinds.h"
#include "tools/benchmark/benchmark_options.h"

#include "hitop/text.h"
#include "tools/common/take.h"

#include <getopt.h>
#include <string.h>

static enum hitop_status take_line_hop(const char *argument, double *seconds,
                                       struct hitop_diag *diag)
{
    *seconds = 0;
    return strcmp(argument, "any") == 0 ? HITOP_OK : take_time(argument, seconds, diag);
}

static enum hitop_status take_statistics(struct benchmark_request *r, int letter,
                                         const char *argument, struct hitop_diag *diag)
{
    switch (letter) {
    case 'e':
        return hitop_text_double(argument, 0, 1, &r->rule.eps, diag);
    case 'c':
        return hitop_text_double(argument, 0.5, 0.9999, &r->rule.confidence, diag);
    case 'r':
        return hitop_text_int(argument, 1, 1000000, &r->rule.min_samples, diag);
    case 'R':
        return hitop_text_int(argument, 1, 1000000, &r->rule.max_samples, diag);
    case O_MARGIN:
        return hitop_text_double(argument, 0, 1, &r->margin, diag);
    case O_BUDGET:
        return take_time(argument, &r->budget, diag);
    case O_PASSES:
        return hitop_text_int(argument, 1, 1000, &r->passes, diag);
    case O_SPREAD:
        return hitop_text_seconds(argument, &r->spread, diag);
    case O_LINE_HOP:
        return take_line_hop(argument, &r->line_hop, diag);
    case O_FULL_SPEED:
        r->full_speed = 1;
        return HITOP_OK;
    case O_STATE_WAIT:
        return take_time(argument, &r->state_wait, diag);
    default:
        return take_time(argument, &r->time_limit, diag);
    }
}

static enum hitop_status take(void *data, int letter, const char *argument, struct hitop_diag *diag)
{
    struct benchmark_late *late = data;
    struct benchmark_request *r = late->request;

    switch (letter) {
    case 'O':
        return benchmark_take_kinds(r, argument, diag);
    case 'n':
        return benchmark_take_counts(r, argument, diag);
    case 'm':
        return sizes_set_min(&r->sizes, argument, diag);
    case 'M':
        return sizes_set_max(&r->sizes, argument, diag);
    case 'S':
        return sizes_set_stride(&r->sizes, argument, diag);
    case O_SIZES:
        return sizes_set_list(&r->sizes, argument, diag);
    case O_SIZES_FILE:
        r->sizes_file = argument;
        return HITOP_OK;
    case O_TYPE:
        r->type = argument;
        return HITOP_OK;
    case O_ROOT:
        return benchmark_take_root(r, argument, diag);
    case O_IMPLEMENTATION:
        late->way_given = 1;
        return benchmark_way_parse(argument, strlen(argument), &r->ways[0], diag);
    case O_COMPARE:
        return benchmark_take_ways(r, argument, diag);
    case O_SLOW_DOWN:
        late->slow_down = argument;
        return HITOP_OK;
    case O_CACHE:
        return benchmark_cache_find(argument, &r->cache, diag);
    case O_MEMORY:
        return hitop_text_size(argument, &r->memory, diag);
    case O_CHECK:
        r->check = 1;
        return HITOP_OK;
    case O_ARRIVAL:
        return benchmark_take_arrival(r, argument, diag);
    case O_INTERVAL:
        late->interval_given = 1;
        return hitop_text_seconds(argument, &r->interval, diag);
    case O_TRACE:
        r->trace = argument;
        return HITOP_OK;
    case O_SEED:
        return take_seed(argument, &r->seed, diag);
    case O_IN_ORDER:
        r->in_order = 1;
        return HITOP_OK;
    case 'f':
        return benchmark_take_format(r, argument, diag);
    case 'o':
        r->output = argument;
        return HITOP_OK;
    case O_REPORT:
        return benchmark_take_report(r, argument, diag);
    case O_PROGRESS:
        r->progress = 1;
        return HITOP_OK;
    case 'q':
        r->quiet = 1;
        return HITOP_OK;
    case O_DRY_RUN:
        r->dry_run = 1;
        return HITOP_OK;
    case O_LIST:
        r->list = 1;
        return HITOP_OK;
    default:
        return letter >= O_NPMIN ? benchmark_imb_take(r, letter, argument, diag)
                                 : take_statistics(r, letter, argument, diag);
    }
}

int benchmark_options_parse(const struct tool *tool, int argc, char **argv,
                            struct benchmark_request *r)
{
    struct benchmark_late late = {.request = r};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int status;

    *r = (struct benchmark_request){.least_ranks = 2,
                                    .sizes = {.min = 0, .max = (size_t)4 << 20},
                                    .nways = 1,
                                    .ways[0].name = "mpi",
                                    .margin = 0.02,
                                    .rule = {.eps = 0.02, .confidence = 0.95, .batch = 1},
                                    .budget = 1,
                                    .cache = CACHE_HOT,
                                    .passes = 6,
                                    .spread = 2,
                                    .state_wait = 60,
                                    .memory = (size_t)1 << 30,
                                    .interval = 100e-6,
                                    .seed = 1,
                                    .format = &benchmark_formats[0],
                                    .output = "-"};
    r->command = tool_command_line(tool, argc, argv);
    if (!r->command) {
        tool_error(tool, "out of memory");
        return TOOL_FAILED;
    }
    status = tool_take_options(tool, argc, argv, take, &late);
    for (; status == TOOL_DONE && optind < argc; optind++) {
        if (benchmark_take_kinds(r, argv[optind], &diag) != HITOP_OK) {
            tool_error(tool, "%s", diag.message);
            status = TOOL_USAGE;
        }
    }
    for (const struct benchmark_kind *k = benchmark_kinds; r->nkinds == 0 && k->name;) {
        for (; k->name; k++) {
            r->kinds[r->nkinds++] = k;
        }
    }
    return status == TOOL_DONE ? benchmark_check_whole(tool, &late) : status;
}

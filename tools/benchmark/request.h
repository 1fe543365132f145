/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REQUEST_H
#define REQUEST_H

/* request.h - the parts of reading the command line. */

#include "tools/benchmark/benchmark.h"

/* Options without a letter. */
enum {
    O_SIZES = 256,
    O_SIZES_FILE,
    O_ROOT,
    O_TYPE,
    O_COMPARE,
    O_IMPLEMENTATION,
    O_MARGIN,
    O_SLOW_DOWN,
    O_BUDGET,
    O_TIME_LIMIT,
    O_PASSES,
    O_SPREAD,
    O_LINE_HOP,
    O_FULL_SPEED,
    O_STATE_WAIT,
    O_CACHE,
    O_MEMORY,
    O_CHECK,
    O_ARRIVAL,
    O_INTERVAL,
    O_TRACE,
    O_SEED,
    O_IN_ORDER,
    O_FORMAT,
    O_REPORT,
    O_PROGRESS,
    O_DRY_RUN,
    O_LIST,
    O_NPMIN,
    O_MSGLOG,
    O_ITER,
    O_TIME,
    O_MEM,
    O_OFF_CACHE,
    O_ROOT_SHIFT,
};

/* TOOL_DONE, or what is wrong, which has been said. */
int benchmark_check_whole(const struct tool *tool, struct benchmark_request *request);

/* Arguments that are words or lists; the reason to refuse one does not name the option. */
#define TAKES(what)                                                                                \
    enum hitop_status benchmark_take_##what(struct benchmark_request *request, const char *text,   \
                                            struct hitop_diag *diag)
TAKES(kinds);
TAKES(counts);
TAKES(ways);
TAKES(arrival);
TAKES(format);
TAKES(root);
TAKES(report);
#undef TAKES

/* One of the options that are named as in the Intel MPI Benchmarks. */
enum hitop_status benchmark_imb_take(struct benchmark_request *request, int letter,
                                     const char *argument, struct hitop_diag *diag);

#endif /* REQUEST_H */

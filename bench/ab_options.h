/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef AB_OPTIONS_H
#define AB_OPTIONS_H

/* ab_options.h - what collective_ab is asked for. */

#include "bench/block.h"
#include "bench/lists.h"
#include "tools/common/tool.h"

enum { MAX_BLOCKS = 1024 };

struct ab_settings {
    int is_mode[BLOCK_NMODES], is_operation[HITOP_NOPERATIONS];
    size_t sizes[LISTS_MAX], cold;
    int ranks; /* of the job */
    int nsizes, blocks, root, csv, alone, linked;
    double block_seconds;
    double canary; /* seconds; 0: what it is at the start; -1: none */
};

/* To be made quiet on later ranks. */
extern struct tool ab_tool;

/* s->ranks is set, the rest has its defaults. TOOL_DONE or TOOL_USAGE. */
int ab_options_parse(struct ab_settings *s, int argc, char **argv);

#endif /* AB_OPTIONS_H */

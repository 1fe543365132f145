/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_request.c - the command line of hierarchical_model. */
#include <config.h>

#include "tools/measure/measure_options.h"

#include "models/fit/estimate.h"
#include "tools/common/take.h"

#include "hitop/text.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static int bad(const struct tool *tool, const char *name, const struct hitop_diag *diag)
{
    char shown[64];

    (void)snprintf(shown, sizeof(shown), "--%s", name);
    return tool_bad_option(tool, shown, diag);
}

static enum hitop_status read_links(const char *text, struct measure_request *r,
                                    struct hitop_diag *diag)
{
    static const char *const word[] = {
        [LINKS_ONE] = "one", [LINKS_RING] = "ring", [LINKS_PAIRS] = "pairs"};

    for (size_t i = 0; i < sizeof(word) / sizeof(word[0]); i++) {
        if (strcmp(text, word[i]) == 0) {
            r->links = (enum measure_links)i;
            return HITOP_OK;
        }
    }
    r->links = LINKS_SAMPLE;
    return hitop_text_int(text, 1, 1000000, &r->nsample, NULL) == HITOP_OK
               ? HITOP_OK
               : hitop_fail(diag, HITOP_ERR_INVALID,
                            "'%s' is none of one, ring, pairs or a number from 1 to 1000000", text);
}

/* Options whose value is a number or a word. HITOP_ERR_NOTFOUND: it is another option. */
static enum hitop_status read_number(int c, const char *text, struct measure_request *r,
                                     struct range *range, struct hitop_diag *diag)
{
    struct hitop_measure_options *o = &r->options;

    switch (c) {
    case 'm':
        return hitop_text_size(text, &range->min, diag);
    case 'M':
        return hitop_text_size(text, &range->max, diag);
    case 'S':
        range->has_stride = 1;
        return hitop_text_size(text, &range->stride, diag);
    case 's':
        range->asking = c;
        return hitop_text_size(text, &o->refinement.min_stride, diag);
    case 'n':
        range->asking = c;
        return hitop_text_int(text, 2, 1000, &range->max_num, diag);
    case 'd':
        range->asking = c;
        return hitop_text_double(text, 1e-6, 1, &o->refinement.eps, diag);
    case 'e':
        return hitop_text_double(text, 1e-6, 1, &o->eps, diag);
    case 'c':
        return hitop_text_double(text, 0.5, 0.999999, &o->confidence, diag);
    case 'r':
        return hitop_text_int(text, 1, 1000000, &o->min_samples, diag);
    case 'R':
        return hitop_text_int(text, 1, 1000000, &o->max_samples, diag);
    case 'p':
        return hitop_text_int(text, 0, 1, &o->parallel, diag);
    case O_CACHE:
        return hitop_cache_find(text, &r->cache, diag);
    case O_BUDGET:
        return take_time(text, &o->budget, diag);
    case O_SEED:
        return take_seed(text, &o->seed, diag);
    case O_LINKS:
        return read_links(text, r, diag);
    case O_TRIPLES:
        return measure_read_triples(text, r, diag);
    case O_FIT:
        return hitop_line_method_find(text, &r->line, diag);
    case O_VERIFY:
        return hitop_text_int(text, 0, 1000000, &r->nverify, diag);
    case O_TOLERANCE:
        return hitop_text_double(text, 0.001, 100, &r->tolerance, diag);
    case O_SAMPLE:
        r->links = LINKS_SAMPLE;
        return hitop_text_int(text, 1, 1000000, &r->nsample, diag);
    case O_NOISE:
        return hitop_text_double(text, 0, 1, &r->noise, diag);
    default:
        return HITOP_ERR_NOTFOUND;
    }
}

/* 1 when c is an option whose value is a text or that has none. */
static int read_text(int c, struct measure_request *r, int *quiet)
{
    switch (c) {
    case 'C':
        r->model = optarg;
        return 1;
    case 'i':
        r->input = optarg;
        return 1;
    case 'o':
        r->output = optarg;
        return 1;
    case O_ANNOTATE:
        r->annotate = optarg;
        return 1;
    case O_POINTS:
        r->points = optarg;
        return 1;
    case O_SIMULATE:
        r->simulate = optarg;
        return 1;
    case O_UPDATE:
        r->update = optarg;
        return 1;
    case O_EXACT_THRESHOLDS:
        r->exact_thresholds = 1;
        return 1;
    case O_SCATTER_GATHER:
        r->scatter_gather = 1;
        return 1;
    case O_CAPACITIES:
        r->capacities = CAPACITIES_ANEW;
        return 1;
    case O_NO_CAPACITIES:
        r->capacities = CAPACITIES_NONE;
        return 1;
    case O_IGNORE_HOSTS:
        r->ignore_hosts = 1;
        return 1;
    case O_REFINE:
        r->refine = 1;
        return 1;
    case O_STRICT:
        r->strict = 1;
        return 1;
    case O_PROGRESS:
        r->progress = 1;
        return 1;
    case 'q':
        *quiet = 1;
        return 1;
    default:
        return 0;
    }
}

static const char *long_name(const struct tool *tool, int c)
{
    size_t i = 0;

    while (i + 1 < tool->noptions && tool->options[i].letter != c) {
        i++;
    }
    return tool->options[i].name;
}

/* The command line as a whole. */
static int check_whole(const struct tool *tool, int argc, char **argv, struct measure_request *r,
                       const struct range *range)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;

    if (optind < argc) {
        tool_error(tool, "unexpected argument '%s'; see %s --help", argv[optind], tool->name);
        return TOOL_USAGE;
    }
    if (measure_request_check(tool, r, range) != TOOL_DONE) {
        return TOOL_USAGE;
    }
    r->command = tool_command_line(tool, argc, argv);
    return r->command ? TOOL_DONE : tool_fail(tool, HITOP_ERR_NOMEM, &diag);
}

int measure_request_read(const struct tool *tool, int argc, char **argv,
                         struct measure_request *request)
{
    struct range range = {.max = (size_t)1 << 20, .max_num = 100};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int quiet = 0;
    int c;

    *request = (struct measure_request){.model = "auto",
                                        .is_flat = tool->options == measure_flat_options,
                                        .links = LINKS_ONE,
                                        .npasses = -1,
                                        .capacities = CAPACITIES_NEW};
    if (request->is_flat) {
        request->links = LINKS_FLAT;
        request->capacities = CAPACITIES_NONE;
    }
    hitop_measure_defaults(&request->options);
    request->options.refinement.min_stride = 64;
    measure_run_defaults(&request->run);
    optind = 1;
    while ((c = tool_next_option(tool, argc, argv)) != -1) {
        enum hitop_status status;
        if (c == '?') {
            return TOOL_USAGE;
        }
        if (read_text(c, request, &quiet)) {
            continue;
        }
        status = measure_run_option(c, optarg, &request->run, &diag);
        if (status == HITOP_ERR_NOTFOUND) {
            status = read_number(c, optarg, request, &range, &diag);
        }
        if (status != HITOP_OK) {
            return bad(tool, long_name(tool, c), &diag);
        }
    }
    request->quiet = quiet;
    return check_whole(tool, argc, argv, request, &range);
}

void measure_request_release(struct measure_request *request)
{
    free(request->command);
    free(request->sizes);
}

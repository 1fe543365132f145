/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_options.c - the command line of benchmark_collective. */
#include <config.h>

#include "benchmark_kinds.h"
#include "benchmark_options.h"
#include "report.h"

#include "hitop/input.h"
#include "hitop/text.h"

#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* What is checked when all options are known. */
struct late {
    struct benchmark_request *request;
    const char *sizes_file, *slow_down;
    int interval_given;
    enum hitop_status file_status;
};

static enum hitop_status take_kinds(struct benchmark_request *r, const char *list,
                                    struct hitop_diag *diag)
{
    for (const char *at = list;; at++) {
        const size_t length = strcspn(at, ",");
        const struct benchmark_kind *kind;
        int i = 0;
        const enum hitop_status status = benchmark_kind_find(at, length, &kind, diag);
        if (status != HITOP_OK) {
            return status;
        }
        while (i < r->nkinds && r->kinds[i] != kind) {
            i++;
        }
        if (i == r->nkinds && r->nkinds < BENCHMARK_KINDS) {
            r->kinds[r->nkinds++] = kind;
        }
        at += length;
        if (*at == '\0') {
            return HITOP_OK;
        }
    }
}

static enum hitop_status take_counts(struct benchmark_request *r, const char *list,
                                     struct hitop_diag *diag)
{
    r->ncounts = 0;
    for (const char *at = list;; at++) {
        const size_t length = strcspn(at, ",");
        char word[16] = "";
        enum hitop_status status;
        memcpy(word, at, length < sizeof(word) ? length : sizeof(word) - 1);
        if (r->ncounts == BENCHMARK_COUNTS) {
            return hitop_fail(diag, HITOP_ERR_INVALID, "more than %d numbers", BENCHMARK_COUNTS);
        }
        status = hitop_text_int(word, 1, INT_MAX, &r->counts[r->ncounts++], diag);
        at += length;
        if (status != HITOP_OK || *at == '\0') {
            return status;
        }
    }
}

static enum hitop_status take_ways(struct benchmark_request *r, const char *text,
                                   struct hitop_diag *diag)
{
    const size_t length = strcspn(text, ",");
    enum hitop_status status;

    if (text[length] == '\0') {
        return hitop_fail(diag, HITOP_ERR_INVALID, "'%.60s' must be two names, e.g. mpi,hitop",
                          text);
    }
    status = benchmark_way_parse(text, length, &r->ways[0], diag);
    r->nways = 2;
    return status == HITOP_OK ? benchmark_way_parse(text + length + 1, strlen(text + length + 1),
                                                    &r->ways[1], diag)
                              : status;
}

/* "together" or a pattern by its name; arrivals from a file have an option of their own. */
static enum hitop_status take_arrival(struct benchmark_request *r, const char *text,
                                      struct hitop_diag *diag)
{
    char valid[256] = "together";

    r->arrives = strcmp(text, "together") != 0;
    if (!r->arrives) {
        return HITOP_OK;
    }
    for (int p = 0; p < PATTERN_REPLAY; p++) {
        if (strcmp(text, pattern_names[p]) == 0) {
            r->pattern = (enum pattern)p;
            return HITOP_OK;
        }
        hitop_text_list_name(valid, sizeof(valid), pattern_names[p]);
    }
    return hitop_fail(diag, HITOP_ERR_NOTFOUND, "'%.40s' is no pattern; valid: %s", text, valid);
}

static enum hitop_status take_format(struct benchmark_request *r, const char *text,
                                     struct hitop_diag *diag)
{
    char valid[128] = "";

    for (const struct benchmark_format *f = benchmark_formats; f->name; f++) {
        if (strcmp(text, f->name) == 0) {
            r->format = f;
            return HITOP_OK;
        }
        hitop_text_list_name(valid, sizeof(valid), f->name);
    }
    return hitop_fail(diag, HITOP_ERR_NOTFOUND, "'%.40s' is no format; valid: %s", text, valid);
}

static enum hitop_status take_root(struct benchmark_request *r, const char *text,
                                   struct hitop_diag *diag)
{
    r->root = ROOT_ROTATES;
    return strcmp(text, "rotating") == 0 ? HITOP_OK
                                         : hitop_text_int(text, 0, INT_MAX, &r->root, diag);
}

/* More than no time. */
static enum hitop_status take_seconds(double *out, const char *text, struct hitop_diag *diag)
{
    const enum hitop_status status = hitop_text_seconds(text, out, diag);

    return status == HITOP_OK && !(*out > 0)
               ? hitop_fail(diag, HITOP_ERR_INVALID, "'%.40s' must be more than 0", text)
               : status;
}

static enum hitop_status take_seed(struct benchmark_request *r, const char *text,
                                   struct hitop_diag *diag)
{
    int seed;
    const enum hitop_status status = hitop_text_int(text, 0, INT_MAX, &seed, diag);

    if (status == HITOP_OK) {
        r->seed = (unsigned long long)seed;
    }
    return status;
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
        return take_seconds(&r->budget, argument, diag);
    default:
        return take_seconds(&r->time_limit, argument, diag);
    }
}

static enum hitop_status take_report(struct benchmark_request *r, const char *path,
                                     struct hitop_diag *diag)
{
    if (report_format_of_file(path) < 0) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "'%.200s' must end with .html, .md or .csv",
                          path);
    }
    r->report = path;
    return HITOP_OK;
}

static enum hitop_status take(void *data, int letter, const char *argument, struct hitop_diag *diag)
{
    struct late *late = data;
    struct benchmark_request *r = late->request;

    switch (letter) {
    case 'O':
        return take_kinds(r, argument, diag);
    case 'n':
        return take_counts(r, argument, diag);
    case 'm':
        return sizes_set_min(&r->sizes, argument, diag);
    case 'M':
        return sizes_set_max(&r->sizes, argument, diag);
    case 'S':
        return sizes_set_stride(&r->sizes, argument, diag);
    case O_SIZES:
        return sizes_set_list(&r->sizes, argument, diag);
    case O_SIZES_FILE:
        late->sizes_file = argument;
        return HITOP_OK;
    case O_TYPE:
        r->type = argument;
        return HITOP_OK;
    case O_ROOT:
        return take_root(r, argument, diag);
    case O_IMPLEMENTATION:
        return benchmark_way_parse(argument, strlen(argument), &r->ways[0], diag);
    case O_COMPARE:
        return take_ways(r, argument, diag);
    case O_SLOW_DOWN:
        late->slow_down = argument;
        return HITOP_OK;
    case O_CACHE:
        return hitop_cache_find(argument, &r->cache, diag);
    case O_MEMORY:
        return hitop_text_size(argument, &r->memory, diag);
    case O_CHECK:
        r->check = 1;
        return HITOP_OK;
    case O_ARRIVAL:
        return take_arrival(r, argument, diag);
    case O_INTERVAL:
        late->interval_given = 1;
        return hitop_text_seconds(argument, &r->interval, diag);
    case O_TRACE:
        r->trace = argument;
        return HITOP_OK;
    case O_SEED:
        return take_seed(r, argument, diag);
    case O_IN_ORDER:
        r->in_order = 1;
        return HITOP_OK;
    case 'f':
        return take_format(r, argument, diag);
    case 'o':
        r->output = argument;
        return HITOP_OK;
    case O_REPORT:
        return take_report(r, argument, diag);
    case O_PROGRESS:
        r->progress = 1;
        return HITOP_OK;
    case 'q':
        r->quiet = 1;
        return HITOP_OK;
    case O_LIST:
        r->list = 1;
        return HITOP_OK;
    default:
        return letter >= O_NPMIN ? benchmark_imb_take(r, letter, argument, diag)
                                 : take_statistics(r, letter, argument, diag);
    }
}

/* "B=10%" */
static enum hitop_status set_slow_down(struct benchmark_request *r, const char *text,
                                       struct hitop_diag *diag)
{
    const size_t length = strlen(text);
    char number[16] = "";
    double percent;
    enum hitop_status status;

    if (length < 4 || length > 12 || (text[0] != 'A' && text[0] != 'B') || text[1] != '=' ||
        text[length - 1] != '%') {
        return hitop_fail(diag, HITOP_ERR_INVALID, "'%.40s' must be e.g. B=10%%", text);
    }
    if (r->nways < 2) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "there is nothing to --compare");
    }
    memcpy(number, text + 2, length - 3);
    status = hitop_text_double(number, 0, 1000, &percent, diag);
    if (status == HITOP_OK) {
        r->ways[text[0] == 'B'].slow_down = percent / 100;
    }
    return status;
}

/* Lines, blanks and tabs of a file become commas; what follows # is skipped. */
static enum hitop_status read_sizes(struct benchmark_request *r, const char *path,
                                    struct hitop_diag *diag)
{
    struct hitop_diag reason = HITOP_DIAG_INIT;
    char *text = NULL, *to, *save = NULL;
    size_t length;
    enum hitop_status status = hitop_input_read(path, &text, &length, diag);

    if (status != HITOP_OK) {
        return status;
    }
    for (char *hash = text; (hash = strchr(hash, '#')) != NULL;) {
        memset(hash, ' ', strcspn(hash, "\n"));
    }
    r->sizes_text = to = calloc(1, length + 2);
    for (char *word = to ? strtok_r(text, " \t\r\n,", &save) : NULL; word;
         word = strtok_r(NULL, " \t\r\n,", &save)) {
        to = stpcpy(to == r->sizes_text ? to : stpcpy(to, ","), word);
    }
    free(text);
    if (!r->sizes_text) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", path);
    }
    status = sizes_set_list(&r->sizes, r->sizes_text, &reason);
    return status == HITOP_OK ? HITOP_OK
                              : hitop_fail(diag, HITOP_ERR_FORMAT, "%s: %s", path, reason.message);
}

/* Operations that are asked for must have the algorithm that is named. */
static enum hitop_status check_algorithms(const struct benchmark_request *r, const char **option,
                                          struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    *option = r->nways > 1 ? "--compare" : "--implementation";
    for (int w = 0; w < r->nways; w++) {
        for (int k = 0; r->ways[w].algorithm && k < r->nkinds && status == HITOP_OK; k++) {
            status = benchmark_way_check(&r->ways[w], r->kinds[k], diag);
        }
    }
    return status;
}

/* What options say together. */
static int check_whole(const struct tool *tool, struct late *late)
{
    struct benchmark_request *r = late->request;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    size_t *bytes = NULL, n;
    enum hitop_status status;
    const char *option;

    if (late->sizes_file && read_sizes(r, late->sizes_file, &diag) != HITOP_OK) {
        tool_error(tool, "%s", diag.message);
        return TOOL_BAD_INPUT;
    }
    status = sizes_make(&r->sizes, &bytes, &n, &diag);
    free(bytes);
    if (status != HITOP_OK) {
        tool_error(tool, "%s", diag.message);
        return TOOL_USAGE;
    }
    if (late->slow_down && set_slow_down(r, late->slow_down, &diag) != HITOP_OK) {
        return tool_bad_option(tool, "--slow-down", &diag);
    }
    if (check_algorithms(r, &option, &diag) != HITOP_OK) {
        return tool_bad_option(tool, option, &diag);
    }
    if (r->rule.min_samples > r->rule.max_samples) {
        tool_error(tool, "--min-reps %d is more than --max-reps %d", r->rule.min_samples,
                   r->rule.max_samples);
        return TOOL_USAGE;
    }
    if (r->trace && (r->arrives || late->interval_given)) {
        tool_error(tool, "--trace goes without --arrival and --interval");
        return TOOL_USAGE;
    }
    if (r->trace) {
        r->arrives = 1;
        r->pattern = PATTERN_REPLAY;
    }
    return TOOL_DONE;
}

/* The command line in one string, without the folder of the program. */
static char *join(const struct tool *tool, int argc, char **argv)
{
    size_t length = strlen(tool->name) + 1;
    char *text, *end;

    for (int i = 1; i < argc; i++) {
        length += strlen(argv[i]) + 1;
    }
    text = malloc(length);
    end = text ? stpcpy(text, tool->name) : NULL;
    for (int i = 1; i < argc && text; i++) {
        *end++ = ' ';
        end = stpcpy(end, argv[i]);
    }
    return text;
}

int benchmark_options_parse(const struct tool *tool, int argc, char **argv,
                            struct benchmark_request *r)
{
    struct late late = {.request = r};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int status;

    *r = (struct benchmark_request){.least_ranks = 2,
                                    .sizes = {.min = 0, .max = (size_t)4 << 20},
                                    .nways = 1,
                                    .ways[0].name = "mpi",
                                    .margin = 0.02,
                                    .rule = {.eps = 0.02,
                                             .confidence = 0.95,
                                             .min_samples = 20,
                                             .max_samples = 2000,
                                             .batch = 1},
                                    .budget = 1,
                                    .memory = (size_t)1 << 30,
                                    .interval = 100e-6,
                                    .seed = 1,
                                    .format = &benchmark_formats[0],
                                    .output = "-"};
    r->command = join(tool, argc, argv);
    if (!r->command) {
        tool_error(tool, "out of memory");
        return TOOL_FAILED;
    }
    status = tool_take_options(tool, argc, argv, take, &late);
    for (; status == TOOL_DONE && optind < argc; optind++) {
        if (take_kinds(r, argv[optind], &diag) != HITOP_OK) {
            tool_error(tool, "%s", diag.message);
            status = TOOL_USAGE;
        }
    }
    for (const struct benchmark_kind *k = benchmark_kinds; r->nkinds == 0 && k->name;) {
        for (; k->name; k++) {
            r->kinds[r->nkinds++] = k;
        }
    }
    return status == TOOL_DONE ? check_whole(tool, &late) : status;
}

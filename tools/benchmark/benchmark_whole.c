/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_whole.c - checks of options that depend on each other, and their defaults. */
#include <config.h>

#include "tools/benchmark/benchmark.h"

#include "hitop/choice.h"
#include "hitop/operation.h"
#include "hitop/text.h"

#include <stdlib.h>
#include <string.h>

/*
 * HITOP_ERR_NOTFOUND: the algorithm of an implementation does not serve the operation, or has no
 * such parameter; the message lists what is valid.
 */
static enum hitop_status check_implementation(const struct benchmark_implementation *implementation,
                                              const struct benchmark_kind *kind,
                                              struct hitop_diag *diag)
{
    const char *algorithm = implementation->algorithm;
    const struct hitop_operation *operation;
    struct hitop_choice choice;
    enum hitop_status status;

    if (!kind->operation || strcmp(algorithm, "auto") == 0 || strcmp(algorithm, "twolevel") == 0) {
        return HITOP_OK;
    }
    status = hitop_operation_find(kind->operation, &operation, diag);
    return status == HITOP_OK ? hitop_choice_parse(operation, algorithm, &choice, diag) : status;
}

/* "B=10%" */
static enum hitop_status set_slow_down(struct benchmark_request *r, const char *text,
                                       struct hitop_diag *diag)
{
    const size_t length = strlen(text);
    char number[16] = "";
    double percent;
    enum hitop_status status;

    if (length < 4 || length > 12 || text[0] < 'A' || text[0] >= 'A' + BENCHMARK_IMPLEMENTATIONS ||
        text[1] != '=' || text[length - 1] != '%') {
        return hitop_fail(diag, HITOP_ERR_INVALID, "'%.40s' must be e.g. B=10%%", text);
    }
    if (r->nimplementations < 2) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "there is nothing to --compare");
    }
    if (text[0] - 'A' >= r->nimplementations) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "'%.40s': there are %d implementations", text,
                          r->nimplementations);
    }
    memcpy(number, text + 2, length - 3);
    status = hitop_text_double(number, 0, 1000, &percent, diag);
    if (status == HITOP_OK) {
        r->implementations[text[0] - 'A'].slow_down = percent / 100;
    }
    return status;
}

/* Check that each requested operation has the named algorithm. */
static enum hitop_status check_algorithms(const struct benchmark_request *r, const char **option,
                                          struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    *option = r->algorithm              ? "--operations"
              : r->nimplementations > 1 ? "--compare"
                                        : "--implementation";
    for (int w = 0; w < r->nimplementations; w++) {
        for (int k = 0; r->implementations[w].algorithm && k < r->nkinds && status == HITOP_OK;
             k++) {
            status = check_implementation(&r->implementations[w], r->kinds[k], diag);
        }
    }
    return status;
}

/* Default numbers of repetitions; if one of them is given, the other one is adapted. */
static void choose_repetitions(struct hitop_stop_rule *rule)
{
    const int fewest = 20, most = 2000;

    if (rule->max_samples == 0) {
        rule->max_samples = rule->min_samples > most ? rule->min_samples : most;
    }
    if (rule->min_samples == 0) {
        rule->min_samples = rule->max_samples < fewest ? rule->max_samples : fewest;
    }
}

/* TOOL_DONE, or TOOL_USAGE after a message if options contradict a table of repetitions. */
static int check_repetitions(const struct tool *tool, const struct benchmark_request *r)
{
    const char *other = r->rule.min_samples > 0   ? "--min-reps"
                        : r->rule.max_samples > 0 ? "--max-reps"
                        : r->nimplementations > 1 ? "--compare"
                                                  : NULL;

    if (r->repetitions == REPETITIONS_ADAPTIVE || !other) {
        return TOOL_DONE;
    }
    tool_error(tool, "--repetitions imb goes without %s", other);
    return TOOL_USAGE;
}

/* A comparison takes blocks in turn; otherwise an interval needs a number of passes. */
static void choose_passes(struct benchmark_request *r)
{
    const int fewest = hitop_stop_fewest_passes(r->rule.confidence);

    if (r->nimplementations > 1) {
        r->passes = 1;
    }
    if (r->passes > 1 && r->passes < fewest) {
        r->passes = fewest;
    }
}

/* 1, after a report, if two options contradict each other. */
static int contradicts(const struct tool *tool, const struct benchmark_request *r)
{
    if (r->implementation_given && r->nimplementations > 1) {
        tool_error(tool, "--implementation goes without --compare");
        return 1;
    }
    if (r->algorithm && (r->implementation_given || r->nimplementations > 1)) {
        tool_error(tool,
                   "the operations name the algorithm %s; leave out --implementation and "
                   "--compare",
                   r->algorithm);
        return 1;
    }
    if (strncmp(r->output, "model=", 6) == 0) {
        tool_error(tool,
                   "--output: '%s': CPM's suboptions model and file are HITOP_MODEL=FILE "
                   "here, and sgv is HITOP_ALGORITHM=counts=MODE",
                   r->output);
        return 1;
    }
    if (r->trace && (r->arrives || r->interval_given)) {
        tool_error(tool, "--trace goes without --arrival and --interval");
        return 1;
    }
    if ((r->trace || r->arrives) && !r->method->allows_delays) {
        char valid[128] = "";
        for (int i = 0; hitop_timings[i]; i++) {
            if (hitop_timings[i]->allows_delays) {
                hitop_text_list_name(valid, sizeof(valid), hitop_timings[i]->name);
            }
        }
        tool_error(tool, "--timing %s goes without --arrival and --trace, which allow: %s",
                   r->method->name, valid);
        return 1;
    }
    if (r->report && strcmp(r->output, r->report) == 0) {
        tool_error(tool, "--output and --report: both are %s", r->output);
        return 1;
    }
    return 0;
}

int benchmark_check_whole(const struct tool *tool, struct benchmark_request *r)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    size_t *bytes = NULL, n;
    enum hitop_status status;
    const char *option;

    if (r->sizes_file) {
        r->sizes.list = "0"; /* until the file is read */
    }
    if (contradicts(tool, r)) {
        return TOOL_USAGE;
    }
    if (benchmark_check_library(tool, r) != TOOL_DONE) {
        return TOOL_USAGE;
    }
    r->check |= benchmark_uses_library(r);
    status = sizes_make(&r->sizes, &bytes, &n, &diag);
    free(bytes);
    if (status != HITOP_OK) {
        tool_error(tool, "%s", diag.message);
        return TOOL_USAGE;
    }
    if (r->slow_down && set_slow_down(r, r->slow_down, &diag) != HITOP_OK) {
        return tool_bad_option(tool, "--slow-down", &diag);
    }
    if (r->cpm_model && !getenv("HITOP_MODEL")) {
        tool_error(tool, "without HITOP_MODEL=FILE, a model %s, trees go by the names of hosts",
                   r->cpm_model);
    }
    if (check_algorithms(r, &option, &diag) != HITOP_OK) {
        return tool_bad_option(tool, option, &diag);
    }
    if (check_repetitions(tool, r) != TOOL_DONE) {
        return TOOL_USAGE;
    }
    if (!(r->budget > 0)) {
        r->budget = r->repetitions == REPETITIONS_ADAPTIVE ? 1 : 60;
    }
    choose_repetitions(&r->rule);
    if (r->rule.min_samples > r->rule.max_samples) {
        tool_error(tool, "--min-reps %d is more than --max-reps %d", r->rule.min_samples,
                   r->rule.max_samples);
        return TOOL_USAGE;
    }
    choose_passes(r);
    if (r->trace) {
        r->arrives = 1;
        r->pattern = PATTERN_REPLAY;
    }
    if (!r->arrives || r->trace) {
        r->interval = 0;
    }
    return TOOL_DONE;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* report.c - write the verdict: whether the model holds, and a remedy if it does not. */
#include <config.h>

#include "models/validate/report.h"

#include "hitop/sys/model.h"
#include "hitop/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *hitop_validate_part_name(enum validate_part part)
{
    static const char *const name[VALIDATE_NPARTS] = {"pairs", "pattern", "collective"};

    return name[part];
}

const char *hitop_validate_state(const struct validate_row *row)
{
    return row->nsamples == 0 ? "not measured"
           : row->is_noisy    ? "too noisy"
           : row->holds       ? "holds"
                              : "does not hold";
}

/* The error of a row divided by its limit. */
static double excess(const struct validate_row *row)
{
    const double worst = expm1(fabs(log1p(row->worst_error))) / VALIDATE_WORST;

    return fmax(row->errors.median, worst) / row->limit;
}

/*
 * Whether a row is worse than another one: a row that does not hold is worse than one that does. Of
 * rows that do not hold, pairs come before patterns and collectives, which depend on them. Else the
 * larger excess decides.
 */
static int is_worse(const struct validate_row *row, const struct validate_row *than)
{
    if (row->holds != than->holds) {
        return !row->holds;
    }
    if (!row->holds && row->first->part != than->first->part) {
        return row->first->part < than->first->part;
    }
    return excess(row) > excess(than);
}

static void find_worst(struct validate_report *report)
{
    const struct validate_rows *rows = &report->groups;

    for (int i = 0; i < rows->n; i++) {
        const struct validate_row *row = &rows->row[i];
        report->nfailed += !row->holds;
        report->nnoisy += row->is_noisy;
        report->nmeasured += row->nsamples;
        if (row->nsamples > 0 && !row->is_noisy &&
            (!report->worst || is_worse(row, report->worst))) {
            report->worst = row;
        }
    }
}

/* The number of groups, patterns and collectives without a measured sample. */
static int count_unmeasured(const struct validate_report *r)
{
    int n = 0;

    for (int i = 0; i < r->groups.n; i++) {
        n += r->groups.row[i].nsamples == 0;
    }
    return n;
}

/* A level holds if all of its groups do. */
static void judge_levels(struct validate_report *r)
{
    for (int i = 0; i < r->levels.n; i++) {
        struct validate_row *level = &r->levels.row[i];
        level->holds = 1;
        for (int k = 0; k < r->groups.n; k++) {
            const struct validate_row *group = &r->groups.row[k];
            if (group->first->part == level->first->part &&
                strcmp(group->first->level, level->first->level) == 0) {
                level->holds = level->holds && group->holds;
            }
        }
    }
}

/* "level host 'a'", "the pattern shift", "the collective bcast/binomial" */
static void describe(const struct validate_row *row, char *out, size_t length)
{
    const struct validate_sample *s = row->first;

    if (s->part == VALIDATE_PAIRS) {
        (void)snprintf(out, length, "level %s%s%.80s%s", s->level[0] ? s->level : "(unnamed)",
                       s->name[0] ? " '" : "", s->name, s->name[0] ? "'" : "");
    } else {
        (void)snprintf(out, length, "%s %s",
                       s->part == VALIDATE_PATTERNS ? "the pattern" : "the collective", s->level);
    }
}

/* "between rank 0 on a and rank 5 on b"; "at 4 KiB" */
static void describe_place(const struct validate_report *r, const struct validate_row *row,
                           char *out, size_t length)
{
    const struct validate_sample *w = row->worst;
    char size[32];

    if (row->first->part == VALIDATE_PAIRS) {
        (void)snprintf(out, length, "between rank %d on %.60s and rank %d on %.60s", w->rank[0],
                       hitop_hierarchy_host(r->h, w->rank[0]), w->rank[1],
                       hitop_hierarchy_host(r->h, w->rank[1]));
    } else {
        hitop_text_format_size(w->bytes, size, sizeof(size));
        (void)snprintf(out, length, "at %s%s", size,
                       w->bytes % 1024 != 0 || w->bytes == 0 ? " B" : "");
    }
}

/*
 * "a median error of 15 % where 10 % is allowed, worst at 4 KiB, predicted 31 % longer than
 * measured (20 % is allowed)"
 */
static void describe_errors(const struct validate_report *r, const struct validate_row *row,
                            char *out, size_t length)
{
    const int is_short = row->worst_error < 0;
    const int only_worst = !row->holds && row->errors.median <= row->limit;
    char place[192], allowed[48];

    describe_place(r, row, place, sizeof(place));
    (void)snprintf(allowed, sizeof(allowed), " where %.3g %% is allowed", 100 * row->limit);
    (void)snprintf(out, length,
                   "a median error of %.3g %%%s, %s %s%s%s %.3g %% longer than %s (%.3g %% is "
                   "allowed)",
                   100 * row->errors.median, only_worst ? ", which is allowed" : allowed,
                   only_worst ? "but" : "worst", place, only_worst ? " it is " : ", ",
                   is_short ? "measured" : "predicted", 100 * expm1(fabs(log1p(row->worst_error))),
                   is_short ? "predicted" : "measured", 100 * VALIDATE_WORST * row->limit);
}

/*
 * Why single messages do not show whether links or the formula cause an error; NULL: they do show
 * it.
 */
static const char *blame(const struct validate_report *r)
{
    int npairs = 0, nsilent = 0, nnoisy = 0;

    for (int i = 0; i < r->groups.n; i++) {
        const struct validate_row *row = &r->groups.row[i];
        if (row->first->part == VALIDATE_PAIRS) {
            npairs++;
            nsilent += row->nsamples == 0;
            nnoisy += row->is_noisy;
        }
    }
    return npairs == 0 ? "--pairs 8 shows whether links or formula are to blame"
           : nsilent == npairs
               ? "single messages were not measured, so it is not known whether links or "
                 "formula are to blame; raise --budget"
           : nsilent + nnoisy == npairs
               ? "single messages are too noisy to show whether links or formula are to blame"
               : NULL;
}

/* The mean of ln(predicted / measured) of a group's pairs at a size; NaN: nothing was measured. */
static double error_at(const struct validate_report *r, int group, size_t bytes)
{
    double sum = 0;
    int n = 0;

    for (int i = 0; i < r->nsamples; i++) {
        const struct validate_sample *s = &r->samples[i];
        if (s->part == VALIDATE_PAIRS && s->group == group && s->bytes == bytes && s->seconds > 0 &&
            s->predicted > 0) {
            sum += log(s->predicted / s->seconds);
            n++;
        }
    }
    return n > 0 ? sum / n : NAN;
}

/*
 * Whether the errors of a group at different sizes differ by more than twice its limit. Then the
 * formula has the wrong form; links that have only become slower have about the same error at all
 * sizes.
 */
static int errors_change_with_size(const struct validate_report *r, const struct validate_row *row)
{
    double least = INFINITY, most = -INFINITY;

    for (int i = 0; i < r->nsamples; i++) {
        const double error = error_at(r, row->first->group, r->samples[i].bytes);
        least = isnan(error) ? least : fmin(least, error);
        most = isnan(error) ? most : fmax(most, error);
    }
    return most - least > 2 * log1p(row->limit);
}

static int has_capacities(const struct validate_report *r)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(r->model);

    for (int node = hitop_hierarchy_nranks(h); node < hitop_hierarchy_nnodes(h); node++) {
        if (hitop_hierarchy_capacity(h, node) > 0) {
            return 1;
        }
    }
    return 0;
}

/* Write what to do about a row of pairs that does not hold. */
static void advise_on_pairs(const struct validate_report *r, const struct validate_row *row,
                            char *out, size_t length)
{
    const char *type = hitop_model_type_of(r->model)->name;
    const char *input = strcmp(r->request->input, "-") == 0 ? "MODEL" : r->request->input;

    if (row->errors.median <= row->limit) {
        (void)snprintf(out, length,
                       "remedy: that pair is unlike its group: look at its link, or measure the "
                       "pairs of such groups: hierarchical_model -C %s --verify %d --refine",
                       type, row->npairs > 10 ? row->npairs : 10);
    } else if (errors_change_with_size(r, row)) {
        (void)snprintf(out, length,
                       "remedy: another formula, since the errors of %s change with the size: "
                       "hierarchical_model -C %s",
                       type, strcmp(type, "hockney") == 0 ? "piecewise" : "all");
    } else {
        (void)snprintf(out, length,
                       "remedy: measure anew what has changed: hierarchical_model -C %s -i "
                       "HIERARCHY --update %.200s --tolerance %.2g -o NEW; if nothing has, take "
                       "another formula: -C all",
                       type, input, r->request->tolerance[VALIDATE_PAIRS]);
    }
}

/* Write what to do about a row that does not hold. */
static void advise(const struct validate_report *r, const struct validate_row *row, char *out,
                   size_t length)
{
    const char *type = hitop_model_type_of(r->model)->name;
    const char *input = strcmp(r->request->input, "-") == 0 ? "MODEL" : r->request->input;

    if (row->first->part == VALIDATE_PAIRS) {
        advise_on_pairs(r, row, out, length);
    } else if (r->busiest[0] > r->busiest[1]) {
        (void)snprintf(out, length,
                       "remedy: run no more ranks than processors: %d ranks take turns on %d "
                       "processors of a machine, which no model of links describes",
                       r->busiest[0], r->busiest[1]);
    } else if (blame(r)) {
        (void)snprintf(out, length, "remedy: %s", blame(r));
    } else if (!has_capacities(r)) {
        (void)snprintf(
            out, length,
            "single messages are as the model says, but it knows no capacities of shared "
            "links; remedy: hierarchical_model -C %s -i HIERARCHY --update %.200s "
            "--capacities -o NEW",
            type, input);
    } else {
        (void)snprintf(out, length,
                       "single messages are as the model says, so it is what they do to each other "
                       "that %s does not know; remedy: hierarchical_model -C all finds out whether "
                       "another formula does",
                       type);
    }
}

static void conclude(struct validate_report *r)
{
    char what[160], errors[400], advice[512] = "", others[64] = "";

    if (!r->worst && r->nnoisy > 0) {
        (void)snprintf(
            r->verdict, sizeof(r->verdict),
            "nothing is known of the model: the same times measured twice are more than %.0f %% "
            "apart; remedy: %s",
            100 * VALIDATE_MOST_NOISE,
            r->busiest[0] > r->busiest[1] ? "run no more ranks than processors"
                                          : "a quieter machine, or more --budget");
        return;
    }
    if (!r->worst) {
        (void)snprintf(r->verdict, sizeof(r->verdict), "nothing was measured: %s%s",
                       r->signal        ? r->signal
                       : r->ended_early ? "the time limit"
                                        : "--pairs 0, --patterns none and --operations none",
                       r->signal        ? " ended it"
                       : r->ended_early ? " ended it; remedy: raise --time-limit"
                                        : "");
        return;
    }
    describe(r->worst, what, sizeof(what));
    describe_errors(r, r->worst, errors, sizeof(errors));
    if (r->nfailed == 0) {
        if (count_unmeasured(r) > 0) {
            (void)snprintf(others, sizeof(others), "; %d were not measured, remedy: --budget %.0fs",
                           count_unmeasured(r), ceil(fmax(r->enough, r->request->budget)));
        } else if (r->nnoisy > 0) {
            (void)snprintf(others, sizeof(others),
                           "; %d are too noisy for a verdict, remedy: more --budget", r->nnoisy);
        }
        (void)snprintf(r->verdict, sizeof(r->verdict),
                       "the model holds; nearest to its limit is %s with %s%s%s%s%s", what, errors,
                       others, r->ended_early ? "; " : "",
                       r->signal        ? r->signal
                       : r->ended_early ? "the time limit"
                                        : "",
                       r->ended_early ? " ended the run" : "");
        return;
    }
    if (r->nfailed > 1) {
        (void)snprintf(others, sizeof(others), " (and %d more do not hold)", r->nfailed - 1);
    }
    advise(r, r->worst, advice, sizeof(advice));
    (void)snprintf(r->verdict, sizeof(r->verdict), "the model does not hold: %s has %s%s; %s", what,
                   errors, others, advice);
}

enum hitop_status hitop_validate_report_make(struct validate_report *r, struct hitop_diag *diag)
{
    const double *tolerance = r->request->tolerance;
    enum hitop_status status = hitop_validate_judge(r->samples, r->nsamples, VALIDATE_BY_GROUP,
                                                    tolerance, &r->groups, diag);

    if (status == HITOP_OK) {
        status = hitop_validate_judge(r->samples, r->nsamples, VALIDATE_BY_LEVEL, tolerance,
                                      &r->levels, diag);
    }
    if (status == HITOP_OK) {
        status = hitop_validate_judge(r->samples, r->nsamples, VALIDATE_BY_SIZE, tolerance,
                                      &r->sizes, diag);
    }
    if (status == HITOP_OK) {
        judge_levels(r);
        find_worst(r);
        conclude(r);
    }
    return status;
}

int hitop_validate_holds(const struct validate_report *r)
{
    return r->nfailed == 0 && r->worst != NULL;
}

void hitop_validate_report_clear(struct validate_report *r)
{
    hitop_validate_rows_clear(&r->groups);
    hitop_validate_rows_clear(&r->levels);
    hitop_validate_rows_clear(&r->sizes);
}

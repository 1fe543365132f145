/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_choose.c - which of some models, or of all, the measurements support. */
#include <config.h>

#include "tools/measure/measure.h"

#include "models/fit/validation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void print_errors(const struct hitop_errors *e)
{
    if (e->n > 0) {
        printf(" %8.2g %8.2g", 100 * e->median, 100 * e->q90);
    } else {
        printf(" %8s %8s", "-", "-");
    }
}

static void print_trials(const struct hitop_trial *trials, int n, int chosen, double floor)
{
    printf(
        "what models make of sizes, pairs and patterns that their fit has not seen, in %%; noise "
        "explains %.2g:\n%-12s %7s %8s %8s %8s %8s %8s %8s %8s\n",
        100 * floor, "model", "numbers", "size_med", "size_q90", "pair_med", "pair_q90", "patt_med",
        "patt_q90", "bias");
    for (int i = 0; i < n; i++) {
        const struct hitop_trial *t = &trials[i];
        if (t->status != HITOP_OK) {
            printf("%-12s %s\n", t->type->name, t->diag.message);
            continue;
        }
        printf("%-12s %7zu", t->type->name, t->nnumbers);
        print_errors(&t->sizes);
        print_errors(&t->pairs);
        print_errors(&t->patterns);
        printf(" %+8.2g%s\n", 100 * t->all.bias,
               i == chosen ? "  <- the simplest of the best" : "");
    }
    printf("\n");
}

static int count_types(void)
{
    int n = 0;

    while (hitop_model_types()[n]) {
        n++;
    }
    return n;
}

/* Try all types that can be fitted; returns how many were tried. */
static enum hitop_status try_all(const struct hitop_findings *f, struct hitop_trial *trials, int *n,
                                 struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    *n = 0;
    for (int i = 0; status == HITOP_OK && hitop_model_types()[i]; i++) {
        if (hitop_model_types()[i]->fit) {
            status = hitop_try_type(hitop_model_types()[i], f, &trials[(*n)++], diag);
        }
    }
    return status;
}

/* The two formulas of -C auto, the simpler one first. */
static const char *const usual[] = {"hockney", "piecewise"};

/* Of the two the one that the measurements ask for. */
static enum hitop_status choose_usual(const struct hitop_findings *findings,
                                      struct measure_result *result, const char **type,
                                      struct hitop_diag *diag)
{
    const struct hitop_model_type *simpler, *richer;
    enum hitop_status status = hitop_model_type_find(usual[0], &simpler, diag);

    if (status == HITOP_OK) {
        status = hitop_model_type_find(usual[1], &richer, diag);
    }
    if (status == HITOP_OK) {
        status = hitop_prefer_type(simpler, richer, findings, &result->preference, diag);
    }
    *type = usual[result->preference.is_richer];
    return status;
}

void measure_choose_print(const struct measure_result *result)
{
    const struct hitop_preference *p = &result->preference;

    if (!result->run.request->is_auto || result->base) {
        return;
    }
    printf("formula %s, as measured: ", usual[p->is_richer]);
    if (p->n > 0) {
        printf("sizes left out of the fit are off by %.2g %% (%s), %.2g %% (%s); noise %.1g %%\n",
               100 * expm1(p->error[0]), usual[0], 100 * expm1(p->error[1]), usual[1],
               100 * p->spread);
    } else {
        printf("too few sizes for %s\n", usual[1]);
    }
}

int measure_choose(const struct tool *tool, const struct measure_request *request,
                   struct measure_result *result, const char **type)
{
    const struct hitop_measured triples = measure_part_view(&result->triples);
    const struct hitop_measured pairs = measure_part_view(&result->pairs);
    const struct hitop_findings findings = {.hierarchy = result->h,
                                            .links = measure_part_view(&result->links),
                                            .triples = triples.nlinks > 0 ? &triples : NULL,
                                            .pairs = pairs.nlinks > 0 ? &pairs : NULL};
    const double floor = hitop_noise_floor(&findings.links);
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_trial *trials;
    enum hitop_status status;
    int n = 0, chosen;

    *type = result->base ? hitop_model_type_of(result->base)->name : request->model;
    if (request->is_auto && !result->base) {
        status = choose_usual(&findings, result, type, &diag);
        return status == HITOP_OK ? TOOL_DONE : tool_fail(tool, HITOP_ERR_UNSUPPORTED, &diag);
    }
    if (!request->all_models) {
        return TOOL_DONE;
    }
    trials = calloc((size_t)count_types() + 1, sizeof(*trials));
    status = trials ? try_all(&findings, trials, &n, &diag)
                    : hitop_fail(&diag, HITOP_ERR_NOMEM, "comparison of models: out of memory");
    if (status != HITOP_OK) {
        free(trials);
        return tool_fail(tool, status, &diag);
    }
    chosen = hitop_choose_trial(trials, n, floor);
    if (chosen >= 0) {
        *type = trials[chosen].type->name;
    }
    if (!request->quiet && strcmp(request->output, "-") != 0) {
        print_trials(trials, n, chosen, floor);
    }
    free(trials);
    if (chosen < 0) {
        tool_error(tool, "no model could be fitted");
        return TOOL_FAILED;
    }
    return TOOL_DONE;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* cases.c - plan patterns and collectives, and predict them. */
#include <config.h>

#include "coll/validate/cases.h"
#include "coll/validate/pattern.h"

#include "hitop/choice.h"
#include "hitop/irregular.h"
#include "hitop/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The limit of the blocks of all ranks together. */
#define MOST_BYTES ((size_t)64 << 20)

/* The default collectives, each with an algorithm that is common in MPI libraries. */
static const char *const usual[] = {
    "bcast/binomial",    "reduce/binomial",       "scatter/binomial",
    "gather/binomial",   "allgather/ring",        "allreduce/recursive_doubling",
    "alltoall/pairwise", "barrier/dissemination", NULL};

/* Cases under construction. */
struct draft {
    struct validate_cases *out;
    const struct hitop_model *model; /* NULL: only check names */
    const size_t *sizes;
    int nsizes;
    int number;  /* of the pattern or operation */
    int skipped; /* 1 + number of the last collective noted in out->skipped */
    int capacity;
};

static struct validate_case *add(struct draft *d, enum validate_part part, const char *name,
                                 size_t bytes, struct hitop_diag *diag)
{
    struct validate_cases *all = d->out;
    struct validate_case *c;

    if (all->n == d->capacity) {
        const int capacity = 2 * d->capacity + 32;
        c = reallocarray(all->at, (size_t)capacity, sizeof(*c));
        if (!c) {
            (void)hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", name);
            return NULL;
        }
        all->at = c;
        d->capacity = capacity;
    }
    c = &all->at[all->n++];
    *c = (struct validate_case){.part = part, .number = d->number, .bytes = bytes};
    (void)snprintf(c->name, sizeof(c->name), "%s", name);
    return c;
}

/* Predict when the last rank completes its plan. */
static enum hitop_status predict(const struct hitop_model *model, struct validate_case *c,
                                 struct hitop_diag *diag)
{
    const struct hitop_cost cost = hitop_model_cost(model);
    struct hitop_irregular irregular;
    const struct hitop_choice_basis basis = {
        .cost = &cost, .irregular = hitop_irregular_of(model, &irregular) ? &irregular : NULL};
    double *finish = calloc((size_t)c->plan->size, sizeof(*finish));
    const enum hitop_status status =
        finish ? hitop_choice_trace(&basis, c->plan, finish, NULL, NULL, diag)
               : hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", c->name);

    for (int r = 0; status == HITOP_OK && r < c->plan->size; r++) {
        c->predicted = fmax(c->predicted, finish[r]);
    }
    free(finish);
    return status;
}

/* Size k of three out of all sizes: small, medium and large. */
static size_t size_at(const struct draft *d, int k)
{
    return d->sizes[(2 * k + 1) * d->nsizes / 6];
}

static enum hitop_status add_pattern(struct draft *d, const struct validate_pattern *pattern,
                                     struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    for (int k = 0; d->model && k < 3 && status == HITOP_OK; k++) {
        struct validate_case *c;
        if (k > 0 && size_at(d, k) == size_at(d, k - 1)) {
            continue;
        }
        c = add(d, VALIDATE_PATTERNS, pattern->name, size_at(d, k), diag);
        status = c ? hitop_validate_pattern_plan(pattern, hitop_model_hierarchy(d->model), c->bytes,
                                                 &c->plan, diag)
                   : HITOP_ERR_NOMEM;
        if (status == HITOP_OK) {
            status = predict(d->model, c, diag);
        }
    }
    d->number++;
    return status;
}

/* The bytes for size k: blocks of all ranks must fit into memory, and a barrier has no bytes. */
static size_t bytes_of(const struct draft *d, const struct hitop_operation *operation, int k)
{
    const size_t most = MOST_BYTES / (size_t)hitop_model_nranks(d->model);
    const size_t bytes = size_at(d, k);

    if (operation->brings == HITOP_NOTHING && operation->takes == HITOP_NOTHING) {
        return 0;
    }
    return bytes < most ? bytes : most;
}

/* Note once per collective that it cannot run on these ranks. */
static void skip(struct draft *d, const char *name, const struct hitop_diag *why)
{
    char *skipped = d->out->skipped;
    const size_t length = strlen(skipped), capacity = sizeof(d->out->skipped);

    if (d->skipped != d->number + 1) {
        d->skipped = d->number + 1;
        (void)snprintf(skipped + length, capacity - length, "%s%s: %.150s", length > 0 ? "; " : "",
                       name, why->message);
    }
}

static enum hitop_status plan_case(const struct draft *d, const struct hitop_operation *operation,
                                   struct hitop_algorithm algorithm, struct validate_case *c,
                                   struct hitop_diag *diag)
{
    const struct hitop_cost cost = hitop_model_cost(d->model);
    const struct hitop_call call = {
        .operation = operation, .size = hitop_model_nranks(d->model), .bytes = c->bytes, .unit = 1};
    struct hitop_choice choice = hitop_choice_default(algorithm);
    struct hitop_irregular irregular;
    struct hitop_plan_args args;
    enum hitop_status status;

    if (hitop_irregular_of(d->model, &irregular)) {
        (void)hitop_choice_pieces(&choice, &call, &irregular);
    }
    args = hitop_choice_plan_args(&choice, &call, &cost);
    status = hitop_plan_build(&args, &c->plan, diag);
    return status == HITOP_OK ? predict(d->model, c, diag) : status;
}

static enum hitop_status add_algorithm(struct draft *d, const struct hitop_operation *operation,
                                       struct hitop_algorithm algorithm, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    char name[64];

    (void)snprintf(name, sizeof(name), "%s/%s", operation->name, hitop_algorithm_name(algorithm));
    for (int k = 0; d->model && k < 3 && status == HITOP_OK; k++) {
        struct validate_case *c;
        if (k > 0 && bytes_of(d, operation, k) == bytes_of(d, operation, k - 1)) {
            continue;
        }
        c = add(d, VALIDATE_OPERATIONS, name, bytes_of(d, operation, k), diag);
        status = c ? plan_case(d, operation, algorithm, c, diag) : HITOP_ERR_NOMEM;
        if (status == HITOP_ERR_UNSUPPORTED) {
            skip(d, name, diag);
            d->out->n--;
            status = HITOP_OK;
        }
    }
    d->number++;
    return status;
}

/*
 * "bcast": the default algorithm, else the first one; "bcast/binomial": this one; "bcast/all":
 * all.
 */
static enum hitop_status add_operation(struct draft *d, char *word, struct hitop_diag *diag)
{
    const struct hitop_operation *operation;
    struct hitop_algorithm algorithm;
    const char *name;
    enum hitop_status status = hitop_operation_split(word, &operation, &name, diag);
    const int is_all = name && strcmp(name, "all") == 0;

    if (status != HITOP_OK) {
        return status;
    }
    if (name && !is_all) {
        status = hitop_algorithm_find(operation, name, &algorithm, diag);
        return status == HITOP_OK ? add_algorithm(d, operation, algorithm, diag) : status;
    }
    for (size_t i = 0; !is_all && usual[i]; i++) {
        const size_t length = strlen(operation->name);
        if (strncmp(usual[i], operation->name, length) == 0 && usual[i][length] == '/') {
            status = hitop_algorithm_find(operation, usual[i] + length + 1, &algorithm, diag);
            return status == HITOP_OK ? add_algorithm(d, operation, algorithm, diag) : status;
        }
    }
    for (size_t i = 0; i < (is_all ? hitop_algorithm_count(operation) : 1) && status == HITOP_OK;
         i++) {
        status = add_algorithm(d, operation, hitop_algorithm_at(operation, i), diag);
    }
    return status;
}

static enum hitop_status add_pattern_named(struct draft *d, char *word, struct hitop_diag *diag)
{
    char valid[256] = "";

    for (const struct validate_pattern *p = hitop_validate_patterns; p->name; p++) {
        if (strcmp(p->name, word) == 0) {
            return add_pattern(d, p, diag);
        }
        hitop_text_list_name(valid, sizeof(valid), p->name);
    }
    return hitop_fail(diag, HITOP_ERR_NOTFOUND, "there is no pattern '%s'; valid: all, none, %s",
                      word, valid);
}

/* Call take() for each name in a comma-separated list. */
static enum hitop_status for_each(struct draft *d, const char *list,
                                  enum hitop_status (*take)(struct draft *d, char *word,
                                                            struct hitop_diag *diag),
                                  struct hitop_diag *diag)
{
    char *copy = strdup(list), *save = NULL;
    enum hitop_status status =
        copy ? HITOP_OK : hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", list);

    for (char *word = copy ? strtok_r(copy, ",", &save) : NULL; word && status == HITOP_OK;
         word = strtok_r(NULL, ",", &save)) {
        status = take(d, word, diag);
    }
    free(copy);
    return status;
}

enum hitop_status hitop_validate_cases_make(const struct validate_request *request,
                                            const struct hitop_model *model, const size_t *sizes,
                                            int nsizes, struct validate_cases *out,
                                            struct hitop_diag *diag)
{
    struct draft d = {.out = out, .model = model, .sizes = sizes, .nsizes = nsizes};
    enum hitop_status status = HITOP_OK;

    *out = (struct validate_cases){0};
    if (strcmp(request->patterns, "all") == 0) {
        for (const struct validate_pattern *p = hitop_validate_patterns; p->name; p++) {
            status = status == HITOP_OK ? add_pattern(&d, p, diag) : status;
        }
    } else if (strcmp(request->patterns, "none") != 0) {
        status = for_each(&d, request->patterns, add_pattern_named, diag);
    }
    if (strcmp(request->operations, "usual") == 0) {
        for (size_t i = 0; usual[i] && status == HITOP_OK; i++) {
            status = for_each(&d, usual[i], add_operation, diag);
        }
    } else if (status == HITOP_OK && strcmp(request->operations, "none") != 0) {
        status = for_each(&d, request->operations, add_operation, diag);
    }
    return status;
}

void hitop_validate_cases_clear(struct validate_cases *cases)
{
    for (int i = 0; i < cases->n; i++) {
        hitop_plan_free(cases->at[i].plan);
    }
    free(cases->at);
    *cases = (struct validate_cases){0};
}

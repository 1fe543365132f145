/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * export_rules.c - find rules for an MPI library by prediction.
 *
 * At each of some sizes the library's choice is compared with the fastest of its algorithms. A rule
 * is kept where the choice takes longer by more than the uncertainty of the model, or by more than
 * the error that validate_model has measured for the operation; where our plan
 * of one of both is only near, or composed of levels, by 10 % more. The choice of the size before
 * stays if it is within 3 % of the fastest. Between two sizes the rule changes at the size from
 * which the second one is faster.
 */
#include <config.h>

#include "tools/export/export_rules.h"

#include "hitop/irregular.h"
#include "hitop/text.h"
#include "tools/export/export_margin.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { UNIT = 8, MAX_BYTES = 4 << 20, MAX_TOTAL = 64 << 20, MAX_ALGORITHMS = 256 };

static const double near_margin = 0.10, stay = 1.03;

/* What is compared, for one operation in one job. */
struct comparison {
    const struct export_rules_request *what;
    const struct export_rules *rules;
    const struct export_job *job;
    struct hitop_cost cost;
    struct hitop_irregular irregular;
    struct hitop_choice_basis basis;
    struct hitop_call call;
    size_t size[EXPORT_SIZES];
    int nsizes;
    struct hitop_mpi_choice chosen[EXPORT_SIZES]; /* algorithm NULL: the default */
    double by_default[EXPORT_SIZES];              /* seconds; NaN: unknown */
    double seconds[EXPORT_SIZES];                 /* of the choice */
    /*
     * At least how many times as long as the fastest each algorithm takes at the size before; 0:
     * unknown. Where twice the bytes take at most twice the time and not less, it halves at most.
     */
    double slower[MAX_ALGORITHMS];
};

/*
 * Predict an algorithm of the library; NaN if that is not possible, perhaps INFINITY if it takes
 * longer than the limit.
 */
static double price_within(const struct comparison *c, const struct hitop_mpi *mpi,
                           const struct hitop_mpi_choice *choice, size_t bytes, double limit)
{
    const struct hitop_mpi_basis basis = {mpi, &c->basis, c->job->host};
    struct hitop_call call = c->call;
    double seconds;

    call.bytes = bytes;
    return hitop_mpi_price_within(&basis, &call, choice, limit, &seconds, NULL) == HITOP_OK
               ? seconds
               : NAN;
}

static double price(const struct comparison *c, const struct hitop_mpi *mpi,
                    const struct hitop_mpi_choice *choice, size_t bytes)
{
    return price_within(c, mpi, choice, bytes, INFINITY);
}

/* What the library chooses, and its time; NaN if it cannot be predicted. */
static double price_default(const struct comparison *c, size_t bytes, double *margin)
{
    struct hitop_call call = c->call;
    struct hitop_mpi_choice choice;

    call.bytes = bytes;
    if (hitop_mpi_choose(c->rules->defaults, &call, &choice, NULL) != HITOP_OK) {
        return NAN;
    }
    if (hitop_mpi_plan(c->rules->defaults, &call, &choice).fidelity != HITOP_MPI_SAME) {
        *margin = near_margin;
    }
    return price(c, c->rules->defaults, &choice, bytes);
}

/* What the rules of `own` choose; algorithm NULL: nothing. */
static struct hitop_mpi_choice own_choice(const struct comparison *c, size_t bytes)
{
    struct hitop_call call = c->call;
    struct hitop_mpi_choice choice;

    call.bytes = bytes;
    return hitop_mpi_choose(c->rules->own, &call, &choice, NULL) == HITOP_OK
               ? choice
               : (struct hitop_mpi_choice){0};
}

static double price_rule(const struct comparison *c, const struct hitop_mpi_choice *choice,
                         size_t bytes)
{
    struct hitop_mpi_choice now = *choice;
    double unused = 0;

    if (choice->algorithm && c->what->by_choice) {
        now = own_choice(c, bytes);
    }
    return !choice->algorithm ? price_default(c, bytes, &unused)
           : now.algorithm    ? price(c, c->rules->own, &now, bytes)
                              : NAN;
}

/* How uncertain predictions are: as measured for the operation, else as the model is. */
static double uncertainty(const struct comparison *c, size_t bytes)
{
    const double error = validation_error(c->rules->validation, c->call.operation, bytes);

    return error < 0 ? export_margin(c->job->model, bytes) : fmax(error, EXPORT_LEAST_MARGIN);
}

static double margin_of(const struct comparison *c, const struct hitop_mpi_choice *choice,
                        size_t bytes)
{
    struct hitop_call call = c->call;

    call.bytes = bytes;
    return hitop_mpi_plan(c->rules->own, &call, choice).fidelity == HITOP_MPI_SAME ? 0
                                                                                   : near_margin;
}

/* Keep a choice if it can be used and is faster than the best. */
static void try(const struct comparison *c, const struct hitop_mpi_choice *choice, size_t bytes,
                struct hitop_mpi_choice *best, double *seconds)
{
    const double time =
        c->what->is_usable(choice) ? price_within(c, c->rules->own, choice, bytes, *seconds) : NAN;

    if (time < *seconds * (1 - 1e-9)) {
        *seconds = time;
        *best = *choice;
    }
}

static void try_algorithm(const struct comparison *c, const struct hitop_mpi_algorithm *algorithm,
                          size_t bytes, struct hitop_mpi_choice *best, double *seconds)
{
    static const int fanouts[] = {0, 2, 4, 8};
    struct hitop_call call = c->call;
    int nfanouts, has_segments;

    call.bytes = bytes;
    nfanouts = hitop_mpi_has_fanout(c->rules->own, &call, algorithm) ? 4 : 1;
    has_segments = hitop_mpi_has_segments(c->rules->own, &call, algorithm);
    for (int i = 0; i < nfanouts; i++) {
        struct hitop_mpi_choice choice = {.algorithm = algorithm, .fanout = fanouts[i]};
        try(c, &choice, bytes, best, seconds);
        for (size_t s = 4096; has_segments && s < bytes && s <= 262144; s *= 4) {
            choice.segment = s;
            try(c, &choice, bytes, best, seconds);
        }
    }
}

/* Try all algorithms but those that cannot be the fastest, as the size before has shown. */
static double try_all(struct comparison *c, size_t bytes, struct hitop_mpi_choice *best)
{
    const struct hitop_mpi_algorithm *algorithm;
    double time[MAX_ALGORITHMS], seconds = INFINITY;
    size_t n = 0;

    for (; n < MAX_ALGORITHMS && (algorithm = hitop_mpi_algorithm_at(c->rules->own, n)); n++) {
        struct hitop_mpi_choice choice = {0};
        time[n] = INFINITY;
        if (algorithm->operation != c->call.operation || algorithm->is_part ||
            c->slower[n] / 2 > 1) {
            continue;
        }
        try_algorithm(c, algorithm, bytes, &choice, &time[n]);
        if (time[n] < seconds * (1 - 1e-9)) {
            seconds = time[n];
            *best = choice;
        }
    }
    for (size_t i = 0; i < n; i++) {
        c->slower[i] = c->slower[i] / 2 > 1 ? c->slower[i] / 2
                       : time[i] < INFINITY ? time[i] / seconds
                                            : 0;
    }
    return seconds;
}

/* The fastest choice at a size; INFINITY if there is none. */
static double find_fastest(struct comparison *c, size_t bytes, struct hitop_mpi_choice *best)
{
    double seconds;

    *best = (struct hitop_mpi_choice){0};
    if (!c->what->by_choice) {
        return try_all(c, bytes, best);
    }
    *best = own_choice(c, bytes);
    if (!best->algorithm || (c->what->is_usable && !c->what->is_usable(best))) {
        return INFINITY;
    }
    seconds = price_rule(c, best, bytes);
    return seconds < INFINITY ? seconds : INFINITY; /* not if it is unknown */
}

/* Whether two choices need one rule only. */
static int is_same(const struct comparison *c, const struct hitop_mpi_choice *a,
                   const struct hitop_mpi_choice *b)
{
    if (c->what->by_choice || c->what->is_component) {
        return !a->algorithm == !b->algorithm;
    }
    return a->algorithm == b->algorithm && a->segment == b->segment && a->fanout == b->fanout;
}

/* Choose for one size. */
static void choose(struct comparison *c, int i)
{
    const size_t bytes = c->size[i];
    struct hitop_mpi_choice best;
    double margin = 0;
    double fastest;

    c->by_default[i] = price_default(c, bytes, &margin);
    c->chosen[i] = (struct hitop_mpi_choice){0};
    c->seconds[i] = c->by_default[i];
    fastest = find_fastest(c, bytes, &best);
    if (!(fastest < INFINITY)) {
        return;
    }
    if (i > 0 && c->chosen[i - 1].algorithm && !is_same(c, &c->chosen[i - 1], &best)) {
        const double before = price_rule(c, &c->chosen[i - 1], bytes);
        if (before < stay * fastest) {
            best = c->chosen[i - 1];
            fastest = before;
        }
    }
    margin = fmax(margin, margin_of(c, &best, bytes)) + uncertainty(c, bytes);
    if (c->what->no_default || c->by_default[i] > fastest * (1 + margin)) {
        c->chosen[i] = best;
        c->seconds[i] = fastest;
    }
}

/*
 * The mean logarithm of the gain of one choice at all sizes; -INFINITY where it is slower than the
 * default at one of them by more than the margin, or is not faster on average by more than that.
 */
static double mean_gain(const struct comparison *c, const struct hitop_mpi_choice *choice)
{
    double sum = 0, most = 0;

    for (int i = 0; i < c->nsizes; i++) {
        double margin = 0;
        const double seconds = price_rule(c, choice, c->size[i]);
        const double ratio = price_default(c, c->size[i], &margin) / seconds;
        margin = fmax(margin, margin_of(c, choice, c->size[i])) + uncertainty(c, c->size[i]);
        if (!(ratio > 1 / (1 + margin))) {
            return -INFINITY;
        }
        sum += log(ratio);
        most = fmax(most, margin);
    }
    return sum / c->nsizes > log(1 + most) ? sum / c->nsizes : -INFINITY;
}

/* Choose one algorithm for all sizes: of those chosen for a size that with the largest mean gain.
 */
static void choose_single(struct comparison *c)
{
    struct hitop_mpi_choice best = {0};
    double most = 0;

    for (int k = 0; k < c->nsizes; k++) {
        const int is_new = k == 0 || !is_same(c, &c->chosen[k], &c->chosen[k - 1]);
        const double gain = c->chosen[k].algorithm && is_new ? mean_gain(c, &c->chosen[k]) : 0;
        if (gain > most) {
            most = gain;
            best = c->chosen[k];
        }
    }
    for (int i = 0; i < c->nsizes; i++) {
        c->chosen[i] = best;
        c->seconds[i] = price_rule(c, &best, c->size[i]);
    }
}

/* The smallest size above `low`, up to `high`, from which `after` is not slower than `before`. */
static size_t find_change(const struct comparison *c, size_t low, size_t high,
                          const struct hitop_mpi_choice *before,
                          const struct hitop_mpi_choice *after)
{
    while (high - low > UNIT && high - low > low / 16) {
        const size_t middle = low + (high - low) / 2 / UNIT * UNIT;
        if (price_rule(c, after, middle) <= price_rule(c, before, middle)) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return high;
}

static enum hitop_status add(struct export_rules *rules, const struct export_rule *rule,
                             struct hitop_diag *diag)
{
    if (rules->count == rules->room) {
        const size_t room = 2 * rules->room + 32;
        struct export_rule *more = realloc(rules->rule, room * sizeof(*more));
        if (!more) {
            return hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
        }
        rules->rule = more;
        rules->room = room;
    }
    rules->rule[rules->count++] = *rule;
    return HITOP_OK;
}

/* Add a rule for each run of sizes with the same choice. */
static enum hitop_status add_rules(const struct comparison *c, struct export_rules *rules,
                                   struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    size_t from = 0;

    for (int i = 0, end; i < c->nsizes && status == HITOP_OK; i = end) {
        struct export_rule rule = {.operation = c->call.operation,
                                   .job = c->job,
                                   .from = from,
                                   .to = SIZE_MAX,
                                   .choice = c->chosen[i]};
        double sum = 0;
        for (end = i; end < c->nsizes && is_same(c, &c->chosen[i], &c->chosen[end]); end++) {
            const double gain = c->by_default[end] / c->seconds[end];
            sum += log(gain);
            rule.size[rule.nsizes] = c->size[end];
            rule.gain_at[rule.nsizes++] = gain;
            if (gain > rule.best) {
                rule.best = gain;
                rule.best_at = c->size[end];
            }
        }
        rule.gain = exp(sum / (end - i));
        if (end < c->nsizes) {
            from = find_change(c, c->size[end - 1], c->size[end], &c->chosen[i], &c->chosen[end]);
            rule.to = from - 1;
        }
        status = add(rules, &rule, diag);
    }
    return status;
}

/* Sizes are powers of two; a barrier has one. */
static void set_sizes(struct comparison *c)
{
    const struct hitop_operation *o = c->call.operation;
    const int has_blocks = o->brings >= HITOP_BLOCK || o->takes >= HITOP_BLOCK;
    const size_t blocks = has_blocks ? (size_t)c->call.size : 1;

    c->nsizes = 0;
    for (size_t bytes = UNIT; bytes <= MAX_BYTES && c->nsizes < EXPORT_SIZES; bytes *= 2) {
        if (c->nsizes == 0 || bytes * blocks <= MAX_TOTAL) {
            c->size[c->nsizes++] = bytes;
        }
    }
    if (o->brings == HITOP_NOTHING && o->takes == HITOP_NOTHING) {
        c->size[0] = 0;
        c->nsizes = 1;
    }
}

/* Compare one operation in one job. */
static enum hitop_status compare(const struct export_rules_request *what,
                                 const struct export_job *job, struct hitop_choice_memo *memo,
                                 const struct hitop_operation *operation,
                                 struct export_rules *rules, struct hitop_diag *diag)
{
    struct comparison c = {.what = what,
                           .rules = rules,
                           .job = job,
                           .cost = hitop_model_cost(job->model),
                           .call = {.operation = operation,
                                    .size = hitop_model_nranks(job->model),
                                    .unit = UNIT,
                                    .hosts = job->hosts,
                                    .ranks_per_host = job->ranks_per_host}};
    int any = 0;

    c.basis.cost = &c.cost;
    c.basis.memo = memo;
    c.basis.irregular = hitop_irregular_of(job->model, &c.irregular) ? &c.irregular : NULL;
    set_sizes(&c);
    for (int i = 0; i < c.nsizes; i++) {
        choose(&c, i);
    }
    if (what->single & 1u << (operation - hitop_operations())) {
        choose_single(&c);
    }
    for (int i = 0; i < c.nsizes; i++) {
        any |= c.chosen[i].algorithm != NULL;
    }
    return any ? add_rules(&c, rules, diag) : HITOP_OK;
}

static enum hitop_status load(const struct export_rules_request *what, const char *name,
                              struct hitop_mpi **out, struct hitop_diag *diag)
{
    return what->text ? hitop_mpi_parse(what->text, name, out, diag)
                      : hitop_mpi_load(name, out, diag);
}

enum hitop_status export_rules_make(const struct export_request *request,
                                    const struct export_rules_request *what,
                                    struct export_rules *out, struct hitop_diag *diag)
{
    struct hitop_choice_memo **memo =
        calloc((size_t)request->njobs + 1, sizeof(struct hitop_choice_memo *));
    enum hitop_status status;

    *out = (struct export_rules){.validation = request->validation};
    status = load(what, what->defaults, &out->defaults, diag);
    if (status == HITOP_OK) {
        status = load(what, what->own, &out->own, diag);
    }
    for (int j = 0; memo && j < request->njobs; j++) {
        memo[j] = hitop_choice_memo_new(); /* without one, equal plans are predicted again */
    }
    for (const struct hitop_operation *o = hitop_operations(); o->name && status == HITOP_OK; o++) {
        for (int j = 0; j < request->njobs && status == HITOP_OK; j++) {
            if (hitop_model_nranks(request->jobs[j].model) > 1) {
                status = compare(what, &request->jobs[j], memo ? memo[j] : NULL, o, out, diag);
            }
        }
    }
    for (int j = 0; memo && j < request->njobs; j++) {
        hitop_choice_memo_free(memo[j]);
    }
    free(memo);
    return status;
}

/* Whether two rules are of the same operation and job. */
static int is_beside(const struct export_rule *a, const struct export_rule *b)
{
    return a->operation == b->operation && a->job == b->job;
}

void export_rules_drop(struct export_rules *rules, const int *is_dropped)
{
    struct export_rule *rule = rules->rule;
    size_t count = 0;

    for (size_t i = 0, end; i < rules->count; i = end) {
        const size_t first = count;
        int any = 0;
        for (end = i; end < rules->count && is_beside(&rule[i], &rule[end]); end++) {
        }
        for (size_t k = i; k < end; k++) {
            struct export_rule next = rule[k];
            if (is_dropped[k]) {
                next.choice = (struct hitop_mpi_choice){0};
            }
            any |= next.choice.algorithm != NULL;
            if (count > first && !next.choice.algorithm && !rule[count - 1].choice.algorithm) {
                rule[count - 1].to = next.to;
            } else {
                rule[count++] = next;
            }
        }
        count = any ? count : first;
    }
    rules->count = count;
}

void export_put_measured(const struct export_request *request, const struct export_rule *rule,
                         FILE *to)
{
    const struct export_measured *m = &rule->measured;
    char size[32];

    if (m->launches > 0) {
        hitop_text_format_size(m->bytes, size, sizeof(size));
        fprintf(to, ", measured %.3g times as fast at %s, %d launches, %.3g to %.3g", m->gain, size,
                m->launches, m->low, m->high);
    } else if (request->is_verified) {
        fputs(", not measured", to);
    }
}

void export_rules_free(struct export_rules *rules)
{
    free(rules->rule);
    hitop_mpi_free(rules->defaults);
    hitop_mpi_free(rules->own);
}

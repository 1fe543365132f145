/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * predict_explain.c - reasons of a prediction: rules, crossovers, messages by level, the critical
 * path, guidelines.
 */
#include <config.h>

#include "tools/predict/predict.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Print the rules that match a call, and whether they decide. */
static void explain_rules(const struct predict_request *r, size_t bytes, FILE *out)
{
    const struct hitop_call call = predict_call(r, bytes);
    const struct hitop_rule *rule = NULL;
    int after = 0;

    if (!r->rules) {
        return;
    }
    while ((rule = hitop_rules_match(r->rules, &call, after))) {
        struct hitop_diag diag = HITOP_DIAG_INIT;
        fprintf(out, "  line %d matches: ", rule->line);
        if (rule->kind != HITOP_RULE_ALGORITHM) {
            fputs(rule->kind == HITOP_RULE_AUTO ? "auto\n" : "left to the MPI library\n", out);
            return;
        }
        fputs(hitop_algorithm_name(rule->choice.algorithm), out);
        if (hitop_choice_applies(&rule->choice, &call, &r->cost, &diag) == HITOP_OK) {
            fputs("\n", out);
            return;
        }
        fprintf(out, ", but %s\n", diag.message);
        after = rule->line;
    }
    fprintf(out, "  %s rule matches: auto\n", after ? "no other" : "no");
}

/* Above this number of ranks only the two fastest are explained. */
enum { MANY_RANKS = 4096 };

static void print_crossings(const struct predict_request *r, const struct hitop_plan *plan,
                            FILE *out)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(r->model);
    struct predict_levels levels = predict_levels(h);
    size_t messages[PREDICT_MAX_LEVELS] = {0};
    double bytes[PREDICT_MAX_LEVELS] = {0};

    for (int rank = 0; rank < r->ranks; rank++) {
        size_t count;
        const struct hitop_step *steps = hitop_sched_steps(plan->sched[rank], &count);
        for (size_t i = 0; i < count; i++) {
            if (steps[i].kind == HITOP_STEP_SEND) {
                const int group = hitop_hierarchy_lca(h, rank, steps[i].peer);
                const int level = predict_level_of(&levels, hitop_hierarchy_level(h, group));
                messages[level]++;
                bytes[level] += (double)steps[i].span.bytes;
            }
        }
    }
    for (int i = 0; i < levels.count; i++) {
        fprintf(out, "%s %s %zu (%.0f B)", i ? "," : "",
                levels.name[i][0] ? levels.name[i] : "(unnamed)", messages[i], bytes[i]);
    }
}

/* Print by how much the second algorithm is slower than the fastest. */
static void print_margin(const struct predict_entry *e, size_t count, FILE *out)
{
    if (count > 1 && e[0].fastest && !isnan(e[1].seconds)) {
        fprintf(out, "  %s is the fastest, %s the next: %.1f %% more\n", e[0].algorithm,
                e[1].algorithm, (e[1].relative - 1) * 100);
    }
}

/*
 * The critical path: what the last rank waited for.
 *
 * It is followed from the end of the plan back to its beginning. The cause of an activity is what
 * ended when it began: a message that arrived, a port that became free, a copy or a reduction.
 */

/* Longer paths are shown by their two ends. */
enum { SHOWN = 12 };

/* Activities, and the path back through them. */
struct path {
    const struct hitop_activity *activities;
    size_t count;
    size_t *first;     /* [ranks + 1]: where the list of a rank begins */
    size_t *of_rank;   /* activities in which the rank takes part */
    unsigned char *on; /* those on the path */
    size_t *steps;     /* [length]: the last one first */
    size_t length;
};

/* Lists of activities by rank. */
static int index_ranks(struct path *p, int ranks)
{
    p->first = calloc((size_t)ranks + 2, sizeof(*p->first));
    p->of_rank = calloc(2 * p->count + 1, sizeof(*p->of_rank));
    p->on = calloc(p->count + 1, sizeof(*p->on));
    p->steps = calloc(p->count + 1, sizeof(*p->steps));
    if (!p->first || !p->of_rank || !p->on || !p->steps) {
        return 0;
    }
    for (size_t i = 0; i < p->count; i++) {
        p->first[p->activities[i].from + 2]++;
        p->first[p->activities[i].to + 2]++;
    }
    for (int r = 0; r < ranks; r++) {
        p->first[r + 2] += p->first[r + 1];
    }
    for (size_t i = 0; i < p->count; i++) {
        p->of_rank[p->first[p->activities[i].from + 1]++] = i;
        p->of_rank[p->first[p->activities[i].to + 1]++] = i;
    }
    return 1;
}

static int is_at(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(a, b);
}

/*
 * Find an activity that is not on the path and ended for the rank at this time, a message to the
 * rank if there is one; p->count: none.
 */
static size_t find_end(const struct path *p, int rank, double time)
{
    size_t found = p->count;

    for (size_t k = p->first[rank]; k < p->first[rank + 1]; k++) {
        const struct hitop_activity *a = &p->activities[p->of_rank[k]];
        if (p->on[p->of_rank[k]]) {
            continue;
        }
        if (a->to == rank && is_at(a->end, time)) {
            return p->of_rank[k];
        }
        if (a->from == rank && is_at(a->sent, time)) {
            found = p->of_rank[k];
        }
    }
    return found;
}

/* Find what determined the begin or the arrival of an activity; p->count: nothing. */
static size_t find_cause(const struct path *p, const struct hitop_activity *a)
{
    size_t cause = p->count;

    if (a->reached < a->end && a->reached > a->begin) { /* the port of the receiver was busy */
        cause = find_end(p, a->to, a->reached);
    }
    if (cause == p->count && a->begin > 0) {
        cause = find_end(p, a->from, a->begin);
    }
    if (cause == p->count && a->begin > 0) {
        cause = find_end(p, a->to, a->begin);
    }
    return cause;
}

static void print_step(const struct predict_request *r, const struct hitop_activity *a, FILE *out)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(r->model);

    if (a->from == a->to) {
        fprintf(out, "    %5d %8s %-10s begins at %12.3f us, is done at %12.3f us\n", a->from, "",
                a->kind == HITOP_STEP_COPY ? "copies" : "combines", a->begin * 1e6, a->end * 1e6);
        return;
    }
    fprintf(out, "    %5d -> %-5d %-10s leaves at %12.3f us, is there at %12.3f us\n", a->from,
            a->to, hitop_hierarchy_level(h, hitop_hierarchy_lca(h, a->from, a->to)), a->begin * 1e6,
            a->end * 1e6);
}

static void print_path(const struct predict_request *r, const struct path *p, FILE *out)
{
    for (size_t i = 0; i < p->length; i++) {
        if (i == SHOWN && p->length > 2 * SHOWN) {
            fprintf(out, "    ... %zu more\n", p->length - 2 * SHOWN);
            i = p->length - SHOWN;
        }
        print_step(r, &p->activities[p->steps[p->length - 1 - i]], out);
    }
}

/* Find the path, from the end of the last rank. */
static void follow(struct path *p, const double *finish, int ranks)
{
    int last = 0;

    for (int rank = 1; rank < ranks; rank++) {
        last = finish[rank] > finish[last] ? rank : last;
    }
    for (size_t next = find_end(p, last, finish[last]); next < p->count;
         next = find_cause(p, &p->activities[next])) {
        p->steps[p->length++] = next;
        p->on[next] = 1;
    }
}

/* Print what the last rank waited for, back to the beginning. */
static enum hitop_status predict_explain_path(const struct predict_request *r,
                                              const struct hitop_plan *plan, FILE *out,
                                              struct hitop_diag *diag)
{
    struct predict_trace trace;
    struct path p = {NULL};
    enum hitop_status status = predict_trace_init(&trace, r, plan, diag);

    p.activities = trace.activities;
    p.count = (size_t)trace.count;
    if (status == HITOP_OK && !index_ranks(&p, r->ranks)) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "path: out of memory");
    }
    if (status == HITOP_OK) {
        follow(&p, trace.finish, r->ranks);
        print_path(r, &p, out);
    }
    free(p.steps);
    free(p.on);
    free(p.of_rank);
    free(p.first);
    predict_trace_fini(&trace);
    return status;
}

static enum hitop_status explain_entry(const struct predict_request *r,
                                       const struct predict_entry *e, int with_path, FILE *out,
                                       struct hitop_diag *diag)
{
    struct hitop_plan *plan = NULL;
    enum hitop_status status = predict_plan(r, e, &plan, diag);

    if (status == HITOP_OK) {
        fprintf(out, "  %-18s %14.3f us; messages by level:", e->algorithm, e->seconds * 1e6);
        print_crossings(r, plan, out);
        fprintf(out, "\n");
    }
    if (status == HITOP_OK && with_path) {
        status = predict_explain_path(r, plan, out, diag);
    }
    hitop_plan_free(plan);
    return status;
}

/* From which size on another algorithm is the fastest. */

static void print_from(size_t bytes, const struct hitop_choice *choice, FILE *out)
{
    fprintf(out, "  from %10zu B  %s\n", bytes, hitop_algorithm_name(choice->algorithm));
}

/*
 * Predict a time; infinite for an algorithm that does not support the call, such as a tree in the
 * wrong order of ranks.
 */
static enum hitop_status price(const struct predict_request *r, size_t bytes,
                               const struct hitop_choice *choice, double *seconds,
                               struct hitop_diag *diag)
{
    const struct hitop_call call = predict_call(r, bytes);
    const enum hitop_status status = hitop_choice_price(&r->basis, &call, choice, seconds, diag);

    if (status == HITOP_ERR_UNSUPPORTED) {
        *seconds = INFINITY;
        return HITOP_OK;
    }
    return status;
}

enum hitop_status predict_crossover(const struct predict_request *r, size_t low, size_t high,
                                    const struct hitop_choice *before,
                                    const struct hitop_choice *after, size_t *size,
                                    struct hitop_diag *diag)
{
    const size_t unit = r->call.unit > 0 ? r->call.unit : 1;

    while (high - low > unit) {
        const size_t middle = low + (high - low) / 2 / unit * unit;
        double old = 0, new = 0;
        enum hitop_status status = price(r, middle, before, &old, diag);
        if (status == HITOP_OK) {
            status = price(r, middle, after, &new, diag);
        }
        if (status != HITOP_OK) {
            return status;
        }
        *(new < old ? &high : &low) = middle;
    }
    *size = high;
    return HITOP_OK;
}

/*
 * The next fastest entry of a size; NULL after the last. A size for which nothing takes time has
 * none.
 */
static const struct predict_entry *next_fastest(const struct predict_report *report, size_t *at)
{
    while (*at < report->count) {
        const struct predict_entry *e = &report->entries[(*at)++];
        if (e->fastest) {
            return e;
        }
    }
    return NULL;
}

static enum hitop_status predict_explain_crossovers(const struct predict_report *report, FILE *out,
                                                    struct hitop_diag *diag)
{
    const struct predict_request *r = report->request;
    const struct predict_entry *before, *e;
    enum hitop_status status = HITOP_OK;
    size_t at = 0;

    before = next_fastest(report, &at);
    if (!before) {
        return HITOP_OK;
    }
    fprintf(out, "\nfastest\n");
    print_from(before->bytes, &before->choice, out);
    while (status == HITOP_OK && (e = next_fastest(report, &at))) {
        size_t size = e->bytes;
        if (!predict_is_same_way(&before->choice, &e->choice)) {
            status = predict_crossover(r, before->bytes, e->bytes, &before->choice, &e->choice,
                                       &size, diag);
            print_from(size, &e->choice, out);
        }
        before = e;
    }
    return status;
}

/*
 * Guidelines: an operation should not be slower than other operations that do the same work.
 *
 * Source: J. L. Traeff, W. Gropp and R. Thakur, Self-consistent MPI performance guidelines, IEEE
 * TPDS 21 (2010).
 */

/* The bytes of a part as a function of the bytes of the whole. */
enum scale { SAME, SHARE, TIMES }; /* m, m / ranks rounded up, m * ranks */

struct part {
    const char *operation; /* NULL: none */
    enum scale scale;
};

static const struct guideline {
    const char *operation;
    struct part parts[2];
} guidelines[] = {
    {"allgather", {{"gather", SAME}, {"bcast", TIMES}}},
    {"allgather", {{"alltoall", SAME}, {NULL, SAME}}},
    {"allreduce", {{"reduce", SAME}, {"bcast", SAME}}},
    {"allreduce", {{"reduce_scatter_block", SHARE}, {"allgather", SHARE}}},
    {"bcast", {{"scatter", SHARE}, {"allgather", SHARE}}},
    {"gather", {{"allgather", SAME}, {NULL, SAME}}},
    {"reduce", {{"allreduce", SAME}, {NULL, SAME}}},
    {"reduce", {{"reduce_scatter_block", SHARE}, {"gather", SHARE}}},
    {"reduce_scatter_block", {{"reduce", TIMES}, {"scatter", SAME}}},
    {"reduce_scatter_block", {{"allreduce", TIMES}, {NULL, SAME}}},
    {"scatter", {{"bcast", TIMES}, {NULL, SAME}}},
};

static size_t scaled(size_t bytes, enum scale scale, size_t ranks, size_t unit)
{
    if (scale == SHARE) {
        return ((bytes / unit - (bytes > 0)) / ranks + (bytes > 0)) * unit;
    }
    return scale == SAME ? bytes : bytes > SIZE_MAX / ranks ? SIZE_MAX : bytes * ranks;
}

/* Add the time of a part; UNSUPPORTED if there is no algorithm for it. */
static enum hitop_status add_part(const struct predict_request *r, const struct part *part,
                                  size_t bytes, double *seconds, struct hitop_diag *diag)
{
    const struct hitop_choice_basis basis = {.cost = &r->cost, .irregular = r->basis.irregular};
    struct hitop_call call = predict_call(r, bytes);
    struct hitop_choice choice;
    enum hitop_status status;

    if (!part->operation) {
        return HITOP_OK;
    }
    status = hitop_operation_find(part->operation, &call.operation, diag);
    if (status == HITOP_OK) {
        call.bytes = scaled(bytes, part->scale, (size_t)call.size, call.unit ? call.unit : 1);
        call.root = hitop_operation_has_root(call.operation) ? r->root : 0;
        status = hitop_choose(&basis, &call, &choice, diag);
    }
    if (status == HITOP_OK) {
        *seconds += choice.seconds;
    }
    return status;
}

/* Print the violated guidelines: other operations do the work of this one in less time. */
static enum hitop_status predict_explain_guidelines(const struct predict_request *r, size_t bytes,
                                                    double seconds, FILE *out,
                                                    struct hitop_diag *diag)
{
    for (size_t i = 0; i < sizeof(guidelines) / sizeof(guidelines[0]); i++) {
        const struct guideline *g = &guidelines[i];
        enum hitop_status status = HITOP_OK;
        double other = 0;
        if (strcmp(g->operation, r->operation) != 0) {
            continue;
        }
        for (int p = 0; p < 2 && status == HITOP_OK; p++) {
            status = add_part(r, &g->parts[p], bytes, &other, diag);
        }
        if (status == HITOP_ERR_UNSUPPORTED) {
            continue; /* an operation of the guideline has no algorithm */
        }
        if (status != HITOP_OK) {
            return status;
        }
        if (seconds > other * 1.001) {
            fprintf(out, "  guideline violated: %s%s%s would take %.3f us\n", g->parts[0].operation,
                    g->parts[1].operation ? " + " : "",
                    g->parts[1].operation ? g->parts[1].operation : "", other * 1e6);
        }
    }
    return HITOP_OK;
}

/* Explain all answers for one size. */
static enum hitop_status explain_size(const struct predict_request *r,
                                      const struct predict_entry *entries, size_t count, FILE *out,
                                      struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    fprintf(out, "\n%zu B\n", entries->bytes);
    explain_rules(r, entries->bytes, out);
    print_margin(entries, count, out);
    for (size_t i = 0; i < count && status == HITOP_OK; i++) {
        const struct predict_entry *e = &entries[i];
        if (e->reason[0]) {
            fprintf(out, "  %-18s %14s    %s\n", e->algorithm, "-", e->reason);
        } else if (!isnan(e->seconds) && (r->ranks <= MANY_RANKS || i < 2)) {
            status = explain_entry(r, e, i == 0, out, diag);
        }
    }
    if (status == HITOP_OK && !isnan(entries->seconds) && r->ranks <= MANY_RANKS &&
        !r->call.starts) {
        status = predict_explain_guidelines(r, entries->bytes, entries->seconds, out, diag);
    }
    return status;
}

enum hitop_status predict_explain(const struct predict_report *report, FILE *out,
                                  struct hitop_diag *diag)
{
    const struct predict_request *r = report->request;
    enum hitop_status status = HITOP_OK;
    size_t next;

    if (r->counts.direct + r->counts.skipped > 1) {
        fprintf(out,
                "\nalgorithms predicted by simulation: %zu, without one: %zu, skipped, as a lower "
                "bound is not below the best: %zu\n",
                r->counts.planned, r->counts.direct, r->counts.skipped);
    }
    if (r->kind == PREDICT_RANKING) {
        status = predict_explain_crossovers(report, out, diag);
    }
    for (size_t i = 0; i < report->count && status == HITOP_OK; i = next) {
        for (next = i; next < report->count; next++) {
            if (report->entries[next].bytes != report->entries[i].bytes) {
                break;
            }
        }
        if (report->entries[i].seconds > 0 || isnan(report->entries[i].seconds)) {
            status = explain_size(r, &report->entries[i], next - i, out, diag);
        }
    }
    return status;
}

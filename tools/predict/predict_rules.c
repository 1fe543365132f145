/* SPDX-License-Identifier: BSD-3-Clause */
/* predict_rules.c - write the choices of predictions as rules. */
#include <config.h>

#include "tools/predict/predict.h"

#include "hitop/input.h"
#include "hitop/output.h"
#include "hitop/sys/coll.h"
#include "hitop/sys/model.h"
#include "hitop/sys/tree.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Whether two choices have the same algorithm, tree and parameters. */
static int is_same(const struct hitop_choice *a, const struct hitop_choice *b)
{
    const struct hitop_algorithm algorithm = a->algorithm;

    return predict_is_same_way(a, b) &&
           memcmp(a->params, b->params, algorithm.type->nparams * sizeof(*a->params)) == 0 &&
           (!algorithm.tree || memcmp(a->tree_params, b->tree_params,
                                      algorithm.tree->nparams * sizeof(*a->tree_params)) == 0);
}

static struct hitop_rule rule_for(const struct predict_request *r)
{
    struct hitop_rule rule = {.operation = r->call.operation, .kind = HITOP_RULE_AUTO};

    for (int i = 0; i < HITOP_RULE_NCONDITIONS; i++) {
        rule.when[i].high = SIZE_MAX;
    }
    return rule;
}

static void write_choice(const struct predict_request *r, const struct hitop_choice *choice,
                         struct hitop_range bytes, FILE *to)
{
    struct hitop_rule rule = rule_for(r);

    rule.kind = HITOP_RULE_ALGORITHM;
    rule.choice = *choice;
    rule.when[HITOP_RULE_RANKS] = (struct hitop_range){(size_t)r->ranks, (size_t)r->ranks};
    rule.when[HITOP_RULE_BYTES] = bytes;
    if (rule.operation->flags & HITOP_REDUCES) {
        const size_t commutes = !r->call.ordered;
        rule.when[HITOP_RULE_COMMUTATIVE] = (struct hitop_range){commutes, commutes};
    }
    hitop_rule_write(&rule, to);
}

/*
 * The largest size of the last rule. It is bounded for segments of a fixed size, because a much
 * longer message would have too many of them.
 */
static size_t end_of(const struct hitop_choice *choice, size_t largest)
{
    const struct hitop_coll_type *type = choice->algorithm.type;

    for (size_t p = 0; p < type->nparams; p++) {
        if (strcmp(type->params[p].unit, "B") == 0 && choice->params[p] > 0) {
            return largest;
        }
    }
    return SIZE_MAX;
}

/*
 * Write a rule for each range of sizes with one choice. The first range begins at 0 bytes, so that
 * no size is left out.
 */
static enum hitop_status write_sizes(const struct predict_request *r, FILE *to,
                                     struct hitop_diag *diag)
{
    struct predict_report report;
    struct hitop_range bytes = {0, SIZE_MAX};
    enum hitop_status status = predict_report_init(&report, r, diag);

    for (size_t i = 1; status == HITOP_OK && i < report.count; i++) {
        const struct predict_entry *before = &report.entries[i - 1], *e = &report.entries[i];
        size_t from;
        if (is_same(&before->choice, &e->choice)) {
            continue;
        }
        status =
            predict_crossover(r, before->bytes, e->bytes, &before->choice, &e->choice, &from, diag);
        if (status == HITOP_OK) {
            bytes.high = from - 1;
            write_choice(r, &before->choice, bytes, to);
            bytes = (struct hitop_range){from, SIZE_MAX};
        }
    }
    if (status == HITOP_OK) {
        const struct predict_entry *last = &report.entries[report.count - 1];
        bytes.high = end_of(&last->choice, last->bytes);
        write_choice(r, &last->choice, bytes, to);
    }
    predict_report_fini(&report);
    return status;
}

/*
 * Write rules for operands that commute and, in reductions, for operands that do not; then the rule
 * "auto" for other numbers of ranks.
 */
static enum hitop_status write_operation(struct predict_request *r, FILE *to,
                                         struct hitop_diag *diag)
{
    const struct hitop_operation *o = r->call.operation;
    const size_t nsizes = r->nsizes;
    const struct hitop_rule rest = rule_for(r);
    enum hitop_status status = HITOP_OK;

    fputc('\n', to);
    if (o->takes == HITOP_NOTHING) {
        r->nsizes = 1;
    }
    for (int ordered = 0; ordered <= ((o->flags & HITOP_REDUCES) != 0); ordered++) {
        r->call.ordered = ordered;
        if (status == HITOP_OK) {
            status = write_sizes(r, to, diag);
        }
    }
    r->call.ordered = 0;
    r->nsizes = nsizes;
    hitop_rule_write(&rest, to);
    return status;
}

static enum hitop_status write_all(struct predict_request *r, int all, FILE *to,
                                   struct hitop_diag *diag)
{
    const struct hitop_operation *one = r->call.operation;
    enum hitop_status status = HITOP_OK;

    fprintf(to,
            "# What predict_collective predicts to be the fastest on %d ranks from root %d,\n"
            "# by %s (%s), at %zu sizes from %zu to %zu bytes.\n",
            r->ranks, r->root, hitop_input_name(r->model_path), hitop_model_type_of(r->model)->name,
            r->nsizes, r->sizes[0], r->sizes[r->nsizes - 1]);
    for (const struct hitop_operation *o = hitop_operations(); o->name && status == HITOP_OK; o++) {
        if (all || o == one) {
            r->call.operation = o;
            r->operation = o->name;
            status = write_operation(r, to, diag);
        }
    }
    return status;
}

/* Write the file after checking that its text can be parsed. */
static enum hitop_status put(const char *text, const char *path, struct hitop_diag *diag)
{
    struct hitop_output *output = NULL;
    struct hitop_rules *rules = NULL;
    enum hitop_status status = hitop_rules_parse(text, path, &rules, diag);

    hitop_rules_free(rules);
    if (status == HITOP_OK) {
        status = hitop_output_open(path, &output, diag);
    }
    if (status == HITOP_OK) {
        fputs(text, hitop_output_stream(output));
        status = hitop_output_end(output, HITOP_OK, diag);
    }
    return status;
}

enum hitop_status predict_write_rules(struct predict_request *request, int all, const char *path,
                                      struct hitop_diag *diag)
{
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    enum hitop_status status = to ? write_all(request, all, to, diag)
                                  : hitop_fail(diag, HITOP_ERR_NOMEM, "rules: out of memory");

    if (to && fclose(to) != 0 && status == HITOP_OK) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "rules: out of memory");
    }
    if (status == HITOP_OK) {
        status = put(text, path, diag);
    }
    free(text);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* predict_print_json.c - predictions as text, CSV or JSON. */
#include <config.h>

#include "tools/predict/predict.h"

#include "src/draft_json.h"
#include "tools/common/notes.h"
#include "tools/common/table.h"

#include "hitop/input.h"
#include "hitop/sys/coll.h"
#include "hitop/sys/model.h"
#include "hitop/sys/tree.h"

#include <math.h>

static void print_title(const struct predict_request *r, FILE *out)
{
    fprintf(out, "# %s", r->operation);
    if (predict_is_p2p(r)) {
        fprintf(out, " from rank %d to rank %d", r->root, r->to);
    } else {
        fprintf(out, " on %d rank%s from root %d", r->ranks, r->ranks == 1 ? "" : "s", r->root);
        if (r->segment > 0) {
            fprintf(out, " in segments of %zu B", r->segment);
        }
    }
    fprintf(out, "; model %s of %d rank%s\n", hitop_model_type_of(r->model)->name,
            hitop_model_nranks(r->model), hitop_model_nranks(r->model) == 1 ? "" : "s");
    for (int k = 0; k < r->shape.nlevels; k++) {
        const struct whatif_level *level = &r->shape.level[k];
        if (level->members > 1) {
            fprintf(out, "# level %s of %d: %s\n", level->name, level->members, level->origin);
        }
    }
    if (!predict_is_p2p(r)) {
        capacity_note(out, "# ", r->model);
    }
}

static void print_entry(const struct predict_request *r, const struct predict_entry *e, FILE *out)
{
    char params[HITOP_CHOICE_TEXT] = "";

    fprintf(out, "%10zu  %-18s ", e->bytes, e->algorithm);
    if (isnan(e->seconds)) {
        fprintf(out, "%14s", "-");
    } else {
        fprintf(out, "%14.3f", e->seconds * 1e6);
    }
    if (r->kind == PREDICT_RANKING) {
        fprintf(out, "  %10.3f%s", e->relative, e->fastest ? " <- fastest" : "");
    }
    if (e->choice.algorithm.type) {
        hitop_choice_format(&e->choice, params, sizeof(params));
    }
    fprintf(out, "%s%s", params[0] ? "  " : "", params);
    if (r->kind == PREDICT_AUTO && r->rules && e->line > 0) {
        fprintf(out, "  <- %s, line %d", hitop_input_name(r->rules_path), e->line);
    } else if (r->kind == PREDICT_AUTO) {
        fprintf(out, "  <- prediction");
    }
    fprintf(out, "\n");
}

/* Whether an answer is printed. Entries are sorted by size, then the fastest first. */
static int is_shown(const struct predict_report *report, size_t i)
{
    const struct predict_request *r = report->request;

    return r->kind != PREDICT_RANKING || r->shows_all || i < PREDICT_SHOWN ||
           report->entries[i - PREDICT_SHOWN].bytes != report->entries[i].bytes;
}

static void print_text(const struct predict_report *report, FILE *out)
{
    const struct predict_request *r = report->request;
    size_t hidden = 0;

    print_title(r, out);
    if (predict_is_p2p(r)) {
        fprintf(out, "%10s %14s\n", "size_B", "time_us");
    } else {
        fprintf(out, "%10s  %-18s %14s%s\n", "size_B", "algorithm", "time_us",
                r->kind == PREDICT_RANKING ? "  vs_fastest" : "");
    }
    for (size_t i = 0; i < report->count; i++) {
        const struct predict_entry *e = &report->entries[i];
        if (predict_is_p2p(r)) {
            fprintf(out, "%10zu %14.3f\n", e->bytes, e->seconds * 1e6);
        } else if (!e->reason[0] && is_shown(report, i)) {
            print_entry(r, e, out);
        } else if (!e->reason[0]) {
            hidden++;
        }
    }
    if (hidden > 0) {
        fprintf(out, "# the %d fastest of each size; --all prints %zu more line%s\n", PREDICT_SHOWN,
                hidden, hidden == 1 ? "" : "s");
    }
}

/* One predicted time in CSV. */
struct row {
    const char *operation, *algorithm, *params;
    int ranks, root, to, line;
    size_t segment, bytes;
    double microseconds, relative;
    int fastest;
};

static const struct column columns[] = {
    {COLUMN("operation", TEXT, struct row, operation)},
    {COLUMN("ranks", INT, struct row, ranks)},
    {COLUMN("root", INT, struct row, root)},
    {COLUMN("segment_B", SIZE, struct row, segment)},
    {COLUMN("size_B", SIZE, struct row, bytes)},
    {COLUMN("algorithm", TEXT, struct row, algorithm)},
    {COLUMN("time_us", FIXED, struct row, microseconds), .digits = 6},
    {COLUMN("vs_fastest", FIXED, struct row, relative), .digits = 6},
    {COLUMN("fastest", RANK, struct row, fastest)},
    {COLUMN("parameters", TEXT, struct row, params)},
    {COLUMN("rule_line", RANK, struct row, line)},
};

static const struct column p2p_columns[] = {
    {COLUMN("operation", TEXT, struct row, operation)},
    {COLUMN("from", INT, struct row, root)},
    {COLUMN("to", INT, struct row, to)},
    {COLUMN("size_B", SIZE, struct row, bytes)},
    {COLUMN("time_us", FIXED, struct row, microseconds), .digits = 6},
};

static void print_csv(const struct predict_report *report, FILE *out)
{
    const struct predict_request *r = report->request;
    const int is_p2p = predict_is_p2p(r), is_ranked = r->kind == PREDICT_RANKING;
    const struct column *table = is_p2p ? p2p_columns : columns;
    const size_t n = is_p2p ? sizeof(p2p_columns) / sizeof(p2p_columns[0])
                            : sizeof(columns) / sizeof(columns[0]);

    table_put_head(out, table, n);
    for (size_t i = 0; i < report->count; i++) {
        const struct predict_entry *e = &report->entries[i];
        char params[HITOP_CHOICE_TEXT] = "";
        if (e->choice.algorithm.type) {
            hitop_choice_format(&e->choice, params, sizeof(params));
        }
        if (!e->reason[0]) {
            const struct row row = {.operation = r->operation,
                                    .algorithm = e->algorithm,
                                    .params = params,
                                    .ranks = r->ranks,
                                    .root = r->root,
                                    .to = r->to,
                                    .line = e->line > 0 ? e->line : -1,
                                    .segment = r->segment,
                                    .bytes = e->bytes,
                                    .microseconds = e->seconds * 1e6,
                                    .relative = is_ranked ? e->relative : NAN,
                                    .fastest = is_ranked ? e->fastest : -1};
            table_put_row(out, table, n, &row);
        }
    }
}

/* Add the parameters that differ from the defaults. */
static void add_params(struct draft *draft, const struct hitop_param *params, size_t n,
                       const double *value)
{
    for (size_t i = 0; i < n; i++) {
        if (value[i] != params[i].fallback) {
            draft_add(draft, params[i].name, json_real(value[i]));
        }
    }
}

static json_t *make_params(const struct hitop_choice *choice)
{
    const struct hitop_coll_type *type = choice->algorithm.type;
    const struct hitop_tree_builder *tree = choice->algorithm.tree;
    struct draft draft = {.value = json_object()};

    add_params(&draft, type->params, type->nparams, choice->params);
    if (tree) {
        add_params(&draft, tree->params, tree->nparams, choice->tree_params);
    }
    return draft_finish(&draft);
}

static json_t *make_entry(const struct predict_request *r, const struct predict_entry *e)
{
    struct draft draft = {
        .value = json_pack("{s:I, s:o}", "size_B", (json_int_t)e->bytes, "time_us",
                           isnan(e->seconds) ? json_null() : json_real(e->seconds * 1e6))};

    if (!predict_is_p2p(r)) {
        draft_add(&draft, "algorithm", json_string(e->algorithm));
    }
    if (e->choice.algorithm.type) {
        draft_add(&draft, "parameters", make_params(&e->choice));
    }
    if (r->kind == PREDICT_RANKING) {
        draft_add(&draft, "vs_fastest", json_real(e->relative));
        draft_add(&draft, "fastest", json_boolean(e->fastest));
    }
    if (e->line > 0) {
        draft_add(&draft, "rule_line", json_integer(e->line));
    }
    return draft_finish(&draft);
}

static enum hitop_status print_json(const struct predict_report *report, FILE *out,
                                    struct hitop_diag *diag)
{
    const struct predict_request *r = report->request;
    struct draft root = {.value = json_pack("{s:s, s:i, s:s, s:s}", "format", "hitop-prediction",
                                            "version", 1, "operation", r->operation, "model",
                                            hitop_model_type_of(r->model)->name)};
    struct draft list = {.value = json_array()};
    json_t *document;
    int failed;

    if (predict_is_p2p(r)) {
        draft_add(&root, "from", json_integer(r->root));
        draft_add(&root, "to", json_integer(r->to));
    } else {
        draft_add(&root, "ranks", json_integer(r->ranks));
        draft_add(&root, "root", json_integer(r->root));
        draft_add(&root, "segment_B", json_real((double)r->segment));
        draft_add(&root, "unknown_capacities",
                  json_integer(hitop_model_unknown_capacities(r->model)));
    }
    for (size_t i = 0; i < report->count; i++) {
        if (!report->entries[i].reason[0]) {
            draft_append(&list, make_entry(r, &report->entries[i]));
        }
    }
    draft_add(&root, "predictions", draft_finish(&list));
    document = draft_finish(&root);
    failed = !document ||
             json_dumpf(document, out, JSON_INDENT(2) | JSON_REAL_PRECISION(12)) != 0 ||
             fputc('\n', out) == EOF;
    json_decref(document);
    return failed ? hitop_fail(diag, HITOP_ERR_IO, "JSON: cannot write") : HITOP_OK;
}

enum hitop_status predict_print(const struct predict_report *report, enum predict_format format,
                                FILE *out, struct hitop_diag *diag)
{
    if (format == PREDICT_JSON) {
        return print_json(report, out, diag);
    }
    (format == PREDICT_CSV ? print_csv : print_text)(report, out);
    return HITOP_OK;
}

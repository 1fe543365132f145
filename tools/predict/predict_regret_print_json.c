/* SPDX-License-Identifier: BSD-3-Clause */
/* predict_regret_print_json.c - the comparison with an MPI library as text, CSV or JSON. */
#include <config.h>

#include "tools/predict/predict_regret.h"

#include "hitop/sys/model.h"
#include "src/draft_json.h"
#include "tools/common/notes.h"
#include "tools/common/table.h"

#include <math.h>

static const char *const fidelities[] = {[HITOP_MPI_NO_PLAN] = "none",
                                         [HITOP_MPI_NEAR] = "near",
                                         [HITOP_MPI_SAME] = "same",
                                         [HITOP_MPI_CALLS] = "calls",
                                         [HITOP_MPI_LEVELS] = "levels"};

enum { OURS_TEXT = HITOP_CHOICE_TEXT + 64 }; /* the name of an algorithm, a blank and parameters */

static void format_ours(const struct hitop_choice *choice, char out[OURS_TEXT])
{
    char params[HITOP_CHOICE_TEXT] = "";

    if (!choice->algorithm.type) {
        (void)snprintf(out, OURS_TEXT, "-");
        return;
    }
    hitop_choice_format(choice, params, sizeof(params));
    (void)snprintf(out, OURS_TEXT, "%s%s%s", hitop_algorithm_name(choice->algorithm),
                   params[0] ? " " : "", params);
}

static void put_number(double value, double scale, int width, int digits, FILE *out)
{
    if (isnan(value)) {
        fprintf(out, " %*s", width, "-");
    } else {
        fprintf(out, " %*.*f", width, digits, value * scale);
    }
}

static void put_row(const struct predict_regret_row *row, FILE *out)
{
    char chosen[PREDICT_REGRET_NAME], own[PREDICT_REGRET_NAME], best[OURS_TEXT];

    predict_regret_name(&row->chosen, chosen, sizeof(chosen));
    predict_regret_name(&row->own, own, sizeof(own));
    format_ours(&row->best, best);
    fprintf(out, "%-20s %10zu  %-22s %-6s", row->operation->name, row->bytes, chosen,
            fidelities[row->fidelity]);
    put_number(row->seconds, 1e6, 12, 3, out);
    put_number(predict_regret_loss(row->seconds, row->own_seconds), 1, 7, 2, out);
    put_number(predict_regret_loss(row->seconds, row->best_seconds), 1, 7, 2, out);
    fprintf(out, "  %-34s", own);
    put_number(row->own_seconds, 1e6, 12, 3, out);
    fprintf(out, "  %-34s", best);
    put_number(row->best_seconds, 1e6, 12, 3, out);
    fputc('\n', out);
}

static void put_largest(const struct predict_regret *regret, FILE *out)
{
    const struct predict_regret_row *worst = NULL;
    double most = 1;
    size_t unknown = 0;

    for (size_t i = 0; i < regret->count; i++) {
        const struct predict_regret_row *row = &regret->rows[i];
        const double loss = predict_regret_loss(row->seconds, row->own_seconds);
        unknown += isnan(row->seconds) ? 1 : 0;
        if (loss > most) { /* not NaN */
            most = loss;
            worst = row;
        }
    }
    if (worst) {
        fprintf(out, "# most is lost by %s of %zu B: %.2f times the time of %s\n",
                worst->operation->name, worst->bytes, most, worst->own.algorithm->name);
    }
    if (unknown > 0) {
        fprintf(out, "# %zu of %zu choices have no predicted time; csv and json have the reasons\n",
                unknown, regret->count);
    }
}

static void print_text(const struct predict_regret *regret, FILE *out)
{
    const struct predict_request *r = regret->request;

    fprintf(out, "# %s on %d ranks of %d hosts, root %d; model %s of %d ranks\n", regret->library,
            r->ranks, r->call.hosts, r->root, hitop_model_type_of(r->model)->name,
            hitop_model_nranks(r->model));
    fprintf(out, "# vs_own: times as long as its own fastest algorithm; vs_best: as the fastest of "
                 "Hitop's\n");
    capacity_note(out, "# ", r->model);
    fprintf(out, "%-20s %10s  %-22s %-6s %12s %7s %7s  %-34s %12s  %-34s %12s\n", "operation",
            "size_B", "choice", "plan", "time_us", "vs_own", "vs_best", "own_fastest", "time_us",
            "fastest", "time_us");
    for (size_t i = 0; i < regret->count; i++) {
        put_row(&regret->rows[i], out);
    }
    put_largest(regret, out);
}

/* ---- CSV and JSON ---- */

struct row {
    const char *operation, *choice, *plan, *own, *best, *params, *file, *reason;
    size_t bytes, segment, own_segment;
    int number, fanout, own_number, own_fanout, line;
    double microseconds, own_microseconds, best_microseconds, vs_own, vs_best;
};

static const struct column columns[] = {
    {COLUMN("operation", TEXT, struct row, operation)},
    {COLUMN("size_B", SIZE, struct row, bytes)},
    {COLUMN("choice", TEXT, struct row, choice)},
    {COLUMN("number", RANK, struct row, number)},
    {COLUMN("segment_B", SIZE, struct row, segment)},
    {COLUMN("fanout", INT, struct row, fanout)},
    {COLUMN("rule_file", TEXT, struct row, file)},
    {COLUMN("rule_line", INT, struct row, line)},
    {COLUMN("plan", TEXT, struct row, plan)},
    {COLUMN("time_us", FIXED, struct row, microseconds), .digits = 6},
    {COLUMN("vs_own", FIXED, struct row, vs_own), .digits = 6},
    {COLUMN("vs_best", FIXED, struct row, vs_best), .digits = 6},
    {COLUMN("own_fastest", TEXT, struct row, own)},
    {COLUMN("own_number", RANK, struct row, own_number)},
    {COLUMN("own_segment_B", SIZE, struct row, own_segment)},
    {COLUMN("own_fanout", INT, struct row, own_fanout)},
    {COLUMN("own_time_us", FIXED, struct row, own_microseconds), .digits = 6},
    {COLUMN("fastest", TEXT, struct row, best)},
    {COLUMN("parameters", TEXT, struct row, params)},
    {COLUMN("fastest_time_us", FIXED, struct row, best_microseconds), .digits = 6},
    {COLUMN("reason", TEXT, struct row, reason)},
};

enum { NCOLUMNS = sizeof(columns) / sizeof(columns[0]) };

/* `params` receives a text of HITOP_CHOICE_TEXT bytes at most, which the row borrows. */
static struct row make_row(const struct predict_regret_row *r, char *params)
{
    const struct hitop_mpi_algorithm *chosen = r->chosen.algorithm, *own = r->own.algorithm;

    params[0] = '\0';
    if (r->best.algorithm.type) {
        hitop_choice_format(&r->best, params, HITOP_CHOICE_TEXT);
    }
    return (struct row){.operation = r->operation->name,
                        .bytes = r->bytes,
                        .choice = chosen ? chosen->name : NULL,
                        .number = chosen && chosen->number > 0 ? chosen->number : -1,
                        .segment = r->chosen.segment,
                        .fanout = r->chosen.fanout,
                        .file = r->chosen.file,
                        .line = r->chosen.line,
                        .plan = fidelities[r->fidelity],
                        .microseconds = r->seconds * 1e6,
                        .vs_own = predict_regret_loss(r->seconds, r->own_seconds),
                        .vs_best = predict_regret_loss(r->seconds, r->best_seconds),
                        .own = own ? own->name : NULL,
                        .own_number = own && own->number > 0 ? own->number : -1,
                        .own_segment = r->own.segment,
                        .own_fanout = r->own.fanout,
                        .own_microseconds = r->own_seconds * 1e6,
                        .best =
                            r->best.algorithm.type ? hitop_algorithm_name(r->best.algorithm) : NULL,
                        .params = params,
                        .best_microseconds = r->best_seconds * 1e6,
                        .reason = r->reason[0] ? r->reason : NULL};
}

static void print_csv(const struct predict_regret *regret, FILE *out)
{
    char params[HITOP_CHOICE_TEXT];

    table_put_head(out, columns, NCOLUMNS);
    for (size_t i = 0; i < regret->count; i++) {
        const struct row row = make_row(&regret->rows[i], params);
        table_put_row(out, columns, NCOLUMNS, &row);
    }
}

static enum hitop_status print_json(const struct predict_regret *regret, FILE *out,
                                    struct hitop_diag *diag)
{
    const struct predict_request *r = regret->request;
    struct draft root = {.value =
                             json_pack("{s:s, s:i, s:s, s:s, s:i, s:i, s:i}", "format",
                                       "hitop-regret", "version", 1, "library", regret->library,
                                       "model", hitop_model_type_of(r->model)->name, "ranks",
                                       r->ranks, "hosts", r->call.hosts, "root", r->root)};
    struct draft list = {.value = json_array()};
    char params[HITOP_CHOICE_TEXT];
    json_t *document;
    int failed;

    for (size_t i = 0; i < regret->count; i++) {
        const struct row row = make_row(&regret->rows[i], params);
        draft_append(&list, table_row_value(columns, NCOLUMNS, &row));
    }
    draft_add(&root, "choices", draft_finish(&list));
    document = draft_finish(&root);
    failed = !document ||
             json_dumpf(document, out, JSON_INDENT(2) | JSON_REAL_PRECISION(12)) != 0 ||
             fputc('\n', out) == EOF;
    json_decref(document);
    return failed ? hitop_fail(diag, HITOP_ERR_IO, "JSON: cannot write") : HITOP_OK;
}

enum hitop_status predict_regret_print(const struct predict_regret *regret,
                                       enum predict_format format, FILE *out,
                                       struct hitop_diag *diag)
{
    if (format == PREDICT_JSON) {
        return print_json(regret, out, diag);
    }
    (format == PREDICT_CSV ? print_csv : print_text)(regret, out);
    return HITOP_OK;
}

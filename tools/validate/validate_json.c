/* SPDX-License-Identifier: BSD-3-Clause */
/* validate_json.c - write a comparison as JSON. */
#include <config.h>

#include "tools/validate/validate.h"

#include "hitop/input.h"
#include "hitop/sys/model.h"
#include "src/draft_json.h"

#include <jansson.h>
#include <math.h>

static json_t *number(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

static json_t *make_errors(const struct validate_row *row)
{
    return json_pack("{s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:s}", "points", row->nsamples,
                     "missing", row->nmissing, "median", number(row->errors.median), "q90",
                     number(row->errors.q90), "largest", number(row->errors.largest), "bias",
                     number(row->errors.bias), "noise", number(row->floor), "limit",
                     number(row->limit), "state", hitop_validate_state(row));
}

/* The sample with the largest error in a row, or null. */
static json_t *make_worst(const struct validate_row *row)
{
    if (!row->worst) {
        return json_null();
    }
    return row->first->part == VALIDATE_PAIRS
               ? json_pack("{s:[ii], s:o}", "pair", row->worst->rank[0], row->worst->rank[1],
                           "error", number(row->worst_error))
               : json_pack("{s:I, s:o}", "size_B", (json_int_t)row->worst->bytes, "error",
                           number(row->worst_error));
}

static json_t *make_row(const struct validate_row *row)
{
    const struct validate_sample *s = row->first;
    json_t *object =
        s->part == VALIDATE_PAIRS
            ? json_pack("{s:s, s:s, s:s, s:i, s:i, s:i, s:i, s:i}", "kind",
                        hitop_validate_part_name(s->part), "level", s->level, "group", s->name,
                        "node", s->group, "pairs", row->npairs, "known_pairs", row->nknown,
                        "intervals", row->nintervals, "inside", row->ninside)
            : json_pack("{s:s, s:s}", "kind", hitop_validate_part_name(s->part), "name", s->level);
    json_t *errors = make_errors(row);

    if (!object || !errors || json_object_update(object, errors) != 0 ||
        json_object_set_new(object, "worst", make_worst(row)) != 0) {
        json_decref(object);
        object = NULL;
    }
    json_decref(errors);
    return object;
}

static json_t *make_rows(const struct validate_rows *rows)
{
    struct draft array = {.value = json_array()};

    for (int i = 0; i < rows->n; i++) {
        draft_append(&array, make_row(&rows->row[i]));
    }
    return draft_finish(&array);
}

/* Errors of all pairs at each size. */
static json_t *make_sizes(const struct validate_rows *rows)
{
    struct draft array = {.value = json_array()};

    for (int i = 0; i < rows->n; i++) {
        const struct validate_row *row = &rows->row[i];
        if (row->first->part == VALIDATE_PAIRS) {
            struct draft size = {.value = make_errors(row)};
            draft_add(&size, "size_B", json_integer((json_int_t)row->first->bytes));
            draft_append(&array, draft_finish(&size));
        }
    }
    return draft_finish(&array);
}

static json_t *make_time(const struct validate_sample *s, double seconds)
{
    return s->seconds > 0 ? number(1e6 * seconds) : json_null();
}

/* Medians of the launches that measured a sample, this launch first. */
static json_t *make_launches(const struct validate_sample *s)
{
    struct draft array = {.value = json_array()};

    for (int i = 0; i < s->nlaunches; i++) {
        draft_append(&array, number(1e6 * s->launch[i]));
    }
    if (s->nlaunches == 0 && s->seconds > 0) {
        draft_append(&array, number(1e6 * s->seconds));
    }
    return draft_finish(&array);
}

static json_t *make_sample(const struct validate_sample *s)
{
    struct draft sample = {
        .value =
            json_pack("{s:s, s:s, s:I, s:o, s:o, s:o, s:o, s:o, s:[oo], s:i, s:b, s:o}", "kind",
                      hitop_validate_part_name(s->part), "name", s->level, "size_B",
                      (json_int_t)s->bytes, "predicted_us", number(1e6 * s->predicted),
                      "predicted_se_us", number(1e6 * s->predicted_se), "measured_us",
                      make_time(s, s->seconds), "lo_us", make_time(s, s->lo), "hi_us",
                      make_time(s, s->hi), "halves_us", make_time(s, s->again[0]),
                      make_time(s, s->again[1]), "samples", s->nsamples, "converged", s->converged,
                      "error", s->seconds > 0 ? number(hitop_validate_deviation(s)) : json_null())};

    draft_add(&sample, "launches_us", make_launches(s));
    if (s->part == VALIDATE_PAIRS) {
        draft_add(&sample, "pair", json_pack("[ii]", s->rank[0], s->rank[1]));
        draft_add(&sample, "node", json_integer(s->group));
        draft_add(&sample, "known", json_boolean(s->is_known));
    }
    return draft_finish(&sample);
}

static json_t *make_samples(const struct validate_report *r)
{
    struct draft array = {.value = json_array()};

    for (int i = 0; i < r->nsamples; i++) {
        draft_append(&array, make_sample(&r->samples[i]));
    }
    return draft_finish(&array);
}

static json_t *make_provenance(const struct validate_report *r)
{
    return json_pack("{s:s, s:o, s:o, s:s, s:o, s:I, s:i, s:o}", "tool",
                     "validate_model " PACKAGE_VERSION, "command",
                     hitop_draft_text(r->request->command), "mpi_library",
                     hitop_draft_text(r->mpi_library), "timing", r->timing, "date",
                     hitop_draft_text(r->date), "seed", (json_int_t)r->request->seed, "ranks",
                     r->nranks, "hosts", hitop_draft_text(r->hosts));
}

enum hitop_status validate_print_json(const struct validate_report *r, FILE *out,
                                      struct hitop_diag *diag)
{
    json_t *root = json_pack(
        "{s:s, s:i, s:o, s:o, s:s, s:i, s:[ii], s:b, s:o, s:b, s:i, s:b, s:o, s:o, s:o, s:o, s:o}",
        "format", "hitop-validation", "version", 1, "provenance", make_provenance(r), "input",
        hitop_draft_text(hitop_input_name(r->request->input)), "model",
        hitop_model_type_of(r->model)->name, "hosts", r->nhosts,
        "most_ranks_and_processors_of_a_host", r->busiest[0], r->busiest[1], "after_barrier",
        r->after_barrier, "seconds", number(r->seconds), "ended_early", r->ended_early, "launches",
        r->nlaunches, "holds", hitop_validate_holds(r), "verdict", hitop_draft_text(r->verdict),
        "skipped", hitop_draft_text(r->skipped), "rows", make_rows(&r->groups), "pairs_by_size",
        make_sizes(&r->sizes), "samples", make_samples(r));
    const int failed = !root || json_dumpf(root, out, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) != 0;

    json_decref(root);
    if (failed) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "JSON: out of memory, or not writable");
    }
    fputc('\n', out);
    return HITOP_OK;
}

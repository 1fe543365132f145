/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_json.c - results for programs; doc/benchmark.schema.json is the format. */
#include <config.h>

#include "src/draft_json.h"
#include "tools/benchmark/benchmark.h"
#include "tools/benchmark/benchmark_kinds.h"

#include <math.h>

static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *microseconds(double seconds)
{
    return number(1e6 * seconds);
}

/* More digits are not known. */
static json_t *tenths_of_nanoseconds(double seconds)
{
    return number(round(1e10 * seconds) / 10);
}

static json_t *provenance_value(const struct benchmark_result *r)
{
    const struct benchmark_request *q = r->request;
    struct draft draft = {.value = json_object()};

    draft_add(&draft, "tool", hitop_draft_text(r->tool));
    draft_add(&draft, "command", hitop_draft_text(q->command));
    draft_add(&draft, "mpi_library", hitop_draft_text(r->library));
    draft_add(&draft, "transport", json_string("mpi"));
    draft_add(&draft, "cache", json_string(benchmark_cache_names[q->cache]));
    draft_add(&draft, "date", hitop_draft_text(r->date));
    draft_add(&draft, "seed", json_integer((json_int_t)q->seed));
    draft_add(&draft, "confidence", json_real(q->rule.confidence));
    draft_add(&draft, "ranks", json_integer(r->nranks));
    draft_add(&draft, "hosts", hitop_draft_text(r->hosts));
    draft_add(&draft, "binding", hitop_draft_text(r->binding));
    draft_add(&draft, "clock_residual_us",
              microseconds(round(1e9 * r->clock_residual) / 1e9)); /* clocks have no more digits */
    draft_add(&draft, "line_hop_first_ns", tenths_of_nanoseconds(r->hop[0]));
    draft_add(&draft, "line_hop_last_ns", tenths_of_nanoseconds(r->hop[1]));
    draft_add(&draft, "line_hop_wanted_ns",
              q->line_hop > 0 ? tenths_of_nanoseconds(q->line_hop) : json_null());
    draft_add(&draft, "full_speed", json_boolean(q->full_speed));
    return draft_finish(&draft);
}

static json_t *time_value(const struct benchmark_summary *s)
{
    struct draft draft = {.value = json_object()};

    draft_add(&draft, "median", microseconds(s->median));
    draft_add(&draft, "lo", microseconds(s->lo));
    draft_add(&draft, "hi", microseconds(s->hi));
    draft_add(&draft, "min", microseconds(s->min));
    draft_add(&draft, "q25", microseconds(s->q25));
    draft_add(&draft, "q75", microseconds(s->q75));
    draft_add(&draft, "q90", microseconds(s->q90));
    draft_add(&draft, "q99", microseconds(s->q99));
    draft_add(&draft, "max", microseconds(s->max));
    draft_add(&draft, "mean", microseconds(s->mean));
    return draft_finish(&draft);
}

static json_t *ranks_value(const struct benchmark_curve *c, const struct benchmark_point *p)
{
    struct draft draft = {.value = json_object()};

    draft_add(&draft, "min", microseconds(p->own_least));
    draft_add(&draft, "mean", microseconds(p->own_mean));
    draft_add(&draft, "max", microseconds(p->own_most));
    draft_add(&draft, "root",
              benchmark_kind_has_root(c->kind) ? microseconds(p->own_root) : json_null());
    return draft_finish(&draft);
}

static json_t *bandwidth_value(const struct benchmark_kind *kind, const struct benchmark_point *p)
{
    struct draft draft = {.value = json_object()};

    if (!kind->one_way || p->bytes == 0) {
        json_decref(draft.value);
        return json_null();
    }
    draft_add(&draft, "one_way",
              number(hitop_benchmark_bandwidth(p->bytes, kind->one_way, p->time.median)));
    draft_add(&draft, "both_ways",
              number(hitop_benchmark_bandwidth(p->bytes, kind->both_ways, p->time.median)));
    return draft_finish(&draft);
}

static json_t *point_value(const struct benchmark_curve *c, const struct benchmark_point *p)
{
    struct draft draft = {.value = json_object()};

    draft_add(&draft, "size_B", json_integer((json_int_t)p->bytes));
    draft_add(&draft, "repetitions", json_integer(p->time.n));
    draft_add(&draft, "batch", json_integer(p->batch));
    draft_add(&draft, "passes", json_integer(p->passes));
    draft_add(&draft, "rejected", json_integer(p->rejected));
    draft_add(&draft, "discarded", json_integer(p->discarded));
    draft_add(&draft, "state", json_string(p->converged ? "converged" : "limit"));
    draft_add(&draft, "time_us", time_value(&p->time));
    draft_add(&draft, "ranks_us", ranks_value(c, p));
    draft_add(&draft, "start_spread_us", microseconds(p->spread));
    draft_add(&draft, "slowest_rank", json_integer(p->slowest));
    draft_add(&draft, "slowest_share", number(p->slowest_share));
    draft_add(&draft, "bandwidth_MBps", bandwidth_value(c->kind, p));
    draft_add(&draft, "checked", json_boolean(p->checked));
    draft_add(&draft, "wrong", json_integer((json_int_t)p->wrong));
    return draft_finish(&draft);
}

static json_t *curve_value(const struct benchmark_request *q, const struct benchmark_curve *c)
{
    struct draft draft = {.value = json_object()}, points = {.value = json_array()};
    const char *root = !benchmark_kind_has_root(c->kind) ? NULL
                       : q->root == ROOT_ROTATES         ? "rotating"
                                                         : "fixed";

    for (int i = 0; i < c->npoints; i++) {
        points.incomplete |=
            json_array_append_new(points.value, point_value(c, &c->points[i])) != 0;
    }
    draft_add(&draft, "operation", json_string(c->kind->name));
    draft_add(&draft, "implementation", hitop_draft_text(c->way));
    draft_add(&draft, "ranks", json_integer(c->ranks));
    draft_add(&draft, "hosts", json_integer(c->hosts));
    draft_add(&draft, "root", hitop_draft_text(root));
    draft_add(&draft, "root_rank", root && q->root >= 0 ? json_integer(q->root) : json_null());
    draft_add(&draft, "arrival", json_string(q->arrives ? pattern_names[q->pattern] : "together"));
    draft_add(&draft, "interval_us", microseconds(q->arrives ? q->interval : 0));
    draft_add(&draft, "cache", json_string(benchmark_cache_names[q->cache]));
    draft_add(&draft, "timing", json_string(c->timing));
    draft_add(&draft, "type", json_string(c->type));
    draft_add(&draft, "line_hop_first_ns", tenths_of_nanoseconds(c->hop[0]));
    draft_add(&draft, "line_hop_last_ns", tenths_of_nanoseconds(c->hop[1]));
    draft_add(&draft, "points", draft_finish(&points));
    return draft_finish(&draft);
}

static json_t *comparison_value(const struct benchmark_request *q,
                                const struct benchmark_comparison *c)
{
    struct draft draft = {.value = json_object()};

    draft_add(&draft, "operation", json_string(c->kind->name));
    draft_add(&draft, "ranks", json_integer(c->ranks));
    draft_add(&draft, "size_B", json_integer((json_int_t)c->bytes));
    draft_add(&draft, "a", hitop_draft_text(q->ways[0].name));
    draft_add(&draft, "b", hitop_draft_text(q->ways[1].name));
    draft_add(&draft, "ratio", number(c->verdict.ratio));
    draft_add(&draft, "lo", number(c->verdict.lo));
    draft_add(&draft, "hi", number(c->verdict.hi));
    draft_add(&draft, "quads", json_integer(c->verdict.quads));
    draft_add(&draft, "verdict", json_string(hitop_benchmark_outcome_name(c->verdict.outcome)));
    return draft_finish(&draft);
}

/* The i-th value of a list, one to a line. */
static int put_item(FILE *to, int i, json_t *value)
{
    return fputs(i ? ",\n    " : "\n    ", to) < 0 || hitop_draft_put(to, value, 9) != 0;
}

enum hitop_status benchmark_write_json(const struct benchmark_result *r, FILE *to,
                                       struct hitop_diag *diag)
{
    const struct benchmark_request *q = r->request;
    int failed = fputs("{\n  \"format\": \"hitop-benchmark\",\n  \"version\": 1,\n"
                       "  \"provenance\": ",
                       to) < 0 ||
                 hitop_draft_put(to, provenance_value(r), 9) != 0 ||
                 fputs(",\n  \"warnings\": [", to) < 0;

    for (int i = 0; i < r->nwarnings && !failed; i++) {
        failed = put_item(to, i, hitop_draft_text(r->warnings[i]));
    }
    failed = failed || fputs("],\n  \"noise_floor\": ", to) < 0 ||
             hitop_draft_put(to, number(benchmark_noise_floor(r)), 9) != 0 ||
             fputs(",\n  \"curves\": [", to) < 0;
    for (int i = 0; i < r->ncurves && !failed; i++) {
        failed = put_item(to, i, curve_value(q, &r->curves[i]));
    }
    failed = failed || fputs("],\n  \"comparisons\": [", to) < 0;
    for (int i = 0; i < r->ncomparisons && !failed; i++) {
        failed = put_item(to, i, comparison_value(q, &r->comparisons[i]));
    }
    failed = failed || fputs("]\n}\n", to) < 0;
    return failed ? hitop_fail(diag, HITOP_ERR_IO, "cannot write JSON") : HITOP_OK;
}

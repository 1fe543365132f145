/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_json.c - results for programs; doc/benchmark.schema.json is the format. */
#include <config.h>

#include "src/draft_json.h"
#include "tools/benchmark/benchmark.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *microseconds(double seconds)
{
    return number(1e6 * seconds);
}

/* The latency is not known more exactly. */
static json_t *tenths_of_nanoseconds(double seconds)
{
    return number(round(1e10 * seconds) / 10);
}

/* "libmy.so: my_*"; null: there is none. */
static json_t *library_value(const struct benchmark_request *q)
{
    const struct library_form *form = &q->library_form;
    char text[PATH_MAX + LIBRARY_NAME];

    if (!q->library.file) {
        return json_null();
    }
    (void)snprintf(text, sizeof(text), "%s: %s*%s", q->library.file, form->prefix, form->suffix);
    return hitop_draft_text(text);
}

static json_t *provenance_value(const struct benchmark_result *r)
{
    const struct benchmark_request *q = r->request;
    const double residual = round(1e9 * r->clock_residual) / 1e9; /* clocks have no more digits */

    return json_pack(
        "{s:o, s:o, s:o, s:s, s:s, s:s, s:o, s:I, s:f, s:i, s:o, s:o, s:o, s:o, s:o, "
        "s:o, s:b, s:o, s:o, s:o}",
        "tool", hitop_draft_text(r->tool), "command", hitop_draft_text(q->command), "mpi_library",
        hitop_draft_text(r->library), "transport", "mpi", "cache", benchmark_cache_names[q->cache],
        "timing", q->method->name, "date", hitop_draft_text(r->date), "seed", (json_int_t)q->seed,
        "confidence", q->rule.confidence, "ranks", r->nranks, "hosts", hitop_draft_text(r->hosts),
        "binding", hitop_draft_text(r->binding), "clock_residual_us", microseconds(residual),
        "line_hop_first_ns", tenths_of_nanoseconds(r->hop[0]), "line_hop_last_ns",
        tenths_of_nanoseconds(r->hop[1]), "line_hop_wanted_ns",
        q->line_hop > 0 ? tenths_of_nanoseconds(q->line_hop) : json_null(), "full_speed",
        q->full_speed, "library", library_value(q), "normalised_time_us",
        r->normalised > 0 ? microseconds(r->normalised) : json_null(), "normalised_times",
        r->normalised > 0 ? hitop_draft_text(r->normalised_hosts) : json_null());
}

static json_t *time_value(const struct benchmark_summary *s)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "median",
                     microseconds(s->median), "lo", microseconds(s->lo), "hi", microseconds(s->hi),
                     "min", microseconds(s->min), "q25", microseconds(s->q25), "q75",
                     microseconds(s->q75), "q90", microseconds(s->q90), "q99", microseconds(s->q99),
                     "max", microseconds(s->max), "mean", microseconds(s->mean));
}

static json_t *ranks_value(const struct benchmark_curve *c, const struct benchmark_point *p)
{
    return json_pack("{s:o, s:o, s:o, s:o}", "min", microseconds(p->own_least), "mean",
                     microseconds(p->own_mean), "max", microseconds(p->own_most), "root",
                     benchmark_kind_has_root(c->kind) ? microseconds(p->own_root) : json_null());
}

static json_t *bandwidth_value(const struct benchmark_kind *kind, const struct benchmark_point *p)
{
    if (!kind->one_way || p->bytes == 0) {
        return json_null();
    }
    return json_pack("{s:o, s:o}", "one_way",
                     number(hitop_benchmark_bandwidth(p->bytes, kind->one_way, p->time.median)),
                     "both_ways",
                     number(hitop_benchmark_bandwidth(p->bytes, kind->both_ways, p->time.median)));
}

static json_t *point_value(const struct benchmark_curve *c, const struct benchmark_point *p)
{
    return json_pack("{s:I, s:i, s:i, s:i, s:i, s:i, s:s, s:o, s:o, s:o, s:i, s:o, s:o, s:b, s:I}",
                     "size_B", (json_int_t)p->bytes, "repetitions", p->time.n, "batch", p->batch,
                     "passes", p->passes, "rejected", p->rejected, "discarded", p->discarded,
                     "state", p->converged ? "converged" : "limit", "time_us", time_value(&p->time),
                     "ranks_us", ranks_value(c, p), "start_spread_us", microseconds(p->spread),
                     "slowest_rank", p->slowest, "slowest_share", number(p->slowest_share),
                     "bandwidth_MBps", bandwidth_value(c->kind, p), "checked", p->checked, "wrong",
                     (json_int_t)p->wrong);
}

static json_t *curve_value(const struct benchmark_request *q, const struct benchmark_curve *c)
{
    struct draft points = {.value = json_array()};
    const char *root = benchmark_root_name(q, c->kind);

    for (int i = 0; i < c->npoints; i++) {
        draft_append(&points, point_value(c, &c->points[i]));
    }
    return json_pack("{s:s, s:o, s:i, s:i, s:s?, s:o, s:s, s:o, s:s, s:s, s:s, s:o, s:o, s:o}",
                     "operation", c->kind->name, "implementation",
                     hitop_draft_text(c->implementation), "ranks", c->ranks, "hosts", c->hosts,
                     "root", root, "root_rank",
                     root && q->root >= 0 ? json_integer(q->root) : json_null(), "arrival",
                     benchmark_arrival_name(q), "interval_us", microseconds(q->interval), "cache",
                     benchmark_cache_names[q->cache], "timing", c->timing, "type", c->type,
                     "line_hop_first_ns", tenths_of_nanoseconds(c->hop[0]), "line_hop_last_ns",
                     tenths_of_nanoseconds(c->hop[1]), "points", draft_finish(&points));
}

static json_t *comparison_value(const struct benchmark_request *q,
                                const struct benchmark_comparison *c)
{
    return json_pack(
        "{s:s, s:i, s:I, s:o, s:o, s:o, s:o, s:o, s:i, s:s}", "operation", c->kind->name, "ranks",
        c->ranks, "size_B", (json_int_t)c->bytes, "a", hitop_draft_text(q->implementations[0].name),
        "b", hitop_draft_text(q->implementations[c->other].name), "ratio", number(c->verdict.ratio),
        "lo", number(c->verdict.lo), "hi", number(c->verdict.hi), "quads", c->verdict.quads,
        "verdict", hitop_benchmark_outcome_name(c->verdict.outcome));
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

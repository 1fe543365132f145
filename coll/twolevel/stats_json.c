/* SPDX-License-Identifier: BSD-3-Clause */
/* stats_json.c - statistics as a line of JSON. */
#include <config.h>

#include "coll/twolevel/stats.h"

#include <jansson.h>

static json_t *calls_json(const struct hitop_stats_report *r)
{
    json_t *calls = json_object();

    for (int i = 0; i < HITOP_NOPERATIONS; i++) {
        if (r->sum.served[i] + r->sum.left[i] > 0) {
            (void)json_object_set_new(calls, hitop_operations()[i].name,
                                      json_pack("{s:I,s:I}", "hitop", (json_int_t)r->sum.served[i],
                                                "mpi", (json_int_t)r->sum.left[i]));
        }
    }
    return calls;
}

static json_t *skew_json(const struct hitop_stats_report *r)
{
    json_t *rows = json_array();

    for (int b = 0; b < HITOP_SKEWS; b++) {
        if (r->skew[b] > 0) {
            (void)json_array_append_new(rows, json_pack("{s:I,s:I}", "below_us", (json_int_t)1 << b,
                                                        "operations", (json_int_t)r->skew[b]));
        }
    }
    return rows;
}

static json_t *comparison_json(const struct compare_result *result)
{
    json_t *row = json_pack(
        "{s:s,s:s,s:f,s:f,s:i,s:b,s:s}", "operation", hitop_operations()[result->operation].name,
        "algorithm", result->way, "hitop_us", (double)result->ns[COMPARE_HITOP] * 1e-3, "mpi_us",
        (double)result->ns[COMPARE_MPI] * 1e-3, "calls", result->calls, "lengths_differed",
        result->is_unlike, "served_by", result->is_left ? "mpi" : "hitop");
    uint64_t from, to;

    if (hitop_stats_root(result) != HITOP_STATS_NO_ROOT) {
        (void)json_object_set_new(
            row, hitop_stats_root(result) == HITOP_STATS_NODE ? "root_node" : "root_rank",
            json_integer(result->place));
    }
    if (hitop_stats_lengths(result, &from, &to)) {
        (void)json_object_set_new(row, "from_B", json_integer((json_int_t)from));
        (void)json_object_set_new(row, "to_B", json_integer((json_int_t)to));
    }
    return row;
}

static json_t *comparisons_json(const struct compare_log *log)
{
    json_t *rows = json_array();

    for (int i = 0; i < log->n; i++) {
        (void)json_array_append_new(rows, comparison_json(&log->results[i]));
    }
    return rows;
}

int hitop_stats_put_json(const struct hitop_stats_report *r, FILE *out)
{
    json_t *all = json_pack(
        "{s:s,s:s,s:i,s:i,s:o,s:o,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:o}", "format", "hitop-stats",
        "name", r->name, "ranks", r->nranks, "nodes", r->nnodes, "calls", calls_json(r), "compared",
        comparisons_json(&r->compared), "waits", (json_int_t)r->sum.waits, "waits_for_room",
        (json_int_t)r->sum.waits_room, "mirrored", (json_int_t)r->sum.mirrored, "elections",
        (json_int_t)r->sum.elections, "push_hits", (json_int_t)r->sum.push_hits, "push_misses",
        (json_int_t)r->sum.push_misses, "owed_most", (json_int_t)r->sum.owed_most, "skew_stride",
        (json_int_t)r->stride, "skew", skew_json(r));
    const int failed = !all || json_dumpf(all, out, JSON_COMPACT) != 0 || fputc('\n', out) == EOF;

    json_decref(all);
    return failed;
}

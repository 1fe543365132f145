/* SPDX-License-Identifier: BSD-3-Clause */
/* stats_json.c - record arrival times; print statistics as text or as a line of JSON. */
#include <config.h>

#include "coll/twolevel/stats.h"

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

void hitop_arrival_times_init(struct hitop_arrival_times *a)
{
    a->n = 0;
    a->stride = 1;
}

/* Keep every second arrival. */
static void thin_out(struct hitop_arrival_times *a)
{
    for (int i = 0; i < HITOP_ARRIVAL_TIMES / 2; i++) {
        a->at[i] = a->at[2 * i + 1];
    }
    a->n = HITOP_ARRIVAL_TIMES / 2;
    a->stride *= 2;
}

void hitop_arrival_times_note(struct hitop_arrival_times *a, uint64_t seq, uint64_t now)
{
    if (seq % a->stride != 0) {
        return;
    }
    if (a->n == HITOP_ARRIVAL_TIMES) {
        thin_out(a);
        if (seq % a->stride != 0) {
            return;
        }
    }
    a->at[a->n++] = now;
}

int hitop_skew_bucket(uint64_t ns)
{
    uint64_t us = ns / 1000;
    int bucket = 0;

    while (us > 0 && bucket < HITOP_SKEWS - 1) {
        us /= 2;
        bucket++;
    }
    return bucket;
}

static void put_calls(const struct hitop_stats_report *r, FILE *out)
{
    fprintf(out, "  %-22s %12s %12s\n", "calls", "Hitop", "MPI");
    for (int i = 0; i < HITOP_NOPERATIONS; i++) {
        if (r->sum.served[i] + r->sum.left[i] > 0) {
            fprintf(out, "  %-22s %12" PRIu64 " %12" PRIu64 "\n", hitop_operations()[i].name,
                    r->sum.served[i], r->sum.left[i]);
        }
    }
}

static void put_skew(const struct hitop_stats_report *r, FILE *out)
{
    uint64_t all = 0;

    for (int b = 0; b < HITOP_SKEWS; b++) {
        all += r->skew[b];
    }
    if (all == 0) {
        return;
    }
    fprintf(out, "  time from the first to the last arrival of a node's ranks, ");
    if (r->stride > 1) {
        fprintf(out, "in one operation of %" PRIu64 "\n", r->stride);
    } else {
        fprintf(out, "in every operation\n");
    }
    fprintf(out, "  %-22s %12s %12s\n", "below_us", "operations", "share_%");
    for (int b = 0; b < HITOP_SKEWS; b++) {
        if (r->skew[b] > 0) {
            fprintf(out, "  %-22" PRIu64 " %12" PRIu64 " %12.1f\n", UINT64_C(1) << b, r->skew[b],
                    100.0 * (double)r->skew[b] / (double)all);
        }
    }
}

static const struct {
    const char *key, *text; /* key in JSON; text before "13 times" */
} counters[HITOP_COUNTS] = {
    [HITOP_COUNT_WAITS] = {"waits", "ranks waited for other ranks of their node"},
    [HITOP_COUNT_WAITS_ROOM] = {"waits_for_room", "... of these for free buffer space"},
    [HITOP_COUNT_ELECTIONS] = {"elections", "first arriver led its node"},
    [HITOP_COUNT_PUSH_HITS] = {"push_hits",
                               "root sent before the leader was known, to the rank that became it"},
    [HITOP_COUNT_PUSH_MISSES] = {"push_misses",
                                 "root sent before the leader was known, to another rank"}};

static void put_counters(const struct hitop_comm_stats *s, FILE *out)
{
    for (int i = 0; i < HITOP_COUNTS; i++) {
        if (s->counts[i] > 0) {
            fprintf(out, "  %s %" PRIu64 " time%s\n", counters[i].text, s->counts[i],
                    s->counts[i] == 1 ? "" : "s");
        }
    }
    if (s->pending_most > 0) {
        fprintf(out,
                "  announcements of leaders that a root was still to receive: at most %" PRIu64
                "\n",
                s->pending_most);
    }
}

/* What a comparison with MPI has as root: nothing, a node or a rank. */
enum root_kind { NO_ROOT, ROOT_NODE, ROOT_RANK };

static enum root_kind root_of(const struct compare_result *result)
{
    return !hitop_operation_has_root(&hitop_operations()[result->operation]) ? NO_ROOT
           : strcmp(result->algorithm, "twolevel") == 0                      ? ROOT_NODE
                                                                             : ROOT_RANK;
}

/* The range of lengths that a result covers. Returns 0 if it covers all lengths. */
static int lengths_of(const struct compare_result *result, uint64_t *from, uint64_t *to)
{
    *from = result->size_class > 0 ? UINT64_C(1) << (result->size_class - 1) : 0;
    *to = result->size_class > 0 ? 2 * (*from - 1) + 1 : 0;
    return result->size_class > 0;
}

static void put_result(const struct compare_result *result, FILE *out)
{
    static const char *const words[] = {"-", "node", "rank"};
    const enum root_kind kind = root_of(result);
    char root[32], lengths[48] = "any";
    uint64_t from, to;

    (void)snprintf(root, sizeof(root), kind == NO_ROOT ? "%s" : "%s %d%s", words[kind],
                   result->place, result->place == COMPARE_PLACES ? "..." : "");
    if (lengths_of(result, &from, &to)) {
        (void)snprintf(lengths, sizeof(lengths), "%" PRIu64 "-%" PRIu64, from, to);
    }
    fprintf(out, "  %-20s %7s %23s %10.1f %10.1f %6d  %s%s\n",
            hitop_operations()[result->operation].name, root, lengths,
            (double)result->ns[COMPARE_HITOP] * 1e-3, (double)result->ns[COMPARE_MPI] * 1e-3,
            result->calls, result->is_left ? "MPI" : result->algorithm,
            result->is_unlike ? " (lengths differed)" : "");
}

static void put_comparisons(const struct compare_log *log, FILE *out)
{
    if (log->n == 0) {
        return;
    }
    fprintf(out,
            "  Hitop compared with MPI: both served calls in turns, then the faster one (median of "
            "the slowest rank)\n"
            "  %-20s %7s %23s %10s %10s %6s  %s\n",
            "operation", "root", "size_B", "Hitop_us", "MPI_us", "calls", "served_by");
    for (int i = 0; i < log->n; i++) {
        put_result(&log->results[i], out);
    }
}

void hitop_stats_put_text(const struct hitop_stats_report *r, FILE *out)
{
    fprintf(out, "hitop statistics of '%s', %d rank%s", r->name, r->nranks,
            r->nranks == 1 ? "" : "s");
    if (r->nnodes > 0) {
        fprintf(out, " on %d node%s\n", r->nnodes, r->nnodes > 1 ? "s" : "");
    } else {
        fprintf(out, ", never prepared for Hitop\n");
    }
    put_calls(r, out);
    put_comparisons(&r->compared, out);
    if (r->nnodes > 0) {
        put_counters(&r->sum, out);
        put_skew(r, out);
    }
}

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
        "algorithm", result->algorithm, "hitop_us", (double)result->ns[COMPARE_HITOP] * 1e-3,
        "mpi_us", (double)result->ns[COMPARE_MPI] * 1e-3, "calls", result->calls,
        "lengths_differed", result->is_unlike, "served_by", result->is_left ? "mpi" : "hitop");
    uint64_t from, to;

    if (root_of(result) != NO_ROOT) {
        (void)json_object_set_new(row, root_of(result) == ROOT_NODE ? "root_node" : "root_rank",
                                  json_integer(result->place));
    }
    if (lengths_of(result, &from, &to)) {
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
    json_t *all = json_pack("{s:s,s:s,s:i,s:i,s:o,s:o}", "format", "hitop-stats", "name", r->name,
                            "ranks", r->nranks, "nodes", r->nnodes, "calls", calls_json(r),
                            "compared", comparisons_json(&r->compared));
    json_t *pending = json_integer((json_int_t)r->sum.pending_most);
    int failed = !all;

    for (int i = 0; i < HITOP_COUNTS; i++) {
        failed |= json_object_set_new(all, counters[i].key,
                                      json_integer((json_int_t)r->sum.counts[i])) != 0;
    }
    failed |= json_object_set_new(all, "owed_most" /* old name */, pending) ||
              json_object_set_new(all, "skew_stride", json_integer((json_int_t)r->stride)) ||
              json_object_set_new(all, "skew", skew_json(r)) ||
              json_dumpf(all, out, JSON_COMPACT) != 0 || fputc('\n', out) == EOF;
    json_decref(all);
    return failed;
}

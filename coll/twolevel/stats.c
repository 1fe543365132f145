/* SPDX-License-Identifier: BSD-3-Clause */
/* stats.c - statistics as a text. */
#include <config.h>

#include "stats.h"

#include <inttypes.h>

void hitop_arrivals_init(struct hitop_arrivals *a)
{
    a->n = 0;
    a->stride = 1;
}

/* Keep every second one. */
static void thin_out(struct hitop_arrivals *a)
{
    for (int i = 0; i < HITOP_ARRIVALS / 2; i++) {
        a->at[i] = a->at[2 * i + 1];
    }
    a->n = HITOP_ARRIVALS / 2;
    a->stride *= 2;
}

void hitop_arrivals_note(struct hitop_arrivals *a, uint64_t seq, uint64_t now)
{
    if (seq % a->stride != 0) {
        return;
    }
    if (a->n == HITOP_ARRIVALS) {
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
    fprintf(out,
            "  from the first to the last arrival on a node, 1 operation in %" PRIu64 "\n"
            "  %-22s %12s %12s\n",
            r->stride, "below_us", "operations", "share_%");
    for (int b = 0; b < HITOP_SKEWS; b++) {
        if (r->skew[b] > 0) {
            fprintf(out, "  %-22" PRIu64 " %12" PRIu64 " %12.1f\n", UINT64_C(1) << b, r->skew[b],
                    100.0 * (double)r->skew[b] / (double)all);
        }
    }
}

void hitop_stats_put_text(const struct hitop_stats_report *r, FILE *out)
{
    fprintf(out, "hitop statistics of '%s', %d ranks", r->name, r->nranks);
    if (r->nnodes > 0) {
        fprintf(out, " on %d node%s\n", r->nnodes, r->nnodes > 1 ? "s" : "");
    } else {
        fprintf(out, ", never served\n");
    }
    put_calls(r, out);
    if (r->nnodes > 0) {
        fprintf(out,
                "  waits for others %" PRIu64 ", for room %" PRIu64 ", copies into domains %" PRIu64
                "\n"
                "  led by coming first %" PRIu64 ", sent unasked to the leader %" PRIu64
                ", to another one %" PRIu64 ", owed at most %" PRIu64 "\n",
                r->sum.waits, r->sum.waits_room, r->sum.mirrored, r->sum.elections,
                r->sum.push_hits, r->sum.push_misses, r->sum.owed_most);
        put_skew(r, out);
    }
}

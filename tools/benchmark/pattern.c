/* SPDX-License-Identifier: BSD-3-Clause */
/* pattern.c - see pattern.h. */
#include <config.h>

#include "tools/benchmark/pattern.h"

#include <stddef.h>

const char *const pattern_names[PATTERN_COUNT] = {"uniform",     "late-rank", "late-node",
                                                  "late-leader", "late-root", "early-root",
                                                  "sorted",      "replay"};

/* By splitmix64's mixing. */
uint64_t pattern_drawn(uint64_t seed, int call, int whom)
{
    uint64_t z = (seed + 1) * 0x9e3779b97f4a7c15u + (uint64_t)call * 0xd1342543de82ef95u +
                 (uint64_t)(whom + 2) * 0x2545f4914f6cdd1du;

    for (int i = 0; i < 2; i++) {
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        z ^= z >> 31;
    }
    return z;
}

static int drawn_below(const struct pattern_setting *s, int call, int below)
{
    return (int)(pattern_drawn(s->seed, call, -1) % (uint64_t)below);
}

static int is_late(const struct pattern_setting *s, int call, int rank, int root)
{
    const int node = s->node_of[rank], roots = s->node_of[root];

    switch (s->pattern) {
    case PATTERN_LATE_RANK:
        return rank == drawn_below(s, call, s->ranks);
    case PATTERN_LATE_NODE:
        return s->nodes > 1 && node == (roots + 1 + drawn_below(s, call, s->nodes - 1)) % s->nodes;
    case PATTERN_LATE_LEADER:
        return node != roots && rank == s->first_of[node];
    case PATTERN_LATE_ROOT:
        return rank == root;
    case PATTERN_EARLY_ROOT:
        return rank != root;
    default:
        return 0;
    }
}

double pattern_delay(const struct pattern_setting *s, int call, int rank, int root)
{
    switch (s->pattern) {
    case PATTERN_UNIFORM:
        return s->interval * 0x1p-53 * (double)(pattern_drawn(s->seed, call, rank) >> 11);
    case PATTERN_SORTED:
        return s->ranks > 1 ? s->interval * rank / (s->ranks - 1) : 0;
    case PATTERN_REPLAY:
        return s->replay
            ->seconds[(size_t)(call % s->replay->calls) * (size_t)s->ranks + (size_t)rank];
    default:
        return is_late(s, call, rank, root) ? s->interval : 0;
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* arrival.c - how late each rank arrives at a call. */
#include <config.h>

#include "models/clock/arrival.h"

#include "hitop/input.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const char *const hitop_pattern_names[PATTERN_COUNT] = {"uniform",     "late-rank", "late-node",
                                                        "late-leader", "late-root", "early-root",
                                                        "sorted",      "replay"};

/* The mixing function of splitmix64. */
uint64_t hitop_pattern_drawn(uint64_t seed, int call, int about)
{
    uint64_t z = (seed + 1) * 0x9e3779b97f4a7c15u + (uint64_t)call * 0xd1342543de82ef95u +
                 (uint64_t)(about + 2) * 0x2545f4914f6cdd1du;

    for (int i = 0; i < 2; i++) {
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        z ^= z >> 31;
    }
    return z;
}

static int drawn_below(const struct pattern_setting *s, int call, int below)
{
    return (int)(hitop_pattern_drawn(s->seed, call, -1) % (uint64_t)below);
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

double hitop_pattern_delay(const struct pattern_setting *s, int call, int rank, int root)
{
    switch (s->pattern) {
    case PATTERN_UNIFORM:
        return s->interval * 0x1p-53 * (double)(hitop_pattern_drawn(s->seed, call, rank) >> 11);
    case PATTERN_SORTED:
        return s->ranks > 1 ? s->interval * rank / (s->ranks - 1) : 0;
    case PATTERN_REPLAY:
        return s->replay
            ->seconds[(size_t)(call % s->replay->calls) * (size_t)s->ranks + (size_t)rank];
    default:
        return is_late(s, call, rank, root) ? s->interval : 0;
    }
}

/* Arrival times of a program, from a file. */

/* The numbers of one line into row[ranks]; empty when there are none. */
static enum hitop_status read_line(const char *path, int number, char *line, int ranks, double *row,
                                   int *empty, struct hitop_diag *diag)
{
    char *save = NULL;
    int n = 0;

    line[strcspn(line, "#\r")] = '\0';
    for (char *word = strtok_r(line, " \t,", &save); word; word = strtok_r(NULL, " \t,", &save)) {
        char *end;
        const double us = strtod(word, &end);
        if (*end != '\0' || !(us >= 0 && us <= 1e9)) {
            return hitop_fail(diag, HITOP_ERR_FORMAT,
                              "%s:%d: '%.40s' is not a number of microseconds from 0 to 1e9", path,
                              number, word);
        }
        if (n < ranks) {
            row[n] = 1e-6 * us;
        }
        n++;
    }
    *empty = n == 0;
    if (n != 0 && n != ranks) {
        return hitop_fail(diag, HITOP_ERR_FORMAT, "%s:%d: %d numbers for %d ranks", path, number, n,
                          ranks);
    }
    return HITOP_OK;
}

enum hitop_status hitop_replay_read(const char *path, int ranks, struct replay *out,
                                    struct hitop_diag *diag)
{
    enum hitop_status status;
    char *text = NULL, *next;
    size_t length, lines = 1;
    int number = 0;

    *out = (struct replay){.ranks = ranks};
    status = hitop_input_read_text(path, &text, &length, diag);
    for (size_t i = 0; i < length && status == HITOP_OK; i++) {
        lines += text[i] == '\n';
    }
    if (status == HITOP_OK &&
        !(out->seconds = calloc(lines * (size_t)ranks, sizeof(*out->seconds)))) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", path);
    }
    next = text;
    while (status == HITOP_OK && next) {
        char *line = next;
        int empty = 1;
        next = strchr(line, '\n');
        if (next) {
            *next++ = '\0';
        }
        status = read_line(path, ++number, line, ranks,
                           out->seconds + (size_t)out->calls * (size_t)ranks, &empty, diag);
        out->calls += status == HITOP_OK && !empty;
    }
    if (status == HITOP_OK && out->calls == 0) {
        status = hitop_fail(diag, HITOP_ERR_FORMAT, "%s: no arrival times", path);
    }
    if (status != HITOP_OK) {
        hitop_replay_free(out);
    }
    free(text);
    return status;
}

void hitop_replay_free(struct replay *replay)
{
    free(replay->seconds);
    *replay = (struct replay){0};
}

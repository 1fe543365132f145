/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * variables.c - see variables.h.
 *
 * Source: the distance of two names is the optimal string alignment distance: letters that are missing, additional, wrong, or
 *         change places with their neighbour.
 */
#include <config.h>

#include "variables.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 24, SHORT = 5 };

static const char prefix[] = "HITOP_";

static const char *const names[] = {
    "HITOP_ALGORITHM",   "HITOP_ARENA",   "HITOP_BCAST",      "HITOP_COLL",    "HITOP_DISABLE",
    "HITOP_DOMAINS",     "HITOP_LAZY",    "HITOP_MODEL",      "HITOP_RING",    "HITOP_RULES",
    "HITOP_SINGLE_COPY", "HITOP_STATS",   "HITOP_THRESHOLDS", "HITOP_VERBOSE", "HITOP_VNODE",
    "HITOP_WAIT",        "HITOP_WATCHDOG"};

enum { NNAMES = sizeof(names) / sizeof(names[0]) };

static size_t least(size_t x, size_t y)
{
    return x < y ? x : y;
}

/* Of words no longer than LONGEST. */
static size_t distance(const char *x, const char *y)
{
    const size_t nx = strlen(x), ny = strlen(y);
    size_t d[LONGEST + 1][LONGEST + 1];

    for (size_t i = 0; i <= nx; i++) {
        for (size_t j = 0; j <= ny; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            d[i][j] = least(d[i - 1][j - 1] + (x[i - 1] != y[j - 1]),
                            least(d[i - 1][j], d[i][j - 1]) + 1);
            if (i > 1 && j > 1 && x[i - 1] == y[j - 2] && x[i - 2] == y[j - 1]) {
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
            }
        }
    }
    return d[nx][ny];
}

/* One letter wrong in a short word, two in a longer one. */
static const char *meant_by(const char *name)
{
    const size_t skip = sizeof(prefix) - 1;
    const char *best = "";
    size_t best_distance = 3;

    if (strlen(name + skip) > LONGEST) {
        return best;
    }
    for (int i = 0; i < NNAMES; i++) {
        const size_t d = distance(name + skip, names[i] + skip);

        if (d < best_distance && d <= (strlen(names[i] + skip) > SHORT ? 2 : 1)) {
            best = names[i];
            best_distance = d;
        }
    }
    return best;
}

static int is_ours(const char *name)
{
    for (int i = 0; i < NNAMES; i++) {
        if (strcmp(name, names[i]) == 0) {
            return 1;
        }
    }
    return 0;
}

const char *hitop_variables_stray(char *const *environment, size_t *next, char *name, size_t length)
{
    while (environment && environment[*next]) {
        const char *entry = environment[(*next)++];

        if (strncmp(entry, prefix, sizeof(prefix) - 1) == 0) {
            (void)snprintf(name, length, "%.*s", (int)strcspn(entry, "="), entry);
            if (!is_ours(name)) {
                return meant_by(name);
            }
        }
    }
    return NULL;
}

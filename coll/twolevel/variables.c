/* SPDX-License-Identifier: BSD-3-Clause */
/* variables.c - see variables.h. */
#include <config.h>

#include "coll/twolevel/variables.h"

#include "hitop/text.h"

#include <stdio.h>
#include <string.h>

enum { SHORT = 5 };

static const char prefix[] = "HITOP_";

static const char *const names[] = {
    "HITOP_ALGORITHM",   "HITOP_ARENA", "HITOP_BCAST",      "HITOP_COLL",  "HITOP_DISABLE",
    "HITOP_DOMAINS",     "HITOP_LAZY",  "HITOP_MODEL",      "HITOP_RING",  "HITOP_RULES",
    "HITOP_SINGLE_COPY", "HITOP_STATS", "HITOP_THRESHOLDS", "HITOP_TRIAL", "HITOP_VERBOSE",
    "HITOP_VNODE",       "HITOP_WAIT",  "HITOP_WATCHDOG"};

enum { NNAMES = sizeof(names) / sizeof(names[0]) };

/* One letter wrong in a short word, two in a longer one. */
static const char *meant_by(const char *name)
{
    const size_t skip = sizeof(prefix) - 1;
    const char *best = "";
    int best_distance = 3;

    for (int i = 0; i < NNAMES; i++) {
        const int d = hitop_text_distance(name + skip, names[i] + skip, 2);

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

/* SPDX-License-Identifier: BSD-3-Clause */
/* hardware_kind.c - what tells kinds of hosts apart, in few words. */
#include <config.h>

#include "hierarchy/sources/hardware_kind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *what; /* for names of hosts that do not tell it */
    int is_headline; /* 1: always named where it differs; 0: only where names would else be equal */
} properties[HARDWARE_PROPERTIES] = {
    [HARDWARE_CORES] = {"cores", 1},
    [HARDWARE_MEMORY] = {"memory", 1},
    [HARDWARE_GPUS] = {"GPUs", 1},
    [HARDWARE_CPU] = {"processor", 0},
    [HARDWARE_PACKAGES] = {"packages", 0},
    [HARDWARE_PUS] = {"threads", 0},
    [HARDWARE_L3] = {"L3", 0},
};

/* 1 when two kinds tell different things about a property. */
static int differs(const struct hardware_kind *kind, int n, int property)
{
    const char *first = "";

    for (int i = 0; i < n; i++) {
        const char *own = kind[i].property[property];
        if (own[0] && first[0] && strcmp(own, first) != 0) {
            return 1;
        }
        first = first[0] ? first : own;
    }
    return 0;
}

static void append(char *name, const char *text)
{
    const size_t used = strlen(name), left = sizeof(((struct hardware_kind *)0)->name) - used;

    (void)snprintf(name + used, left, used > 0 ? ", %s" : "%s", text);
}

/* The name of a kind when the properties of the set (one bit each) are shown. */
static void compose(struct hardware_kind *kind, unsigned shown)
{
    int ntold = 0, nshown = 0;

    kind->name[0] = '\0';
    for (int p = 0; p < HARDWARE_PROPERTIES; p++) {
        if (!(shown & 1u << p)) {
            continue;
        }
        nshown++;
        if (kind->property[p][0]) {
            append(kind->name, kind->property[p]);
            ntold++;
        } else {
            char unknown[HARDWARE_TEXT];
            (void)snprintf(unknown, sizeof(unknown), "unknown %s", properties[p].what);
            append(kind->name, unknown);
        }
    }
    if (nshown > 0 && ntold == 0) {
        memcpy(kind->name, "unknown", sizeof("unknown"));
    }
    kind->is_complete = ntold == nshown;
}

static int by_name(const void *a, const void *b)
{
    const struct hardware_kind *const *x = a, *const *y = b;

    return strcmp((*x)->name, (*y)->name);
}

/* Different names when the properties of the set are shown; order has room for n. */
static int count_names(struct hardware_kind *kind, int n, unsigned shown,
                       const struct hardware_kind **order)
{
    int count = 1;

    for (int i = 0; i < n; i++) {
        compose(&kind[i], shown);
        order[i] = &kind[i];
    }
    qsort(order, (size_t)n, sizeof(*order), by_name);
    for (int i = 1; i < n; i++) {
        count += by_name(&order[i - 1], &order[i]) != 0;
    }
    return count;
}

int hardware_kind_name(struct hardware_kind *kind, int n, const struct hardware_kind **order)
{
    unsigned differing = 0, shown = 0;
    int count;

    for (int p = 0; p < HARDWARE_PROPERTIES; p++) {
        differing |= (unsigned)differs(kind, n, p) << p;
        shown |= properties[p].is_headline ? differing & 1u << p : 0;
    }
    count = count_names(kind, n, shown, order);
    for (int p = 0; p < HARDWARE_PROPERTIES; p++) {
        const unsigned more = shown | (differing & 1u << p);
        const int finer = count_names(kind, n, more, order);
        if (finer > count) {
            shown = more;
            count = finer;
        }
    }
    (void)count_names(kind, n, shown, order);
    return differing != 0;
}

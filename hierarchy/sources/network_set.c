/* SPDX-License-Identifier: BSD-3-Clause */
/* network_set.c - one name for several switches, short enough to be read. */
#include <config.h>

#include "hierarchy/sources/network_impl.h"
#include "hitop/hosts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longer names become "first+7". */
enum { READABLE = 64 };

struct network_set {
    const char *whole, *brief;
};

static int by_version(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;

    return strverscmp(*x, *y);
}

/* How many sets of other members begin and count alike; *known when this one has a name already. */
static int count_alike(const struct network_sets *sets, const char *whole, const char *brief,
                       const char **known)
{
    const size_t length = strlen(brief);
    int alike = 0;

    *known = NULL;
    for (int i = 0; i < sets->n; i++) {
        const struct network_set *s = &sets->set[i];
        if (strcmp(s->whole, whole) == 0) {
            *known = s->brief;
        }
        alike += strncmp(s->brief, brief, length) == 0 &&
                 (s->brief[length] == '\0' || s->brief[length] == '#');
    }
    return alike;
}

static const char *abbreviate(struct network_sets *sets, const char *whole, const char *first,
                              int n)
{
    char brief[READABLE + 64];
    const char *known;
    int alike;

    (void)snprintf(brief, sizeof(brief), "%.*s+%d", READABLE, first, n - 1);
    alike = count_alike(sets, whole, brief, &known);
    if (known) {
        return known;
    }
    if (sets->n == sets->max) {
        const int max = sets->max > 0 ? 2 * sets->max : 16;
        struct network_set *larger = reallocarray(sets->set, (size_t)max, sizeof(*larger));
        if (!larger) {
            return NULL;
        }
        sets->set = larger;
        sets->max = max;
    }
    if (alike > 0) {
        const size_t length = strlen(brief);
        (void)snprintf(brief + length, sizeof(brief) - length, "#%d", alike + 1);
    }
    known = text_pool_keep(&sets->text, brief);
    whole = text_pool_keep(&sets->text, whole);
    if (!known || !whole) {
        return NULL;
    }
    sets->set[sets->n++] = (struct network_set){whole, known};
    return known;
}

const char *network_set_name(struct network_sets *sets, const char **name, int n)
{
    const char *kept;
    char *whole = NULL;

    if (n == 1) {
        return name[0];
    }
    qsort(name, (size_t)n, sizeof(*name), by_version);
    if (hitop_hosts_compress(name, n, &whole, NULL) != HITOP_OK) {
        return NULL;
    }
    kept = strlen(whole) <= READABLE ? text_pool_keep(&sets->text, whole)
                                     : abbreviate(sets, whole, name[0], n);
    free(whole);
    return kept;
}

void network_sets_clear(struct network_sets *sets)
{
    text_pool_clear(&sets->text);
    free(sets->set);
    *sets = (struct network_sets){0};
}

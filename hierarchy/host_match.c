/* SPDX-License-Identifier: BSD-3-Clause */
/* host_match.c - look up hosts by names that others write. */
#include <config.h>

#include "host_match.h"

#include "host_name.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct entry {
    const char *host;
    size_t length; /* of what is compared: the whole name, or the part before the first dot */
    int index;
};

struct host_match {
    int n;
    struct entry *full, *brief; /* sorted */
};

static int compare(const char *x, size_t nx, const char *y, size_t ny)
{
    const int order = strncasecmp(x, y, nx < ny ? nx : ny);

    return order ? order : (nx > ny) - (nx < ny);
}

static int by_name(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    const int order = compare(x->host, x->length, y->host, y->length);

    return order ? order : (x->index > y->index) - (x->index < y->index);
}

static size_t brief_length(const char *host)
{
    return host_name_is_address(host) ? strlen(host) : strcspn(host, ".");
}

void host_match_free(struct host_match *m)
{
    if (!m) {
        return;
    }
    free(m->brief);
    free(m->full);
    free(m);
}

struct host_match *host_match_new(const struct hitop_place *place, int nplaces)
{
    const size_t n = (size_t)nplaces;
    struct host_match *m = calloc(1, sizeof(*m));

    if (!m) {
        return NULL;
    }
    m->n = nplaces;
    m->full = calloc(n, sizeof(*m->full));
    m->brief = calloc(n, sizeof(*m->brief));
    if (!m->full || !m->brief) {
        host_match_free(m);
        return NULL;
    }
    for (int i = 0; i < nplaces; i++) {
        const char *host = place[i].host;
        m->full[i] = (struct entry){host, strlen(host), i};
        m->brief[i] = (struct entry){host, brief_length(host), i};
    }
    qsort(m->full, n, sizeof(*m->full), by_name);
    qsort(m->brief, n, sizeof(*m->brief), by_name);
    return m;
}

/* The only entry of that name, or NULL. */
static const struct entry *find(const struct entry *list, int n, const char *name, size_t length)
{
    int low = 0, high = n;

    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (compare(list[middle].host, list[middle].length, name, length) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == n || compare(list[low].host, list[low].length, name, length) != 0 ||
        (low + 1 < n && compare(list[low + 1].host, list[low + 1].length, name, length) == 0)) {
        return NULL;
    }
    return &list[low];
}

int host_match_find(const struct host_match *m, const char *name)
{
    const size_t length = strlen(name), brief = brief_length(name);
    const struct entry *found = find(m->full, m->n, name, length);

    if (!found) {
        found = find(m->brief, m->n, name, brief);
        /* two full names that differ behind the first dot are two hosts */
        if (found && brief < length && found->host[found->length]) {
            found = NULL;
        }
    }
    return found ? found->index : -1;
}

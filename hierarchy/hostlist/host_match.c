/* SPDX-License-Identifier: BSD-3-Clause */
/* host_match.c - find hosts by the names that files give them. */
#include <config.h>

#include "hierarchy/hostlist/host_match.h"

#include "hierarchy/names/host_name.h"
#include "hierarchy/text/storage.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct entry {
    const char *host;
    size_t length; /* of the compared part: the whole name, or up to the first dot */
    int index;
};

struct host_match {
    int n;                      /* hosts */
    struct entry *full, *brief; /* sorted */
    struct storage storage;
};

static int compare(const char *x, size_t nx, const char *y, size_t ny)
{
    const int order = strncasecmp(x, y, nx < ny ? nx : ny);

    return order ? order : (nx > ny) - (nx < ny);
}

static int by_name(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int order = compare(x->host, x->length, y->host, y->length);

    order = order ? order : strcmp(x->host, y->host);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

void hitop_host_match_free(struct host_match *m)
{
    if (m) {
        hitop_storage_clear(&m->storage);
        free(m);
    }
}

/* Sort, and keep the first entry of each host; returns their number. */
static int sort_unique(struct entry *list, int n)
{
    int kept = 0;

    qsort(list, (size_t)n, sizeof(*list), by_name);
    for (int i = 0; i < n; i++) {
        if (i == 0 || strcmp(list[i].host, list[kept - 1].host) != 0) {
            list[kept++] = list[i];
        }
    }
    return kept;
}

struct host_match *hitop_host_match_ranks(const char *const *host, int nranks)
{
    struct host_match *m = calloc(1, sizeof(*m));

    if (!m || !STORAGE_ARRAY(&m->storage, m->full, nranks) ||
        !STORAGE_ARRAY(&m->storage, m->brief, nranks)) {
        hitop_host_match_free(m);
        return NULL;
    }
    for (int i = 0; i < nranks; i++) {
        m->full[i] = (struct entry){host[i], strlen(host[i]), i};
        m->brief[i] = (struct entry){host[i], hitop_host_name_brief_length(host[i]), i};
    }
    m->n = sort_unique(m->full, nranks);
    (void)sort_unique(m->brief, nranks);
    return m;
}

struct host_match *hitop_host_match_new(const struct hitop_place *place, int nplaces)
{
    const char **host = calloc((size_t)nplaces, sizeof(*host));
    struct host_match *m;

    for (int i = 0; i < nplaces && host; i++) {
        host[i] = place[i].host;
    }
    m = host ? hitop_host_match_ranks(host, nplaces) : NULL;
    free(host);
    return m;
}

/* The entry with exactly this name, or the only one that differs in case at most, or NULL. */
static const struct entry *find(const struct entry *list, int n, const char *name, size_t length)
{
    int low = 0, high = n, count = 0;

    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (compare(list[middle].host, list[middle].length, name, length) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (int i = low; i < n && compare(list[i].host, list[i].length, name, length) == 0; i++) {
        if (strcmp(list[i].host, name) == 0) {
            return &list[i];
        }
        count++;
    }
    return count == 1 ? &list[low] : NULL;
}

int hitop_host_match_find(const struct host_match *m, const char *name)
{
    const size_t length = strlen(name), brief = hitop_host_name_brief_length(name);
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

enum hitop_status hitop_host_match_stranger(const struct hitop_hierarchy *h,
                                            const char *const *host, int *out,
                                            struct hitop_diag *diag)
{
    const int nranks = hitop_hierarchy_nranks(h);
    struct host_match *match = hitop_host_match_ranks(host, nranks);
    int rank = 0;

    if (!match) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "comparing hosts: out of memory");
    }
    for (; rank < nranks; rank++) {
        const int found = hitop_host_match_find(match, hitop_hierarchy_host(h, rank));

        if (found < 0 || strcmp(host[found], host[rank]) != 0) {
            break;
        }
    }
    hitop_host_match_free(match);
    *out = rank;
    return HITOP_OK;
}

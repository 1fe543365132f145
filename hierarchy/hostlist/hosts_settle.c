/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hosts_settle.c - give each host of a list one name, and remove hosts from a list.
 *
 * Lists mix "n1" and "n1.cluster.example" if one tool writes the result of gethostname() and
 * another one that of the name service; case does not matter in DNS. The names of one host are its
 * longest name and the beginnings of that name which end before a dot.
 */
#include <config.h>

#include "hierarchy/hostlist/hosts_impl.h"
#include "hierarchy/names/host_name.h"
#include "hierarchy/text/text_index.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A name in the list, and the name that its host receives. */
struct spelling {
    const char *name, *taken;
    int index; /* in the order of first appearance */
};

static int has_same_short(const char *x, const char *y)
{
    const size_t n = hitop_host_name_brief_length(x);

    return n == hitop_host_name_brief_length(y) && strncasecmp(x, y, n) == 0;
}

/* 1 when x is y, or y up to a dot. */
static int is_part(const char *x, const char *y)
{
    const size_t n = strlen(x);

    return strncasecmp(x, y, n) == 0 && (!y[n] || y[n] == '.');
}

/* By short name, then the longest first, then by first appearance. */
static int by_short_name(const void *a, const void *b)
{
    const struct spelling *x = a, *y = b;
    const size_t n = hitop_host_name_brief_length(x->name),
                 m = hitop_host_name_brief_length(y->name);
    const size_t whole_n = strlen(x->name), whole_m = strlen(y->name);
    int order = strncasecmp(x->name, y->name, n < m ? n : m);

    order = order ? order : (n > m) - (n < m);
    order = order ? order : (whole_n < whole_m) - (whole_n > whole_m);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

/*
 * Settle the spellings of one short name, which are sorted, the longest first. Each one is replaced
 * by the longer one that begins with it, if there is only one such host. Returns the number of
 * changes; *doubt receives a name that can mean two hosts.
 */
static int settle_short(struct spelling *s, int n, const struct spelling **doubt)
{
    int changed = 0;

    for (int i = 1; i < n; i++) {
        const char *whole = NULL;
        int is_certain = 1;

        for (int k = 0; k < i; k++) {
            if (is_part(s[i].name, s[k].name)) {
                is_certain = is_certain && (!whole || whole == s[k].taken);
                whole = whole ? whole : s[k].taken;
            }
        }
        if (whole && is_certain) {
            s[i].taken = whole;
            changed++;
        } else if (whole) {
            *doubt = &s[i];
        }
    }
    return changed;
}

static void settle_all(struct host_list *l, struct spelling *s, int n)
{
    const struct spelling *changed = NULL, *doubt = NULL;
    int nchanged = 0;

    qsort(s, (size_t)n, sizeof(*s), by_short_name);
    for (int i = 0, end; i < n; i = end) {
        int now;

        for (end = i + 1; end < n && has_same_short(s[i].name, s[end].name); end++) {
        }
        now = end > i + 1 ? settle_short(s + i, end - i, &doubt) : 0;
        for (int k = i; k < end && now > 0 && !changed; k++) {
            changed = s[k].taken != s[k].name ? &s[k] : NULL;
        }
        nchanged += now;
    }
    if (changed) {
        hitop_host_list_warn(l, "host '%.100s' is taken for '%.100s'%s", changed->name,
                             changed->taken, nchanged > 1 ? ", and others likewise" : "");
    }
    if (doubt) {
        hitop_host_list_warn(
            l, "host '%.100s' may be one of several hosts with a domain; it counts as one more",
            doubt->name);
    }
}

/*
 * 1 if names may differ in case or domain only: there are capitals, or names with and without a
 * dot.
 */
static int is_suspect(const struct hitop_hosts *hosts)
{
    const char *last = NULL;
    int has_dot = 0, has_none = 0;

    for (int rank = 0; rank < hosts->nranks; rank++) {
        const char *name = hosts->host[rank];

        if (name == last) {
            continue;
        }
        last = name;
        for (const char *p = name; *p; p++) {
            if (isupper((unsigned char)*p)) {
                return 1;
            }
        }
        has_dot |= strchr(name, '.') != NULL;
        has_none |= !strchr(name, '.');
    }
    return has_dot && has_none;
}

enum hitop_status hitop_host_list_settle(struct host_list *l)
{
    struct hitop_hosts *hosts = l->hosts;
    struct storage scratch = {0};
    struct text_index index = {0};
    struct spelling *s;
    const char **taken; /* by number of a name */
    int *number, is_new;
    enum hitop_status status;

    if (!is_suspect(hosts)) {
        return HITOP_OK;
    }
    (void)STORAGE_ARRAY(&scratch, number, hosts->nranks);
    for (int rank = 0; rank < hosts->nranks && !scratch.out_of_memory; rank++) {
        number[rank] = rank > 0 && hosts->host[rank] == hosts->host[rank - 1]
                           ? number[rank - 1]
                           : hitop_text_index_put(&index, hosts->host[rank], &is_new);
        scratch.out_of_memory |= number[rank] < 0;
    }
    if (STORAGE_ARRAY(&scratch, s, index.n) && STORAGE_ARRAY(&scratch, taken, index.n) &&
        !scratch.out_of_memory) {
        for (int i = 0; i < index.n; i++) {
            s[i] = (struct spelling){index.text[i], index.text[i], i};
        }
        settle_all(l, s, index.n);
        for (int i = 0; i < index.n; i++) {
            taken[s[i].index] = s[i].taken;
        }
        for (int rank = 0; rank < hosts->nranks; rank++) {
            hosts->host[rank] = (char *)(uintptr_t)taken[number[rank]];
        }
    }
    status = storage_status(&scratch);
    hitop_storage_clear(&scratch);
    hitop_text_index_clear(&index);
    return status == HITOP_OK ? status : hitop_fail(l->diag, status, "host list: out of memory");
}

static int is_excluded(const char *name, const struct hitop_hosts *excluded)
{
    for (int i = 0; i < excluded->nranks; i++) {
        if (is_part(name, excluded->host[i]) || is_part(excluded->host[i], name)) {
            return 1;
        }
    }
    return 0;
}

enum hitop_status hitop_host_list_exclude(struct host_list *l, const struct hitop_hosts *excluded)
{
    struct hitop_hosts *hosts = l->hosts;
    const char *last = NULL;
    int kept = 0, is_out = 0;

    for (int rank = 0; rank < hosts->nranks; rank++) {
        if (hosts->host[rank] != last) {
            last = hosts->host[rank];
            is_out = is_excluded(last, excluded);
        }
        if (!is_out) {
            hosts->host[kept++] = hosts->host[rank];
        }
    }
    if (kept == 0 && hosts->nranks > 0) {
        return hitop_fail(l->diag, HITOP_ERR_INVALID, "'^' excludes all its hosts");
    }
    hosts->nranks = kept;
    return HITOP_OK;
}

/* At sites with jsrun the nodes on which jobs start have names such as "login1" and "batch5". */
static int is_launch_node(const char *name)
{
    return strncasecmp(name, "login", 5) == 0 || strncasecmp(name, "batch", 5) == 0;
}

void hitop_host_list_drop_launch_node(struct host_list *l, int is_lsf)
{
    struct hitop_hosts *hosts = l->hosts;
    char **host = hosts->host;
    int first = 0, alone = 0, nothers = 0;

    while (first < hosts->nranks && is_launch_node(host[first])) {
        first++;
    }
    for (int rank = 0; rank < hosts->nranks; rank++) {
        const int is_begin = rank == 0 || strcmp(host[rank], host[rank - 1]) != 0;
        const int is_end = rank + 1 == hosts->nranks || strcmp(host[rank], host[rank + 1]) != 0;

        if (rank < first && !(is_begin && is_end)) {
            return; /* the node has several ranks */
        }
        alone += rank >= first && is_begin && is_end;
        nothers += rank >= first && is_begin;
    }
    if (first == 0 || nothers == 0 || (!is_lsf && alone > 0)) {
        return;
    }
    hitop_host_list_warn(
        l,
        "host '%.100s' is taken for the node on which LSF started the job and left out; "
        "its name is one of login and batch nodes",
        host[0]);
    memmove(host, host + first, (size_t)(hosts->nranks - first) * sizeof(*host));
    hosts->nranks -= first;
}

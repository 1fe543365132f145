/* SPDX-License-Identifier: BSD-3-Clause */
/* diff_hosts.c - tell which hosts came, went, moved or have other ranks. */
#include <config.h>

#include "hierarchy/edit/diff.h"
#include "hierarchy/tree/same_rank.h"

#include <string.h>

/* Entries of one host, which follow each other. */
static int count_same(const struct host_entry *entry, int n)
{
    int count = 1;

    while (count < n && strcmp(entry[count].host, entry[0].host) == 0) {
        count++;
    }
    return count;
}

/* A host that only one side has. */
static void tell_lone(struct diff *d, const struct diff_side *side, const char *what,
                      const struct host_entry *entry, int n)
{
    const int up = hitop_hierarchy_parent(side->h, entry->rank);

    diff_tell(d, "host %s: %s %s, %d rank%s", entry->host, what, diff_title(side->h, up).text, n,
              n > 1 ? "s" : "");
}

/* Where a rank of the first side is in both, both as groups of the second. */
struct way {
    int from, to;
};

static struct way find_way(const struct diff *d, int rank)
{
    const int from = diff_common_parent(&d->a, rank);

    return (struct way){from == HITOP_NO_NODE ? from : d->a.match[from],
                        diff_common_parent(&d->b, d->a.match[rank])};
}

static const char *shown(const struct diff *d, int node, struct diff_title *title)
{
    *title = node == HITOP_NO_NODE ? (struct diff_title){"nowhere"} : diff_title(d->b.h, node);
    return title->text;
}

/* Ranks of one host that go the same way are told together; the groups are called as they are now. */
static void tell_moves(struct diff *d, const struct host_entry *entry, int n)
{
    struct diff_title from, to;

    for (int i = 0, end; i < n; i = end) {
        const struct way way = find_way(d, entry[i].rank);

        for (end = i + 1; end < n; end++) {
            const struct way other = find_way(d, entry[end].rank);
            if (other.from != way.from || other.to != way.to) {
                break;
            }
        }
        if (way.from != way.to && end - i == n) {
            diff_tell(d, "host %s: moved from %s to %s", entry->host, shown(d, way.from, &from),
                      shown(d, way.to, &to));
        } else if (way.from != way.to) {
            diff_tell(d, "host %s: %d of its %d ranks moved from %s to %s", entry->host, end - i, n,
                      shown(d, way.from, &from), shown(d, way.to, &to));
        }
    }
}

/* Where all hosts are the same, ranks may still be dealt to them in another order. */
static void tell_numbers(struct diff *d)
{
    int count = 0, first = HITOP_NO_RANK;

    for (int rank = 0; rank < hitop_hierarchy_nranks(d->a.h); rank++) {
        if (d->a.match[rank] != rank) {
            first = count++ == 0 ? rank : first;
        }
    }
    if (count > 0) {
        diff_tell(d, "ranks: %d have other numbers; rank %d of host %s is now rank %d", count,
                  first, hitop_hierarchy_host(d->a.h, first), d->a.match[first]);
    }
}

void diff_hosts(struct diff *d, const struct host_entry *a, const struct host_entry *b)
{
    const int na = hitop_hierarchy_nranks(d->a.h), nb = hitop_hierarchy_nranks(d->b.h);
    int is_same = 1;

    for (int i = 0, k = 0; i < na || k < nb;) {
        const int order = i == na ? 1 : k == nb ? -1 : strcmp(a[i].host, b[k].host);
        const int before = order <= 0 ? count_same(a + i, na - i) : 0;
        const int after = order >= 0 ? count_same(b + k, nb - k) : 0;

        if (order < 0) {
            tell_lone(d, &d->a, "gone from", a + i, before);
        } else if (order > 0) {
            tell_lone(d, &d->b, "new in", b + k, after);
        } else {
            tell_moves(d, a + i, before < after ? before : after);
        }
        if (order == 0 && before != after) {
            diff_tell(d, "host %s: %d rank%s, not %d", a[i].host, after, after > 1 ? "s" : "",
                      before);
        }
        is_same = is_same && before == after;
        i += before;
        k += after;
    }
    if (is_same) {
        tell_numbers(d);
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* diff.c - report what differs between two hierarchies. */
#include <config.h>

#include "hierarchy/edit/diff_match.h"

#include "hierarchy/tree/same_rank.h"
#include "hitop/edit.h"
#include "src/one_line.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Report a difference. */
static HITOP_PRINTF(2, 3) void report(struct diff *d, const char *fmt, ...)
{
    char text[1024];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    one_line(text);
    d->found(d->data, text);
}

/* A node in a message: "cluster alpha", "host n1", "group around host n3". */
struct title {
    char text[256];
};

static struct title title_of(const struct hitop_hierarchy *h, int node)
{
    const char *level = hitop_hierarchy_level(h, node);
    struct title t;

    if (node < hitop_hierarchy_nranks(h)) {
        (void)snprintf(t.text, sizeof(t.text), "host %s", hitop_hierarchy_host(h, node));
    } else if (hitop_hierarchy_name(h, node)[0] || node == hitop_hierarchy_root(h)) {
        const char *name = hitop_hierarchy_name(h, node);
        (void)snprintf(t.text, sizeof(t.text), "%s%s%s",
                       level[0]                          ? level
                       : node == hitop_hierarchy_root(h) ? "root"
                                                         : "group",
                       name[0] ? " " : "", name);
    } else {
        (void)snprintf(t.text, sizeof(t.text), "%s around host %s", level[0] ? level : "group",
                       hitop_hierarchy_host(h, hitop_hierarchy_first_rank(h, node)));
    }
    return t;
}

/* The lowest group above a node that has a match on the other side, or HITOP_NO_NODE. */
static int common_parent(const struct diff_side *side, int node)
{
    int up = hitop_hierarchy_parent(side->h, node);

    while (up != HITOP_NO_NODE && side->match[up] == HITOP_NO_NODE) {
        up = hitop_hierarchy_parent(side->h, up);
    }
    return up;
}

/* ---- Hosts that are new or gone, that moved, or that have another number of ranks ---- */

/* The number of entries with the host of the first one; entries are sorted by host. */
static int count_same(const struct host_entry *entry, int n)
{
    int count = 1;

    while (count < n && strcmp(entry[count].host, entry[0].host) == 0) {
        count++;
    }
    return count;
}

/* Report a host that only one side has. */
static void report_lone(struct diff *d, const struct diff_side *side, const char *what,
                        const struct host_entry *entry, int n)
{
    const int up = hitop_hierarchy_parent(side->h, entry->rank);

    report(d, "host %s: %s %s, %d rank%s", entry->host, what, title_of(side->h, up).text, n,
           n > 1 ? "s" : "");
}

/* The groups in which a rank was and is, both as nodes of the second side. */
struct move {
    int from, to;
};

static struct move find_move(const struct diff *d, int rank)
{
    const int from = common_parent(&d->a, rank);

    return (struct move){from == HITOP_NO_NODE ? from : d->a.match[from],
                         common_parent(&d->b, d->a.match[rank])};
}

static const char *shown(const struct diff *d, int node, struct title *title)
{
    *title = node == HITOP_NO_NODE ? (struct title){"nowhere"} : title_of(d->b.h, node);
    return title->text;
}

/*
 * Report moves of the ranks of one host, one line for neighbours with the same move. Groups have
 * their names of the second side.
 */
static void report_moves(struct diff *d, const struct host_entry *entry, int n)
{
    struct title from, to;

    for (int i = 0, end; i < n; i = end) {
        const struct move move = find_move(d, entry[i].rank);

        for (end = i + 1; end < n; end++) {
            const struct move other = find_move(d, entry[end].rank);
            if (other.from != move.from || other.to != move.to) {
                break;
            }
        }
        if (move.from != move.to && end - i == n) {
            report(d, "host %s: moved from %s to %s", entry->host, shown(d, move.from, &from),
                   shown(d, move.to, &to));
        } else if (move.from != move.to) {
            report(d, "host %s: %d of its %d ranks moved from %s to %s", entry->host, end - i, n,
                   shown(d, move.from, &from), shown(d, move.to, &to));
        }
    }
}

/* Report ranks that have another number although all hosts are the same. */
static void report_numbers(struct diff *d)
{
    int count = 0, first = HITOP_NO_RANK;

    for (int rank = 0; rank < hitop_hierarchy_nranks(d->a.h); rank++) {
        if (d->a.match[rank] != rank) {
            first = count++ == 0 ? rank : first;
        }
    }
    if (count > 0) {
        report(d, "ranks: %d have other numbers; rank %d of host %s is now rank %d", count, first,
               hitop_hierarchy_host(d->a.h, first), d->a.match[first]);
    }
}

static void compare_hosts(struct diff *d, const struct host_entry *a, const struct host_entry *b)
{
    const int na = hitop_hierarchy_nranks(d->a.h), nb = hitop_hierarchy_nranks(d->b.h);
    int is_same = 1;

    for (int i = 0, k = 0; i < na || k < nb;) {
        const int order = i == na ? 1 : k == nb ? -1 : strcmp(a[i].host, b[k].host);
        const int before = order <= 0 ? count_same(a + i, na - i) : 0;
        const int after = order >= 0 ? count_same(b + k, nb - k) : 0;

        if (order < 0) {
            report_lone(d, &d->a, "gone from", a + i, before);
        } else if (order > 0) {
            report_lone(d, &d->b, "new in", b + k, after);
        } else {
            report_moves(d, a + i, before < after ? before : after);
        }
        if (order == 0 && before != after) {
            report(d, "host %s: %d rank%s, not %d", a[i].host, after, after > 1 ? "s" : "", before);
        }
        is_same = is_same && before == after;
        i += before;
        k += after;
    }
    if (is_same) {
        report_numbers(d);
    }
}

/* ---- Groups that are new or gone, that moved, or that have another name or level ---- */

static int is_lone(const struct diff_side *side, int node)
{
    return side->match[node] == HITOP_NO_NODE;
}

/* Count the groups of a level, and those of them that only this side has. */
static void count_level(const struct diff_side *side, const char *level, int *total, int *lone)
{
    *total = *lone = 0;
    for (int node = hitop_hierarchy_nranks(side->h); node < hitop_hierarchy_nnodes(side->h);
         node++) {
        if (strcmp(hitop_hierarchy_level(side->h, node), level) == 0) {
            ++*total;
            *lone += is_lone(side, node);
        }
    }
}

/* 1 if only this side has groups of a level, and at least two; they are reported in one line. */
static int is_lone_level(const struct diff_side *side, const struct diff_side *other,
                         const char *level, int *count)
{
    int lone, theirs, theirs_lone;

    if (!level[0]) {
        return 0;
    }
    count_level(side, level, count, &lone);
    count_level(other, level, &theirs, &theirs_lone);
    return *count > 1 && *count == lone && theirs == 0;
}

static int is_first_of_level(const struct hitop_hierarchy *h, int node)
{
    for (int i = hitop_hierarchy_nranks(h); i < node; i++) {
        if (strcmp(hitop_hierarchy_level(h, i), hitop_hierarchy_level(h, node)) == 0) {
            return 0;
        }
    }
    return 1;
}

static void report_lone_group(struct diff *d, const struct diff_side *side, int node,
                              const char *what)
{
    const int up = hitop_hierarchy_parent(side->h, node);
    const int n = hitop_hierarchy_count_ranks(side->h, node);

    report(d, "%s: %s%s%s, %d rank%s", title_of(side->h, node).text, what,
           up == HITOP_NO_NODE ? ""
           : what[0] == 'g'    ? " from "
                               : " in ",
           up == HITOP_NO_NODE ? "" : title_of(side->h, up).text, n, n > 1 ? "s" : "");
}

static void report_lone_groups(struct diff *d, const struct diff_side *side,
                               const struct diff_side *other, const char *what)
{
    const char *level = NULL; /* of the last group; groups of one level are mostly contiguous */
    int is_level_lone = 0, count = 0;

    for (int node = hitop_hierarchy_nranks(side->h); node < hitop_hierarchy_nnodes(side->h);
         node++) {
        if (!is_lone(side, node)) {
            continue;
        }
        if (!level || strcmp(level, hitop_hierarchy_level(side->h, node)) != 0) {
            level = hitop_hierarchy_level(side->h, node);
            is_level_lone = is_lone_level(side, other, level, &count);
        }
        if (!is_level_lone) {
            report_lone_group(d, side, node, what);
        } else if (is_first_of_level(side->h, node)) {
            report(d, "level %s: %s, %d groups", level, what, count);
        }
    }
}

static void report_words(struct diff *d, int a, int b)
{
    const char *old_level = hitop_hierarchy_level(d->a.h, a);
    const char *old_name = hitop_hierarchy_name(d->a.h, a);
    const char *level = hitop_hierarchy_level(d->b.h, b), *name = hitop_hierarchy_name(d->b.h, b);

    if (strcmp(old_name, name) != 0) {
        report(d, "%s: its name is now \"%s\"", title_of(d->a.h, a).text, name);
    }
    if (strcmp(old_level, level) != 0) {
        report(d, "%s: its level is now \"%s\"", title_of(d->a.h, a).text, level);
    }
}

static void report_move(struct diff *d, int a, int b)
{
    const int old_up = common_parent(&d->a, a), up = common_parent(&d->b, b);
    const int from = old_up == HITOP_NO_NODE ? HITOP_NO_NODE : d->a.match[old_up];

    if (from != up) {
        report(d, "%s: moved from %s to %s", title_of(d->a.h, a).text,
               from == HITOP_NO_NODE ? "the top" : title_of(d->b.h, from).text,
               up == HITOP_NO_NODE ? "the top" : title_of(d->b.h, up).text);
    }
}

static void compare_groups(struct diff *d)
{
    report_lone_groups(d, &d->a, &d->b, "gone");
    report_lone_groups(d, &d->b, &d->a, "new");
    for (int a = hitop_hierarchy_nranks(d->a.h); a < hitop_hierarchy_nnodes(d->a.h); a++) {
        if (!is_lone(&d->a, a)) {
            report_words(d, a, d->a.match[a]);
        }
    }
    for (int a = hitop_hierarchy_nranks(d->a.h); a < hitop_hierarchy_nnodes(d->a.h); a++) {
        if (!is_lone(&d->a, a)) {
            report_move(d, a, d->a.match[a]);
        }
    }
}

/* ---- Attributes of nodes that both sides have ---- */

static void report_attr(struct diff *d, const char *where, const struct hitop_attr *a,
                        const struct hitop_attr *b)
{
    if (!a) {
        report(d, "%s: attribute %s=\"%s\" is new", where, b->key, b->value);
    } else if (!b) {
        report(d, "%s: attribute %s=\"%s\" is gone", where, a->key, a->value);
    } else if (strcmp(a->value, b->value) != 0 || a->is_html != b->is_html) {
        report(d, "%s: attribute %s=\"%s\" is now \"%s\"", where, a->key, a->value, b->value);
    }
}

/* Both lists are sorted by key. */
static void compare_attrs(struct diff *d, const char *where, enum hitop_attr_of of, int a, int b)
{
    int na, nb;
    const struct hitop_attr *x = hitop_hierarchy_attrs(d->a.h, of, a, &na);
    const struct hitop_attr *y = hitop_hierarchy_attrs(d->b.h, of, b, &nb);

    for (int i = 0, k = 0; i < na || k < nb;) {
        const int order = i == na ? 1 : k == nb ? -1 : strcmp(x[i].key, y[k].key);

        report_attr(d, where, order <= 0 ? &x[i] : NULL, order >= 0 ? &y[k] : NULL);
        i += order <= 0;
        k += order >= 0;
    }
}

static void compare_node(struct diff *d, int a, int b)
{
    const struct title title = title_of(d->b.h, b);
    char edge[sizeof(title.text) + 16];

    (void)snprintf(edge, sizeof(edge), "edge of %s", title.text);
    compare_attrs(d, title.text, HITOP_ATTR_OF_NODE, a, b);
    compare_attrs(d, edge, HITOP_ATTR_OF_EDGE, a, b);
}

static int set_of(const struct hitop_hierarchy *h, int rank)
{
    int count;

    return hitop_hierarchy_leaf_sets(h, rank, &count);
}

/* Compare one leaf of each leaf set. */
static void compare_leaves(struct diff *d, const struct host_entry *entry)
{
    int last_a = -1, last_b = -1;

    for (int i = 0; i < hitop_hierarchy_nranks(d->a.h); i++) {
        const int a = entry[i].rank, b = d->a.match[a];

        if (b != HITOP_NO_NODE && (set_of(d->a.h, a) != last_a || set_of(d->b.h, b) != last_b)) {
            last_a = set_of(d->a.h, a);
            last_b = set_of(d->b.h, b);
            compare_node(d, a, b);
        }
    }
}

/*
 * Compare the attributes of graph, groups and leaves; entries are those of side a by host, then
 * rank.
 */
static void compare_all_attrs(struct diff *d, const struct host_entry *entry)
{
    const char *old_name = hitop_hierarchy_graph_name(d->a.h);
    const char *name = hitop_hierarchy_graph_name(d->b.h);

    if (strcmp(old_name, name) != 0) {
        report(d, "graph: its name is now \"%s\", not \"%s\"", name, old_name);
    }
    compare_attrs(d, "graph", HITOP_ATTR_OF_GRAPH, HITOP_NO_NODE, HITOP_NO_NODE);
    for (int a = hitop_hierarchy_nranks(d->a.h); a < hitop_hierarchy_nnodes(d->a.h); a++) {
        if (d->a.match[a] != HITOP_NO_NODE) {
            compare_node(d, a, d->a.match[a]);
        }
    }
    compare_leaves(d, entry);
}

/* ---- The whole comparison ---- */

/*
 * Order the ranks so that those of any group are contiguous; parents have larger numbers than
 * members.
 */
static void place_ranks(struct diff_side *side)
{
    const struct hitop_hierarchy *h = side->h;

    for (int node = hitop_hierarchy_root(h); node >= 0; node--) {
        int count, place = side->begin[node];
        const int *child = hitop_hierarchy_children(h, node, &count);

        for (int i = 0; i < count; i++) {
            side->begin[child[i]] = place;
            place += hitop_hierarchy_count_ranks(h, child[i]);
        }
        if (count == 0) {
            side->rank_at[place] = node;
        }
    }
}

/* Allocate the arrays of a side. Returns its ranks sorted by host; NULL when out of memory. */
static struct host_entry *begin_side(struct diff *d, struct diff_side *side)
{
    const int n = hitop_hierarchy_nnodes(side->h), nranks = hitop_hierarchy_nranks(side->h);
    struct host_entry *entry;

    if (!STORAGE_ARRAY(&d->scratch, side->match, n) ||
        !STORAGE_ARRAY(&d->scratch, side->begin, n) ||
        !STORAGE_ARRAY(&d->scratch, side->rank_at, nranks) ||
        !STORAGE_ARRAY(&d->scratch, side->count, n) || !STORAGE_ARRAY(&d->scratch, entry, nranks)) {
        return NULL;
    }
    for (int i = 0; i < n; i++) {
        side->match[i] = HITOP_NO_NODE;
    }
    place_ranks(side);
    for (int rank = 0; rank < nranks; rank++) {
        entry[rank] = (struct host_entry){hitop_hierarchy_host(side->h, rank), rank};
    }
    hitop_sort_by_host(entry, nranks);
    return entry;
}

enum hitop_status hitop_hierarchy_diff(const struct hitop_hierarchy *a,
                                       const struct hitop_hierarchy *b,
                                       void (*found)(void *data, const char *line), void *data,
                                       struct hitop_diag *diag)
{
    struct diff d = {.a = {.h = a}, .b = {.h = b}, .found = found, .data = data};
    const struct host_entry *of_a = begin_side(&d, &d.a), *of_b = begin_side(&d, &d.b);
    enum hitop_status status;

    if (of_a && of_b) {
        hitop_match_ranks(of_a, hitop_hierarchy_nranks(a), of_b, hitop_hierarchy_nranks(b),
                          d.a.match, d.b.match);
        hitop_diff_match_groups(&d);
        compare_hosts(&d, of_a, of_b);
        compare_groups(&d);
        compare_all_attrs(&d, of_a);
    }
    status = storage_status(&d.scratch);
    hitop_storage_clear(&d.scratch);
    return status == HITOP_OK ? status : hitop_fail(diag, status, "difference: out of memory");
}

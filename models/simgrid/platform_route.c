/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * platform_route.c - the links between two hosts, as SimGrid finds them.
 *
 * Idea:   the route between the members of the smallest zone around both hosts leads from a gate of
 *         the first one to a gate of the second one; routes inside the members lead to these gates.
 * Source: SimGrid 3.32, NetZoneImpl::get_global_route_with_netzones, StarZone and ClusterZone.
 */
#include <config.h>

#include "models/simgrid/platform_impl.h"

#include "src/grow.h"

#include <stdlib.h>

/* Of a host to itself where a file has no route for it: network/loopback-lat and -bw. */
static const struct path usual_loopback = {15e-6, 498e6, 1};

enum { MAX_DEPTH = 64, MAX_SHORTEST = 400 };

void hitop_path_add(struct path *path, const struct path *more)
{
    if (more->nlinks > 0) {
        path->bandwidth = path->nlinks == 0 || more->bandwidth < path->bandwidth ? more->bandwidth
                                                                                 : path->bandwidth;
        path->latency += more->latency;
        path->nlinks += more->nlinks;
    }
}

static int compare_routes(const void *a, const void *b)
{
    const struct route *x = a, *y = b;

    if (x->zone != y->zone) {
        return x->zone < y->zone ? -1 : 1;
    }
    if (x->from != y->from) {
        return x->from < y->from ? -1 : 1;
    }
    return x->to < y->to ? -1 : x->to > y->to;
}

static const struct route *find_route(const struct platform *p, int zone, int from, int to)
{
    const struct route key = {.zone = zone, .from = from, .to = to};

    return p->nroutes > 0 ? bsearch(&key, p->route, (size_t)p->nroutes, sizeof(key), compare_routes)
                          : NULL;
}

/* Whether a point is in a zone or in one inside it. */
static int is_inside(const struct platform *p, int point, int zone)
{
    int at = p->point[point].zone;

    while (at >= 0 && at != zone) {
        at = p->zone[at].parent;
    }
    return at == zone;
}

/* A gate of a zone is a host or router in it; a host or router is its own gate. */
static int is_gate(const struct platform *p, int gate, int point)
{
    const struct point *of = &p->point[point];

    return of->kind == POINT_ZONE
               ? p->point[gate].kind != POINT_ZONE && is_inside(p, gate, of->zone_is)
               : gate == point;
}

static enum hitop_status check_routes(const struct platform *p, struct hitop_diag *diag)
{
    for (int i = 0; i < p->nroutes; i++) {
        const struct route *r = &p->route[i];
        const char *from = p->point_names.text[r->from], *to = p->point_names.text[r->to];
        if (p->point[r->from].zone != r->zone || p->point[r->to].zone != r->zone) {
            return hitop_fail(diag, HITOP_ERR_FORMAT,
                              "%s:%d: route: '%.80s' and '%.80s' must both be directly in the zone "
                              "of the route",
                              p->file, r->line, from, to);
        }
        if (!is_gate(p, r->gate_from, r->from) || !is_gate(p, r->gate_to, r->to)) {
            return hitop_fail(diag, HITOP_ERR_FORMAT,
                              "%s:%d: zoneRoute: gw_src and gw_dst must be a host or router in "
                              "'%.80s' and one in '%.80s'",
                              p->file, r->line, from, to);
        }
        if (i > 0 && compare_routes(r - 1, r) == 0) {
            return hitop_fail(diag, HITOP_ERR_FORMAT,
                              "%s:%d: route: a second one from '%.80s' to '%.80s' (the first: line "
                              "%d); symmetrical=\"NO\" if each is for one direction",
                              p->file, r->line > r[-1].line ? r->line : r[-1].line, from, to,
                              r->line > r[-1].line ? r[-1].line : r->line);
        }
    }
    return HITOP_OK;
}

/* Join routes of one zone by the fewest links (Floyd and Warshall): d has n x n paths. */
static void join(struct path *d, int n)
{
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < n; i++) {
            const struct path *first = &d[i * n + k];
            for (int j = 0; first->nlinks > 0 && i != k && j < n; j++) {
                const struct path *second = &d[k * n + j];
                struct path *now = &d[i * n + j], both = *first;
                if (second->nlinks == 0 || i == j || j == k ||
                    (now->nlinks > 0 && now->nlinks <= first->nlinks + second->nlinks)) {
                    continue;
                }
                hitop_path_add(&both, second);
                *now = both;
            }
        }
    }
}

/* Add the shortest paths of a zone to the routes. */
static enum hitop_status find_shortest(struct platform *p, int zone, struct hitop_diag *diag)
{
    const int before = p->nroutes;
    int n = 0, *member = calloc((size_t)p->npoints + 1, sizeof(*member));
    struct path *d = NULL;
    enum hitop_status status = member ? HITOP_OK : HITOP_ERR_NOMEM;

    for (int i = 0; member && i < p->npoints; i++) {
        if (p->point[i].zone == zone) {
            member[n++] = i;
        }
    }
    if (n > MAX_SHORTEST) {
        status = hitop_fail(diag, HITOP_ERR_FORMAT,
                            "%s:%d: zone: %d members; with routing Floyd or Dijkstra at most %d",
                            p->file, p->zone[zone].line, n, MAX_SHORTEST);
    } else if (member && !(d = calloc((size_t)n * (size_t)n + 1, sizeof(*d)))) {
        status = HITOP_ERR_NOMEM;
    }
    for (int i = 0; status == HITOP_OK && i < n * n; i++) {
        const struct route key = {.zone = zone, .from = member[i / n], .to = member[i % n]};
        const struct route *r =
            before > 0 ? bsearch(&key, p->route, (size_t)before, sizeof(key), compare_routes)
                       : NULL;
        d[i] = r ? r->path : (struct path){0};
    }
    if (status == HITOP_OK) {
        join(d, n);
    }
    for (int i = 0; status == HITOP_OK && i < n * n; i++) {
        const int from = member[i / n], to = member[i % n];
        const struct route key = {.zone = zone, .from = from, .to = to, .path = d[i]};
        if (d[i].nlinks == 0 ||
            (before > 0 && bsearch(&key, p->route, (size_t)before, sizeof(key), compare_routes))) {
            continue;
        }
        if (!HITOP_GROW(p->route, p->nroutes, p->max_routes)) {
            status = HITOP_ERR_NOMEM;
            break;
        }
        p->route[p->nroutes] = key;
        p->route[p->nroutes].gate_from = from;
        p->route[p->nroutes++].gate_to = to;
    }
    free(d);
    free(member);
    return status;
}

enum hitop_status hitop_platform_seal(struct platform *p, struct hitop_diag *diag)
{
    enum hitop_status status;

    if (p->nroutes > 0) {
        qsort(p->route, (size_t)p->nroutes, sizeof(*p->route), compare_routes);
    }
    status = check_routes(p, diag);
    for (int zone = 0; zone < p->nzones && status == HITOP_OK; zone++) {
        if (p->zone[zone].routing == ROUTING_SHORTEST) {
            status = find_shortest(p, zone, diag);
            if (p->nroutes > 0) {
                qsort(p->route, (size_t)p->nroutes, sizeof(*p->route), compare_routes);
            }
        }
    }
    return status;
}

/* Through a cluster: the links of both hosts, and the backbone between them. */
static void cross_cluster(const struct platform *p, int zone, int from, int to, struct path *out)
{
    const struct point *a = &p->point[from], *b = &p->point[to];

    if (from == to && a->loopback.nlinks > 0) {
        hitop_path_add(out, &a->loopback);
        return;
    }
    hitop_path_add(out, &a->up);
    hitop_path_add(out, &p->zone[zone].backbone);
    hitop_path_add(out, &b->down);
}

/* The member of a zone that a point is, or is in. */
static int member_of(const struct platform *p, int point, int zone)
{
    while (p->point[point].zone != zone) {
        point = p->zone[p->point[point].zone].point;
    }
    return point;
}

static int common_zone(const struct platform *p, int from, int to)
{
    int a = p->point[from].zone, b = p->point[to].zone;

    while (a != b) {
        if (p->zone[a].depth >= p->zone[b].depth) {
            a = p->zone[a].parent;
        } else {
            b = p->zone[b].parent;
        }
    }
    return a;
}

static enum hitop_status walk(const struct platform *p, int from, int to, int depth,
                              struct path *out, struct hitop_diag *diag)
{
    const int zone = common_zone(p, from, to);
    const int a = member_of(p, from, zone), b = member_of(p, to, zone);
    const struct route *r = find_route(p, zone, a, b);
    enum hitop_status status = HITOP_OK;

    if (r && depth < MAX_DEPTH) {
        hitop_path_add(out, &r->path);
        if (r->gate_from != from) {
            status = walk(p, from, r->gate_from, depth + 1, out, diag);
        }
        return status == HITOP_OK && r->gate_to != to
                   ? walk(p, r->gate_to, to, depth + 1, out, diag)
                   : status;
    }
    if (p->zone[zone].routing == ROUTING_CLUSTER && a == from && b == to) {
        cross_cluster(p, zone, from, to, out);
        return HITOP_OK;
    }
    if (from == to) {
        hitop_path_add(out, &usual_loopback);
        return HITOP_OK;
    }
    return hitop_fail(diag, HITOP_ERR_FORMAT,
                      "%s:%d: zone '%.80s': no route from '%.80s' to '%.80s'", p->file,
                      p->zone[zone].line, p->point_names.text[p->zone[zone].point],
                      p->point_names.text[a], p->point_names.text[b]);
}

enum hitop_status hitop_platform_path(const struct platform *p, int from, int to, struct path *out,
                                      struct hitop_diag *diag)
{
    enum hitop_status status;

    *out = (struct path){0};
    status = walk(p, from, to, 0, out, diag);
    if (status == HITOP_OK && out->nlinks == 0) {
        status = hitop_fail(diag, HITOP_ERR_FORMAT, "%s: no links from '%.80s' to '%.80s'", p->file,
                            p->point_names.text[from], p->point_names.text[to]);
    }
    return status;
}

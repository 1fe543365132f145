/* SPDX-License-Identifier: BSD-3-Clause */
/* platform_elements.c - what each element of a platform file means. */
#include <config.h>

#include "models/simgrid/platform_read.h"

#include "src/grow.h"

#include "hitop/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_ZONES = 60 }; /* inside each other */

void hitop_platform_refuse(struct platform_reader *r, const char *format, ...)
{
    char why[300];
    va_list list;

    va_start(list, format);
    (void)vsnprintf(why, sizeof(why), format, list);
    va_end(list);
    if (r->status == HITOP_OK) {
        r->status = hitop_fail(r->diag, HITOP_ERR_FORMAT, "%s:%d: <%.40s>: %s", r->p->file, r->line,
                               r->element ? r->element : "", why);
    }
}

/* The value of an attribute; NULL if the element lacks it. */
static const char *find(const struct platform_reader *r, const char *name)
{
    for (const char *const *at = r->attributes; *at; at += 2) {
        if (strcmp(at[0], name) == 0) {
            return at[1];
        }
    }
    return NULL;
}

/* Whether an attribute has a value; an empty text is the default of attributes of clusters. */
static int has(const struct platform_reader *r, const char *name)
{
    const char *value = find(r, name);

    return value && value[0];
}

static const char *require(struct platform_reader *r, const char *name)
{
    const char *value = find(r, name);

    if (!value) {
        hitop_platform_refuse(r, "attribute %s is missing", name);
    }
    return value ? value : "";
}

static double take_time(struct platform_reader *r, const char *name, const char *usual)
{
    const char *text = usual && !find(r, name) ? usual : require(r, name);
    double value = 0;

    if (r->status == HITOP_OK && !hitop_platform_time(text, &value)) {
        hitop_platform_refuse(r, "%s: '%.60s' is not a time such as 50us, up to 1000 s", name,
                              text);
    }
    return value;
}

static double take_rate(struct platform_reader *r, const char *name)
{
    const char *text = require(r, name);
    double value = 1;

    if (r->status == HITOP_OK && !hitop_platform_rate(text, &value)) {
        hitop_platform_refuse(r, "%s: '%.60s' is not a bandwidth such as 1.25GBps or 10Gbps", name,
                              text);
    }
    return value;
}

/* A new point in the open zone; its number, or -1. */
static int add_point(struct platform_reader *r, enum point_kind kind, const char *name)
{
    struct platform *p = r->p;
    int is_new, point;

    if (!name[0]) {
        hitop_platform_refuse(r, "an empty name");
        return -1;
    }
    point = hitop_text_index_keep(&p->point_names, &p->text, name, &is_new);
    if (point < 0 || !HITOP_GROW(p->point, p->npoints, p->max_points)) {
        r->status = HITOP_ERR_NOMEM;
        return -1;
    }
    if (!is_new) {
        hitop_platform_refuse(r, "a second host, router or zone '%.80s'", name);
        return -1;
    }
    if (p->npoints >= PLATFORM_MAX_HOSTS) {
        hitop_platform_refuse(r, "more than %d hosts, routers and zones", PLATFORM_MAX_HOSTS);
        return -1;
    }
    p->point[p->npoints++] = (struct point){.kind = kind, .zone = r->zone, .cores = 1};
    return point;
}

static int is_cluster(const struct platform_reader *r)
{
    return r->zone >= 0 && r->p->zone[r->zone].routing == ROUTING_CLUSTER;
}

static void open_zone(struct platform_reader *r, enum routing routing)
{
    struct platform *p = r->p;
    const int parent = r->zone, depth = parent >= 0 ? p->zone[parent].depth + 1 : 0;
    const int point = add_point(r, POINT_ZONE, require(r, "id"));

    if (r->status == HITOP_OK && parent < 0 && p->nzones > 0) {
        hitop_platform_refuse(r, "a second outermost zone");
    }
    if (r->status == HITOP_OK && depth > MAX_ZONES) {
        hitop_platform_refuse(r, "more than %d zones inside each other", MAX_ZONES);
    }
    if (r->status != HITOP_OK) {
        return;
    }
    if (!HITOP_GROW(p->zone, p->nzones, p->max_zones)) {
        r->status = HITOP_ERR_NOMEM;
        return;
    }
    p->point[point].zone_is = p->nzones;
    r->zone = p->nzones;
    p->zone[p->nzones++] = (struct zone){
        .point = point, .parent = parent, .depth = depth, .line = r->line, .routing = routing};
}

static void take_zone(struct platform_reader *r)
{
    static const struct {
        const char *name;
        enum routing routing;
    } kinds[] = {{"Full", ROUTING_FULL},         {"Floyd", ROUTING_SHORTEST},
                 {"Dijkstra", ROUTING_SHORTEST}, {"DijkstraCache", ROUTING_SHORTEST},
                 {"Cluster", ROUTING_CLUSTER},   {"Star", ROUTING_CLUSTER},
                 {"None", ROUTING_NONE}};
    const char *routing = require(r, "routing");

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (hitop_text_same_name(routing, kinds[i].name)) {
            open_zone(r, kinds[i].routing);
            return;
        }
    }
    hitop_platform_refuse(r,
                          "routing '%.40s' is not supported; Full, Floyd, Dijkstra, DijkstraCache, "
                          "Cluster, Star and None are",
                          routing);
}

static int take_cores(struct platform_reader *r)
{
    const char *text = find(r, "core");
    int cores = 1;

    if (text && hitop_text_int(text, 1, 1000000, &cores, NULL) != HITOP_OK) {
        hitop_platform_refuse(r, "core: '%.40s' is not a number from 1 to 1000000", text);
    }
    return cores;
}

static void take_host(struct platform_reader *r)
{
    const int point = r->zone < 0 ? (hitop_platform_refuse(r, "outside a zone"), -1)
                                  : add_point(r, POINT_HOST, require(r, "id"));

    if (point >= 0) {
        r->p->point[point].cores = take_cores(r);
    }
}

/* A new link. */
static void add_link(struct platform_reader *r, const char *name, struct path link)
{
    struct platform *p = r->p;
    int is_new;
    const int index = hitop_text_index_keep(&p->link_names, &p->text, name, &is_new);

    if (index < 0 || !HITOP_GROW(p->link, p->nlinks, p->max_links)) {
        r->status = HITOP_ERR_NOMEM;
    } else if (!is_new) {
        hitop_platform_refuse(r, "a second link '%.80s'", name);
    } else {
        p->link[p->nlinks++] = link;
    }
}

static struct path take_path(struct platform_reader *r, const char *rate, const char *time)
{
    struct path path = {.nlinks = 1};

    path.bandwidth = take_rate(r, rate);
    path.latency = take_time(r, time, "0");
    return path;
}

/* A link of the file by its name; without _UP and _DOWN, which name one direction of it. */
static struct path find_link(struct platform_reader *r, const char *name)
{
    char whole[256];
    const size_t length = strlen(name);
    int index = hitop_text_index_find(&r->p->link_names, name);

    for (int i = 0; i < 2 && index < 0; i++) {
        const char *ending = i == 0 ? "_UP" : "_DOWN";
        const size_t n = strlen(ending);
        if (length > n && length < sizeof(whole) && strcmp(name + length - n, ending) == 0) {
            memcpy(whole, name, length - n);
            whole[length - n] = '\0';
            index = hitop_text_index_find(&r->p->link_names, whole);
        }
    }
    if (index < 0) {
        hitop_platform_refuse(r, "no link '%.80s' stands before this line", name);
        return (struct path){0};
    }
    return r->p->link[index];
}

/* Hosts of a cluster or a cabinet. */
struct hosts {
    struct platform_reader *r;
    const char *prefix, *suffix;
    struct point like;
};

static int add_host(void *data, int number)
{
    const struct hosts *h = data;
    char name[256];
    int point;

    if ((size_t)snprintf(name, sizeof(name), "%s%d%s", h->prefix, number, h->suffix) >=
        sizeof(name)) {
        hitop_platform_refuse(h->r, "a host name of more than %d characters",
                              (int)sizeof(name) - 1);
        return 0;
    }
    point = add_point(h->r, POINT_HOST, name);
    if (point >= 0) {
        const int zone = h->r->p->point[point].zone;
        h->r->p->point[point] = h->like;
        h->r->p->point[point].zone = zone;
    }
    return point >= 0;
}

static void add_hosts(struct platform_reader *r, struct point like)
{
    struct hosts h = {r, require(r, "prefix"), require(r, "suffix"), like};
    const char *radical = require(r, "radical");

    h.like.kind = POINT_HOST;
    h.like.cores = take_cores(r);
    if (r->status == HITOP_OK && !hitop_platform_radical(radical, add_host, &h)) {
        hitop_platform_refuse(r, "radical: '%.60s' is not a list such as 0-3,7", radical);
    }
}

/* Limits of a cluster; SimGrid gives a limiter no latency. */
static void take_limits(struct platform_reader *r, struct point *like)
{
    if (has(r, "limiter_link")) {
        const struct path limiter = {0, take_rate(r, "limiter_link"), 1};
        hitop_path_add(&like->up, &limiter);
        hitop_path_add(&like->down, &limiter);
    }
    if (has(r, "loopback_bw") || has(r, "loopback_lat")) {
        like->loopback = take_path(r, "loopback_bw", "loopback_lat");
    }
}

static void take_cluster(struct platform_reader *r)
{
    const char *topology = find(r, "topology"), *router = find(r, "router_id");
    const char *prefix = require(r, "prefix"), *suffix = require(r, "suffix");
    struct point like = {0};
    char name[256];

    if (topology && !hitop_text_same_name(topology, "FLAT")) {
        hitop_platform_refuse(r, "topology '%.40s' is not supported; FLAT is", topology);
        return;
    }
    open_zone(r, ROUTING_CLUSTER);
    if (r->status != HITOP_OK) {
        return;
    }
    like.up = like.down = take_path(r, "bw", "lat");
    take_limits(r, &like);
    if (has(r, "bb_bw") || (has(r, "bb_lat") && take_time(r, "bb_lat", NULL) > 0)) {
        r->p->zone[r->zone].backbone = take_path(r, "bb_bw", "bb_lat");
    }
    add_hosts(r, like);
    if (router && router[0]) {
        (void)snprintf(name, sizeof(name), "%s", router);
    } else {
        (void)snprintf(name, sizeof(name), "%.80s%.80s_router%.80s", prefix, find(r, "id"), suffix);
    }
    if (r->status == HITOP_OK) {
        (void)add_point(r, POINT_ROUTER, name);
    }
}

static void take_cabinet(struct platform_reader *r)
{
    struct point like = {0};

    if (!is_cluster(r)) {
        hitop_platform_refuse(r, "only in a zone with routing=\"Cluster\"");
        return;
    }
    like.up = like.down = take_path(r, "bw", "lat");
    add_hosts(r, like);
}

static void take_host_link(struct platform_reader *r)
{
    const char *name = require(r, "id");
    const int point = hitop_text_index_find(&r->p->point_names, name);

    if (r->status != HITOP_OK) {
        return;
    }
    if (point < 0 || r->p->point[point].zone != r->zone || !is_cluster(r)) {
        hitop_platform_refuse(r,
                              "'%.80s' is no host before this line in a zone with "
                              "routing=\"Cluster\"",
                              name);
        return;
    }
    r->p->point[point].up = find_link(r, require(r, "up"));
    r->p->point[point].down = find_link(r, require(r, "down"));
}

static void take_backbone(struct platform_reader *r)
{
    const struct path path = take_path(r, "bandwidth", "latency");

    if (!is_cluster(r)) {
        hitop_platform_refuse(r, "only in a zone with routing=\"Cluster\"");
    } else if (r->status == HITOP_OK) {
        r->p->zone[r->zone].backbone = path;
        add_link(r, require(r, "id"), path);
    }
}

static int find_point(struct platform_reader *r, const char *attribute)
{
    const char *name = require(r, attribute);
    const int point = hitop_text_index_find(&r->p->point_names, name);

    if (r->status == HITOP_OK && point < 0) {
        hitop_platform_refuse(r, "%s: no host, router or zone '%.80s' stands before this line",
                              attribute, name);
    }
    return point < 0 ? 0 : point;
}

static void open_route(struct platform_reader *r, int of_zones)
{
    const char *symmetrical = find(r, "symmetrical");

    if (r->zone < 0) {
        hitop_platform_refuse(r, "outside a zone");
        return;
    }
    r->route = (struct route){.zone = r->zone, .line = r->line};
    r->route.from = r->route.gate_from = find_point(r, "src");
    r->route.to = r->route.gate_to = find_point(r, "dst");
    if (of_zones) {
        r->route.gate_from = find_point(r, "gw_src");
        r->route.gate_to = find_point(r, "gw_dst");
        if (r->p->zone[r->zone].routing == ROUTING_SHORTEST) {
            hitop_platform_refuse(r, "routes of zones are supported with routing=\"Full\" only");
        }
    }
    r->is_symmetrical =
        !symmetrical || (strcmp(symmetrical, "NO") != 0 && strcmp(symmetrical, "no") != 0);
    r->in_route = 1;
}

static void close_route(struct platform_reader *r)
{
    struct platform *p = r->p;
    const int both = r->is_symmetrical && r->route.from != r->route.to;

    r->in_route = 0;
    if (r->route.path.nlinks == 0) {
        hitop_platform_refuse(r, "no <link_ctn>");
    }
    for (int i = 0; i <= both && r->status == HITOP_OK; i++) {
        struct route route = r->route;
        if (!HITOP_GROW(p->route, p->nroutes, p->max_routes)) {
            r->status = HITOP_ERR_NOMEM;
            return;
        }
        if (i == 1) {
            route.from = r->route.to;
            route.to = r->route.from;
            route.gate_from = r->route.gate_to;
            route.gate_to = r->route.gate_from;
        }
        p->route[p->nroutes++] = route;
    }
}

/* Options of the network in <config>. */
static void take_prop(struct platform_reader *r)
{
    const char *id = require(r, "id"), *value = require(r, "value");
    const int of_smpi = strcmp(id, "smpi/lat-factor") == 0 || strcmp(id, "smpi/bw-factor") == 0;
    struct factors *factors = NULL;

    if (strcmp(id, "smpi/lat-factor") == 0 || strcmp(id, "network/latency-factor") == 0) {
        factors = &r->p->latency;
    } else if (strcmp(id, "smpi/bw-factor") == 0 || strcmp(id, "network/bandwidth-factor") == 0) {
        factors = &r->p->bandwidth;
    } else if (strcmp(id, "network/model") == 0) {
        r->p->network = hitop_storage_text(&r->p->text, value);
    } else if (strcmp(id, "network/TCP-gamma") == 0 &&
               hitop_text_double(value, 1, 1e300, &r->p->window, NULL) != HITOP_OK) {
        hitop_platform_refuse(r, "%s: '%.60s' is not a number of bytes from 1 on", id, value);
    }
    if (!factors || (r->p->is_smpi && !of_smpi)) {
        return;
    }
    if (of_smpi && !r->p->is_smpi) { /* SMPI has factors of its own */
        r->p->is_smpi = 1;
        r->p->latency.n = r->p->bandwidth.n = 0;
    }
    if (!hitop_platform_factors(value, factors)) {
        hitop_platform_refuse(r, "%s: '%.60s' is neither a factor nor a list such as 0:1;65536:0.9",
                              id, value);
    }
}

static void take_link(struct platform_reader *r)
{
    add_link(r, require(r, "id"), take_path(r, "bandwidth", "latency"));
}

static void take_link_ctn(struct platform_reader *r)
{
    const struct path link = find_link(r, require(r, "id"));

    if (!r->in_route) {
        hitop_platform_refuse(r, "outside a route");
    } else if (r->status == HITOP_OK) {
        hitop_path_add(&r->route.path, &link);
    }
}

static void take_router(struct platform_reader *r)
{
    if (r->zone < 0) {
        hitop_platform_refuse(r, "outside a zone");
    } else {
        (void)add_point(r, POINT_ROUTER, require(r, "id"));
    }
}

static void take_route(struct platform_reader *r)
{
    open_route(r, 0);
}

static void take_zone_route(struct platform_reader *r)
{
    open_route(r, 1);
}

static void take_config(struct platform_reader *r)
{
    r->in_config = 1;
}

static void take_platform(struct platform_reader *r)
{
    const char *version = find(r, "version");

    if (version && version[0] != '4') {
        hitop_platform_refuse(
            r, "version '%.20s'; 4 and 4.1 are supported (simgrid_update_xml converts)", version);
    }
}

static const struct {
    const char *name;
    void (*take)(struct platform_reader *r);
} elements[] = {
    {"platform", take_platform},
    {"config", take_config},
    {"zone", take_zone},
    {"AS", take_zone},
    {"cluster", take_cluster},
    {"cabinet", take_cabinet},
    {"host", take_host},
    {"router", take_router},
    {"link", take_link},
    {"backbone", take_backbone},
    {"host_link", take_host_link},
    {"route", take_route},
    {"zoneRoute", take_zone_route},
    {"ASroute", take_zone_route},
    {"link_ctn", take_link_ctn},
};

/* Without effect on routes; with all that is in them. */
static const char *const skipped[] = {"prop",  "argument", "actor",        "process",
                                      "trace", "storage",  "storage_type", "mount",
                                      "disk",  "mstorage", "model_prop",   "cluster_prop"};

void hitop_platform_element_begin(struct platform_reader *r)
{
    r->depth++;
    if (r->skips > 0) {
        return;
    }
    if (r->depth == 1 && strcmp(r->element, "platform") != 0) {
        hitop_platform_refuse(r, "a platform file begins with <platform>");
        return;
    }
    if (r->in_config && strcmp(r->element, "prop") == 0) {
        take_prop(r);
        return;
    }
    for (size_t i = 0; i < sizeof(elements) / sizeof(elements[0]); i++) {
        if (strcmp(r->element, elements[i].name) == 0) {
            elements[i].take(r);
            return;
        }
    }
    for (size_t i = 0; i < sizeof(skipped) / sizeof(skipped[0]); i++) {
        if (strcmp(r->element, skipped[i]) == 0) {
            r->skips = r->depth;
            return;
        }
    }
    hitop_platform_refuse(r, "not supported, because it can change routes");
}

void hitop_platform_element_end(struct platform_reader *r)
{
    static const char *const zones[] = {"zone", "AS", "cluster"};

    if (r->skips > 0) {
        r->skips = r->skips == r->depth ? 0 : r->skips;
        r->depth--;
        return;
    }
    r->depth--;
    for (size_t i = 0; i < sizeof(zones) / sizeof(zones[0]) && r->zone >= 0; i++) {
        if (strcmp(r->element, zones[i]) == 0) {
            r->zone = r->p->zone[r->zone].parent;
            return;
        }
    }
    if (strcmp(r->element, "config") == 0) {
        r->in_config = 0;
    } else if (r->in_route && strstr(r->element, "oute") && strcmp(r->element, "router") != 0) {
        close_route(r);
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * format_simgrid.c - a SimGrid platform: a zone for each group, with its latency and bandwidth.
 *
 * Formula: latency and bandwidth as in sim_wires.h; without factors latency = T(0) - 16 /
 * bandwidth, and the bandwidth is that of the slope of T between 64 KiB and 1 MiB. A message
 * crosses the link of the smallest group around both ranks, which messages do not share, and the
 * links into and out of the groups inside, which they share: of the capacity of the group times the
 *          bandwidth around it, of one message where a capacity between hosts is unknown.
 * Use:     smpirun -np N -platform FILE -hostfile HOSTS PROGRAM; the format simgrid-hosts makes
 * HOSTS. Source:  SimGrid 3.32, src/surf/xml/simgrid.dtd.
 */
#include <config.h>

#include "tools/export/export.h"
#include "tools/export/sim_hosts.h"
#include "tools/export/sim_wires.h"

#include "hitop/text.h"
#include "src/markup.h"

#include <math.h>
#include <string.h>

/* What is written: a model, and the factors of its links. */
struct sim {
    const struct hitop_model *model;
    struct sim_factors factors;
};

/* Print a number as an attribute with its unit. */
static void put_number(FILE *to, const char *name, double value, const char *unit)
{
    char text[32];

    hitop_text_format_number(value, 17, text, sizeof(text));
    fprintf(to, " %s=\"%s%s\"", name, text, unit);
}

static void put_link(FILE *to, struct sim_wire wire, const char *policy)
{
    put_number(to, "latency", wire.latency, "s");
    put_number(to, "bandwidth", wire.bandwidth, "Bps");
    fprintf(to, " sharing_policy=\"%s\"/>\n", policy);
}

/* The id of a zone: its level and number. */
static void put_zone_id(const struct hitop_hierarchy *h, int node, FILE *to)
{
    const char *level = hitop_hierarchy_level(h, node);

    hitop_markup_put(to, level[0] ? level : "group");
    fprintf(to, "-%d", node);
}

/* The netpoint through which messages leave a zone. */
static void put_gateway(const struct hitop_model *model, int node, FILE *to)
{
    if (sim_is_host(model, node)) {
        sim_put_host(model, node, to, hitop_markup_put);
    } else {
        put_zone_id(hitop_model_hierarchy(model), node, to);
        fputs("-router", to);
    }
}

/* The bandwidth of the links between a member and the fastest of the others. */
static double fastest(const struct sim *sim, const int *member, int count, int i)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(sim->model);
    double bandwidth = 0;

    for (int j = 0; j < count; j++) {
        if (j != i) {
            const int a = hitop_hierarchy_first_rank(h, member[i]);
            const int b = hitop_hierarchy_first_rank(h, member[j]);
            bandwidth = fmax(bandwidth, sim_wire_of(sim->model, &sim->factors, a, b).bandwidth);
        }
    }
    return bandwidth;
}

/* Concurrent messages at full speed over the link out of a member; INFINITY: it is not shared. */
static double capacity_of(const struct hitop_hierarchy *h, const int *member, int count, int i)
{
    const double known = hitop_hierarchy_capacity(h, member[i]);
    const int first = hitop_hierarchy_first_rank(h, member[i]);

    for (int j = 0; j < count && !(known > 0); j++) {
        if (!hitop_hierarchy_share_host(h, first, hitop_hierarchy_first_rank(h, member[j]))) {
            return 1;
        }
    }
    return known > 0 ? known : INFINITY;
}

static void put_contents(const struct sim *sim, int node, FILE *to);

/* Begin a zone with what is in it. */
static void put_zone(const struct sim *sim, int node, FILE *to)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(sim->model);

    fputs("<zone id=\"", to);
    put_zone_id(h, node, to);
    fputs("\" routing=\"Full\">\n", to);
    put_contents(sim, node, to);
    fputs("</zone>\n", to);
}

/* A zone of one simulated host, whose ranks use its memory. */
static void put_host(const struct sim *sim, int node, FILE *to)
{
    const struct hitop_model *model = sim->model;
    const struct hitop_hierarchy *h = hitop_model_hierarchy(model);
    int count;
    const int *member = hitop_hierarchy_children(h, node, &count);

    fputs("<host id=\"", to);
    sim_put_host(model, node, to, hitop_markup_put);
    fprintf(to, "\" speed=\"1Gf\" core=\"%d\"/>\n", count > 1 ? count : 1);
    if (count > 1) {
        fputs("<link id=\"memory-", to);
        put_zone_id(h, node, to);
        fputc('"', to);
        put_link(to, sim_wire_of(model, &sim->factors, member[0], member[1]), "FATPIPE");
        fputs("<route src=\"", to);
        sim_put_host(model, node, to, hitop_markup_put);
        fputs("\" dst=\"", to);
        sim_put_host(model, node, to, hitop_markup_put);
        fputs("\" symmetrical=\"NO\"><link_ctn id=\"memory-", to);
        put_zone_id(h, node, to);
        fputs("\"/></route>\n", to);
    }
}

/* Use of the link between a member and the outside; nothing if it is not shared. */
static int put_uplink(const struct hitop_hierarchy *h, const int *member, int count, int i,
                      const char *direction, FILE *to)
{
    if (!(capacity_of(h, member, count, i) < INFINITY)) {
        return 0;
    }
    fputs("<link_ctn id=\"uplink-", to);
    put_zone_id(h, member[i], to);
    fprintf(to, "\" direction=\"%s\"/>", direction);
    return 1;
}

static void put_uplinks(const struct sim *sim, const int *member, int count, FILE *to)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(sim->model);

    for (int i = 0; i < count; i++) {
        const double capacity = capacity_of(h, member, count, i);
        if (capacity < INFINITY) {
            fputs("<link id=\"uplink-", to);
            put_zone_id(h, member[i], to);
            fputc('"', to);
            put_link(to, (struct sim_wire){0, capacity * fastest(sim, member, count, i)},
                     "SPLITDUPLEX");
        }
    }
}

/* Whether all links of a group have one price. */
static int is_uniform(const struct hitop_model *model, int a, int b)
{
    const struct hitop_class *c = hitop_model_class_of(model, a, b);

    return c->between[0] == c->between[1] && hitop_model_nprocessors(model) < 2;
}

/* The link between members i and j: one for all, or one for each two. */
static void put_link_id(const struct hitop_hierarchy *h, int node, int i, int j, int uniform,
                        FILE *to)
{
    fputs("\"link-", to);
    put_zone_id(h, node, to);
    if (!uniform) {
        fprintf(to, "-%d-%d", i, j);
    }
    fputc('"', to);
}

/* Begin a route between two members of a group, or from a member to the router of the group. */
static void put_route(const struct hitop_model *model, int from, int to_node, int is_router,
                      FILE *to)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(model);

    fputs("<zoneRoute src=\"", to);
    put_zone_id(h, from, to);
    fputs("\" dst=\"", to);
    put_zone_id(h, to_node, to);
    fputs(is_router ? "-gate\" gw_src=\"" : "\" gw_src=\"", to);
    put_gateway(model, from, to);
    fputs("\" gw_dst=\"", to);
    put_gateway(model, to_node, to);
    fputs("\">", to);
}

/* The links of a group: into and out of its members, and between them. */
static void put_links(const struct sim *sim, int node, const int *member, int count, FILE *to)
{
    const struct hitop_model *model = sim->model;
    const struct hitop_hierarchy *h = hitop_model_hierarchy(model);

    put_uplinks(sim, member, count, to);
    for (int i = 0; i < count; i++) {
        const int a = hitop_hierarchy_first_rank(h, member[i]);
        for (int j = i + 1; j < count; j++) {
            const int b = hitop_hierarchy_first_rank(h, member[j]);
            const int uniform = is_uniform(model, a, b);
            if (!uniform || (i == 0 && j == 1)) {
                fputs("<link id=", to);
                put_link_id(h, node, i, j, uniform, to);
                put_link(to, sim_wire_of(model, &sim->factors, a, b), "FATPIPE");
            }
        }
    }
    fputs("<link id=\"free-", to);
    put_zone_id(h, node, to);
    fputc('"', to);
    put_link(to, (struct sim_wire){0, 1e15}, "FATPIPE");
}

static void put_routes(const struct hitop_model *model, int node, const int *member, int count,
                       FILE *to)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(model);

    for (int i = 0; i < count; i++) {
        const int a = hitop_hierarchy_first_rank(h, member[i]);
        for (int j = i + 1; j < count; j++) {
            const int b = hitop_hierarchy_first_rank(h, member[j]);
            put_route(model, member[i], member[j], 0, to);
            (void)put_uplink(h, member, count, i, "UP", to);
            fputs("<link_ctn id=", to);
            put_link_id(h, node, i, j, is_uniform(model, a, b), to);
            fputs("/>", to);
            (void)put_uplink(h, member, count, j, "DOWN", to);
            fputs("</zoneRoute>\n", to);
        }
    }
}

/* The ways of members to the router of their group, which is a zone of its own. */
static void put_routes_out(const struct hitop_model *model, int node, const int *member, int count,
                           FILE *to)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(model);

    for (int i = 0; i < count; i++) {
        put_route(model, member[i], node, 1, to);
        if (!put_uplink(h, member, count, i, "UP", to)) {
            fputs("<link_ctn id=\"free-", to);
            put_zone_id(h, node, to);
            fputs("\"/>", to);
        }
        fputs("</zoneRoute>\n", to);
    }
}

/* Zones come before links, and links before routes. */
static void put_contents(const struct sim *sim, int node, FILE *to)
{
    const struct hitop_model *model = sim->model;
    const struct hitop_hierarchy *h = hitop_model_hierarchy(model);
    int count;
    const int *member = hitop_hierarchy_children(h, node, &count);
    const int is_inner = node != hitop_hierarchy_root(h);

    if (sim_is_host(model, node)) {
        put_host(sim, node, to);
        return;
    }
    for (int i = 0; i < count; i++) {
        put_zone(sim, member[i], to);
    }
    if (is_inner) {
        fputs("<zone id=\"", to);
        put_zone_id(h, node, to);
        fputs("-gate\" routing=\"Full\"><router id=\"", to);
        put_zone_id(h, node, to);
        fputs("-router\"/></zone>\n", to);
    }
    put_links(sim, node, member, count, to);
    put_routes(model, node, member, count, to);
    if (is_inner) {
        put_routes_out(model, node, member, count, to);
    }
}

/* Factors of SMPI: those from 0 on first. A factor is for sizes above its own. */
static void put_factors(const char *name, const struct sim_factors *f, const double *factor,
                        FILE *to)
{
    fprintf(to, "<prop id=\"%s\" value=\"0:", name);
    for (int k = 0; k < f->n; k++) {
        char text[32];
        if (k > 0) {
            fprintf(to, ";%zu:", f->from[k] + SIM_HEADER - 1);
        }
        hitop_text_format_number(factor[k], 17, text, sizeof(text));
        fputs(text, to);
    }
    fputs("\"/>\n", to);
}

/* The limit of eager sends: of the outermost group that has one. */
static size_t find_eager(const struct hitop_model *model)
{
    size_t eager = 0;

    for (int i = 0; i < hitop_model_nclasses(model); i++) {
        const struct hitop_class *c = hitop_model_class(model, i);
        if (c->has_eager) {
            eager = c->eager < (1u << 30) ? c->eager : 1u << 30; /* the outermost group is last */
        }
    }
    return eager;
}

/* Options of SMPI: only factors of the model, and the limit of eager sends. */
static void put_config(const struct sim *sim, FILE *to)
{
    const size_t eager = find_eager(sim->model);

    fputs("<config>\n", to);
    put_factors("smpi/bw-factor", &sim->factors, sim->factors.bandwidth, to);
    put_factors("smpi/lat-factor", &sim->factors, sim->factors.latency, to);
    fprintf(to,
            "<prop id=\"network/TCP-gamma\" value=\"1e20\"/>\n"
            "<prop id=\"network/weight-S\" value=\"0\"/>\n"
            "<prop id=\"network/crosstraffic\" value=\"no\"/>\n"
            "<prop id=\"smpi/async-small-thresh\" value=\"%zu\"/>\n"
            "<prop id=\"smpi/send-is-detached-thresh\" value=\"%zu\"/>\n</config>\n",
            eager, eager);
}

/* How the times of the platform differ from those of the model. */
static void put_limits(const struct sim_factors *f, FILE *to)
{
    if (f->n > 1) {
        fprintf(to, "\nTimes change with the size by smpi/lat-factor and smpi/bw-factor.");
    } else if (f->error > 1e-3) {
        fprintf(to,
                "\nOne line per link: latency of 0 bytes, bandwidth from 64 KiB to 1 MiB. Times "
                "of other\nsizes differ from the model by up to %.2g %%: factors of SMPI hold for "
                "all links, and the\nlinks of this model have no factors in common.",
                100 * f->error);
    }
}

static enum hitop_status write_simgrid(const struct export_request *r, FILE *to,
                                       struct hitop_diag *diag)
{
    const int root = hitop_hierarchy_root(hitop_model_hierarchy(r->model));
    struct sim sim = {.model = r->model};

    (void)diag;
    sim_factors_find(r->model, &sim.factors);
    fputs("<?xml version=\"1.0\"?>\n"
          "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<!-- ",
          to);
    export_put_origin(r, "", "SimGrid platform", to);
    fprintf(to,
            ".\nsmpirun -np %d -platform FILE -hostfile HOSTS PROGRAM; the format simgrid-hosts is "
            "HOSTS.",
            hitop_model_nranks(r->model));
    put_limits(&sim.factors, to);
    fputs(" -->\n<platform version=\"4.1\">\n", to);
    put_config(&sim, to);
    fputs("<zone id=\"world\" routing=\"Full\">\n", to);
    put_contents(&sim, root, to);
    fputs("</zone>\n</platform>\n", to);
    return HITOP_OK;
}

const struct export_format hitop_format_simgrid = {
    .name = "simgrid",
    .summary = "platform of SimGrid",
    .ending = "xml",
    .software = "SimGrid",
    .oldest = {3, 32, -1},
    .newest = {3, 36, -1},
    .write = write_simgrid,
};

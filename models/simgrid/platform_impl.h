/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PLATFORM_IMPL_H
#define PLATFORM_IMPL_H

/* platform_impl.h - the contents of a platform file. */

#include "hierarchy/text/text_index.h"

enum { PLATFORM_HEADER = 16, PLATFORM_MAX_FACTORS = 64, PLATFORM_MAX_HOSTS = 1000000 };
enum { PLATFORM_WINDOW = 4194304 }; /* SimGrid's default of network/TCP-gamma */

/* Links in a row: the sum of latencies in seconds, the least bandwidth in bytes per second. */
struct path {
    double latency, bandwidth;
    int nlinks;
};

enum routing { ROUTING_FULL, ROUTING_SHORTEST, ROUTING_CLUSTER, ROUTING_NONE };
enum point_kind { POINT_HOST, POINT_ROUTER, POINT_ZONE };

/* A host, a router or a zone, by its name. */
struct point {
    enum point_kind kind;
    int zone;                       /* in which it is; -1: the outermost zone */
    int zone_is;                    /* of a zone: its number */
    int cores;                      /* of a host */
    struct path up, down, loopback; /* in a cluster; loopback.nlinks 0: none */
};

struct zone {
    int point, parent, depth, line; /* parent -1: none */
    enum routing routing;
    struct path backbone; /* nlinks 0: none */
};

/* The links between two points of a zone. */
struct route {
    int zone, from, to;     /* points */
    int gate_from, gate_to; /* hosts or routers through which it leaves and enters */
    int line;
    struct path path;
};

/* Factors for messages larger than a size. */
struct factors {
    int n;
    double above[PLATFORM_MAX_FACTORS], value[PLATFORM_MAX_FACTORS];
};

struct platform {
    const char *file; /* for messages */
    struct storage text;
    struct text_index point_names, link_names;
    struct point *point;
    struct path *link;
    struct zone *zone;
    struct route *route; /* after reading sorted by zone, from, to */
    int npoints, max_points, nlinks, max_links, nzones, max_zones, nroutes, max_routes;
    int is_smpi;                       /* 1: the factors are those of SMPI */
    const char *network;               /* name of the model of the network, or NULL */
    struct factors latency, bandwidth; /* n 0: not given */
    double window; /* bytes of a TCP window: the most that a message carries in two latencies */
};

/* Read a file. The caller clears *p in any case. */
enum hitop_status hitop_platform_read(const char *path, struct platform *p,
                                      struct hitop_diag *diag);
void hitop_platform_clear(struct platform *p);

/* Sort the routes and check them; find shortest paths. */
enum hitop_status hitop_platform_seal(struct platform *p, struct hitop_diag *diag);

/* The links from one host to another, or to itself. */
enum hitop_status hitop_platform_path(const struct platform *p, int from, int to, struct path *out,
                                      struct hitop_diag *diag);

/* Add links behind others. */
void hitop_path_add(struct path *path, const struct path *more);

/* Numbers with SimGrid's units. Return 0 if text is none. */
int hitop_platform_time(const char *text, double *seconds);
int hitop_platform_rate(const char *text, double *bytes_per_second);

/* Factors "0:1;65536:0.9", or one number. Returns 0 if text has another form. */
int hitop_platform_factors(const char *text, struct factors *out);

/* Call visit for each number of "0-3,7". Returns 0 if text has another form or visit returns 0. */
int hitop_platform_radical(const char *text, int (*visit)(void *data, int number), void *data);

#endif /* PLATFORM_IMPL_H */

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef NEST_H
#define NEST_H

/* nest.h - nested groups of hosts while they are being found. */

#include "models/discover/discovery.h"

/* A host, or a group of which one host speaks for all. */
struct unit {
    int host;
    int group; /* -1: the host itself */
};

struct nest_group {
    int parent;   /* -1: the outermost one, or not yet placed */
    int speaker;  /* a host in it, which speaks for the group inside that holds it, too */
    double x, se; /* logarithm of the latency between its members, error; x is NAN when unknown */
    int is_fixed; /* may not be dissolved */
    int is_open;  /* its members may form groups that were not found */
    int is_gone;
};

struct nest {
    int nhosts, ngroups, max_groups;
    struct nest_group *group;
    int *home; /* per host: its group, or -1 while not yet placed */
};

/* 0 when out of memory. Clear in any case. */
int hitop_nest_init(struct nest *nest, int nhosts);

void hitop_nest_clear(struct nest *nest);

/* A new group in another one, or -1 for none yet; returns its index, or -1 when out of memory. */
int hitop_nest_add(struct nest *nest, int parent, int speaker, double x, double se);

void hitop_nest_place(struct nest *nest, struct unit unit, int group);

/* The groups and hosts directly in a group, by first host; room for nhosts units. Returns how
 * many. */
int hitop_nest_members(const struct nest *nest, int group, struct unit *members);

/* Take a group away; its members are not placed, or go to another group. */
void hitop_nest_dissolve(struct nest *nest, int group, int heir);

/* The innermost group of two hosts. */
int hitop_nest_meet(const struct nest *nest, int a, int b);

/* Dissolve what is not nearer than what is around it by at least step. */
void hitop_nest_tidy(struct nest *nest, double step);

/* Parents first; confidence from the gaps, share of checked pairs that fit. Clear out in any
 * case. */
enum hitop_status hitop_nest_export(const struct nest *nest, double share,
                                    struct hitop_host_groups *out, struct hitop_diag *diag);

#endif /* NEST_H */

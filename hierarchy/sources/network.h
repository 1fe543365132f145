/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef NETWORK_H
#define NETWORK_H

/*
 * network.h - named switches with hosts below them, as a file describes them, become groups of
 * hosts.
 *
 * Statements come in any order: a switch is made when it is first named, may be named before it is
 * described, and hosts that the job does not have are ignored. Then hitop_network_push() checks the
 * whole and pushes the groups of every host, from the outermost switch inwards.
 *
 * The stage of a switch is 0 when no switch is below it, else one more than the highest stage below
 * it. At each stage hosts with the same set of switches above them share a group. In a tree that
 * set has one member, and the group is called after it. Where a host has several leaf switches
 * (rails), or a switch has several switches above it (spines of a fat tree), the group is called
 * after them all, "leaf[1-8]"; so hosts of a rail-optimised rack share a group, and leaf switches
 * that share all their spines do.
 *
 * The first failure is remembered, everything after it does nothing, and hitop_network_push()
 * reports it.
 *
 *     struct network *net = hitop_network_new(in->place, in->nplaces, &rules);
 *     int leaf = hitop_network_switch(net, NULL, "leaf7", 3);
 *     hitop_network_attach_list(net, "n[01-16]", leaf, 3);
 *     hitop_network_link(net, leaf, hitop_network_switch(net, NULL, "spine", 4), 4);
 *     status = hitop_network_push(net, paths, 1, diag);
 *     hitop_network_free(net);
 */

#include "hitop/sys/source.h"

/* Opaque. */
struct network;

/*
 * What a file may say. Lent until hitop_network_free(), and may change until hitop_network_push().
 */
struct network_rules {
    const char *file;  /* for messages */
    const char *level; /* of switches made without one: "switch" at stage 0, "switch2" above, ... */
    const char *what;  /* what one is called in messages, e.g. "switch", "block" */
    int many_parents;  /* 1: a switch may be below several */
    int many_rails;    /* 1: a host may be attached to several that are not below each other */
    /* 1: a switch that hitop_network_describe() never mentions is a mistake */
    int must_be_described;

    /* Is warned when some hosts have rails and most have none, which looks like a slip; or NULL. */
    const struct hitop_grouping *how;
};

/* NULL when out of memory. The places must live as long. */
struct network *hitop_network_new(const struct hitop_place *place, int nplaces,
                                  const struct network_rules *rules);

/* Release. NULL is allowed. */
void hitop_network_free(struct network *net);

/*
 * The switch of that level and name, made if need be; valid to pass on even after a failure.
 *
 * level  copied; or NULL: it follows from the stage
 * name   copied; case counts
 * line   where the file says so, for messages; 0: nowhere in particular
 */
int hitop_network_switch(struct network *net, const char *level, const char *name, int line);

/* The name of a switch; lent until hitop_network_free(). */
const char *hitop_network_name(const struct network *net, int node);

/* The file says now what the switch is; a second time is a mistake. */
void hitop_network_describe(struct network *net, int node, int line);

/* Put a switch below another. Saying it again changes nothing. */
void hitop_network_link(struct network *net, int child, int parent, int line);

/*
 * Put the hosts of a list such as "n[01-16],login" below a switch. Saying it of a switch further up as well changes
 * nothing.
 */
void hitop_network_attach_list(struct network *net, const char *list, int node, int line);

/* Put the switches of a list below another. */
void hitop_network_link_list(struct network *net, const char *list, int parent, int line);

/*
 * The text of another file begins, as one that includes others does: its line i is line i + what is
 * returned from now on, and messages name its file.
 *
 * name  copied
 */
int hitop_network_begin_file(struct network *net, const char *name, const char *text);

/* Room for what hitop_network_say_line() says. */
enum { NETWORK_LINE = 128 };

/* "line 7", or "line 7 of FILE" where that is another file than the one with the line at hand. */
const char *hitop_network_say_line(const struct network *net, int line, int at_hand, char *out,
                                   size_t length);

/* Fail with "file:line: " and the message, unless something failed before; line 0: "file: ". */
void hitop_network_fail(struct network *net, int line, const char *fmt, ...) HITOP_PRINTF(3, 4);

/* What failed so far. */
enum hitop_status hitop_network_status(const struct network *net);

/*
 * Check what was said and push the groups of all hosts of the job that were attached.
 *
 * HITOP_ERR_FORMAT  a switch is below itself, below two switches or never described; a host is attached
 *                   twice; a list is wrong; or whatever hitop_network_fail() was told
 * HITOP_ERR_NOMEM
 */
HITOP_MUST_CHECK enum hitop_status hitop_network_push(struct network *net,
                                                      struct hitop_paths *paths, double confidence,
                                                      struct hitop_diag *diag);

#endif /* NETWORK_H */

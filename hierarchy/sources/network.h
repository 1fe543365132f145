/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef NETWORK_H
#define NETWORK_H

/*
 * network.h - make groups of hosts from switches that a file describes.
 *
 * Statements may be in any order: a switch may be named before it is described. Hosts that the job
 * does not have are ignored. hitop_network_push() checks the network and pushes the groups of every
 * host, from the outermost switch inwards.
 *
 * The stage of a switch is 0 if no switch is below it, else one more than the highest stage below
 * it. At each stage hosts with the same set of switches above them share a group. In a tree that
 * set has one member, which names the group. If a host has several leaf switches (rails), or a
 * switch has several switches above it (spines of a fat tree), the name has all of them,
 * "leaf[1-8]": hosts of a rail-optimised rack share a group, and so do the hosts below leaf
 * switches with the same spines.
 *
 * After the first failure all calls do nothing, and hitop_network_push() reports it.
 *
 *     struct network net = {.in = in, .rules = &rules};
 *     int leaf = hitop_network_switch(&net, NULL, "leaf7", 3);
 *     hitop_network_attach_list(&net, "n[01-16]", leaf, 3);
 *     hitop_network_link(&net, leaf, hitop_network_switch(&net, NULL, "spine", 4), 4);
 *     status = hitop_network_push(&net, paths, 1, diag);
 *     hitop_network_clear(&net);
 */

#include "hierarchy/text/text_index.h"
#include "hitop/sys/source.h"

/* What a file may contain. The caller may change the rules until hitop_network_push(). */
struct network_rules {
    const char *file;      /* for messages */
    const char *level;     /* of switches without one: "switch" at stage 0, "switch2" above, ... */
    const char *what;      /* word for a switch in messages, e.g. "switch", "block" */
    int many_parents;      /* 1: a switch may be below several */
    int many_rails;        /* 1: a host may be attached to several that are not below each other. If
                              fewer than half of the hosts are, that is most likely a mistake, and
                              there is a warning */
    int must_be_described; /* 1: hitop_network_describe() has to be called for each switch */
};

struct network_node {
    const char *level; /* NULL: follows from the stage */
    const char *name;
    int line;      /* the first one that names it */
    int described; /* line with its description, or 0 */
};

/* A switch below a switch, or a place of the job below one. */
struct network_link {
    int child, parent, line;
};

/* A file whose first line is base + 1. */
struct network_file {
    const char *name;
    int base;
};

/* The caller sets the first two members; all others are zero. */
struct network {
    const struct hitop_source_input *in;
    const struct network_rules *rules;

    struct network_node *node;
    struct network_link *link, *attachment;
    int nnodes, nlinks, nattachments;
    int max_nodes, max_links, max_attachments;
    struct network_file *file; /* empty: all lines are those of rules->file */
    int nfiles, max_files, nlines;
    struct text_index index; /* of "level\tname"; the number of a text is the index of its node */
    struct storage text;

    enum hitop_status status; /* of the first failure */
    struct hitop_diag diag;   /* its message */
};

void hitop_network_clear(struct network *net);

/*
 * Return the switch with this level and name; add it if it is new. After a failure the result is a
 * number that the other functions accept.
 *
 * level  copied; or NULL: it follows from the stage
 * name   copied; case counts
 * line   of the file, for messages; 0: none
 */
int hitop_network_switch(struct network *net, const char *level, const char *name, int line);

/* Note that the file describes the switch at this line; a second description is an error. */
void hitop_network_describe(struct network *net, int node, int line);

/* Put a switch below another one; a repetition has no effect. */
void hitop_network_link(struct network *net, int child, int parent, int line);

/*
 * Put the hosts of a list such as "n[01-16],login" below a switch. The same hosts may also be in
 * lists of switches above it.
 */
void hitop_network_attach_list(struct network *net, const char *list, int node, int line);

/* Put the switches of a list below another. */
void hitop_network_link_list(struct network *net, const char *list, int parent, int line);

/*
 * Begin with another file, for files that include others. The other functions expect line i of its
 * text as i plus the returned number; messages contain the name of the file.
 *
 * name  copied
 */
int hitop_network_begin_file(struct network *net, const char *name, const char *text);

/* The file of a line; *line becomes the number in that file. */
const char *hitop_network_locate(const struct network *net, int *line);

/* A place in a message: "line 7", or "line 7 of FILE" if line at_hand is in another file. */
struct network_line {
    char text[128];
};

struct network_line hitop_network_say_line(const struct network *net, int line, int at_hand);

/* Fail with "file:line: " and the message, unless something failed before; line 0: "file: ". */
void hitop_network_fail(struct network *net, int line, const char *fmt, ...) HITOP_PRINTF(3, 4);

/*
 * Check the network and push the groups of all attached hosts of the job.
 *
 * HITOP_ERR_FORMAT  a switch is below itself, below two switches or not described; a host is
 *                   attached twice; a list is wrong; or a failure by hitop_network_fail()
 * HITOP_ERR_NOMEM   without a message
 */
HITOP_MUST_CHECK enum hitop_status hitop_network_push(struct network *net,
                                                      struct hitop_paths *paths, double confidence,
                                                      struct hitop_diag *diag);

#endif /* NETWORK_H */

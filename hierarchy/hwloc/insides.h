/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef INSIDES_H
#define INSIDES_H

/*
 * insides.h - place the ranks of a list inside hosts that are described.
 *
 * The ranks of a host are bound to its cores in order, as mpirun --map-by core --bind-to core binds
 * them. If the list has the package of a rank, the rank is bound to that package instead.
 */

#include "hierarchy/hwloc/inside.h"

/* The description of some hosts. */
struct insides_entry {
    char *hosts; /* list of names, or NULL: all that no other entry names */
    struct inside inside;
};

/* All zero at first. */
struct insides {
    int n;
    struct insides_entry *entry;
};

/* Reasons for warnings. */
struct insides_report {
    const char *stranger; /* a described host that the list does not have, or NULL */
    char name[256];       /* its text */
    const char *full;     /* a host with more ranks than cores, whose ranks are unbound, or NULL */
    int nranks, ncores;   /* of that host */
    int nfull;            /* number of such hosts */
};

/*
 * Add "[HOSTS=]SPEC": what stands before the first '=' names hosts, as in n[1-4,7], unless there is
 * a blank, a '(' or a '/' in it; for SPEC see hitop_inside_read().
 *
 * HITOP_ERR_INVALID  no such hosts or description, or a second one for all hosts
 * HITOP_ERR_IO, HITOP_ERR_FORMAT  a file that is not good
 */
HITOP_MUST_CHECK enum hitop_status hitop_insides_add(struct insides *all, const char *argument,
                                                     struct hitop_diag *diag);

/*
 * Give each place the facts about its host and, unless hardware_only, the numbers of its parts.
 * Facts are lent by all.
 *
 * HITOP_ERR_INVALID  a host is described twice; or a package that its host does not have
 */
HITOP_MUST_CHECK enum hitop_status
hitop_insides_lay_out(const struct insides *all, int hardware_only, struct hitop_place *place,
                      int nplaces, struct insides_report *report, struct hitop_diag *diag);

/* Release and empty it. */
void hitop_insides_clear(struct insides *all);

#endif /* INSIDES_H */

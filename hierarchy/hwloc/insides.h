/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef INSIDES_H
#define INSIDES_H

/*
 * insides.h - place ranks of a list of hosts, for which there is no job, inside described hosts.
 *
 * The ranks of a host are placed on its cores in order, as mpirun --map-by core --bind-to core
 * binds them. If the list contains the package of a rank, the rank is placed on that package
 * instead.
 */

#include "hierarchy/hwloc/inside.h"

/* One description, and the hosts to which it applies. */
struct insides_entry {
    char *hosts; /* list of names; NULL: all hosts that no other entry names */
    struct inside inside;
};

/* All descriptions. All zero is empty. */
struct insides {
    int n;
    struct insides_entry *entry;
};

/* Facts about which the caller warns. */
struct insides_report {
    const char *stranger; /* a described host that is not in the list, or NULL */
    char name[256];       /* memory of stranger */
    const char *full;     /* a host with more ranks than cores, whose ranks are unbound, or NULL */
    int nranks, ncores;   /* of host full */
    int nfull;            /* number of such hosts */
};

/*
 * Add "[HOSTS=]SPEC". HOSTS is a list such as n[1-4,7]; there is none if a blank, a '(' or a '/'
 * comes before the first '='. For SPEC see hitop_inside_read(), also for its errors.
 *
 * HITOP_ERR_INVALID  also for a second description of all hosts
 */
HITOP_MUST_CHECK enum hitop_status hitop_insides_add(struct insides *all, const char *argument,
                                                     struct hitop_diag *diag);

/*
 * Store in each place the facts about its host and, unless hardware_only, the numbers of its parts.
 * The facts stay in the memory of *all.
 *
 * HITOP_ERR_INVALID  a list of hosts is wrong, a host is described twice, or a rank is on a package
 *                    that its host does not have or that must not be used
 */
HITOP_MUST_CHECK enum hitop_status
hitop_insides_lay_out(const struct insides *all, int hardware_only, struct hitop_place *place,
                      int nplaces, struct insides_report *report, struct hitop_diag *diag);

/* Release all descriptions; *all is empty afterwards. */
void hitop_insides_clear(struct insides *all);

#endif /* INSIDES_H */

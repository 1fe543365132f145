/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef INSIDES_H
#define INSIDES_H

/*
 * insides.h - put the ranks of a list where a launcher would put them in hosts that are described.
 *
 * The ranks of a host take its cores in turn, as mpirun --map-by core --bind-to core has them.
 * Where the list says the package of a rank, the rank is bound to that package instead.
 */

#include "hierarchy/hwloc/inside.h"

/* What some hosts are like inside. */
struct insides_entry {
    char *hosts; /* list of names, or NULL: all that no other entry names */
    struct inside inside;
};

/* All zero at first. */
struct insides {
    int n;
    struct insides_entry *entry;
};

/* What is worth a warning. */
struct insides_report {
    const char *stranger; /* a name that no host of the list has, or NULL */
    char name[256];       /* behind it */
    const char *full;     /* a host with more ranks than cores, whose ranks stay unbound, or NULL */
    int nranks, ncores;   /* of that host */
    int nfull;            /* how many hosts are like that */
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
 * Give each place the facts about its host, and the numbers of its parts unless hardware_only. What
 * they point to lives as long as all.
 *
 * HITOP_ERR_INVALID  a host is described twice; or a package that its host does not have
 */
HITOP_MUST_CHECK enum hitop_status
hitop_insides_lay_out(const struct insides *all, int hardware_only, struct hitop_place *place,
                      int nplaces, struct insides_report *report, struct hitop_diag *diag);

/* Release everything; it is empty afterwards. */
void hitop_insides_clear(struct insides *all);

#endif /* INSIDES_H */

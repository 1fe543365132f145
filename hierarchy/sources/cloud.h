/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CLOUD_H
#define CLOUD_H

/* cloud.h - instances in a file of a cloud: their names and their groups. */

#include "hierarchy/text/storage.h"

enum { CLOUD_NAMES = 4, CLOUD_STEPS = 13 };

struct cloud_step {
    const char *level, *name;
};

struct cloud_instance {
    const char *where;                   /* in the file, for messages */
    const char *id;                      /* "" for none; entries with equal ids are one instance */
    const char *name[CLOUD_NAMES];       /* possible names of its host */
    struct cloud_step step[CLOUD_STEPS]; /* from the outside inwards */
    int nnames, nsteps;
};

/* All zero is empty. */
struct cloud {
    struct cloud_instance *instance;
    int n, max;
    struct storage text;
};

/*
 * Read all documents of a file. HITOP_ERR_FORMAT: the message names the file and either line and
 * column or the JSON path. The caller clears *out in any case.
 */
HITOP_MUST_CHECK enum hitop_status hitop_cloud_read(const char *file, struct cloud *out,
                                                    struct hitop_diag *diag);

/* Add a copy of an instance; returns it, valid until the next call, or NULL when out of memory. */
struct cloud_instance *hitop_cloud_add(struct cloud *cloud, const struct cloud_instance *instance);

/* The level of the parts of an accelerator domain. */
extern const char hitop_cloud_part_level[];

/* Remove the part of each domain that has one part only. */
void hitop_cloud_drop_lone_parts(struct cloud *cloud);

/* Replace long names of groups by "..." and enough last characters to distinguish them. */
void hitop_cloud_shorten(struct cloud *cloud);

void hitop_cloud_clear(struct cloud *cloud);

/*
 * The members of a JSON object that describe an instance of a cloud.
 *
 * A field such as "a.b|c" is member b of a, or else member c; a name with dots is in single quotes.
 * Names are compared without regard to case, '-' and '_' (fields have neither), because command
 * lines and libraries of one cloud write hpc-island-id, hpcIslandId and hpc_island_id. null and ""
 * count as missing.
 */

enum { CLOUD_FORM_NAMES = 3, CLOUD_FORM_LEVELS = 5, CLOUD_FORM_SWITCHES = 6 };

struct cloud_form {
    const char *marks;                  /* an object with one of these members has this form */
    const char *id;                     /* or NULL */
    const char *name[CLOUD_FORM_NAMES]; /* of the host; NULL at the end */
    struct {
        const char *level, *field;
    } level[CLOUD_FORM_LEVELS]; /* from the outside inwards; NULL at the end */
    const char *switches; /* list of switches above the instance, inside the levels; or NULL */
    int is_upwards;       /* 1: that list begins next to the instance */
    const char *domain;   /* accelerator domain, inside the switches; or NULL. Several
                             alternatives must agree */
    const char *part;     /* of the domain, the innermost; or NULL */
    const char *hosts;    /* list of hosts that share these groups; or NULL */
};

/* The first form with a mark counts; the marks of the last one are NULL. */
extern const struct cloud_form hitop_cloud_forms[];

#endif /* CLOUD_H */

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CLOUD_H
#define CLOUD_H

/*
 * cloud.h - what a file of a cloud says about instances: their names, and the groups they are in.
 */

#include "hierarchy/text/text_pool.h"

#include "hitop/status.h"

enum { CLOUD_NAMES = 4, CLOUD_STEPS = 13 };

struct cloud_step {
    const char *level, *name;
};

struct cloud_instance {
    const char *where; /* in the file, for messages */
    const char *id;    /* "" for none; parts of a file with equal ids mean one instance */
    const char *name[CLOUD_NAMES];       /* what its host may be called */
    struct cloud_step step[CLOUD_STEPS]; /* from the outside inwards */
    int nnames, nsteps;
};

/* Strings live as long as the whole. All zero is empty. */
struct cloud {
    struct cloud_instance *instance;
    int n, max;
    struct text_pool text;
};

/*
 * Read all documents of a file. HITOP_ERR_FORMAT names file, and line and column or the JSON path.
 * Clear in any case.
 */
HITOP_MUST_CHECK enum hitop_status hitop_cloud_read(const char *file, struct cloud *out,
                                                    struct hitop_diag *diag);

/* Another instance, without anything, or NULL when out of memory. Valid until the next call. */
struct cloud_instance *hitop_cloud_add(struct cloud *cloud);

/* The level of parts of a domain. */
extern const char hitop_cloud_part_level[];

/* Forget a part that is the only one of its domain, which is one group then. 0: no memory. */
int hitop_cloud_drop_lone_parts(struct cloud *cloud);

/*
 * Long names of groups become "..." and as many last characters as it takes to tell them apart. 0:
 * no memory.
 */
int hitop_cloud_shorten(struct cloud *cloud);

void hitop_cloud_clear(struct cloud *cloud);

/*
 * Which members of a JSON object describe an instance of a cloud.
 *
 * A field such as "a.b|c" is member b of a, or else member c; a name with dots stands in single
 * quotes. Names are compared without regard to case, '-' and '_' (fields have neither), because
 * command lines and libraries of one cloud write hpc-island-id, hpcIslandId and hpc_island_id. null
 * and "" count as missing.
 */

enum { CLOUD_FORM_NAMES = 3, CLOUD_FORM_LEVELS = 5, CLOUD_FORM_SWITCHES = 6 };

struct cloud_form {
    const char *marks; /* it is this form if there is one of these members, whatever it is */
    const char *id;    /* or NULL */
    const char *name[CLOUD_FORM_NAMES]; /* of the host; NULL at the end */
    struct {
        const char *level, *field;
    } level[CLOUD_FORM_LEVELS]; /* from the outside inwards; NULL at the end */
    const char *switches; /* a list of what is above the instance, inside the levels; or NULL */
    int is_upwards;       /* it begins at the instance */
    const char
        *domain; /* of processors joined more closely than by the network, within all that; or NULL.
                    Alternatives may stand beside each other, and must agree then */
    const char *part; /* of the domain, the innermost; or NULL */
    const char
        *hosts; /* a list of hosts that share all this and have no names beside it; or NULL */
};

/* The first one that has a mark counts; the last one's marks are NULL. */
extern const struct cloud_form hitop_cloud_forms[];

#endif /* CLOUD_H */

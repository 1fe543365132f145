/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CLOUD_FORM_H
#define CLOUD_FORM_H

/*
 * cloud_form.h - which members of a JSON object describe an instance of a cloud.
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
extern const struct cloud_form cloud_forms[];

#endif /* CLOUD_FORM_H */

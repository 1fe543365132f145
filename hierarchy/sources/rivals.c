/* SPDX-License-Identifier: BSD-3-Clause */
/* rivals.c - find the host about which two sources contradict each other. */
#include <config.h>

#include "hierarchy/sources/rivals.h"

#include <stdlib.h>
#include <string.h>

/* How many groups of the other source a group has hosts of. */
enum { SEVERAL = -2, NONE = -1 };

static void meet(int *partner, int group)
{
    *partner = *partner == NONE || *partner == group ? group : SEVERAL;
}

/* Room for the groups of all claims, none of which has met another; NULL when out of memory. */
static int *make_partners(const struct path_claim *claim, int n)
{
    int most = 0, *partner;

    for (int i = 0; i < n; i++) {
        most = claim[i].group > most ? claim[i].group : most;
    }
    partner = calloc((size_t)most + 1, sizeof(*partner));
    for (int g = 0; g <= most && partner; g++) {
        partner[g] = NONE;
    }
    return partner;
}

static int differ(const struct path_claim *a, const struct path_claim *b, int of_a, int of_b)
{
    const int is_one_level = strcmp(a->level, b->level) == 0;

    return (of_a == SEVERAL && of_b == SEVERAL) ||
           (is_one_level && (of_a == SEVERAL || of_b == SEVERAL));
}

void compare_groups(const struct rival *first, const struct rival *second,
                    const struct hitop_source_input *in)
{
    const struct path_claim *a = first->claim, *b = second->claim;
    int *of_a = make_partners(a, in->nplaces), *of_b = make_partners(b, in->nplaces);

    for (int i = 0; i < in->nplaces && of_a && of_b; i++) {
        if (a[i].group >= 0 && b[i].group >= 0) {
            meet(&of_a[a[i].group], b[i].group);
            meet(&of_b[b[i].group], a[i].group);
        }
    }
    for (int i = 0; i < in->nplaces && of_a && of_b; i++) {
        if (a[i].group >= 0 && b[i].group >= 0 &&
            differ(&a[i], &b[i], of_a[a[i].group], of_b[b[i].group])) {
            hitop_source_warn(
                in->how,
                "%s and %s disagree: host '%s' is in %s '%s' of the first, in %s '%s' "
                "of the second, with other hosts; the first counts",
                first->title, second->title, in->place[i].host, a[i].level, a[i].name, b[i].level,
                b[i].name);
            break;
        }
    }
    free(of_b);
    free(of_a);
}

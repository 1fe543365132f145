/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_known.c - what earlier runs have measured and found. */
#include <config.h>

#include "tools/measure/measure_known.h"

#include <stdlib.h>
#include <string.h>

/* The index of a part; nparts where there is none. */
static int find_part(const struct measure_known *known, const char *name)
{
    int i = 0;

    while (i < known->nparts && strcmp(known->part[i].name, name) != 0) {
        i++;
    }
    return i;
}

/* The list of a part, made when it is first heard of; NULL when there are too many. */
static struct hitop_batches *make_part(struct measure_known *known, const char *name)
{
    const int i = find_part(known, name);

    if (i == MAX_PARTS) {
        return NULL;
    }
    if (i == known->nparts) {
        known->part[i].name = strdup(name);
        known->part[i].batches = hitop_batches_new();
        if (!known->part[i].name || !known->part[i].batches) {
            free(known->part[i].name);
            hitop_batches_free(known->part[i].batches);
            return NULL;
        }
        known->nparts++;
    }
    return known->part[i].batches;
}

enum hitop_status measure_known_take(void *data, const struct hitop_batch *batch,
                                     struct hitop_diag *diag)
{
    struct measure_known *known = data;
    struct hitop_batches *list = make_part(known, batch->part);

    if (!list) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "no memory for part '%.40s'", batch->part);
    }
    known->nbatches++;
    return hitop_batches_add(list, batch, diag);
}

enum hitop_status measure_known_find(void *data, const struct hitop_finding *finding,
                                     struct hitop_diag *diag)
{
    struct measure_known *known = data;

    if (known->nfindings == known->room) {
        const int room = known->room > 0 ? 2 * known->room : 64;
        struct hitop_finding *more = realloc(known->finding, (size_t)room * sizeof(*more));
        if (!more) {
            return hitop_fail(diag, HITOP_ERR_NOMEM, "no memory for %d findings", room);
        }
        known->finding = more;
        known->room = room;
    }
    known->finding[known->nfindings++] = *finding;
    return HITOP_OK;
}

const struct hitop_batches *measure_known_part(const struct measure_known *known, const char *name)
{
    const int i = find_part(known, name);

    return i < known->nparts ? known->part[i].batches : NULL;
}

void measure_known_clear(struct measure_known *known)
{
    for (int i = 0; i < known->nparts; i++) {
        free(known->part[i].name);
        hitop_batches_free(known->part[i].batches);
    }
    free(known->finding);
    *known = (struct measure_known){0};
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* flux.c - the list of hosts that is read. */
#include <config.h>

#include "hierarchy/sources/flux.h"

#include <limits.h>
#include <stdlib.h>

struct flux_host *flux_add(struct flux *flux, const char *name)
{
    const char *kept = text_pool_keep(&flux->text, name);

    if (flux->n == flux->max) {
        const int max = flux->max > 0 ? 2 * flux->max : 64;
        struct flux_host *larger =
            max < INT_MAX / 4 ? reallocarray(flux->host, (size_t)max, sizeof(*larger)) : NULL;
        if (!larger) {
            return NULL;
        }
        flux->host = larger;
        flux->max = max;
    }
    flux->host[flux->n] = (struct flux_host){.name = kept, .rank = -1};
    return kept ? &flux->host[flux->n++] : NULL;
}

void flux_clear(struct flux *flux)
{
    text_pool_clear(&flux->text);
    free(flux->host);
    *flux = (struct flux){0};
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_part.c - one part of what is measured: where it is, and how all ranks learn of it. */
#include <config.h>

#include "tools/measure/measure.h"

#include <stdlib.h>

struct measure_part *measure_part_at(struct measure_result *result, int index)
{
    struct measure_part *parts[] = {&result->links, &result->triples, &result->pairs,
                                    &result->checks};

    return index < (int)(sizeof(parts) / sizeof(parts[0])) ? parts[index] : NULL;
}

enum hitop_status measure_part_share(const struct hitop_transport *t, struct measure_part *part,
                                     struct hitop_diag *diag)
{
    enum hitop_status status = t->share(t->self, &part->nlinks, sizeof(part->nlinks), diag);

    if (status == HITOP_OK && t->rank > 0) {
        free(part->links);
        part->links = calloc((size_t)part->nlinks + 1, sizeof(*part->links));
        status = part->links ? HITOP_OK : hitop_fail(diag, HITOP_ERR_NOMEM, "links: out of memory");
    }
    status = measure_agree(t, status, diag);
    return status == HITOP_OK && part->nlinks > 0
               ? t->share(t->self, part->links, (size_t)part->nlinks * sizeof(*part->links), diag)
               : status;
}

struct hitop_measured measure_part_view(const struct measure_part *part)
{
    return (struct hitop_measured){.links = part->links,
                                   .nlinks = part->nlinks,
                                   .confidence = part->options.confidence,
                                   .curves = part->measurement.curves,
                                   .line = part->line,
                                   .eager = part->eager,
                                   .crowds = part->crowds};
}

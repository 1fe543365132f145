/* SPDX-License-Identifier: BSD-3-Clause */
/* campaign_settings.c - message sizes and links of a request, and what a type of model needs of
 * them. */
#include <config.h>

#include "models/campaign/campaign.h"

#include "hitop/text.h"

#include <string.h>

/* The fewest sizes at which scatter and gather show a change. */
enum { FEWEST_FANS = 8, MOST_ADAPTED = 100 };

enum hitop_status hitop_campaign_sizes(struct hitop_campaign_request *r,
                                       const struct hitop_campaign_range *range, size_t **sizes,
                                       struct hitop_diag *diag)
{
    struct hitop_measure_options *o = &r->options;
    struct hitop_refinement *rule = &o->refinement;
    enum hitop_status status;

    *sizes = NULL;
    if (range->stride > 0) {
        status = hitop_sizes_choose(range->min, range->max,
                                    range->stride == HITOP_STRIDE_NONE ? 0 : range->stride, sizes,
                                    &o->nsizes, diag);
    } else {
        o->max_sizes = range->most > 0 ? range->most : MOST_ADAPTED;
        rule->confidence = o->confidence;
        rule->eps = rule->eps > 0 ? rule->eps : o->eps;
        status = hitop_sizes_start(range->min, range->max, sizes, &o->nsizes, diag);
    }
    o->sizes = *sizes;
    return status;
}

enum hitop_status hitop_campaign_links_find(const char *text, struct hitop_campaign_request *r,
                                            struct hitop_diag *diag)
{
    static const char *const word[] = {
        [HITOP_LINKS_ONE] = "one", [HITOP_LINKS_RING] = "ring", [HITOP_LINKS_PAIRS] = "pairs"};

    for (size_t i = 0; i < sizeof(word) / sizeof(word[0]); i++) {
        if (strcmp(text, word[i]) == 0) {
            r->links = (enum hitop_campaign_links)i;
            return HITOP_OK;
        }
    }
    r->links = HITOP_LINKS_SAMPLE;
    return hitop_text_int(text, 1, 1000000, &r->nsample, NULL) == HITOP_OK
               ? HITOP_OK
               : hitop_fail(diag, HITOP_ERR_INVALID,
                            "'%s' is none of one, ring, pairs or a number from 1 to 1000000", text);
}

enum hitop_status hitop_campaign_check_sizes(const struct hitop_campaign_request *r,
                                             struct hitop_diag *diag)
{
    return r->options.sizes[0] > 0 &&
                   (r->needs_triples || r->options.experiments != HITOP_SET(HITOP_ECHO))
               ? hitop_fail(diag, HITOP_ERR_INVALID, "model %s needs messages of 0 bytes", r->type)
               : HITOP_OK;
}

/* 1: models of a type have parameters for collectives. */
static int has_collective(const char *type)
{
    const struct hitop_model_type *found = NULL;

    return hitop_model_type_find(type, &found, NULL) == HITOP_OK && found->ncollective_params > 0;
}

enum hitop_status hitop_campaign_check_fans(const struct hitop_campaign_request *r,
                                            struct hitop_diag *diag)
{
    if (!r->all_models && (r->is_auto || !has_collective(r->type))) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "model %s knows nothing of scatter and gather; lmo does", r->type);
    }
    return hitop_campaign_fan_sizes(r) < FEWEST_FANS
               ? hitop_fail(diag, HITOP_ERR_INVALID, "messages of %d KiB or more are needed",
                            FEWEST_FANS * HITOP_CAMPAIGN_FAN_STEP / 1024)
               : HITOP_OK;
}

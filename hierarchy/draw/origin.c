/* SPDX-License-Identifier: BSD-3-Clause */
/* origin.c - the source of a group and its confidence. */
#include <config.h>

#include "hierarchy/draw/origin.h"

#include "hitop/text.h"

int hitop_origin_is_guess(const struct hitop_hierarchy *h, int group)
{
    const char *text = hitop_hierarchy_attr(h, group, "confidence");
    double confidence = 1;

    return text && hitop_text_double(text, 0, 1, &confidence, NULL) == HITOP_OK && confidence < 1;
}

void hitop_origin_put(FILE *to, const struct hitop_hierarchy *h, int group)
{
    const char *source = hitop_hierarchy_attr(h, group, "source");
    const char *confidence = hitop_hierarchy_attr(h, group, "confidence");

    if (hitop_origin_is_guess(h, group)) {
        fprintf(to, " (%s%sconfidence %s)", source ? source : "", source ? ", " : "", confidence);
    } else if (source) {
        fprintf(to, " (%s)", source);
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* layout.c - columns and counters for the drawing of a hierarchy. */
#include <config.h>

#include "hierarchy/draw/layout.h"

#include "hierarchy/names/host_name.h"

#include <string.h>

static const char *host_of_set(const struct hitop_hierarchy *h, int set)
{
    int count;

    return hitop_hierarchy_host(h, hitop_hierarchy_leaf_set(h, set, &count)[0].first);
}

static int has_one_domain(const struct hitop_hierarchy *h)
{
    int n;
    const int first = hitop_hierarchy_leaf_sets(h, hitop_hierarchy_root(h), &n);
    const char *domain = hitop_host_name_domain(host_of_set(h, first));

    for (int set = first; set < first + n; set++) {
        if (strcmp(hitop_host_name_domain(host_of_set(h, set)), domain) != 0) {
            return 0;
        }
    }
    return 1;
}

void hitop_layout_begin(struct layout *layout, const struct hitop_hierarchy *h,
                        struct storage *storage)
{
    *layout = (struct layout){.h = h, .one_domain = has_one_domain(h)};
    hitop_columns_fill(&layout->columns, h, storage);
    hitop_host_counter_begin(&layout->hosts, h, storage);
}

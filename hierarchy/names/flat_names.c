/* SPDX-License-Identifier: BSD-3-Clause */
/* flat_names.c - warn about large groups that names do not divide. */
#include <config.h>

#include "hierarchy/names/flat_names.h"

#include "hitop/sys/source.h"

#include "hierarchy/names/host_name.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Flat groups with more hosts are reported. */
enum { FLAT_HOSTS = 16 };

int hitop_flat_names_take(const struct name_set *set, const struct set_name *name, const char *host,
                          struct flat_host *out)
{
    struct name_reading r;

    hitop_name_read(name, set, &r);
    *out = (struct flat_host){.domain = hitop_host_name_domain(host), .name = name->text};
    if (name->has_random) {
        out->is_random = 1;
        out->length = name->length;
        return 1;
    }
    if (r.ncounts != 1 || r.leaf + 1 != r.nparts - set->nalike_end) {
        return 0;
    }
    out->length = r.part[r.leaf].digits;
    return 1;
}

static int by_stem(const void *a, const void *b)
{
    const struct flat_host *x = a, *y = b;
    int order = strcasecmp(x->domain, y->domain);

    order = order ? order : (x->length > y->length) - (x->length < y->length);
    order = order ? order : x->is_random - y->is_random;
    return order ? order : memcmp(x->name, y->name, x->length);
}

static int by_name(const void *a, const void *b)
{
    const int order = by_stem(a, b);

    return order ? order
                 : strcmp(((const struct flat_host *)a)->name, ((const struct flat_host *)b)->name);
}

void hitop_flat_names_warn(struct flat_host *host, int n, const struct hitop_grouping *how)
{
    int most = 0, where = 0, count;

    qsort(host, (size_t)n, sizeof(*host), by_name);
    for (int first = 0; first < n; first += count) {
        for (count = 1; first + count < n && by_stem(&host[first], &host[first + count]) == 0;) {
            count++;
        }
        if (count > most) {
            most = count;
            where = first;
        }
    }
    if (most > FLAT_HOSTS) {
        const int is_random = host[where].is_random;
        hitop_source_warn(how,
                          "the names of %d hosts, %.100s%s and others, differ in %s only, which "
                          "shows no groups; use %s--split REGEX or --csv FILE",
                          most, host[where].name, is_random ? "..." : "",
                          is_random ? "random text" : "one number", is_random ? "" : "--block N, ");
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * source_cloud.c - the places of instances in a cloud.
 *
 * Idea:   providers report the network nodes or blocks above an instance. An instance is identified
 *         by the name of its host, or by an id whose name is in another part of the file.
 * Use:    clusters of AWS, GCP, OCI or Azure, and all clusters that topograph supports.
 * Needs:  the JSON output of the provider's command; cloud.c has the forms. Instances that are not
 *         hosts of the job are skipped.
 */
#include <config.h>

#include "hitop/sys/source.h"

#include "hierarchy/hostlist/host_match.h"
#include "hierarchy/names/host_name.h"
#include "hierarchy/sources/cloud.h"
#include "hitop/input.h"

#include <stdlib.h>
#include <string.h>

struct placing {
    const struct hitop_source_input *in;
    struct cloud cloud;
    int *place; /* per instance: the place of its host, or -1 */
    int *by_id; /* instances, sorted by id */
    int *best;  /* per place: the instance with most groups, or -1 */
};

static int find_place(const struct host_match *match, const struct cloud_instance *instance)
{
    int place = -1;

    for (int i = 0; i < instance->nnames && place < 0; i++) {
        place = hitop_host_match_find(match, instance->name[i]);
    }
    return place;
}

static int by_id(const void *a, const void *b, void *data)
{
    const struct cloud *cloud = data;
    const int x = *(const int *)a, y = *(const int *)b;
    const int order = strcmp(cloud->instance[x].id, cloud->instance[y].id);

    return order ? order : (x > y) - (x < y);
}

/* Give an instance without a known name the place of another one with its id. */
static void share_places(struct placing *p)
{
    const struct cloud *cloud = &p->cloud;

    qsort_r(p->by_id, (size_t)cloud->n, sizeof(*p->by_id), by_id, &p->cloud);
    for (int first = 0, end; first < cloud->n; first = end) {
        const char *id = cloud->instance[p->by_id[first]].id;
        int place = -1;

        for (end = first; end < cloud->n && strcmp(cloud->instance[p->by_id[end]].id, id) == 0;
             end++) {
            place = place < 0 ? p->place[p->by_id[end]] : place;
        }
        for (int i = first; i < end && id[0]; i++) {
            int *own = &p->place[p->by_id[i]];
            *own = *own < 0 ? place : *own;
        }
    }
}

/* 1 if the groups of both are equal, up to the number of the shorter list. */
static int agree(const struct cloud_instance *x, const struct cloud_instance *y)
{
    for (int i = 0; i < x->nsteps && i < y->nsteps; i++) {
        if (strcmp(x->step[i].level, y->step[i].level) != 0 ||
            strcmp(x->step[i].name, y->step[i].name) != 0) {
            return 0;
        }
    }
    return 1;
}

static enum hitop_status choose(struct placing *p, struct hitop_diag *diag)
{
    for (int i = 0; i < p->cloud.n; i++) {
        const struct cloud_instance *instance = &p->cloud.instance[i], *other;
        int *best = p->place[i] >= 0 ? &p->best[p->place[i]] : NULL;

        if (!best || instance->nsteps == 0) {
            continue;
        }
        other = *best >= 0 ? &p->cloud.instance[*best] : NULL;
        if (other && !agree(other, instance)) {
            return hitop_fail(diag, HITOP_ERR_FORMAT, "%s: %s: host '%s' is elsewhere than in %s",
                              hitop_input_name(p->in->file), instance->where,
                              p->in->place[p->place[i]].host, other->where);
        }
        if (!other || instance->nsteps > other->nsteps) {
            *best = i;
        }
    }
    return HITOP_OK;
}

static void push(const struct placing *p, struct hitop_paths *paths)
{
    const int n = p->in->nplaces;

    for (int h = 0; h < n; h++) {
        const struct cloud_instance *instance =
            p->best[h] >= 0 ? &p->cloud.instance[p->best[h]] : NULL;
        for (int i = 0; instance && i < instance->nsteps; i++) {
            hitop_paths_push(paths, h, instance->step[i].level, instance->step[i].name, 1);
        }
    }
}

/* The best name: a host name before an address before the id. */
static const char *best_name(const struct cloud_instance *instance, const char *name)
{
    for (int i = 0; i < instance->nnames; i++) {
        const char *one = instance->name[i];
        const int is_better =
            !name || hitop_host_name_is_address(name) || strcmp(name, instance->id) == 0;

        if (is_better &&
            (!name || (!hitop_host_name_is_address(one) && strcmp(one, instance->id) != 0))) {
            name = one;
        }
    }
    return name;
}

/* Report instances with groups that are not hosts of the job, by a name anywhere in the file. */
static void report_absent(const struct placing *p)
{
    const struct cloud *cloud = &p->cloud;

    for (int i = 0; i < cloud->n && p->in->how->absent; i++) {
        const struct cloud_instance *instance = &cloud->instance[i];
        const char *name = p->place[i] < 0 && instance->nsteps > 0 ? best_name(instance, NULL) : "";

        for (int k = 0; k < cloud->n && instance->id[0] && (!name || name[0]); k++) {
            if (strcmp(cloud->instance[k].id, instance->id) == 0) {
                name = best_name(&cloud->instance[k], name);
            }
        }
        hitop_source_absent(p->in->how, name ? name : instance->id);
    }
}

static enum hitop_status place_instances(struct placing *p, const struct host_match *match,
                                         struct hitop_paths *paths, struct hitop_diag *diag)
{
    const size_t n = (size_t)p->cloud.n + 1;
    enum hitop_status status = HITOP_ERR_NOMEM;

    p->place = calloc(n, sizeof(*p->place));
    p->by_id = calloc(n, sizeof(*p->by_id));
    p->best = calloc((size_t)p->in->nplaces, sizeof(*p->best));
    if (p->place && p->by_id && p->best && hitop_cloud_drop_lone_parts(&p->cloud) &&
        hitop_cloud_shorten(&p->cloud)) {
        for (int i = 0; i < p->cloud.n; i++) {
            p->place[i] = find_place(match, &p->cloud.instance[i]);
            p->by_id[i] = i;
        }
        for (int h = 0; h < p->in->nplaces; h++) {
            p->best[h] = -1;
        }
        share_places(p);
        report_absent(p);
        status = choose(p, diag);
    }
    if (status == HITOP_OK) {
        push(p, paths);
    }
    return status;
}

static enum hitop_status cloud_classify(const struct hitop_source_input *in,
                                        struct hitop_paths *paths, struct hitop_diag *diag)
{
    struct host_match *match = hitop_host_match_new(in->place, in->nplaces);
    struct placing p = {.in = in};
    enum hitop_status status = match ? hitop_cloud_read(in->file, &p.cloud, diag) : HITOP_ERR_NOMEM;

    if (status == HITOP_OK) {
        status = place_instances(&p, match, paths, diag);
    }
    free(p.best);
    free(p.by_id);
    free(p.place);
    hitop_cloud_clear(&p.cloud);
    hitop_host_match_free(match);
    return status == HITOP_ERR_NOMEM
               ? hitop_fail(diag, status, "%s: out of memory", hitop_input_name(in->file))
               : status;
}

const struct hitop_source hitop_source_cloud = {
    .name = "cloud",
    .summary = "blocks and network nodes reported by AWS, GCP, OCI, Azure or topograph",
    .layer = HITOP_LAYER_NETWORK,
    .trust = 1,
    .spans_sites = 1,
    .option = "cloud",
    .argument = "FILE",
    .classify = cloud_classify,
};

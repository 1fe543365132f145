/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * source_cloud.c - the places of instances in a cloud.
 *
 * Idea:   providers report the network nodes or blocks above an instance. An instance is identified
 *         by the name of its host, or by an id if another part of the file has the name.
 * Use:    clusters of AWS, GCP, OCI or Azure, and all clusters that topograph supports.
 * Needs:  the JSON output of the provider's command; cloud.c has the forms. Instances that are not
 *         hosts of the job are skipped.
 */
#include <config.h>

#include "hitop/sys/source.h"

#include "hierarchy/names/host_name.h"
#include "hierarchy/sources/cloud.h"
#include "hierarchy/text/text_index.h"
#include "hitop/input.h"

#include <string.h>

struct placing {
    const struct hitop_source_input *in;
    struct cloud cloud;
    int *place;                         /* per instance: the place of its host, or -1 */
    const struct cloud_instance **best; /* per place: the instance with most groups, or NULL */
};

/*
 * Find the place of each instance by its names. If the job has none of them, use the place of
 * another entry with the same id.
 */
static void find_places(struct placing *p)
{
    struct text_index ids = {0};
    int *of_id; /* place + 1, or 0 */

    if (!STORAGE_ARRAY(&p->cloud.text, of_id, p->cloud.n)) {
        return;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < p->cloud.n; i++) {
            const struct cloud_instance *instance = &p->cloud.instance[i];
            int is_new, place = -1, id = hitop_text_index_put(&ids, instance->id, &is_new);

            for (int k = 0; k < instance->nnames && place < 0; k++) {
                place = hitop_source_find(p->in, instance->name[k]);
            }
            p->cloud.text.out_of_memory |= id < 0;
            if (pass == 0 && id >= 0 && of_id[id] == 0 && instance->id[0]) {
                of_id[id] = place + 1;
            }
            p->place[i] = place < 0 && id >= 0 ? of_id[id] - 1 : place;
        }
    }
    hitop_text_index_clear(&ids);
}

/* 1 if the groups of both are equal as far as the shorter list goes. */
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
        const struct cloud_instance *instance = &p->cloud.instance[i];
        const struct cloud_instance **best = p->place[i] >= 0 ? &p->best[p->place[i]] : NULL;

        if (!best || instance->nsteps == 0) {
            continue;
        }
        if (*best && !agree(*best, instance)) {
            return hitop_fail(diag, HITOP_ERR_FORMAT, "%s: %s: host '%s' is elsewhere than in %s",
                              hitop_input_name(p->in->file), instance->where,
                              p->in->place[p->place[i]].host, (*best)->where);
        }
        if (!*best || instance->nsteps > (*best)->nsteps) {
            *best = instance;
        }
    }
    return HITOP_OK;
}

static void push(const struct placing *p, struct hitop_paths *paths)
{
    for (int h = 0; h < p->in->nplaces; h++) {
        for (int i = 0; p->best[h] && i < p->best[h]->nsteps; i++) {
            hitop_paths_push(paths, h, p->best[h]->step[i].level, p->best[h]->step[i].name, 1);
        }
    }
}

/* The best name of an instance: a host name, else an address, else the id. */
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

/*
 * Report instances that have groups but are not hosts of the job, by the best name in any part of
 * the file.
 */
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

static enum hitop_status cloud_classify(const struct hitop_source_input *in,
                                        struct hitop_paths *paths, struct hitop_diag *diag)
{
    struct placing p = {.in = in};
    struct storage *storage = &p.cloud.text;
    enum hitop_status status = hitop_cloud_read(in->file, &p.cloud, diag);

    if (status == HITOP_OK && STORAGE_ARRAY(storage, p.place, p.cloud.n) &&
        STORAGE_ARRAY(storage, p.best, in->nplaces)) {
        hitop_cloud_drop_lone_parts(&p.cloud);
        hitop_cloud_shorten(&p.cloud);
        find_places(&p);
        report_absent(&p);
        status = choose(&p, diag);
    }
    if (status == HITOP_OK) {
        status = storage_status(storage);
    }
    if (status == HITOP_OK) {
        push(&p, paths);
    }
    hitop_cloud_clear(&p.cloud);
    return status;
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

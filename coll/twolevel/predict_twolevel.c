/* SPDX-License-Identifier: BSD-3-Clause */
/* predict_twolevel.c - predict the time of the two-level broadcast on the machine of a model. */
#include <config.h>

#include "coll/predict/placement.h"
#include "coll/twolevel/bcast_choice.h"

#include "hitop/predict.h"
#include "hitop/sys/tree.h"

#include <stdlib.h>
#include <string.h>

struct host {
    const char *name;
    int first; /* smallest rank; the leader unless the root is on this host */
    int last;  /* largest rank */
};

/* Distinct hosts in the order of their first ranks; room for nranks of them. */
static int list_hosts(const struct hitop_hierarchy *h, struct host *hosts)
{
    int n = 0;

    for (int r = 0; r < hitop_hierarchy_nranks(h); r++) {
        const char *name = hitop_hierarchy_host(h, r);
        if (hitop_hierarchy_rank_on_host(h, name) == r) {
            hosts[n++] = (struct host){.name = name, .first = r, .last = r};
            continue;
        }
        for (int k = n - 1; k >= 0; k--) {
            if (strcmp(hosts[k].name, name) == 0) {
                hosts[k].last = r;
                break;
            }
        }
    }
    return n;
}

/* Seconds until all ranks of the host have the last segment, once the leader has it. */
static double copy_time(const struct hitop_model *model, const struct host *host, size_t bytes)
{
    return hitop_model_p2p(model, host->first, host->last, bytes);
}

static enum hitop_status price_hosts(const struct hitop_model *model, const struct host *hosts,
                                     int nhosts, int root_host, size_t bytes, double *seconds,
                                     const char **tree, struct hitop_diag *diag)
{
    const char **names = calloc((size_t)nhosts, sizeof(*names));
    struct hitop_model *placed = NULL;
    struct hitop_bcast_choices *choices = NULL;
    enum hitop_status status = HITOP_ERR_NOMEM;

    if (!names) {
        return hitop_fail(diag, status, "out of memory");
    }
    for (int k = 0; k < nhosts; k++) {
        names[k] = hosts[k].name;
    }
    status = hitop_placement_from_model(model, names, nhosts, &placed, diag);
    if (status == HITOP_OK) {
        status = hitop_bcast_choices_create(placed, 1, hitop_model_nranks(model) > nhosts, &choices,
                                            diag);
    }
    if (status == HITOP_OK) {
        int is_complete;
        const struct hitop_bcast_choice choice =
            hitop_bcast_choose(choices, root_host, bytes, SIZE_MAX, &is_complete);
        double slowest = 0;

        for (int k = 0; k < nhosts; k++) {
            const double t =
                copy_time(model, &hosts[k], bytes < choice.segment ? bytes : choice.segment);
            slowest = t > slowest ? t : slowest;
        }
        *seconds = hitop_bcast_predict(choices, choice, root_host, bytes) + slowest;
        *tree = hitop_tree_builders()[choice.algorithm]->name;
    }
    hitop_bcast_choices_free(choices);
    free(names);
    return status;
}

enum hitop_status hitop_predict_twolevel(const struct hitop_model *model, int root, size_t bytes,
                                         double *seconds, const char **tree,
                                         struct hitop_diag *diag)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(model);
    const int nranks = hitop_model_nranks(model);
    const char *chosen = "";
    enum hitop_status status = HITOP_OK;
    struct host *hosts;
    int nhosts, root_host = 0;

    if (root < 0 || root >= nranks) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "root %d is not a rank of the model (0..%d)",
                          root, nranks - 1);
    }
    hosts = calloc((size_t)nranks, sizeof(*hosts));
    if (!hosts) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    nhosts = list_hosts(h, hosts);
    while (strcmp(hosts[root_host].name, hitop_hierarchy_host(h, root)) != 0) {
        root_host++;
    }
    if (bytes == 0) {
        *seconds = 0; /* nothing is sent */
    } else if (nhosts == 1) {
        *seconds = copy_time(model, &hosts[0], bytes);
    } else {
        status = price_hosts(model, hosts, nhosts, root_host, bytes, seconds, &chosen, diag);
    }
    free(hosts);
    if (status == HITOP_OK && tree) {
        *tree = chosen;
    }
    return status;
}

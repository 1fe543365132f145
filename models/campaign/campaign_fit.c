/* SPDX-License-Identifier: BSD-3-Clause */
/* campaign_fit.c - fit the model, and add the quality of its measurement. */
#include <config.h>

#include "models/campaign/campaign_impl.h"

#include <stdlib.h>

const char *const hitop_campaign_usual[2] = {"hockney", "piecewise"};

/* Choose between the two usual types. */
static enum hitop_status choose_usual(struct hitop_campaign *c,
                                      const struct hitop_findings *findings, const char **type,
                                      struct hitop_diag *diag)
{
    const struct hitop_model_type *simpler, *richer;
    enum hitop_status status = hitop_model_type_find(hitop_campaign_usual[0], &simpler, diag);

    if (status == HITOP_OK) {
        status = hitop_model_type_find(hitop_campaign_usual[1], &richer, diag);
    }
    if (status == HITOP_OK) {
        status = hitop_prefer_type(simpler, richer, findings, &c->preference, diag);
    }
    *type = hitop_campaign_usual[c->preference.is_richer];
    return status == HITOP_OK ? HITOP_OK : HITOP_ERR_UNSUPPORTED;
}

/* Fit all types that can be fitted, and choose the simplest one of the best. */
static enum hitop_status choose_best(struct hitop_campaign *c,
                                     const struct hitop_findings *findings, const char **type,
                                     struct hitop_diag *diag)
{
    const struct hitop_model_type *const *all = hitop_model_types();
    enum hitop_status status = HITOP_OK;
    size_t n = 0;

    while (all[n]) {
        n++;
    }
    c->trials = calloc(n + 1, sizeof(*c->trials));
    if (!c->trials) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "comparison of models: out of memory");
    }
    for (size_t i = 0; status == HITOP_OK && i < n; i++) {
        if (all[i]->fit) {
            status = hitop_try_type(all[i], findings, &c->trials[c->ntrials++], diag);
        }
    }
    if (status != HITOP_OK) {
        c->ntrials = 0;
        return status;
    }
    c->floor = hitop_noise_floor(&findings->links);
    c->chosen = hitop_choose_trial(c->trials, c->ntrials, c->floor);
    if (c->chosen < 0) {
        return hitop_fail(diag, HITOP_ERR_UNSUPPORTED, "no model could be fitted");
    }
    *type = c->trials[c->chosen].type->name;
    return HITOP_OK;
}

/* The type to fit. */
static enum hitop_status choose_type(struct hitop_campaign *c, const char **type,
                                     struct hitop_diag *diag)
{
    const struct hitop_measured triples = hitop_campaign_measured(c, &c->triples);
    const struct hitop_measured pairs = hitop_campaign_measured(c, &c->pairs);
    const struct hitop_findings findings = {.hierarchy = c->h,
                                            .links = hitop_campaign_measured(c, &c->links),
                                            .triples = triples.nlinks > 0 ? &triples : NULL,
                                            .pairs = pairs.nlinks > 0 ? &pairs : NULL};

    *type = c->base ? hitop_model_type_of(c->base)->name : c->request->type;
    return c->base                  ? HITOP_OK
           : c->request->is_auto    ? choose_usual(c, &findings, type, diag)
           : c->request->all_models ? choose_best(c, &findings, type, diag)
                                    : HITOP_OK;
}

/* The parameters for collectives: those measured now, else those of the earlier model. */
static const double *collective_of(const struct hitop_campaign *c, const char *type)
{
    const struct hitop_model_type *found = NULL;

    if (c->collective && hitop_model_type_find(type, &found, NULL) == HITOP_OK &&
        found->ncollective_params > 0) {
        return c->collective;
    }
    return c->verdict.is_all ? hitop_model_collective(c->base) : NULL;
}

static enum hitop_status fit(struct hitop_campaign *c, const char *type,
                             const struct hitop_provenance *provenance, struct hitop_diag *diag)
{
    const struct hitop_measured triples = hitop_campaign_measured(c, &c->triples);
    struct hitop_measured links = hitop_campaign_measured(c, &c->links);

    links.collective = collective_of(c, type);
    return c->base && !c->verdict.is_all
               ? hitop_update_fit(c->base, c->h, &links, provenance, &c->model, diag)
               : hitop_measure_fit(type, c->h, &links, &triples, provenance, &c->model, diag);
}

/* Keep the verified groups that an update does not change; for free(). */
static struct hitop_verified *keep_verified(const struct hitop_campaign *c,
                                            struct hitop_quality *out)
{
    const struct hitop_quality *then = hitop_model_quality(c->base);
    const int nnodes = hitop_hierarchy_nnodes(c->h), n = then ? then->nverified : 0;
    char *is_new = calloc((size_t)nnodes, 1);
    struct hitop_verified *kept = calloc((size_t)n + 1, sizeof(*kept));

    for (int i = 0; is_new && i < hitop_model_nclasses(c->base); i++) {
        if (c->verdict.is_all || c->verdict.drift[i] != HITOP_HELD) {
            is_new[hitop_model_class(c->base, i)->node] = 1;
        }
    }
    for (int i = 0; is_new && kept && i < n; i++) {
        if (!is_new[then->verified[i].node]) {
            kept[out->nverified++] = then->verified[i];
        }
    }
    out->tolerance = then ? then->tolerance : 0;
    out->verified = is_new ? kept : NULL;
    free(is_new);
    return kept;
}

/* Put the quality into the model. It comes from the links, unless no link was measured again. */
static enum hitop_status add_quality(struct hitop_campaign *c, struct hitop_diag *diag)
{
    const struct hitop_measurement *m =
        c->base && c->links.nlinks == 0 ? &c->checks.measurement : &c->links.measurement;
    struct hitop_quality quality = {.seconds = c->seconds,
                                    .passes = m->blocks,
                                    .ended_early = hitop_campaign_is_early(c),
                                    .latency = m->latency,
                                    .bandwidth = m->bandwidth,
                                    .tolerance = c->request->tolerance,
                                    .verified = c->verified,
                                    .nverified = c->nverified};
    struct hitop_verified *kept = c->base ? keep_verified(c, &quality) : NULL;
    struct hitop_model *plain = c->model;
    struct hitop_model_parts parts;
    enum hitop_status status;

    if (c->base && !quality.verified) {
        free(kept);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "update: out of memory");
    }
    hitop_model_parts_of(plain, &parts);
    parts.quality = &quality;
    status = hitop_model_build(&parts, &c->model, diag);
    hitop_model_free(plain);
    free(kept);
    return status;
}

enum hitop_status hitop_campaign_fit(struct hitop_campaign *c,
                                     const struct hitop_provenance *provenance,
                                     struct hitop_diag *diag)
{
    const char *type = NULL;
    enum hitop_status status = choose_type(c, &type, diag);

    if (status == HITOP_OK) {
        status = fit(c, type, provenance, diag);
    }
    if (status == HITOP_OK) {
        status = hitop_campaign_verify(c, diag);
    }
    if (status == HITOP_OK) {
        status = add_quality(c, diag);
    }
    return status == HITOP_ERR_INVALID ? HITOP_ERR_UNSUPPORTED : status;
}

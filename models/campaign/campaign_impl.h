/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAMPAIGN_IMPL_H
#define CAMPAIGN_IMPL_H

/* campaign_impl.h - the phases of a campaign. All ranks call functions that take a transport. */

#include "models/campaign/campaign.h"
#include "models/measure/measure_impl.h"

#include <math.h>

/*
 * Agree on the elapsed time, and on whether the campaign was interrupted or reached its time limit.
 */
enum hitop_status hitop_campaign_agree(const struct hitop_transport *t, struct hitop_campaign *c,
                                       struct hitop_diag *diag);

/*
 * Measure the links of a part within its share of the time. After an interruption nothing is
 * measured.
 */
enum hitop_status hitop_campaign_run_part(const struct hitop_transport *t, struct hitop_campaign *c,
                                          struct hitop_campaign_part *part,
                                          struct hitop_diag *diag);

/* All ranks get the links of rank 0. */
static inline enum hitop_status campaign_share_part(const struct hitop_transport *t,
                                                    struct hitop_campaign_part *part,
                                                    struct hitop_diag *diag)
{
    return hitop_share_array(t, &part->links, &part->nlinks, sizeof(*part->links), diag);
}

/* Report that messages begin to flow for a part; NULL: that they end. */
static inline void campaign_phase(const struct hitop_transport *t, const struct hitop_campaign *c,
                                  const struct hitop_campaign_part *part)
{
    if (c->request->phase && t->rank <= 0) {
        c->request->phase(c->request->options.progress_data, part);
    }
}

/* Report that links of a part are measured, for the expected seconds. */
static inline void campaign_progress(const struct hitop_transport *t,
                                     const struct hitop_campaign *c, int first, int nlinks,
                                     double expected)
{
    const struct hitop_progress now = {
        .first = first,
        .step = 1,
        .nlinks = nlinks,
        .elapsed = fmax(t->now(t->self) - c->start - c->elapsed, 0), /* c->elapsed: of all ranks */
        .expected = expected};

    if (c->request->options.progress && t->rank <= 0) {
        c->request->options.progress(c->request->options.progress_data, &now);
    }
}

/* Let options keep samples in the journal and use those of earlier runs; on all ranks. */
void hitop_campaign_join(const struct hitop_campaign *c, struct hitop_measure_options *options);

/*
 * Return the findings of earlier runs, and add one to the journal; data is the campaign. A rank
 * without a journal has no findings and adds none.
 */
struct hitop_finding *hitop_campaign_findings(const struct hitop_campaign *c, int *n);
enum hitop_status hitop_campaign_add_finding(void *data, const struct hitop_finding *finding,
                                             struct hitop_diag *diag);

/* The phases that are not parts. */
enum hitop_status hitop_campaign_measure_pair_sets(const struct hitop_transport *t,
                                                   struct hitop_campaign *c,
                                                   struct hitop_diag *diag);
enum hitop_status hitop_campaign_measure_capacities(const struct hitop_transport *t,
                                                    struct hitop_campaign *c,
                                                    struct hitop_diag *diag);
enum hitop_status hitop_campaign_find_eager(const struct hitop_transport *t,
                                            struct hitop_campaign *c, struct hitop_diag *diag);

/*
 * If pairs show that a group does not hold, measure a link for each two of its members instead of
 * those that represented it.
 */
enum hitop_status hitop_campaign_refine(const struct hitop_transport *t, struct hitop_campaign *c,
                                        struct hitop_diag *diag);

/* Compare the model with the pairs, group by group. */
enum hitop_status hitop_campaign_verify(struct hitop_campaign *c, struct hitop_diag *diag);

/*
 * For an update: set the options of checks; choose links and checks by the earlier model; do the
 * checks, and keep only links and triples of classes that drifted.
 */
void hitop_campaign_init_checks(struct hitop_campaign *c);
enum hitop_status hitop_campaign_choose_checks(struct hitop_campaign *c, struct hitop_diag *diag);
enum hitop_status hitop_campaign_check(const struct hitop_transport *t, struct hitop_campaign *c,
                                       struct hitop_diag *diag);

#endif /* CAMPAIGN_IMPL_H */

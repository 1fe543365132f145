/* SPDX-License-Identifier: BSD-3-Clause */
/* measure.c - all links, round by round, within a budget of time. */
#include <config.h>

#include "measure_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void hitop_measure_defaults(struct hitop_measure_options *options)
{
    *options = (struct hitop_measure_options){.experiments = HITOP_SET(HITOP_ECHO),
                                              .eps = 0.05,
                                              .confidence = 0.95,
                                              .min_samples = 20,
                                              .max_samples = 20000,
                                              .budget = 20,
                                              .parallel = 1,
                                              .seed = 1};
}

enum hitop_status agree_on_status(const struct hitop_transport *t, enum hitop_status own,
                                  struct hitop_diag *diag)
{
    double failed = own != HITOP_OK;
    const enum hitop_status status = t->agree(t->self, &failed, own == HITOP_OK ? diag : NULL);

    if (own != HITOP_OK) {
        return own;
    }
    if (status == HITOP_OK && failed > 0) {
        return hitop_fail(diag, HITOP_ERR_MPI, "measurement: another rank reports a failure");
    }
    return status;
}

/* The measurement as a whole. */
struct course {
    const struct hitop_transport *t;
    const struct hitop_measure_options *o;
    const struct hitop_link *links;
    int nlinks;
    struct hitop_point *mine; /* one link's points on their way */
    struct hitop_point *points;
    double start;
};

static enum hitop_status check(const struct hitop_transport *t, const struct hitop_link *links,
                               int nlinks, const struct hitop_measure_options *o,
                               struct hitop_diag *diag)
{
    if (o->nsizes < 1 ||
        !((o->experiments & HITOP_SET(HITOP_ECHO)) || hitop_measure_is_triple(o)) ||
        !(o->eps > 0) || !(o->confidence > 0 && o->confidence < 1) || o->min_samples < 1 ||
        o->max_samples < o->min_samples || !(o->budget > 0)) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "measurement: need sizes, the echo experiment, eps > 0, confidence in "
                          "(0, 1), 1 <= fewest "
                          "samples <= most samples and a budget > 0");
    }
    if (o->sizes[o->nsizes - 1] > t->max_bytes) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "messages of %zu bytes are too large; at most %zu are possible",
                          o->sizes[o->nsizes - 1], t->max_bytes);
    }
    for (int i = 0; i < nlinks; i++) {
        if (links[i].rank[0] >= t->nranks || links[i].rank[1] >= t->nranks ||
            (hitop_measure_is_triple(o) && links[i].third >= t->nranks)) {
            return hitop_fail(diag, HITOP_ERR_INVALID, "link %d - %d has a rank outside 0..%d",
                              links[i].rank[0], links[i].rank[1], t->nranks - 1);
        }
    }
    return HITOP_OK;
}

/* Seconds for the links of one wave: an equal share of what is left. */
static enum hitop_status share_time(const struct course *c, int waves_left, double *slice,
                                    struct hitop_diag *diag)
{
    double elapsed = c->t->now(c->t->self) - c->start;
    const enum hitop_status status = c->t->agree(c->t->self, &elapsed, diag);

    *slice = fmax((c->o->budget - elapsed) / waves_left, 1e-3 * c->o->budget);
    return status;
}

/* This process's part in one link. */
static enum hitop_status play(const struct course *c, int link, double slice,
                              struct hitop_diag *diag)
{
    const struct hitop_transport *t = c->t;
    const int first = c->links[link].rank[0], second = c->links[link].rank[1];
    const int third = c->links[link].third, is_triple = hitop_measure_is_triple(c->o);
    enum hitop_status status, released;

    if (plays_second(t, &c->links[link]) || (is_triple && plays_third(t, &c->links[link]))) {
        return t->answer(t->self, first, t->rank, diag);
    }
    if (!plays_first(t, &c->links[link])) {
        return HITOP_OK;
    }
    status = measure_link(t, &c->links[link], c->o, slice, c->mine, diag);
    released = t->release(t->self, first, second, status == HITOP_OK ? diag : NULL);
    if (is_triple && released == HITOP_OK) {
        released = t->release(t->self, first, third, status == HITOP_OK ? diag : NULL);
    }
    if (status == HITOP_OK && t->rank == HITOP_EVERY_RANK) {
        const size_t n = hitop_measure_npoints(c->o);
        memcpy(c->points + (size_t)link * n, c->mine, n * sizeof(*c->mine));
    }
    return status == HITOP_OK ? released : status;
}

/* Move the points of the wave's links to rank 0. */
static enum hitop_status collect(const struct course *c, int link, struct hitop_diag *diag)
{
    const size_t n = hitop_measure_npoints(c->o);
    const struct hitop_transport *t = c->t;
    struct hitop_point *target = t->rank == 0 ? c->points + (size_t)link * n : c->mine;

    if (t->rank == HITOP_EVERY_RANK) {
        return HITOP_OK;
    }
    if (t->rank == 0 && c->links[link].rank[0] == 0) {
        memcpy(target, c->mine, n * sizeof(*c->mine));
        return HITOP_OK;
    }
    return t->collect(t->self, c->links[link].rank[0], target, n * sizeof(*c->mine), diag);
}

/* Links first, first + step, ... below last, at once. */
static enum hitop_status run_wave(const struct course *c, int first, int last, int step,
                                  double slice, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    if (c->t->concurrent) {
        c->t->concurrent(c->t->self, (last - first + step - 1) / step);
    }
    for (int i = first; status == HITOP_OK && i < last; i += step) {
        status = play(c, i, slice, diag);
    }
    status = agree_on_status(c->t, status, diag);
    for (int i = first; status == HITOP_OK && i < last; i += step) {
        status = collect(c, i, diag);
    }
    return status;
}

/* Rounds after the one that ends before link, with one wave each where links may run at once. */
static int count_waves(const struct course *c, int link)
{
    int waves = 0;

    for (; link < c->nlinks; link++) {
        waves += !c->o->parallel || link + 1 == c->nlinks ||
                 c->links[link + 1].round != c->links[link].round;
    }
    return waves;
}

static enum hitop_status run_round(const struct course *c, int first, int last,
                                   struct hitop_diag *diag)
{
    const int later = count_waves(c, last);
    int at_once, waves, done = first;
    enum hitop_status status =
        find_concurrency(c->t, c->links + first, last - first, c->o, &at_once, diag);

    if (status != HITOP_OK) {
        return status;
    }
    waves = (last - first + at_once - 1) / at_once;
    for (int wave = 0; status == HITOP_OK && wave < waves; wave++) {
        double slice;
        status = share_time(c, waves - wave + later, &slice, diag);
        if (status == HITOP_OK) {
            status = run_wave(c, first + wave, last, waves, slice, diag);
        }
        done += (last - first - wave + waves - 1) / waves;
        if (status == HITOP_OK && c->o->progress && c->t->rank <= 0) {
            c->o->progress(c->o->progress_data, done, c->nlinks, at_once);
        }
    }
    return status;
}

enum hitop_status hitop_measure(const struct hitop_transport *transport,
                                const struct hitop_link *links, int nlinks,
                                const struct hitop_measure_options *options,
                                struct hitop_point *points, struct hitop_diag *diag)
{
    struct course c = {.t = transport,
                       .o = options,
                       .links = links,
                       .nlinks = nlinks,
                       .points = points,
                       .start = transport->now(transport->self)};
    enum hitop_status status = check(transport, links, nlinks, options, diag);

    if (status != HITOP_OK) {
        return status; /* alike on all ranks */
    }
    c.mine = calloc(hitop_measure_npoints(options), sizeof(*c.mine));
    if (!c.mine) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "measurement: out of memory");
    }
    status = agree_on_status(transport, status, diag);
    for (int first = 0, last; status == HITOP_OK && first < nlinks; first = last) {
        for (last = first + 1; last < nlinks && links[last].round == links[first].round; last++) {
        }
        status = run_round(&c, first, last, diag);
    }
    free(c.mine);
    return status;
}

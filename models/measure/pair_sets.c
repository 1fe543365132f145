/* SPDX-License-Identifier: BSD-3-Clause */
/* pair_sets.c - the pairs of ranks that send at the same time, and their measured values. */
#include <config.h>

#include "models/fit/estimate.h"
#include "models/journal/batches.h"
#include "models/links/host_ranks.h"
#include "models/measure/pair_sets_impl.h"

#include <math.h>
#include <stdlib.h>

void hitop_pair_plan_clear(struct hitop_pair_plan *plan)
{
    free(plan->pairs);
    free(plan->begin);
    *plan = (struct hitop_pair_plan){0};
}

/* The pairs of one link, the link itself first. */
struct pairs {
    int (*rank)[2];
    int n;
};

static int is_taken(const struct pairs *p, int rank)
{
    for (int i = 0; i < p->n; i++) {
        if (p->rank[i][0] == rank || p->rank[i][1] == rank) {
            return 1;
        }
    }
    return 0;
}

/* Find pairs of free ranks of the hosts of a link, with the lowest common group of the link. */
static void find_pairs(const struct hitop_hierarchy *h, const struct host_ranks *hosts,
                       const struct hitop_link *link, struct pairs *p)
{
    const int x = hosts->innermost[link->rank[0]], y = hosts->innermost[link->rank[1]];

    p->n = 1;
    p->rank[0][0] = link->rank[0];
    p->rank[0][1] = link->rank[1];
    for (int i = hosts->begin[x]; i < hosts->begin[x + 1]; i++) {
        const int a = hosts->rank[i];
        for (int k = hosts->begin[y]; k < hosts->begin[y + 1] && !is_taken(p, a); k++) {
            const int b = hosts->rank[k];
            if (a != b && !is_taken(p, b) && hitop_hierarchy_lca(h, a, b) == link->node) {
                p->rank[p->n][0] = a;
                p->rank[p->n++][1] = b;
            }
        }
    }
}

enum hitop_status hitop_pair_plan_add(struct hitop_pair_plan *plan, int (*rank)[2], int npairs,
                                      int link, struct hitop_diag *diag)
{
    const size_t pairs = (size_t)plan->npairs + (size_t)npairs;
    struct hitop_link *more = realloc(plan->pairs, pairs * sizeof(*more));
    int *begin;

    plan->pairs = more ? more : plan->pairs;
    begin = realloc(plan->begin, ((size_t)plan->nsets + 2) * sizeof(*begin));
    plan->begin = begin ? begin : plan->begin;
    if (!more || !begin) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "concurrent pairs: out of memory");
    }
    plan->begin[plan->nsets++] = plan->npairs;
    for (int i = 0; i < npairs; i++) {
        plan->pairs[plan->npairs++] = (struct hitop_link){.node = link,
                                                          .rank = {rank[i][0], rank[i][1]},
                                                          .round = plan->nsets,
                                                          .phase = plan->nsets};
    }
    plan->begin[plan->nsets] = plan->npairs;
    return HITOP_OK;
}

/* Add sets of 1, 2, 4, ... pairs and of all pairs. */
static enum hitop_status add_link(struct hitop_pair_plan *plan, const struct pairs *p, int link,
                                  struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    for (int k = 1; status == HITOP_OK && p->n > 1 && k < 2 * p->n; k *= 2) {
        status = hitop_pair_plan_add(plan, p->rank, k < p->n ? k : p->n, link, diag);
    }
    return status;
}

enum hitop_status hitop_pair_sets_choose(const struct hitop_hierarchy *h,
                                         const struct hitop_link *links, int nlinks,
                                         struct hitop_pair_plan *out, struct hitop_diag *diag)
{
    const int nranks = hitop_hierarchy_nranks(h);
    struct pairs pairs = {.rank = calloc((size_t)nranks + 1, sizeof(*pairs.rank))};
    struct host_ranks hosts = {0};
    enum hitop_status status;

    *out = (struct hitop_pair_plan){0};
    status = pairs.rank ? hitop_host_ranks_fill(&hosts, h, diag)
                        : hitop_fail(diag, HITOP_ERR_NOMEM, "concurrent pairs: out of memory");
    for (int i = 0; status == HITOP_OK && i < nlinks; i++) {
        find_pairs(h, &hosts, &links[i], &pairs);
        status = add_link(out, &pairs, i, diag);
    }
    hitop_host_ranks_clear(&hosts);
    free(pairs.rank);
    return status;
}

/* Values are sorted by job, then by time. */
static int compare(const void *a, const void *b)
{
    const struct pair_value *x = a, *y = b;

    if (x->job != y->job) {
        return x->job < y->job ? -1 : 1;
    }
    return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

static void sort_values(struct pair_value *value, size_t n)
{
    if (n > 0) {
        qsort(value, n, sizeof(*value), compare);
    }
}

/* The job of a batch; -1 when it is none of this plan. */
static int find_job(const struct hitop_pair_plan *plan, const struct hitop_measure_options *o,
                    const struct hitop_batch *batch)
{
    const int set = batch->link;
    int size = 0;

    if (batch->what != plan->what || set >= plan->nsets ||
        batch->n != plan->begin[set + 1] - plan->begin[set]) {
        return -1;
    }
    while (size < o->nsizes && o->sizes[size] != batch->bytes) {
        size++;
    }
    return size < o->nsizes ? set * o->nsizes + size : -1;
}

enum hitop_status hitop_pair_sets_adopt(const struct hitop_pair_plan *plan,
                                        const struct hitop_measure_options *options,
                                        struct bytes *all, int *passes, struct hitop_diag *diag)
{
    const struct hitop_batches *known = options->known;
    struct hitop_batch batch;
    enum hitop_status status = HITOP_OK;
    size_t offset = 0;

    while (known && status == HITOP_OK &&
           hitop_batches_next(known->bytes.data, known->bytes.length, &offset, &batch)) {
        const int job = find_job(plan, options, &batch);
        for (int i = 0; job >= 0 && status == HITOP_OK && i < batch.n; i++) {
            const struct pair_value value = {job, batch.samples[i]};
            status = hitop_bytes_append(all, &value, sizeof(value), diag);
        }
        if (job >= 0) {
            passes[job]++;
        }
    }
    return status;
}

enum hitop_status hitop_pair_sets_hand_on(const struct hitop_pair_plan *plan,
                                          const struct hitop_measure_options *options, int pass,
                                          struct pair_value *value, size_t n,
                                          struct hitop_diag *diag)
{
    double *samples = malloc((n + 1) * sizeof(*samples));
    enum hitop_status status = HITOP_OK;

    if (!samples) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "concurrent pairs: out of memory");
    }
    sort_values(value, n);
    for (size_t first = 0, last; status == HITOP_OK && first < n; first = last) {
        struct hitop_batch batch = {.part = options->part,
                                    .link = value[first].job / options->nsizes,
                                    .what = plan->what,
                                    .bytes = options->sizes[value[first].job % options->nsizes],
                                    .block = pass,
                                    .batch = 1,
                                    .samples = samples};
        for (last = first; last < n && value[last].job == value[first].job; last++) {
            samples[batch.n++] = value[last].seconds;
        }
        status = options->keep(options->keep_data, &batch, diag);
    }
    free(samples);
    return status;
}

void hitop_pair_sets_clear(struct hitop_pair_sets *pair_sets)
{
    free(pair_sets->set);
    free(pair_sets->list);
    free(pair_sets->points);
    *pair_sets = (struct hitop_pair_sets){0};
}

/* The point of one pair set at one size, from its sorted values. */
static struct hitop_point sum_up(const struct pair_value *value, int n, size_t bytes,
                                 const struct hitop_measure_options *o)
{
    const double width = hitop_estimators()->normal_width(o->confidence);
    const double low = value[n / 4].seconds, high = value[n - 1 - n / 4].seconds;
    const double median = (value[(n - 1) / 2].seconds + value[n / 2].seconds) / 2;
    /* from the quartiles, as for a normal distribution */
    const double se = fmax((high - low) / 1.349 * 1.2533 / sqrt(n), 1e-3 * median);

    return (struct hitop_point){.bytes = bytes,
                                .seconds = median,
                                .se = fmax(se, 1e-12),
                                .lo = fmax(0, median - width * se),
                                .hi = median + width * se,
                                .nsamples = n,
                                .converged = width * se <= fmax(o->eps, 2e-3) * median};
}

enum hitop_status hitop_pair_sets_arrange(struct hitop_pair_sets *out, struct bytes *all,
                                          const struct hitop_pair_plan *plan, int nlinks,
                                          const struct hitop_measure_options *o,
                                          struct hitop_diag *diag)
{
    const size_t njobs = (size_t)plan->nsets * (size_t)o->nsizes;
    struct pair_value *value = (struct pair_value *)(void *)all->data;
    const size_t n = all->length / sizeof(*value);
    struct hitop_point *point;
    size_t at = 0, nsets = 0;

    out->points = calloc(njobs + 1, sizeof(*out->points));
    out->set = calloc((size_t)plan->nsets + 1, sizeof(*out->set));
    out->list = calloc((size_t)nlinks + 1, sizeof(*out->list));
    if (!out->points || !out->set || !out->list) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "concurrent pairs: out of memory");
    }
    point = out->points;
    sort_values(value, n);
    for (int c = 0; c < plan->nsets; c++) {
        struct hitop_pair_set_list *list = &out->list[plan->pairs[plan->begin[c]].node];
        struct hitop_pair_set *set = &out->set[nsets];
        *set = (struct hitop_pair_set){.pairs = plan->begin[c + 1] - plan->begin[c],
                                       .curve = {.points = point}};
        for (int k = 0; k < o->nsizes; k++) {
            const size_t first = at;
            while (at < n && value[at].job == c * o->nsizes + k) {
                at++;
            }
            if (at > first) {
                point[set->curve.npoints++] =
                    sum_up(value + first, (int)(at - first), o->sizes[k], o);
            }
        }
        if (set->curve.npoints < 2 && o->nsizes > 2) {
            continue; /* interrupted: too few points for a line */
        }
        point += set->curve.npoints;
        list->set = list->n == 0 ? set : list->set;
        list->n++;
        nsets++;
    }
    return HITOP_OK;
}

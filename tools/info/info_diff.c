/* SPDX-License-Identifier: BSD-3-Clause */
/* info_diff.c - compare the prices of two models by level and size. */
#include <config.h>

#include "tools/info/diff.h"

#include "models/model/figures.h"

#include "hitop/predict.h"

#include <math.h>
#include <stdlib.h>

/* A pair at one size. */
struct item {
    int level;
    double difference; /* ln(b / a) */
    size_t pair;
    int is_different;
};

static double difference(double a, double b)
{
    return a == b ? 0 : log(b / a); /* infinite where one of them is 0 */
}

/*
 * Sort by level, then by difference, then in reverse order of choice: the last of equals, which
 * counts as the worst, is the first one chosen.
 */
static int compare(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    const double dx = fabs(x->difference), dy = fabs(y->difference);

    if (x->level != y->level) {
        return x->level < y->level ? -1 : 1;
    }
    if (dx != dy) {
        return dx < dy ? -1 : 1;
    }
    return (x->pair < y->pair) - (x->pair > y->pair); /* the first of equals is the worst */
}

/* The q quantile of n sorted items, as a relative difference. */
static double quantile(const struct item *item, size_t n, double q)
{
    const size_t index = (size_t)ceil(q * (double)n);

    return expm1(fabs(item[index > 0 ? index - 1 : 0].difference));
}

/*
 * Whether a pair is beyond the tolerance and the intervals of both models do not overlap; without
 * an interval a price is exact.
 */
static int is_different(const struct info_request *r, const struct diff_pair *p, size_t bytes,
                        double difference)
{
    const struct hitop_model *lower = difference > 0 ? r->model : r->other;
    const struct hitop_model *upper = difference > 0 ? r->other : r->model;
    double below, above;

    if (fabs(difference) <= log1p(r->tolerance) + 1e-12) { /* 1e-12: rounding errors */
        return 0;
    }
    below = hitop_model_uncertainty(lower, p->i, p->j, bytes);
    above = hitop_model_uncertainty(upper, p->i, p->j, bytes);
    return hitop_model_p2p(lower, p->i, p->j, bytes) * (1 + (isnan(below) ? 0 : below)) <
           hitop_model_p2p(upper, p->i, p->j, bytes) * (1 - (isnan(above) ? 0 : above));
}

/* The last of the sorted items that is different, or else the last of all. */
static const struct item *find_worst(const struct item *item, size_t n)
{
    for (size_t k = n; k > 0; k--) {
        if (item[k - 1].is_different) {
            return &item[k - 1];
        }
    }
    return &item[n - 1];
}

/* Summarize n sorted items of one level. */
static struct diff_row summarize(const struct diff *d, size_t bytes, const struct item *item,
                                 size_t n)
{
    const struct item *last = find_worst(item, n);
    const struct diff_pair *worst = &d->pairs.pair[last->pair];
    struct diff_row row = {.level = item->level,
                           .name = d->levels.level[item->level].name,
                           .bytes = bytes,
                           .npairs = n,
                           .median = quantile(item, n, 0.5),
                           .q90 = quantile(item, n, 0.9),
                           .worst = expm1(fabs(last->difference)),
                           .pair = {worst->i, worst->j}};

    for (size_t k = 0; k < n; k++) {
        row.bias += item[k].difference / (double)n;
        row.ndifferent += item[k].is_different != 0;
    }
    row.bias = expm1(row.bias);
    for (int m = 0; m < 2; m++) {
        const struct hitop_model *model = m == 0 ? d->request->model : d->request->other;
        row.seconds[m] = hitop_model_p2p(model, worst->i, worst->j, bytes);
        row.width[m] = hitop_model_uncertainty(model, worst->i, worst->j, bytes);
    }
    return row;
}

static void compare_at(struct diff *d, size_t bytes, struct item *item)
{
    const size_t n = d->pairs.n;

    for (size_t k = 0; k < n; k++) {
        const struct diff_pair *p = &d->pairs.pair[k];
        const double by = difference(hitop_model_p2p(d->request->model, p->i, p->j, bytes),
                                     hitop_model_p2p(d->request->other, p->i, p->j, bytes));
        item[k] = (struct item){p->level, by, k, is_different(d->request, p, bytes, by)};
    }
    qsort(item, n, sizeof(*item), compare);
    for (size_t first = 0, next; first < n; first = next) {
        for (next = first + 1; next < n && item[next].level == item[first].level; next++) {
        }
        d->row[d->nrows++] = summarize(d, bytes, item + first, next - first);
    }
}

static int compare_rows(const void *a, const void *b)
{
    const struct diff_row *x = a, *y = b;

    if (x->level != y->level) {
        return x->level < y->level ? -1 : 1;
    }
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

static void diff_clear(struct diff *d)
{
    free(d->row);
    free(d->pairs.pair);
    info_levels_clear(&d->levels);
}

/*
 * The pairs of ranks by which two models are compared.
 *
 * Models with the same hierarchy differ in their classes only, so one pair of each class is enough.
 * Otherwise all pairs are compared, or a random choice where they are too many. Each level around a
 * rank is equally likely in it, because nearly all pairs of a large machine meet at its root.
 */

static void add(struct diff_pairs *out, const struct hitop_hierarchy *h,
                const struct info_levels *levels, int i, int j)
{
    const int group = hitop_hierarchy_lca(h, i, j);

    out->pair[out->n++] =
        (struct diff_pair){i, j, levels->of_group[group - hitop_hierarchy_nranks(h)]};
}

/* Number of classes of each group; NULL when out of memory. */
static int *count_classes(const struct hitop_model *model)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(model);
    const int nranks = hitop_hierarchy_nranks(h);
    int *count = calloc((size_t)(hitop_hierarchy_nnodes(h) - nranks), sizeof(*count));

    for (int i = 0; count && i < hitop_model_nclasses(model); i++) {
        count[hitop_model_class(model, i)->node - nranks]++;
    }
    return count;
}

/*
 * Add a pair of each class of a model, in groups where it has more classes than the other model.
 * Where both have equally many, the first model adds them.
 */
static void add_classes(struct diff_pairs *out, const struct hitop_model *model,
                        const struct info_levels *levels, const int *mine, const int *others,
                        int is_first)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(model);
    const int nranks = hitop_hierarchy_nranks(h);

    for (int i = 0; i < hitop_model_nclasses(model); i++) {
        const struct hitop_class *c = hitop_model_class(model, i);
        const int group = c->node - nranks;
        int pair[2];
        if (mine[group] > others[group] || (is_first && mine[group] == others[group])) {
            hitop_model_class_pair(model, c, pair);
            add(out, h, levels, pair[0], pair[1]);
        }
    }
}

static void choose_classes(struct diff_pairs *out, const struct hitop_model *a,
                           const struct hitop_model *b, const struct info_levels *levels)
{
    int *count_a = count_classes(a), *count_b = count_classes(b);
    const size_t n = (size_t)hitop_model_nclasses(a) + (size_t)hitop_model_nclasses(b);

    out->choice = DIFF_CLASSES;
    out->pair = count_a && count_b ? calloc(n + 1, sizeof(*out->pair)) : NULL;
    if (out->pair) {
        add_classes(out, a, levels, count_a, count_b, 1);
        add_classes(out, b, levels, count_b, count_a, 0);
    }
    free(count_b);
    free(count_a);
}

static void choose_all(struct diff_pairs *out, const struct hitop_hierarchy *h,
                       const struct info_levels *levels, size_t n)
{
    const int nranks = hitop_hierarchy_nranks(h);

    out->choice = DIFF_ALL_PAIRS;
    out->pair = calloc(n + 1, sizeof(*out->pair));
    for (int i = 0; out->pair && i < nranks; i++) {
        for (int j = i + 1; j < nranks; j++) {
            add(out, h, levels, i, j);
        }
    }
}

/* A whole number below n. */
static int draw(unsigned short state[3], int n)
{
    return (int)(erand48(state) * n);
}

/*
 * Draw a group in which the rank meets others; all such groups are equally likely. *below becomes
 * the member of the group that contains the rank.
 */
static int draw_group(const struct hitop_hierarchy *h, int rank, unsigned short state[3],
                      int *below)
{
    int found = HITOP_NO_NODE, nfound = 0, member = rank;

    for (int up = hitop_hierarchy_parent(h, rank); up != HITOP_NO_NODE;
         member = up, up = hitop_hierarchy_parent(h, up)) {
        int nmembers;
        (void)hitop_hierarchy_children(h, up, &nmembers);
        if (nmembers > 1 && draw(state, ++nfound) == 0) {
            found = up;
            *below = member;
        }
    }
    return found;
}

/* Draw a rank of another member of the group. */
static int draw_partner(const struct hitop_hierarchy *h, int group, int below,
                        unsigned short state[3])
{
    int n, node;
    const int *member = hitop_hierarchy_children(h, group, &n);

    do {
        node = member[draw(state, n)];
    } while (node == below);
    for (member = hitop_hierarchy_children(h, node, &n); n > 0;
         member = hitop_hierarchy_children(h, node, &n)) {
        node = member[draw(state, n)];
    }
    return node;
}

static void choose_random(struct diff_pairs *out, const struct hitop_hierarchy *h,
                          const struct info_levels *levels, int n, int seed)
{
    unsigned short state[3] = {0x330e, (unsigned short)(seed & 0xffff),
                               (unsigned short)((unsigned)seed >> 16)};

    out->choice = DIFF_RANDOM_PAIRS;
    out->pair = calloc((size_t)n + 1, sizeof(*out->pair));
    while (out->pair && out->n < (size_t)n) {
        const int i = draw(state, hitop_hierarchy_nranks(h));
        int below = i;
        const int group = draw_group(h, i, state, &below);
        add(out, h, levels, i, draw_partner(h, group, below, state));
    }
}

/* Choose what to compare: at most max_pairs. */
static enum hitop_status diff_pairs_choose(const struct hitop_model *a, const struct hitop_model *b,
                                           const struct info_levels *levels, int max_pairs,
                                           int seed, struct diff_pairs *out,
                                           struct hitop_diag *diag)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(a);
    const size_t nranks = (size_t)hitop_model_nranks(a);
    const size_t npairs = nranks * (nranks - 1) / 2;

    *out = (struct diff_pairs){0};
    /* with classes of processors, pairs of one class of links differ */
    if (hitop_model_nprocessors(a) <= 1 && hitop_model_nprocessors(b) <= 1 &&
        hitop_hierarchy_first_difference(h, hitop_model_hierarchy(b)) == HITOP_NO_NODE) {
        choose_classes(out, a, b, levels);
    } else if (npairs <= (size_t)max_pairs) {
        choose_all(out, h, levels, npairs);
    } else {
        choose_random(out, h, levels, max_pairs, seed);
    }
    return out->pair ? HITOP_OK
                     : hitop_fail(diag, HITOP_ERR_NOMEM, "pairs of ranks: out of memory");
}

/*
 * Predictions of common collectives of all ranks by both models, each with its fastest algorithm.
 */

/*
 * Collectives, and the largest number of ranks for which predictions are fast: they plan all
 * algorithms, in alltoall with a message for every two ranks.
 */
static const struct {
    const char *operation;
    int most_ranks;
} common[] = {{"bcast", 1024}, {"allreduce", 1024}, {"alltoall", 128}, {"gather", 1024}};

static const size_t sizes[] = {1024, 65536, 1048576};

enum { NSIZES = sizeof(sizes) / sizeof(sizes[0]) };

_Static_assert(DIFF_COLLECTIVES >= NSIZES * sizeof(common) / sizeof(common[0]), "too few places");

static double predict(const struct hitop_model *model, const char *operation, size_t bytes)
{
    const struct hitop_cost cost = hitop_model_cost(model);
    struct hitop_irregular irregular;
    const int is_irregular = hitop_irregular_of(model, &irregular);
    const struct hitop_predict_args args = {.operation = operation,
                                            .algorithm = "auto",
                                            .size = hitop_model_nranks(model),
                                            .bytes = bytes,
                                            .cost = &cost,
                                            .irregular = is_irregular ? &irregular : NULL};
    double seconds;

    return hitop_predict(&args, &seconds, NULL) == HITOP_OK ? seconds : NAN;
}

/* Predict common collectives, except where that would take long. */
static void diff_collectives_fill(struct diff *d)
{
    const int nranks = hitop_model_nranks(d->request->model);

    for (size_t o = 0; o < sizeof(common) / sizeof(common[0]); o++) {
        for (size_t s = 0; s < NSIZES && nranks > 1 && nranks <= common[o].most_ranks; s++) {
            struct diff_collective *c = &d->collective[d->ncollectives];
            *c = (struct diff_collective){
                .operation = common[o].operation,
                .bytes = sizes[s],
                .seconds = {predict(d->request->model, common[o].operation, sizes[s]),
                            predict(d->request->other, common[o].operation, sizes[s])}};
            c->change = expm1(log(c->seconds[1] / c->seconds[0]));
            d->ncollectives += c->seconds[0] > 0 && isfinite(c->seconds[1]);
        }
    }
}

/* Compare request->model with request->other. Release with diff_clear(), also after a failure. */
static enum hitop_status diff_fill(struct diff *d, const struct info_request *request,
                                   struct hitop_diag *diag)
{
    struct item *item = NULL;
    enum hitop_status status;

    *d = (struct diff){.request = request};
    status = info_levels_fill(&d->levels, hitop_model_hierarchy(request->model), diag);
    if (status == HITOP_OK) {
        status = diff_pairs_choose(request->model, request->other, &d->levels, request->max_pairs,
                                   request->seed, &d->pairs, diag);
    }
    if (status != HITOP_OK) {
        return status;
    }
    item = calloc(d->pairs.n + 1, sizeof(*item));
    d->row = calloc((size_t)d->levels.n * request->nsizes + 1, sizeof(*d->row));
    if (!item || !d->row) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "%zu pairs: out of memory", d->pairs.n);
    }
    for (size_t s = 0; status == HITOP_OK && s < request->nsizes; s++) {
        compare_at(d, request->bytes[s], item);
    }
    if (status == HITOP_OK) {
        qsort(d->row, d->nrows, sizeof(*d->row), compare_rows);
    }
    d->is_same = 1;
    for (size_t i = 0; i < d->nrows; i++) {
        d->is_same &= d->row[i].ndifferent == 0;
    }
    for (size_t i = 0; i < d->nrows; i++) {
        if (d->is_same || d->row[i].ndifferent > 0) {
            d->worst = fmax(d->worst, d->row[i].worst);
        }
    }
    if (status == HITOP_OK) {
        diff_collectives_fill(d);
    }
    free(item);
    return status;
}

enum hitop_status info_write_diff(const struct info_request *request, int *is_same, FILE *to,
                                  struct hitop_diag *diag)
{
    struct diff d;
    enum hitop_status status = diff_fill(&d, request, diag);

    *is_same = d.is_same;
    if (status == HITOP_OK) {
        status = diff_write(&d, to, diag);
    }
    diff_clear(&d);
    return status;
}

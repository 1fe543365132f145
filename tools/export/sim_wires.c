/* SPDX-License-Identifier: BSD-3-Clause */
/* sim_wires.c - links of a SimGrid platform, and factors by the size of messages. */
#include <config.h>

#include "tools/export/sim_wires.h"

#include "hitop/sys/model.h"

#include <math.h>
#include <string.h>

static const double least_slope = 1e-15; /* seconds per byte of a link without a bandwidth */
static const double tolerance = 0.01;    /* relative error of times with factors */

struct line {
    double alpha, beta;
};

/* The line of the model between two sizes. */
static struct line line_of(const struct hitop_model *model, int a, int b, size_t low, size_t high)
{
    const double first = hitop_model_p2p(model, a, b, low);
    const double slope = (hitop_model_p2p(model, a, b, high) - first) / (double)(high - low);

    return (struct line){.alpha = first - slope * (double)low, .beta = slope};
}

/* The largest size of a range, at which its line is evaluated. */
static size_t end_of(const struct sim_factors *f, int k)
{
    const size_t from = f->from[k];

    if (k + 1 == f->n) {
        return 2 * from + ((size_t)1 << 20);
    }
    return f->from[k + 1] > from + 1 ? f->from[k + 1] - 1 : f->from[k + 1];
}

static struct line piece_of(const struct hitop_model *model, const struct sim_factors *f, int k,
                            int a, int b)
{
    return line_of(model, a, b, f->from[k], end_of(f, k));
}

struct sim_wire sim_wire_of(const struct hitop_model *model, const struct sim_factors *factors,
                            int a, int b)
{
    struct line line;

    if (factors->n > 1) {
        line = piece_of(model, factors, 0, a, b);
        line.beta *= factors->bandwidth[0];
        line.alpha -= SIM_HEADER * line.beta / factors->bandwidth[0];
    } else {
        line = line_of(model, a, b, (size_t)64 << 10, (size_t)1 << 20);
        line.beta = fmax(line.beta, least_slope);
        line.alpha = hitop_model_p2p(model, a, b, 0) - SIM_HEADER * line.beta;
    }
    return (struct sim_wire){.latency = fmax(0, line.alpha), .bandwidth = 1 / line.beta};
}

/* Two ranks whose link is of a class. */
static void ends_of(const struct hitop_model *model, const struct hitop_class *c, int *a, int *b)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(model);
    int count, first = c->between[0], second = c->between[1];
    const int *member = hitop_hierarchy_children(h, c->node, &count);

    if (first == second) {
        first = member[0];
        second = member[1];
    }
    *a = hitop_hierarchy_first_rank(h, first);
    *b = hitop_hierarchy_first_rank(h, second);
}

/* Insert a size at which ranges begin. Returns 0 if there are too many. */
static int add_size(struct sim_factors *f, size_t bytes)
{
    int i = 0;

    while (i < f->n && f->from[i] < bytes) {
        i++;
    }
    if (i < f->n && f->from[i] == bytes) {
        return 1;
    }
    if (f->n == SIM_MAX_PIECES) {
        return 0;
    }
    memmove(f->from + i + 1, f->from + i, (size_t)(f->n - i) * sizeof(*f->from));
    f->from[i] = bytes;
    f->n++;
    return 1;
}

/* The sizes of the tables of all classes. Returns 0 if there are too many. */
static int find_sizes(const struct hitop_model *model, struct sim_factors *f)
{
    const size_t ncolumns = hitop_model_type_of(model)->ncolumns;

    for (int i = 0; i < hitop_model_nclasses(model); i++) {
        const struct hitop_class *c = hitop_model_class(model, i);
        for (int row = 0; ncolumns > 0 && row < c->nrows; row++) {
            const double bytes = c->table[(size_t)row * ncolumns];
            if (bytes > 1e12 || !add_size(f, (size_t)bytes)) {
                return 0;
            }
        }
    }
    return 1;
}

/* Factors that are exact for one link. Returns 0 if there are none. */
static int fit_factors(const struct hitop_model *model, struct sim_factors *f, int a, int b)
{
    struct line line[SIM_MAX_PIECES] = {{0, 0}};
    double fastest = INFINITY, latency;

    for (int k = 0; k < f->n; k++) {
        line[k] = piece_of(model, f, k, a, b);
        line[k].alpha -= SIM_HEADER * line[k].beta;
        fastest = fmin(fastest, line[k].beta);
    }
    latency = line[0].alpha;
    if (!(fastest > 10 * least_slope && latency > 0)) {
        return 0;
    }
    for (int k = 0; k < f->n; k++) {
        f->latency[k] = line[k].alpha / latency;
        f->bandwidth[k] = fastest / line[k].beta;
        if (f->latency[k] < 0) {
            return 0;
        }
    }
    return 1;
}

/* The largest relative difference of a time of the platform from the model, at ends of ranges. */
static double error_of(const struct hitop_model *model, const struct sim_factors *f,
                       const struct sim_factors *ranges)
{
    double worst = 0;

    for (int i = 0; i < hitop_model_nclasses(model); i++) {
        int a, b;
        ends_of(model, hitop_model_class(model, i), &a, &b);
        const struct sim_wire wire = sim_wire_of(model, f, a, b);
        for (int k = 0; k < ranges->n; k++) {
            const size_t end[] = {ranges->from[k], end_of(ranges, k)};
            const int used = f->n > 1 ? k : 0;
            for (int e = 0; e < 2; e++) {
                const double wanted = hitop_model_p2p(model, a, b, end[e]);
                const double got =
                    wire.latency * f->latency[used] +
                    (double)(end[e] + SIM_HEADER) / (wire.bandwidth * f->bandwidth[used]);
                worst = wanted > 0 ? fmax(worst, fabs(got / wanted - 1)) : worst;
            }
        }
    }
    return worst;
}

/* Time per byte of a message without its latency. */
static double per_byte(const struct hitop_model *model, int a, int b, double latency, size_t bytes)
{
    return (hitop_model_p2p(model, a, b, bytes) - latency) / (double)(bytes + SIM_HEADER);
}

/*
 * Factors of the bandwidth alone, in ranges within which the time per byte of one link changes by 1
 * % at most. They serve tables whose groups have the same curve over a latency of their own.
 * Returns 0 if there are none.
 */
static int fit_bandwidths(const struct hitop_model *model, struct sim_factors *f, int a, int b)
{
    static const size_t last = (size_t)64 << 20;
    const struct line first = piece_of(model, f, 0, a, b);
    const double latency = first.alpha - SIM_HEADER * first.beta;
    double fastest = INFINITY, begin = first.beta, value = begin;

    *f = (struct sim_factors){.n = 0};
    for (size_t m = 0, next; m <= last; m = next) {
        next = m + 64 + m / 64;
        value = per_byte(model, a, b, latency, m);
        if (f->n == 0 || fabs(value / begin - 1) > 0.01) {
            if (f->n == SIM_MAX_PIECES || !(value > 10 * least_slope)) {
                return 0;
            }
            begin = value;
            f->from[f->n] = m;
            f->latency[f->n++] = 1;
        }
        f->bandwidth[f->n - 1] = 0.5 * (begin + value); /* of the range so far */
        fastest = fmin(fastest, f->bandwidth[f->n - 1]);
    }
    for (int k = 0; k < f->n; k++) {
        f->bandwidth[k] = fastest / f->bandwidth[k];
    }
    return latency > 0;
}

void sim_factors_find(const struct hitop_model *model, struct sim_factors *out)
{
    const struct sim_factors plain = {.n = 1, .latency = {1}, .bandwidth = {1}};
    static int (*const fits[])(const struct hitop_model *, struct sim_factors *, int,
                               int) = {fit_factors, fit_bandwidths};
    const int nclasses = hitop_model_nclasses(model);
    struct sim_factors ranges = plain;
    int a, b;

    *out = plain;
    if (nclasses == 0) {
        return;
    }
    if (!find_sizes(model, &ranges)) {
        ranges = plain;
    }
    ends_of(model, hitop_model_class(model, nclasses - 1), &a, &b);
    for (size_t i = 0; ranges.n > 1 && i < sizeof(fits) / sizeof(fits[0]); i++) {
        struct sim_factors f = ranges;
        if (fits[i](model, &f, a, b) && f.n > 1) {
            f.error = error_of(model, &f, &f);
            if (f.error <= tolerance) {
                *out = f;
                return;
            }
        }
    }
    out->error = error_of(model, out, &ranges);
}

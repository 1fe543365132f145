/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * capacities_judge.c - compute the capacities of uplinks from the times of one message and of
 * concurrent ones.
 */
#include <config.h>

#include "models/fit/estimate.h"
#include "models/measure/capacity.h"

#include "hitop/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * An uplink is not shared if concurrent messages are slower by less than this part, or if uplinks
 * inside the group explain the slowdown.
 */
static const double margin = 0.1;

/* A capacity that differs from 1 by less than this, or has 1 in its interval, is 1. */
static const double nearly = 0.05;

/* Least relative standard error of a time with too few passes. */
static const double scatter = 0.05;

enum { FEW_PASSES = 3 };

/* Relative half width of the interval of a capacity that is known from a probe only. */
static const double about = 0.3;

/* The concurrent pairs of a kind, in the order of their choice. */
enum { ONE_OUT, ALL_OUT, ONE_IN, ALL_IN, NSETS };

struct judge {
    const struct hitop_hierarchy *h;
    const struct hitop_capacity_plan *plan;
    const struct hitop_pair_sets *pair_sets;
    double width;               /* of an interval, in standard errors */
    struct hitop_capacity *out; /* those of inner groups are known */
    int *count;                 /* [nnodes] messages that cross the uplink of a node */
};

struct seconds {
    double value, se;
};

/*
 * The standard error of a time. The samples of few passes show how pairs differ, not how passes
 * differ, so that their error is at least `scatter`.
 */
static double error_of(const struct hitop_point *p, int npairs)
{
    return p->nsamples < FEW_PASSES * npairs ? fmax(p->se, scatter * p->seconds) : p->se;
}

/*
 * Seconds for the bytes by which the long message exceeds the shorter one; 0: one of them has no
 * time.
 */
static struct seconds of_bytes(const struct judge *j, int kind, int set)
{
    const struct hitop_pair_set_list *list = &j->pair_sets->list[kind];
    const struct hitop_point *p = (size_t)set < list->n ? list->set[set].curve.points : NULL;
    struct seconds s = {0, 0};

    if (p && list->set[set].curve.npoints == 2) {
        s.value = fmax(0, p[1].seconds - p[0].seconds);
        s.se = hypot(error_of(&p[0], list->set[set].pairs), error_of(&p[1], list->set[set].pairs));
    }
    return s;
}

/* The capacity of a kind; 0: unknown or not shared. */
static double known_capacity(const struct judge *j, int kind)
{
    return kind >= 0 && j->out[kind].is_shared && !isinf(j->out[kind].value) ? j->out[kind].value
                                                                             : 0;
}

/*
 * Count the message of a rank on the uplinks between it and the group `meet`. Returns the longest
 * time for which one of these uplinks is busy with all messages counted so far.
 */
static double count_inside(struct judge *j, int rank, int meet, int step)
{
    const int nranks = hitop_hierarchy_nranks(j->h);
    double most = 0;

    for (int node = hitop_hierarchy_parent(j->h, rank), up;
         node != meet && (up = hitop_hierarchy_parent(j->h, node)) != meet; node = up) {
        const int kind = j->plan->kind_of[node - nranks];
        const double capacity = known_capacity(j, kind);
        j->count[node] = step > 0 ? j->count[node] + step : 0;
        if (capacity > 0) {
            most = fmax(most, j->count[node] * of_bytes(j, kind, ONE_OUT).value / capacity);
        }
    }
    return most;
}

/*
 * The longest time for which an uplink inside the groups is busy with the messages of concurrent
 * pairs.
 */
static double inside(struct judge *j, int kind, int is_into)
{
    const struct hitop_pair_plan *pair_sets = &j->plan->pair_sets;
    const int meet = hitop_hierarchy_parent(j->h, j->plan->kind[kind].node);
    const int set =
        (int)(j->pair_sets->list[kind].set - j->pair_sets->set) + (is_into ? ALL_IN : ALL_OUT);
    double most = 0;

    for (int step = 1; step >= 0; step--) { /* count, then forget */
        for (int i = pair_sets->begin[set]; i < pair_sets->begin[set + 1]; i++) {
            for (int end = 0; end < 2; end++) {
                most = fmax(most, count_inside(j, pair_sets->pairs[i].rank[end], meet, step));
            }
        }
    }
    return most;
}

/* A capacity from its measured value and relative error. */
static struct hitop_capacity capacity_of(double value, double error)
{
    struct hitop_capacity c = {
        .value = value, .lo = fmax(0, value * (1 - error)), .hi = value * (1 + error)};

    if (c.value < 1 || (c.lo <= 1 + nearly && c.hi >= 1 - nearly)) {
        /* concurrent messages take no longer than one after the other; more is a disturbance */
        c.value = 1;
        c.hi = fmax(c.hi, 1);
    }
    /* even with a wide interval the measured value counts, which is the safe choice */
    c.is_known = 1;
    return c;
}

static struct hitop_capacity judge_direction(struct judge *j, int kind, int is_into)
{
    const double k = j->plan->kind[kind].npairs;
    const struct seconds one = of_bytes(j, kind, is_into ? ONE_IN : ONE_OUT);
    const struct seconds all = of_bytes(j, kind, is_into ? ALL_IN : ALL_OUT);
    struct hitop_capacity c = {.value = INFINITY, .lo = 0, .hi = INFINITY};

    if (one.value > 0 && all.value > 0) {
        c = capacity_of(k * one.value / all.value,
                        j->width * hypot(one.se / one.value, all.se / all.value));
        c.is_shared =
            c.value < (1 - margin) * k && inside(j, kind, is_into) < (1 - margin) * all.value;
    }
    return c;
}

/*
 * Without time for the measurement the probe decides. It has one size, whose latency counts, too,
 * so that capacities seem larger than they are.
 */
static struct hitop_capacity judge_probe(const struct hitop_group_kind *kind)
{
    struct hitop_capacity c = {.value = INFINITY, .lo = 0, .hi = INFINITY};

    if (kind->slowdown > 0) {
        c = capacity_of(kind->npairs / kind->slowdown, about);
        c.is_shared = 1;
    }
    return c;
}

static struct hitop_capacity judge_kind(struct judge *j, int kind)
{
    const struct hitop_capacity out = judge_direction(j, kind, 0), in = judge_direction(j, kind, 1);
    struct hitop_capacity c = in.is_shared && !(out.is_shared && out.value <= in.value) ? in : out;

    c.is_known = c.is_shared || (in.is_known && out.is_known);
    return c.is_known ? c : judge_probe(&j->plan->kind[kind]);
}

enum hitop_status hitop_capacities_judge(const struct hitop_hierarchy *h,
                                         const struct hitop_capacity_plan *plan,
                                         const struct hitop_pair_sets *pair_sets, double confidence,
                                         struct hitop_capacity *out, struct hitop_diag *diag)
{
    struct judge j = {.h = h,
                      .plan = plan,
                      .pair_sets = pair_sets,
                      .width = hitop_estimators()->normal_width(confidence),
                      .out = out,
                      .count = calloc((size_t)hitop_hierarchy_nnodes(h), sizeof(*j.count))};

    if (!j.count) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "capacities: out of memory");
    }
    for (int k = 0; k < plan->nkinds; k++) {
        const double named = plan->kind[k].named;
        if (named > 0) {
            out[k] = (struct hitop_capacity){
                .value = named, .lo = named, .hi = named, .is_shared = 1, .is_known = 1};
        } else if (hitop_capacities_are_free(&plan->kind[k])) {
            out[k] = (struct hitop_capacity){.value = INFINITY, .hi = INFINITY, .is_known = 1};
        } else {
            out[k] = judge_kind(&j, k);
        }
    }
    free(j.count);
    return HITOP_OK;
}

/*
 * The text of an attribute of a kind: its capacity, or the number of concurrent messages that
 * measured it.
 */
static const char *attribute(const struct hitop_group_kind *kind,
                             const struct hitop_capacity *capacity, int is_tried, char *out,
                             size_t length)
{
    if (kind->named > 0 || !capacity->is_known) {
        return NULL;
    }
    if (is_tried) {
        (void)snprintf(out, length, "%d", kind->npairs);
    } else if (capacity->is_shared) {
        hitop_text_format_number(capacity->value, 3, out, length);
    } else {
        (void)snprintf(out, length, "unlimited");
    }
    return out;
}

enum hitop_status hitop_capacities_apply(const struct hitop_hierarchy *h,
                                         const struct hitop_capacity_plan *plan,
                                         const struct hitop_capacity *capacity,
                                         struct hitop_hierarchy **out, struct hitop_diag *diag)
{
    static const char *const keys[] = {"capacity", "capacity_tried"};
    const int nranks = hitop_hierarchy_nranks(h), nnodes = hitop_hierarchy_nnodes(h);
    char(*text)[32] = calloc((size_t)plan->nkinds + 1, sizeof(*text));
    const char **value = calloc((size_t)(nnodes - nranks), sizeof(*value));
    enum hitop_status status =
        text && value ? HITOP_OK : hitop_fail(diag, HITOP_ERR_NOMEM, "capacities: out of memory");

    *out = NULL;
    for (int i = 0; status == HITOP_OK && i < 2; i++) {
        struct hitop_hierarchy *before = *out;
        for (int node = nranks; node < nnodes; node++) {
            const int k = plan->kind_of[node - nranks];
            value[node - nranks] =
                k < 0 ? NULL
                      : attribute(&plan->kind[k], &capacity[k], i == 1, text[k], sizeof(text[k]));
        }
        status = hitop_hierarchy_copy(before ? before : h, keys[i], value, out, diag);
        hitop_hierarchy_free(before);
    }
    free(value);
    free(text);
    return status;
}

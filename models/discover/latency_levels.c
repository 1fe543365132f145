/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * latency_levels.c - where a sorted list of latencies has clear steps.
 *
 * Idea:   levels are separated by gaps. A cut counts when the means on its sides differ by a wanted
 *         ratio and the gap itself is a good part of that difference; the weakest cut is removed
 *         until all others count. This finds any number of levels of any sizes at once, and none in
 *         values that spread evenly. A decision needs errors below a quarter of the gap; with
 *         greater errors, more samples are requested.
 * Cost:   n log n, and n times the number of removed cuts.
 */
#include <config.h>

#include "models/discover/discover_impl.h"

#include <math.h>
#include <stdlib.h>

/*
 * Fractions of the wanted step: the least gap to examine, a spread that can hide a step, an error
 * that cannot.
 */
static const double least_gap = 0.4, wide = 0.8, fine = 0.1;

/* Least share of the gap in the difference of two means. */
static const double clear_share = 0.4;

/* A smaller step than this is measured twice, at different times. */
static const double striking = 0.405; /* log 1.5 */

static int by_latency(const void *a, const void *b)
{
    const struct host_latency *x = a, *y = b;

    if (x->x != y->x) {
        return x->x < y->x ? -1 : 1;
    }
    return (x->index > y->index) - (x->index < y->index);
}

/* End of the level that begins at or before i. */
static int end_of(const struct host_latency *s, int n, int i)
{
    int end = i + 1;

    while (end < n && s[end].level == s[i].level) {
        end++;
    }
    return end;
}

static double mean(const struct host_latency *s, int begin, int end)
{
    double sum = 0;

    for (int i = begin; i < end; i++) {
        sum += s[i].x;
    }
    return sum / (end - begin);
}

static double noise_of(const struct host_latency *s, int begin, int end)
{
    double sum = 0;

    for (int i = begin; i < end; i++) {
        sum += s[i].se * s[i].se;
    }
    return sqrt(sum / (end - begin));
}

/* The first latency behind the weakest cut that does not count, or 0. */
static int weakest_cut(const struct host_latency *s, int n, double step)
{
    double weakest = 1;
    int cut = 0;

    for (int begin = 0, middle = end_of(s, n, 0); middle < n;) {
        const int end = end_of(s, n, middle);
        const double difference = mean(s, middle, end) - mean(s, begin, middle);
        const double gap = s[middle].x - s[middle - 1].x;
        const double strength = fmin(difference / step, gap / (clear_share * difference));

        if (strength < weakest) {
            weakest = strength;
            cut = middle;
        }
        begin = middle;
        middle = end;
    }
    return cut;
}

/* Remove the cut before latency i. */
static void join(struct host_latency *s, int n, int i)
{
    for (; i < n; i++) {
        s[i].level--;
    }
}

int hitop_latency_levels_find(struct host_latency *s, int n, double step)
{
    int cut;

    qsort(s, (size_t)n, sizeof(*s), by_latency);
    for (int i = 0; i < n; i++) {
        s[i].level = i == 0 ? 0 : s[i - 1].level + (s[i].x - s[i - 1].x > least_gap * step);
    }
    while (n > 0 && (cut = weakest_cut(s, n, step)) > 0) {
        join(s, n, cut);
    }
    return n > 0 ? s[n - 1].level + 1 : 0;
}

static void want(struct host_latency *s, double half_width)
{
    if (s->wanted == 0 || half_width < s->wanted) {
        s->wanted = half_width;
    }
}

/* Doubts about the cut before middle, between levels begin..middle and middle..end. */
static void doubt_cut(struct host_latency *s, int begin, int middle, int end)
{
    const double gap = s[middle].x - s[middle - 1].x;
    const int is_noisy = 4 * noise_of(s, begin, middle) > gap || 4 * noise_of(s, middle, end) > gap;

    for (int i = begin; i < end; i++) {
        const int is_alone = i < middle ? middle - begin == 1 : end - middle == 1;
        if ((is_noisy && 4 * s[i].se > gap) ||
            (s[i].visits < 2 && (gap < striking || (is_alone && i >= middle)))) {
            want(&s[i], 0.4 * gap);
        }
    }
}

int hitop_latency_levels_doubt(struct host_latency *s, int n, double step)
{
    int wanted = 0;

    for (int i = 0; i < n; i++) {
        s[i].wanted = 0;
    }
    for (int begin = 0, end; begin < n; begin = end) {
        end = end_of(s, n, begin);
        for (int i = begin; i < end && s[end - 1].x - s[begin].x > wide * step; i++) {
            if (s[i].se > fine * step) {
                want(&s[i], 2 * fine * step);
            }
        }
        if (end < n) {
            doubt_cut(s, begin, end, end_of(s, n, end));
        }
    }
    for (int i = 0; i < n; i++) {
        wanted += s[i].wanted > 0;
    }
    return wanted;
}

/* Whether noise could carry a latency over a cut at x. */
static int is_doubtful(const struct host_latency *s, double x)
{
    return 2 * s->se > fabs(s->x - x);
}

static int count_doubtful(const struct host_latency *s, int begin, int end, double x)
{
    int doubtful = 0;

    for (int i = begin; i < end; i++) {
        doubtful += is_doubtful(&s[i], x);
    }
    return doubtful;
}

static double middle_of_gap(const struct host_latency *s, int middle)
{
    return 0.5 * (s[middle].x + s[middle - 1].x);
}

/* Mark the few latencies that may belong to the level beside theirs. */
static void mark_doubtful(struct host_latency *s, int n)
{
    for (int i = 0; i < n; i++) {
        s[i].wanted = 0;
    }
    for (int begin = 0, middle = end_of(s, n, 0); middle < n;) {
        const double x = middle_of_gap(s, middle);
        const int end = end_of(s, n, middle);
        for (int i = begin; i < end; i++) {
            if (is_doubtful(&s[i], x)) {
                want(&s[i], 0.4 * (s[middle].x - s[middle - 1].x));
            }
        }
        begin = middle;
        middle = end;
    }
}

int hitop_latency_levels_merge(struct host_latency *s, int n, double step)
{
    int open = 0;

    for (int begin = 0, middle; begin < n;) {
        middle = end_of(s, n, begin);
        if (middle < n) {
            const double x = middle_of_gap(s, middle);
            const int end = end_of(s, n, middle);
            if (2 * count_doubtful(s, begin, middle, x) >= middle - begin ||
                2 * count_doubtful(s, middle, end, x) >= end - middle) {
                join(s, n, middle);
                open++;
                continue;
            }
        }
        begin = middle;
    }
    mark_doubtful(s, n);
    for (int begin = 0, end; begin < n && open == 0; begin = end) {
        end = end_of(s, n, begin);
        open += s[end - 1].x - s[begin].x > wide * step && noise_of(s, begin, end) > fine * step;
    }
    return open;
}

double hitop_latency_level_centre(const struct host_latency *s, int n, int level, double *noise)
{
    int begin = 0, end;

    while (begin < n && s[begin].level < level) {
        begin++;
    }
    end = end_of(s, n, begin);
    *noise = noise_of(s, begin, end);
    return 0.5 * (s[(begin + end - 1) / 2].x + s[(begin + end) / 2].x);
}

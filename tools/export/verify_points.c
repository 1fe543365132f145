/* SPDX-License-Identifier: BSD-3-Clause */
/* verify_points.c - which sizes of rules are measured, and which rules stay. */
#include <config.h>

#include "tools/export/verify.h"

#include <math.h>
#include <stdlib.h>

/* Sizes of a rule are at least this factor apart. */
static const double apart = 16;

/* The operations that benchmark_collective does not know. */
static const unsigned unknown = 1u << HITOP_EXSCAN | 1u << HITOP_REDUCE_SCATTER |
                                1u << HITOP_REDUCE_SCATTER_BLOCK | 1u << HITOP_SCAN;

static int is_measurable(const struct export_rule *rule)
{
    return rule->choice.algorithm && !(unknown & 1u << (rule->operation - hitop_operations()));
}

/* Which rules a search considers. */
enum search { NEW_OPERATIONS, NEW_RULES, NEW_SIZES };

/* Whether a size of a rule may be added. */
static int is_new(const struct export_rules *rules, const struct verify_points *points, size_t i,
                  size_t bytes, enum search search)
{
    for (int p = 0; p < points->count; p++) {
        const struct verify_point *point = &points->point[p];
        const double low = fmin((double)point->bytes, (double)bytes);
        const double high = fmax((double)point->bytes, (double)bytes);
        if ((search == NEW_OPERATIONS &&
             rules->rule[point->rule].operation == rules->rule[i].operation) ||
            (search != NEW_SIZES && point->rule == i) ||
            (point->rule == i && (low == high || high < apart * low))) {
            return 0;
        }
    }
    return 1;
}

/* Add the size with the largest predicted gain; 0: there is none. */
static int add_best(const struct export_rules *rules, struct verify_points *points,
                    enum search search)
{
    struct verify_point best = {.predicted = 1};

    for (size_t i = 0; i < rules->count && points->count < VERIFY_POINTS; i++) {
        const struct export_rule *rule = &rules->rule[i];
        for (int k = 0; k < rule->nsizes && is_measurable(rule); k++) {
            if (rule->gain_at[k] > best.predicted &&
                is_new(rules, points, i, rule->size[k], search)) {
                best.rule = i;
                best.bytes = rule->size[k];
                best.predicted = rule->gain_at[k];
            }
        }
    }
    if (!(best.predicted > 1)) {
        return 0;
    }
    points->point[points->count++] = best;
    return 1;
}

static int by_rule(const void *a, const void *b)
{
    const struct verify_point *x = a, *y = b;
    const int rules = (x->rule > y->rule) - (x->rule < y->rule);

    return rules ? rules : (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

void verify_choose(const struct export_rules *rules, int most, struct verify_points *out)
{
    out->count = 0;
    while (add_best(rules, out, NEW_OPERATIONS)) {
    }
    while (out->count < most && add_best(rules, out, NEW_RULES)) {
    }
    while (out->count < most && add_best(rules, out, NEW_SIZES)) {
    }
    qsort(out->point, (size_t)out->count, sizeof(*out->point), by_rule);
}

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static double median_of(const double *value, int n)
{
    double sorted[VERIFY_LAUNCHES];

    for (int i = 0; i < n; i++) {
        sorted[i] = value[i];
    }
    qsort(sorted, (size_t)n, sizeof(*sorted), by_value);
    return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

void verify_judge(struct verify_points *points, int launches)
{
    for (int p = 0; p < points->count; p++) {
        struct verify_point *point = &points->point[p];
        for (int with = 0; with < 2; with++) {
            point->median[with] = median_of(point->seconds[with], launches);
        }
        point->gain = point->low = point->high = point->median[0] / point->median[1];
        for (int i = 0; i < launches; i++) {
            const double gain = point->seconds[0][i] / point->seconds[1][i];
            point->low = fmin(point->low, gain);
            point->high = fmax(point->high, gain);
        }
        point->wins = point->low > 1;
    }
}

/* Whether some point of the rule's operation and job does not win. */
static int has_lost(const struct export_rules *rules, const struct verify_points *points, size_t i)
{
    for (int p = 0; p < points->count; p++) {
        const struct export_rule *other = &rules->rule[points->point[p].rule];
        if (!points->point[p].wins && other->operation == rules->rule[i].operation &&
            other->job == rules->rule[i].job) {
            return 1;
        }
    }
    return 0;
}

int verify_decide(struct export_rules *rules, const struct verify_points *points, int launches,
                  int *is_dropped)
{
    int ndropped = 0;

    for (size_t i = 0; i < rules->count; i++) {
        struct export_rule *rule = &rules->rule[i];
        int wins = 1;
        for (int p = 0; p < points->count; p++) {
            const struct verify_point *point = &points->point[p];
            if (point->rule != i) {
                continue;
            }
            wins = wins && point->wins;
            if (rule->measured.launches == 0 || point->gain < rule->measured.gain) {
                rule->measured = (struct export_measured){.launches = launches,
                                                          .bytes = point->bytes,
                                                          .gain = point->gain,
                                                          .low = point->low,
                                                          .high = point->high};
            }
        }
        is_dropped[i] = rule->choice.algorithm &&
                        (!wins || (rule->measured.launches == 0 && has_lost(rules, points, i)));
        ndropped += is_dropped[i];
    }
    return ndropped;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* sizes.c - message sizes that show both latency and bandwidth. */
#include <config.h>

#include "models/fit/estimate.h"

#include "hitop/measure.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { MAX_SIZES = 1000 };

/*
 * The size after `bytes`: about four times as large, but twice where bandwidth begins to dominate
 * latency, protocols change and the bandwidth of long messages shows.
 */
static size_t next_geometric(size_t bytes)
{
    static const size_t steps[] = {1,     16,    64,    256,    1024,   4096,
                                   16384, 32768, 65536, 131072, 262144, 524288};

    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        if (bytes < steps[i]) {
            return steps[i];
        }
    }
    for (size_t power = (size_t)1 << 20; power <= SIZE_MAX / 4; power *= 4) {
        if (bytes < power) {
            return power;
        }
    }
    return SIZE_MAX;
}

/* Room for sizes from min to max. */
static enum hitop_status reserve(size_t min, size_t max, size_t room, size_t **out, int *nsizes,
                                 struct hitop_diag *diag)
{
    *out = NULL;
    *nsizes = 0;
    if (min >= max) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "the smallest message (%zu bytes) must be smaller than the largest (%zu)",
                          min, max);
    }
    *out = calloc(room, sizeof(**out));
    return *out ? HITOP_OK : hitop_fail(diag, HITOP_ERR_NOMEM, "sizes: out of memory");
}

enum hitop_status hitop_sizes_choose(size_t min, size_t max, size_t stride, size_t **out,
                                     int *nsizes, struct hitop_diag *diag)
{
    size_t bytes = min, *sizes;
    int n = 0;
    enum hitop_status status;

    if (stride > 0 && min < max && (max - min) / stride >= MAX_SIZES - 1) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "a stride of %zu bytes from %zu to %zu gives more than %d sizes", stride,
                          min, max, MAX_SIZES);
    }
    status = reserve(min, max, MAX_SIZES, out, nsizes, diag);
    if (status != HITOP_OK) {
        return status;
    }
    sizes = *out;
    while (bytes < max) {
        sizes[n++] = bytes;
        if (stride > 0) {
            bytes = max - bytes > stride ? bytes + stride : max;
        } else {
            bytes = next_geometric(bytes);
        }
    }
    sizes[n++] = max;
    *nsizes = n;
    return HITOP_OK;
}

/*
 * The sizes at which one more measurement adds most information.
 *
 * Idea:  lines are fitted to the points so far (segments.c). In the middle of each gap between
 *        neighbouring sizes there are three predictions: by the line from the left, by the line
 *        from the right, and by the straight line between the two points. A size is worth a
 *        measurement if they differ by more than the wanted precision and by more than the errors
 *        of the points; larger differences come first.
 * Use:   differences are relative, so that long messages do not attract all sizes; they are in
 *        units of the noise, so that noise attracts none.
 */

/* Narrower gaps between sizes on one line are left alone. */
static const double narrow = 1.02;

enum hitop_status hitop_sizes_start(size_t min, size_t max, size_t **out, int *nsizes,
                                    struct hitop_diag *diag)
{
    enum { ROOM = 8 * sizeof(size_t) / 2 + 3 };
    const enum hitop_status status = reserve(min, max, ROOM, out, nsizes, diag);
    size_t *sizes = *out;
    int n = 0;

    if (status != HITOP_OK) {
        return status;
    }
    sizes[n++] = min;
    for (size_t power = 1; power < max; power *= 4) {
        if (power > min) {
            sizes[n++] = power;
        }
        if (power > SIZE_MAX / 4) {
            break;
        }
    }
    sizes[n++] = max;
    *nsizes = n;
    return HITOP_OK;
}

/* A size to measure, and the difference of the predictions there; above 1 it matters. */
struct wish {
    size_t bytes;
    double need;
};

/* The most urgent first; of equals the smaller size. */
static int compare(const void *x, const void *y)
{
    const struct wish *a = x, *b = y;

    return a->need != b->need ? (a->need < b->need) - (a->need > b->need)
                              : (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

/*
 * Between a and b, which are at least 2 apart: the geometric mean, at a multiple of stride where
 * there is one.
 */
static size_t middle(size_t a, size_t b, size_t stride)
{
    const double geometric = sqrt(fmax((double)a, 1) * (double)b);
    const size_t c = (size_t)(geometric / (double)stride + 0.5) * stride;

    return a < c && c < b ? c : a + (b - a) / 2;
}

static double at(const struct hitop_line *line, size_t bytes)
{
    return line->a + line->b * (double)bytes;
}

static double half_width(const struct hitop_point *p)
{
    return fmax(0, 0.5 * (p->hi - p->lo));
}

/*
 * The difference of the predictions at c, in units of the wanted precision or of the errors of the
 * points.
 */
static double need(const struct hitop_point *a, const struct hitop_point *b,
                   const struct hitop_line *left, const struct hitop_line *right, double eps,
                   size_t c)
{
    const double share = (double)(c - a->bytes) / (double)(b->bytes - a->bytes);
    const double expected[] = {at(left, c), at(right, c),
                               a->seconds + share * (b->seconds - a->seconds)};
    const double low = fmin(expected[0], fmin(expected[1], expected[2]));
    const double high = fmax(expected[0], fmax(expected[1], expected[2]));
    const double unit = fmax(eps * expected[2], fmax(half_width(a), half_width(b)));

    return high > low ? (high - low) / unit : 0;
}

/* Whether a gap is too narrow to look into. Between two lines the switch itself is of interest. */
static int is_narrow(size_t a, size_t b, int is_switch, const struct hitop_refinement *rule)
{
    const size_t stride = is_switch && rule->exact ? 1 : rule->min_stride;

    return b - a <= stride || (!is_switch && (double)b < narrow * (double)a);
}

/* One wish for each gap that deserves it; returns how many. */
static size_t look_into_gaps(const struct hitop_point *points, size_t npoints,
                             const struct hitop_segment *segment,
                             const struct hitop_refinement *rule, struct wish *wish)
{
    size_t n = 0, k = 0;

    for (size_t i = 0; i + 1 < npoints; i++) {
        const struct hitop_point *a = &points[i], *b = &points[i + 1];
        const struct hitop_line *left = &segment[k].line;
        const int is_switch = i == segment[k].last;
        size_t c;
        k += (size_t)is_switch;
        if (is_narrow(a->bytes, b->bytes, is_switch, rule)) {
            continue;
        }
        c = middle(a->bytes, b->bytes,
                   b->bytes - a->bytes > rule->min_stride ? rule->min_stride : 1);
        wish[n] = (struct wish){c, need(a, b, left, &segment[k].line, rule->eps, c)};
        n += wish[n].need > 1;
    }
    return n;
}

enum hitop_status hitop_sizes_refine(const struct hitop_point *points, size_t npoints,
                                     const struct hitop_refinement *rule, size_t *out, size_t room,
                                     size_t *nsizes, struct hitop_diag *diag)
{
    struct hitop_segment segment[HITOP_MAX_SEGMENTS];
    struct wish *wish;
    size_t nsegments, n;
    enum hitop_status status;

    *nsizes = 0;
    if (!(rule->eps > 0) || rule->min_stride == 0) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "sizes: a deviation of %g and a stride of %zu bytes must be > 0",
                          rule->eps, rule->min_stride);
    }
    status = hitop_segments(points, npoints, rule->confidence, segment, &nsegments, diag);
    if (status != HITOP_OK) {
        return status;
    }
    wish = calloc(npoints, sizeof(*wish));
    if (!wish) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "sizes: out of memory");
    }
    n = look_into_gaps(points, npoints, segment, rule, wish);
    qsort(wish, n, sizeof(*wish), compare);
    for (size_t i = 0; i < n && i < room; i++) {
        out[(*nsizes)++] = wish[i].bytes;
    }
    free(wish);
    return HITOP_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reader_points.c - measured times: what is accepted is sorted, has every point once, and is
 * possible.
 */
#include <config.h>

#include "models/fit/points.h"

#include "tests/fuzz/reader.h"

#include <math.h>

enum { RANKS = 4 };

static void check_point(const struct measured_point *p)
{
    for (int k = 0; k < 2; k++) {
        if (p->rank[k] < 0 || p->rank[k] >= RANKS) {
            fuzz_fail("rank %d", p->rank[k]);
        }
    }
    if (p->rank[0] == p->rank[1] || (int)p->what < 0 || p->what >= HITOP_NEXPERIMENTS ||
        p->nsamples < 0 || p->converged < 0 || p->converged > 1) {
        fuzz_fail("line %d is no point", p->line);
    }
    if (!(p->lo >= 0 && p->lo <= p->seconds && p->seconds <= p->hi && isfinite(p->hi))) {
        fuzz_fail("line %d: %g in %g to %g", p->line, p->seconds, p->lo, p->hi);
    }
}

static void check_order(const struct measured_point *p, const struct measured_point *q)
{
    const double step[] = {q->rank[0] - p->rank[0], q->rank[1] - p->rank[1],
                           (double)q->what - (double)p->what, (double)q->bytes - (double)p->bytes};
    int i = 0;

    while (i < 4 && step[i] == 0) {
        i++;
    }
    if (i == 4 ? q->bytes <= p->bytes : step[i] < 0) { /* large sizes may be equal as doubles */
        fuzz_fail("lines %d and %d are not in order", p->line, q->line);
    }
}

static void read_points(const struct fuzz_reader *reader, const char *text, size_t length)
{
    struct points points = {0};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const char *path = fuzz_file(text, length);

    (void)reader;
    if (hitop_points_read(path, RANKS, &points, &diag) != HITOP_OK) {
        fuzz_check_refusal(&diag, path, NULL);
    }
    for (size_t i = 0; diag.message[0] == '\0' && i < points.n; i++) {
        check_point(&points.point[i]);
        if (i > 0) {
            check_order(&points.point[i - 1], &points.point[i]);
        }
    }
    hitop_points_clear(&points);
}

extern const struct fuzz_reader hitop_reader_points;
const struct fuzz_reader hitop_reader_points = {
    .name = "points", .seeds = {"bad/points-*.csv", "models/two-sites/*.csv"}, .read = read_points};

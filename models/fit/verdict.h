/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef VERDICT_H
#define VERDICT_H

/*
 * verdict.h - whether one of two implementations is faster.
 *
 * Samples are quads: the logarithm of the time of B over that of A, each called twice, in the order
 * A B B A or B A A B, drawn at random. A drift or an interruption then affects both alike, so that
 * quads of equal implementations are symmetric about 0, and Wilcoxon's signed ranks give an exact
 * interval of the centre for any noise. The width of that interval, never its place, decides when
 * to stop.
 */

#include "hitop/status.h"

enum benchmark_outcome { VERDICT_FASTER, VERDICT_SLOWER, VERDICT_NONE };

struct benchmark_verdict {
    double ratio, lo, hi; /* time of B over that of A, with its interval */
    int quads;
    enum benchmark_outcome outcome; /* of B */
    int settled;                    /* the interval is narrow enough to show what matters */
};

enum { VERDICT_MOST_QUADS = 96 };

/* "faster", "slower", "no difference shown" */
const char *hitop_benchmark_outcome_name(enum benchmark_outcome outcome);

/*
 * From n >= 1 quads, VERDICT_MOST_QUADS at most.
 *
 * confidence  of the interval; with too few quads for it, the interval covers all of them
 * margin      relative difference that does not matter; "faster" and "slower" differ by more
 */
enum hitop_status hitop_benchmark_judge(const double *quads, int n, double confidence,
                                        double margin, struct benchmark_verdict *out,
                                        struct hitop_diag *diag);

/* Quads at which to look for the k-th time, k = 1, 2, ...; no more than VERDICT_MOST_QUADS. */
int hitop_benchmark_verdict_next(int look);

#endif /* VERDICT_H */

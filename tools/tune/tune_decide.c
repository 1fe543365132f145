/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tune_decide.c - from the findings at single sizes to one setting for all sizes.
 *
 * Idea:   the loss of a setting is the sum, over sizes, of the losses of the candidates that it
 * takes. A gain is a negative loss; a difference that was not shown counts 0, so that noise changes
 *         nothing. The setting with the least loss is chosen; the present one stays if no other
 *         setting gains.
 */
#include <config.h>

#include "tools/tune/tune.h"

#include <math.h>
#include <string.h>

/* Losses for a length for which nothing was shown, and for each step; less than any shown loss. */
static const double no_reason = 1e-4, a_step = 1e-5;

/* The loss of a limit, from which on the second algorithm is taken. */
static double loss_of_limit(const struct tune_finding *f, int n, size_t limit)
{
    double sum = 0;

    for (int i = 0; i < n; i++) {
        sum += f[i].loss[f[i].compared >= limit];
    }
    return sum;
}

/* The distance of two limits, on a logarithmic scale. */
static double distance(size_t a, size_t b)
{
    return fabs(log((double)a + 1) - log((double)b + 1));
}

/* The limit with the least loss, of several the one next to `present`; `present` if none gains. */
static size_t best_limit(const struct tune_finding *f, int n, size_t present)
{
    size_t best = present;
    double least = loss_of_limit(f, n, present);

    for (int i = 0; i <= n; i++) {
        const size_t limit = i < n ? f[i].compared : SIZE_MAX;
        const double loss = loss_of_limit(f, n, limit);

        if (loss < least - no_reason || (loss < least + no_reason && best != present &&
                                         distance(limit, present) < distance(best, present))) {
            least = loss < least ? loss : least;
            best = limit;
        }
    }
    return best;
}

/* The largest size below a limit; 0: there is none. */
static size_t size_below(const struct tune_finding *f, int n, size_t limit)
{
    size_t below = 0;

    for (int i = 0; i < n; i++) {
        if (f[i].compared < limit && f[i].compared > below) {
            below = f[i].compared;
        }
    }
    return below;
}

static int decide_limit(const struct tune_choice *choice, const struct tune_finding *f, int n,
                        void *member)
{
    size_t value, limit, best;

    memcpy(&value, member, sizeof(value));
    limit = choice->kind == TUNE_UP_TO && value < SIZE_MAX ? value + 1 : value;
    best = best_limit(f, n, limit);
    if (best == limit) {
        return 0;
    }
    best = choice->kind == TUNE_UP_TO ? size_below(f, n, best) : best;
    memcpy(member, &best, sizeof(best));
    return 1;
}

/* The findings are of one number of processes: *most becomes that number or one less. */
static int decide_count(const struct tune_finding *f, int n, int *most)
{
    const size_t limit = (size_t)*most + 1, best = best_limit(f, n, limit);
    const int before = *most;

    if (best != limit) {
        *most = best == SIZE_MAX ? (int)f[0].compared : (int)best - 1;
    }
    return *most != before;
}

static double loss_of_piece(const struct tune_finding *f, int k)
{
    return f->shown[k] || k == f->present ? f->loss[k] : no_reason;
}

/* The least loss of sizes [first, n) with at most `steps` lengths of pieces; fills `candidate`. */
static double best_pieces(const struct tune_finding *f, int n, int ncandidates, int first,
                          int steps, int *candidate)
{
    double least = INFINITY;

    for (int end = steps > 1 ? first + 1 : n; end <= n; end++) {
        for (int k = 0; k < ncandidates; k++) {
            int rest[TUNE_SIZES];
            double loss = a_step;
            for (int i = first; i < end; i++) {
                loss += loss_of_piece(&f[i], k);
            }
            loss += end < n ? best_pieces(f, n, ncandidates, end, steps - 1, rest) : 0;
            if (loss < least) {
                least = loss;
                for (int i = first; i < n; i++) {
                    candidate[i] = i < end ? k : rest[i];
                }
            }
        }
    }
    return least;
}

/* Merge the findings of several operations by size. Returns their number. */
static int merge_sizes(const struct tune_finding *f, int n, struct tune_finding *out)
{
    int count = 0;

    for (int i = 0; i < n; i++) {
        int at = 0;
        while (at < count && out[at].compared < f[i].compared) {
            at++;
        }
        if (at < count && out[at].compared == f[i].compared) {
            for (int k = 0; k <= TUNE_CANDIDATES; k++) {
                out[at].loss[k] += f[i].loss[k];
                out[at].shown[k] |= f[i].shown[k];
            }
            continue;
        }
        memmove(out + at + 1, out + at, (size_t)(count - at) * sizeof(*out));
        out[at] = f[i];
        count++;
    }
    return count;
}

static int decide_pieces(const struct tune_choice *choice, const struct tune_finding *findings,
                         int nfindings, void *member)
{
    const int steps = choice->kind == TUNE_STEP ? 1 : HITOP_PIECES - 1;
    struct hitop_piece list[HITOP_PIECES] = {{0, 0}};
    struct tune_finding f[TUNE_SIZES];
    const int n = merge_sizes(findings, nfindings, f);
    int candidate[TUNE_SIZES] = {0}, count = 0;

    if (best_pieces(f, n, tune_count_pieces(choice), 0, steps, candidate) > -no_reason) {
        return 0;
    }
    for (int i = 0; i < n; i++) {
        if (i + 1 == n || candidate[i + 1] != candidate[i]) {
            list[count].up_to = i + 1 == n ? SIZE_MAX : f[i].compared;
            list[count++].bytes = choice->least_piece << candidate[i];
        }
    }
    if (choice->kind == TUNE_STEP) {
        memcpy(member, &list[0].bytes, sizeof(list[0].bytes));
    } else {
        memcpy(member, list, sizeof(list));
    }
    return 1;
}

int tune_decide(const struct tune_choice *choice, const struct tune_finding *findings, int n,
                struct hitop_thresholds *row)
{
    char *member = (char *)row + choice->member;
    int most;

    if (n == 0) {
        return 0;
    }
    if (choice->kind == TUNE_COUNT) {
        int changed;
        memcpy(&most, member, sizeof(most));
        changed = decide_count(findings, n, &most);
        memcpy(member, &most, sizeof(most));
        return changed;
    }
    return choice->least_piece > 0 ? decide_pieces(choice, findings, n, member)
                                   : decide_limit(choice, findings, n, member);
}

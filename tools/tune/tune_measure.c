/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tune_measure.c - ways compared among processes that share memory.
 *
 * Blocks take turns as A B B A, B A A B. A machine has moods that last longer than that, so that
 * all sizes and ways have their first quad before one has its second. All processes go through the
 * same steps; the first one decides, and what it decides all read from memory that they share.
 */
#include <config.h>

#include "tools/tune/tune_measure.h"

#include "models/fit/quantile.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int tune_count_operations(struct tune_member *m, const struct tune_choice *choice,
                                 const struct tune_operation *operation, int k, size_t compared);

static const double confidence = 0.99, margin = 0.02;

/* Of a choice at a size. */
struct measured {
    const struct tune_operation *operation;
    size_t bytes;
    int operations;
    struct tune_finding finding;
    double present; /* the shortest time of the way in force */
    double quads[TUNE_WAYS + 1][VERDICT_MOST_QUADS];
};

static struct measured measured[TUNE_SIZES];

/* Sizes of all operations, and what they cost. */
static int prepare_sizes(struct tune_member *m, const struct tune_choice *choice)
{
    const struct tune_request *r = m->b->request;
    int n = 0;

    for (int i = 0; choice->operations[i]; i++) {
        const size_t blocks = choice->operations[i]->has_blocks ? (size_t)r->nprocs : 1;
        for (size_t bytes = choice->first;
             bytes <= choice->last && bytes * blocks <= r->most && n < TUNE_SIZES; bytes *= 2) {
            struct measured *s = &measured[n++];
            struct tune_finding *f = &s->finding;

            *s = (struct measured){
                .operation = choice->operations[i], .bytes = bytes, .present = INFINITY};
            f->compared = tune_compared_size(choice, bytes, r->nprocs);
            f->nways = tune_ways(choice, &m->b->board->row, f->compared, &f->present);
            m->work.bytes = bytes;
            s->operations = tune_count_operations(m, choice, s->operation, f->present, f->compared);
        }
    }
    return n;
}

static double tune_run_way(struct tune_member *m, const struct tune_choice *choice,
                           const struct tune_operation *operation, int k, size_t compared,
                           int operations);

/* Way `k` against the one in force; what comes out counts in the first process only. */
static void take_quad(struct tune_member *m, const struct tune_choice *choice, struct measured *s,
                      int k, int quad)
{
    const struct tune_finding *f = &s->finding;
    double sum[2] = {0, 0};

    m->work.bytes = s->bytes;
    for (int i = 0; i < 4; i++) {
        const int other = (i == 1 || i == 2) == (quad % 2 == 0);
        const double seconds = tune_run_way(m, choice, s->operation, other ? k : f->present,
                                            f->compared, s->operations);
        sum[other] += log(seconds);
        s->present = other ? s->present : fmin(s->present, seconds);
    }
    s->quads[k][quad] = (sum[1] - sum[0]) / 2;
}

static void tell(const struct tune_choice *choice, const struct measured *s, int k,
                 const struct benchmark_verdict *v)
{
    char way[40] = "other way";

    if (choice->pieces[0] != 0) {
        (void)snprintf(way, sizeof(way), "%zu KiB", choice->pieces[k] >> 10);
    }
    fprintf(stderr, "%-17s %9s %8zu B %10.2f us, %s: x %.3f (%.3f to %.3f), %s\n", choice->setting,
            s->operation->name, s->bytes, 1e6 * s->present, way, v->ratio, v->lo, v->hi,
            hitop_benchmark_outcome_name(v->outcome));
}

/* In the first process. */
static void judge(const struct tune_request *r, const struct tune_choice *choice,
                  struct measured *s)
{
    struct tune_finding *f = &s->finding;
    struct benchmark_verdict v;

    for (int k = 0; k < f->nways; k++) {
        if (k == f->present || hitop_benchmark_judge(s->quads[k], r->quads, confidence, margin, &v,
                                                     NULL) != HITOP_OK) {
            continue;
        }
        f->shown[k] = v.outcome != VERDICT_NONE;
        f->loss[k] = f->shown[k] ? log(v.ratio) : 0;
        if (r->verbose) {
            tell(choice, s, k, &v);
        }
    }
}

static void decide(const struct tune_bench *b, int number, int n)
{
    struct tune_finding findings[TUNE_SIZES];

    for (int i = 0; i < n; i++) {
        judge(b->request, tune_choice(number), &measured[i]);
        findings[i] = measured[i].finding;
    }
    if (tune_decide(tune_choice(number), findings, n, &b->board->row)) {
        b->board->changed |= 1u << number;
    }
}

static void tune_meet(struct tune_member *m);

static void make_choice(struct tune_member *m, int number)
{
    const struct tune_choice *choice = tune_choice(number);
    const int n = prepare_sizes(m, choice);

    for (int quad = 0; quad < m->b->request->quads; quad++) {
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < measured[i].finding.nways; k++) {
                if (k != measured[i].finding.present) {
                    take_quad(m, choice, &measured[i], k, quad);
                }
            }
        }
    }
    tune_meet(m);
    if (m->me == 0) {
        decide(m->b, number, n);
    }
    tune_meet(m);
}

int tune_take_part(const struct tune_bench *b, int me)
{
    const struct hitop_wait wait = {.spins = hitop_wait_spins(b->request->alone),
                                    .alone = b->request->alone};
    struct tune_member m = {.b = b, .me = me};
    struct hitop_thresholds start = b->request->row;
    int pulls;

    m.work.from = aligned_alloc(4096, b->request->most);
    m.work.to = aligned_alloc(4096, b->request->most);
    if (!m.work.from || !m.work.to) {
        return ENOMEM;
    }
    memset(m.work.from, 0, b->request->most);
    memset(m.work.to, 0, b->request->most);
    for (int i = 0; i < TUNE_NODES; i++) {
        hitop_node_attach(&m.node[i], b->memory[i], &b->layout, me, &wait);
        m.node[i].arena = b->arena;
        m.node[i].thresholds = &start;
        hitop_node_prove(&m.node[i], 1);
    }
    pulls = m.node[TUNE_ALL].cma.works; /* later some process may find that it does not */
    for (int i = 0; tune_choice(i); i++) {
        if (b->request->wanted >> i & 1 && (pulls || !tune_choice(i)->pulls)) {
            make_choice(&m, i);
        }
    }
    return 0;
}

/*
 * Measure some milliseconds of an operation by one of its algorithms.
 *
 * The root rotates; senders write new data and receivers check it. If each process has a processor,
 * all begin together, and the time until the last process is done counts, without the check. If
 * processes share processors, they cannot begin at a given time, and operations follow each other.
 */

enum { FEWEST_OPERATIONS = 4, TRIAL = 8, LEAD = 2000 /* ns */ };

static const double block_seconds = 3e-3;

/* During a block keep others off the processors, if that is allowed and every process has one; give
 * the time back after. */
static void prefer(int alone, int on)
{
    const struct sched_param priority = {.sched_priority = on};
    const struct timespec pause = {.tv_nsec = 3000000};

    if (alone) {
        (void)sched_setscheduler(0, on ? SCHED_FIFO : SCHED_OTHER, &priority);
        if (!on) {
            (void)nanosleep(&pause, NULL);
        }
    }
}

static void meet(struct hitop_node *node)
{
    hitop_node_begin(node);
    hitop_node_barrier(node);
}

/* All wait for all. */
static void tune_meet(struct tune_member *m)
{
    meet(&m->node[TUNE_ALL]);
}

/* All begin an operation at one time, where each has a processor: when that is. */
static uint64_t agree_on_start(struct tune_member *m)
{
    struct tune_board *board = m->b->board;
    uint64_t start;

    tune_meet(m);
    m->starts++;
    if (m->me == 0) {
        board->start = hitop_wait_clock() + LEAD;
        atomic_store_explicit(&board->starts, m->starts, memory_order_release);
    }
    while (atomic_load_explicit(&board->starts, memory_order_acquire) < m->starts) {
        hitop_wait_pause();
    }
    start = board->start;
    while (hitop_wait_clock() < start) {
        hitop_wait_pause();
    }
    return start;
}

static void check(const struct tune_member *m, const struct tune_operation *operation)
{
    if (operation->is_wrong(&m->work)) {
        fprintf(stderr, "tune_node: %s of %zu bytes: wrong contents\n", operation->name,
                m->work.bytes);
        _exit(TUNE_WRONG_BYTES);
    }
}

static void prepare(struct tune_member *m, const struct tune_operation *operation, int i)
{
    m->work.root = i % m->work.node->nranks;
    m->work.turn++;
    operation->prepare(&m->work);
}

/* Operations that all begin together: the median of the times up to the last one, in the first
 * process. */
static double run_together(struct tune_member *m, const struct tune_operation *operation, int n)
{
    const int size = m->work.node->nranks;
    double *took = m->b->board->seconds, slowest[TUNE_MOST_OPERATIONS];
    int valid = 0;

    for (int i = 0; i < n; i++) {
        uint64_t start;
        int late;

        prepare(m, operation, i);
        start = agree_on_start(m);
        late = hitop_wait_clock() > start + LEAD / 4;
        hitop_node_begin(m->work.node);
        operation->run(&m->work);
        took[i * size + m->me] = late ? INFINITY : 1e-9 * (double)(hitop_wait_clock() - start);
        check(m, operation);
    }
    tune_meet(m);
    for (int i = 0; i < n && m->me == 0; i++) {
        slowest[valid] = 0;
        for (int r = 0; r < size; r++) {
            slowest[valid] = fmax(slowest[valid], took[i * size + r]);
        }
        valid += isfinite(slowest[valid]) != 0;
    }
    return valid > 0 ? quantile(slowest, valid, 0.5) : 1;
}

/* Operations in a row, with what is done in between: the time of each, of the slowest process. */
static double run_in_a_row(struct tune_member *m, const struct tune_operation *operation, int n)
{
    double *took = m->b->board->seconds, slowest = 0;
    uint64_t start;

    meet(m->work.node);
    start = hitop_wait_clock();
    for (int i = 0; i < n; i++) {
        if (operation->is_meeting) {
            meet(m->work.node);
        } else {
            prepare(m, operation, i);
            hitop_node_begin(m->work.node);
            operation->run(&m->work);
            check(m, operation);
        }
    }
    took[m->me] = 1e-9 * (double)(hitop_wait_clock() - start) / n;
    tune_meet(m);
    for (int r = 0; r < m->work.node->nranks; r++) {
        slowest = fmax(slowest, took[r]);
    }
    return slowest;
}

static double run_block(struct tune_member *m, const struct tune_operation *operation,
                        int operations)
{
    const int alone = m->b->request->alone;
    double seconds;

    prefer(alone, 1);
    seconds = alone && !operation->is_meeting ? run_together(m, operation, operations)
                                              : run_in_a_row(m, operation, operations);
    prefer(alone, 0);
    tune_meet(m); /* the first one has read the times of all */
    return seconds;
}

/* Where a way of the choice is run, with that way in force. */
static double tune_run_way(struct tune_member *m, const struct tune_choice *choice,
                           const struct tune_operation *operation, int k, size_t compared,
                           int operations)
{
    struct hitop_thresholds row = m->b->board->row;
    struct hitop_node *node = &m->node[choice->kind != TUNE_COUNT ? TUNE_ALL
                                       : k                        ? TUNE_COUNTER
                                                                  : TUNE_LINES];
    const struct hitop_thresholds *before = node->thresholds;
    double seconds;

    tune_take_way(choice, &row, k, compared);
    node->thresholds = &row;
    m->work.node = node;
    seconds = run_block(m, operation, operations);
    node->thresholds = before;
    return seconds;
}

/* So many that a block takes its time; all processes learn what the first one finds. */
static int tune_count_operations(struct tune_member *m, const struct tune_choice *choice,
                                 const struct tune_operation *operation, int k, size_t compared)
{
    const double seconds = tune_run_way(m, choice, operation, k, compared, TRIAL);
    double n = block_seconds / (seconds > 1e-8 ? seconds : 1e-8);

    n = n < FEWEST_OPERATIONS      ? FEWEST_OPERATIONS
        : n > TUNE_MOST_OPERATIONS ? TUNE_MOST_OPERATIONS
                                   : n;
    if (m->me == 0) {
        m->b->board->operations = (int)n;
    }
    tune_meet(m);
    return m->b->board->operations;
}

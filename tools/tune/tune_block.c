/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tune_block.c - some milliseconds of an operation by one of its ways.
 *
 * The root goes round; what is sent is new and what comes is looked at. Where each process has a processor all begin
 * together, and the time until the last one has done counts, without what is looked at; where they share processors nobody
 * can begin at a given time, and operations follow each other.
 */
#include <config.h>

#include "models/fit/quantile.h"
#include "tools/tune/tune_measure.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { FEWEST_OPERATIONS = 4, TRIAL = 8, LEAD = 2000 /* ns */ };

static const double block_seconds = 3e-3;

/* During a block keep others off the processors, if that is allowed and every process has one; give the time back after. */
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

void tune_meet(struct tune_member *m)
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

/* Operations that all begin together: the median of the times up to the last one, in the first process. */
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
double tune_run_way(struct tune_member *m, const struct tune_choice *choice,
                    const struct tune_operation *operation, int k, size_t compared, int operations)
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
int tune_count_operations(struct tune_member *m, const struct tune_choice *choice,
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

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tune_measure.c - ways compared among processes that share memory.
 *
 * Blocks take turns as A B B A, B A A B. A machine has moods that last longer than that, so that all sizes and ways have their
 * first quad before one has its second. All processes go through the same steps; the first one decides, and what it
 * decides all read from memory that they share.
 */
#include <config.h>

#include "tools/tune/tune_measure.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
            benchmark_outcome_name(v->outcome));
}

/* In the first process. */
static void judge(const struct tune_request *r, const struct tune_choice *choice,
                  struct measured *s)
{
    struct tune_finding *f = &s->finding;
    struct benchmark_verdict v;

    for (int k = 0; k < f->nways; k++) {
        if (k == f->present ||
            benchmark_judge(s->quads[k], r->quads, confidence, margin, &v, NULL) != HITOP_OK) {
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
    pulls = m.node[TUNE_ALL].pull.works; /* later some process may find that it does not */
    for (int i = 0; tune_choice(i); i++) {
        if (b->request->wanted >> i & 1 && (pulls || !tune_choice(i)->pulls)) {
            make_choice(&m, i);
        }
    }
    return 0;
}

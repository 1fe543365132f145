/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tune_measure.c - compares algorithms among processes that share memory.
 *
 * Blocks take turns as A B B A, B A A B. Changes of the speed of a machine last longer than such a
 * quad, so that all sizes and algorithms get their first quad before one gets its second. All
 * processes take the same steps; the first process decides, and the others read its decisions from
 * shared memory.
 */
#include <config.h>

#include "tools/tune/tune.h"

#include "models/fit/quantile.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const double confidence = 0.99, margin = 0.02;

/* Nodes: one for all operations, and one for each barrier algorithm, which do not mix on a node. */
enum { TUNE_ALL, TUNE_LINES, TUNE_COUNTER, TUNE_NODES };

/* Shared memory; the first process writes it between two barriers, each process its own times. */
struct tune_board {
    struct hitop_thresholds row;
    unsigned changed;
    int operations;
    uint64_t start;               /* when all begin the next operation */
    _Atomic unsigned long starts; /* the number of operations whose start was set */
    double seconds[];             /* of each operation and process */
};

struct tune_bench {
    const struct tune_request *request;
    struct hitop_node_layout layout;
    unsigned char *memory; /* shared: a segment with that layout for each node, then the board */
    size_t segment, bytes; /* of a node, whole pages; of all */
    struct hitop_arena *arena;
    struct tune_board *board;
};

/* The state of a process. */
struct tune_member {
    const struct tune_bench *b;
    struct hitop_node node[TUNE_NODES];
    struct tune_work work;
    int me;
    unsigned long starts;
};

/*
 * Measure some milliseconds of an operation by one of its algorithms.
 *
 * The root rotates; senders write new data and receivers check it. If each process has a processor,
 * all begin together, and the time until the last process is done counts, without the check. If
 * processes share processors, they cannot begin at a given time, and operations follow each other.
 */

enum {
    FEWEST_OPERATIONS = 4, /* in a block */
    MOST_OPERATIONS = 500,
    TRIAL = 8,         /* operations of the first block */
    LEAD = 2000,       /* ns from a barrier to the start of an operation */
    WRONG_BYTES = 199, /* exit status of a process that found wrong contents */
};

static const double block_seconds = 3e-3;

/*
 * During a block keep other processes off the processors, if that is allowed and every process has
 * one; pause afterwards.
 */
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

/* A barrier of all processes, by the node of all operations. */
static void barrier(struct tune_member *m)
{
    hitop_node_begin(&m->node[TUNE_ALL]);
    hitop_node_barrier(&m->node[TUNE_ALL]);
}

/* Wait for the common start of an operation, if each process has a processor; returns that time. */
static uint64_t agree_on_start(struct tune_member *m)
{
    struct tune_board *board = m->b->board;
    uint64_t start;

    barrier(m);
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
    if (operation->is_wrong && operation->is_wrong(&m->work)) {
        fprintf(stderr, "tune_node: %s of %zu bytes: wrong contents\n", operation->name,
                m->work.bytes);
        _exit(WRONG_BYTES);
    }
}

static void prepare(struct tune_member *m, const struct tune_operation *operation, int i)
{
    m->work.root = i % m->work.node->nranks;
    m->work.turn++;
    if (operation->prepare) {
        operation->prepare(&m->work);
    }
}

static double largest(const double *values, int n)
{
    double most = 0;

    for (int i = 0; i < n; i++) {
        most = fmax(most, values[i]);
    }
    return most;
}

/*
 * Run operations that all processes begin together. Returns, at the first process, the median of
 * the times until the last process is done.
 */
static double run_together(struct tune_member *m, const struct tune_operation *operation, int n)
{
    const int size = m->work.node->nranks;
    double *took = m->b->board->seconds, slowest[MOST_OPERATIONS];
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
    barrier(m);
    for (int i = 0; i < n && m->me == 0; i++) {
        slowest[valid] = largest(&took[i * size], size);
        valid += isfinite(slowest[valid]) != 0;
    }
    return valid > 0 ? quantile(slowest, valid, 0.5) : 1;
}

/* Run operations in a row, with new data and checks. Returns the time of one, at the slowest. */
static double run_in_a_row(struct tune_member *m, const struct tune_operation *operation, int n)
{
    double *took = m->b->board->seconds;
    uint64_t start;

    barrier(m);
    start = hitop_wait_clock();
    for (int i = 0; i < n; i++) {
        prepare(m, operation, i);
        hitop_node_begin(m->work.node);
        operation->run(&m->work);
        check(m, operation);
    }
    took[m->me] = 1e-9 * (double)(hitop_wait_clock() - start) / n;
    barrier(m);
    return largest(took, m->work.node->nranks);
}

static double run_block(struct tune_member *m, const struct tune_operation *operation,
                        int operations)
{
    const int alone = m->b->request->alone;
    double seconds;

    prefer(alone, 1);
    seconds = alone && !operation->is_barrier ? run_together(m, operation, operations)
                                              : run_in_a_row(m, operation, operations);
    prefer(alone, 0);
    barrier(m); /* until here the first process reads the times of all */
    return seconds;
}

/* The measurements of a choice at one size of an operation. */
struct measured {
    const struct tune_operation *operation;
    size_t bytes;
    int operations;
    struct tune_finding finding;
    double present; /* the shortest time of the present candidate */
    double quads[TUNE_CANDIDATES + 1][VERDICT_MOST_QUADS];
};

static struct measured measured[TUNE_SIZES];

/* Run a block by candidate `k` of a choice, on the node of its algorithm. */
static double run_candidate(struct tune_member *m, const struct tune_choice *choice,
                            const struct measured *s, int k, int operations)
{
    static const int barriers[] = {TUNE_LINES, TUNE_COUNTER};
    struct hitop_thresholds row = m->b->board->row;
    struct hitop_node *node = &m->node[choice->kind == TUNE_COUNT ? barriers[k] : TUNE_ALL];
    const struct hitop_thresholds *before = node->thresholds;
    double seconds;

    tune_apply_candidate(choice, &row, k, s->finding.compared);
    node->thresholds = &row;
    m->work.node = node;
    m->work.bytes = s->bytes;
    seconds = run_block(m, s->operation, operations);
    node->thresholds = before;
    return seconds;
}

/* The number of operations in block_seconds, as measured by the first process. */
static int count_operations(struct tune_member *m, const struct tune_choice *choice,
                            const struct measured *s)
{
    const double seconds = run_candidate(m, choice, s, s->finding.present, TRIAL);

    if (m->me == 0) {
        m->b->board->operations =
            (int)fmin(fmax(block_seconds / seconds, FEWEST_OPERATIONS), MOST_OPERATIONS);
    }
    barrier(m);
    return m->b->board->operations;
}

/* List the sizes of all operations, each with the operations of a block. Returns their number. */
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
            f->ncandidates = tune_candidates(choice, &m->b->board->row, f->compared, &f->present);
            s->operations = count_operations(m, choice, s);
        }
    }
    return n;
}

/* Measure candidate `k` against the present one; only the result at the first process counts. */
static void take_quad(struct tune_member *m, const struct tune_choice *choice, struct measured *s,
                      int k, int quad)
{
    double sum[2] = {0, 0};

    for (int i = 0; i < 4; i++) {
        const int other = (i == 1 || i == 2) == (quad % 2 == 0);
        const double seconds =
            run_candidate(m, choice, s, other ? k : s->finding.present, s->operations);
        sum[other] += log(seconds);
        s->present = other ? s->present : fmin(s->present, seconds);
    }
    s->quads[k][quad] = (sum[1] - sum[0]) / 2;
}

static void report(const struct tune_choice *choice, const struct measured *s, int k,
                   const struct benchmark_verdict *v)
{
    char name[40] = "other algorithm";

    if (choice->least_piece > 0) {
        (void)snprintf(name, sizeof(name), "%zu KiB", choice->least_piece << k >> 10);
    }
    fprintf(stderr, "%-17s %9s %8zu B %10.2f us, %s: x %.3f (%.3f to %.3f), %s\n", choice->setting,
            s->operation->name, s->bytes, 1e6 * s->present, name, v->ratio, v->lo, v->hi,
            hitop_benchmark_outcome_name(v->outcome));
}

/* Judge the quads at a size, in the first process. */
static void judge(const struct tune_request *r, const struct tune_choice *choice,
                  struct measured *s)
{
    struct tune_finding *f = &s->finding;
    struct benchmark_verdict v;

    for (int k = 0; k < f->ncandidates; k++) {
        if (k == f->present || hitop_benchmark_judge(s->quads[k], r->quads, confidence, margin, &v,
                                                     NULL) != HITOP_OK) {
            continue;
        }
        f->shown[k] = v.outcome != VERDICT_NONE;
        f->loss[k] = f->shown[k] ? log(v.ratio) : 0;
        if (r->verbose) {
            report(choice, s, k, &v);
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
            for (int k = 0; k < measured[i].finding.ncandidates; k++) {
                if (k != measured[i].finding.present) {
                    take_quad(m, choice, &measured[i], k, quad);
                }
            }
        }
    }
    barrier(m);
    if (m->me == 0) {
        decide(m->b, number, n);
    }
    barrier(m);
}

static int take_part(const struct tune_bench *b, int me)
{
    const struct hitop_wait wait = {.spins = hitop_wait_spins(b->request->alone),
                                    .alone = b->request->alone};
    struct tune_member m = {.b = b, .me = me};
    struct hitop_thresholds start = b->request->row;
    int has_cma;

    m.work.from = aligned_alloc(4096, b->request->most);
    m.work.to = aligned_alloc(4096, b->request->most);
    if (!m.work.from || !m.work.to) {
        return ENOMEM;
    }
    memset(m.work.from, 0, b->request->most);
    memset(m.work.to, 0, b->request->most);
    for (size_t i = 0; i < TUNE_NODES; i++) {
        hitop_node_attach(&m.node[i], b->memory + i * b->segment, &b->layout, me, &wait);
        m.node[i].arena = b->arena;
        m.node[i].thresholds = &start;
        hitop_node_prove(&m.node[i], 1);
    }
    has_cma = m.node[TUNE_ALL].cma.works; /* later CMA may fail in some processes */
    for (int i = 0; tune_choice(i); i++) {
        if (b->request->wanted >> i & 1 && (has_cma || !tune_choice(i)->needs_cma)) {
            make_choice(&m, i);
        }
    }
    return 0;
}

static enum hitop_status set_up(struct tune_bench *b, struct hitop_diag *diag)
{
    const struct tune_request *r = b->request;

    b->layout = (struct hitop_node_layout){
        .nranks = r->nprocs,
        .ring_bytes = HITOP_NODE_RING,
        .outbox_bytes = hitop_node_outbox_bytes(r->nprocs, r->alone),
        .nplaces = r->alone ? HITOP_NODE_FEW_PLACES : HITOP_NODE_MANY_PLACES};
    if (b->layout.outbox_bytes == 0) {
        return hitop_fail(diag, HITOP_ERR_UNSUPPORTED, "%d processes are more than a node can have",
                          r->nprocs);
    }
    b->segment = (hitop_node_segment_bytes(&b->layout) + 4095) / 4096 * 4096;
    b->bytes = TUNE_NODES * b->segment + sizeof(*b->board) +
               MOST_OPERATIONS * (size_t)r->nprocs * sizeof(double);
    b->memory = mmap(NULL, b->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (b->memory == MAP_FAILED) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "no shared memory for %d processes", r->nprocs);
    }
    for (size_t i = 0; i < TUNE_NODES; i++) {
        hitop_node_format(b->memory + i * b->segment, &b->layout);
    }
    b->board = (void *)(b->memory + TUNE_NODES * b->segment);
    b->board->row = r->row;
    return hitop_arena_open(NULL, HITOP_ARENA_CAP, &b->arena, diag);
}

static void kill_all(const pid_t *pids, int n)
{
    for (int i = 0; i < n; i++) {
        (void)kill(pids[i], SIGKILL);
    }
}

/* Wait for the end of all. If one fails, kill the others, which would wait for it for ever. */
static enum hitop_status wait_for_all(const pid_t *pids, int n, struct hitop_diag *diag)
{
    enum hitop_status result = HITOP_OK;

    for (int left = n, status; left > 0; left--) {
        if (wait(&status) < 0) {
            return hitop_fail(diag, HITOP_ERR_IO, "wait: %s", strerror(errno));
        }
        if (status != 0 && result == HITOP_OK) {
            const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
            result = hitop_fail(diag, HITOP_ERR_IO, "a process %s",
                                code == ENOMEM        ? "has no memory"
                                : code == WRONG_BYTES ? "got wrong contents"
                                                      : "was killed");
            kill_all(pids, n);
        }
    }
    return result;
}

static enum hitop_status start_all(const struct tune_bench *b, pid_t *pids, struct hitop_diag *diag)
{
    const int n = b->request->nprocs;

    for (int i = 0; i < n; i++) {
        pids[i] = fork();
        if (pids[i] == 0) {
            (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
            _exit(take_part(b, i));
        }
        if (pids[i] < 0) {
            const int why = errno;
            kill_all(pids, i);
            (void)wait_for_all(pids, i, NULL);
            return hitop_fail(diag, HITOP_ERR_IO, "fork: %s", strerror(why));
        }
    }
    return wait_for_all(pids, n, diag);
}

enum hitop_status tune_row(struct tune_request *request, struct hitop_diag *diag)
{
    struct tune_bench b = {.request = request};
    pid_t *pids = calloc((size_t)request->nprocs, sizeof(*pids));
    enum hitop_status status;

    if (!pids) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    status = set_up(&b, diag);
    status = status == HITOP_OK ? start_all(&b, pids, diag) : status;
    if (status == HITOP_OK) {
        request->row = b.board->row;
        request->changed = b.board->changed;
    }
    if (b.board) {
        (void)munmap(b.memory, b.bytes);
    }
    hitop_arena_release(b.arena);
    free(pids);
    return status;
}

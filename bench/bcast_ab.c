/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bcast_ab.c - two broadcasts side by side in one launch.
 *
 * A is PMPI_Bcast, the MPI library's own; B is MPI_Bcast, which is libhitop_coll.so's when that is preloaded.
 * Blocks of A and B alternate, and the verdict is the median over block pairs of B/A: what disturbs the machine
 * for longer than a block disturbs both. The root's buffer is rewritten before every operation and the
 * receivers look at it afterwards; a buffer that never changes stays in the reader's cache and flatters
 * single-copy transports.
 *
 * Modes:  rot   back to back, another root each time: total time over operations, largest over ranks
 *         sync  all ranks start at an agreed time; time until the last one has finished, median over
 *               operations. Needs one clock for all ranks, as on one machine.
 *         b2b   back to back, fixed root: throughput
 */
#include "hitop/text.h"

#include <getopt.h>
#include <limits.h>
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_SIZES = 64, LINE = 64, VARIANTS = 2, BIGGEST_BLOCK = 100000 };
enum mode { ROT, SYNC, B2B };

struct settings {
    enum mode mode;
    size_t sizes[MAX_SIZES];
    int nsizes, blocks, root, csv, alone;
    double block_seconds;
};

static int rank, size;
static unsigned char *buffer;
static unsigned long long wrong;

typedef int bcast_function(void *, int, MPI_Datatype, int, MPI_Comm);

static bcast_function *const variants[VARIANTS] = {PMPI_Bcast, MPI_Bcast};

/* Every line of the buffer gets a new value; returns what a receiver shall find. */
static unsigned char stamp(size_t bytes, int operation, int write)
{
    const unsigned char value = (unsigned char)(operation * 37 + 11);

    for (size_t i = 0; write && i < bytes; i += LINE) {
        buffer[i] = value;
    }
    if (write && bytes > 0) {
        buffer[bytes - 1] = value;
    }
    return value;
}

static void look(size_t bytes, unsigned char value)
{
    for (size_t i = 0; i < bytes; i += LINE) {
        wrong += buffer[i] != value;
    }
    wrong += bytes > 0 && buffer[bytes - 1] != value;
}

/* One clock for all ranks of a machine, whatever host they believe to be on; MPI_Wtime() of Open MPI
 * counts from each process's own start. */
static double now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void operate(bcast_function *bcast, size_t bytes, int root, int operation)
{
    const unsigned char value = stamp(bytes, operation, rank == root);

    bcast(buffer, (int)bytes, MPI_BYTE, root, MPI_COMM_WORLD);
    if (rank != root) {
        look(bytes, value);
    }
}

static double block_back_to_back(const struct settings *s, bcast_function *bcast, size_t bytes,
                                 int n)
{
    double seconds;

    MPI_Barrier(MPI_COMM_WORLD);
    operate(bcast, bytes, s->root, 0); /* absorbs the barrier's exit skew */
    seconds = now();
    for (int i = 0; i < n; i++) {
        operate(bcast, bytes, s->mode == ROT ? i % size : s->root, i);
    }
    seconds = (now() - seconds) / n;
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return seconds;
}

/* Sleep, then watch the clock: spinning ranks would keep others from a shared processor. */
static void wait_until(double when)
{
    double left;

    while ((left = when - now()) > 0) {
        if (left > 200e-6) {
            const double nap = left - 100e-6;
            const struct timespec t = {(time_t)nap, (long)((nap - (double)(time_t)nap) * 1e9)};
            (void)nanosleep(&t, NULL);
        } else if (left > 20e-6) {
            (void)sched_yield();
        }
    }
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double quantile(double *values, int n, double q)
{
    qsort(values, (size_t)n, sizeof(*values), by_value);
    return values[(int)(q * (n - 1) + 0.5)];
}

static double block_synchronised(const struct settings *s, bcast_function *bcast, size_t bytes,
                                 int n, double interval)
{
    static double finish[BIGGEST_BLOCK];
    int valid = 0;
    double start;

    MPI_Barrier(MPI_COMM_WORLD);
    start = now() + interval;
    MPI_Allreduce(MPI_IN_PLACE, &start, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    start += interval;
    for (int i = 0; i < n; i++) {
        const double mine = start + i * interval;
        const unsigned char value = stamp(bytes, i, rank == s->root);
        int late;

        wait_until(mine);
        late = now() > mine + 0.1 * interval;
        bcast(buffer, (int)bytes, MPI_BYTE, s->root, MPI_COMM_WORLD);
        finish[i] = late ? 1e9 : now() - mine;
        if (rank != s->root) {
            look(bytes, value);
        }
    }
    MPI_Allreduce(MPI_IN_PLACE, finish, n, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    for (int i = 0; i < n; i++) {
        if (finish[i] < 1e8) { /* everybody started in time */
            finish[valid++] = finish[i];
        }
    }
    return valid >= (n + 3) / 4 ? quantile(finish, valid, 0.5) : -1;
}

/* One operation up to the last rank, by the way of a barrier: an upper bound. */
static double time_with_barrier(const struct settings *s, bcast_function *bcast, size_t bytes)
{
    double seconds;

    MPI_Barrier(MPI_COMM_WORLD);
    seconds = now();
    operate(bcast, bytes, s->root, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    seconds = now() - seconds;
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return seconds;
}

/*
 * Operations in a block, and for SYNC the time between two starts. The slower variant decides; of several
 * trials the shortest counts, because the others were disturbed.
 */
static int plan_block(const struct settings *s, size_t bytes, double *interval)
{
    double slowest = 0, n;

    for (int v = 0; v < VARIANTS; v++) {
        double best = 1e9;
        for (int i = 0; i < 4; i++) {
            const double t = s->mode == SYNC ? time_with_barrier(s, variants[v], bytes)
                                             : block_back_to_back(s, variants[v], bytes, 2 * size);
            best = t < best ? t : best;
        }
        slowest = best > slowest ? best : slowest;
    }
    *interval = 1.2 * slowest + 100e-6;
    n = s->block_seconds / (s->mode == SYNC ? *interval : slowest);
    n = n < 3 ? 3 : n > BIGGEST_BLOCK ? BIGGEST_BLOCK : n;
    MPI_Bcast(interval, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(&n, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return (int)n;
}

/*
 * Keep everybody else off the processors during a block, and give the time back afterwards. Only where every
 * rank has a processor.
 */
static void begin_alone(const struct settings *s)
{
    const struct sched_param high = {.sched_priority = 1};

    if (s->alone && sched_setscheduler(0, SCHED_FIFO, &high) != 0) {
        fprintf(stderr, "bcast_ab: rank %d: --alone is not allowed here\n", rank);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void end_alone(const struct settings *s)
{
    const struct sched_param normal = {.sched_priority = 0};
    const struct timespec pause = {0,
                                   (long)(1e9 * (s->block_seconds < 0.5 ? s->block_seconds : 0.5))};

    if (s->alone) {
        (void)sched_setscheduler(0, SCHED_OTHER, &normal);
        (void)nanosleep(&pause, NULL);
    }
}

static void compare(const struct settings *s, size_t bytes)
{
    double seconds[VARIANTS][1024], ratio[1024], interval = 0;
    const int n = plan_block(s, bytes, &interval);
    int blocks = 0;

    for (int b = 0; b < s->blocks; b++) {
        double t[VARIANTS];
        for (int k = 0; k < VARIANTS; k++) {
            const int v = (b + k) % VARIANTS; /* who goes first changes */
            begin_alone(s);
            t[v] = s->mode == SYNC ? block_synchronised(s, variants[v], bytes, n, interval)
                                   : block_back_to_back(s, variants[v], bytes, n);
            end_alone(s);
        }
        if (t[0] > 0 && t[1] > 0) {
            seconds[0][blocks] = t[0];
            seconds[1][blocks] = t[1];
            ratio[blocks++] = t[1] / t[0];
        }
    }
    if (rank != 0) {
        return;
    }
    if (blocks < (s->blocks + 1) / 2) {
        fprintf(stderr, "bcast_ab: %zu B: too few undisturbed blocks (%d of %d)\n", bytes, blocks,
                s->blocks);
        return;
    }
    printf(s->csv ? "%zu,%.3f,%.3f,%.3f,%.3f,%.3f,%d,%d\n"
                  : "%10zu %12.2f %12.2f %8.3f  %6.3f .. %-6.3f %6d x %d\n",
           bytes, 1e6 * quantile(seconds[0], blocks, 0.5), 1e6 * quantile(seconds[1], blocks, 0.5),
           quantile(ratio, blocks, 0.5), quantile(ratio, blocks, 0.25),
           quantile(ratio, blocks, 0.75), blocks, n);
    (void)fflush(stdout);
}

static void usage(FILE *to)
{
    fputs(
        "Usage: mpirun -n N [-x LD_PRELOAD=libhitop_coll.so] bcast_ab [OPTION]...\n"
        "Compare MPI_Bcast (preloaded) with PMPI_Bcast in alternating blocks.\n\n"
        "  -o, --mode rot|sync|b2b  how operations follow each other (sync)\n"
        "  -s, --sizes LIST         message sizes, e.g. 1,64KiB,1MiB\n"
        "  -b, --blocks N           pairs of blocks per size (11)\n"
        "  -t, --block-time TIME    length of a block, e.g. 5ms (5ms)\n"
        "  -r, --root RANK          root where it is fixed (0)\n"
        "  -a, --alone              real-time priority during blocks (root, ranks <= processors)\n"
        "  -c, --csv                comma-separated output\n"
        "  -h, --help               print this help and exit\n",
        to);
}

static int parse_sizes(struct settings *s, char *list)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;

    s->nsizes = 0;
    for (char *save = NULL, *word = strtok_r(list, ",", &save); word;
         word = strtok_r(NULL, ",", &save)) {
        if (s->nsizes == MAX_SIZES ||
            hitop_text_size(word, &s->sizes[s->nsizes++], &diag) != HITOP_OK ||
            s->sizes[s->nsizes - 1] > INT_MAX) {
            fprintf(stderr, "bcast_ab: --sizes: %s\n", diag.message);
            return 0;
        }
    }
    return s->nsizes > 0;
}

/* 0 to go on, 1 after --help, 2 after a wrong option. */
static int parse(struct settings *s, int argc, char **argv)
{
    static const struct option options[] = {
        {"mode", required_argument, NULL, 'o'},
        {"sizes", required_argument, NULL, 's'},
        {"blocks", required_argument, NULL, 'b'},
        {"block-time", required_argument, NULL, 't'},
        {"root", required_argument, NULL, 'r'},
        {"csv", no_argument, NULL, 'c'},
        {"alone", no_argument, NULL, 'a'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int c, ok = 1;

    while (ok && (c = getopt_long(argc, argv, "o:s:b:t:r:ach", options, NULL)) != -1) {
        switch (c) {
        case 'o':
            ok = strcmp(optarg, "rot") == 0 || strcmp(optarg, "sync") == 0 ||
                 strcmp(optarg, "b2b") == 0;
            s->mode = optarg[0] == 'r' ? ROT : optarg[0] == 's' ? SYNC : B2B;
            break;
        case 's':
            ok = parse_sizes(s, optarg);
            break;
        case 'b':
            ok = hitop_text_int(optarg, 1, 1024, &s->blocks, &diag) == HITOP_OK;
            break;
        case 't':
            ok = hitop_text_seconds(optarg, &s->block_seconds, &diag) == HITOP_OK;
            break;
        case 'r':
            ok = hitop_text_int(optarg, 0, size - 1, &s->root, &diag) == HITOP_OK;
            break;
        case 'a':
            s->alone = 1;
            break;
        case 'c':
            s->csv = 1;
            break;
        case 'h':
            if (rank == 0) {
                usage(stdout);
            }
            return 1;
        default:
            ok = 0;
        }
    }
    if (!ok || optind != argc) {
        if (rank == 0) {
            fprintf(stderr, "bcast_ab: %s\n", diag.message[0] ? diag.message : "wrong option");
            usage(stderr);
        }
        return 2;
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct settings s = {.mode = SYNC,
                         .sizes = {1024, 65536, 1048576},
                         .nsizes = 3,
                         .blocks = 11,
                         .block_seconds = 5e-3};
    size_t largest = 1;
    int status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    opterr = rank == 0;
    status = parse(&s, argc, argv);
    if (status) {
        MPI_Finalize();
        return status == 1 ? 0 : status;
    }
    for (int i = 0; i < s.nsizes; i++) {
        largest = s.sizes[i] > largest ? s.sizes[i] : largest;
    }
    buffer = aligned_alloc(4096, (largest + 4095) / 4096 * 4096);
    if (!buffer) {
        fprintf(stderr, "bcast_ab: no memory for %zu bytes\n", largest);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    memset(buffer, 1, largest);
    for (int i = 0; i < 8; i++) { /* past the calls that the library leaves to MPI */
        MPI_Bcast(buffer, 1, MPI_BYTE, 0, MPI_COMM_WORLD);
    }
    if (rank == 0) {
        puts(s.csv ? "size_B,plain_us,preloaded_us,ratio,ratio_q25,ratio_q75,blocks,operations"
                   : "    size_B     plain_us preloaded_us    ratio  quartiles         blocks");
    }
    for (int i = 0; i < s.nsizes; i++) {
        compare(&s, s.sizes[i]);
    }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (wrong && rank == 0) {
        fprintf(stderr, "bcast_ab: %llu wrong bytes\n", wrong);
    }
    free(buffer);
    MPI_Finalize();
    return wrong ? 1 : 0;
}

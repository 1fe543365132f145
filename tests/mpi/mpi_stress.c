/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_stress.c - collectives one after the other, drawn at random, with ranks that come late.
 *
 * Calls use the names of MPI, so that it tests the preloaded library, or MPI itself. Several
 * communicators are in use and are made and freed; sometimes a message is pending meanwhile, which
 * needs the progress of waiting ranks, and a rank can be stopped at any place. Roots, lengths,
 * types, operations and contents are drawn alike on all ranks, and every byte of the user's memory
 * is compared with what MPI says; how long a rank stays away is its own.
 */
#include <config.h>

#include "tests/mpi/mpi_stress.h"

#include "tests/support/draw.h"
#include "tests/support/status_kib.h"
#include "tools/common/tool_mpi.h"

#include <dlfcn.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MANY = 4 };                                      /* communicators */
enum { PAIR = 3, FIRST_MAP = 4, MAPS = 3, VECTOR = 5 }; /* of the types */

static int rank;
static char now_doing[160]; /* the text of a report of a hang or a crash */

/* With nothing but calls that a signal handler may make. */
static void report_and_die(int number)
{
    static const char hangs[] = "mpi_stress hangs: ", crashes[] = "mpi_stress crashes: ";
    const char *how = number == SIGALRM ? hangs : crashes;

    (void)!write(STDERR_FILENO, how, strlen(how));
    (void)!write(STDERR_FILENO, now_doing, strlen(now_doing));
    _exit(EXIT_FAILURE);
}

static double now_us(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

/* Most come at once; some sleep or are busy for a while, a few are really late. */
static void come_late(uint64_t *own, int longest_us)
{
    const uint64_t kind = check_draw(own, 64);
    const int longest = kind == 0 ? longest_us : kind < 12 ? longest_us / 20 : 0;
    const int us = (int)check_draw(own, (uint64_t)longest + 1);

    if (kind % 2 == 0 && us > 0) {
        const struct timespec nap = {us / 1000000, us % 1000000 * 1000L};
        (void)nanosleep(&nap, NULL);
    } else if (us > 0) {
        for (const double end = now_us() + us; now_us() < end;) {
        }
    }
}

/* Ranks describe the same elements by different types if no operation combines them. */
static void describe_differently(struct check_call *call, const struct check_type *types,
                                 uint64_t *own)
{
    const struct hitop_operation *o = &hitop_operations()[call->operation];

    if (!(o->flags & HITOP_REDUCES) && call->type >= &types[FIRST_MAP]) {
        call->type = &types[FIRST_MAP + check_draw(own, MAPS)];
    }
}

/*
 * MPICH 4.0.2 by itself crashes when it reduces in place and the root is not rank 0, crashes or
 * errs when it reduces and scatters elements with gaps, and truncates messages of pairs, and of
 * long allgathervs if ranks describe elements in their own ways. 0: they shall do so alike.
 */
static int spare_mpich(struct check_call *call, const struct check_type *types)
{
#ifdef MPICH_VERSION
    const struct hitop_operation *o = &hitop_operations()[call->operation];
    const int reduces = (o->flags & HITOP_REDUCES) != 0, scatters = o->takes == HITOP_BLOCK;

    call->in_place &= call->operation != HITOP_REDUCE || call->root == 0;
    if ((reduces && scatters && call->type == &types[VECTOR]) ||
        (!reduces && call->type == &types[PAIR])) {
        call->type = &types[FIRST_MAP];
    }
    return call->operation != HITOP_ALLGATHERV;
#else
    (void)call;
    (void)types;
    return 1;
#endif
}

/* 1 when this rank found it wrong. */
static int call_one(const struct check_call *call, const struct stress_comm *c, int number)
{
    const char *name = hitop_operations()[call->operation].name;
    char text[160];
    size_t wrong;

    (void)snprintf(
        now_doing, sizeof(now_doing),
        "rank %d, in or after call %d: %s of %zu elements of %s, root %d%s, communicator "
        "%d of %d ranks\n",
        rank, number, name, call->elements, call->type->name, call->root,
        call->in_place ? ", in place" : "", c->number, c->size);
    wrong = check_call_run(call, c->comm);
    if (wrong > 0) {
        check_call_describe(call, wrong, text, sizeof(text));
        fprintf(stderr, "mpi_stress: rank %d: call %d: %s on communicator %d of %d ranks: %s\n",
                rank, number, name, c->number, c->size, text);
    }
    return wrong > 0;
}

struct kib {
    long own, shared;
};

static struct kib memory(void)
{
    return (struct kib){status_kib("RssAnon:"), status_kib("RssShmem:")};
}

/* How many of its operations the library has served itself, where one is preloaded. */
static void report(const struct stress_settings *s, const long *counts, int ncomms,
                   struct kib first)
{
    const struct kib last = memory();
    unsigned long long (*served)(void);

    *(void **)&served = dlsym(RTLD_DEFAULT, "hitop_bcast_served");
    for (int o = 0; o < HITOP_NOPERATIONS; o++) {
        if (counts[o] > 0) {
            printf("%s %ld, ", hitop_operations()[o].name, counts[o]);
        }
    }
    printf("on %d communicators\n", ncomms);
    printf("KiB of memory of rank 0 after a tenth and at the end: own %ld, %ld; shared %ld, %ld\n",
           first.own, last.own, first.shared, last.shared);
    if (served) {
        printf("broadcasts served by libhitop_coll on rank 0: %llu\n", served());
    }
    printf("%d calls, ", s->ncalls);
}

static long run(const struct stress_settings *s, uint64_t seed)
{
    struct check_type types[CHECK_NTYPES];
    const struct check_drawn what = {types, s->operations, s->types, s->bits};
    struct stress_comm comms[MANY] = {{0}};
    struct stress_message message = {0};
    struct stress_stops stops;
    uint64_t state = seed, own = seed + 1 + (uint64_t)rank;
    long counts[HITOP_NOPERATIONS] = {0}, wrong = 0;
    struct kib first = {0, 0};
    int ncomms = 0;

    check_types_make(types);
    stress_message_init(&message);
    stress_stops_begin(&stops, s->stops, s->ncalls);
    for (int i = 0; i < s->ncalls; i++) {
        struct stress_comm *c = &comms[check_draw(&state, MANY)];
        struct check_call call;
        (void)alarm((unsigned)s->patience);
        stress_stops_turn(&stops, i, &state);
        if (c->size == 0 || check_draw(&state, 60) == 0) {
            stress_comm_renew(c, &state, ncomms++);
        }
        if (check_draw(&state, 20) == 0) {
            wrong += stress_message_turn(&message, &state);
        }
        call = check_draw_call(&what, &c->state, c->size);
        call.functions = &coll_functions_public;
        if (s->all || spare_mpich(&call, types)) {
            describe_differently(&call, types, &own);
        }
        come_late(&own, s->delay_us);
        wrong += call_one(&call, c, i);
        counts[call.operation]++;
        if (i == s->ncalls / 10) {
            first = memory();
        }
    }
    wrong += stress_message_end(&message);
    stress_stops_end(&stops);
    for (int i = 0; i < MANY; i++) {
        stress_comm_free(&comms[i]);
    }
    check_types_free(types);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    (void)alarm(0);
    if (rank == 0) {
        report(s, counts, ncomms, first);
        printf("%ld wrong\n", wrong);
    }
    return wrong;
}

int main(int argc, char **argv)
{
    struct stress_settings s = {
        .operations = ~0u, .ncalls = 2000, .bits = 13, .delay_us = 2000, .patience = 40};
    uint64_t seed = 0;
    int status;

    if (tool_help_or_version(&stress_tool, argc, argv)) {
        return tool_finish(&stress_tool);
    }
    rank = tool_mpi_start(&stress_tool, &argc, &argv);
    status = stress_options(&s, argc, argv);
    if (status != TOOL_DONE) {
        return tool_mpi_finish(status);
    }
    if (rank == 0) {
        seed = draw_seed();
        (void)fflush(stdout);
    }
    PMPI_Bcast(&seed, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    (void)signal(SIGALRM, report_and_die);
    (void)signal(SIGSEGV, report_and_die);
    (void)signal(SIGABRT, report_and_die);
    return tool_mpi_finish(run(&s, seed) > 0 ? TOOL_FAILED : tool_finish(&stress_tool));
}

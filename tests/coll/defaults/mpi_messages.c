/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_messages.c - compare the messages of Open MPI's algorithms with our plans of them.
 *
 * Each algorithm of coll/tuned is forced in turn by MPI_T, and Open MPI's component pml/monitoring
 * counts the messages and bytes between each two ranks. Where the text on the library says "same",
 * the counts are those of the plan. With the argument "decisions" nothing is forced, and the counts
 * are those of what the text says that the library chooses.
 *
 * Exit status 77: another MPI library, or no monitoring.
 */
#include <config.h>

#include "coll/defaults/mpi_choice.h"

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 55440, BLOCK = 3, LEAST = 40, NONE = 77 }; /* 55440 is divisible by 1 to 12 */

/* What this rank has sent to each rank: messages, bytes. */
static unsigned long long *sent;
static int nranks;

/*
 * The component pml/monitoring calls this function of libmca_common_monitoring for each message.
 * That of the program comes first.
 */
HITOP_API void mca_common_monitoring_record_pml(int world_rank, size_t bytes, int tag);

void mca_common_monitoring_record_pml(int world_rank, size_t bytes, int tag)
{
    (void)tag;
    if (sent && world_rank >= 0 && world_rank < nranks) {
        sent[world_rank]++;
        sent[nranks + world_rank] += bytes;
    }
}

/*
 * Set a parameter "coll_tuned_OPERATION_algorithmNAME" for communicators that are made from now on;
 * returns 0 where that fails.
 */
static int set(const struct hitop_operation *operation, const char *parameter, int value)
{
    char name[128];
    MPI_T_cvar_handle handle;
    int index, count, done;

    (void)snprintf(name, sizeof(name), "coll_tuned_%s_algorithm%s", operation->name, parameter);
    if (MPI_T_cvar_get_index(name, &index) != MPI_SUCCESS ||
        MPI_T_cvar_handle_alloc(index, NULL, &handle, &count) != MPI_SUCCESS) {
        return 0;
    }
    done = MPI_T_cvar_write(handle, &value) == MPI_SUCCESS;
    MPI_T_cvar_handle_free(&handle);
    return done;
}

/* Memory for all blocks of all operations. */
struct memory {
    int64_t *in, *out;
    int *counts, *starts;
};

static void call(const struct hitop_call *c, struct memory *m, MPI_Comm comm)
{
    const int count = (int)(c->bytes / c->unit);

    for (int r = 0; r < c->size; r++) {
        m->counts[r] = count;
        m->starts[r] = r * count;
    }
    switch ((enum hitop_operation_id)(c->operation - hitop_operations())) {
    case HITOP_ALLGATHER:
        MPI_Allgather(m->in, count, MPI_INT64_T, m->out, count, MPI_INT64_T, comm);
        break;
    case HITOP_ALLGATHERV:
        MPI_Allgatherv(m->in, count, MPI_INT64_T, m->out, m->counts, m->starts, MPI_INT64_T, comm);
        break;
    case HITOP_ALLREDUCE:
        MPI_Allreduce(m->in, m->out, count, MPI_INT64_T, MPI_SUM, comm);
        break;
    case HITOP_ALLTOALL:
        MPI_Alltoall(m->in, count, MPI_INT64_T, m->out, count, MPI_INT64_T, comm);
        break;
    case HITOP_ALLTOALLV:
        MPI_Alltoallv(m->in, m->counts, m->starts, MPI_INT64_T, m->out, m->counts, m->starts,
                      MPI_INT64_T, comm);
        break;
    case HITOP_BARRIER:
        MPI_Barrier(comm);
        break;
    case HITOP_BCAST:
        MPI_Bcast(m->out, count, MPI_INT64_T, c->root, comm);
        break;
    case HITOP_EXSCAN:
        MPI_Exscan(m->in, m->out, count, MPI_INT64_T, MPI_SUM, comm);
        break;
    case HITOP_SCAN:
        MPI_Scan(m->in, m->out, count, MPI_INT64_T, MPI_SUM, comm);
        break;
    case HITOP_GATHER:
        MPI_Gather(m->in, count, MPI_INT64_T, m->out, count, MPI_INT64_T, c->root, comm);
        break;
    case HITOP_REDUCE:
        MPI_Reduce(m->in, m->out, count, MPI_INT64_T, MPI_SUM, c->root, comm);
        break;
    case HITOP_REDUCE_SCATTER:
        MPI_Reduce_scatter(m->in, m->out, m->counts, MPI_INT64_T, MPI_SUM, comm);
        break;
    case HITOP_REDUCE_SCATTER_BLOCK:
        MPI_Reduce_scatter_block(m->in, m->out, count, MPI_INT64_T, MPI_SUM, comm);
        break;
    case HITOP_SCATTER:
        MPI_Scatter(m->in, count, MPI_INT64_T, m->out, count, MPI_INT64_T, c->root, comm);
        break;
    default:
        break;
    }
}

/* Add up the sends of one rank's schedule. */
static int count_plan(const struct hitop_call *c, const struct hitop_choice *choice, int rank,
                      unsigned long long *messages, unsigned long long *bytes)
{
    const struct hitop_plan_args args = hitop_choice_plan_args(choice, c, NULL);
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_plan *plan;
    size_t nsteps;
    const struct hitop_step *step;

    if (hitop_plan_build(&args, &plan, &diag) != HITOP_OK) {
        fprintf(stderr, "%s: %s\n", c->operation->name, diag.message);
        return 0;
    }
    step = hitop_sched_steps(plan->sched[rank], &nsteps);
    for (size_t i = 0; i < nsteps; i++) {
        if (step[i].kind == HITOP_STEP_SEND) {
            messages[step[i].peer]++;
            bytes[step[i].peer] += step[i].span.bytes;
        }
    }
    hitop_plan_free(plan);
    return 1;
}

/*
 * Add up what this rank sends by the text on the library. Returns 0 where the text does not say
 * "same", or, of an operation that calls others, not of all of them.
 */
static int count_choice(const struct hitop_mpi *mpi, const struct hitop_call *c,
                        const struct hitop_mpi_choice *choice, int rank,
                        unsigned long long *messages, unsigned long long *bytes)
{
    const struct hitop_mpi_plan plan = hitop_mpi_plan(mpi, c, choice);

    if (plan.fidelity == HITOP_MPI_SAME) {
        return count_plan(c, &plan.choice, rank, messages, bytes);
    }
    for (int i = 0; plan.fidelity == HITOP_MPI_CALLS && i < HITOP_MPI_CALLED && plan.calls[i];
         i++) {
        const struct hitop_call called = hitop_mpi_called(c, plan.calls[i]);
        struct hitop_mpi_choice its;
        if (hitop_mpi_choose(mpi, &called, &its, NULL) != HITOP_OK ||
            !count_choice(mpi, &called, &its, rank, messages, bytes)) {
            return 0;
        }
    }
    return plan.fidelity == HITOP_MPI_CALLS;
}

/*
 * Run one call where the text says what is sent. Returns 1 if this rank sends other messages to
 * other ranks, and adds to *compared. (Open MPI 5.0 sends a rank's block to the rank itself in
 * some algorithms, where 4.1 and a plan copy it.)
 */
static int differs(const struct hitop_mpi *mpi, const struct hitop_call *c,
                   const struct hitop_mpi_choice *choice, struct memory *m, MPI_Comm comm,
                   int *compared)
{
    const size_t n = (size_t)c->size;
    unsigned long long *planned = calloc(2 * n, sizeof(*planned));
    int rank, wrong = 0;

    MPI_Comm_rank(comm, &rank);
    if (!count_choice(mpi, c, choice, rank, planned, planned + n)) {
        free(planned);
        return 0;
    }
    ++*compared;
    memset(sent, 0, 2 * n * sizeof(*sent));
    call(c, m, comm);
    for (size_t peer = 0; peer < n; peer++) {
        const unsigned long long messages = sent[peer], bytes = sent[n + peer];
        if (peer != (size_t)rank && (messages != planned[peer] || bytes != planned[n + peer])) {
            fprintf(stderr,
                    "%s %s, segment %zu, fan-out %d, %d ranks, root %d, %zu B: %d to %zu: %llu "
                    "messages of %llu B, but %llu of %llu in the plan\n",
                    c->operation->name, choice->algorithm->name, choice->segment, choice->fanout,
                    c->size, c->root, c->bytes, rank, peer, messages, bytes, planned[peer],
                    planned[n + peer]);
            wrong = 1;
        }
    }
    free(planned);
    return wrong;
}

/* Force a choice. A decision has one chain, and a forced algorithm four. */
static int force(const struct hitop_mpi_choice *choice)
{
    const struct hitop_operation *operation = choice->algorithm->operation;

    (void)set(operation, "_segmentsize", (int)choice->segment);
    (void)set(operation, "_chain_fanout", choice->fanout > 0 ? choice->fanout : 1);
    (void)set(operation, "_knomial_radix", choice->fanout > 0 ? choice->fanout : 4);
    return set(operation, "", choice->algorithm->number);
}

/* Compare for several sizes and roots; returns the number of wrong calls, and adds to *compared. */
static int compare(const struct hitop_mpi *mpi, const struct hitop_mpi_choice *choice,
                   struct memory *m, int *compared)
{
    const struct hitop_mpi_algorithm *algorithm = choice->algorithm;
    const int has_message = algorithm->operation->brings == HITOP_MESSAGE;
    const int has_root = (algorithm->operation->flags & (HITOP_ROOT_BRINGS | HITOP_ROOT_TAKES)) > 0;
    int wrong = 0;
    struct hitop_call c = {.operation = algorithm->operation, .unit = sizeof(int64_t)};
    MPI_Comm comm;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_size(comm, &c.size);
    for (int i = 0; i < (has_root ? 4 : 2); i++) {
        const int elements = i % 2 ? 1 : has_message ? ELEMENTS : BLOCK;
        c.root = has_root ? i / 2 * (c.size - 1) : 0;
        c.bytes = (size_t)elements * c.unit;
        c.hosts = 1;
        c.ranks_per_host = c.size;
        if (hitop_mpi_plan(mpi, &c, choice).fidelity == HITOP_MPI_SAME) {
            wrong += differs(mpi, &c, choice, m, comm, compared);
        }
    }
    MPI_Comm_free(&comm);
    return wrong;
}

/* Compare an algorithm as it is chosen, in segments, and with another fan-out. */
static int compare_all(const struct hitop_mpi *mpi, const struct hitop_mpi_algorithm *algorithm,
                       struct memory *m, int *compared)
{
    const int has_message = algorithm->operation->brings == HITOP_MESSAGE;
    struct hitop_mpi_choice choice = {.algorithm = algorithm};
    struct hitop_call call = {.operation = algorithm->operation, .size = 2, .bytes = BLOCK};
    int wrong = 0;

    if (!force(&choice)) {
        return 0;
    }
    wrong += compare(mpi, &choice, m, compared);
    if (hitop_mpi_has_segments(mpi, &call, algorithm)) {
        choice.segment = has_message ? 1024 : 16;
        wrong += force(&choice) ? compare(mpi, &choice, m, compared) : 1;
        choice.segment = 0;
    }
    if (hitop_mpi_has_fanout(mpi, &call, algorithm)) {
        choice.fanout = 3;
        wrong += force(&choice) ? compare(mpi, &choice, m, compared) : 1;
    }
    return wrong;
}

/*
 * Compare what the library chooses by itself, for messages and blocks of some sizes. Messages have
 * a multiple of 16 elements for each rank, or one element.
 */
static int compare_decisions(const struct hitop_mpi *mpi, struct memory *m, int *compared)
{
    static const int multiples[] = {0, 1, 16, 256, 1024};
    int wrong = 0;

    for (const struct hitop_operation *o = hitop_operations(); o->name; o++) {
        struct hitop_call c = {
            .operation = o, .size = nranks, .hosts = 1, .ranks_per_host = nranks, .unit = 8};
        for (int i = 0; i < 5; i++) {
            const int elements =
                multiples[i] == 0 ? 1
                                  : 16 * multiples[i] * (o->brings == HITOP_MESSAGE ? nranks : 1);
            struct hitop_mpi_choice choice;
            c.bytes = o->brings == HITOP_NOTHING ? 0 : (size_t)elements * c.unit;
            wrong += hitop_mpi_choose(mpi, &c, &choice, NULL) != HITOP_OK ||
                     differs(mpi, &c, &choice, m, MPI_COMM_WORLD, compared);
        }
    }
    return wrong;
}

/* Load the text on this library where coll/tuned decides; NULL: there is none. */
static struct hitop_mpi *load(void)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING], name[64];
    int length, major, minor;
    struct hitop_mpi *mpi = NULL;

    MPI_Get_library_version(version, &length);
    if (sscanf(version, "Open MPI v%d.%d", &major, &minor) == 2) {
        (void)snprintf(name, sizeof(name), "openmpi-%d.%d%s", major, minor,
                       major > 4 ? "-tuned" : "");
        (void)!hitop_mpi_load(name, &mpi, NULL);
    }
    return mpi;
}

static int run(int is_forced)
{
    struct hitop_mpi *mpi = load();
    const struct hitop_mpi_algorithm *algorithm;
    struct memory m;
    int ranks, rank, compared = 0, wrong = 0, all = 0;

    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    nranks = ranks;
    sent = calloc(2 * (size_t)ranks, sizeof(*sent));
    MPI_Barrier(MPI_COMM_WORLD);
    for (int r = 0; r < ranks; r++) {
        wrong += sent[r] > 0;
    }
    if (wrong == 0 || !mpi) {
        hitop_mpi_free(mpi);
        free(sent);
        return NONE;
    }
    m = (struct memory){calloc((size_t)(ranks + 1) * ELEMENTS, sizeof(int64_t)),
                        calloc((size_t)(ranks + 1) * ELEMENTS, sizeof(int64_t)),
                        calloc((size_t)ranks, sizeof(int)), calloc((size_t)ranks, sizeof(int))};
    wrong = is_forced ? 0 : compare_decisions(mpi, &m, &compared);
    for (size_t i = 0; is_forced && (algorithm = hitop_mpi_algorithm_at(mpi, i)); i++) {
        wrong += algorithm->number > 0 ? compare_all(mpi, algorithm, &m, &compared) : 0;
    }
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%d ranks: %d calls compared, %d differ\n", ranks, compared, all);
    }
    hitop_mpi_free(mpi);
    free(sent);
    sent = NULL;
    free(m.in);
    free(m.out);
    free(m.counts);
    free(m.starts);
    return all > 0 || compared < LEAST;
}

int main(int argc, char **argv)
{
    int provided, result;

    MPI_Init(&argc, &argv);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    result = run(argc < 2 || strcmp(argv[1], "decisions") != 0);
    MPI_T_finalize();
    MPI_Finalize();
    return result;
}

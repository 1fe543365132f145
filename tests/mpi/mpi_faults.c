/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_faults.c - a broadcasting program to which things happen.
 *
 * usage: mpi_faults work | elsewhere | mistaken | die | poor | doomed MILLISECONDS | inside |
 * watched work  prints "right, served N" with the number of broadcasts that libhitop_coll.so served
 * on rank 0 elsewhere  the same, in another folder than that in which it was started mistaken  the
 * same, after the first collectives of all had no datatype die   rank 1 is killed halfway poor rank
 * 1 has no memory left for the copy that a message with holes needs; exit status 77 where that
 * cannot be tried inside  ranks wait inside MPI for others that never come; killed after four
 * seconds watched  of seven ranks some come three seconds late, others never meet; killed after
 * four doomed  all ranks are killed after that time, which they spend preparing communicators
 */
#include <dlfcn.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

enum { LONGEST = 1 << 22, CALLS = 60 };

static int rank, size;

/* Every other int of `data`, or just the first ones. */
static void broadcast(int *data, int count, int holes, int root)
{
    MPI_Datatype other;

    if (holes) {
        MPI_Type_vector(count, 1, 2, MPI_INT, &other);
        MPI_Type_commit(&other);
        MPI_Bcast(data, 1, other, root, MPI_COMM_WORLD);
        MPI_Type_free(&other);
    } else {
        MPI_Bcast(data, count, MPI_INT, root, MPI_COMM_WORLD);
    }
}

static int work(int *data, const char *mode)
{
    int wrong = 0;

    for (int k = 0; k < CALLS; k++) {
        const int count = 1 + k * k * 10, root = k % size, stride = k % 2 + 1;

        if (k == CALLS / 2 && rank == 1 && strcmp(mode, "die") == 0) {
            (void)raise(SIGKILL);
        }
        for (int i = 0; i < count; i++) {
            data[i * stride] = rank == root ? i + k : 0;
        }
        broadcast(data, count, stride == 2, root);
        for (int i = 0; i < count; i++) {
            wrong += data[i * stride] != i + k;
        }
    }
    return wrong;
}

/* Number of these wrong calls that neither MPI nor the preloaded library refuses. */
static int be_mistaken(void)
{
    int mine = 0, all[16] = {0}, codes[7], wrong = 0;

    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    codes[0] =
        MPI_Gather(&mine, 1, MPI_DATATYPE_NULL, all, 1, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
    codes[1] = MPI_Allreduce(&mine, all, 1, MPI_DATATYPE_NULL, MPI_SUM, MPI_COMM_WORLD);
    codes[2] = MPI_Bcast(&mine, 1, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
    codes[3] = MPI_Gather(&mine, 1, MPI_INT, all, 1, MPI_INT, size, MPI_COMM_WORLD);
    codes[4] = MPI_Gather(&mine, -1, MPI_INT, all, -1, MPI_INT, 0, MPI_COMM_WORLD);
    codes[5] = MPI_Allreduce(&mine, all, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD);
    codes[6] = MPI_Reduce(&mine, all, 1, MPI_INT, MPI_SUM, -7, MPI_COMM_WORLD);
    for (int i = 0; i < 7; i++) {
        wrong += codes[i] == MPI_SUCCESS;
    }
    return wrong;
}

/* The same where the like of each has just been right. */
static int be_right_then_mistaken(void)
{
    int mine = 1, all[16] = {0}, wrong = 0;

    for (int i = 0; i < 8; i++) {
        MPI_Gather(&mine, 1, MPI_INT, all, 1, MPI_INT, i % size, MPI_COMM_WORLD);
        wrong += rank == i % size && all[size - 1] != 1;
        MPI_Allreduce(&mine, all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        wrong += all[0] != size;
        MPI_Reduce(&mine, all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
        MPI_Bcast(&mine, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    return wrong + be_mistaken();
}

/* Leave this process the memory it has, and take what malloc() keeps in reserve. */
static void become_poor(void)
{
    const struct rlimit none = {1 << 20, 1 << 20};

    (void)setrlimit(RLIMIT_AS, &none);
}

static void prepare_until_killed(long milliseconds)
{
    const struct itimerval timer = {.it_value = {.tv_usec = milliseconds * 1000}};

    (void)setitimer(ITIMER_REAL, &timer, NULL);
    for (;;) {
        MPI_Comm comm;
        int value = 0;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Bcast(&value, 1, MPI_INT, 0, comm);
        MPI_Comm_free(&comm);
    }
}

/*
 * One broadcast in each of three groups: ranks 0 and 1, of which 1 is the root and late; 2 and 3,
 * of which 3 believes that it is a barrier; 4 to 6, of which the last is the root and late, on
 * another node where two ranks make one.
 */
static void be_watched(void)
{
    static const char *const names[] = {"late", "crossed", "far"};
    const int group = rank < 2 ? 0 : rank < 4 ? 1 : 2, first = 2 * group;
    const int root = group < 2 ? 1 : 2;
    int value = 0;
    MPI_Comm comm;

    MPI_Comm_split(MPI_COMM_WORLD, group, rank, &comm);
    MPI_Comm_set_name(comm, names[group]);
    MPI_Barrier(comm);
    (void)alarm(4);
    if (group != 1 && rank == first + root) {
        (void)sleep(3);
        value = 99;
    }
    if (rank == 3) {
        MPI_Barrier(comm);
    } else {
        MPI_Bcast(&value, 1, MPI_INT, root, comm);
    }
    if (group != 1 && rank == first) {
        printf("%s: %s\n", names[group], value == 99 ? "right" : "WRONG");
        (void)fflush(stdout);
    }
    for (;;) {
        (void)pause();
    }
}

/*
 * Two groups wait inside MPI: ranks 0 to 3 in an alltoall of long blocks, which is left to it and
 * to which the last one never comes; ranks 4 and 5, each on a node of its own, in a gather, to
 * whose root a block never comes.
 */
static void wait_inside(void)
{
    enum { LONG = 4096 };
    static int from[4 * LONG], to[4 * LONG];
    const int group = rank >= 4;
    MPI_Comm comm;

    MPI_Comm_split(MPI_COMM_WORLD, group, rank, &comm);
    MPI_Comm_set_name(comm, group ? "far" : "left");
    MPI_Barrier(comm);
    (void)alarm(4);
    if (rank == 4) {
        MPI_Gather(from, 1, MPI_INT, to, 1, MPI_INT, 0, comm);
    } else if (rank < 3) {
        MPI_Alltoall(from, LONG, MPI_INT, to, LONG, MPI_INT, comm);
    }
    for (;;) {
        (void)pause();
    }
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "work";
    unsigned long long (*served)(void);
    int *data = calloc(LONGEST, sizeof(*data));
    int wrong = 0, total = 0;

#ifdef __SANITIZE_ADDRESS__
    if (strcmp(mode, "poor") == 0) {
        return 77; /* the sanitizer ends a process without memory by itself */
    }
#endif
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (!data) {
        MPI_Abort(MPI_COMM_WORLD, 1);
        return EXIT_FAILURE;
    }
    if (strcmp(mode, "elsewhere") == 0 && chdir("/") != 0) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    if (strcmp(mode, "doomed") == 0 && argc > 2) {
        prepare_until_killed(strtol(argv[2], NULL, 10));
    }
    if (strcmp(mode, "watched") == 0) {
        be_watched();
    }
    if (strcmp(mode, "inside") == 0) {
        wait_inside();
    }
    if (strcmp(mode, "mistaken") == 0) {
        wrong = be_mistaken() + be_right_then_mistaken();
    }
    wrong += work(data, mode);
    if (strcmp(mode, "poor") == 0) {
        if (rank == 1) {
            become_poor();
        }
        broadcast(data, LONGEST / 2, 1, 0);
    }
    MPI_Reduce(&wrong, &total, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    *(void **)&served = dlsym(RTLD_DEFAULT, "hitop_bcast_served");
    if (rank == 0) {
        printf("%s, served %lld\n", total ? "WRONG" : "right", served ? (long long)served() : -1);
    }
    free(data);
    MPI_Finalize();
    return total ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_comms.c - communicators of all kinds come and go while libhitop_coll.so serves their
 * broadcasts.
 *
 * Run under mpirun with the library preloaded and HITOP_LAZY=0: mpi_comms ALIVE CYCLES. Exit status
 * 1 when a byte is wrong, when the library is noticed, or when something is left.
 */
#include "coll/runtime/facts_mpi.h"
#include "tests/support/status_kib.h"

#include <dirent.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size, errors;

static void complain(const char *what, int number)
{
    if (errors++ < 5) {
        fprintf(stderr, "rank %d of %d: %s (%d)\n", rank, size, what, number);
    }
}

/* Returns 1 when the contents are right; safe in threads. */
static int broadcast(MPI_Comm comm, int ints, int root, int salt)
{
    int *data = calloc((size_t)ints, sizeof(*data));
    int me, right = data != NULL;

    MPI_Comm_rank(comm, &me);
    for (int i = 0; right && me == root && i < ints; i++) {
        data[i] = i * 7 + salt;
    }
    if (right && MPI_Bcast(data, ints, MPI_INT, root, comm) != MPI_SUCCESS) {
        right = 0;
    }
    for (int i = 0; right && i < ints; i++) {
        right = data[i] == i * 7 + salt;
    }
    free(data);
    return right;
}

/* Other collectives of all ranks, one after another by `number`; 1 when the contents are right. */
static int others(MPI_Comm comm, int number)
{
    int me, ranks, mine, got[64] = {0}, expected = 0;

    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &ranks);
    mine = me + number;
    for (int r = 0; r < ranks; r++) {
        expected += r + number;
    }
    switch (number % 5) {
    case 0:
        MPI_Allreduce(&mine, got, 1, MPI_INT, MPI_SUM, comm);
        return got[0] == expected;
    case 1:
        MPI_Reduce(&mine, got, 1, MPI_INT, MPI_SUM, ranks - 1, comm);
        return me != ranks - 1 || got[0] == expected;
    case 2:
        MPI_Barrier(comm);
        return 1;
    case 3:
        MPI_Allgather(&mine, 1, MPI_INT, got, 1, MPI_INT, comm);
        return got[ranks - 1] == ranks - 1 + number;
    default:
        MPI_Gather(&mine, 1, MPI_INT, got, 1, MPI_INT, 0, comm);
        return me != 0 || got[ranks - 1] == ranks - 1 + number;
    }
}

static int copies;

static int count_copy(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    (void)comm;
    (void)key;
    (void)extra;
    *(void **)out = in;
    copies++;
    *flag = 1;
    return MPI_SUCCESS;
}

/* The program's attributes are copied when the program duplicates, not when we need a communicator.
 */
static void attributes_are_left_alone(void)
{
    MPI_Comm comm;
    int key;

    MPI_Comm_create_keyval(count_copy, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_attr(comm, key, &key);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, &key);
    for (int k = 0; k < 5; k++) {
        if (!broadcast(comm, 10, k % size, k) || !others(comm, k)) {
            complain("wrong contents with attributes", k);
        }
    }
    if (copies != 0) {
        complain("the program's attributes were copied", copies);
    }
    MPI_Comm_delete_attr(MPI_COMM_SELF, key);
    MPI_Comm_free(&comm);
    MPI_Comm_free_keyval(&key);
}

/* Promises that a program makes about its own messages do not hold for the library's. */
static void promises_are_the_programs(void)
{
    MPI_Info info;
    MPI_Comm comm;

    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_assert_no_any_source", "true");
    MPI_Info_set(info, "mpi_assert_no_any_tag", "true");
    MPI_Info_set(info, "mpi_assert_allow_overtaking", "true");
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comm);
    for (int k = 0; k < 50; k++) {
        if (!broadcast(comm, 1 + k * 2000, k % size, k)) {
            complain("wrong contents with assertions", k);
        }
    }
    MPI_Comm_free(&comm);
    MPI_Info_free(&info);
}

/* More than the library may prepare, and with ours more than some MPIs have. */
static void many_are_alive(int n)
{
    MPI_Comm *comm = malloc((size_t)n * sizeof(MPI_Comm));

    for (int k = 0; comm && k < n; k++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm[k]);
        if (!broadcast(comm[k], 3, k % size, k)) {
            complain("wrong contents with many communicators", k);
        }
    }
    for (int k = 0; comm && k < n; k++) {
        if (!broadcast(comm[k], 30, (k + 1) % size, k)) {
            complain("wrong contents with all communicators", k);
        }
    }
    for (int k = 0; comm && k < n; k++) {
        MPI_Comm_free(&comm[k]);
    }
    free(comm);
}

static int open_files(void)
{
    DIR *dir = opendir("/proc/self/fd");
    int n = 0;

    while (dir && readdir(dir)) {
        n++;
    }
    if (dir) {
        (void)closedir(dir);
    }
    return n;
}

/* Mappings of shared memory in this process; MPI's own stay the same. */
static int segments(void)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[4096];
    int n = 0;

    while (maps && fgets(line, sizeof(line), maps)) {
        n += strstr(line, "/dev/shm/") != NULL;
    }
    if (maps) {
        (void)fclose(maps);
    }
    return n;
}

/* What an allocator may keep; that of sanitizers takes 64 KiB for each size that is new. */
#ifdef __SANITIZE_ADDRESS__
enum { SPARE_KIB = 2048 };
#else
enum { SPARE_KIB = 64 };
#endif

static void freed_ones_leave_nothing(int cycles)
{
    int files = 0, mapped = 0;
    long kib = 0;

    for (int k = 0; k < cycles; k++) {
        MPI_Comm comm;

        if (k == cycles / 10) { /* MPI has opened what it wants to keep */
            files = open_files();
            mapped = segments();
            kib = status_kib("RssAnon:");
        }
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        if (!broadcast(comm, 1 + k % 50, k % size, k)) {
            complain("wrong contents after duplication", k);
        }
        if (!others(comm, k)) {
            complain("wrong contents of another collective", k);
        }
        MPI_Comm_free(&comm);
    }
    kib = status_kib("RssAnon:") - kib;
    if (kib > SPARE_KIB + cycles / 10) { /* a state of ours takes more than 100 B */
        complain("KiB of memory more than before", (int)kib);
    }
    if (open_files() > files) {
        complain("open files more than before", open_files() - files);
    }
    if (segments() != mapped) {
        complain("mapped segments more than before", segments() - mapped);
    }
}

static void alone_and_between_groups(void)
{
    MPI_Comm half, inter;
    int value = 0;
    const int upper = rank >= size / 2;

    if (!broadcast(MPI_COMM_SELF, 100, 0, 5)) {
        complain("wrong contents on MPI_COMM_SELF", 0);
    }
    if (size < 2) {
        return;
    }
    MPI_Comm_split(MPI_COMM_WORLD, upper, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, upper ? 0 : size / 2, 9, &inter);
    for (int k = 1; k <= 10; k++) { /* from rank 0 to the upper half */
        value = rank == 0 ? k : 0;
        MPI_Bcast(&value, 1, MPI_INT, upper ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL, inter);
        if (upper && value != k) {
            complain("wrong contents on an intercommunicator", k);
        }
    }
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

#if HITOP_MPI_LARGE_COUNTS
/* A rank may say the same with a large count; what does not count may be anything. */
static void large_counts_meet_small_ones(void)
{
    enum { MOST = 64 };
    const MPI_Comm all = MPI_COMM_WORLD;

    for (int k = 0; k < 10; k++) {
        const int large = (rank + k) % 2 == 0, root = k % size;
        int value = rank == root ? 100 + k : 0, mine = rank + k, sum = 0, got[MOST] = {0};

        if (large) {
            MPI_Bcast_c(&value, 1, MPI_INT, root, all);
            MPI_Reduce_c(&mine, &sum, 1, MPI_INT, MPI_SUM, root, all);
            MPI_Gather_c(&mine, 1, MPI_INT, got, rank == root ? 1 : -5, MPI_INT, root, all);
            MPI_Scatter_c(got, rank == root ? 1 : -5, MPI_INT, &mine, 1, MPI_INT, root, all);
            MPI_Allgather_c(&mine, 1, MPI_INT, got, 1, MPI_INT, all);
            MPI_Alltoall_c(MPI_IN_PLACE, -5, MPI_INT, got, 1, MPI_INT, all);
            MPI_Allreduce_c(MPI_IN_PLACE, &got[rank], 1, MPI_INT, MPI_SUM, all);
        } else {
            MPI_Bcast(&value, 1, MPI_INT, root, all);
            MPI_Reduce(&mine, &sum, 1, MPI_INT, MPI_SUM, root, all);
            MPI_Gather(&mine, 1, MPI_INT, got, 1, MPI_INT, root, all);
            MPI_Scatter(got, 1, MPI_INT, &mine, 1, MPI_INT, root, all);
            MPI_Allgather(&mine, 1, MPI_INT, got, 1, MPI_INT, all);
            MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INT, got, 1, MPI_INT, all);
            MPI_Allreduce(MPI_IN_PLACE, &got[rank], 1, MPI_INT, MPI_SUM, all);
        }
        if (value != 100 + k || mine != rank + k ||
            (rank == root && sum != size * k + size * (size - 1) / 2) ||
            got[rank] != size * k + size * (size - 1) / 2) {
            complain("wrong contents with a large count", k);
        }
    }
}

/* Lists of large counts, which go to MPI; mpi_comms.sh looks for the calls in the statistics. */
static void lists_of_large_counts(void)
{
    enum { MOST = 64 };
    MPI_Count ones[MOST];
    MPI_Aint displs[MOST];
    MPI_Comm comm;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_name(comm, "lists");
    for (int i = 0; i < size; i++) {
        ones[i] = 1;
        displs[i] = i;
    }
    for (int k = 0; k < 5; k++) {
        const int root = k % size;
        int mine = rank + k, got[MOST] = {0};

        MPI_Barrier(comm); /* only communicators with calls that are served have statistics */
        MPI_Gatherv_c(&mine, 1, MPI_INT, got, ones, displs, MPI_INT, root, comm);
        MPI_Scatterv_c(got, ones, displs, MPI_INT, &mine, 1, MPI_INT, root, comm);
        MPI_Allgatherv_c(&mine, 1, MPI_INT, got, ones, displs, MPI_INT, comm);
        if (mine != rank + k || got[0] != k || got[size - 1] != size - 1 + k) {
            complain("wrong contents with a list of large counts", k);
        }
    }
    MPI_Comm_free(&comm);
}
#endif

struct job {
    pthread_t thread;
    MPI_Comm comm;
    int salt, wrong;
};

static void *broadcast_often(void *argument)
{
    struct job *job = argument;

    for (int k = 0; k < 300; k++) {
        const int ints = k % 10 == 0 ? 50000 : 1 + k % 20;
        job->wrong += !broadcast(job->comm, ints, k % size, k + job->salt);
        job->wrong += !others(job->comm, k);
    }
    return NULL;
}

/* Two threads, each with a communicator of its own, and a third one that makes and frees others. */
static void threads_do_not_meet(void)
{
    struct job job[2] = {{.salt = 1000}, {.salt = 2000000}};
    MPI_Comm own;
    int provided;

    MPI_Query_thread(&provided);
    if (provided < MPI_THREAD_MULTIPLE) {
        return;
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    for (int i = 0; i < 2; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &job[i].comm);
    }
    for (int i = 0; i < 2; i++) { /* the library meets them in another order on each rank */
        struct job *next = &job[rank % 2 ? 1 - i : i];
        if (pthread_create(&next->thread, NULL, broadcast_often, next) != 0) {
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
        (void)usleep(2000);
    }
    for (int k = 0; k < 20; k++) {
        MPI_Comm copy;
        MPI_Comm_dup(own, &copy);
        if (!broadcast(copy, 20, k % size, k)) {
            complain("wrong contents beside threads", k);
        }
        MPI_Comm_free(&copy);
    }
    for (int i = 0; i < 2; i++) {
        (void)pthread_join(job[i].thread, NULL);
        if (job[i].wrong) {
            complain("wrong contents in a thread", job[i].wrong);
        }
    }
    MPI_Comm_free(&own); /* those of the threads are left to MPI_Finalize */
}

/* Attributes of MPI_COMM_SELF are deleted in MPI_Finalize, the oldest one last. */
static int broadcast_at_the_end(MPI_Comm self, int key, void *value, void *extra)
{
    MPI_Comm *late = value;

    (void)self;
    (void)key;
    (void)extra;
    if (!broadcast(*late, 40, 0, 4) || !broadcast(MPI_COMM_WORLD, 40, size - 1, 4)) {
        fprintf(stderr, "rank %d: wrong contents in MPI_Finalize\n", rank);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Comm_free(late);
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    const int alive = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 300;
    const int cycles = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 2000;
    MPI_Comm late, kept;
    int key, total = 0, provided, level;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &late);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, broadcast_at_the_end, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, &late);

    attributes_are_left_alone();
    promises_are_the_programs();
    alone_and_between_groups();
#if HITOP_MPI_LARGE_COUNTS
    large_counts_meet_small_ones();
    lists_of_large_counts();
#endif
    threads_do_not_meet();
    freed_ones_leave_nothing(cycles);
    many_are_alive(alive);

    MPI_Comm_dup(MPI_COMM_WORLD, &kept); /* never freed */
    if (!broadcast(kept, 20, 0, 1)) {
        complain("wrong contents at last", 0);
    }
    MPI_Query_thread(&level);
    if (level != provided) {
        complain("another level of threads", level);
    }
    MPI_Allreduce(&errors, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%d ranks: %s\n", size, total ? "WRONG" : "nothing wrong, nothing left");
    }
    MPI_Finalize();
    return total ? EXIT_FAILURE : EXIT_SUCCESS;
}

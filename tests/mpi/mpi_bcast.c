/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_bcast.c - contents of MPI_Bcast under libhitop_coll.so: lengths, roots, datatypes,
 * communicators.
 *
 * Run under mpirun with the library preloaded and HITOP_LAZY=0. Exit status 1 when a byte is wrong
 * or when the library did not serve the calls itself. HITOP_TEST_TAGS=N makes MPI have no tags
 * above N; then each rank shall be a node.
 */
#include "coll/runtime/facts_mpi.h"

#include <dlfcn.h>
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GUARD = 64 };

static int rank, size, errors;

static void complain(const char *what, size_t bytes, int root)
{
    if (errors++ < 5) {
        fprintf(stderr, "rank %d of %d: %s, %zu bytes from root %d\n", rank, size, what, bytes,
                root);
    }
}

/* MPI has fewer tags than it says; the library asks by this name. */
__attribute__((visibility("default"))) int PMPI_Comm_get_attr(MPI_Comm comm, int key, void *value,
                                                              int *found)
{
    static int most;
    const char *wanted = getenv("HITOP_TEST_TAGS");
    int (*get)(MPI_Comm, int, void *, int *);

    *(void **)&get = dlsym(RTLD_NEXT, "PMPI_Comm_get_attr");
    if (key != MPI_TAG_UB || !wanted) {
        return get(comm, key, value, found);
    }
    most = (int)strtol(wanted, NULL, 10);
    *(int **)value = &most;
    *found = 1;
    return MPI_SUCCESS;
}

static unsigned char pattern(size_t i, int root, size_t bytes)
{
    return (unsigned char)(i * 131 + i / 253 + (size_t)root * 17 + bytes * 29);
}

static void plain_bytes(MPI_Comm comm, size_t bytes, int root)
{
    unsigned char *buffer = malloc(bytes + GUARD);
    int me;

    if (!buffer) {
        complain("out of memory", bytes, root);
        MPI_Abort(comm, 1);
        return;
    }
    MPI_Comm_rank(comm, &me);
    memset(buffer, 0xa5, bytes + GUARD);
    for (size_t i = 0; me == root && i < bytes; i++) {
        buffer[i] = pattern(i, root, bytes);
    }
    if (MPI_Bcast(buffer, (int)bytes, MPI_BYTE, root, comm) != MPI_SUCCESS) {
        complain("error code", bytes, root);
    }
    for (size_t i = 0; i < bytes; i++) {
        if (buffer[i] != pattern(i, root, bytes)) {
            complain("wrong byte", bytes, root);
            break;
        }
    }
    for (size_t i = 0; i < GUARD; i++) {
        if (buffer[bytes + i] != 0xa5) {
            complain("byte behind the buffer", bytes, root);
            break;
        }
    }
    free(buffer);
}

/* Around every limit of the implementation, whatever HITOP_RING is. */
static void all_lengths(MPI_Comm comm, size_t ring, size_t largest)
{
    const size_t enclosing[] = {1, 56, 64, 3968, 4096, 16384, 65536, ring, 262144, 1048576};
    int n;

    MPI_Comm_size(comm, &n);
    for (int root = 0; root < n; root++) {
        plain_bytes(comm, 0, root);
        for (size_t i = 0; i < sizeof(enclosing) / sizeof(enclosing[0]); i++) {
            for (size_t bytes = enclosing[i] - 1; bytes <= enclosing[i] + 1; bytes++) {
                if (bytes <= largest) {
                    plain_bytes(comm, bytes, root);
                }
            }
        }
        plain_bytes(comm, largest, root);
    }
}

/* One of several ways to say "`count` ints", all with the same signature. */
struct view {
    int *data;    /* where the ints lie */
    void *buffer; /* the argument of MPI */
    int n;
    MPI_Datatype type;
    int stride;   /* between two ints of the message in data */
    int rotation; /* data[i] holds int (i + rotation) % count of the message */
};

static void describe(struct view *v, int count, int kind)
{
    const int half = count / 2, lengths[] = {half, half}, starts[] = {half, 0};
    MPI_Aint address;

    v->buffer = v->data;
    v->n = 1;
    v->stride = 1;
    v->rotation = 0;
    switch (kind) {
    case 0: /* ten at a time */
        MPI_Type_contiguous(10, MPI_INT, &v->type);
        v->n = count / 10;
        break;
    case 1: /* every other int */
        MPI_Type_vector(count, 1, 2, MPI_INT, &v->type);
        v->stride = 2;
        break;
    case 2: /* absolute addresses */
        MPI_Get_address(v->data, &address);
        MPI_Type_create_hindexed(1, &count, &address, MPI_INT, &v->type);
        v->buffer = MPI_BOTTOM;
        break;
    case 3: /* second half first: size equals extent, yet not plain bytes */
        MPI_Type_indexed(2, lengths, starts, MPI_INT, &v->type);
        v->rotation = half;
        break;
    case 4: /* a lower bound below the int */
        MPI_Type_create_resized(MPI_INT, -4, 4, &v->type);
        v->n = count;
        break;
    default: /* one by one */
        MPI_Type_dup(MPI_INT, &v->type);
        v->n = count;
        break;
    }
    MPI_Type_commit(&v->type);
}

/* Each rank describes the same message in its own way. */
static void mixed_types(int count, int root)
{
    struct view v = {.data = calloc(2 * (size_t)count, sizeof(int))};

    if (!v.data) {
        MPI_Abort(MPI_COMM_WORLD, 1);
        return;
    }
    describe(&v, count, (rank + root) % 6);
    for (int i = 0; rank == root && i < count; i++) {
        v.data[i * v.stride] = (i + v.rotation) % count * 3 + root;
    }
    if (MPI_Bcast(v.buffer, v.n, v.type, root, MPI_COMM_WORLD) != MPI_SUCCESS) {
        complain("error code with mixed types", (size_t)count * sizeof(int), root);
    }
    for (int i = 0; i < count; i++) {
        if (v.data[i * v.stride] != (i + v.rotation) % count * 3 + root ||
            (v.stride == 2 && v.data[2 * i + 1] != 0)) {
            complain("wrong int with mixed types", (size_t)count * sizeof(int), root);
            break;
        }
    }
    MPI_Type_free(&v.type);
    free(v.data);
}

/* A pair type has a hole, which must stay as it is. */
static void pair_type(int root)
{
    struct {
        short value;
        short hole;
        int index;
    } pair = {rank == root ? 11 : 0, (short)0x7777, rank == root ? 13 : 0};

    (void)pair.hole;
    MPI_Bcast(&pair, 1, MPI_SHORT_INT, root, MPI_COMM_WORLD);
    if (pair.value != 11 || pair.index != 13 || pair.hole != 0x7777) {
        complain("pair type", sizeof(pair), root);
    }
}

/* Sub-communicators of odd shapes, used alternately, made and freed again. */
static void other_communicators(void)
{
    MPI_Comm reversed, parity, copy;

    MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &reversed);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &parity);
    for (int k = 0; k < 40; k++) {
        plain_bytes(reversed, 100 + (size_t)k * 997, k % size);
        plain_bytes(parity, 31 + (size_t)k * 499, 0);
        plain_bytes(MPI_COMM_WORLD, 8, k % size);
        MPI_Comm_dup(reversed, &copy);
        plain_bytes(copy, 64, (k + 1) % size);
        MPI_Comm_free(&copy);
    }
    MPI_Comm_free(&parity);
    /* `reversed` is left to MPI_Finalize */
}

/* A send that needs our help while we wait inside a broadcast. */
static void progress_while_waiting(void)
{
    enum { BIG = 1 << 21 };
    char *out = calloc(BIG, 1), *in = calloc(BIG, 1), token = 1;
    MPI_Request request = MPI_REQUEST_NULL;

    /* one node comes late: what it says of that to the root waits there meanwhile */
    if (rank == size - 1) {
        (void)usleep(20000);
    }
    MPI_Bcast(&token, 1, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    if (size >= 2 && out && in) {
        if (rank == 0) {
            MPI_Isend(out, BIG, MPI_CHAR, 1, 5, MPI_COMM_WORLD, &request);
        } else if (rank == 1) {
            MPI_Recv(in, BIG, MPI_CHAR, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        MPI_Bcast(&token, 1, MPI_CHAR, 1, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    free(in);
    free(out);
}

/*
 * A tag of a message on its way is not used again: a root that runs ahead of a sleeping rank waits
 * before that.
 */
static void tags_are_not_used_twice(void)
{
    const char *wanted = getenv("HITOP_TEST_TAGS");
    const int ahead = wanted ? (int)strtol(wanted, NULL, 10) : 0;
    const double began = MPI_Wtime();

    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == size - 1) {
        (void)usleep(200000);
    }
    for (int k = 0; k < ahead; k++) {
        plain_bytes(MPI_COMM_WORLD, 8, 0);
    }
    if (ahead > 0 && MPI_Wtime() - began < 0.15) {
        complain("a root ran further ahead than there are tags", 8, 0);
    }
}

/* Errors that MPI would report are still reported, and the communicator works afterwards. */
static void wrong_arguments(void)
{
    MPI_Comm comm;
    MPI_Datatype types[2];
    char byte = 0, bytes[8] = {0};

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    plain_bytes(comm, 10, 0);
    MPI_Type_contiguous(2, MPI_CHAR, &types[0]);
    MPI_Type_vector(2, 1, 2, MPI_CHAR, &types[1]);
    for (int k = 0; k < 2; k++) {
        if (MPI_Bcast(bytes, 2, types[k], 0, comm) == MPI_SUCCESS) {
            complain("a type that is not committed was accepted", 4, k);
        }
        MPI_Type_commit(&types[k]);
        if (MPI_Bcast(bytes, 2, types[k], 0, comm) != MPI_SUCCESS) {
            complain("a type was refused that is committed meanwhile", 4, k);
        }
        MPI_Type_free(&types[k]);
    }
#if !HITOP_MPI_REPORTS_MISSING_BUFFERS
    if (MPI_Bcast(MPI_IN_PLACE, 4, MPI_CHAR, 0, comm) == MPI_SUCCESS) {
        complain("MPI_IN_PLACE was accepted", 4, 0);
    }
#else
    if (MPI_Bcast(NULL, 4, MPI_CHAR, 0, comm) == MPI_SUCCESS) {
        complain("memory that is missing was accepted", 4, 0);
    }
#endif
    if (MPI_Bcast(&byte, 1, MPI_CHAR, size, comm) == MPI_SUCCESS) {
        complain("a root that does not exist was accepted", 1, size);
    }
    if (MPI_Bcast(&byte, -1, MPI_CHAR, 0, comm) == MPI_SUCCESS) {
        complain("a negative count was accepted", 1, 0);
    }
    plain_bytes(comm, 1000, size - 1);
    MPI_Comm_free(&comm);
}

/* Ranks that expect less than the root sends get what fits and an error; the others get all. */
static void different_lengths(size_t bytes)
{
    unsigned char *buffer = malloc(bytes + GUARD);
    const size_t mine = rank % 2 ? bytes / 2 : bytes;
    MPI_Comm comm;
    int code, class = MPI_SUCCESS;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    memset(buffer, rank == 0 ? 0x5a : 0xa5, bytes + GUARD);
    code = MPI_Bcast(buffer, (int)mine, MPI_BYTE, 0, comm);
    if (code != MPI_SUCCESS) {
        MPI_Error_class(code, &class);
    }
    if ((mine != bytes) != (class == MPI_ERR_TRUNCATE)) {
        complain("lengths differ: wrong error code", bytes, 0);
    }
    for (size_t i = 0; i < bytes + GUARD && rank != 0; i++) {
        if (buffer[i] != (i < mine ? 0x5a : 0xa5)) {
            complain("lengths differ: wrong byte", bytes, 0);
            break;
        }
    }
    plain_bytes(comm, 5000, 0);
    MPI_Comm_free(&comm);
    free(buffer);
}

int main(int argc, char **argv)
{
    const size_t ring = argc > 1 ? strtoul(argv[1], NULL, 10) : 524288;
    const size_t largest = argc > 2 ? strtoul(argv[2], NULL, 10) : 8388608;
    unsigned long long (*served)(void);
    int total = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    all_lengths(MPI_COMM_WORLD, ring, largest);
    for (int root = 0; root < size; root++) {
        mixed_types(100, root);
        mixed_types(262150, root);
        pair_type(root);
    }
    other_communicators();
    progress_while_waiting();
    tags_are_not_used_twice();
    wrong_arguments();
    for (size_t bytes = 20; bytes <= 2000000; bytes *= 10) {
        different_lengths(bytes);
    }
    *(void **)&served = dlsym(RTLD_DEFAULT, "hitop_bcast_served");
    if (!served) {
        complain("libhitop_coll.so is not loaded", 0, 0);
    } else if (size > 1 && served() < 100) {
        complain("the library left the calls to MPI", 0, 0);
    }
    MPI_Allreduce(&errors, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%d ranks: %s\n", size, total ? "WRONG" : "all broadcasts right");
    }
    MPI_Finalize();
    return total ? EXIT_FAILURE : EXIT_SUCCESS;
}

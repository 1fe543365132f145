/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_lengths.c - collectives of more bytes than an int counts. Prints only failures. */
#include <config.h>

#include "coll/runtime/facts_mpi.h"
#include "tests/support/mpi_failures.h"

#include "hitop/collectives_mpi.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static int rank, size;

/*
 * More than 2 GiB without having them: the same megabytes again and again, but for windows, at
 * which the test looks.
 */
enum { MEMORY = 16 << 20, WINDOW = 64 << 10 };

static unsigned char *reserve(size_t bytes)
{
    unsigned char *range = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    const int file = memfd_create("mpi_lengths", 0);

    if (range == MAP_FAILED || file < 0 || ftruncate(file, MEMORY) != 0) {
        give_up("memory");
    }
    for (size_t done = 0; done < bytes; done += MEMORY) {
        const size_t part = bytes - done < MEMORY ? bytes - done : MEMORY;
        if (mmap(range + done, part, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) ==
            MAP_FAILED) {
            give_up("mmap");
        }
    }
    (void)close(file);
    return range;
}

static void open_window(unsigned char *at)
{
    if (mmap(at, WINDOW, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
        MAP_FAILED) {
        give_up("mmap");
    }
}

static unsigned char mark(size_t i, int of)
{
    return (unsigned char)(i * 31 + i / 251 + (size_t)of * 17 + 1);
}

static void write_window(unsigned char *at, int of)
{
    for (size_t i = 0; i < WINDOW; i++) {
        at[i] = mark(i, of);
    }
}

static void expect_window(const char *what, const unsigned char *at, int of)
{
    for (size_t i = 0; i < WINDOW; i++) {
        if (at[i] != mark(i, of)) {
            complain(what, of);
            return;
        }
    }
}

/* The root's own block moves all others beyond INT_MAX bytes. */
static void gather_much(MPI_Datatype windows)
{
    int *counts = calloc((size_t)size, sizeof(int)), *displs = calloc((size_t)size, sizeof(int));
    unsigned char *send, *recv;
    int end = 0;

    if (!counts || !displs) {
        give_up("malloc");
    }
    for (int r = 0; r < size; r++) {
        counts[r] = r == 0 ? INT32_MAX / WINDOW + 2 : 3 + r;
        displs[r] = end;
        end += counts[r];
    }
    send = reserve((size_t)counts[rank] * WINDOW);
    recv = reserve((size_t)end * WINDOW);
    open_window(send);
    open_window(send + (size_t)(counts[rank] - 1) * WINDOW);
    write_window(send, 2 * rank);
    write_window(send + (size_t)(counts[rank] - 1) * WINDOW, 2 * rank + 1);
    for (int r = 0; r < size; r++) {
        open_window(recv + (size_t)displs[r] * WINDOW);
        open_window(recv + (size_t)(displs[r] + counts[r] - 1) * WINDOW);
    }
    set_algorithm("gatherv", "flat");
    check("gatherv failed", hitop_gatherv(send, counts[rank], windows, recv, counts, displs,
                                          windows, 0, MPI_COMM_WORLD));
    for (int r = 0; r < size && rank == 0; r++) {
        expect_window("wrong begin of a long block", recv + (size_t)displs[r] * WINDOW, 2 * r);
        expect_window("wrong end of a long block",
                      recv + (size_t)(displs[r] + counts[r] - 1) * WINDOW, 2 * r + 1);
    }
    (void)munmap(send, (size_t)counts[rank] * WINDOW);
    (void)munmap(recv, (size_t)end * WINDOW);
    free(counts);
    free(displs);
}

/* One message beyond INT_MAX bytes. */
static void send_much(MPI_Datatype windows)
{
    const int count = INT32_MAX / WINDOW + 3;
    const int places[] = {0, count / 2, count - 3, count - 2, count - 1};
    unsigned char *memory = reserve((size_t)count * WINDOW);

    set_algorithm("bcast", "chain");
    for (int i = 0; i < 5; i++) {
        open_window(memory + (size_t)places[i] * WINDOW);
        if (rank == 0) {
            write_window(memory + (size_t)places[i] * WINDOW, i);
        }
    }
    check("bcast failed", hitop_bcast(memory, count, windows, 0, MPI_COMM_WORLD));
    for (int i = 0; i < 5; i++) {
        expect_window("wrong contents of a long message", memory + (size_t)places[i] * WINDOW, i);
    }
    (void)munmap(memory, (size_t)count * WINDOW);
}

#if HITOP_MPI_LARGE_COUNTS
/*
 * Every second rank has a large count of bytes, the others fewer elements of a larger type: on a
 * new communicator, and on one that is ready.
 */
static void describe_differently(MPI_Datatype windows)
{
    const int count = INT32_MAX / WINDOW + 3;
    const MPI_Count bytes = (MPI_Count)count * WINDOW;
    unsigned char *memory = reserve((size_t)bytes);
    MPI_Comm comm;
    int word = 0;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    open_window(memory + (size_t)(count - 1) * WINDOW);
    for (int i = 0; i < 2; i++) {
        if (rank == 0) {
            write_window(memory + (size_t)(count - 1) * WINDOW, i);
        }
        check("bcast failed", rank % 2 == 0 ? hitop_bcast_c(memory, bytes, MPI_BYTE, 0, comm)
                                            : hitop_bcast(memory, count, windows, 0, comm));
        expect_window("wrong contents of a large count", memory + (size_t)(count - 1) * WINDOW, i);
        for (int k = 0; k < 3; k++) { /* makes it ready */
            check("bcast failed", hitop_bcast(&word, 1, MPI_INT, 0, comm));
        }
    }
    MPI_Comm_free(&comm);
    (void)munmap(memory, (size_t)bytes);
}
#endif

static void lengths(void)
{
    MPI_Datatype windows;

    MPI_Type_contiguous(WINDOW, MPI_BYTE, &windows);
    MPI_Type_commit(&windows);
    gather_much(windows);
    send_much(windows);
#if HITOP_MPI_LARGE_COUNTS
    describe_differently(windows);
#endif
    MPI_Type_free(&windows);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    lengths();
    MPI_Finalize();
    return failures > 0;
}

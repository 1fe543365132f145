/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_sloppy.c - programs that work with every MPI in use, though the standard does not promise it.
 *
 * A rank waits in a collective while a long message of its own is under way, which only moves while
 * it calls MPI. And a rank that others need not wait for leaves a collective, to send what another
 * one receives before it comes. Ranks make the type of the elements that they combine each in its
 * own way. They have children. Where they bring nothing they have no address of it. Run on two
 * ranks, with everything prepared by the first barrier (HITOP_LAZY=0); a mistake hangs.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LONG = 8 << 20, TAG = 3 };

static int rank, wrong;

/* One collective; `root` is where all comes from or goes to. */
static void collective(int which, int root)
{
    int mine = rank + 5, got[2] = {-1, -1}, both[2] = {10, 20};

    switch (which) {
    case 0:
        MPI_Bcast(&mine, 1, MPI_INT, root, MPI_COMM_WORLD);
        wrong += mine != root + 5;
        break;
    case 1:
        MPI_Scatter(both, 1, MPI_INT, got, 1, MPI_INT, root, MPI_COMM_WORLD);
        wrong += got[0] != 10 * (rank + 1);
        break;
    case 2:
        MPI_Reduce(&mine, got, 1, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
        wrong += rank == root && got[0] != 11;
        break;
    case 3:
        MPI_Gather(&mine, 1, MPI_INT, got, 1, MPI_INT, root, MPI_COMM_WORLD);
        wrong += rank == root && (got[0] != 5 || got[1] != 6);
        break;
    case 4:
        MPI_Barrier(MPI_COMM_WORLD);
        break;
    case 5:
        MPI_Allreduce(&mine, got, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        wrong += got[0] != 11;
        break;
    case 6:
        MPI_Allgather(&mine, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD);
        wrong += got[0] != 5 || got[1] != 6;
        break;
    case 7:
        MPI_Alltoall(both, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD);
        wrong += got[0] != got[1] || got[0] != 10 * (rank + 1);
        break;
    }
}

enum { ROOTED = 4, ALL = 8, FROM_ROOT = 2 };

/* Rank 0 waits in the collective for rank 1, which comes when it has got the message. */
static void send_and_wait(int which, char *message)
{
    MPI_Request request;

    if (rank == 0) {
        MPI_Isend(message, LONG, MPI_CHAR, 1, TAG, MPI_COMM_WORLD, &request);
        collective(which, which < FROM_ROOT ? 1 : 0);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(message, LONG, MPI_CHAR, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        collective(which, which < FROM_ROOT ? 1 : 0);
    }
}

/*
 * `leaver` need not wait in the collective: the root of what goes out, another one in what comes
 * in.
 */
static void leave_and_send(int which, int leaver)
{
    const int root = which < FROM_ROOT ? leaver : !leaver;
    int word = 77;

    if (rank == leaver) {
        collective(which, root);
        MPI_Send(&word, 1, MPI_INT, !leaver, TAG, MPI_COMM_WORLD);
    } else {
        word = 0;
        MPI_Recv(&word, 1, MPI_INT, leaver, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        wrong += word != 77;
        collective(which, root);
    }
}

/* Adds pairs of ints. */
static void add_pairs(void *in, void *inout, int *length, MPI_Datatype *type)
{
    const int *from = in;
    int *to = inout;

    (void)type;
    for (int i = 0; i < 2 * *length; i++) {
        to[i] += from[i];
    }
}

/* The same elements, made in another way on each rank. */
static void make_pairs_differently(void)
{
    int mine[6], sum[6];
    MPI_Datatype pair;
    MPI_Op add;

    MPI_Op_create(add_pairs, 1, &add);
    if (rank == 0) {
        MPI_Type_contiguous(2, MPI_INT, &pair);
    } else {
        MPI_Type_vector(2, 1, 1, MPI_INT, &pair);
    }
    MPI_Type_commit(&pair);
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < 6; i++) {
            mine[i] = rank * 100 + i + k;
            sum[i] = -1;
        }
        if (k < 2) {
            MPI_Reduce(mine, sum, 3, pair, add, k, MPI_COMM_WORLD);
        } else {
            MPI_Allreduce(mine, sum, 3, pair, add, MPI_COMM_WORLD);
        }
        for (int i = 0; i < 6; i++) {
            wrong += (k >= 2 || k == rank) && sum[i] != 100 + 2 * (i + k);
        }
    }
    MPI_Type_free(&pair);
    MPI_Op_free(&add);
}

/* Children that do not know of MPI come and go between the collectives. */
static void have_children(void)
{
    for (int which = 0; which < ALL; which++) {
        const pid_t child = fork();

        if (child == 0) {
            (void)execl("/bin/true", "true", (char *)NULL);
            _exit(1);
        }
        collective(which, 0);
        wrong += child < 0 || waitpid(child, NULL, 0) != child;
        collective(which, 1);
    }
}

static void bring_nothing(void)
{
    static const int none[2] = {0, 0};
    int word = 77;

    for (int root = 0; root < 2; root++) {
        MPI_Scatterv(NULL, none, none, MPI_INT, &word, 0, MPI_INT, root, MPI_COMM_WORLD);
        MPI_Scatterv(&word, none, none, MPI_INT, NULL, 0, MPI_INT, root, MPI_COMM_WORLD);
        MPI_Gatherv(NULL, 0, MPI_INT, &word, none, none, MPI_INT, root, MPI_COMM_WORLD);
        MPI_Gatherv(&word, 0, MPI_INT, NULL, none, none, MPI_INT, root, MPI_COMM_WORLD);
    }
    MPI_Allgatherv(NULL, 0, MPI_INT, &word, none, none, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgatherv(&word, 0, MPI_INT, NULL, none, none, MPI_INT, MPI_COMM_WORLD);
    wrong += word != 77;
}

int main(int argc, char **argv)
{
    char *message = calloc(1, LONG);

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!message) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int which = 0; which < ALL; which++) {
        send_and_wait(which, message);
    }
    for (int k = 0; k < 10 * ROOTED; k++) {
        leave_and_send(k % ROOTED, k / ROOTED % 2);
    }
    make_pairs_differently();
    have_children();
    bring_nothing();
    MPI_Finalize();
    free(message);
    if (wrong) {
        printf("rank %d: %d wrong results\n", rank, wrong);
    }
    return wrong > 0;
}

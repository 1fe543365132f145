/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_coll_names.c - names, MPI_Info and rules choose algorithms in a program. */
#include <config.h>

#include "tests/mpi/mpi_coll.h"

#include "tests/support/mpi_failures.h"

#include "hitop/collectives_mpi.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size;

/* A named algorithm is used; a wrong name changes nothing. */
static void algorithms_have_names(void)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    MPI_Info info;
    MPI_Comm comm;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (hitop_coll_set(comm, "reduce", "chain", NULL) != HITOP_OK) {
        complain("chain was refused", 0);
    }
    travel(comm, 0, 5);
    if (size > 1 && strcmp(hitop_coll_last(comm), "chain") != 0) {
        complain("another algorithm than chain", 0);
    }
    if (hitop_coll_set(comm, "reduce", "chainz", &diag) != HITOP_ERR_NOTFOUND ||
        !strstr(diag.message, "chain, ") ||
        hitop_coll_set(comm, "reduces", "chain", &diag) != HITOP_ERR_NOTFOUND ||
        hitop_coll_set(comm, "reduce", "chain:segment=x", &diag) != HITOP_ERR_INVALID ||
        hitop_coll_set(comm, "reduce", "chain:segments=1", &diag) != HITOP_ERR_NOTFOUND ||
        hitop_coll_set(comm, "counts", "sent", &diag) != HITOP_ERR_NOTFOUND) {
        complain("a wrong name was taken", 0);
    }
    MPI_Info_create(&info);
    MPI_Info_set(info, "hitop_reduce", "binary");
    if (hitop_coll_set_info(comm, info, NULL) != HITOP_OK) {
        complain("an info was refused", 0);
    }
    travel(comm, size - 1, 5);
    if (size > 1 && strcmp(hitop_coll_last(comm), "binary") != 0) {
        complain("another algorithm than binary", 0);
    }
    MPI_Info_set(info, "hitop_reduce", "binaries");
    if (hitop_coll_set_info(comm, info, &diag) != HITOP_ERR_NOTFOUND) {
        complain("a wrong info was taken", 0);
    }
    MPI_Info_set(info, "hitop_reduce", "chain");
    MPI_Info_set(info, "hitop_reduces", "chain");
    MPI_Info_set(info, "reduces", "chain");
    if (hitop_coll_set_info(comm, info, &diag) != HITOP_ERR_NOTFOUND ||
        !strstr(diag.message, "'reduces'")) {
        complain("an info of no operation was taken", 0);
    }
    MPI_Info_delete(info, "hitop_reduces");
    if (hitop_coll_set_info(comm, info, NULL) != HITOP_OK ||
        hitop_coll_set_info(comm, MPI_INFO_NULL, NULL) != HITOP_OK) {
        complain("an info with other keys, or none, was refused", 0);
    }
    MPI_Info_free(&info);
    MPI_Comm_free(&comm);
}

/* In two levels until an algorithm is named, and again after that. */
static void broadcasts_are_planned_by_name(void)
{
    static const char *const names[] = {"twolevel", "chain", "auto", "twolevel"};
    MPI_Comm comm;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int k = 0; k < 4; k++) {
        const unsigned long long before = hitop_bcast_served();
        if (hitop_coll_set(comm, "bcast", names[k], NULL) != HITOP_OK) {
            complain("a name was refused", k);
        }
        for (int i = 0; i < 6; i++) {
            int value = rank == i % size ? 100 + i : -1;
            hitop_bcast(&value, 1, MPI_INT, i % size, comm);
            if (value != 100 + i) {
                complain("wrong contents of bcast", i);
            }
        }
        if ((k == 1 || k == 2) && (hitop_bcast_served() != before)) {
            complain("a planned broadcast went in two levels", k);
        }
        if (k == 1 && size > 1 && strcmp(hitop_coll_last(comm), "chain") != 0) {
            complain("another algorithm than chain", k);
        }
    }
    MPI_Comm_free(&comm);
}

/* On a new communicator. */
static void reduce_by_rules(void)
{
    static const char *const expected[] = {"ring", "", "recursive_doubling"};
    int in[32] = {0}, out[32];
    MPI_Comm comm;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int k = 0; k < 3; k++) { /* 64, 68 and 72 bytes: one class of sizes */
        in[0] = rank;
        if (hitop_allreduce(in, out, 16 + k, MPI_INT, MPI_SUM, comm) != MPI_SUCCESS ||
            out[0] != size * (size - 1) / 2) {
            complain("rules: allreduce", k);
        }
        if (size > 1 && strcmp(hitop_coll_last(comm), expected[k]) != 0) {
            complain("rules: another algorithm was taken for call", k);
        }
    }
    MPI_Comm_free(&comm);
}

/* Calls with more segments than any plan allows go to MPI. */
static void reduce_in_bytes(void)
{
    static char in[(1 << 20) + 1], out[(1 << 20) + 1];
    MPI_Comm comm;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    in[1 << 20] = 7;
    if (hitop_reduce(in, out, sizeof(in), MPI_BYTE, MPI_BOR, 0, comm) != MPI_SUCCESS ||
        (rank == 0 && out[1 << 20] != 7) || strcmp(hitop_coll_last(comm), "") != 0) {
        complain("a reduction in bytes was not left to MPI", rank);
    }
    MPI_Comm_free(&comm);
}

/* A file that rank 0 reads when a communicator is first used. */
static void rules_decide(void)
{
    static const char text[] = "allreduce hosts 1..1000000 ranks-per-host 1.. bytes ..64 : ring\n"
                               "allreduce ranks-per-host 1000000.. : rabenseifner\n"
                               "allreduce bytes 65..68 : mpi\n"
                               "allreduce : recursive_doubling\n"
                               "reduce : chain segment=1\n";
    char path[] = "/tmp/hitop-rules-XXXXXX";
    const int file = mkstemp(path);

    if (file < 0 || write(file, text, sizeof(text) - 1) != (ssize_t)sizeof(text) - 1) {
        complain("no file for rules, rank", rank);
    }
    (void)close(file);
    (void)setenv("HITOP_RULES", path, 1);
    reduce_by_rules();
    reduce_in_bytes();
    (void)unlink(path);
    reduce_by_rules(); /* once is enough */
    (void)unsetenv("HITOP_RULES");
}

/* Of the file that is not there, mpi_coll.sh wants to see one line. */
static void wrong_rules_are_reported_once(void)
{
    (void)setenv("HITOP_RULES", "/nonexistent/rules", 1);
    for (int k = 0; k < 2; k++) {
        int sum = 0;
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        if (hitop_allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm) != MPI_SUCCESS ||
            sum != size * (size - 1) / 2) {
            complain("wrong rules: allreduce", k);
        }
        MPI_Comm_free(&comm);
    }
    (void)unsetenv("HITOP_RULES");
}

void names_and_rules_decide(int my_rank, int all)
{
    rank = my_rank;
    size = all;
    algorithms_have_names();
    broadcasts_are_planned_by_name();
    rules_decide();
    wrong_rules_are_reported_once();
}

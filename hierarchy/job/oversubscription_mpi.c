/* SPDX-License-Identifier: BSD-3-Clause */
/* oversubscription_mpi.c - see oversubscription_mpi.h. */
#include <config.h>

#include "hierarchy/job/oversubscription_mpi.h"

#include "hierarchy/job/machine.h"
#include "hierarchy/job/processors.h"

#include <stdlib.h>

#ifdef SMPI_H /* SMPI: every simulated rank has a processor of its own */
int hitop_oversubscription_find(MPI_Comm comm, MPI_Comm node, uint64_t *numbers,
                                struct oversubscription *out)
{
    (void)comm;
    (void)node;
    (void)numbers;
    *out = (struct oversubscription){.nranks = 1, .nprocessors = 1};
    return MPI_SUCCESS;
}
#else

/* A hash of the machine and these processors; 0 if the machine has no number. */
static uint64_t number_of(const struct processors *set)
{
    const unsigned char *byte = (const void *)set;
    uint64_t number = hitop_machine_number();

    for (size_t i = 0; number != 0 && i < sizeof(*set); i++) {
        number = number * 1099511628211u + byte[i];
    }
    return number;
}

int hitop_oversubscription_find(MPI_Comm comm, MPI_Comm node, uint64_t *numbers,
                                struct oversubscription *out)
{
    const struct processors mine = processors_allowed();
    struct processors all = mine;
    uint64_t number;
    int size = 0, nlocal = 1, nranks = 0, nprocessors, failed;

    failed = PMPI_Allreduce(MPI_IN_PLACE, &all, sizeof(all), MPI_BYTE, MPI_BOR, node);
    number = number_of(&all);
    if (PMPI_Allgather(&number, 1, MPI_UINT64_T, numbers, 1, MPI_UINT64_T, comm) != MPI_SUCCESS ||
        PMPI_Comm_size(comm, &size) != MPI_SUCCESS ||
        PMPI_Comm_size(node, &nlocal) != MPI_SUCCESS || failed) {
        *out = (struct oversubscription){.nranks = 1, .nprocessors = 1};
        return failed ? failed : MPI_ERR_OTHER;
    }
    for (int r = 0; r < size; r++) {
        nranks += numbers[r] == number;
    }
    nprocessors = processors_count(&all);
    *out = (struct oversubscription){.nranks = number != 0 ? nranks : nlocal,
                                     .nprocessors = nprocessors > 0 ? nprocessors : 1,
                                     .is_bound = !processors_are_same(&mine, &all)};
    return MPI_SUCCESS;
}
#endif

int hitop_oversubscription_find_worst(MPI_Comm comm, struct oversubscription *out)
{
    struct {
        double ranks; /* per processor */
        int rank;
    } mine, worst;
    MPI_Comm node = MPI_COMM_NULL;
    uint64_t *numbers;
    int size = 0, rank = 0, failed;

    (void)PMPI_Comm_size(comm, &size);
    (void)PMPI_Comm_rank(comm, &rank);
    failed = PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    numbers = calloc((size_t)size, sizeof(*numbers));
    failed = failed || !numbers;
    (void)PMPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, comm);
    if (!failed) {
        failed = hitop_oversubscription_find(comm, node, numbers, out);
        mine.ranks = (double)out->nranks / out->nprocessors;
        mine.rank = rank;
        (void)PMPI_Allreduce(&mine, &worst, 1, MPI_DOUBLE_INT, MPI_MAXLOC, comm);
        (void)PMPI_Bcast(out, sizeof(*out) / sizeof(int), MPI_INT, worst.rank, comm);
    }
    if (node != MPI_COMM_NULL) {
        (void)PMPI_Comm_free(&node);
    }
    free(numbers);
    return failed ? MPI_ERR_OTHER : MPI_SUCCESS;
}

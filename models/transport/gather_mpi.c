/* SPDX-License-Identifier: BSD-3-Clause */
/* gather_mpi.c - what each rank has goes to rank 0, however much it is. */
#include <config.h>

#include "models/transport/transport_impl_mpi.h"

#include <limits.h>
#include <stdlib.h>

/* Hand rank 0's caller what each process sent: lengths, and all data in the order of ranks. */
static enum hitop_status
take_all(const struct mpi_state *s, const unsigned long long *length, const char *data,
         enum hitop_status (*take)(void *, const void *, size_t, struct hitop_diag *), void *user,
         struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    for (int rank = 0; status == HITOP_OK && rank < s->size; rank++) {
        status = take(user, data, (size_t)length[rank], diag);
        data += length[rank];
    }
    return status;
}

/* Room for all that is sent to rank 0, and where each part goes; 0 without memory or where an int
 * does not count it. */
static int place_parts(const struct mpi_state *s, const unsigned long long *length, int **counts,
                       int **places, char **data)
{
    unsigned long long total = 0;

    *counts = calloc((size_t)s->size, sizeof(**counts));
    *places = calloc((size_t)s->size, sizeof(**places));
    for (int rank = 0; *counts && *places && rank < s->size; rank++) {
        (*counts)[rank] = (int)length[rank];
        (*places)[rank] = (int)total;
        total += length[rank];
        if (total > INT_MAX) {
            return 0;
        }
    }
    *data = malloc((size_t)total + 1);
    return *counts && *places && *data;
}

enum hitop_status hitop_together_gather(void *self, const void *data, size_t length,
                                        enum hitop_status (*take)(void *, const void *, size_t,
                                                                  struct hitop_diag *),
                                        void *user, struct hitop_diag *diag)
{
    const struct mpi_state *s = self;
    const int is_root = s->rank == 0;
    unsigned long long mine = length, *lengths = NULL;
    int *counts = NULL, *places = NULL;
    char *all = NULL;
    double failed = 0;
    MPI_Request request;
    enum hitop_status status;
    int code;

    if (is_root) {
        lengths = calloc((size_t)s->size, sizeof(*lengths));
    }
    failed = (is_root && !lengths) || length > INT_MAX;
    status = hitop_together_agree(self, &failed, 1, diag);
    if (status == HITOP_OK && failed > 0) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "gathering results: out of memory");
    }
    if (status != HITOP_OK) {
        goto out;
    }
    code = MPI_Igather(&mine, 1, MPI_UNSIGNED_LONG_LONG, lengths, 1, MPI_UNSIGNED_LONG_LONG, 0,
                       s->comm, &request);
    if (code == MPI_SUCCESS) {
        code = hitop_wait_quietly(&request, 1);
    }
    failed = code == MPI_SUCCESS && is_root && !place_parts(s, lengths, &counts, &places, &all);
    status = hitop_transport_check(code, "gathering results", diag);
    if (status == HITOP_OK) {
        status = hitop_together_agree(self, &failed, 1, diag);
    }
    if (status == HITOP_OK && failed > 0) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "gathering results: out of memory");
    }
    if (status != HITOP_OK) {
        goto out;
    }
    code = MPI_Igatherv(data, (int)length, MPI_BYTE, all, counts, places, MPI_BYTE, 0, s->comm,
                        &request);
    if (code == MPI_SUCCESS) {
        code = hitop_wait_quietly(&request, 1);
    }
    status = hitop_transport_check(code, "gathering results", diag);
    if (status == HITOP_OK && is_root) {
        status = take_all(s, lengths, all, take, user, diag);
    }

out:
    free(all);
    free(places);
    free(counts);
    free(lengths);
    return status;
}

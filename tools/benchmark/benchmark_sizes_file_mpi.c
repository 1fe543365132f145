/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_sizes_file_mpi.c - message sizes from a file that rank 0 reads for all. */
#include <config.h>

#include "tools/benchmark/benchmark_job_mpi.h"

#include "hitop/input.h"

#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* Lines, blanks and tabs of a text become commas; what follows # is skipped. NULL: no memory. */
static char *with_commas(char *text, size_t length)
{
    char *out = calloc(1, length + 2), *to = out, *save = NULL;

    for (char *hash = text; (hash = strchr(hash, '#')) != NULL;) {
        memset(hash, ' ', strcspn(hash, "\n"));
    }
    for (char *word = out ? strtok_r(text, " \t\r\n,", &save) : NULL; word;
         word = strtok_r(NULL, " \t\r\n,", &save)) {
        to = stpcpy(to == out ? to : stpcpy(to, ","), word);
    }
    return out;
}

static enum hitop_status read_list(const char *path, char **list, struct hitop_diag *diag)
{
    const char *name = hitop_input_name(path);
    struct sizes sizes = {0};
    struct hitop_diag reason = HITOP_DIAG_INIT;
    char *text = NULL;
    size_t length;
    enum hitop_status status = hitop_input_read_text(path, &text, &length, diag);

    if (status != HITOP_OK) {
        return status;
    }
    *list = with_commas(text, length);
    free(text);
    if (!*list || strlen(*list) >= INT_MAX) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", name);
    }
    if (!**list) {
        return hitop_fail(diag, HITOP_ERR_FORMAT, "%s: no sizes", name);
    }
    status = sizes_set_list(&sizes, *list, &reason);
    return status == HITOP_OK ? HITOP_OK
                              : hitop_fail(diag, HITOP_ERR_FORMAT, "%s: %s", name, reason.message);
}

int benchmark_job_read_sizes(const struct tool *tool, struct benchmark_request *r)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int rank, length = -1, all_have; /* -1: rank 0 has none */

    if (!r->sizes_file) {
        return TOOL_DONE;
    }
    (void)PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && read_list(r->sizes_file, &r->sizes_text, &diag) == HITOP_OK) {
        length = (int)strlen(r->sizes_text);
    } else if (rank == 0) {
        tool_error(tool, "%s", diag.message);
    }
    (void)PMPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (length < 0) {
        return TOOL_BAD_INPUT;
    }
    if (rank != 0) {
        r->sizes_text = calloc(1, (size_t)length + 1);
    }
    all_have = r->sizes_text != NULL;
    (void)PMPI_Allreduce(MPI_IN_PLACE, &all_have, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (!all_have) {
        tool_error(tool, "--sizes-file: out of memory on some ranks");
        return TOOL_FAILED;
    }
    (void)PMPI_Bcast(r->sizes_text, length, MPI_CHAR, 0, MPI_COMM_WORLD);
    r->sizes.list = r->sizes_text;
    return TOOL_DONE;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_sizes_mpi.c - the sizes of a curve, as far as MPI and memory allow. */
#include <config.h>

#include "tools/benchmark/benchmark_job_mpi.h"
#include "tools/benchmark/benchmark_plan.h"
#include "tools/benchmark/benchmark_run.h"

#include "hitop/input.h"
#include "hitop/text.h"

#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static void release(struct benchmark_size *z)
{
    if (z->is_own_type) {
        (void)PMPI_Type_free(&z->type);
    }
    for (int way = 0; way < 2; way++) {
        free(z->series[way].seconds);
        free(z->series[way].spread);
        free(z->series[way].last);
        free(z->series[way].ends);
    }
}

void benchmark_sizes_free(struct benchmark_curve_run *run)
{
    for (int i = 0; i < run->nsizes; i++) {
        release(&run->sizes[i]);
    }
    free(run->sizes);
    run->sizes = NULL;
    run->nsizes = 0;
}

/* Sizes that are left out for one reason; one line reports them. */
struct refusals {
    const char *why;
    int of_all; /* 1: so it is with any number of ranks */
    size_t first, last;
    int n;
};

/* With a unit. */
static void name_size(size_t bytes, char *out, size_t length)
{
    hitop_text_format_size(bytes, out, length);
    if (strspn(out, "0123456789") == strlen(out)) {
        (void)snprintf(out, length, "%zu B", bytes);
    }
}

static void tell(const struct benchmark_curve_run *run, const struct refusals *r,
                 struct benchmark_result *result)
{
    char first[32], last[32], ranks[32] = "";

    name_size(r->first, first, sizeof(first));
    name_size(r->last, last, sizeof(last));
    if (!r->of_all) {
        (void)snprintf(ranks, sizeof(ranks), ", %d ranks", run->team->size);
    }
    if (r->n == 1) {
        benchmark_result_warn(result, "%s%s: size %s left out: %s", run->kind->name, ranks, first,
                              r->why);
    } else if (r->n > 1) {
        benchmark_result_warn(result, "%s%s: %d sizes from %s to %s left out: %s", run->kind->name,
                              ranks, r->n, first, last, r->why);
    }
}

static void refuse(const struct benchmark_curve_run *run, struct refusals *r, size_t bytes,
                   const char *why, int of_all, struct benchmark_result *result)
{
    if (r->why != why) {
        tell(run, r, result);
        *r = (struct refusals){.why = why, .of_all = of_all, .first = bytes};
    }
    r->last = bytes;
    r->n++;
}

static void add(struct benchmark_curve_run *run, size_t bytes, int count, size_t unit, int element)
{
    struct benchmark_size *z = &run->sizes[run->nsizes++];

    *z = (struct benchmark_size){.bytes = bytes, .count = count, .type = run->type->type()};
    if (unit != (size_t)element) {
        (void)PMPI_Type_contiguous((int)(unit / (size_t)element), run->type->type(), &z->type);
        (void)PMPI_Type_commit(&z->type);
        z->is_own_type = 1;
    }
}

enum hitop_status benchmark_sizes_choose(struct benchmark_curve_run *run,
                                         struct benchmark_result *result, struct hitop_diag *diag)
{
    struct refusals refused = {0};
    size_t *bytes = NULL, n = 0;
    int element = 1; /* what MPI says, not what a handle is long */
    enum hitop_status status = sizes_make(&run->request->sizes, &bytes, &n, diag);

    if (status != HITOP_OK) {
        return status;
    }
    (void)PMPI_Type_size(run->type->type(), &element);
    n = benchmark_kind_has_sizes(run->kind) ? n : 1;
    run->sizes = calloc(n, sizeof(*run->sizes));
    if (!run->sizes) {
        free(bytes);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "no memory for %zu sizes", n);
    }
    for (size_t i = 0; i < n; i++) {
        const size_t b = benchmark_kind_has_sizes(run->kind) ? bytes[i] : 0;
        size_t unit;
        int count;
        const char *why = benchmark_plan_size(run->kind, b, run->team->size, (size_t)element,
                                              run->request->memory, &count, &unit);
        if (why) {
            const char *alone = benchmark_plan_size(run->kind, b, 1, (size_t)element,
                                                    run->request->memory, &count, &unit);
            refuse(run, &refused, b, why, why == alone, result);
        } else {
            add(run, b, count, unit, element);
        }
    }
    tell(run, &refused, result);
    free(bytes);
    return HITOP_OK;
}

/* Message sizes from a file that rank 0 reads for all. */

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

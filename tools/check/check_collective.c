/* SPDX-License-Identifier: BSD-3-Clause */
/* check_collective.c - checks that Hitop's collectives do what MPI defines, in this job. */
#include <config.h>

#include "tools/check/check.h"

#include "hitop/cpm.h"
#include "hitop/plan.h"
#include "hitop/text.h"
#include "tools/check/check_cpm.h"
#include "tools/check/check_names.h"
#include "tools/common/take.h"
#include "tools/common/tool_mpi.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { O_ALL_ROOTS = 256, O_CPM, O_LIST, O_PREFIX, O_RANDOM, O_SEED, O_SUFFIX };

static const struct tool_option options[] = {
    {'O', "operations", "LIST",
     "only these, e.g. bcast,scatterv, or with one algorithm, e.g.\nbcast/chain, "
     "Hockney_Scatter_dfs_binomial_min"},
    {'A', "algorithms", "LIST", "only these, e.g. binomial,ring"},
    {'T', "types", "LIST", "only these: char, int, double, pair, map, vector, indexed"},
    {'M', "max-size", "SIZE", "longest message or block (128KiB)"},
    {O_ALL_ROOTS, "all-roots", NULL, "each root for each case, instead of one after another"},
    {O_RANDOM, "random", "COUNT", "this many random calls instead, on subsets of the ranks"},
    {O_SEED, "seed", "NUMBER", "seed of the random calls (1)"},
    {O_CPM, "cpm", NULL, "the operations of CPM instead, over trees of four models and LMO"},
    {'l', "library", "FILE",
     "the functions of this shared library instead, named as MPI's with a\nprefix or suffix, e.g. "
     "my_Bcast, MPI_Bcast_fast"},
    {O_PREFIX, "prefix", "TEXT",
     "their prefix, e.g. my_ (found in the library; empty with --suffix)"},
    {O_SUFFIX, "suffix", "TEXT",
     "their suffix, e.g. _fast (found in the library; empty with\n--prefix)"},
    {O_LIST, "list", NULL, "list the operations of CPM with their algorithms, and exit"},
};

static const struct tool_value values[] = {
    {TOOL_VALUE('T', TEXT, struct check_request, types)},
    {TOOL_VALUE(O_ALL_ROOTS, FLAG, struct check_request, all_roots)},
    {TOOL_VALUE(O_RANDOM, INT, struct check_request, random), .least = 1, .most = INT_MAX},
    {TOOL_VALUE(O_CPM, FLAG, struct check_request, cpm)},
    {TOOL_VALUE('l', TEXT, struct check_request, library.file)},
    {TOOL_VALUE(O_PREFIX, TEXT, struct check_request, library.prefix)},
    {TOOL_VALUE(O_SUFFIX, TEXT, struct check_request, library.suffix)},
    {TOOL_VALUE(O_LIST, FLAG, struct check_request, list)},
};

/* The algorithms of all operations in a row, then auto. */
static const char *algorithm_at(size_t index)
{
    for (const struct hitop_operation *o = hitop_operations(); o->name; o++) {
        const size_t n = hitop_algorithm_count(o);
        if (index < n) {
            return hitop_algorithm_name(hitop_algorithm_at(o, index));
        }
        index -= n;
    }
    return index == 0 ? "auto" : NULL;
}

/* Add an operation with an algorithm. */
static enum hitop_status add_named(struct check_request *r, const char *word,
                                   const struct hitop_operation *operation, const char *name,
                                   struct hitop_diag *diag)
{
    struct hitop_algorithm algorithm = {NULL, NULL};
    struct hitop_cpm_name cpm;

    if (r->nnamed == CHECK_NAMED) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "more than %d algorithms", CHECK_NAMED);
    }
    if (strcmp(name, "auto") != 0 &&
        hitop_algorithm_find(operation, name, &algorithm, diag) != HITOP_OK) {
        return HITOP_ERR_NOTFOUND;
    }
    if (hitop_cpm_find(strchr(word, '/') ? name : word, &cpm, NULL) != HITOP_OK) {
        cpm.model = NULL;
    }
    r->named[r->nnamed++] =
        (struct check_named){(enum hitop_operation_id)(operation - hitop_operations()),
                             algorithm.type ? hitop_algorithm_name(algorithm) : "auto", cpm.model};
    return HITOP_OK;
}

/* One operation of a list, perhaps with an algorithm. */
static enum hitop_status add_operation(void *data, char *word, struct hitop_diag *diag)
{
    struct check_request *r = data;
    const struct hitop_operation *operation;
    const char *name;
    enum hitop_status status;

    word += strspn(word, " ");
    status = hitop_operation_split(word, &operation, &name, diag);
    if (status == HITOP_OK && name) {
        return add_named(r, word, operation, name, diag);
    }
    r->operations |= status == HITOP_OK ? 1u << (operation - hitop_operations()) : 0;
    return status;
}

static enum hitop_status take(void *data, int letter, const char *argument, struct hitop_diag *diag)
{
    struct check_request *r = data;

    switch (letter) {
    case 'O':
        r->operations = 0;
        r->nnamed = 0;
        return take_list(r, argument, add_operation, diag);
    case 'A':
        free(r->algorithms);
        r->algorithms = check_present_algorithms(argument, algorithm_at);
        return r->algorithms ? HITOP_OK : hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    case 'M':
        r->has_max = 1;
        return hitop_text_size(argument, &r->max_bytes, diag);
    default:
        r->has_seed = 1;
        return hitop_text_int(argument, 0, INT_MAX, &r->seed, diag);
    }
}

/* 1: a list such as "a, b, c" contains the name. */
static int is_part(const char *list, const char *name)
{
    const size_t length = strlen(name);

    for (const char *at = strstr(list, name); at; at = strstr(at + 1, name)) {
        if ((at == list || at[-1] == ' ') && (at[length] == ',' || at[length] == '\0')) {
            return 1;
        }
    }
    return 0;
}

/* Check that all names of a list are valid. TOOL_DONE, or TOOL_USAGE after a message. */
static int check_names(const struct tool *tool, const char *option, const char *list,
                       const char *(*name_at)(size_t index))
{
    size_t length;
    const char *wrong = check_unknown_name(list, name_at, &length);
    char valid[1024] = "";

    if (!wrong) {
        return TOOL_DONE;
    }
    for (size_t i = 0; name_at(i); i++) {
        if (!is_part(valid, name_at(i))) {
            hitop_text_list_name(valid, sizeof(valid), name_at(i));
        }
    }
    tool_error(tool, "--%s: '%.*s' is none; valid: %s", option, (int)length, wrong, valid);
    return TOOL_USAGE;
}

/* The first given option that --library, --random or --cpm excludes, or NULL. */
static const char *unheeded(const struct check_request *r, const char **by)
{
    *by = "library";
    if (r->library.file && (r->cpm || r->algorithms)) {
        return r->cpm ? "cpm" : "algorithms";
    }
    *by = r->random > 0 ? "random" : "cpm";
    if (r->random > 0) {
        return r->cpm          ? "cpm"
               : r->algorithms ? "algorithms"
               : r->has_max    ? "max-size"
               : r->all_roots  ? "all-roots"
                               : NULL;
    }
    return r->cpm && r->algorithms ? "algorithms" : r->cpm && r->types ? "types" : NULL;
}

/* The option that excludes algorithms in --operations, or NULL. */
static const char *excludes_named(const struct check_request *r)
{
    return r->nnamed == 0    ? NULL
           : r->library.file ? "library"
           : r->random > 0   ? "random"
           : r->cpm          ? "cpm"
           : r->algorithms   ? "algorithms"
                             : NULL;
}

static int check_request(const struct tool *tool, const struct check_request *r)
{
    const char *option, *by;
    int status = check_names(tool, "algorithms", r->algorithms, algorithm_at);

    if (status == TOOL_DONE) {
        status = check_names(tool, "types", r->types, check_types_name);
    }
    option = unheeded(r, &by);
    if (status == TOOL_DONE && option) {
        tool_error(tool, "--%s and --%s exclude each other", by, option);
        status = TOOL_USAGE;
    }
    option = excludes_named(r);
    if (status == TOOL_DONE && option) {
        tool_error(tool, "--%s goes without algorithms in --operations", option);
        status = TOOL_USAGE;
    }
    if (status == TOOL_DONE && r->has_seed && r->random == 0) {
        tool_error(tool, "--seed needs --random");
        status = TOOL_USAGE;
    }
    return status == TOOL_DONE ? library_request_check(tool, &r->library) : status;
}

/* Have the functions of the library called, and report which ones it lacks. */
static void call_library(struct check_work *work, const struct library *library)
{
    char lacks[256];
    const int nlacks = library_lacks(library, work->operations, lacks, sizeof(lacks));

    work->library = library;
    work->functions = &library->functions;
    work->operations &= library->form.operations;
    if (nlacks > 0 && !work->tool->quiet) {
        printf("not in %s: %s\n", work->request->library.file, lacks);
    }
}

static void check(struct check_work *work)
{
    const struct check_request *request = work->request;

    check_types_make(work->types);
    if (work->operations == 0 && request->nnamed == 0) {
        /* nothing to call */
    } else if (request->random > 0) {
        check_random(work);
    } else if (request->cpm) {
        check_cpm(work);
    } else {
        check_all(work);
    }
    check_types_free(work->types);
}

static int run(const struct tool *tool, const struct check_request *request)
{
    struct check_work work = {.tool = tool,
                              .request = request,
                              .operations = request->operations,
                              .functions = &coll_functions_hitop};
    struct library library = {.handle = NULL};

    if (request->library.file) {
        const int status = library_open(tool, &request->library, &library);
        if (status != TOOL_DONE) {
            return status;
        }
        call_library(&work, &library);
    }
    check(&work);
    if (!tool->quiet) {
        printf("%ld call%s, %ld wrong\n", work.ncalls, work.ncalls == 1 ? "" : "s", work.nwrong);
    }
    if (work.ncalls == 0 && work.nwrong == 0) {
        tool_error(tool, "nothing was called: %s",
                   request->library.file ? "the library has none of these operations"
                                         : "none of these operations has one of these algorithms");
    }
    return work.nwrong > 0 || work.ncalls == 0 ? TOOL_FAILED : tool_finish(tool);
}

HITOP_API int main(int argc, char **argv)
{
    struct tool tool = {
        .name = "check_collective",
        .synopsis = "[options]",
        .summary = "Run the collectives of this job (under mpirun) by every algorithm, and compare "
                   "what comes\n"
                   "out with what MPI says, byte by byte.",
        .options = options,
        .noptions = sizeof(options) / sizeof(options[0]),
        .values = values,
        .nvalues = sizeof(values) / sizeof(values[0]),
        .epilogue = "Examples:\n  mpirun -n 8 check_collective -O reduce,scan\n"
                    "  mpirun -n 8 check_collective --library ./libmy.so\n",
    };
    struct check_request request = {.operations = ~0u, .max_bytes = (size_t)128 << 10, .seed = 1};
    int status;

    if (tool_help_or_version(&tool, argc, argv)) {
        return tool_finish(&tool);
    }
    tool.quiet = tool_mpi_is_later_rank();
    status = tool_take_options(&tool, argc, argv, take, &request);
    if (status == TOOL_DONE) {
        status = tool_no_operands(&tool, argc, argv);
    }
    if (status == TOOL_DONE) {
        status = check_request(&tool, &request);
    }
    if (status != TOOL_DONE) {
        status = tool_mpi_leave(&tool, status);
    } else if (request.list) {
        if (!tool.quiet) {
            cpm_print();
        }
        status = tool_finish(&tool);
    } else {
        (void)tool_mpi_start(&tool, NULL, NULL);
        status = tool_mpi_finish(run(&tool, &request));
    }
    free(request.algorithms);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_implementations_mpi.c - what can serve the collectives, and by which names. */
#include <config.h>

#include "tools/benchmark/benchmark.h"
#include "tools/check/library_mpi.h"
#include "tools/common/take.h"

#include "hitop/text.h"

#include <string.h>

static const struct benchmark_source sources[] = {
    {.name = "mpi", .functions = &coll_functions_plain},
    {.name = "hitop", .has_algorithms = 1, .keeps_choices = 1, .functions = &coll_functions_hitop},
    {.name = "preloaded", .keeps_choices = 1, .functions = &coll_functions_public},
    {.name = "library", .keeps_choices = 1, .is_library = 1},
};

enum { NSOURCES = sizeof(sources) / sizeof(sources[0]) };

/* The source of a name, which may have an algorithm behind a slash; NULL: there is none. */
static const struct benchmark_source *find_source(const char *name)
{
    const size_t length = strcspn(name, "/");

    for (int i = 0; i < NSOURCES; i++) {
        if (strncmp(sources[i].name, name, length) == 0 && sources[i].name[length] == '\0') {
            return name[length] == '\0' || sources[i].has_algorithms ? &sources[i] : NULL;
        }
    }
    return NULL;
}

static enum hitop_status no_source(const char *name, struct hitop_diag *diag)
{
    char valid[128] = "", with_algorithm[64];

    for (int i = 0; i < NSOURCES; i++) {
        hitop_text_list_name(valid, sizeof(valid), sources[i].name);
        if (sources[i].has_algorithms) {
            (void)snprintf(with_algorithm, sizeof(with_algorithm), "%s/ALGORITHM", sources[i].name);
            hitop_text_list_name(valid, sizeof(valid), with_algorithm);
        }
    }
    return hitop_fail(diag, HITOP_ERR_NOTFOUND, "'%s' serves no collectives; valid: %s", name,
                      valid);
}

enum hitop_status benchmark_parse_implementation(const char *text,
                                                 struct benchmark_implementation *out,
                                                 struct hitop_diag *diag)
{
    char *slash;

    *out = (struct benchmark_implementation){.source = NULL};
    if (strlen(text) >= sizeof(out->name)) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "'%.70s...' is too long", text);
    }
    strcpy(out->name, text);
    slash = strchr(out->name, '/');
    out->algorithm = slash ? slash + 1 : NULL;
    out->source = find_source(out->name);
    return out->source ? HITOP_OK : no_source(out->name, diag);
}

struct comparison {
    struct benchmark_request *request;
    const char *list;
};

static enum hitop_status add_implementation(void *data, char *word, struct hitop_diag *diag)
{
    const struct comparison *c = data;
    struct benchmark_request *r = c->request;

    if (r->nimplementations == BENCHMARK_IMPLEMENTATIONS) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "'%.60s' has more than %d names", c->list,
                          BENCHMARK_IMPLEMENTATIONS);
    }
    return benchmark_parse_implementation(word, &r->implementations[r->nimplementations++], diag);
}

enum hitop_status benchmark_parse_comparison(const char *list, struct benchmark_request *r,
                                             struct hitop_diag *diag)
{
    struct comparison c = {r, list};
    enum hitop_status status;

    r->nimplementations = 0;
    status = take_list(&c, list, add_implementation, diag);
    if (status == HITOP_OK && r->nimplementations < 2) {
        status = hitop_fail(diag, HITOP_ERR_INVALID,
                            "'%.60s' must be two names or more, e.g. "
                            "mpi,hitop",
                            list);
    }
    return status;
}

int benchmark_uses_library(const struct benchmark_request *r)
{
    for (int i = 0; i < r->nimplementations; i++) {
        if (r->implementations[i].source->is_library) {
            return 1;
        }
    }
    return 0;
}

int benchmark_check_library(const struct tool *tool, struct benchmark_request *r)
{
    const char *option = r->nimplementations > 1 ? "compare" : "implementation";
    int status = library_request_check(tool, &r->library);

    if (status != TOOL_DONE) {
        return status;
    }
    if (r->library.file && r->nimplementations == 1 && !r->implementation_given) {
        struct hitop_diag diag = HITOP_DIAG_INIT;
        char names[128];
        (void)snprintf(names, sizeof(names), "mpi,hitop%s%s,library", r->algorithm ? "/" : "",
                       r->algorithm ? r->algorithm : "");
        return benchmark_parse_comparison(names, r, &diag) == HITOP_OK ? TOOL_DONE : TOOL_FAILED;
    }
    if (benchmark_uses_library(r) && !r->library.file) {
        tool_error(tool, "--%s: 'library' needs --library FILE", option);
        return TOOL_USAGE;
    }
    if (!benchmark_uses_library(r) && r->library.file) {
        tool_error(tool, "--library: --%s does not name 'library'", option);
        return TOOL_USAGE;
    }
    return TOOL_DONE;
}

static int has_function(const struct library *library, const struct benchmark_kind *kind)
{
    const struct hitop_operation *operation;

    return kind->operation && hitop_operation_find(kind->operation, &operation, NULL) == HITOP_OK &&
           library->form.operations >> (operation - hitop_operations()) & 1u;
}

/* Leave out the operations that the library lacks, and warn of them in one line. */
static void leave_out(struct benchmark_request *r, const struct library *library,
                      struct benchmark_result *result)
{
    char lacks[256] = "";
    int n = 0;

    for (int k = 0; k < r->nkinds; k++) {
        if (has_function(library, r->kinds[k])) {
            r->kinds[n++] = r->kinds[k];
        } else {
            hitop_text_list_name(lacks, sizeof(lacks), r->kinds[k]->name);
        }
    }
    r->nkinds = n;
    if (*lacks) {
        benchmark_result_warn(result, "not in %s, left out: %s", r->library.file, lacks);
    }
}

int benchmark_open_library(const struct tool *tool, struct benchmark_request *r,
                           struct library *library, struct benchmark_result *result)
{
    int status;

    if (!r->library.file) {
        return TOOL_DONE;
    }
    status = library_open(tool, &r->library, library);
    if (status == TOOL_DONE) {
        r->loaded = library;
        r->library_form = library->form;
        leave_out(r, library, result);
    }
    return status;
}

const struct coll_functions *
benchmark_functions(const struct benchmark_request *request,
                    const struct benchmark_implementation *implementation)
{
    return implementation->source->is_library ? &request->loaded->functions
                                              : implementation->source->functions;
}

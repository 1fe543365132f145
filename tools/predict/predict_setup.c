/* SPDX-License-Identifier: BSD-3-Clause */
/* predict_setup.c - check the options and turn them into a request. */
#include <config.h>

#include "tools/predict/predict.h"

#include "hitop/cpm.h"
#include "hitop/input.h"
#include "hitop/sys/model.h"
#include "hitop/text.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Set the ranks of the request, which the model must have. */
static int check_ranks(struct predict_settings *s)
{
    struct predict_request *r = &s->request;
    const int known = hitop_model_nranks(r->model);
    const int p2p = predict_is_p2p(r);

    r->ranks = s->ranks > 0 ? s->ranks : known;
    r->root = p2p ? (s->from >= 0 ? s->from : 0) : (s->root >= 0 ? s->root : 0);
    r->to = s->to >= 0 ? s->to : 1;
    if (r->ranks > known) {
        tool_error(s->tool, "-n: %d ranks, but %s prices %d", r->ranks, r->model_path, known);
        return TOOL_USAGE;
    }
    if (r->root >= r->ranks) {
        tool_error(s->tool, "--%s: rank %d is not in 0..%d", p2p ? "from" : "root", r->root,
                   r->ranks - 1);
        return TOOL_USAGE;
    }
    if (p2p && r->to >= r->ranks) {
        tool_error(s->tool, "--to: rank %d is not in 0..%d", r->to, r->ranks - 1);
        return TOOL_USAGE;
    }
    return TOOL_DONE;
}

/*
 * Count the hosts by their names, as the library does, and the most ranks on one host; 0 when out
 * of memory.
 */
static void count_hosts(const struct hitop_hierarchy *h, struct hitop_call *call)
{
    int *ranks =
        calloc((size_t)call->size, sizeof(*ranks)); /* [ranks] of the host whose first rank it is */
    int hosts = 0, most = 0;

    for (int rank = 0; ranks && rank < call->size; rank++) {
        const int first = hitop_hierarchy_rank_on_host(h, hitop_hierarchy_host(h, rank));
        hosts += ranks[first]++ == 0;
        most = ranks[first] > most ? ranks[first] : most;
    }
    free(ranks);
    call->hosts = hosts;
    call->ranks_per_host = most;
}

/* Find the algorithm of -O OP/ALGORITHM and set its parameters. */
static enum hitop_status set_choice(struct predict_settings *s, struct hitop_diag *diag)
{
    struct predict_request *r = &s->request;
    struct hitop_algorithm algorithm;
    enum hitop_status status =
        hitop_algorithm_find(r->call.operation, r->algorithm, &algorithm, diag);

    if (status != HITOP_OK) {
        return status;
    }
    r->algorithm = hitop_algorithm_name(algorithm); /* its present name */
    r->choice = hitop_choice_default(algorithm);
    r->has_params = s->nparams > 0;
    if (r->segment > 0) {
        (void)hitop_choice_cut(&r->choice, (double)r->segment);
    }
    for (int i = 0; i < s->nparams && status == HITOP_OK; i++) {
        status = hitop_choice_set(&r->choice, s->params[i], diag);
    }
    return status;
}

static enum hitop_status read_rules(struct predict_settings *s, struct hitop_diag *diag)
{
    struct predict_request *r = &s->request;
    const struct hitop_rule *rule;
    enum hitop_status status = HITOP_OK;

    if (r->rules_path) {
        status = hitop_rules_read(r->rules_path, &r->rules, diag);
    }
    for (size_t i = 0; r->rules && (rule = hitop_rules_at(r->rules, i)); i++) {
        if (rule->unreachable) {
            tool_error(s->tool, "%s: line %d is never reached: rules before it take all",
                       hitop_input_name(r->rules_path), rule->line);
        }
    }
    r->memo = hitop_choice_memo_new(); /* without one, equal plans are predicted again */
    r->basis = (struct hitop_choice_basis){
        .cost = &r->cost,
        .rules = r->rules,
        .irregular = hitop_irregular_of(r->model, &r->irregular) ? &r->irregular : NULL,
        .counts = &r->counts,
        .memo = r->memo};
    return status;
}

/* The blocks of v-operations from a file. */

/* Cut off one line and return it; *text becomes what follows, NULL after the last line. */
static char *take_line(char **text)
{
    char *line = *text, *end = strchr(line, '\n');

    if (end) {
        *end = '\0';
    }
    *text = end && end[1] ? end + 1 : NULL;
    line[strcspn(line, "\r")] = '\0';
    return line;
}

static enum hitop_status read_lines(char *text, const char *name, int ranks, size_t unit,
                                    size_t *starts, struct hitop_diag *diag)
{
    struct hitop_diag why = HITOP_DIAG_INIT;
    int line = 0;

    for (; text && *text; line++) {
        int count;
        const char *number = take_line(&text);
        if (line == ranks) {
            return hitop_fail(diag, HITOP_ERR_FORMAT, "%s: line %d: more than %d counts", name,
                              line + 1, ranks);
        }
        if (hitop_text_int(number, 0, INT_MAX, &count, &why) != HITOP_OK) {
            return hitop_fail(diag, HITOP_ERR_FORMAT, "%s: line %d: %s", name, line + 1,
                              why.message);
        }
        if ((size_t)count > (SIZE_MAX - starts[line]) / unit) {
            return hitop_fail(diag, HITOP_ERR_FORMAT, "%s: line %d: too many bytes in all", name,
                              line + 1);
        }
        starts[line + 1] = starts[line] + (size_t)count * unit;
    }
    if (line < ranks) {
        return hitop_fail(diag, HITOP_ERR_FORMAT, "%s: %d counts for %d ranks", name, line, ranks);
    }
    return HITOP_OK;
}

/*
 * Read the number of elements of each rank's block, one in a line. Sets the blocks of the call,
 * which the caller frees as *starts, and makes their mean, in whole elements, the only size of the
 * request.
 */
static enum hitop_status predict_read_counts(const char *path, struct predict_request *r,
                                             size_t **starts, struct hitop_diag *diag)
{
    const size_t unit = r->call.unit > 0 ? r->call.unit : 1;
    char *text = NULL;
    size_t length;
    enum hitop_status status = hitop_input_read_text(path, &text, &length, diag);

    *starts = calloc((size_t)r->ranks + 1, sizeof(**starts));
    if (status == HITOP_OK && !*starts) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", path);
    }
    if (status == HITOP_OK) {
        status = read_lines(text, hitop_input_name(path), r->ranks, unit, *starts, diag);
    }
    if (status == HITOP_OK) {
        r->call.starts = *starts;
        r->nsizes = 1;
        r->sizes[0] = (*starts)[r->ranks] / unit / (size_t)r->ranks * unit;
    }
    free(text);
    return status;
}

int predict_setup(struct predict_settings *s)
{
    struct predict_request *r = &s->request;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const int result = check_ranks(s);
    enum hitop_status status;

    if (result != TOOL_DONE) {
        return result;
    }
    r->cost = hitop_cost_ports(hitop_model_cost(r->model), r->ports);
    r->call.size = r->ranks;
    r->call.root = predict_is_p2p(r) ? 0 : r->root;
    r->call.unit = s->element;
    r->call.ordered = s->ordered;
    count_hosts(hitop_model_hierarchy(r->model), &r->call);
    status = read_rules(s, &diag);
    if (status == HITOP_OK && r->kind == PREDICT_ONE) {
        status = set_choice(s, &diag);
    }
    if (status == HITOP_OK && s->counts_path) {
        status = predict_read_counts(s->counts_path, r, &s->starts, &diag);
    }
    if (status == HITOP_ERR_IO) {
        (void)tool_fail(s->tool, status, &diag);
        return TOOL_BAD_INPUT;
    }
    return status == HITOP_OK ? TOOL_DONE : tool_fail(s->tool, status, &diag);
}

/* Options that contradict each other. */

static enum predict_kind kind_of(const struct predict_settings *s)
{
    const struct predict_request *r = &s->request;

    if (strcmp(r->operation, "p2p") == 0) {
        return PREDICT_P2P;
    }
    if (!r->algorithm) {
        return r->rules_path || s->write_rules ? PREDICT_AUTO : PREDICT_RANKING;
    }
    if (strcmp(r->operation, "bcast") == 0 && strcmp(r->algorithm, "twolevel") == 0) {
        return PREDICT_TWOLEVEL;
    }
    return strcmp(r->algorithm, "auto") == 0 ? PREDICT_AUTO : PREDICT_ONE;
}

static const char *find_p2p_conflict(const struct predict_settings *s)
{
    const struct predict_request *r = &s->request;

    if (r->algorithm) {
        return "p2p has no algorithms";
    }
    if (s->root >= 0 || r->segment > 0 || s->explain || r->ports != HITOP_PORTS_MODEL) {
        return "--root, --segment, --ports and --explain do not go with p2p";
    }
    if (r->rules_path || s->counts_path || s->ordered || s->element > 0 || s->draw) {
        return "--rules, --counts, --ordered, --element and --draw do not go with p2p";
    }
    return NULL;
}

/* Options that contradict each other or the algorithm. */
static const char *find_conflict(const struct predict_settings *s)
{
    const struct predict_request *r = &s->request;

    if (s->from >= 0 || s->to >= 0) {
        return "--from and --to belong to p2p; a collective has --root";
    }
    if (s->nparams > 0 && r->kind != PREDICT_ONE) {
        return "--param needs one algorithm: -O bcast/ALGORITHM";
    }
    if (r->segment > 0 && r->kind == PREDICT_AUTO) {
        return "auto chooses segments by itself; leave out --segment";
    }
    if (r->rules_path && r->kind != PREDICT_AUTO) {
        return "--rules chooses the algorithm: -O bcast/auto";
    }
    if (r->kind == PREDICT_TWOLEVEL && (r->segment > 0 || s->ranks > 0 || s->explain || s->draw ||
                                        s->element > 0 || r->ports != HITOP_PORTS_MODEL)) {
        return "bcast/twolevel chooses by itself, for all ranks of the model: leave out --segment, "
               "--ports, --ranks, --element, --draw and --explain";
    }
    if (s->explain && s->format != PREDICT_TEXT) {
        return "--explain is text; leave out --format";
    }
    if (s->counts_path && (s->sizes.list || s->sizes.range_given)) {
        return "--counts contains all sizes; leave out -m, -M, -S and --sizes";
    }
    return NULL;
}

static const char *find_writing_conflict(const struct predict_settings *s)
{
    const struct predict_request *r = &s->request;

    if (r->kind != PREDICT_AUTO) {
        return "--write-rules writes what auto takes: of -O OP, or without -O of all operations";
    }
    if (r->rules_path || s->counts_path || s->ordered || s->explain || s->draw ||
        s->format != PREDICT_TEXT || strcmp(s->output, "-") != 0) {
        return "--write-rules goes without --rules, --counts, --ordered, --explain, --draw, "
               "--format and --output";
    }
    return NULL;
}

static const char *find_operation_conflict(const struct predict_settings *s)
{
    const struct hitop_operation *operation = s->request.call.operation;

    if (s->counts_path &&
        (!(operation->flags & HITOP_UNEVEN) || strcmp(operation->name, "alltoallv") == 0)) {
        return "--counts is for scatterv, gatherv, allgatherv and reduce_scatter";
    }
    if (s->ordered && !(operation->flags & HITOP_REDUCES)) {
        return "--ordered is for reductions";
    }
    return NULL;
}

/* Inputs must be different files, and outputs must not replace inputs. */
static int check_files(const struct predict_settings *s)
{
    const struct predict_request *r = &s->request;
    const char *mpi = s->library && strchr(s->library, '/') ? s->library : NULL; /* a file */
    const struct tool_file input[] = {{"-i", r->model_path},
                                      {"--rules", r->rules_path},
                                      {"--counts", s->counts_path},
                                      {"--mpi", mpi}};
    const struct tool_file output[] = {
        {"-o", s->output}, {"--write-rules", s->write_rules}, {"--draw", s->draw}};
    const struct tool_file *first = NULL;

    for (size_t i = 0; i < sizeof(input) / sizeof(input[0]); i++) {
        if (!input[i].path || strcmp(input[i].path, "-") != 0) {
            continue;
        }
        if (first) {
            tool_error(s->tool, "standard input cannot be both %s and %s", first->option,
                       input[i].option);
            return TOOL_USAGE;
        }
        first = &input[i];
    }
    return tool_keep_inputs(s->tool, output, sizeof(output) / sizeof(output[0]), input,
                            sizeof(input) / sizeof(input[0]));
}

/* 1: a name of "p2p", perhaps with "/ALGORITHM". */
static int is_p2p_name(const char *text)
{
    static const char *const p2p[] = {"p2p", "point-to-point", "send"};
    char name[32];

    (void)snprintf(name, sizeof(name), "%.*s", (int)strcspn(text, "/"), text);
    for (size_t i = 0; i < sizeof(p2p) / sizeof(p2p[0]); i++) {
        if (hitop_text_same_name(p2p[i], name)) {
            return 1;
        }
    }
    return 0;
}

/* Split OP/ALGORITHM, and replace the operation by its present name, "MPI_Bcast" by "bcast". */
static enum hitop_status find_operation(struct predict_request *r, struct hitop_diag *diag)
{
    const char *const given = r->operation, *const slash = strchr(given, '/');
    struct hitop_cpm_name cpm;
    enum hitop_status status;

    if (is_p2p_name(given)) {
        r->operation = "p2p";
        r->algorithm = slash ? slash + 1 : NULL;
        return HITOP_OK;
    }
    status = hitop_operation_split(given, &r->call.operation, &r->algorithm, diag);
    if (status == HITOP_OK) {
        r->operation = r->call.operation->name;
        if (hitop_cpm_find(r->algorithm && slash ? r->algorithm : given, &cpm, NULL) == HITOP_OK &&
            cpm.model) {
            r->model_name = cpm.model;
        }
    }
    return status;
}

/* --mpi: -O is a list of operations; options on algorithms contradict it. */
static int check_library(struct predict_settings *s)
{
    struct predict_request *r = &s->request;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    r->kind = PREDICT_LIBRARY;
    s->operations = (1u << HITOP_NOPERATIONS) - 1;
    if (r->operation && hitop_operation_list(r->operation, &s->operations, &diag) != HITOP_OK) {
        return tool_bad_option(s->tool, "-O", &diag);
    }
    if (s->from >= 0 || s->to >= 0 || s->nparams > 0 || r->segment > 0 || r->rules_path ||
        s->write_rules || s->counts_path || s->explain || r->shows_all) {
        tool_error(s->tool, "--mpi goes without --from, --to, --param, --segment, --rules, "
                            "--write-rules, --counts, --explain and --all");
        return TOOL_USAGE;
    }
    if (s->draw && !predict_draw_ends(s->draw, ".svg")) {
        tool_error(s->tool, "--draw: '%s' does not end in .svg, and --mpi draws a heat map",
                   s->draw);
        return TOOL_USAGE;
    }
    return check_files(s);
}

int predict_check(struct predict_settings *s)
{
    struct predict_request *r = &s->request;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const struct hitop_model_type *type;
    const char *conflict;

    if (s->type && hitop_model_type_find(s->type, &type, &diag) != HITOP_OK) {
        return tool_bad_option(s->tool, "-C", &diag);
    }
    if (predict_check_model(s) != TOOL_DONE) {
        return TOOL_USAGE;
    }
    if (s->library) {
        return check_library(s);
    }
    if (find_operation(r, &diag) != HITOP_OK) {
        tool_error(s->tool, "-O: %s%s", diag.message,
                   strstr(diag.message, "; valid: ") ? ", p2p" : "");
        return TOOL_USAGE;
    }
    r->kind = kind_of(s);
    r->needs_all = r->shows_all || s->explain || s->format != PREDICT_TEXT;
    conflict = s->write_rules ? find_writing_conflict(s) : NULL;
    if (!conflict) {
        conflict = predict_is_p2p(r) ? find_p2p_conflict(s) : find_conflict(s);
    }
    if (!conflict && !predict_is_p2p(r)) {
        conflict = find_operation_conflict(s);
    }
    if (conflict) {
        tool_error(s->tool, "%s", conflict);
        return TOOL_USAGE;
    }
    return check_files(s);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* predict_check.c - what options must not say together. */
#include <config.h>

#include "tools/predict/predict_options.h"

#include "hitop/text.h"

#include <string.h>

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
        return "--counts tells all sizes; leave out -m, -M, -S and --sizes";
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

/* Files that are read, each once, and written, to other places. */
static int check_files(const struct predict_settings *s)
{
    const struct predict_request *r = &s->request;
    const struct tool_file input[] = {
        {"-i", r->model_path}, {"--rules", r->rules_path}, {"--counts", s->counts_path}};
    const struct tool_file output[] = {
        {"-o", s->output}, {"--write-rules", s->write_rules}, {"--draw", s->draw}};
    const struct tool_file *first = NULL;

    for (size_t i = 0; i < sizeof(input) / sizeof(input[0]); i++) {
        if (!input[i].path || strcmp(input[i].path, "-") != 0) {
            continue;
        }
        if (first) {
            tool_error(&predict_tool, "standard input cannot be both %s and %s", first->option,
                       input[i].option);
            return TOOL_USAGE;
        }
        first = &input[i];
    }
    return tool_keep_inputs(&predict_tool, output, sizeof(output) / sizeof(output[0]), input,
                            sizeof(input) / sizeof(input[0]));
}

/* Put the operation's own name in place of what was written, e.g. "bcast" for "MPI_Bcast". */
static enum hitop_status find_operation(struct predict_request *r, struct hitop_diag *diag)
{
    static const char *const p2p[] = {"p2p", "point-to-point", "send"};

    for (size_t i = 0; i < sizeof(p2p) / sizeof(p2p[0]); i++) {
        if (hitop_text_same_name(p2p[i], r->operation)) {
            r->operation = p2p[0];
            return HITOP_OK;
        }
    }
    if (hitop_operation_find(r->operation, &r->call.operation, diag) == HITOP_OK) {
        r->operation = r->call.operation->name;
        return HITOP_OK;
    }
    return HITOP_ERR_NOTFOUND;
}

int predict_check(struct predict_settings *s)
{
    struct predict_request *r = &s->request;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const char *conflict;

    if (find_operation(r, &diag) != HITOP_OK) {
        tool_error(&predict_tool, "-O: %s, p2p", diag.message);
        return TOOL_USAGE;
    }
    r->kind = kind_of(s);
    conflict = s->write_rules ? find_writing_conflict(s) : NULL;
    if (!conflict) {
        conflict = predict_is_p2p(r) ? find_p2p_conflict(s) : find_conflict(s);
    }
    if (!conflict && !predict_is_p2p(r)) {
        conflict = find_operation_conflict(s);
    }
    if (conflict) {
        tool_error(&predict_tool, "%s", conflict);
        return TOOL_USAGE;
    }
    return check_files(s);
}

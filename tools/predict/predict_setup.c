/* SPDX-License-Identifier: BSD-3-Clause */
/* predict_setup.c - make the question that the options ask of a model. */
#include <config.h>

#include "tools/predict/predict_setup.h"

#include "tools/predict/predict_counts.h"

#include "hitop/input.h"

#include <stdlib.h>

/* Ranks must be in the model. */
static int check_ranks(struct predict_settings *s)
{
    struct predict_request *r = &s->request;
    const int known = hitop_model_nranks(r->model);
    const int p2p = predict_is_p2p(r);

    r->ranks = s->ranks > 0 ? s->ranks : known;
    r->root = p2p ? (s->from >= 0 ? s->from : 0) : (s->root >= 0 ? s->root : 0);
    r->to = s->to >= 0 ? s->to : 1;
    if (r->ranks > known) {
        tool_error(&predict_tool, "-n: %d ranks, but %s prices %d", r->ranks, r->model_path, known);
        return TOOL_USAGE;
    }
    if (r->root >= r->ranks) {
        tool_error(&predict_tool, "--%s: rank %d is not in 0..%d", p2p ? "from" : "root", r->root,
                   r->ranks - 1);
        return TOOL_USAGE;
    }
    if (p2p && r->to >= r->ranks) {
        tool_error(&predict_tool, "--to: rank %d is not in 0..%d", r->to, r->ranks - 1);
        return TOOL_USAGE;
    }
    return TOOL_DONE;
}

/* Hosts by their names, as the library counts them, and the most ranks on one; 0 where memory is lacking. */
static void count_hosts(const struct hitop_hierarchy *h, struct hitop_call *call)
{
    int *ranks =
        calloc((size_t)call->size, sizeof(*ranks)); /* of the host that the rank is the first of */
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

/* The algorithm of -O OP/ALGORITHM with its parameters. */
static enum hitop_status set_choice(struct predict_settings *s, struct hitop_diag *diag)
{
    struct predict_request *r = &s->request;
    struct hitop_way way;
    enum hitop_status status = hitop_way_find(r->call.operation, r->algorithm, &way, diag);

    if (status != HITOP_OK) {
        return status;
    }
    r->choice = hitop_choice_default(way);
    if (r->segment > 0) {
        (void)hitop_choice_cut(&r->choice, r->segment);
    }
    for (int i = 0; i < s->nparams && status == HITOP_OK; i++) {
        status = hitop_choice_set(&r->choice, s->params[i], diag);
    }
    return status;
}

static enum hitop_status read_rules(struct predict_request *r, struct hitop_diag *diag)
{
    const struct hitop_rule *rule;
    enum hitop_status status = HITOP_OK;

    if (r->rules_path) {
        status = hitop_rules_read(r->rules_path, &r->rules, diag);
    }
    for (size_t i = 0; r->rules && (rule = hitop_rules_at(r->rules, i)); i++) {
        if (rule->unreachable) {
            fprintf(stderr, "%s: %s: line %d is never reached: rules before it take all\n",
                    predict_tool.name, hitop_input_name(r->rules_path), rule->line);
        }
    }
    r->basis = (struct hitop_choice_basis){
        .cost = &r->cost,
        .rules = r->rules,
        .irregular = hitop_irregular_of(r->model, &r->irregular) ? &r->irregular : NULL};
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
    status = read_rules(r, &diag);
    if (status == HITOP_OK && r->kind == PREDICT_ONE) {
        status = set_choice(s, &diag);
    }
    if (status == HITOP_OK && s->counts_path) {
        status = predict_read_counts(s->counts_path, r, &s->starts, &diag);
    }
    if (status == HITOP_ERR_IO) {
        (void)tool_fail(&predict_tool, status, &diag);
        return TOOL_BAD_INPUT;
    }
    return status == HITOP_OK ? TOOL_DONE : tool_fail(&predict_tool, status, &diag);
}

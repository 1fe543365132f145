/* SPDX-License-Identifier: BSD-3-Clause */
/* predict_setup.c - make the question that the options ask of a model. */
#include <config.h>

#include "tools/predict/predict_setup.h"

#include "hitop/input.h"
#include "hitop/text.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

/* The blocks of v-operations from a file. */

/* One line, which is cut off; *text what follows, or NULL behind the last. */
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
 * Read the number of elements of each rank's block, one in a line. The call gets the blocks, which the caller frees as
 * *starts, and the request their mean, in whole elements, as its only size.
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

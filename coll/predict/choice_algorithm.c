/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * choice_algorithm.c - an algorithm with its parameters: set defaults and values, check calls and
 * whether it can serve them.
 */
#include <config.h>

#include "coll/predict/choice_parts.h"

#include "hitop/choice.h"
#include "hitop/irregular.h"
#include "hitop/sys/coll.h"
#include "hitop/sys/tree.h"
#include "hitop/text.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

size_t hitop_choice_class(size_t bytes, size_t unit)
{
    const size_t whole = unit > 0 ? unit : 1;
    size_t step = 1, elements;

    while (bytes / step >= 8) { /* round to three significant bits */
        step *= 2;
    }
    if (bytes <= SIZE_MAX - step) {
        bytes = (bytes + step / 2) / step * step;
    }
    elements = (bytes + whole / 2) / whole;
    return bytes == 0 ? 0 : (elements > 0 ? elements : 1) * whole;
}

struct hitop_choice hitop_choice_default(struct hitop_algorithm algorithm)
{
    struct hitop_choice choice = {.algorithm = algorithm, .seconds = NAN};

    for (size_t p = 0; p < algorithm.type->nparams && p < HITOP_CHOICE_PARAMS; p++) {
        choice.params[p] = algorithm.type->params[p].fallback;
    }
    for (size_t p = 0; algorithm.tree && p < algorithm.tree->nparams && p < HITOP_CHOICE_PARAMS;
         p++) {
        choice.tree_params[p] = algorithm.tree->params[p].fallback;
    }
    return choice;
}

struct hitop_plan_args hitop_choice_plan_args(const struct hitop_choice *choice,
                                              const struct hitop_call *call,
                                              const struct hitop_cost *cost)
{
    return (struct hitop_plan_args){.algorithm = choice->algorithm,
                                    .params = choice->params,
                                    .tree_params = choice->tree_params,
                                    .size = call->size,
                                    .root = call->root,
                                    .bytes = call->bytes,
                                    .starts = call->starts,
                                    .unit = call->unit,
                                    .ordered = call->ordered,
                                    .cost = cost};
}

static int has_param(const struct hitop_param *params, size_t nparams, const char *text)
{
    const size_t length = strcspn(text, "=");

    for (size_t i = 0; i < nparams; i++) {
        if (strlen(params[i].name) == length && strncmp(params[i].name, text, length) == 0) {
            return 1;
        }
    }
    return 0;
}

enum hitop_status hitop_choice_set(struct hitop_choice *choice, const char *text,
                                   struct hitop_diag *diag)
{
    const struct hitop_coll_type *type = choice->algorithm.type;
    const struct hitop_tree_builder *tree = choice->algorithm.tree;
    const char *name = hitop_algorithm_name(choice->algorithm);

    if (tree && tree->nparams > 0 && !has_param(type->params, type->nparams, text)) {
        return hitop_params_assign(name, tree->params, tree->nparams, text, choice->tree_params,
                                   diag);
    }
    return hitop_params_assign(name, type->params, type->nparams, text, choice->params, diag);
}

enum hitop_status hitop_choice_parse(const struct hitop_operation *operation, const char *text,
                                     struct hitop_choice *out, struct hitop_diag *diag)
{
    char copy[128];
    char *rest = copy;
    struct hitop_algorithm algorithm;
    enum hitop_status status;

    if (strlen(text) >= sizeof(copy)) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "'%.64s...' is too long", text);
    }
    strcpy(copy, text);
    status = hitop_algorithm_find(operation, strsep(&rest, ":"), &algorithm, diag);
    if (status != HITOP_OK) {
        return status;
    }
    *out = hitop_choice_default(algorithm);
    while (rest && status == HITOP_OK) {
        status = hitop_choice_set(out, strsep(&rest, ":"), diag);
    }
    return status;
}

int hitop_choice_has_segments(const struct hitop_coll_type *type)
{
    for (size_t p = 0; p < type->nparams; p++) {
        if (strcmp(type->params[p].unit, "B") == 0) {
            return 1;
        }
    }
    return 0;
}

int hitop_choice_cut(struct hitop_choice *choice, double segment)
{
    const struct hitop_coll_type *type = choice->algorithm.type;

    for (size_t p = 0; p < type->nparams; p++) {
        if (strcmp(type->params[p].name, "segment") == 0) {
            choice->params[p] = segment;
            return 1;
        }
    }
    return 0;
}

size_t hitop_choice_piece_below(const struct hitop_call *call, double limit)
{
    const size_t unit = call->unit > 0 ? call->unit : 1, elements = call->bytes / unit;
    const size_t most = limit > 1 ? (size_t)(ceil(limit) - 1) / unit : 0; /* NaN > 1 is false */
    size_t pieces;

    if (most == 0 || elements <= most) {
        return 0;
    }
    pieces = (elements - 1) / most + 1;
    return ((elements - 1) / pieces + 1) * unit;
}

int hitop_choice_pieces(struct hitop_choice *choice, const struct hitop_call *call,
                        const struct hitop_irregular *irregular)
{
    const struct hitop_coll_type *type = choice->algorithm.type;
    const int is_scatter = strcmp(call->operation->family, "scatter") == 0;

    if (!irregular || (!is_scatter && (double)call->bytes >= irregular->M2)) {
        return 0;
    }
    for (size_t p = 0; p < type->nparams; p++) {
        if (strcmp(type->params[p].name, "piece") == 0 && choice->params[p] == 0) {
            choice->params[p] =
                (double)hitop_choice_piece_below(call, is_scatter ? irregular->S : irregular->M1);
            return choice->params[p] > 0;
        }
    }
    return 0;
}

static void format_params(const struct hitop_param *params, size_t nparams, const double *values,
                          char *out, size_t length)
{
    for (size_t i = 0; i < nparams; i++) {
        const size_t used = strlen(out);
        char number[32];
        if (values[i] == params[i].fallback) {
            continue;
        }
        if (strcmp(params[i].unit, "B") == 0 && values[i] == floor(values[i])) {
            hitop_text_format_size((size_t)values[i], number, sizeof(number));
        } else {
            hitop_text_format_number(values[i], 17, number, sizeof(number));
        }
        (void)snprintf(out + used, length - used, "%s%s=%s", used ? " " : "", params[i].name,
                       number);
    }
}

void hitop_choice_format(const struct hitop_choice *choice, char *out, size_t length)
{
    const struct hitop_algorithm algorithm = choice->algorithm;

    out[0] = '\0';
    format_params(algorithm.type->params, algorithm.type->nparams, choice->params, out, length);
    if (algorithm.tree) {
        format_params(algorithm.tree->params, algorithm.tree->nparams, choice->tree_params, out,
                      length);
    }
}

enum hitop_status hitop_choice_applies(const struct hitop_choice *choice,
                                       const struct hitop_call *call, const struct hitop_cost *cost,
                                       struct hitop_diag *diag)
{
    const struct hitop_plan_args args = hitop_choice_plan_args(choice, call, cost);
    const struct hitop_algorithm algorithm = choice->algorithm;
    struct hitop_coll_args coll = choice_coll_args(call, choice, 0);
    struct hitop_tree *tree = NULL;
    enum hitop_status status = hitop_coll_applies(algorithm.type, &coll, diag);

    if (status == HITOP_OK && algorithm.tree && (algorithm.tree->needs & HITOP_TREE_NEEDS_COST) &&
        !cost) {
        status = hitop_fail(diag, HITOP_ERR_UNSUPPORTED, "%s: there is no model to map the tree by",
                            hitop_algorithm_name(algorithm));
    }
    if (status == HITOP_OK && call->ordered && (algorithm.type->needs & HITOP_NEED_TREE_IN_ORDER)) {
        status = hitop_plan_tree(&args, &tree, diag);
        coll.tree = tree;
    }
    if (status == HITOP_OK && tree) {
        status = hitop_coll_applies(algorithm.type, &coll, diag);
    }
    hitop_tree_free(tree);
    return status;
}

/* NULL: a message between two ranks. */
static int has_blocks(const struct hitop_operation *o)
{
    return o && (o->brings == HITOP_BLOCK || o->brings == HITOP_BLOCKS || o->takes == HITOP_BLOCK ||
                 o->takes == HITOP_BLOCKS);
}

enum hitop_status hitop_choice_check(const struct hitop_choice_basis *basis,
                                     const struct hitop_call *call, struct hitop_diag *diag)
{
    const int most = basis->cost ? basis->cost->nranks : INT_MAX;

    if (call->size < 1 || call->size > most) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "%d ranks: allowed are 1..%d, those with a price", call->size, most);
    }
    if (call->root < 0 || call->root >= call->size) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "root %d is not in 0..%d", call->root,
                          call->size - 1);
    }
    if (has_blocks(call->operation) && call->bytes > PTRDIFF_MAX / (size_t)call->size) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "%s: %d blocks of %zu bytes are longer than any memory",
                          call->operation->name, call->size, call->bytes);
    }
    return HITOP_OK;
}

/* Check a call, and that there is a model to predict by. */
enum hitop_status hitop_choice_check_priced(const struct hitop_choice_basis *basis,
                                            const struct hitop_call *call, struct hitop_diag *diag)
{
    const enum hitop_status status = hitop_choice_check(basis, call, diag);

    return status != HITOP_OK || basis->cost
               ? status
               : hitop_fail(diag, HITOP_ERR_UNSUPPORTED, "%s: there is no model to predict by",
                            call->operation->name);
}

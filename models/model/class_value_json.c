/* SPDX-License-Identifier: BSD-3-Clause */
/* class_value_json.c - a class of links, or all classes of processors, as JSON. */
#include <config.h>

#include "models/model/class_value_json.h"

#include "models/model/times_json.h"
#include "src/draft_json.h"

#include "hitop/sys/model.h"

#include <math.h>
#include <stdlib.h>

/* Parameters that belong together: names, values, and what is known of their quality. */
struct numbers {
    const struct hitop_param *params;
    size_t n;
    const double *value, *se, *lo, *hi;
};

static json_t *errors_by_name(const struct numbers *numbers)
{
    struct draft draft = {.value = json_object()};

    for (size_t p = 0; p < numbers->n; p++) {
        draft_add(&draft, numbers->params[p].name,
                  isnan(numbers->se[p]) ? json_null() : json_real(numbers->se[p]));
    }
    return draft_finish(&draft);
}

static json_t *intervals_by_name(const struct numbers *numbers)
{
    struct draft draft = {.value = json_object()};

    for (size_t p = 0; p < numbers->n; p++) {
        draft_add(&draft, numbers->params[p].name,
                  json_pack("[f, f]", numbers->lo[p], numbers->hi[p]));
    }
    return draft_finish(&draft);
}

static void add_numbers(struct draft *draft, const struct numbers *numbers)
{
    for (size_t p = 0; p < numbers->n; p++) {
        draft_add(draft, numbers->params[p].name, json_real(numbers->value[p]));
    }
    if (numbers->se) {
        draft_add(draft, "se", errors_by_name(numbers));
    }
    if (numbers->lo) {
        draft_add(draft, "interval", intervals_by_name(numbers));
    }
}

/* One array per column. */
static json_t *table_value(const struct hitop_model_type *type, const struct hitop_class *c)
{
    struct draft draft = {.value = json_object()};

    for (size_t column = 0; column < type->ncolumns; column++) {
        json_t *values = json_array();
        for (size_t row = 0; row < (size_t)c->nrows; row++) {
            draft.incomplete |=
                json_array_append_new(values, json_real(c->table[row * type->ncolumns + column])) !=
                0;
        }
        draft_add(&draft, type->columns[column].name, values);
    }
    return draft_finish(&draft);
}

json_t *hitop_class_value(const struct hitop_model *model, const struct hitop_class *c)
{
    const struct hitop_model_type *type = hitop_model_type_of(model);
    const struct hitop_hierarchy *h = hitop_model_hierarchy(model);
    const struct numbers numbers = {type->params, type->nparams, c->params, c->se, c->lo, c->hi};
    struct draft draft = {.value = json_object()};

    draft_add(&draft, "node", json_integer(c->node));
    draft_add(&draft, "level", hitop_draft_text(hitop_hierarchy_level(h, c->node)));
    draft_add(&draft, "name", hitop_draft_text(hitop_hierarchy_name(h, c->node)));
    if (c->between[0] != c->between[1]) {
        draft_add(&draft, "between", json_pack("[i, i]", c->between[0], c->between[1]));
    }
    draft_add(&draft, "pair",
              c->pair[0] == HITOP_NO_RANK ? json_null()
                                          : json_pack("[i, i]", c->pair[0], c->pair[1]));
    add_numbers(&draft, &numbers);
    if (type->ncolumns > 0) {
        draft_add(&draft, "table", table_value(type, c));
    }
    draft_add(&draft, "nsizes", json_integer(c->nsizes));
    draft_add(&draft, "nsamples", json_integer(c->nsamples));
    draft_add(&draft, "converged", json_boolean(c->converged));
    draft_add(&draft, "residual", json_real(c->residual));
    if (c->has_eager) {
        draft_add(&draft, "eager_B",
                  c->eager == HITOP_ALL_SIZES ? json_null() : json_integer((json_int_t)c->eager));
    }
    if (c->ntimes > 0) {
        draft_add(&draft, "times", hitop_times_value(c));
    }
    if (c->date) {
        draft_add(&draft, "date", hitop_draft_text(c->date));
    }
    return draft_finish(&draft);
}

/* Ranks by class of processors: those of class i are member[first[i]] .. member[first[i + 1] - 1]. */
struct membership {
    int *first, *member;
};

static int sort_ranks(const struct hitop_model *model, struct membership *m)
{
    const int n = hitop_model_nprocessors(model), nranks = hitop_model_nranks(model);

    m->first = calloc((size_t)n + 2, sizeof(int));
    m->member = calloc((size_t)nranks, sizeof(int));
    if (!m->first || !m->member) {
        return 0;
    }
    for (int rank = 0; rank < nranks; rank++) {
        m->first[hitop_model_processor_of(model, rank) + 2]++;
    }
    for (int i = 2; i < n + 2; i++) {
        m->first[i] += m->first[i - 1];
    }
    for (int rank = 0; rank < nranks; rank++) { /* afterwards first[i + 1] has moved to its end */
        m->member[m->first[hitop_model_processor_of(model, rank) + 1]++] = rank;
    }
    return 1;
}

static json_t *ranks_value(const struct membership *m, int index)
{
    struct hitop_ranks ranks = {0};
    const int n = m->first[index + 1] - m->first[index];
    char *text = hitop_ranks_add(&ranks, m->member + m->first[index], n, NULL) == HITOP_OK
                     ? hitop_ranks_text(ranks.range, ranks.n)
                     : NULL;
    json_t *value = text ? json_string(text) : NULL;

    free(text);
    hitop_ranks_clear(&ranks);
    return value;
}

static json_t *processor_value(const struct hitop_model *model, const struct membership *m,
                               int index)
{
    const struct hitop_model_type *type = hitop_model_type_of(model);
    const struct hitop_processor *p = hitop_model_processor(model, index);
    const struct numbers numbers = {
        type->processor_params, type->nprocessor_params, p->params, p->se, p->lo, p->hi};
    struct draft draft = {.value = json_object()};

    draft_add(&draft, "ranks", ranks_value(m, index));
    draft_add(&draft, "rank", p->rank == HITOP_NO_RANK ? json_null() : json_integer(p->rank));
    add_numbers(&draft, &numbers);
    draft_add(&draft, "nsamples", json_integer(p->nsamples));
    draft_add(&draft, "converged", json_boolean(p->converged));
    if (p->date) {
        draft_add(&draft, "date", hitop_draft_text(p->date));
    }
    return draft_finish(&draft);
}

json_t *hitop_processors_value(const struct hitop_model *model)
{
    const int n = hitop_model_nprocessors(model);
    struct membership m = {0};
    json_t *all = json_array();
    int failed = !sort_ranks(model, &m);

    for (int i = 0; !failed && i < n; i++) {
        failed = json_array_append_new(all, processor_value(model, &m, i)) != 0;
    }
    free(m.member);
    free(m.first);
    if (failed) {
        json_decref(all);
        return NULL;
    }
    return all;
}

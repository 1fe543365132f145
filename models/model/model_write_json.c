/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model_write_json.c - write a model as the text of a model file, see doc/model.schema.json.
 *
 * A line for each group and each class, so that a person can compare two files. Numbers have
 * 17 digits, so that reading the file gives the same model.
 */
#include <config.h>

#include "models/model/model_json.h"
#include "src/draft_json.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 17 }; /* of numbers */

/* Write a value between two texts, and release it. */
static int put(FILE *to, const char *before, json_t *value, const char *after)
{
    int failed = fputs(before, to) < 0;

    failed |= hitop_draft_put(to, value, DIGITS) < 0;
    return failed | (fputs(after, to) < 0);
}

/* Parameters of one class, and how well they are known. */
struct numbers {
    const struct hitop_param *params;
    size_t n;
    const double *value, *se, *lo, *hi;
};

static void add_numbers(struct draft *draft, const struct numbers *numbers)
{
    struct draft errors = {.value = json_object()}, intervals = {.value = json_object()};

    for (size_t p = 0; p < numbers->n; p++) {
        const char *name = numbers->params[p].name;
        draft_add(draft, name, json_real(numbers->value[p]));
        if (numbers->se) {
            draft_add(&errors, name,
                      isnan(numbers->se[p]) ? json_null() : json_real(numbers->se[p]));
        }
        if (numbers->lo) {
            draft_add(&intervals, name, json_pack("[f, f]", numbers->lo[p], numbers->hi[p]));
        }
    }
    if (numbers->se) {
        draft_add(draft, "se", json_incref(errors.value));
    }
    if (numbers->lo) {
        draft_add(draft, "interval", json_incref(intervals.value));
    }
    draft->incomplete |= errors.incomplete || intervals.incomplete;
    json_decref(errors.value);
    json_decref(intervals.value);
}

/* Every stride-th of n numbers. */
static json_t *array_value(const double *number, size_t n, size_t stride)
{
    struct draft draft = {.value = json_array()};

    for (size_t i = 0; i < n; i++) {
        draft_append(&draft, json_real(number[i * stride]));
    }
    return draft_finish(&draft);
}

/* An array for each column. */
static json_t *table_value(const struct hitop_model_type *type, const struct hitop_class *c)
{
    struct draft draft = {.value = json_object()};

    for (size_t column = 0; column < type->ncolumns; column++) {
        draft_add(&draft, type->columns[column].name,
                  array_value(c->table + column, (size_t)c->nrows, type->ncolumns));
    }
    return draft_finish(&draft);
}

static json_t *pairs_value(const struct hitop_class *c)
{
    struct draft draft = {.value = json_array()};

    for (int i = 0; i < c->npairs; i++) {
        draft_append(&draft, json_pack("[i, i]", c->pairs[i][0], c->pairs[i][1]));
    }
    return draft_finish(&draft);
}

/* An array for each number of a measured time. */
static json_t *times_value(const struct hitop_class *c)
{
    struct draft bytes = {.value = json_array()}, seconds = {.value = json_array()};
    struct draft lo = {.value = json_array()}, hi = {.value = json_array()};

    for (int i = 0; i < c->ntimes; i++) {
        const struct hitop_time *t = &c->times[i];
        draft_append(&bytes, json_integer((json_int_t)t->bytes));
        draft_append(&seconds, json_real(t->seconds));
        draft_append(&lo, json_real(t->lo));
        draft_append(&hi, json_real(t->hi));
    }
    return json_pack("{s:o, s:o, s:o, s:o}", "bytes", draft_finish(&bytes), "time",
                     draft_finish(&seconds), "lo", draft_finish(&lo), "hi", draft_finish(&hi));
}

static json_t *class_value(const struct hitop_model *model, const struct hitop_class *c)
{
    const struct hitop_model_type *type = model->type;
    const struct hitop_hierarchy *h = model->hierarchy;
    const struct numbers numbers = {type->params, type->nparams, c->params, c->se, c->lo, c->hi};
    struct draft draft = {.value =
                              json_pack("{s:i, s:o, s:o}", "node", c->node, "level",
                                        hitop_draft_text(hitop_hierarchy_level(h, c->node)), "name",
                                        hitop_draft_text(hitop_hierarchy_name(h, c->node)))};

    if (!model_is_whole(c)) {
        draft_add(&draft, "between", json_pack("[i, i]", c->between[0], c->between[1]));
    }
    draft_add(&draft, "pair",
              c->pair[0] == HITOP_NO_RANK ? json_null()
                                          : json_pack("[i, i]", c->pair[0], c->pair[1]));
    if (c->npairs > 0) {
        draft_add(&draft, "pairs", pairs_value(c));
        draft_add(&draft, "unlike", json_integer(c->nunlike));
        draft_add(&draft, "spread", json_real(c->spread));
    }
    add_numbers(&draft, &numbers);
    if (type->ncolumns > 0) {
        draft_add(&draft, "table", table_value(type, c));
    }
    if (hitop_class_is_measured(c)) {
        draft_add(&draft, "nsizes", json_integer(c->nsizes));
        draft_add(&draft, "nsamples", json_integer(c->nsamples));
        draft_add(&draft, "converged", json_boolean(c->converged));
        draft_add(&draft, "residual", json_real(c->residual));
    }
    if (c->has_eager) {
        draft_add(&draft, "eager_B",
                  c->eager == HITOP_ALL_SIZES ? json_null() : json_integer((json_int_t)c->eager));
    }
    if (c->is_synchronous) {
        draft_add(&draft, "synchronous_B", json_integer((json_int_t)c->synchronous));
    }
    if (c->ntimes > 0) {
        draft_add(&draft, "times", times_value(c));
    }
    if (c->date) {
        draft_add(&draft, "date", hitop_draft_text(c->date));
    }
    return draft_finish(&draft);
}

/* Linked lists of the ranks of each class of processors. */
struct members {
    int *first; /* [classes] lowest rank of the class, or HITOP_NO_RANK */
    int *next;  /* [ranks] next rank of the same class, or HITOP_NO_RANK */
    int *list;  /* [ranks] room for the ranks of one class */
};

static int list_members(const struct hitop_model *model, struct members *m)
{
    const int nranks = hitop_model_nranks(model), n = model->nprocessors;

    m->first = calloc((size_t)n + 2 * (size_t)nranks, sizeof(int));
    if (!m->first) {
        return 0;
    }
    m->next = m->first + n;
    m->list = m->next + nranks;
    for (int i = 0; i < n; i++) {
        m->first[i] = HITOP_NO_RANK;
    }
    for (int rank = nranks - 1; n > 0 && rank >= 0; rank--) {
        int *first = &m->first[hitop_model_processor_of(model, rank)];
        m->next[rank] = *first;
        *first = rank;
    }
    return 1;
}

/* The ranks of a class as text. */
static json_t *ranks_value(const struct members *m, int index)
{
    struct hitop_ranks ranks = {0};
    char *text = NULL;
    json_t *value;
    int n = 0;

    for (int rank = m->first[index]; rank != HITOP_NO_RANK; rank = m->next[rank]) {
        m->list[n++] = rank;
    }
    if (hitop_ranks_add(&ranks, m->list, n, NULL) == HITOP_OK) {
        text = hitop_ranks_text(ranks.range, ranks.n);
    }
    value = text ? json_string(text) : NULL;
    free(text);
    hitop_ranks_clear(&ranks);
    return value;
}

static json_t *processor_value(const struct hitop_model *model, const struct members *m, int index)
{
    const struct hitop_model_type *type = model->type;
    const struct hitop_processor *p = &model->processors[index];
    const struct numbers numbers = {
        type->processor_params, type->nprocessor_params, p->params, p->se, p->lo, p->hi};
    struct draft draft = {
        .value = json_pack("{s:o, s:o}", "ranks", ranks_value(m, index), "rank",
                           p->rank == HITOP_NO_RANK ? json_null() : json_integer(p->rank))};

    add_numbers(&draft, &numbers);
    if (p->nsamples > 0 || !p->converged) {
        draft_add(&draft, "nsamples", json_integer(p->nsamples));
        draft_add(&draft, "converged", json_boolean(p->converged));
    }
    if (p->date) {
        draft_add(&draft, "date", hitop_draft_text(p->date));
    }
    return draft_finish(&draft);
}

/*
 * Attributes of a group, and the capacity of the edge to its parent. A file has no other attributes
 * of edges.
 */
static json_t *attributes_value(const struct hitop_hierarchy *h, int node)
{
    struct draft draft = {.value = json_object()};

    for (int of = HITOP_ATTR_OF_NODE; of <= HITOP_ATTR_OF_EDGE; of++) {
        int count;
        const struct hitop_attr *attr =
            hitop_hierarchy_attrs(h, (enum hitop_attr_of)of, node, &count);
        for (int i = 0; i < count; i++) {
            if (of == HITOP_ATTR_OF_NODE || (strcmp(attr[i].key, "capacity") == 0 &&
                                             !hitop_hierarchy_attr(h, node, "capacity"))) {
                draft_add(&draft, attr[i].key, hitop_draft_text(attr[i].value));
            }
        }
    }
    return draft_finish(&draft);
}

static json_t *group_value(const struct hitop_hierarchy *h, int node)
{
    const int parent = hitop_hierarchy_parent(h, node);
    json_t *attributes = attributes_value(h, node);
    struct draft draft = {
        .value = json_pack("{s:i, s:o, s:o, s:o}", "node", node, "level",
                           hitop_draft_text(hitop_hierarchy_level(h, node)), "name",
                           hitop_draft_text(hitop_hierarchy_name(h, node)), "parent",
                           parent == HITOP_NO_NODE ? json_null() : json_integer(parent))};

    if (!attributes || json_object_size(attributes) > 0) {
        draft_add(&draft, "attributes", attributes);
    } else {
        json_decref(attributes);
    }
    return draft_finish(&draft);
}

static int put_tree(FILE *to, const struct hitop_hierarchy *h)
{
    const int nranks = hitop_hierarchy_nranks(h);
    struct draft hosts = {.value = json_array()}, parents = {.value = json_array()};
    int failed;

    for (int rank = 0; rank < nranks; rank++) {
        draft_append(&hosts, hitop_draft_text(hitop_hierarchy_host(h, rank)));
        draft_append(&parents, json_integer(hitop_hierarchy_parent(h, rank)));
    }
    failed = put(to, "  \"tree\": {\n    \"hosts\": ", draft_finish(&hosts), ",\n");
    failed |= put(to, "    \"parents\": ", draft_finish(&parents), ",\n    \"groups\": [");
    for (int node = nranks; !failed && node < hitop_hierarchy_nnodes(h); node++) {
        failed |= put(to, node > nranks ? ",\n      " : "\n      ", group_value(h, node), "");
    }
    failed |= fputs("\n    ]\n  },\n", to) < 0;
    return failed;
}

/* Classes of links, then those of processors, if there are any. */
static int put_classes(FILE *to, const struct hitop_model *model)
{
    struct members members = {NULL};
    int failed = !list_members(model, &members) || fputs("  \"classes\": [", to) < 0;

    for (int i = 0; !failed && i < model->nclasses; i++) {
        failed |= put(to, i > 0 ? ",\n    " : "\n    ", class_value(model, &model->classes[i]), "");
    }
    failed |= fputs(model->nclasses > 0 ? "\n  ],\n" : "],\n", to) < 0;
    for (int i = 0; !failed && i < model->nprocessors; i++) {
        failed |= put(to, i > 0 ? ",\n    " : "  \"processors\": [\n    ",
                      processor_value(model, &members, i), "");
    }
    failed |= model->nprocessors > 0 && fputs("\n  ],\n", to) < 0;
    free(members.first);
    return failed;
}

static json_t *collective_value(const struct hitop_model_type *type, const double *numbers)
{
    struct draft draft = {.value = json_object()};

    for (size_t p = 0; p < type->ncollective_params; p++) {
        if (!isnan(numbers[p])) {
            draft_add(&draft, type->collective_params[p].name, json_real(numbers[p]));
        }
    }
    return draft_finish(&draft);
}

static json_t *verified_value(const struct hitop_hierarchy *h, const struct hitop_verified *v)
{
    return json_pack("{s:i, s:o, s:o, s:i, s:f, s:f, s:f, s:b}", "node", v->node, "level",
                     hitop_draft_text(hitop_hierarchy_level(h, v->node)), "name",
                     hitop_draft_text(hitop_hierarchy_name(h, v->node)), "pairs", v->pairs,
                     "median", v->median, "q90", v->q90, "worst", v->worst, "holds", v->holds);
}

static json_t *quality_value(const struct hitop_hierarchy *h, const struct hitop_quality *q)
{
    struct draft groups = {.value = json_array()};
    struct draft draft = {
        .value = json_pack("{s:f, s:i, s:b, s:{s:i, s:f}, s:{s:i, s:f}}", "seconds", q->seconds,
                           "passes", q->passes, "ended_early", q->ended_early, "latency", "at_once",
                           q->latency.at_once, "slowdown", q->latency.slowdown, "bandwidth",
                           "at_once", q->bandwidth.at_once, "slowdown", q->bandwidth.slowdown)};

    for (int i = 0; i < q->nverified; i++) {
        draft_append(&groups, verified_value(h, &q->verified[i]));
    }
    if (q->nverified > 0) {
        draft_add(&draft, "verification",
                  json_pack("{s:f, s:O}", "tolerance", q->tolerance, "groups", groups.value));
    }
    draft.incomplete |= groups.incomplete;
    json_decref(groups.value);
    return draft_finish(&draft);
}

/* Texts without a value are left out. */
static json_t *provenance_value(const struct hitop_provenance *p)
{
    const char *const keys[] = {"tool", "command", "mpi_library", "transport", "cache", "date"};
    const char *const texts[] = {p->tool,      p->command, p->mpi_library,
                                 p->transport, p->cache,   p->date};
    struct draft draft = {.value = json_object()};

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        if (texts[i]) {
            draft_add(&draft, keys[i], hitop_draft_text(texts[i]));
        }
    }
    draft_add(&draft, "seed", json_integer((json_int_t)p->seed));
    draft_add(&draft, "confidence", json_real(p->confidence));
    return draft_finish(&draft);
}

enum hitop_status hitop_model_write(const struct hitop_model *model, FILE *to,
                                    struct hitop_diag *diag)
{
    int failed;

    if (model->provenance.seed > INT64_MAX) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "model: seed %llu is greater than %lld",
                          model->provenance.seed, (long long)INT64_MAX);
    }
    errno = 0;
    failed = fprintf(to,
                     "{\n"
                     "  \"format\": \"" MODEL_FORMAT "\",\n"
                     "  \"version\": %d,\n"
                     "  \"model\": \"%s\",\n"
                     "  \"convention\": \"" MODEL_CONVENTION "\",\n"
                     "  \"units\": {\"time\": \"" MODEL_UNIT_TIME "\", \"size\": \"" MODEL_UNIT_SIZE
                     "\"},\n"
                     "  \"ranks\": %d,\n",
                     MODEL_VERSION, model->type->name, hitop_model_nranks(model)) < 0;
    failed |= put_tree(to, model->hierarchy);
    failed |= put_classes(to, model);
    failed |=
        model->collective &&
        put(to, "  \"collective\": ", collective_value(model->type, model->collective), ",\n");
    failed |= model->quality &&
              put(to, "  \"quality\": ", quality_value(model->hierarchy, model->quality), ",\n");
    failed |= put(to, "  \"provenance\": ", provenance_value(&model->provenance), "\n}\n");
    if (failed) {
        return hitop_fail(diag, HITOP_ERR_IO, "cannot write: %s",
                          errno ? strerror(errno) : "out of memory");
    }
    return HITOP_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* model_read_json.c - a model from the text of a model file; doc/model.schema.json is the format. */
#include <config.h>

#include "model_impl.h"
#include "model_json.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const top_members[] = {"format", "version", "model",   "convention", "units",
                                          "ranks",  "tree",    "classes", "provenance", NULL};
static const char *const unit_members[] = {"time", "size", NULL};
static const char *const class_members[] = {"node",     "level",   "name",     "pair",
                                            "se",       "nsizes",  "nsamples", "converged",
                                            "residual", "interval"};
static const char *const provenance_members[] = {"tool", "command", "mpi_library", "transport",
                                                 "date", "seed",    "confidence",  NULL};

enum { NCLASS_MEMBERS = sizeof(class_members) / sizeof(class_members[0]) };

/* What all classes are read with. */
struct class_reader {
    struct reader *r;
    const struct hitop_model_type *type;
    const struct hitop_hierarchy *h;
    const char **known;       /* members of a class: the fixed ones, then the parameters */
    const char *const *names; /* of the parameters */
};

static const char **list_members(const struct hitop_model_type *type)
{
    const char **known = calloc(NCLASS_MEMBERS + type->nparams + 1, sizeof(*known));

    if (known) {
        memcpy(known, class_members, sizeof(class_members));
    }
    for (size_t p = 0; known && p < type->nparams; p++) {
        known[NCLASS_MEMBERS + p] = type->params[p].name;
    }
    return known;
}

/* "se": one number or null per parameter. Returns numbers, or NULL when there is none. */
static const double *read_errors(const struct class_reader *c, const char *path,
                                 const json_t *object, double *numbers)
{
    json_t *se = reader_optional(c->r, path, object, "se", JSON_OBJECT);
    char inner[READER_PATH_MAX];

    reader_join(path, "se", inner);
    reader_known(c->r, inner, se, c->names);
    for (size_t p = 0; se && p < c->type->nparams; p++) {
        numbers[p] = json_is_null(json_object_get(se, c->names[p]))
                         ? NAN
                         : reader_number(c->r, inner, se, c->names[p], 0, DBL_MAX);
    }
    return se ? numbers : NULL;
}

/* "interval": [lo, hi] per parameter. Returns 0 when there is none. */
static int read_intervals(const struct class_reader *c, const char *path, const json_t *object,
                          double *lo, double *hi)
{
    json_t *all = reader_optional(c->r, path, object, "interval", JSON_OBJECT);
    char inner[READER_PATH_MAX], where[READER_PATH_MAX], item[READER_PATH_MAX];

    reader_join(path, "interval", inner);
    reader_known(c->r, inner, all, c->names);
    for (size_t p = 0; all && c->r->status == HITOP_OK && p < c->type->nparams; p++) {
        const json_t *ends = reader_array(c->r, inner, all, c->names[p], 2);
        reader_join(inner, c->names[p], where);
        lo[p] = reader_number_value(c->r, reader_item(where, 0, item), json_array_get(ends, 0),
                                    -DBL_MAX, DBL_MAX);
        hi[p] = reader_number_value(c->r, reader_item(where, 1, item), json_array_get(ends, 1),
                                    lo[p], DBL_MAX);
    }
    return all != NULL;
}

static void read_pair(struct reader *r, const char *path, const json_t *object, int nranks,
                      int *pair)
{
    const json_t *value = json_object_get(object, "pair");
    char where[READER_PATH_MAX], item[READER_PATH_MAX];

    pair[0] = pair[1] = HITOP_NO_RANK;
    if (r->status != HITOP_OK || json_is_null(value)) {
        return;
    }
    value = reader_array(r, path, object, "pair", 2);
    for (size_t k = 0; value && k < 2; k++) {
        pair[k] = reader_int_value(r, reader_item(reader_join(path, "pair", where), k, item),
                                   json_array_get(value, k), 0, nranks - 1);
    }
}

/* Read one class; its numbers go to the 4 x nparams doubles at numbers. */
static void read_class(const struct class_reader *c, const char *path, json_t *object,
                       double *numbers, struct hitop_class *out)
{
    const size_t n = c->type->nparams;
    const int nranks = hitop_hierarchy_nranks(c->h);
    struct reader *r = c->r;
    struct hitop_diag reason = HITOP_DIAG_INIT;

    if (!json_is_object(object)) {
        reader_fail(r, path, "must be an object");
        return;
    }
    reader_known(r, path, object, c->known);
    out->node = reader_int(r, path, object, "node", nranks, hitop_hierarchy_nnodes(c->h) - 1);
    if (r->status != HITOP_OK) {
        return;
    }
    reader_expect(r, path, object, "level", hitop_hierarchy_level(c->h, out->node));
    reader_expect(r, path, object, "name", hitop_hierarchy_name(c->h, out->node));
    read_pair(r, path, object, nranks, out->pair);
    for (size_t p = 0; p < n; p++) {
        numbers[p] = reader_number(r, path, object, c->names[p], c->type->params[p].min,
                                   c->type->params[p].max);
    }
    out->params = numbers;
    out->se = read_errors(c, path, object, numbers + n);
    if (read_intervals(c, path, object, numbers + 2 * n, numbers + 3 * n)) {
        out->lo = numbers + 2 * n;
        out->hi = numbers + 3 * n;
    }
    out->nsizes = reader_int(r, path, object, "nsizes", 0, INT_MAX);
    out->nsamples = reader_int(r, path, object, "nsamples", 0, INT_MAX);
    out->converged = json_is_true(reader_member(r, path, object, "converged", JSON_TRUE));
    out->residual = reader_number(r, path, object, "residual", 0, DBL_MAX);
    if (r->status == HITOP_OK && model_check_class(c->type, c->h, out, &reason) != HITOP_OK) {
        reader_fail(r, path, "%.200s", reason.message);
    }
}

static const char *optional_text(struct reader *r, const json_t *object, const char *key)
{
    const json_t *value = reader_optional(r, "$.provenance", object, key, JSON_STRING);

    return value ? json_string_value(value) : NULL;
}

static struct hitop_provenance read_provenance(struct reader *r, const json_t *document)
{
    json_t *object = reader_optional(r, "$", document, "provenance", JSON_OBJECT);
    struct hitop_provenance p = {0};
    const json_t *seed;

    if (!object) {
        return p;
    }
    reader_known(r, "$.provenance", object, provenance_members);
    p.tool = optional_text(r, object, "tool");
    p.command = optional_text(r, object, "command");
    p.mpi_library = optional_text(r, object, "mpi_library");
    p.transport = optional_text(r, object, "transport");
    p.date = optional_text(r, object, "date");
    seed = reader_optional(r, "$.provenance", object, "seed", JSON_INTEGER);
    if (seed && json_integer_value(seed) < 0) {
        reader_fail(r, "$.provenance.seed", "%" JSON_INTEGER_FORMAT " is negative",
                    json_integer_value(seed));
    }
    p.seed = (unsigned long long)json_integer_value(seed);
    if (json_object_get(object, "confidence")) {
        p.confidence = reader_number(r, "$.provenance", object, "confidence", 0, 1);
    }
    return p;
}

static void check_header(struct reader *r, json_t *document)
{
    const json_t *units;

    if (!json_is_object(document)) {
        reader_fail(r, "$", "must be an object");
        return;
    }
    reader_expect(r, "$", document, "format", MODEL_FORMAT);
    (void)reader_int(r, "$", document, "version", MODEL_VERSION, MODEL_VERSION);
    reader_known(r, "$", document, top_members);
    reader_expect(r, "$", document, "convention", MODEL_CONVENTION);
    units = reader_member(r, "$", document, "units", JSON_OBJECT);
    if (units) {
        reader_known(r, "$.units", json_object_get(document, "units"), unit_members);
        reader_expect(r, "$.units", units, "time", MODEL_UNIT_TIME);
        reader_expect(r, "$.units", units, "size", MODEL_UNIT_SIZE);
    }
}

/* Everything after the header. */
static struct hitop_model *read_model(struct reader *r, const json_t *document)
{
    const char *type_name = reader_string(r, "$", document, "model");
    const struct hitop_model_type *type = NULL;
    struct hitop_diag reason = HITOP_DIAG_INIT;
    struct hitop_hierarchy *h = NULL;
    struct hitop_model *model = NULL;
    struct hitop_class *classes = NULL;
    const char **known = NULL;
    double *numbers = NULL;
    struct hitop_provenance provenance;
    struct class_reader c;
    char path[READER_PATH_MAX];
    const json_t *array;
    enum hitop_status status;
    size_t n;

    if (r->status == HITOP_OK && hitop_model_type_find(type_name, &type, &reason) != HITOP_OK) {
        reader_fail(r, "$.model", "%.200s", reason.message);
    }
    h = model_read_tree(r, document);
    array = reader_array(r, "$", document, "classes", -1);
    provenance = read_provenance(r, document);
    n = json_array_size(array);
    if (r->status == HITOP_OK && n > (size_t)hitop_hierarchy_nnodes(h)) {
        reader_fail(r, "$.classes", "%zu classes for %d nodes", n, hitop_hierarchy_nnodes(h));
    }
    if (r->status != HITOP_OK) {
        goto out;
    }
    classes = calloc(n + 1, sizeof(*classes));
    numbers = calloc(n + 1, 4 * type->nparams * sizeof(*numbers));
    known = list_members(type);
    if (!classes || !numbers || !known) {
        r->status = hitop_fail(r->diag, HITOP_ERR_NOMEM, "%s: out of memory", r->file);
        goto out;
    }
    c = (struct class_reader){r, type, h, known, known + NCLASS_MEMBERS};
    for (size_t i = 0; r->status == HITOP_OK && i < n; i++) {
        read_class(&c, reader_item("$.classes", i, path), json_array_get(array, i),
                   numbers + 4 * i * type->nparams, &classes[i]);
    }
    if (r->status != HITOP_OK) {
        goto out;
    }
    status = hitop_model_build(type->name, h, classes, (int)n, &provenance, &model, &reason);
    if (status == HITOP_ERR_NOMEM) {
        r->status = hitop_fail(r->diag, status, "%s: out of memory", r->file);
    } else if (status != HITOP_OK) {
        reader_fail(r, "$.classes", "%.200s", reason.message);
    }

out:
    free(known);
    free(numbers);
    free(classes);
    hitop_hierarchy_free(h);
    return model;
}

enum hitop_status hitop_model_parse(const char *name, const char *text, size_t length,
                                    struct hitop_model **out, struct hitop_diag *diag)
{
    struct reader r = {.file = name, .diag = diag, .status = HITOP_OK};
    json_error_t error;
    json_t *document = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);

    *out = NULL;
    if (!document) {
        return hitop_fail(diag, HITOP_ERR_FORMAT, "%s:%d:%d: %s", name, error.line, error.column,
                          error.text);
    }
    check_header(&r, document);
    if (r.status == HITOP_OK) {
        *out = read_model(&r, document);
    }
    json_decref(document);
    return r.status;
}

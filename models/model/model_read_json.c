/* SPDX-License-Identifier: BSD-3-Clause */
/* model_read_json.c - a model from the text of a model file; doc/model.schema.json is the format. */
#include <config.h>

#include "models/model/collective_json.h"
#include "models/model/model_class_json.h"
#include "models/model/model_json.h"
#include "models/model/quality_json.h"
#include "models/model/times_json.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char *const top_members[] = {
    "format",  "version",    "model",      "convention", "units",      "ranks", "tree",
    "classes", "processors", "collective", "quality",    "provenance", NULL};
static const char *const unit_members[] = {"time", "size", NULL};
static const char *const provenance_members[] = {
    "tool", "command", "mpi_library", "transport", "cache", "date", "seed", "confidence", NULL};

static const char *optional_text(struct reader *r, const json_t *object, const char *key)
{
    const json_t *value = hitop_reader_optional(r, "$.provenance", object, key, JSON_STRING);

    return value ? json_string_value(value) : NULL;
}

static struct hitop_provenance read_provenance(struct reader *r, const json_t *document)
{
    json_t *object = hitop_reader_optional(r, "$", document, "provenance", JSON_OBJECT);
    struct hitop_provenance p = {0};
    const json_t *seed;

    if (!object) {
        return p;
    }
    hitop_reader_known(r, "$.provenance", object, provenance_members);
    p.tool = optional_text(r, object, "tool");
    p.command = optional_text(r, object, "command");
    p.mpi_library = optional_text(r, object, "mpi_library");
    p.transport = optional_text(r, object, "transport");
    p.cache = optional_text(r, object, "cache");
    p.date = optional_text(r, object, "date");
    seed = hitop_reader_optional(r, "$.provenance", object, "seed", JSON_INTEGER);
    if (seed && json_integer_value(seed) < 0) {
        hitop_reader_fail(r, "$.provenance.seed", "%" JSON_INTEGER_FORMAT " is negative",
                          json_integer_value(seed));
    }
    p.seed = (unsigned long long)json_integer_value(seed);
    if (json_object_get(object, "confidence")) {
        p.confidence = hitop_reader_number(r, "$.provenance", object, "confidence", 0, 1);
    }
    return p;
}

static void check_header(struct reader *r, json_t *document)
{
    const json_t *units;

    if (!json_is_object(document)) {
        hitop_reader_fail(r, "$", "must be an object");
        return;
    }
    hitop_reader_expect(r, "$", document, "format", MODEL_FORMAT);
    (void)hitop_reader_int(r, "$", document, "version", MODEL_VERSION, MODEL_VERSION);
    hitop_reader_known(r, "$", document, top_members);
    hitop_reader_expect(r, "$", document, "convention", MODEL_CONVENTION);
    units = hitop_reader_member(r, "$", document, "units", JSON_OBJECT);
    if (units) {
        hitop_reader_known(r, "$.units", json_object_get(document, "units"), unit_members);
        hitop_reader_expect(r, "$.units", units, "time", MODEL_UNIT_TIME);
        hitop_reader_expect(r, "$.units", units, "size", MODEL_UNIT_SIZE);
    }
}

/* What is read, until the model has copied it. */
struct draft {
    const struct hitop_model_type *type;
    struct hitop_hierarchy *h;
    struct hitop_class *classes;
    struct hitop_processor *processors;
    int *processor_of;
    double *numbers; /* of all classes */
    const double *collective;
    struct hitop_time *times; /* of all classes */
    struct hitop_quality quality;
    struct hitop_verified *verified; /* of quality */
};

static void release(struct draft *d)
{
    free(d->verified);
    free(d->times);
    free(d->numbers);
    free(d->processor_of);
    free(d->processors);
    free(d->classes);
    hitop_hierarchy_free(d->h);
}

static size_t count_numbers(const struct hitop_model_type *type, const json_t *classes,
                            const json_t *processors)
{
    size_t n = 4 * (json_array_size(classes) * type->nparams +
                    json_array_size(processors) * type->nprocessor_params) +
               type->ncollective_params;

    for (size_t i = 0; i < json_array_size(classes); i++) {
        n += hitop_class_count_rows(type, json_array_get(classes, i)) * type->ncolumns;
    }
    return n;
}

static size_t count_times(const json_t *classes)
{
    size_t n = 0;

    for (size_t i = 0; i < json_array_size(classes); i++) {
        n += hitop_times_count(json_array_get(classes, i));
    }
    return n;
}

static int take_memory(struct reader *r, struct draft *d, const json_t *classes,
                       const json_t *processors)
{
    const int nranks = hitop_hierarchy_nranks(d->h);

    d->classes = calloc(json_array_size(classes) + 1, sizeof(*d->classes));
    d->processors = calloc(json_array_size(processors) + 1, sizeof(*d->processors));
    d->processor_of = malloc((size_t)nranks * sizeof(int));
    d->numbers = calloc(count_numbers(d->type, classes, processors) + 1, sizeof(double));
    d->times = calloc(count_times(classes) + 1, sizeof(*d->times));
    if (!d->times || !d->classes || !d->processors || !d->processor_of || !d->numbers) {
        r->status = hitop_fail(r->diag, HITOP_ERR_NOMEM, "%s: out of memory", r->file);
        return 0;
    }
    memset(d->processor_of, -1, (size_t)nranks * sizeof(int));
    return 1;
}

static void read_classes(struct reader *r, struct draft *d, const json_t *classes,
                         const json_t *processors, const json_t *document)
{
    const int nranks = hitop_hierarchy_nranks(d->h);
    double *at = d->numbers;
    struct hitop_time *time = d->times;
    char path[READER_PATH_MAX];

    for (size_t i = 0; r->status == HITOP_OK && i < json_array_size(classes); i++) {
        json_t *object = json_array_get(classes, i);
        hitop_class_read(r, hitop_reader_item("$.classes", i, path), object, d->type, d->h, at,
                         time, &d->classes[i]);
        time += hitop_times_count(object);
        at += 4 * d->type->nparams + hitop_class_count_rows(d->type, object) * d->type->ncolumns;
    }
    for (size_t i = 0; r->status == HITOP_OK && i < json_array_size(processors); i++) {
        hitop_processor_read(r, hitop_reader_item("$.processors", i, path),
                             json_array_get(processors, i), d->type, nranks, (int)i, at,
                             d->processor_of, &d->processors[i]);
        at += 4 * d->type->nprocessor_params;
    }
    d->collective = hitop_collective_read(r, document, d->type, at);
    for (int rank = 0; processors && r->status == HITOP_OK && rank < nranks; rank++) {
        if (d->processor_of[rank] < 0) {
            hitop_reader_fail(r, "$.processors", "rank %d belongs to no class", rank);
        }
    }
}

/* Everything after the header. */
static struct hitop_model *read_model(struct reader *r, const json_t *document)
{
    const char *type_name = hitop_reader_string(r, "$", document, "model");
    struct draft d = {0};
    struct hitop_diag reason = HITOP_DIAG_INIT;
    struct hitop_model *model = NULL;
    const json_t *classes, *processors;
    struct hitop_provenance provenance;
    enum hitop_status status;
    int has_quality = 0;

    if (r->status == HITOP_OK && hitop_model_type_find(type_name, &d.type, &reason) != HITOP_OK) {
        hitop_reader_fail(r, "$.model", "%.200s", reason.message);
    }
    d.h = hitop_model_read_tree(r, document);
    classes = hitop_reader_array(r, "$", document, "classes", -1);
    processors = hitop_reader_optional(r, "$", document, "processors", JSON_ARRAY);
    provenance = read_provenance(r, document);
    if (r->status == HITOP_OK && json_array_size(classes) + json_array_size(processors) > INT_MAX) {
        hitop_reader_fail(r, "$.classes", "too many classes");
    }
    if (r->status == HITOP_OK && take_memory(r, &d, classes, processors)) {
        read_classes(r, &d, classes, processors, document);
        has_quality = hitop_quality_read(r, document, d.h, &d.quality, &d.verified);
    }
    if (r->status == HITOP_OK) {
        const struct hitop_model_parts parts = {.type = d.type->name,
                                                .hierarchy = d.h,
                                                .classes = d.classes,
                                                .nclasses = (int)json_array_size(classes),
                                                .processors = d.processors,
                                                .nprocessors = (int)json_array_size(processors),
                                                .processor_of = d.processor_of,
                                                .collective = d.collective,
                                                .provenance = &provenance,
                                                .quality = has_quality ? &d.quality : NULL};
        status = hitop_model_build(&parts, &model, &reason);
        if (status == HITOP_ERR_NOMEM) {
            r->status = hitop_fail(r->diag, status, "%s: out of memory", r->file);
        } else if (status != HITOP_OK) {
            hitop_reader_fail(r, "$.classes", "%.200s", reason.message);
        }
    }
    release(&d);
    return model;
}

enum hitop_status hitop_model_parse(const char *name, const char *text, size_t length,
                                    struct hitop_model **out, struct hitop_diag *diag)
{
    struct reader r = {.file = name, .diag = diag, .status = HITOP_OK};
    json_t *document = hitop_reader_parse(name, text, length, diag);

    *out = NULL;
    if (!document) {
        return HITOP_ERR_FORMAT;
    }
    check_header(&r, document);
    if (r.status == HITOP_OK) {
        *out = read_model(&r, document);
    }
    json_decref(document);
    return r.status;
}

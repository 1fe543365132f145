/* SPDX-License-Identifier: BSD-3-Clause */
/* export_validation.c - errors of a model's predictions, as validate_model has measured them. */
#include <config.h>

#include "tools/export/export_validation.h"

#include "hitop/input.h"
#include "src/reader_json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An error at a size. */
struct error {
    const struct hitop_operation *operation;
    size_t bytes;
    double error; /* of the ratio, 0 or more */
};

struct export_validation {
    struct error *at;
    size_t count;
};

/* The operation of a name such as "bcast" or "bcast/binomial"; NULL: it is none. */
static const struct hitop_operation *operation_of(const char *name)
{
    for (const struct hitop_operation *o = hitop_operations(); o->name; o++) {
        const size_t n = strlen(o->name);
        if (strncmp(o->name, name, n) == 0 && (name[n] == '\0' || strchr("/ ", name[n]))) {
            return o;
        }
    }
    return NULL;
}

/* Read a sample; those of pairs and patterns, and those without a time, are left out. */
static void read_sample(struct reader *r, const char *path, const json_t *object,
                        struct export_validation *v)
{
    const char *kind, *name;
    const json_t *error;
    struct error e;
    double ratio;

    if (!json_is_object(object)) {
        hitop_reader_fail(r, path, "must be an object");
        return;
    }
    kind = hitop_reader_string(r, path, object, "kind");
    name = hitop_reader_string(r, path, object, "name");
    e.bytes = hitop_reader_size(r, path, object, "size_B");
    error = json_object_get(object, "error");
    if (r->status != HITOP_OK || strcmp(kind, "collective") != 0 || !error || json_is_null(error)) {
        return;
    }
    ratio = 1 + hitop_reader_number(r, path, object, "error", -1, 1e12);
    e.operation = operation_of(name);
    if (r->status == HITOP_OK && e.operation) {
        e.error = ratio > 0 ? fmax(ratio, 1 / ratio) - 1 : INFINITY;
        v->at[v->count++] = e;
    }
}

static void read_document(struct reader *r, const json_t *document, struct export_validation *v)
{
    const json_t *samples;
    char path[READER_PATH_MAX];

    if (!json_is_object(document)) {
        hitop_reader_fail(r, "$", "must be an object");
        return;
    }
    hitop_reader_expect(r, "$", document, "format", "hitop-validation");
    (void)hitop_reader_int(r, "$", document, "version", 1, 1);
    samples = hitop_reader_array(r, "$", document, "samples", -1);
    if (r->status != HITOP_OK) {
        return;
    }
    v->at = calloc(json_array_size(samples) + 1, sizeof(*v->at));
    if (!v->at) {
        r->status = hitop_fail(r->diag, HITOP_ERR_NOMEM, "out of memory");
        return;
    }
    for (size_t i = 0; r->status == HITOP_OK && i < json_array_size(samples); i++) {
        read_sample(r, hitop_reader_item("$.samples", i, path), json_array_get(samples, i), v);
    }
    if (r->status == HITOP_OK && v->count == 0) {
        hitop_reader_fail(r, "$.samples", "no collective was measured");
    }
}

enum hitop_status validation_read(const char *path, struct export_validation **out,
                                  struct hitop_diag *diag)
{
    struct reader r = {.file = hitop_input_name(path), .diag = diag, .status = HITOP_OK};
    char *text = NULL;
    size_t length = 0;
    json_t *document;

    *out = NULL;
    r.status = hitop_input_read(path, &text, &length, diag);
    if (r.status != HITOP_OK) {
        return r.status;
    }
    document = hitop_reader_parse(r.file, text, length, diag);
    free(text);
    if (!document) {
        return HITOP_ERR_FORMAT;
    }
    *out = calloc(1, sizeof(**out));
    if (*out) {
        read_document(&r, document, *out);
    } else {
        r.status = hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    json_decref(document);
    if (r.status != HITOP_OK) {
        validation_free(*out);
        *out = NULL;
    }
    return r.status;
}

void validation_free(struct export_validation *validation)
{
    if (validation) {
        free(validation->at);
        free(validation);
    }
}

double validation_error(const struct export_validation *validation,
                        const struct hitop_operation *operation, size_t bytes)
{
    size_t below = 0, above = 0;
    int has_below = 0, has_above = 0;
    double error = -1;

    for (size_t i = 0; validation && i < validation->count; i++) {
        const struct error *e = &validation->at[i];
        if (e->operation != operation) {
            continue;
        }
        if (e->bytes <= bytes && (!has_below || e->bytes > below)) {
            below = e->bytes;
            has_below = 1;
        }
        if (e->bytes >= bytes && (!has_above || e->bytes < above)) {
            above = e->bytes;
            has_above = 1;
        }
    }
    for (size_t i = 0; validation && i < validation->count; i++) {
        const struct error *e = &validation->at[i];
        if (e->operation == operation &&
            ((has_below && e->bytes == below) || (has_above && e->bytes == above))) {
            error = fmax(error, e->error);
        }
    }
    return error;
}

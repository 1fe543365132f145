/* SPDX-License-Identifier: BSD-3-Clause */
/* validate_earlier_json.c - read times of earlier launches of a comparison. */
#include <config.h>

#include "tools/validate/validate.h"

#include "hitop/input.h"
#include "src/reader_json.h"

#include <float.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const double microsecond = 1e-6;

struct validate_earlier {
    const char *name[VALIDATE_MOST_LAUNCHES];
    json_t *document[VALIDATE_MOST_LAUNCHES]; /* owned */
    int n;
};

/* All launches must have the same hosts, MPI library and timing method. */
static void check_text(struct reader *r, const json_t *provenance, const char *key, const char *now)
{
    const char *then = hitop_reader_string(r, "$.provenance", provenance, key);

    if (r->status == HITOP_OK && strcmp(then, now) != 0) {
        hitop_reader_fail(r, "$.provenance", "%s is '%.60s', of this launch it is '%.60s'", key,
                          then, now);
    }
}

static void check_document(struct reader *r, const json_t *document,
                           const struct validate_report *now)
{
    json_t *provenance;
    int ranks;

    if (!json_is_object(document)) {
        hitop_reader_fail(r, "$", "must be an object");
        return;
    }
    hitop_reader_expect(r, "$", document, "format", "hitop-validation");
    (void)hitop_reader_int(r, "$", document, "version", 1, 1);
    provenance = hitop_reader_member(r, "$", document, "provenance", JSON_OBJECT);
    ranks = hitop_reader_int(r, "$.provenance", provenance, "ranks", 1, INT_MAX);
    if (r->status == HITOP_OK && ranks != now->nranks) {
        hitop_reader_fail(r, "$.provenance.ranks", "%d, this launch has %d", ranks, now->nranks);
    }
    check_text(r, provenance, "mpi_library", now->mpi_library);
    check_text(r, provenance, "hosts", now->hosts);
    if (json_object_get(provenance, "timing") || strcmp(now->timing, "window") != 0) {
        check_text(r, provenance, "timing", now->timing); /* the first files do not name window */
    }
}

static const char *date_of(const json_t *document)
{
    const char *date =
        json_string_value(json_object_get(json_object_get(document, "provenance"), "date"));

    return date ? date : "";
}

static int has_same_times(const json_t *a, const json_t *b)
{
    const json_t *x = json_object_get(a, "samples"), *y = json_object_get(b, "samples");
    const size_t n = json_array_size(x);
    int same = n == json_array_size(y);

    for (size_t i = 0; i < n && same; i++) {
        same = json_equal(json_object_get(json_array_get(x, i), "launches_us"),
                          json_object_get(json_array_get(y, i), "launches_us"));
    }
    return same;
}

/*
 * Refuse a launch that is given twice, which would suggest that launches do not differ. Two
 * launches may have the same date, but not the same times.
 */
static void check_date(struct reader *r, const struct validate_earlier *e)
{
    const json_t *last = e->document[e->n - 1];
    const char *date = date_of(last);

    for (int i = 0; i + 1 < e->n && *date; i++) {
        if (strcmp(date, date_of(e->document[i])) == 0 && has_same_times(last, e->document[i])) {
            hitop_reader_fail(r, "$.provenance.date", "the same launch as %s", e->name[i]);
        }
    }
}

/* A time of an earlier launch, and the measurement that it belongs to. */
struct earlier_time {
    const char *kind, *name;
    size_t bytes;
    int pair[2]; /* of ranks; where kind is that of pairs */
    double seconds, lo, hi;
};

/* Read a time. Returns 0 where nothing was measured, or after a failure. */
static int read_time(struct reader *r, const char *path, const json_t *object,
                     struct earlier_time *out)
{
    char where[READER_PATH_MAX], item[READER_PATH_MAX];
    const json_t *launches, *pair;

    if (!json_is_object(object)) {
        hitop_reader_fail(r, path, "must be an object");
        return 0;
    }
    out->kind = hitop_reader_string(r, path, object, "kind");
    out->name = hitop_reader_string(r, path, object, "name");
    out->bytes = hitop_reader_size(r, path, object, "size_B");
    launches = hitop_reader_array(r, path, object, "launches_us", -1);
    if (r->status == HITOP_OK && strcmp(out->kind, hitop_validate_part_name(VALIDATE_PAIRS)) == 0) {
        pair = hitop_reader_array(r, path, object, "pair", 2);
        out->pair[0] = (int)json_integer_value(json_array_get(pair, 0));
        out->pair[1] = (int)json_integer_value(json_array_get(pair, 1));
    }
    if (r->status != HITOP_OK || json_array_size(launches) == 0) {
        return 0;
    }
    hitop_reader_item(hitop_reader_join(path, "launches_us", where), 0, item);
    out->lo = hitop_reader_number(r, path, object, "lo_us", 0, 1e12);
    out->hi = hitop_reader_number(r, path, object, "hi_us", 0, 1e12);
    out->seconds = hitop_reader_number_value(r, item, json_array_get(launches, 0), DBL_MIN, 1e12);
    if (r->status == HITOP_OK && (out->lo > out->seconds || out->hi < out->seconds)) {
        hitop_reader_fail(r, item, "%g is not within lo_us and hi_us, %g and %g", out->seconds,
                          out->lo, out->hi);
    }
    return r->status == HITOP_OK;
}

static int is_of(const struct validate_sample *s, const struct earlier_time *t)
{
    return strcmp(t->kind, hitop_validate_part_name(s->part)) == 0 &&
           strcmp(t->name, s->level) == 0 && t->bytes == s->bytes &&
           (s->part != VALIDATE_PAIRS || (t->pair[0] == s->rank[0] && t->pair[1] == s->rank[1]));
}

/*
 * Add the times of a launch to the matching samples and return their number. Without samples only
 * check the times.
 */
static int add_times(struct reader *r, const json_t *document, struct validate_sample *samples,
                     int n)
{
    const json_t *array = hitop_reader_array(r, "$", document, "samples", -1);
    char path[READER_PATH_MAX];
    int found = 0;

    for (size_t i = 0; r->status == HITOP_OK && i < json_array_size(array); i++) {
        struct earlier_time t = {0};
        int k = 0;
        if (!read_time(r, hitop_reader_item("$.samples", i, path), json_array_get(array, i), &t)) {
            continue;
        }
        while (k < n && !is_of(&samples[k], &t)) {
            k++;
        }
        if (k < n) {
            hitop_validate_add_launch(&samples[k], microsecond * t.seconds, microsecond * t.lo,
                                      microsecond * t.hi);
            found++;
        }
    }
    return found;
}

static enum hitop_status read_one(const char *path, const struct validate_report *now,
                                  struct validate_earlier *e, struct hitop_diag *diag)
{
    struct reader r = {.file = hitop_input_name(path), .diag = diag, .status = HITOP_OK};
    char *text = NULL;
    size_t length;
    enum hitop_status status = hitop_input_read(path, &text, &length, diag);
    json_t *document = status == HITOP_OK ? hitop_reader_parse(r.file, text, length, diag) : NULL;

    free(text);
    if (status != HITOP_OK) {
        return status;
    }
    if (!document) {
        return HITOP_ERR_FORMAT;
    }
    e->name[e->n] = r.file;
    e->document[e->n++] = document;
    check_document(&r, document, now);
    if (r.status == HITOP_OK) {
        check_date(&r, e);
    }
    if (r.status == HITOP_OK) {
        (void)add_times(&r, document, NULL, 0);
    }
    return r.status;
}

enum hitop_status validate_earlier_read(const struct validate_options *options,
                                        const struct validate_report *now,
                                        struct validate_earlier **out, struct hitop_diag *diag)
{
    struct validate_earlier *e = calloc(1, sizeof(*e));
    enum hitop_status status =
        e ? HITOP_OK : hitop_fail(diag, HITOP_ERR_NOMEM, "earlier launches: out of memory");

    for (int i = 0; i < options->nearlier && status == HITOP_OK; i++) {
        status = read_one(options->earlier[i], now, e, diag);
    }
    if (status != HITOP_OK) {
        validate_earlier_free(e);
        e = NULL;
    }
    *out = e;
    return status;
}

void validate_earlier_free(struct validate_earlier *e)
{
    for (int i = 0; e && i < e->n; i++) {
        json_decref(e->document[i]);
    }
    free(e);
}

enum hitop_status validate_earlier_add(const struct validate_earlier *e,
                                       struct validate_sample *samples, int n,
                                       struct hitop_diag *diag)
{
    for (int k = 0; k < e->n; k++) {
        struct reader r = {.file = e->name[k], .diag = diag, .status = HITOP_OK};
        if (add_times(&r, e->document[k], samples, n) == 0) {
            hitop_reader_fail(&r, "$.samples", "none is of what is measured now");
        }
        if (r.status != HITOP_OK) {
            return r.status;
        }
    }
    return HITOP_OK;
}

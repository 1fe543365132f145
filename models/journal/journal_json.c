/* SPDX-License-Identifier: BSD-3-Clause */
/* journal_json.c - write records of a journal as JSON, and read them; every member is checked. */
#include <config.h>

#include "models/journal/journal_impl.h"
#include "src/draft_json.h"
#include "src/reader_json.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The key of the kind of a finding; batches do not have it. */
#define FOUND "found"

static const char *const names[HITOP_NFINDINGS] = {[HITOP_FOUND_EAGER] = "eager",
                                                   [HITOP_FOUND_SCATTER] = "scatter",
                                                   [HITOP_FOUND_GATHER] = "gather",
                                                   [HITOP_FOUND_ESCALATION] = "escalation"};

/* The text of a value, which is released; 17 digits identify each double. */
static char *text_of(json_t *value)
{
    char *text = value ? json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;

    json_decref(value);
    return text;
}

char *hitop_journal_header_record(const struct hitop_journal_header *header)
{
    struct draft hosts = {.value = json_array()};

    for (int rank = 0; rank < header->nranks; rank++) {
        draft_append(&hosts, hitop_draft_text(header->hosts[rank]));
    }
    return text_of(json_pack("{s:s, s:i, s:o, s:o, s:I, s:o, s:o}", "format", JOURNAL_FORMAT,
                             "version", JOURNAL_VERSION, "tool", hitop_draft_text(header->tool),
                             "mpi", hitop_draft_text(header->mpi), "seed", (json_int_t)header->seed,
                             "configuration", hitop_draft_text(header->configuration), "hosts",
                             draft_finish(&hosts)));
}

char *hitop_journal_batch_record(const struct hitop_batch *batch)
{
    struct draft samples = {.value = json_array()};

    for (int i = 0; i < batch->n; i++) {
        draft_append(&samples, json_real(batch->samples[i]));
    }
    return text_of(json_pack("{s:o, s:i, s:s, s:I, s:i, s:i, s:i, s:o}", "part",
                             hitop_draft_text(batch->part), "link", batch->link, "experiment",
                             hitop_experiment_name(batch->what), "bytes", (json_int_t)batch->bytes,
                             "take", batch->take, "block", batch->block, "batch", batch->batch,
                             "samples", draft_finish(&samples)));
}

/* The bound of an interval; one sample has no interval, and its bounds are infinite. */
static json_t *bound_value(double bound)
{
    return isinf(bound) ? json_null() : json_real(bound);
}

char *hitop_journal_finding_record(const struct hitop_finding *f)
{
    const struct hitop_point *p = &f->point;

    if (f->kind == HITOP_FOUND_EAGER) {
        return text_of(json_pack("{s:s, s:i, s:I, s:b, s:i, s:f}", FOUND, names[f->kind], "link",
                                 f->link, "bytes", (json_int_t)f->eager.bytes, "all",
                                 f->eager.is_max, "tests", f->eager.ntests, "window",
                                 f->eager.window));
    }
    return text_of(json_pack("{s:s, s:I, s:f, s:f, s:o, s:o, s:i, s:b}", FOUND, names[f->kind],
                             "bytes", (json_int_t)p->bytes, "seconds", p->seconds, "se", p->se,
                             "lo", bound_value(p->lo), "hi", bound_value(p->hi), "n", p->nsamples,
                             "converged", p->converged));
}

int hitop_journal_is_torn_header(const char *text, size_t length)
{
    static const char beginning[] = "{\"format\":\"" JOURNAL_FORMAT "\"";
    const size_t known = sizeof(beginning) - 1;

    return memcmp(text, beginning, length < known ? length : known) == 0;
}

/* The object of a line; NULL after a failure. */
static json_t *parse(struct reader *r, const struct journal_line *line, struct hitop_diag *diag)
{
    json_t *object = hitop_reader_parse(line->where, line->text, line->length, diag);

    *r = (struct reader){
        .file = line->where, .diag = diag, .status = object ? HITOP_OK : HITOP_ERR_FORMAT};
    return object;
}

/* Report that two long texts differ, and quote both from shortly before the difference. */
static void fail_differs(struct reader *r, const char *path, const char *then, const char *now)
{
    enum { BEFORE = 20 };
    size_t at = 0;

    while (then[at] && then[at] == now[at]) {
        at++;
    }
    at = at > BEFORE ? at - BEFORE : 0;
    while (at > 0 && ((unsigned char)then[at] & 0xc0) == 0x80) { /* not within a character */
        at--;
    }
    hitop_reader_fail(
        r, path,
        "'%s%.100s' in the journal is '%s%.100s' in this run; --resume-anyway if that is "
        "meant, or remove the journal to begin anew",
        at ? "..." : "", then + at, at ? "..." : "", now + at);
}

static void compare_text(struct reader *r, const char *path, const json_t *then, const char *now)
{
    json_t *value = hitop_draft_text(now);

    if (!value) {
        r->status = hitop_fail(r->diag, HITOP_ERR_NOMEM, "%s: out of memory", r->file);
    } else if (r->status == HITOP_OK && !json_equal(then, value)) {
        fail_differs(r, path, json_string_value(then), json_string_value(value));
    }
    json_decref(value);
}

static void compare(struct reader *r, const json_t *object, const struct hitop_journal_header *now)
{
    const json_t *hosts = json_object_get(object, "hosts");
    const size_t n = json_array_size(hosts);
    char path[READER_PATH_MAX];

    compare_text(r, "$.configuration", json_object_get(object, "configuration"),
                 now->configuration);
    compare_text(r, "$.mpi", json_object_get(object, "mpi"), now->mpi);
    if (r->status == HITOP_OK && n != (size_t)now->nranks) {
        hitop_reader_fail(
            r, "$.hosts",
            "%zu ranks in the journal are %d in this run; remove the journal to begin anew", n,
            now->nranks);
    }
    for (size_t i = 0; r->status == HITOP_OK && i < n; i++) {
        compare_text(r, hitop_reader_item("$.hosts", i, path), json_array_get(hosts, i),
                     now->hosts[i]);
    }
}

/* Check the types of the members. */
static void check_header(struct reader *r, json_t *object)
{
    static const char *const known[] = {"format", "version",       "tool",           "mpi", "seed",
                                        "hosts",  "configuration", JOURNAL_CHECKSUM, NULL};
    const json_t *hosts;
    char path[READER_PATH_MAX];

    hitop_reader_known(r, "$", object, known);
    hitop_reader_expect(r, "$", object, "format", JOURNAL_FORMAT);
    (void)hitop_reader_int(r, "$", object, "version", JOURNAL_VERSION, JOURNAL_VERSION);
    (void)hitop_reader_string(r, "$", object, "tool");
    (void)hitop_reader_string(r, "$", object, "mpi");
    (void)hitop_reader_string(r, "$", object, "configuration");
    (void)hitop_reader_size(r, "$", object, "seed");
    hosts = hitop_reader_array(r, "$", object, "hosts", -1);
    if (r->status == HITOP_OK && json_array_size(hosts) == 0) {
        hitop_reader_fail(r, "$.hosts", "has no items");
    }
    for (size_t i = 0; r->status == HITOP_OK && i < json_array_size(hosts); i++) {
        if (!json_is_string(json_array_get(hosts, i))) {
            hitop_reader_fail(r, hitop_reader_item("$.hosts", i, path), "must be a string, not %s",
                              hitop_reader_type_name(json_typeof(json_array_get(hosts, i))));
        }
    }
}

enum hitop_status hitop_journal_read_header(const struct journal_line *line,
                                            const struct hitop_journal_header *header, int anyway,
                                            struct hitop_diag *diag)
{
    struct reader r;
    json_t *object = parse(&r, line, diag);

    if (object) {
        check_header(&r, object);
    }
    if (r.status == HITOP_OK && !anyway) {
        compare(&r, object, header);
    }
    json_decref(object);
    return r.status;
}

/* Read samples, for free(); NULL on failure. */
static double *read_samples(struct reader *r, const json_t *object, int *count)
{
    const json_t *array = hitop_reader_array(r, "$", object, "samples", -1);
    const size_t n = json_array_size(array);
    char path[READER_PATH_MAX];
    double *samples;

    if (r->status == HITOP_OK && (n < 1 || n > HITOP_BATCH_MAX_SAMPLES)) {
        hitop_reader_fail(r, "$.samples", "has %zu items, must have 1 to %d", n,
                          HITOP_BATCH_MAX_SAMPLES);
    }
    if (r->status != HITOP_OK) {
        return NULL;
    }
    samples = malloc(n * sizeof(*samples));
    if (!samples) {
        r->status = hitop_fail(r->diag, HITOP_ERR_NOMEM, "%s: out of memory", r->file);
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        samples[i] = hitop_reader_number_value(r, hitop_reader_item("$.samples", i, path),
                                               json_array_get(array, i), -DBL_MAX, DBL_MAX);
    }
    *count = (int)n;
    return samples;
}

/* Pass the batch to the taker; reason receives a failure of the taker. */
static void give_batch(struct reader *r, json_t *object, const struct hitop_journal_taker *taker,
                       struct hitop_diag *reason)
{
    static const char *const known[] = {"part",  "link",  "experiment", "bytes",          "take",
                                        "block", "batch", "samples",    JOURNAL_CHECKSUM, NULL};
    struct hitop_batch batch = {0};
    struct hitop_diag unknown = HITOP_DIAG_INIT;
    const char *name;
    double *samples;

    hitop_reader_known(r, "$", object, known);
    name = hitop_reader_string(r, "$", object, "experiment");
    if (r->status == HITOP_OK && hitop_experiment_find(name, &batch.what, &unknown) != HITOP_OK) {
        hitop_reader_fail(r, "$.experiment", "%.200s", unknown.message);
    }
    batch.part = hitop_reader_string(r, "$", object, "part");
    if (r->status == HITOP_OK && !batch.part[0]) {
        hitop_reader_fail(r, "$.part", "is empty");
    }
    batch.link = hitop_reader_int(r, "$", object, "link", 0, INT_MAX);
    batch.bytes = hitop_reader_size(r, "$", object, "bytes");
    batch.take = hitop_reader_int(r, "$", object, "take", 0, INT_MAX);
    batch.block = hitop_reader_int(r, "$", object, "block", 0, INT_MAX);
    batch.batch = hitop_reader_int(r, "$", object, "batch", 1, INT_MAX);
    batch.samples = samples = read_samples(r, object, &batch.n);
    if (r->status == HITOP_OK) {
        r->status = taker->take(taker->data, &batch, reason);
    }
    free(samples);
}

static enum hitop_finding_kind read_kind(struct reader *r, const json_t *object)
{
    const char *name = hitop_reader_string(r, "$", object, FOUND);
    int kind = 0;

    while (r->status == HITOP_OK && kind < HITOP_NFINDINGS && strcmp(name, names[kind]) != 0) {
        kind++;
    }
    if (kind == HITOP_NFINDINGS) {
        hitop_reader_fail(r, "$." FOUND, "'%.40s' is none of %s, %s, %s and %s", name, names[0],
                          names[1], names[2], names[3]);
        kind = 0;
    }
    return (enum hitop_finding_kind)kind;
}

static int read_truth(struct reader *r, const json_t *object, const char *key)
{
    return json_is_true(hitop_reader_member(r, "$", object, key, JSON_TRUE));
}

/* The bound of an interval, or `none` for null. */
static double read_bound(struct reader *r, const json_t *object, const char *key, double none)
{
    return json_is_null(json_object_get(object, key))
               ? none
               : hitop_reader_number(r, "$", object, key, -DBL_MAX, DBL_MAX);
}

static void give_finding(struct reader *r, json_t *object, const struct hitop_journal_taker *taker,
                         struct hitop_diag *reason)
{
    static const char *const of_eager[] = {FOUND,   "link",   "bytes",          "all",
                                           "tests", "window", JOURNAL_CHECKSUM, NULL};
    static const char *const of_point[] = {FOUND, "bytes",     "seconds",        "se", "lo", "hi",
                                           "n",   "converged", JOURNAL_CHECKSUM, NULL};
    struct hitop_finding f = {.kind = read_kind(r, object)};

    if (f.kind == HITOP_FOUND_EAGER) {
        hitop_reader_known(r, "$", object, of_eager);
        f.link = hitop_reader_int(r, "$", object, "link", 0, INT_MAX);
        f.eager = (struct hitop_eager){
            .bytes = hitop_reader_size(r, "$", object, "bytes"),
            .is_max = read_truth(r, object, "all"),
            .is_found = 1,
            .ntests = hitop_reader_int(r, "$", object, "tests", 0, INT_MAX),
            .window = hitop_reader_number(r, "$", object, "window", 0, DBL_MAX)};
    } else {
        hitop_reader_known(r, "$", object, of_point);
        f.point = (struct hitop_point){
            .bytes = hitop_reader_size(r, "$", object, "bytes"),
            .seconds = hitop_reader_number(r, "$", object, "seconds", 0, DBL_MAX),
            .se = hitop_reader_number(r, "$", object, "se", 0, DBL_MAX),
            .lo = read_bound(r, object, "lo", -INFINITY),
            .hi = read_bound(r, object, "hi", INFINITY),
            .nsamples = hitop_reader_int(r, "$", object, "n", 0, INT_MAX),
            .converged = read_truth(r, object, "converged")};
    }
    if (r->status == HITOP_OK && taker->find) {
        r->status = taker->find(taker->data, &f, reason);
    }
}

enum hitop_status hitop_journal_read_record(const struct journal_line *line,
                                            const struct hitop_journal_taker *taker,
                                            struct hitop_diag *diag)
{
    struct reader r;
    struct hitop_diag reason = HITOP_DIAG_INIT;
    json_t *object = parse(&r, line, diag);

    if (object && json_object_get(object, FOUND)) {
        give_finding(&r, object, taker, &reason);
    } else if (object) {
        give_batch(&r, object, taker, &reason);
    }
    if (r.status != HITOP_OK &&
        reason.message[0]) { /* the message of the taker has no file and line */
        (void)hitop_fail(diag, r.status, "%s: %.400s", line->where, reason.message);
    }
    json_decref(object);
    return r.status;
}

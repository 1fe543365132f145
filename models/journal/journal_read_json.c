/* SPDX-License-Identifier: BSD-3-Clause */
/* journal_read_json.c - lines of a journal, refused unless every member is as it must be. */
#include <config.h>

#include "models/journal/journal_finding_json.h"

#include "src/draft_json.h"

#include <float.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int hitop_journal_is_torn_header(const char *text, size_t length)
{
    static const char beginning[] = "{\"format\":\"" JOURNAL_FORMAT "\"";
    const size_t known = sizeof(beginning) - 1;

    return memcmp(text, beginning, length < known ? length : known) == 0;
}

/* The object of a line; NULL on failure. */
static json_t *parse(struct reader *r, const struct journal_line *line)
{
    json_error_t error;
    json_t *object = json_loadb(line->text, line->length, JSON_REJECT_DUPLICATES, &error);

    if (!object) {
        r->status =
            hitop_fail(r->diag, HITOP_ERR_FORMAT, "%s:%d: %s", r->file, error.column, error.text);
    } else if (!json_is_object(object)) {
        hitop_reader_fail(r, "$", "must be an object, not %s",
                          hitop_reader_type_name(json_typeof(object)));
    }
    return object;
}

/* Two long texts differ: quote them from shortly before that on. */
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

static void compare_hosts(struct reader *r, const json_t *then,
                          const struct hitop_journal_header *now)
{
    const size_t n = json_array_size(then);
    char path[READER_PATH_MAX];

    if (r->status == HITOP_OK && n != (size_t)now->nranks) {
        hitop_reader_fail(
            r, "$.hosts",
            "%zu ranks in the journal are %d in this run; remove the journal to begin anew", n,
            now->nranks);
    }
    for (size_t i = 0; r->status == HITOP_OK && i < n; i++) {
        compare_text(r, hitop_reader_item("$.hosts", i, path), json_array_get(then, i),
                     now->hosts[i]);
    }
}

/* Members, whatever they are; hosts and version are what depends on. */
static const json_t *read_members(struct reader *r, const json_t *object)
{
    const json_t *hosts;
    char path[READER_PATH_MAX];

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
    return hosts;
}

enum hitop_status hitop_journal_read_header(const struct journal_line *line,
                                            const struct hitop_journal_header *header, int anyway,
                                            struct hitop_diag *diag)
{
    static const char *const known[] = {"format", "version",       "tool",           "mpi", "seed",
                                        "hosts",  "configuration", JOURNAL_CHECKSUM, NULL};
    struct reader r = {.file = line->where, .diag = diag, .status = HITOP_OK};
    json_t *object = parse(&r, line);
    const json_t *hosts = NULL;

    if (r.status == HITOP_OK) {
        hitop_reader_known(&r, "$", object, known);
        hosts = read_members(&r, object);
    }
    if (r.status == HITOP_OK && !anyway) {
        compare_text(&r, "$.configuration", json_object_get(object, "configuration"),
                     header->configuration);
        compare_text(&r, "$.mpi", json_object_get(object, "mpi"), header->mpi);
        compare_hosts(&r, hosts, header);
    }
    json_decref(object);
    return r.status;
}

/* Samples to be freed; NULL on failure. */
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

static void read_batch(struct reader *r, const json_t *object, struct hitop_batch *batch)
{
    const char *name = hitop_reader_string(r, "$", object, "experiment");
    struct hitop_diag reason = HITOP_DIAG_INIT;

    if (r->status == HITOP_OK && hitop_experiment_find(name, &batch->what, &reason) != HITOP_OK) {
        hitop_reader_fail(r, "$.experiment", "%.200s", reason.message);
    }
    batch->part = hitop_reader_string(r, "$", object, "part");
    if (r->status == HITOP_OK && !batch->part[0]) {
        hitop_reader_fail(r, "$.part", "is empty");
    }
    batch->link = hitop_reader_int(r, "$", object, "link", 0, INT_MAX);
    batch->bytes = hitop_reader_size(r, "$", object, "bytes");
    batch->take = hitop_reader_int(r, "$", object, "take", 0, INT_MAX);
    batch->block = hitop_reader_int(r, "$", object, "block", 0, INT_MAX);
    batch->batch = hitop_reader_int(r, "$", object, "batch", 1, INT_MAX);
}

static void give_batch(struct reader *r, json_t *object, const struct hitop_journal_taker *taker,
                       struct hitop_diag *reason)
{
    static const char *const known[] = {"part",  "link",  "experiment", "bytes",          "take",
                                        "block", "batch", "samples",    JOURNAL_CHECKSUM, NULL};
    struct hitop_batch batch = {0};
    double *samples;

    hitop_reader_known(r, "$", object, known);
    read_batch(r, object, &batch);
    samples = read_samples(r, object, &batch.n);
    if (r->status == HITOP_OK) {
        batch.samples = samples;
        r->status = taker->take(taker->data, &batch, reason);
    }
    free(samples);
}

static void give_finding(struct reader *r, json_t *object, const struct hitop_journal_taker *taker,
                         struct hitop_diag *reason)
{
    struct hitop_finding finding;

    hitop_journal_read_finding(r, object, &finding);
    if (r->status == HITOP_OK && taker->find) {
        r->status = taker->find(taker->data, &finding, reason);
    }
}

enum hitop_status hitop_journal_read_record(const struct journal_line *line,
                                            const struct hitop_journal_taker *taker,
                                            struct hitop_diag *diag)
{
    struct reader r = {.file = line->where, .diag = diag, .status = HITOP_OK};
    struct hitop_diag reason = HITOP_DIAG_INIT;
    json_t *object = parse(&r, line);

    if (r.status == HITOP_OK && json_object_get(object, JOURNAL_FINDING)) {
        give_finding(&r, object, taker, &reason);
    } else if (r.status == HITOP_OK) {
        give_batch(&r, object, taker, &reason);
    }
    if (r.status != HITOP_OK && reason.message[0]) { /* the taker does not know the line */
        (void)hitop_fail(diag, r.status, "%s: %.400s", line->where, reason.message);
    }
    json_decref(object);
    return r.status;
}

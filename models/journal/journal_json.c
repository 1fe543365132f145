/* SPDX-License-Identifier: BSD-3-Clause */
/* journal_json.c - records of a journal as text. */
#include <config.h>

#include "models/journal/journal_finding_json.h"

#include "src/draft_json.h"

#include <math.h>
#include <stdint.h>

enum hitop_status hitop_journal_check_header(const struct hitop_journal_header *header,
                                             struct hitop_diag *diag)
{
    if (header->nranks < 1) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "journal: %d ranks, must be 1 or more",
                          header->nranks);
    }
    if (header->seed > INT64_MAX) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "journal: seed %llu is greater than %lld",
                          header->seed, (long long)INT64_MAX);
    }
    return HITOP_OK;
}

static enum hitop_status check_least(const char *what, int value, int least,
                                     struct hitop_diag *diag)
{
    return value >= least ? HITOP_OK
                          : hitop_fail(diag, HITOP_ERR_INVALID,
                                       "journal: %s is %d, must be %d or more", what, value, least);
}

enum hitop_status hitop_journal_check_batch(const struct hitop_batch *batch,
                                            struct hitop_diag *diag)
{
    const struct {
        const char *what;
        int value, least;
    } counts[] = {{"link", batch->link, 0},
                  {"take", batch->take, 0},
                  {"block", batch->block, 0},
                  {"batch", batch->batch, 1},
                  {"number of samples", batch->n, 1}};
    enum hitop_status status = HITOP_OK;

    for (size_t i = 0; status == HITOP_OK && i < sizeof(counts) / sizeof(counts[0]); i++) {
        status = check_least(counts[i].what, counts[i].value, counts[i].least, diag);
    }
    if (status != HITOP_OK) {
        return status;
    }
    if (batch->n > HITOP_BATCH_MAX_SAMPLES || batch->bytes > INT64_MAX || !batch->part[0] ||
        !hitop_experiment_name(batch->what)) {
        return hitop_fail(
            diag, HITOP_ERR_INVALID,
            "journal: no batch has part '%.40s', experiment %d, %zu bytes and %d samples",
            batch->part, (int)batch->what, batch->bytes, batch->n);
    }
    for (int i = 0; i < batch->n; i++) {
        if (!isfinite(batch->samples[i])) {
            return hitop_fail(diag, HITOP_ERR_INVALID, "journal: sample %d is %g, must be finite",
                              i, batch->samples[i]);
        }
    }
    return HITOP_OK;
}

/* Numbers with all digits that distinguish them from their neighbours. */
static char *text_of(json_t *value)
{
    char *text = value ? json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;

    json_decref(value);
    return text;
}

char *hitop_journal_header_record(const struct hitop_journal_header *header)
{
    struct draft draft = {.value = json_object()};
    json_t *hosts = json_array();

    for (int rank = 0; rank < header->nranks; rank++) {
        draft.incomplete |=
            json_array_append_new(hosts, hitop_draft_text(header->hosts[rank])) != 0;
    }
    draft_add(&draft, "format", json_string(JOURNAL_FORMAT));
    draft_add(&draft, "version", json_integer(JOURNAL_VERSION));
    draft_add(&draft, "tool", hitop_draft_text(header->tool));
    draft_add(&draft, "mpi", hitop_draft_text(header->mpi));
    draft_add(&draft, "seed", json_integer((json_int_t)header->seed));
    draft_add(&draft, "configuration", hitop_draft_text(header->configuration));
    draft_add(&draft, "hosts", hosts);
    return text_of(draft_finish(&draft));
}

char *hitop_journal_batch_record(const struct hitop_batch *batch)
{
    struct draft draft = {.value = json_object()};
    json_t *samples = json_array();

    for (int i = 0; i < batch->n; i++) {
        draft.incomplete |= json_array_append_new(samples, json_real(batch->samples[i])) != 0;
    }
    draft_add(&draft, "part", hitop_draft_text(batch->part));
    draft_add(&draft, "link", json_integer(batch->link));
    draft_add(&draft, "experiment", json_string(hitop_experiment_name(batch->what)));
    draft_add(&draft, "bytes", json_integer((json_int_t)batch->bytes));
    draft_add(&draft, "take", json_integer(batch->take));
    draft_add(&draft, "block", json_integer(batch->block));
    draft_add(&draft, "batch", json_integer(batch->batch));
    draft_add(&draft, "samples", samples);
    return text_of(draft_finish(&draft));
}

char *hitop_journal_finding_record(const struct hitop_finding *finding)
{
    return text_of(hitop_journal_finding_value(finding));
}

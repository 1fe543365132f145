/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_journal.c - samples and findings go to a journal, and come from that of an earlier run. */
#include <config.h>

#include "tools/measure/measure.h"
#include "tools/measure/measure_known.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct measure_journal {
    struct hitop_journal *file;
    struct measure_known known;
};

/* A number for a list of links: another list has another one. FNV-1a. */
static uint64_t fingerprint(const struct measure_part *part)
{
    uint64_t sum = 0xcbf29ce484222325u;

    for (int i = 0; i < part->nlinks; i++) {
        const struct hitop_link *l = &part->links[i];
        const int parts[] = {l->node,       l->rank[0], l->rank[1], l->between[0],
                             l->between[1], l->third,   l->round};
        for (size_t k = 0; k < sizeof(parts) / sizeof(parts[0]); k++) {
            for (int shift = 0; shift < 32; shift += 8) {
                sum = (sum ^ (((unsigned)parts[k] >> shift) & 0xff)) * 0x100000001b3u;
            }
        }
    }
    return sum;
}

static void put_part(FILE *to, const struct measure_part *part)
{
    const struct hitop_measure_options *o = &part->options;
    const char *separator = "=";

    if (part->nlinks == 0) {
        return;
    }
    fprintf(to, " %s=%d/%016" PRIx64 " experiments", o->part, part->nlinks, fingerprint(part));
    for (int e = 0; e < HITOP_NEXPERIMENTS; e++) {
        if (o->experiments & HITOP_SET(e)) {
            fprintf(to, "%s%s", separator, hitop_experiment_name((enum hitop_experiment)e));
            separator = ",";
        }
    }
    for (int i = 0; i < o->nsizes; i++) {
        fprintf(to, "%s%zu", i == 0 ? " sizes=" : ",", o->sizes[i]);
    }
}

/* All that decides what is measured and how; to be freed, NULL without memory. */
static char *describe(const struct measure_request *request, const struct measure_result *result,
                      int nranks)
{
    const struct hitop_measure_options *o = &request->options;
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);

    if (!to) {
        return NULL;
    }
    fprintf(to, "ranks=%d eps=%.12g confidence=%.12g samples=%d..%d parallel=%d cache=%s seed=%llu",
            nranks, o->eps, o->confidence, o->min_samples, o->max_samples, o->parallel,
            hitop_cache_name(request->cache), o->seed);
    put_part(to, &result->links);
    put_part(to, &result->triples);
    put_part(to, &result->pairs);
    if (fclose(to) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* Begin it, or read it and go on; a journal that is not there yet is begun in either case. */
static enum hitop_status begin(struct measure_journal *journal,
                               const struct measure_run_request *request,
                               const struct hitop_journal_header *header, struct hitop_diag *diag)
{
    const struct hitop_journal_taker taker = {
        .take = measure_known_take, .find = measure_known_find, .data = &journal->known};

    if (!request->resume || access(request->journal, F_OK) != 0) {
        return hitop_journal_create(request->journal, header, &journal->file, diag);
    }
    return hitop_journal_resume(request->journal, header, request->resume_anyway, &taker,
                                &journal->file, diag);
}

int measure_journal_open(struct measure_run *run, const struct measure_result *result,
                         const char *const *hosts, int nranks, const char *mpi)
{
    const struct measure_request *request = run->request;
    struct hitop_journal_header header = {
        .hosts = hosts, .nranks = nranks, .mpi = mpi, .seed = request->options.seed};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    enum hitop_status status;
    char name[64];
    char *configuration;

    if (!request->run.journal) {
        return TOOL_DONE;
    }
    (void)snprintf(name, sizeof(name), "%s %s", run->tool->name, PACKAGE_VERSION);
    header.tool = name;
    header.configuration = configuration = describe(request, result, nranks);
    run->journal = calloc(1, sizeof(*run->journal));
    status = run->journal && configuration
                 ? begin(run->journal, &request->run, &header, &diag)
                 : hitop_fail(&diag, HITOP_ERR_NOMEM, "out of memory for a journal");
    free(configuration);
    if (status != HITOP_OK) {
        (void)measure_journal_close(run);
        return tool_fail(run->tool, status, &diag);
    }
    if (request->run.resume && !request->quiet) {
        const struct measure_known *known = &run->journal->known;
        char findings[32] = "";
        if (known->nfindings > 0) {
            (void)snprintf(findings, sizeof(findings), ", and %d findings", known->nfindings);
        }
        tool_error(run->tool, "%s: %d batches of samples are known%s", request->run.journal,
                   known->nbatches, findings);
    }
    return TOOL_DONE;
}

int measure_journal_close(struct measure_run *run)
{
    struct measure_journal *journal = run->journal;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    enum hitop_status status;

    if (!journal) {
        return TOOL_DONE;
    }
    status = hitop_journal_close(journal->file, &diag);
    measure_known_clear(&journal->known);
    free(journal);
    run->journal = NULL;
    return status == HITOP_OK ? TOOL_DONE : tool_fail(run->tool, status, &diag);
}

static enum hitop_status keep(void *data, const struct hitop_batch *batch, struct hitop_diag *diag)
{
    struct measure_journal *journal = data;
    enum hitop_status status = hitop_journal_append(journal->file, batch, diag);

    return status == HITOP_OK ? hitop_journal_flush(journal->file, diag) : status;
}

void measure_journal_join(const struct measure_run *run, struct hitop_measure_options *options)
{
    const struct measure_journal *journal = run->journal;

    if (!run->request->run.journal) {
        return;
    }
    options->keep = keep;
    options->keep_data = run->journal;
    options->known = journal ? measure_known_part(&journal->known, options->part) : NULL;
}

const struct hitop_finding *measure_journal_findings(const struct measure_run *run, int *n)
{
    *n = run->journal ? run->journal->known.nfindings : 0;
    return run->journal ? run->journal->known.finding : NULL;
}

enum hitop_status measure_journal_find(void *data, const struct hitop_finding *finding,
                                       struct hitop_diag *diag)
{
    const struct measure_run *run = data;
    struct measure_journal *journal = run->journal;
    enum hitop_status status =
        journal ? hitop_journal_append_finding(journal->file, finding, diag) : HITOP_OK;

    return journal && status == HITOP_OK ? hitop_journal_flush(journal->file, diag) : status;
}

int measure_journal_nknown(const struct measure_run *run)
{
    return run->journal ? run->journal->known.nbatches : 0;
}

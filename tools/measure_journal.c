/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_journal.c - samples go to a journal, and come from that of an earlier run. */
#include <config.h>

#include "measure_request.h"

#include "hitop/journal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_PARTS = 8 };

struct measure_journal {
    struct hitop_journal *file;
    struct {
        char *name;
        struct hitop_batches *batches;
    } part[MAX_PARTS]; /* what earlier runs measured */
    int nparts, nknown;
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

/* The list of a part, made when it is first heard of; NULL when there are too many. */
static struct hitop_batches *find_part(struct measure_journal *journal, const char *name)
{
    int i = 0;

    while (i < journal->nparts && strcmp(journal->part[i].name, name) != 0) {
        i++;
    }
    if (i == MAX_PARTS) {
        return NULL;
    }
    if (i == journal->nparts) {
        journal->part[i].name = strdup(name);
        journal->part[i].batches = hitop_batches_new();
        if (!journal->part[i].name || !journal->part[i].batches) {
            free(journal->part[i].name);
            hitop_batches_free(journal->part[i].batches);
            return NULL;
        }
        journal->nparts++;
    }
    return journal->part[i].batches;
}

static enum hitop_status take(void *data, const struct hitop_batch *batch, struct hitop_diag *diag)
{
    struct measure_journal *journal = data;
    struct hitop_batches *list = find_part(journal, batch->part);

    if (!list) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "no memory for part '%.40s'", batch->part);
    }
    journal->nknown++;
    return hitop_batches_add(list, batch, diag);
}

/* Begin it, or read it and go on; a journal that is not there yet is begun in either case. */
static enum hitop_status begin(struct measure_journal *journal,
                               const struct measure_run_request *request,
                               const struct hitop_journal_header *header, struct hitop_diag *diag)
{
    const struct hitop_journal_taker taker = {.take = take, .data = journal};

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
        tool_error(run->tool, "%s: %d batches of samples are known", request->run.journal,
                   run->journal->nknown);
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
    for (int i = 0; i < journal->nparts; i++) {
        free(journal->part[i].name);
        hitop_batches_free(journal->part[i].batches);
    }
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
    for (int i = 0; journal && i < journal->nparts; i++) {
        if (strcmp(journal->part[i].name, options->part) == 0) {
            options->known = journal->part[i].batches;
        }
    }
}

int measure_journal_nknown(const struct measure_run *run)
{
    return run->journal ? run->journal->nknown : 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * campaign_journal.c - write samples and findings to a journal, and read those of an earlier run.
 */
#include <config.h>

#include "models/campaign/campaign_impl.h"
#include "src/grow.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_PARTS = 8 };

struct hitop_campaign_journal {
    struct hitop_journal *file;
    struct {
        char *name;
        struct hitop_batches *batches;
    } part[MOST_PARTS]; /* of earlier runs */
    int nparts, nbatches;
    struct hitop_finding *finding; /* of earlier runs */
    int nfindings, capacity;
};

/* A hash of a list of links (FNV-1a). */
static uint64_t fingerprint(const struct hitop_campaign_part *part)
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

static void put_part(FILE *to, const struct hitop_campaign_part *part)
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

/* Describe what is measured and how; for free(), NULL without memory. */
static char *describe(const struct hitop_campaign *c, enum hitop_cache cache)
{
    const struct hitop_measure_options *o = &c->request->options;
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);

    if (!to) {
        return NULL;
    }
    fprintf(to, "ranks=%d eps=%.12g confidence=%.12g samples=%d..%d parallel=%d cache=%s seed=%llu",
            hitop_hierarchy_nranks(c->h), o->eps, o->confidence, o->min_samples, o->max_samples,
            o->parallel, hitop_cache_name(cache), o->seed);
    put_part(to, &c->links);
    put_part(to, &c->triples);
    put_part(to, &c->pairs);
    if (fclose(to) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* The index of a part; nparts where there is none. */
static int find_part(const struct hitop_campaign_journal *j, const char *name)
{
    int i = 0;

    while (i < j->nparts && strcmp(j->part[i].name, name) != 0) {
        i++;
    }
    return i;
}

/* Keep a batch of an earlier run. The first one of a part creates its list. */
static enum hitop_status take_batch(void *data, const struct hitop_batch *batch,
                                    struct hitop_diag *diag)
{
    struct hitop_campaign_journal *j = data;
    const int i = find_part(j, batch->part);

    if (i == j->nparts && i < MOST_PARTS) {
        j->part[i].name = strdup(batch->part);
        j->part[i].batches = hitop_batches_new();
        j->nparts++;
    }
    if (i == MOST_PARTS || !j->part[i].name || !j->part[i].batches) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "no memory for part '%.40s'", batch->part);
    }
    j->nbatches++;
    return hitop_batches_add(j->part[i].batches, batch, diag);
}

static enum hitop_status take_finding(void *data, const struct hitop_finding *finding,
                                      struct hitop_diag *diag)
{
    struct hitop_campaign_journal *j = data;

    if (!HITOP_GROW(j->finding, j->nfindings, j->capacity)) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "no memory for more than %d findings",
                          j->nfindings);
    }
    j->finding[j->nfindings++] = *finding;
    return HITOP_OK;
}

/* Create the journal, or resume it if it exists. */
static enum hitop_status begin(struct hitop_campaign_journal *j,
                               const struct hitop_campaign_file *file,
                               const struct hitop_journal_header *header, struct hitop_diag *diag)
{
    const struct hitop_journal_taker taker = {.take = take_batch, .find = take_finding, .data = j};

    return file->resume && access(file->path, F_OK) == 0
               ? hitop_journal_resume(file->path, header, file->anyway, &taker, &j->file, diag)
               : hitop_journal_create(file->path, header, &j->file, diag);
}

enum hitop_status hitop_campaign_journal_open(struct hitop_campaign *c,
                                              const struct hitop_campaign_file *file,
                                              struct hitop_diag *diag)
{
    char *configuration = describe(c, file->cache);
    const struct hitop_journal_header header = {.configuration = configuration,
                                                .hosts = file->hosts,
                                                .nranks = hitop_hierarchy_nranks(c->h),
                                                .mpi = file->mpi,
                                                .tool = file->tool,
                                                .seed = c->request->options.seed};
    enum hitop_status status;

    c->journal = calloc(1, sizeof(*c->journal));
    status = c->journal && configuration
                 ? begin(c->journal, file, &header, diag)
                 : hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory for a journal");
    free(configuration);
    if (status != HITOP_OK) {
        (void)hitop_campaign_journal_close(c, NULL);
    }
    return status;
}

enum hitop_status hitop_campaign_journal_close(struct hitop_campaign *c, struct hitop_diag *diag)
{
    struct hitop_campaign_journal *j = c->journal;
    enum hitop_status status;

    if (!j) {
        return HITOP_OK;
    }
    status = hitop_journal_close(j->file, diag);
    for (int i = 0; i < j->nparts; i++) {
        free(j->part[i].name);
        hitop_batches_free(j->part[i].batches);
    }
    free(j->finding);
    free(j);
    c->journal = NULL;
    return status;
}

static enum hitop_status keep(void *data, const struct hitop_batch *batch, struct hitop_diag *diag)
{
    struct hitop_campaign_journal *j = data;
    const enum hitop_status status = hitop_journal_append(j->file, batch, diag);

    return status == HITOP_OK ? hitop_journal_flush(j->file, diag) : status;
}

void hitop_campaign_join(const struct hitop_campaign *c, struct hitop_measure_options *options)
{
    const struct hitop_campaign_journal *j = c->journal;
    const int i = j ? find_part(j, options->part) : 0;

    if (c->request->keeps_samples) {
        options->keep = keep;
        options->keep_data = c->journal;
        options->known = j && i < j->nparts ? j->part[i].batches : NULL;
    }
}

struct hitop_finding *hitop_campaign_findings(const struct hitop_campaign *c, int *n)
{
    *n = c->journal ? c->journal->nfindings : 0;
    return c->journal ? c->journal->finding : NULL;
}

enum hitop_status hitop_campaign_add_finding(void *data, const struct hitop_finding *finding,
                                             struct hitop_diag *diag)
{
    const struct hitop_campaign *c = data;
    const enum hitop_status status =
        c->journal ? hitop_journal_append_finding(c->journal->file, finding, diag) : HITOP_OK;

    return c->journal && status == HITOP_OK ? hitop_journal_flush(c->journal->file, diag) : status;
}

void hitop_campaign_known(const struct hitop_campaign *c, int *nbatches, int *nfindings)
{
    *nbatches = c->journal ? c->journal->nbatches : 0;
    *nfindings = c->journal ? c->journal->nfindings : 0;
}

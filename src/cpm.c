/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cpm.c - read the names of CPM and MPIBlib.
 *
 * Idea:  a name is MODEL_Operation_algorithm, of which each part may be missing. Three tables have
 *        the words of the parts; names are not listed.
 */
#include <config.h>

#include "hitop/cpm.h"
#include "hitop/text.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

struct word {
    const char *cpm, *present;
};

/* The first four have all algorithms in CPM, LMO only split_flat. */
enum { NMODELS = 4 };

static const struct word models[] = {{"Hockney", "hockney"}, {"LinInterp", "lininterp"},
                                     {"LogGP", "loggp"},     {"PLogP", "plogp"},
                                     {"LMO", "lmo"},         {NULL, NULL}};

/* Prefixes without a model. */
enum { ANY_MODEL, NO_MODEL };

static const struct word others[] = {
    [ANY_MODEL] = {"CPM", NULL}, [NO_MODEL] = {"MPIB", NULL}, {NULL, NULL}};

/* The last two have blocks of different lengths. */
enum { NOPERATIONS = 6, NEVEN = 4, SCATTER = 2, GATHERV = 5 };

static const struct word operations[] = {
    {"Bcast", "bcast"},   {"Reduce", "reduce"},     {"Scatter", "scatter"},
    {"Gather", "gather"}, {"Scatterv", "scatterv"}, {"Gatherv", "gatherv"},
    {NULL, NULL}};

/*
 * Six algorithms for all operations, three more for those with blocks of different lengths. Gathers
 * of Hitop and CPM receive in the reverse order of scatters, those of MPIBlib in the order of the
 * name, so that its gatherv "asc" is flat_dsc.
 */
enum { NBINOMIAL = 6, NTREES = 9, FLAT_ASC = 6, FLAT_DSC = 7, TRAFF = 8, SPLIT = 9 };

static const struct word algorithms[] = {{"dfs_binomial_min", "dfs_min"},
                                         {"dfs_binomial_max", "dfs_max"},
                                         {"bfs_binomial_min", "bfs_min"},
                                         {"bfs_binomial_max", "bfs_max"},
                                         {"ucs_binomial_min", "ucs_min"},
                                         {"ucs_binomial_max", "ucs_max"},
                                         [FLAT_ASC] = {"sorted_flat_asc", "flat_asc"},
                                         [FLAT_DSC] = {"sorted_flat_dsc", "flat_dsc"},
                                         [TRAFF] = {"Traff", "traff_model"},
                                         [SPLIT] = {"split_flat", "split"},
                                         {"binomial", "binomial"},
                                         {"flat", "flat"},
                                         {"flat_nb", "flat"},
                                         {"linear", "flat"},
                                         {NULL, NULL}};

_Static_assert(NMODELS *(NOPERATIONS *NBINOMIAL + (NOPERATIONS - NEVEN) * (NTREES - NBINOMIAL)) +
                       2 ==
                   HITOP_CPM_NOPERATIONS,
               "as CPM has them");

/* Algorithms that Hitop does not have by this name, and what to use. */
static const struct word missing[] = {
    {"dfs_binomial", "CPM passes the strategy as an argument; use dfs_min or dfs_max"},
    {"bfs_binomial", "CPM passes the strategy as an argument; use bfs_min or bfs_max"},
    {"ucs_binomial", "CPM passes the strategy as an argument; use ucs_min or ucs_max"},
    {"sorted_flat", "CPM passes the order as an argument; use flat_asc or flat_dsc"},
    {"flat_rsend", "Hitop has no ready sends; use flat"},
    {"flat_sync", "Hitop has no gather that waits before each message until its receiver is ready; "
                  "use flat, or split, which sends pieces of at most 'piece' bytes"},
    {"sorted_binomial_asc", "no binomial tree is sorted by counts; use traff"},
    {"sorted_binomial_dsc", "no binomial tree is sorted by counts; use traff"},
    {NULL, NULL}};

/* The word that is the whole text. */
static const struct word *find_whole(const struct word *words, const char *text)
{
    while (words->cpm && strcasecmp(words->cpm, text) != 0) {
        words++;
    }
    return words->cpm ? words : NULL;
}

/* The word with which *text begins, up to an '_' or the end; *text becomes the rest. */
static const struct word *take(const struct word *words, const char **text)
{
    const size_t length = strcspn(*text, "_");

    for (; words->cpm; words++) {
        if (strlen(words->cpm) == length && strncasecmp(words->cpm, *text, length) == 0) {
            *text += length + ((*text)[length] == '_');
            return words;
        }
    }
    return NULL;
}

/* 1: what follows a model is the end, or the name of CPM's structures. */
static int is_model_only(const char *rest)
{
    return !rest[0] || strcasecmp(rest, "model") == 0 || strcasecmp(rest, "p2p_model") == 0;
}

static enum hitop_status unserved(const char *name, const char *why, struct hitop_diag *diag)
{
    return hitop_fail(diag, HITOP_ERR_UNSUPPORTED, "'%.64s' is a name of CPM and MPIBlib: %s", name,
                      why);
}

/* The word that a misspelled part is nearest to, or that of earlier words; NULL: none is near. */
static const char *find_nearest(const struct word *words, const char *part, const char *best)
{
    for (; words->cpm; words++) {
        best = hitop_text_nearer(part, words->cpm, best);
    }
    return best;
}

/* A name with one of the prefixes whose next part, with which the rest begins, is no word. */
static enum hitop_status wrong_part(const char *name, const struct word *words, const char *rest,
                                    struct hitop_diag *diag)
{
    const int is_operation = words == operations;
    char valid[256] = "", part[64], meant[64];

    (void)snprintf(part, sizeof(part), "%.*s",
                   (int)(is_operation ? strcspn(rest, "_") : strlen(rest)), rest);
    hitop_text_meant(find_nearest(words, part, NULL), meant, sizeof(meant));
    for (; words->cpm; words++) {
        hitop_text_list_name(valid, sizeof(valid), words->cpm);
    }
    return hitop_fail(diag, HITOP_ERR_UNSUPPORTED,
                      "'%.64s' is no name of CPM or MPIBlib%s; their %s: %s", name, meant,
                      is_operation ? "operations" : "algorithms", valid);
}

/*
 * A name without one of the prefixes: a failure if its second and third part are of CPM and the
 * first one is similar to a prefix, other than MPI itself.
 */
static enum hitop_status misspelled_prefix(const char *name, struct hitop_diag *diag)
{
    const size_t length = strcspn(name, "_");
    const char *rest = name + length + (name[length] == '_'), *nearest;
    const char *const after = rest;
    char prefix[64], all[128], meant[160];

    (void)snprintf(prefix, sizeof(prefix), "%.*s", (int)length, name);
    if (strcasecmp(prefix, "MPI") == 0 || !take(operations, &rest) ||
        !(find_whole(algorithms, rest) || find_whole(missing, rest))) {
        return HITOP_ERR_NOTFOUND;
    }
    nearest = find_nearest(others, prefix, find_nearest(models, prefix, NULL));
    if (!nearest) {
        return HITOP_ERR_NOTFOUND;
    }
    (void)snprintf(all, sizeof(all), "%s_%s", nearest, after);
    hitop_text_meant(all, meant, sizeof(meant));
    return hitop_fail(diag, HITOP_ERR_UNSUPPORTED, "'%.64s' is no name of CPM or MPIBlib%s", name,
                      meant);
}

/* The algorithm for an operation and a prefix that is not a model. */
static const char *present_of(const struct word *algorithm, const struct word *operation,
                              const struct word *other)
{
    const int is_mpib = other == &others[NO_MODEL];
    const ptrdiff_t i = algorithm - algorithms;

    if (is_mpib && i == TRAFF) { /* goes by sizes of blocks, CPM's by times */
        return "traff";
    }
    if (is_mpib && (i == FLAT_ASC || i == FLAT_DSC) && operation == &operations[GATHERV]) {
        return algorithms[i == FLAT_ASC ? FLAT_DSC : FLAT_ASC].present;
    }
    return algorithm->present;
}

enum hitop_status hitop_cpm_find(const char *name, struct hitop_cpm_name *out,
                                 struct hitop_diag *diag)
{
    const char *rest = name;
    const struct word *model = take(models, &rest);
    const struct word *other = model ? NULL : take(others, &rest);
    const struct word *operation, *algorithm, *lacking;

    *out = (struct hitop_cpm_name){NULL, NULL, NULL};
    if (!name[0] || name[strlen(name) - 1] == '_') {
        return HITOP_ERR_NOTFOUND;
    }
    if (model && is_model_only(rest)) {
        out->model = model->present;
        return HITOP_OK;
    }
    operation = take(operations, &rest);
    algorithm = find_whole(algorithms, rest);
    lacking = find_whole(missing, rest);
    if (lacking) {
        return unserved(name, lacking->present, diag);
    }
    if (other == &others[NO_MODEL] && strcasecmp(rest, "Comm_dup_free") == 0) {
        return unserved(name, "Hitop does not time copies of communicators", diag);
    }
    if (!algorithm && rest[0] && (model || other)) {
        return wrong_part(name, operation ? algorithms : operations, rest, diag);
    }
    if (!algorithm && (!operation || !(model || other))) {
        return misspelled_prefix(name, diag);
    }
    if (algorithm == &algorithms[SPLIT] && operation && operation < &operations[SCATTER]) {
        return hitop_fail(diag, HITOP_ERR_UNSUPPORTED,
                          "'%.64s' is no name of CPM or MPIBlib: only scatters and gathers are "
                          "split; use flat",
                          name);
    }
    out->model = model ? model->present : NULL;
    out->operation = operation ? operation->present : NULL;
    out->algorithm = algorithm ? present_of(algorithm, operation, other) : NULL;
    return HITOP_OK;
}

void hitop_cpm_operation(int index, char *name, size_t length, struct hitop_cpm_name *out)
{
    const int uneven = NTREES - NBINOMIAL, binomial = NOPERATIONS * NBINOMIAL;
    const int each = binomial + (NOPERATIONS - NEVEN) * uneven;
    const int m = index / each, rest = index % each, more = rest - binomial;
    const int o = more < 0 ? rest / NBINOMIAL : NEVEN + more / uneven;
    const int a = more < 0 ? rest % NBINOMIAL : NBINOMIAL + more % uneven;
    const int is_lmo = m >= NMODELS;
    const struct word *const model = &models[is_lmo ? NMODELS : m];
    const struct word *const operation = &operations[is_lmo ? 2 + rest % 2 : o];
    const struct word *const algorithm = &algorithms[is_lmo ? SPLIT : a];

    (void)snprintf(name, length, "%s_%s_%s", model->cpm, operation->cpm, algorithm->cpm);
    if (out) {
        *out = (struct hitop_cpm_name){model->present, operation->present, algorithm->present};
    }
}

/* Reports. */

static void (*_Atomic watcher)(void *self, const char *line);
static void *_Atomic watcher_self;

void hitop_cpm_watch(void (*note)(void *self, const char *line), void *self)
{
    atomic_store(&watcher_self, self);
    atomic_store(&watcher, note);
}

int hitop_cpm_is_watched(void)
{
    return atomic_load(&watcher) != NULL;
}

/* 1: the first report of a name. Past 64 names each report counts as the first. */
static int is_first(const char *name)
{
    static _Atomic uint64_t seen[64];
    uint64_t hash = 14695981039346656037u; /* FNV-1a */

    for (const char *c = name; *c; c++) {
        hash = (hash ^ (unsigned char)*c) * 1099511628211u;
    }
    for (size_t i = 0; i < sizeof(seen) / sizeof(seen[0]); i++) {
        uint64_t was = 0;
        if (atomic_compare_exchange_strong(&seen[i], &was, hash)) {
            return 1;
        }
        if (was == hash) {
            return 0;
        }
    }
    return 1;
}

void hitop_cpm_report(const char *name, const struct hitop_cpm_name *found)
{
    void (*const note)(void *self, const char *line) = atomic_load(&watcher);
    const int is_model = !found->operation && !found->algorithm;
    char line[256];

    if (!note || !is_first(name)) {
        return;
    }
    (void)snprintf(
        line, sizeof(line), "'%.64s' is a name of %s; the present name is '%s%s%s'%s%s%s", name,
        strncasecmp(name, "MPIB", 4) == 0 ? "MPIBlib" : "CPM",
        is_model           ? found->model
        : found->operation ? found->operation
                           : "",
        found->operation && found->algorithm ? "/" : "", found->algorithm ? found->algorithm : "",
        is_model || !found->model ? "" : ", with a model '",
        is_model || !found->model ? "" : found->model, is_model || !found->model ? "" : "'");
    note(atomic_load(&watcher_self), line);
}

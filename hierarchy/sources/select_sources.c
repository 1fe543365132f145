/* SPDX-License-Identifier: BSD-3-Clause */
/* select_sources.c - select and run the sources of each layer. */
#include <config.h>

#include "hierarchy/hostlist/host_match.h"
#include "hierarchy/tree/group_impl.h"

#include "hitop/input.h"
#include "hitop/text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A source that will run, with the file that it reads. */
struct query {
    const struct hitop_source *source;
    const char *file;
    double priority;
    int order;
};

/* Limit of both tables together. */
enum { MAX_SOURCES = 64 };

/* List the sources of both tables; returns their number. */
static int list_sources(const struct hitop_grouping *how, const struct hitop_source **list)
{
    int n = 0;

    for (const struct hitop_source *const *s = hitop_sources(); *s && n < MAX_SOURCES; s++) {
        list[n++] = *s;
    }
    for (const struct hitop_source *const *s = how->more; s && *s && n < MAX_SOURCES; s++) {
        list[n++] = *s;
    }
    return n;
}

static const struct hitop_source *find(const struct hitop_source *const *list, int n,
                                       const char *name)
{
    for (int i = 0; i < n; i++) {
        if (strcmp(list[i]->name, name) == 0) {
            return list[i];
        }
    }
    return NULL;
}

enum hitop_status hitop_check_sources(const struct hitop_grouping *how, struct hitop_diag *diag)
{
    const struct hitop_source *list[MAX_SOURCES];
    const int n = list_sources(how, list);
    char valid[256] = "";

    for (int i = 0; i < n; i++) {
        hitop_text_list_name(valid, sizeof(valid), list[i]->name);
    }
    for (int i = 0; i < how->nonly + how->nfiles; i++) {
        const char *name = i < how->nonly ? how->only[i] : how->files[i - how->nonly].source;
        if (!find(list, n, name)) {
            return hitop_fail(diag, HITOP_ERR_NOTFOUND, "no source '%s'; there are %s", name,
                              valid);
        }
    }
    return HITOP_OK;
}

static const char *named_file(const struct hitop_grouping *how, const struct hitop_source *s)
{
    for (int i = 0; i < how->nfiles; i++) {
        if (strcmp(how->files[i].source, s->name) == 0) {
            return how->files[i].path;
        }
    }
    return NULL;
}

static const char *usual_file(const struct hitop_grouping *how, const struct hitop_source *s)
{
    for (const char *const *path = s->usual_files; how->read_usual_files && path && *path; path++) {
        if (access(*path, R_OK) == 0) {
            return *path;
        }
    }
    return NULL;
}

static int by_priority(const void *a, const void *b)
{
    const struct query *x = a, *y = b;

    if (x->priority != y->priority) {
        return x->priority > y->priority ? -1 : 1;
    }
    return (x->order > y->order) - (x->order < y->order);
}

/* List the sources of a layer by priority; returns their number. */
static int select_sources(const struct hitop_grouping *how, int layer, struct query *query)
{
    const struct hitop_source *list[MAX_SOURCES];
    const int n = list_sources(how, list);
    int count = 0;

    for (int i = 0; i < n; i++) {
        const struct hitop_source *s = list[i];
        const char *named = named_file(how, s);
        const char *file = named ? named : usual_file(how, s);
        const int is_requested = named || (s->is_requested && s->is_requested(how));
        int is_wanted = how->nonly == 0 || is_requested || s->layer == HITOP_LAYER_HOST;

        for (int k = 0; k < how->nonly; k++) {
            is_wanted = is_wanted || strcmp(how->only[k], s->name) == 0;
        }
        if ((int)s->layer == layer && is_wanted && (file || !s->option)) {
            query[count++] = (struct query){s, file, s->trust + (is_requested ? 1 : 0), i};
        }
    }
    qsort(query, (size_t)count, sizeof(*query), by_priority);
    return count;
}

/* Ignore errors in a file that the user has not named, with a warning. */
static enum hitop_status ignore_error(const struct hitop_grouping *how, const struct query *q,
                                      enum hitop_status status, struct hitop_diag *diag)
{
    const int is_fault = status == HITOP_ERR_IO || status == HITOP_ERR_FORMAT;

    if (!is_fault || named_file(how, q->source)) {
        return status;
    }
    hitop_source_warn(how, "%s; the file is ignored", diag ? diag->message : q->file);
    if (diag) {
        diag->message[0] = '\0';
    }
    return HITOP_OK;
}

/*
 * Warn about hosts that a file does not have; the next source groups them. If a file that the user
 * has named has no host of the job, it is most likely a wrong file.
 */
static void warn_about_missing(const struct hitop_source_input *in, const struct query *q,
                               const struct hitop_paths *paths)
{
    int nmissing = 0, first = 0;

    for (int i = in->nplaces - 1; i >= 0; i--) {
        nmissing += !paths->known[i];
        first = paths->known[i] ? first : i;
    }
    if (nmissing == in->nplaces) {
        if (named_file(in->how, q->source)) {
            hitop_source_warn(in->how, "%s says nothing about any of these hosts",
                              hitop_input_name(q->file));
        }
    } else if (nmissing > 0) {
        hitop_source_warn(in->how, "%s: %d of %d hosts have no place in it, the first is '%s'",
                          hitop_input_name(q->file), nmissing, in->nplaces, in->place[first].host);
    }
}

/* ---- Contradictions between sources ---- */

/*
 * Two sources agree if their groups nest: one may have switches, the other one racks of several
 * switches. They contradict each other if two groups overlap and neither contains the other, or if
 * groups of the same level have different hosts.
 */

/* The groups by one source. */
struct result {
    const char *title;        /* for messages: its file, or its name */
    struct path_claim *claim; /* per place */
};

/* Instead of the partner of a group: the group of the other source that has its hosts. */
enum { SEVERAL = -2, NONE = -1 };

static void add_partner(int *partner, int group)
{
    *partner = *partner == NONE || *partner == group ? group : SEVERAL;
}

/* Partners of the groups of all claims, NONE at first; NULL when out of memory. */
static int *make_partners(const struct path_claim *claim, int n, struct storage *scratch)
{
    int most = 0, *partner;

    for (int i = 0; i < n; i++) {
        most = claim[i].group > most ? claim[i].group : most;
    }
    if (STORAGE_ARRAY(scratch, partner, most)) {
        for (int g = 0; g <= most; g++) {
            partner[g] = NONE;
        }
    }
    return partner;
}

static int differ(const struct path_claim *a, const struct path_claim *b, int of_a, int of_b)
{
    const int is_one_level = strcmp(a->level, b->level) == 0;

    return (of_a == SEVERAL && of_b == SEVERAL) ||
           (is_one_level && (of_a == SEVERAL || of_b == SEVERAL));
}

/*
 * Warn about the first place where two sources contradict each other; the groups of the first
 * source are used.
 */
static void compare_results(const struct result *first, const struct result *second,
                            const struct hitop_source_input *in)
{
    const struct path_claim *a = first->claim, *b = second->claim;
    struct storage scratch = {0};
    int *of_a = make_partners(a, in->nplaces, &scratch);
    int *of_b = make_partners(b, in->nplaces, &scratch);

    for (int i = 0; i < in->nplaces && of_a && of_b; i++) {
        if (a[i].group >= 0 && b[i].group >= 0) {
            add_partner(&of_a[a[i].group], b[i].group);
            add_partner(&of_b[b[i].group], a[i].group);
        }
    }
    for (int i = 0; i < in->nplaces && of_a && of_b; i++) {
        if (a[i].group >= 0 && b[i].group >= 0 &&
            differ(&a[i], &b[i], of_a[a[i].group], of_b[b[i].group])) {
            hitop_source_warn(
                in->how,
                "%s and %s disagree: host '%s' is in %s '%s' of the first, in %s '%s' "
                "of the second, with other hosts; the first counts",
                first->title, second->title, in->place[i].host, a[i].level, a[i].name, b[i].level,
                b[i].name);
            break;
        }
    }
    hitop_storage_clear(&scratch);
}

/* ---- Running the sources ---- */

/* 1 for reliable and requested sources, which are compared; guesses from host names are not. */
static int is_compared(const struct query *q, int layer)
{
    return q->priority >= 1 && layer < HITOP_LAYER_HARDWARE;
}

/* Run the sources of one layer in turn, and compare the results of those that should agree. */
static enum hitop_status run_layer(const struct hitop_source_input *about, int layer,
                                   struct hitop_paths *paths, struct hitop_diag *diag)
{
    struct query query[MAX_SOURCES];
    struct result result[MAX_SOURCES];
    const int n = select_sources(about->how, layer, query);
    enum hitop_status status = HITOP_OK;
    int ncompared = 0, nresults = 0;

    for (int i = 0; i < n; i++) {
        ncompared += is_compared(&query[i], layer);
    }
    for (int i = 0; i < n && status == HITOP_OK; i++) {
        const struct query *q = &query[i];
        const struct hitop_source_input in = {.place = about->place,
                                              .nplaces = about->nplaces,
                                              .file = q->file,
                                              .how = about->how,
                                              .match = about->match};
        struct path_claim *claim = NULL;

        if (ncompared > 1 && is_compared(q, layer)) {
            status = STORAGE_ARRAY(&paths->text, claim, in.nplaces) ? HITOP_OK : HITOP_ERR_NOMEM;
            result[nresults++] =
                (struct result){q->file ? hitop_input_name(q->file) : q->source->name, claim};
        }
        hitop_paths_begin(paths, q->source, claim);
        if (status == HITOP_OK) {
            status = ignore_error(in.how, q, q->source->classify(&in, paths, diag), diag);
        }
        if (status == HITOP_OK && q->file && layer != HITOP_LAYER_INSIDE) {
            warn_about_missing(&in, q, paths);
        }
        for (int k = 0; k + 1 < nresults && status == HITOP_OK && claim; k++) {
            compare_results(&result[k], &result[nresults - 1], &in);
        }
    }
    paths->claim = NULL;
    return status;
}

enum hitop_status hitop_run_sources(const struct hitop_place *place, int nplaces,
                                    const struct hitop_grouping *how, int first, int last,
                                    struct hitop_paths *paths, struct hitop_diag *diag)
{
    const int has_network = first <= HITOP_LAYER_NETWORK && last >= HITOP_LAYER_NETWORK;
    struct host_match *match = has_network ? hitop_host_match_new(place, nplaces) : NULL;
    const struct hitop_source_input about = {
        .place = place, .nplaces = nplaces, .how = how, .match = match};
    enum hitop_status status = has_network && !match ? HITOP_ERR_NOMEM : HITOP_OK;

    for (int layer = first; layer <= last && status == HITOP_OK; layer++) {
        status = run_layer(&about, layer, paths, diag);
    }
    hitop_host_match_free(match);
    return status == HITOP_OK ? storage_status(&paths->text) : status;
}

/* ---- Sites that contradict the network are removed ---- */

/* A place whose outermost group of the network is from a source that knows all sites. */
struct member {
    const struct hitop_paths *paths;
    int place;
    int outermost; /* index of that group's step */
};

/* The first step of a place below the sites, or -1. */
static int behind_sites(const struct hitop_paths *paths, int place)
{
    int at = paths->first[place];

    while (at >= 0 && paths->step[at].layer == HITOP_LAYER_SITE) {
        at = paths->step[at].next;
    }
    return at;
}

static int by_group(const void *a, const void *b)
{
    const struct member *x = a, *y = b;

    return hitop_compare_steps(&x->paths->step[x->outermost], &y->paths->step[y->outermost]);
}

static int are_at_one_site(const struct hitop_paths *paths, int x, int y)
{
    const struct path_step *step = paths->step;
    int i = paths->first[x], j = paths->first[y];

    while (i >= 0 && j >= 0 && step[i].layer == HITOP_LAYER_SITE &&
           hitop_compare_steps(&step[i], &step[j]) == 0) {
        i = step[i].next;
        j = step[j].next;
    }
    return (i < 0 || step[i].layer != HITOP_LAYER_SITE) &&
           (j < 0 || step[j].layer != HITOP_LAYER_SITE);
}

enum hitop_status hitop_drop_cut_sites(struct hitop_paths *paths)
{
    struct member *member;
    int n = 0, is_cut = 0;

    if (!STORAGE_ARRAY(&paths->text, member, paths->nplaces)) {
        return HITOP_ERR_NOMEM;
    }
    for (int i = 0; i < paths->nplaces; i++) {
        const int at = behind_sites(paths, i);
        if (at >= 0 && paths->step[at].layer == HITOP_LAYER_NETWORK &&
            paths->step[at].source->spans_sites) {
            member[n++] = (struct member){paths, i, at};
        }
    }
    qsort(member, (size_t)n, sizeof(*member), by_group);
    for (int i = 1; i < n && !is_cut; i++) {
        is_cut = by_group(&member[i - 1], &member[i]) == 0 &&
                 !are_at_one_site(paths, member[i - 1].place, member[i].place);
    }
    for (int i = 0; i < paths->nplaces && is_cut; i++) {
        paths->first[i] = behind_sites(paths, i);
        if (paths->first[i] < 0) {
            paths->last[i] = -1;
        }
    }
    return HITOP_OK;
}

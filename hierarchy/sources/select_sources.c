/* SPDX-License-Identifier: BSD-3-Clause */
/* ask_sources.c - which source is heard about which part of a machine. */
#include <config.h>

#include "hierarchy/sources/rivals.h"
#include "hierarchy/tree/group_impl.h"

#include "hitop/input.h"
#include "hitop/text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A source that will be asked, with the file that it reads. */
struct question {
    const struct hitop_source *source;
    const char *file;
    double urgency;
    int order;
};

/* At most so many in both tables together. */
enum { MAX_SOURCES = 64 };

/* All sources of both tables; returns how many. */
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

static int by_urgency(const void *a, const void *b)
{
    const struct question *x = a, *y = b;

    if (x->urgency != y->urgency) {
        return x->urgency > y->urgency ? -1 : 1;
    }
    return (x->order > y->order) - (x->order < y->order);
}

/* The sources of a layer, the most urgent one first; returns how many. */
static int plan(const struct hitop_grouping *how, int layer, struct question *plan)
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
            plan[count++] = (struct question){s, file, s->trust + (is_requested ? 1 : 0), i};
        }
    }
    qsort(plan, (size_t)count, sizeof(*plan), by_urgency);
    return count;
}

/* A file that nobody asked for must not stop the work. */
static enum hitop_status forgive(const struct hitop_grouping *how, const struct question *q,
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
 * Hosts that a file lacks are grouped by the next source. One that the user named and that lacks
 * all of them is most likely the wrong one.
 */
static void warn_about_missing(const struct hitop_source_input *in, const struct question *q,
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

/* A file, or what options ask for; what names of hosts suggest is no rival of that. */
static int is_sure(const struct question *q, int layer)
{
    return q->urgency >= 1 && layer < HITOP_LAYER_HARDWARE;
}

/* Ask the sources of one layer in turn, and compare what those say that should not differ. */
static enum hitop_status ask_layer(const struct hitop_source_input *about, int layer,
                                   struct hitop_paths *paths, struct hitop_diag *diag)
{
    struct question asked[MAX_SOURCES];
    struct rival rival[MAX_SOURCES];
    const int n = plan(about->how, layer, asked);
    enum hitop_status status = HITOP_OK;
    int nsure = 0, nrivals = 0;

    for (int i = 0; i < n; i++) {
        nsure += is_sure(&asked[i], layer);
    }
    for (int i = 0; i < n && status == HITOP_OK; i++) {
        const struct question *q = &asked[i];
        const struct hitop_source_input in = {about->place, about->nplaces, q->file, about->how};
        struct path_claim *claim = NULL;

        if (nsure > 1 && is_sure(q, layer)) {
            claim = calloc((size_t)in.nplaces, sizeof(*claim));
            status = claim ? HITOP_OK : HITOP_ERR_NOMEM;
            rival[nrivals++] =
                (struct rival){q->file ? hitop_input_name(q->file) : q->source->name, claim};
        }
        hitop_paths_begin(paths, q->source, claim);
        if (status == HITOP_OK) {
            status = forgive(in.how, q, q->source->classify(&in, paths, diag), diag);
        }
        if (status == HITOP_OK && q->file && layer != HITOP_LAYER_INSIDE) {
            warn_about_missing(&in, q, paths);
        }
        for (int k = 0; k + 1 < nrivals && status == HITOP_OK && claim; k++) {
            compare_groups(&rival[k], &rival[nrivals - 1], &in);
        }
    }
    paths->claim = NULL;
    while (nrivals > 0) {
        free(rival[--nrivals].claim);
    }
    return status;
}

enum hitop_status hitop_ask_sources(const struct hitop_place *place, int nplaces,
                                    const struct hitop_grouping *how, int first, int last,
                                    struct hitop_paths *paths, struct hitop_diag *diag)
{
    const struct hitop_source_input about = {place, nplaces, NULL, how};
    enum hitop_status status = HITOP_OK;

    for (int layer = first; layer <= last && status == HITOP_OK; layer++) {
        status = ask_layer(&about, layer, paths, diag);
    }
    return status == HITOP_OK && paths->out_of_memory ? HITOP_ERR_NOMEM : status;
}

/* Where domains contradict what is known about the network, the network counts. */

/* A place in the outermost group that a source of all sites names. */
struct member {
    const struct hitop_paths *paths;
    int place;
    int outermost; /* index of that group's step */
};

/* The first step of a place that is not about sites, or -1. */
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
    struct member *member = calloc((size_t)paths->nplaces, sizeof(*member));
    int n = 0, is_cut = 0;

    if (!member) {
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
    free(member);
    return HITOP_OK;
}

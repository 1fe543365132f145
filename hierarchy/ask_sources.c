/* SPDX-License-Identifier: BSD-3-Clause */
/* ask_sources.c - which source is heard about which part of a machine. */
#include <config.h>

#include "group_impl.h"

#include "hitop/input.h"
#include "hitop/text.h"

#include <stdarg.h>
#include <stdio.h>
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

const char *hitop_place_fact(const struct hitop_place *place, const char *source)
{
    for (int i = 0; i < place->nfacts; i++) {
        if (strcmp(place->fact[i].source, source) == 0) {
            return place->fact[i].text;
        }
    }
    return "";
}

void hitop_source_warn(const struct hitop_grouping *how, const char *fmt, ...)
{
    struct hitop_diag line;
    char message[sizeof(line.message)];
    va_list args;

    if (!how->warn) {
        return;
    }
    va_start(args, fmt);
    (void)vsnprintf(message, sizeof(message), fmt, args);
    va_end(args);
    (void)hitop_fail(&line, HITOP_OK, "%s", message); /* makes it one line */
    how->warn(how->warn_data, line.message);
}

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

enum hitop_status check_sources(const struct hitop_grouping *how, struct hitop_diag *diag)
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
    for (const char *const *path = s->usual_files; how->look_around && path && *path; path++) {
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
        const int is_asked = named || (s->is_asked && s->is_asked(how));
        int is_wanted = how->nonly == 0 || is_asked || s->layer == HITOP_LAYER_HOST;

        for (int k = 0; k < how->nonly; k++) {
            is_wanted = is_wanted || strcmp(how->only[k], s->name) == 0;
        }
        if ((int)s->layer == layer && is_wanted && (file || !s->option)) {
            plan[count++] = (struct question){s, file, s->trust + (is_asked ? 1 : 0), i};
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

/* A file that the user named and that speaks of other hosts is most likely the wrong one. */
static void warn_about_silence(const struct hitop_grouping *how, const struct question *q)
{
    if (named_file(how, q->source)) {
        hitop_source_warn(how, "%s says nothing about any of these hosts",
                          hitop_input_name(q->file));
    }
}

enum hitop_status ask_sources(const struct hitop_place *place, int nplaces,
                              const struct hitop_grouping *how, int first, int last,
                              struct hitop_paths *paths, struct hitop_diag *diag)
{
    struct question asked[MAX_SOURCES];

    for (int layer = first; layer <= last; layer++) {
        const int n = plan(how, layer, asked);

        for (int i = 0; i < n; i++) {
            const struct hitop_source_input in = {place, nplaces, asked[i].file, how};
            const long before = paths->nsaid;
            enum hitop_status status;

            paths->source = asked[i].source;
            status = asked[i].source->classify(&in, paths, diag);
            status = forgive(how, &asked[i], status, diag);
            if (status != HITOP_OK) {
                return status;
            }
            if (paths->nsaid == before) {
                warn_about_silence(how, &asked[i]);
            }
        }
    }
    return paths->out_of_memory ? HITOP_ERR_NOMEM : HITOP_OK;
}

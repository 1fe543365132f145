/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * source_names.c - groups by the words and numbers of host names.
 *
 * Idea:   the word before the first number that differs between hosts is a class of hosts; all such
 *         numbers but the last one count racks, chassis and so on; the last one counts hosts.
 *         Single characters are not compared: node10 and node12 are no closer than node10 and
 *         node9.
 * Use:    hosts without a better source.
 * Needs:  nothing. Words and numbers that are equal everywhere make groups of one member, which are
 *         dropped. Names with one number make one flat group, with a warning.
 */
#include <config.h>

#include "hierarchy/names/host_blocks.h"
#include "hierarchy/names/host_name.h"
#include "hierarchy/names/name_levels.h"
#include "hierarchy/names/name_set.h"
#include "hierarchy/text/text_index.h"
#include "hitop/sys/source.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- Large groups of hosts that their names do not divide ---- */

/* A host whose name has one number only, or random text, behind a stem that other hosts share. */
struct flat_host {
    const char *domain, *name;
    size_t length; /* of the stem */
    int is_random; /* 1: random text follows the stem, else a number */
};

/* Flat groups with more hosts are reported. */
enum { FLAT_HOSTS = 16 };

/* 1 if the name of a host is such a name; then *out is filled, with pointers to name and host. */
static int is_flat(const struct name_set *set, const struct set_name *name, const char *host,
                   struct flat_host *out)
{
    struct name_reading r;

    hitop_name_read(name, set, &r);
    *out = (struct flat_host){.domain = hitop_host_name_domain(host), .name = name->text};
    if (name->has_random) {
        out->is_random = 1;
        out->length = name->length;
        return 1;
    }
    if (r.ncounts != 1 || r.leaf + 1 != r.nparts - set->nalike_end) {
        return 0;
    }
    out->length = r.part[r.leaf].digits;
    return 1;
}

static int by_stem(const void *a, const void *b)
{
    const struct flat_host *x = a, *y = b;
    int order = strcasecmp(x->domain, y->domain);

    order = order ? order : (x->length > y->length) - (x->length < y->length);
    order = order ? order : x->is_random - y->is_random;
    return order ? order : memcmp(x->name, y->name, x->length);
}

static int by_name(const void *a, const void *b)
{
    const int order = by_stem(a, b);

    return order ? order
                 : strcmp(((const struct flat_host *)a)->name, ((const struct flat_host *)b)->name);
}

/* Sort the hosts by stem; warn about the largest flat group if it has more than FLAT_HOSTS. */
static void warn_of_largest(struct flat_host *host, int n, const struct hitop_grouping *how)
{
    int most = 0, where = 0, count;

    qsort(host, (size_t)n, sizeof(*host), by_name);
    for (int first = 0; first < n; first += count) {
        for (count = 1; first + count < n && by_stem(&host[first], &host[first + count]) == 0;) {
            count++;
        }
        if (count > most) {
            most = count;
            where = first;
        }
    }
    if (most > FLAT_HOSTS) {
        const int is_random = host[where].is_random;
        hitop_source_warn(how,
                          "the names of %d hosts, %.100s%s and others, differ in %s only, which "
                          "shows no groups; use %s--split REGEX or --csv FILE",
                          most, host[where].name, is_random ? "..." : "",
                          is_random ? "random text" : "one number", is_random ? "" : "--block N, ");
    }
}

/* ---- Groups by words and numbers ---- */

/* Index: enum name_level_kind. A class is less certain if names have one number only. */
static const double confidence[] = {0.6, 0.6, 0.5, 0.7};
static const double confidence_alone = 0.4;

/* Hosts that are grouped by name. */
struct naming {
    const struct hitop_source_input *in;
    struct hitop_paths *paths;
    struct set_name *name;
    int *index; /* of the place */
    int n;
    struct name_set set;
    int many_numbers;        /* 1: a name has several numbers that differ between hosts */
    struct text_index outer; /* classes that contain classes: the "n" of n-gpu1 and n1 */
    struct storage storage;

    int at; /* index of the current place */
    enum name_level_kind last_kind;
    char *last; /* name of its last group, or "" */
};

/* Copy in lower case; returns the end of the copy. */
static char *copy_lower(char *to, const char *from, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        *to++ = hitop_host_name_lower(from[i]);
    }
    *to = '\0';
    return to + 1;
}

static int is_named(const struct naming *s, int i)
{
    const char *host = s->in->place[i].host;

    return !hitop_paths_is_taken(s->paths, i) && !hitop_host_name_is_ipv6(host) &&
           !hitop_host_name_octets(host);
}

static int collect(struct naming *s)
{
    size_t bytes = 0;
    char *to;

    for (int i = 0; i < s->in->nplaces; i++) {
        bytes += strlen(s->in->place[i].host) + 1;
    }
    if (!STORAGE_ARRAY(&s->storage, s->name, s->in->nplaces) ||
        !STORAGE_ARRAY(&s->storage, s->index, s->in->nplaces) ||
        !STORAGE_ARRAY(&s->storage, to, bytes)) {
        return 0;
    }
    for (int i = 0; i < s->in->nplaces; i++) {
        if (is_named(s, i)) {
            const char *host = s->in->place[i].host;
            s->name[s->n] = (struct set_name){to, hitop_host_name_short_length(host), 0};
            to = copy_lower(to, host, s->name[s->n].length);
            s->index[s->n++] = i;
        }
    }
    return 1;
}

static void remember_last(struct naming *s, enum name_level_kind kind, const char *name)
{
    s->last_kind = kind;
    strcpy(s->last, name);
}

static void find_outer(void *data, enum name_level_kind kind, const char *level, const char *name)
{
    struct naming *s = data;

    (void)level;
    if (kind == NAME_LEVEL_CLASS && s->last_kind == kind && s->last[0]) {
        int is_new;
        s->storage.out_of_memory |=
            hitop_text_index_keep(&s->outer, &s->storage, s->last, &is_new) < 0;
    }
    remember_last(s, kind, name);
}

static void push_group(struct naming *s, enum name_level_kind kind, const char *level,
                       const char *name)
{
    const int is_alone = kind == NAME_LEVEL_CLASS && !s->many_numbers;

    hitop_paths_push(s->paths, s->at, level, name, is_alone ? confidence_alone : confidence[kind]);
}

static void push(void *data, enum name_level_kind kind, const char *level, const char *name)
{
    struct naming *s = data;

    push_group(s, kind, level, name);
    remember_last(s, kind, name);
}

/*
 * Hosts directly in a class that contains others form a group: n1 and n2 besides n-gpu1 and n-gpu2.
 */
static void push_rest(struct naming *s)
{
    if (s->last_kind == NAME_LEVEL_CLASS && s->last[0] &&
        hitop_text_index_find(&s->outer, s->last) >= 0) {
        push_group(s, NAME_LEVEL_CLASS, "cluster", s->last);
    }
}

static void begin(struct naming *s, int i)
{
    s->at = s->index[i];
    s->last[0] = '\0';
}

static enum hitop_status group(struct naming *s, char *buffer)
{
    struct host_blocks blocks;
    struct name_reading r;

    hitop_host_blocks_begin(&blocks, s->in->how);
    for (int i = 0; i < s->n && !s->many_numbers; i++) {
        hitop_name_read(&s->name[i], &s->set, &r);
        s->many_numbers = r.ncounts > 1;
    }
    for (int i = 0; i < s->n; i++) {
        begin(s, i);
        hitop_name_levels_report(&s->set, &s->name[i], buffer, find_outer, s);
    }
    for (int i = 0; i < s->n; i++) {
        begin(s, i);
        hitop_name_levels_report(&s->set, &s->name[i], buffer, push, s);
        push_rest(s);
        hitop_name_read(&s->name[i], &s->set, &r);
        if (s->in->how->block > 0 && r.leaf >= 0 && r.leaf < r.nparts) {
            hitop_host_blocks_add(&blocks, s->at, s->in->place[s->at].host, buffer,
                                  s->name[i].text + r.part[r.leaf].digits);
        }
    }
    return hitop_host_blocks_end(&blocks, s->paths);
}

static void warn_if_flat(struct naming *s)
{
    struct flat_host *host;
    int n = 0;

    if (!STORAGE_ARRAY(&s->storage, host, s->n)) {
        return;
    }
    for (int i = 0; i < s->n; i++) {
        n += is_flat(&s->set, &s->name[i], s->in->place[s->index[i]].host, &host[n]);
    }
    warn_of_largest(host, n, s->in->how);
}

static enum hitop_status names_classify(const struct hitop_source_input *in,
                                        struct hitop_paths *paths, struct hitop_diag *diag)
{
    struct naming s = {.in = in, .paths = paths};
    enum hitop_status status = HITOP_ERR_NOMEM;
    char *buffer;

    (void)diag;
    if (collect(&s) && hitop_name_random_cut(s.name, s.n)) {
        if (s.n > 0) {
            hitop_name_set_study(s.name, s.n, &s.set);
        }
        if (STORAGE_ARRAY(&s.storage, buffer, 4 * (s.set.longest + 4)) &&
            STORAGE_ARRAY(&s.storage, s.last, 4 * (s.set.longest + 4))) {
            status = group(&s, buffer);
        }
    }
    if (status == HITOP_OK && in->how->block == 0) {
        warn_if_flat(&s);
    }
    if (status == HITOP_OK) {
        status = storage_status(&s.storage);
    }
    hitop_text_index_clear(&s.outer);
    hitop_storage_clear(&s.storage);
    return status;
}

static int names_is_requested(const struct hitop_grouping *how)
{
    return how->block > 0;
}

const struct hitop_source hitop_source_names = {
    .name = "names",
    .summary = "words and numbers of host names",
    .layer = HITOP_LAYER_NETWORK,
    .trust = 0.6,
    .is_requested = names_is_requested,
    .classify = names_classify,
};

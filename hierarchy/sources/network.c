/* SPDX-License-Identifier: BSD-3-Clause */
/* network.c - collect switches and the hosts below them while a file is read. */
#include <config.h>

#include "hierarchy/sources/network.h"

#include "hierarchy/hostlist/hostlist.h"
#include "hierarchy/sources/network_impl.h"

#include "hitop/hosts.h"

#include "src/grow.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A list with more names is most likely a mistake in a range. */
enum { LIST_MAX = 1000000 };

static void lack_memory(struct network *net)
{
    if (net->status == HITOP_OK) {
        net->status =
            hitop_fail(&net->diag, HITOP_ERR_NOMEM, "%s: out of memory", net->rules->file);
    }
}

struct network *hitop_network_new(const struct hitop_place *place, int nplaces,
                                  const struct network_rules *rules)
{
    struct network *net = calloc(1, sizeof(*net));

    if (!net) {
        return NULL;
    }
    net->rules = rules;
    net->place = place;
    net->nplaces = nplaces;
    net->match = hitop_host_match_new(place, nplaces);
    if (!net->match) {
        hitop_network_free(net);
        return NULL;
    }
    return net;
}

void hitop_network_free(struct network *net)
{
    if (!net) {
        return;
    }
    hitop_text_pool_clear(&net->text);
    hitop_text_index_clear(&net->index);
    free(net->file);
    free(net->attachment);
    free(net->link);
    free(net->node);
    hitop_host_match_free(net->match);
    free(net);
}

const char *hitop_network_locate(const struct network *net, int *line)
{
    int i = net->nfiles;

    while (i > 0 && net->file[i - 1].base >= *line) {
        i--;
    }
    if (i == 0) {
        return net->rules->file;
    }
    *line -= net->file[i - 1].base;
    return net->file[i - 1].name;
}

const char *hitop_network_say_line(const struct network *net, int line, int at_hand, char *out,
                                   size_t length)
{
    const char *file = hitop_network_locate(net, &line);
    const int is_same = strcmp(file, hitop_network_locate(net, &at_hand)) == 0;

    (void)snprintf(out, length, "line %d%s%.*s", line, is_same ? "" : " of ",
                   is_same ? 0 : (int)length, file);
    return out;
}

void hitop_network_fail(struct network *net, int line, const char *fmt, ...)
{
    char message[400];
    va_list args;

    if (net->status != HITOP_OK) {
        return;
    }
    va_start(args, fmt);
    (void)vsnprintf(message, sizeof(message), fmt, args);
    va_end(args);
    if (line > 0) {
        const char *file = hitop_network_locate(net, &line);
        net->status = hitop_fail(&net->diag, HITOP_ERR_FORMAT, "%s:%d: %s", file, line, message);
    } else {
        net->status = hitop_fail(&net->diag, HITOP_ERR_FORMAT, "%s: %s", net->rules->file, message);
    }
}

enum hitop_status hitop_network_status(const struct network *net)
{
    return net->status;
}

int hitop_network_begin_file(struct network *net, const char *name, const char *text)
{
    const int base = net->nlines;
    const char *kept = hitop_text_pool_keep(&net->text, name);

    if (!kept || !HITOP_GROW(net->file, net->nfiles, net->max_files)) {
        lack_memory(net);
        return base;
    }
    net->file[net->nfiles++] = (struct network_file){kept, base};
    net->nlines++;
    for (; *text; text++) {
        net->nlines += *text == '\n' && net->nlines < INT_MAX;
    }
    return base;
}

int hitop_network_switch(struct network *net, const char *level, const char *name, int line)
{
    char *key = NULL;
    int is_new, number;

    if (net->status != HITOP_OK) {
        return 0;
    }
    if (!HITOP_GROW(net->node, net->nnodes, net->max_nodes) ||
        asprintf(&key, "%s%s%s", level ? level : "", level ? "\t" : "", name) < 0) {
        lack_memory(net);
        return 0;
    }
    number = hitop_text_index_keep(&net->index, &net->text, key, &is_new);
    if (number >= 0 && is_new) {
        net->node[number] =
            (struct network_node){.level = level ? hitop_text_pool_keep(&net->text, level) : NULL,
                                  .name = hitop_text_pool_keep(&net->text, name),
                                  .line = line};
        net->nnodes++;
    }
    free(key);
    if (number < 0 || !net->node[number].name || (level && !net->node[number].level)) {
        lack_memory(net);
        return 0;
    }
    return number;
}

const char *hitop_network_name(const struct network *net, int node)
{
    return node < net->nnodes ? net->node[node].name : "";
}

void hitop_network_describe(struct network *net, int node, int line)
{
    struct network_node *n;

    if (net->status != HITOP_OK) {
        return;
    }
    n = &net->node[node];
    if (n->described) {
        char before[NETWORK_LINE];
        hitop_network_fail(net, line, "%s '%.64s' is described a second time, after %s",
                           net->rules->what, n->name,
                           hitop_network_say_line(net, n->described, line, before, sizeof(before)));
    }
    n->described = line;
}

void hitop_network_link(struct network *net, int child, int parent, int line)
{
    if (net->status != HITOP_OK) {
        return;
    }
    if (HITOP_GROW(net->link, net->nlinks, net->max_links)) {
        net->link[net->nlinks++] = (struct network_link){child, parent, line};
    } else {
        lack_memory(net);
    }
}

/* Attach a host to a switch. */
static void network_attach(struct network *net, const char *host, int node, int line)
{
    const int place = hitop_host_match_find(net->match, host);

    if (net->status == HITOP_OK && place < 0) {
        hitop_source_absent(net->rules->how, host);
    }
    if (net->status != HITOP_OK || place < 0) {
        return;
    }
    if (HITOP_GROW(net->attachment, net->nattachments, net->max_attachments)) {
        net->attachment[net->nattachments++] = (struct network_attachment){place, node, line};
    } else {
        lack_memory(net);
    }
}

/* The switch whose list is expanded. */
struct listing {
    struct network *net;
    int node, line;
};

static enum hitop_status visit_host(void *data, const char *name)
{
    const struct listing *l = data;

    network_attach(l->net, name, l->node, l->line);
    return l->net->status;
}

static enum hitop_status visit_child(void *data, const char *name)
{
    const struct listing *l = data;

    hitop_network_link(l->net, hitop_network_switch(l->net, NULL, name, l->line), l->node, l->line);
    return l->net->status;
}

static void expand(struct network *net, const char *list, int node, int line, const char *what,
                   enum hitop_status (*visit)(void *, const char *))
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct listing listing = {net, node, line};
    const struct hostlist_visitor visitor = {visit, &listing, what, LIST_MAX};

    if (net->status != HITOP_OK) {
        return;
    }
    if (hitop_hostlist_expand(list, &visitor, &diag) == HITOP_ERR_INVALID) {
        hitop_network_fail(net, line, "%s", diag.message);
    } else if (diag.message[0]) {
        lack_memory(net);
    }
}

void hitop_network_attach_list(struct network *net, const char *list, int node, int line)
{
    expand(net, list, node, line, "host", visit_host);
}

void hitop_network_link_list(struct network *net, const char *list, int parent, int line)
{
    expand(net, list, parent, line, net->rules->what, visit_child);
}

/* ---- Short names for several switches ---- */

/* Longer names become "first+7". */
enum { READABLE = 64 };

struct network_set {
    const char *whole, *brief;
};

static int by_version(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;

    return strverscmp(*x, *y);
}

/*
 * Number of sets whose name has the same beginning and count; *known is the name of this set, or
 * NULL.
 */
static int count_alike(const struct network_sets *sets, const char *whole, const char *brief,
                       const char **known)
{
    const size_t length = strlen(brief);
    int alike = 0;

    *known = NULL;
    for (int i = 0; i < sets->n; i++) {
        const struct network_set *s = &sets->set[i];
        if (strcmp(s->whole, whole) == 0) {
            *known = s->brief;
        }
        alike += strncmp(s->brief, brief, length) == 0 &&
                 (s->brief[length] == '\0' || s->brief[length] == '#');
    }
    return alike;
}

static const char *abbreviate(struct network_sets *sets, const char *whole, const char *first,
                              int n)
{
    char brief[READABLE + 64];
    const char *known;
    int alike;

    (void)snprintf(brief, sizeof(brief), "%.*s+%d", READABLE, first, n - 1);
    alike = count_alike(sets, whole, brief, &known);
    if (known) {
        return known;
    }
    if (alike > 0) {
        const size_t length = strlen(brief);
        (void)snprintf(brief + length, sizeof(brief) - length, "#%d", alike + 1);
    }
    known = hitop_text_pool_keep(&sets->text, brief);
    whole = hitop_text_pool_keep(&sets->text, whole);
    if (!known || !whole || !HITOP_GROW(sets->set, sets->n, sets->max)) {
        return NULL;
    }
    sets->set[sets->n++] = (struct network_set){whole, known};
    return known;
}

const char *hitop_network_set_name(struct network_sets *sets, const char **name, int n)
{
    const char *kept;
    char *whole = NULL;

    if (n == 1) {
        return name[0];
    }
    qsort(name, (size_t)n, sizeof(*name), by_version);
    if (hitop_hosts_compress(name, n, &whole, NULL) != HITOP_OK) {
        return NULL;
    }
    kept = strlen(whole) <= READABLE ? hitop_text_pool_keep(&sets->text, whole)
                                     : abbreviate(sets, whole, name[0], n);
    free(whole);
    return kept;
}

void hitop_network_sets_clear(struct network_sets *sets)
{
    hitop_text_pool_clear(&sets->text);
    free(sets->set);
    *sets = (struct network_sets){0};
}

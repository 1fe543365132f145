/* SPDX-License-Identifier: BSD-3-Clause */
/* network.c - collect switches and the hosts below them while a file is read. */
#include <config.h>

#include "hierarchy/sources/network.h"

#include "hierarchy/hostlist/hostlist.h"

#include "src/grow.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A list with more names is most likely a mistake in a range. */
enum { LIST_MAX = 1000000 };

void hitop_network_clear(struct network *net)
{
    hitop_storage_clear(&net->text);
    hitop_text_index_clear(&net->index);
    free(net->file);
    free(net->attachment);
    free(net->link);
    free(net->node);
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

struct network_line hitop_network_say_line(const struct network *net, int line, int at_hand)
{
    const char *file = hitop_network_locate(net, &line);
    const int is_same = strcmp(file, hitop_network_locate(net, &at_hand)) == 0;
    struct network_line out;

    (void)snprintf(out.text, sizeof(out.text), "line %d%s%.*s", line, is_same ? "" : " of ",
                   is_same ? 0 : (int)sizeof(out.text), file);
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

int hitop_network_begin_file(struct network *net, const char *name, const char *text)
{
    const int base = net->nlines;

    if (!HITOP_GROW(net->file, net->nfiles, net->max_files)) {
        net->status = HITOP_ERR_NOMEM;
        return base;
    }
    net->file[net->nfiles++] = (struct network_file){hitop_storage_text(&net->text, name), base};
    net->nlines++;
    for (; *text; text++) {
        net->nlines += *text == '\n' && net->nlines < INT_MAX;
    }
    return base;
}

int hitop_network_switch(struct network *net, const char *level, const char *name, int line)
{
    const char *key =
        hitop_storage_print(&net->text, "%s%s%s", level ? level : "", level ? "\t" : "", name);
    int is_new, number;

    if (net->status != HITOP_OK) {
        return 0;
    }
    number = hitop_text_index_put(&net->index, key, &is_new);
    if (number < 0 || !HITOP_GROW(net->node, net->nnodes, net->max_nodes) ||
        net->text.out_of_memory) {
        net->status = HITOP_ERR_NOMEM;
        return 0;
    }
    if (is_new) {
        net->node[net->nnodes++] =
            (struct network_node){.level = level ? hitop_storage_text(&net->text, level) : NULL,
                                  .name = hitop_storage_text(&net->text, name),
                                  .line = line};
    }
    return number;
}

void hitop_network_describe(struct network *net, int node, int line)
{
    struct network_node *n;

    if (net->status != HITOP_OK) {
        return;
    }
    n = &net->node[node];
    if (n->described) {
        hitop_network_fail(net, line, "%s '%.64s' is described a second time, after %s",
                           net->rules->what, n->name,
                           hitop_network_say_line(net, n->described, line).text);
    }
    n->described = line;
}

void hitop_network_link(struct network *net, int child, int parent, int line)
{
    if (!HITOP_GROW(net->link, net->nlinks, net->max_links)) {
        net->status = HITOP_ERR_NOMEM;
    }
    if (net->status == HITOP_OK) {
        net->link[net->nlinks++] = (struct network_link){child, parent, line};
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
    struct network *net = l->net;
    const int place = hitop_source_find(net->in, name);

    if (place < 0) {
        hitop_source_absent(net->in->how, name);
    } else if (HITOP_GROW(net->attachment, net->nattachments, net->max_attachments)) {
        net->attachment[net->nattachments++] = (struct network_link){place, l->node, l->line};
    } else {
        net->status = HITOP_ERR_NOMEM;
    }
    return net->status;
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
        net->status = HITOP_ERR_NOMEM;
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

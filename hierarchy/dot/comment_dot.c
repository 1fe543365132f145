/* SPDX-License-Identifier: BSD-3-Clause */
/* comment_dot.c - comments become attributes, which survive where comments do not. */
#include <config.h>

#include "hierarchy/dot/dot_scan.h"
#include "hierarchy/dot/keep_dot.h"

#include <graphviz/cgraph.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct taking {
    Agraph_t *graph;
    int out_of_memory;
};

static Agnode_t *find_node(Agraph_t *g, const char *id)
{
    return agnode(g, (char *)(uintptr_t)id, 0);
}

/* What a statement is about, or NULL: the words of the scanner need not be those of cgraph. */
static void *find_object(Agraph_t *g, const struct dot_statement *s)
{
    Agnode_t *tail, *head;

    switch (s->kind) {
    case DOT_STATES_NODE:
        return find_node(g, s->id[0]);
    case DOT_STATES_EDGE:
        tail = find_node(g, s->id[0]);
        head = find_node(g, s->id[1]);
        return tail && head ? agedge(g, tail, head, NULL, 0) : NULL;
    default:
        return g;
    }
}

static void take(void *data, const struct dot_statement *s)
{
    struct taking *t = data;
    void *object = s->comment[0] ? find_object(t->graph, s) : NULL;
    const char *old = object ? agget(object, (char[]){"comment"}) : NULL;
    const size_t size = strlen(old ? old : "") + strlen(s->comment) + 3;
    char *both;

    if (!object) {
        return;
    }
    both = malloc(size);
    if (!both) {
        t->out_of_memory = 1;
        return;
    }
    (void)snprintf(both, size, "%s%s%s", old ? old : "", old && old[0] ? "\\n" : "", s->comment);
    (void)agsafeset(object, (char[]){"comment"}, both, (char[]){""});
    free(both);
}

int hitop_dot_keep_comments(Agraph_t *g, const char *text, size_t length)
{
    struct taking t = {.graph = g};

    return hitop_dot_scan(text, length, take, &t) && !t.out_of_memory;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* lint_dot.c - have a DOT file reviewed. */
#include <config.h>

#include "hierarchy/dot/dot_impl.h"
#include "hierarchy/lint/lint.h"

#include "hitop/input.h"

#include <graphviz/cgraph.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void review(struct lint *l)
{
    hitop_lint_nodes(l);
    hitop_lint_edges(l);
    hitop_lint_capacity(l);
    hitop_lint_words(l);
    if (l->is_sound) {
        hitop_lint_groups(l);
        hitop_lint_hosts(l);
    }
}

/* What the reader says becomes a finding like all others: "file:3: text", "file: text". */
static void take_refusal(struct lint *l, const struct hitop_diag *why)
{
    const size_t n = strlen(l->file);
    const char *at = strncmp(why->message, l->file, n) == 0 ? why->message + n : why->message;
    char *end = NULL;
    const long line = at[0] == ':' ? strtol(at + 1, &end, 10) : 0;

    at = line > 0 && end ? end : at;
    hitop_lint_error(l, (int)line, "%s", at + (at[0] == ':') + (at[0] == ':' && at[1] == ' '));
}

static int compare_findings(const void *a, const void *b)
{
    const struct lint_finding *x = a, *y = b;

    if (x->line != y->line) {
        return x->line < y->line ? -1 : 1;
    }
    return (x->order > y->order) - (x->order < y->order);
}

static void pass_on(struct lint *l, void (*found)(void *data, const char *finding), void *data)
{
    char line[16] = "";
    char text[1024];

    if (l->nfindings == 0) {
        return; /* qsort() wants an array */
    }
    qsort(l->finding, (size_t)l->nfindings, sizeof(*l->finding), compare_findings);
    for (int i = 0; i < l->nfindings; i++) {
        const struct lint_finding *f = &l->finding[i];
        if (f->line > 0) {
            (void)snprintf(line, sizeof(line), ":%d", f->line);
        }
        (void)snprintf(text, sizeof(text), "%.400s%s: %s: %s", l->file, line,
                       f->is_error ? "error" : "warning", f->text);
        found(data, text);
    }
}

enum hitop_status hitop_dot_check(const char *name, const char *text, size_t length,
                                  void (*found)(void *data, const char *finding), void *data,
                                  struct hitop_diag *diag)
{
    const size_t mark = hitop_input_mark(text, length);
    struct lint lint = {.file = name};
    struct hitop_diag why = HITOP_DIAG_INIT;
    struct hitop_hierarchy *h = NULL;
    Agraph_t *g = NULL;
    enum hitop_status status;

    text += mark;
    length -= mark;
    hitop_dot_lock();
    status = hitop_dot_load(name, text, length, &g, &why);
    if (status == HITOP_OK) {
        if (hitop_lint_take(&lint, g, text, length)) {
            review(&lint); /* while the graph, whose strings are lent, is there */
        }
        (void)agclose(g);
    }
    hitop_dot_unlock();
    if (status == HITOP_OK && lint.nerrors == 0) { /* whatever was overlooked */
        status = hitop_dot_parse(name, text, length, NULL, &h, &why);
        hitop_hierarchy_free(h);
    }
    if (status == HITOP_ERR_FORMAT) {
        take_refusal(&lint, &why);
    }
    if (status == HITOP_ERR_NOMEM || lint.out_of_memory) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", name);
    } else {
        pass_on(&lint, found, data);
        status = lint.nerrors == 0 ? HITOP_OK
                                   : hitop_fail(diag, HITOP_ERR_FORMAT, "%s: %d error%s", name,
                                                lint.nerrors, lint.nerrors > 1 ? "s" : "");
    }
    free(lint.finding);
    free(lint.key);
    free(lint.edge);
    free(lint.node);
    hitop_text_pool_clear(&lint.text);
    return status;
}

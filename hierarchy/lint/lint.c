/* SPDX-License-Identifier: BSD-3-Clause */
/* lint.c - collect the findings of the checks of a hierarchy file. */
#include <config.h>

#include "hierarchy/lint/lint.h"

#include "hitop/text.h"

#include "src/grow.h"
#include "src/one_line.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add(struct lint *l, int line, int is_error, const char *fmt, va_list args)
{
    char text[512];

    (void)vsnprintf(text, sizeof(text), fmt, args);
    one_line(text);
    if (!HITOP_GROW(l->finding, l->nfindings, l->max_findings)) {
        l->storage.out_of_memory = 1;
        return;
    }
    l->finding[l->nfindings] =
        (struct lint_finding){line, l->nfindings, is_error, hitop_storage_text(&l->storage, text)};
    l->nfindings++;
    l->nerrors += is_error;
}

void hitop_lint_error(struct lint *l, int line, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    add(l, line, 1, fmt, args);
    va_end(args);
}

void hitop_lint_warn(struct lint *l, int line, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    add(l, line, 0, fmt, args);
    va_end(args);
}

int hitop_lint_line(const struct lint *l, int node)
{
    return l->node[node].line ? l->node[node].line : l->node[node].edge_line;
}

/*
 * A typing error is at most one edit in a word of 4 to 7 characters, and at most two in a longer
 * one.
 */
int hitop_lint_is_slip(const char *word, const char *right)
{
    const int limit = strlen(right) >= 8 ? 2 : 1;

    return strlen(right) >= 4 && hitop_text_distance(word, right, limit) <= limit;
}

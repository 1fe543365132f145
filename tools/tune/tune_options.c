/* SPDX-License-Identifier: BSD-3-Clause */
/* tune_options.c - see tune_options.h. */
#include <config.h>

#include "tools/tune/tune_options.h"

#include "hitop/text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PROCESSES = 1024, LEAST_MOST = 4096, O_SETTINGS = 256, O_MOST, O_QUADS };

const struct tool_option tune_options[] = {
    {'r', "rows", "LIST",
     "numbers of processes, such as 2,8 or 4:alone,4:shared; without a word:\n"
     "alone where every process has a processor (2, as many as there are\n"
     "processors, 2:shared and twice as many as processors)"},
    {O_SETTINGS, "settings", "LIST", "only these, such as share-from,cma-from (all)"},
    {O_MOST, "most", "SIZE", "longest message, or blocks of a process (8MiB)"},
    {O_QUADS, "quads", "N", "each comparison is N times four blocks, 8 to 96 (12)"},
    {'v', "verbose", NULL, "report every comparison on standard error"},
    {'o', "output", "FILE", "write to FILE, which appears whole or not at all"},
};

const size_t tune_noptions = sizeof(tune_options) / sizeof(tune_options[0]);

static enum hitop_status add_row(struct tune_arguments *a, int nprocs, int alone,
                                 struct hitop_diag *diag)
{
    int at = 0;

    if (a->nrows == TUNE_MOST_ROWS) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "more than %d rows", TUNE_MOST_ROWS);
    }
    if (alone && nprocs > a->nprocessors) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "%d processes have not a processor each: there are %d", nprocs,
                          a->nprocessors);
    }
    while (at < a->nrows && (a->rows[at].alone > alone ||
                             (a->rows[at].alone == alone && a->rows[at].nprocs < nprocs))) {
        at++;
    }
    if (at < a->nrows && a->rows[at].alone == alone && a->rows[at].nprocs == nprocs) {
        return HITOP_OK;
    }
    memmove(&a->rows[at + 1], &a->rows[at], (size_t)(a->nrows - at) * sizeof(a->rows[0]));
    a->rows[at] = (struct tune_section){nprocs, alone};
    a->nrows++;
    return HITOP_OK;
}

static enum hitop_status take_row(struct tune_arguments *a, char *word, struct hitop_diag *diag)
{
    char *kind = strchr(word, ':');
    int nprocs;
    enum hitop_status status;

    if (kind) {
        *kind++ = '\0';
        if (strcmp(kind, "alone") != 0 && strcmp(kind, "shared") != 0) {
            return hitop_fail(diag, HITOP_ERR_INVALID, "'%.64s': neither 'alone' nor 'shared'",
                              kind);
        }
    }
    status = hitop_text_int(word, 2, MOST_PROCESSES, &nprocs, diag);
    if (status != HITOP_OK) {
        return status;
    }
    return add_row(a, nprocs, kind ? strcmp(kind, "alone") == 0 : nprocs <= a->nprocessors, diag);
}

static enum hitop_status take_setting(struct tune_arguments *a, char *word, struct hitop_diag *diag)
{
    char valid[400] = "";

    for (int i = 0; tune_choice(i); i++) {
        if (strcmp(word, tune_choice(i)->setting) == 0) {
            a->wanted |= 1u << i;
            return HITOP_OK;
        }
        hitop_text_list_name(valid, sizeof(valid), tune_choice(i)->setting);
    }
    return hitop_fail(diag, HITOP_ERR_INVALID, "'%.64s' is none; valid: %s", word, valid);
}

static enum hitop_status take_list(struct tune_arguments *a, const char *list,
                                   enum hitop_status (*one)(struct tune_arguments *, char *,
                                                            struct hitop_diag *),
                                   struct hitop_diag *diag)
{
    char *copy = strdup(list), *rest = copy, *word;
    enum hitop_status status = copy ? HITOP_OK : hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");

    while (status == HITOP_OK && (word = strsep(&rest, ","))) {
        status = one(a, word, diag);
    }
    free(copy);
    return status;
}

static enum hitop_status take_most(struct tune_arguments *a, const char *text,
                                   struct hitop_diag *diag)
{
    const enum hitop_status status = hitop_text_size(text, &a->most, diag);

    if (status == HITOP_OK &&
        (a->most < LEAST_MOST || a->most > INT_MAX || a->most % LEAST_MOST != 0)) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "'%s': not a multiple of 4KiB from 4KiB to below 2GiB", text);
    }
    return status;
}

enum hitop_status tune_take(void *data, int letter, const char *argument, struct hitop_diag *diag)
{
    struct tune_arguments *a = data;

    switch (letter) {
    case 'r':
        return take_list(a, argument, take_row, diag);
    case O_SETTINGS:
        return take_list(a, argument, take_setting, diag);
    case O_MOST:
        return take_most(a, argument, diag);
    case O_QUADS:
        return hitop_text_int(argument, TUNE_LEAST_QUADS, VERDICT_MOST_QUADS, &a->quads, diag);
    case 'v':
        a->verbose = 1;
        return HITOP_OK;
    default:
        a->path = argument;
        return HITOP_OK;
    }
}

enum hitop_status tune_add_usual_rows(struct tune_arguments *a, struct hitop_diag *diag)
{
    const int n = a->nprocessors;
    enum hitop_status status = HITOP_OK;

    if (n >= 2) {
        status = add_row(a, 2, 1, diag);
    }
    if (n > 2 && status == HITOP_OK) {
        status = add_row(a, n < MOST_PROCESSES ? n : MOST_PROCESSES, 1, diag);
    }
    if (status == HITOP_OK) {
        status = add_row(a, 2, 0, diag);
    }
    if (n > 1 && n <= MOST_PROCESSES / 2 && status == HITOP_OK) {
        status = add_row(a, 2 * n, 0, diag);
    }
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* flux.c - a list of hosts, and the reader of "flux resource list". */
#include <config.h>

#include "hierarchy/sources/flux.h"

#include "hierarchy/hostlist/hostlist.h"

#include "hitop/text.h"

#include "src/grow.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct flux_host *hitop_flux_add(struct flux *flux, const char *name)
{
    const char *kept = hitop_text_pool_keep(&flux->text, name);

    if (!kept || !HITOP_GROW(flux->host, flux->n, flux->max)) {
        return NULL;
    }
    flux->host[flux->n] = (struct flux_host){.name = kept, .rank = -1};
    return &flux->host[flux->n++];
}

void hitop_flux_clear(struct flux *flux)
{
    hitop_text_pool_clear(&flux->text);
    free(flux->host);
    *flux = (struct flux){0};
}

/*
 * Hosts as "flux resource list" prints them.
 *
 *          STATE QUEUE      NNODES NCORES NGPUS NODELIST
 *           free pbatch          4    384    16 tuolumne[1036-1038,1042]
 *      allocated                 0      0     0
 *           down pbatch,pall     1     96     4 tuolumne1039
 *
 * There is a line per set of hosts with one state, queue and so on. Columns before NNODES do not
 * matter, except STATE. The hosts of a line have equal numbers of cores.
 *
 * Source: flux-resource(1); src/cmd/flux-resource.py of flux-core.
 */

enum { MAX_COLUMNS = 32 };

struct table {
    const char *file;
    int line;
    struct flux *out;
    int nnumbers; /* columns from NNODES up to NODELIST */
    int ncores;   /* number of the column NCORES among these */
    int is_state; /* 1: the first column is STATE */
    int share;    /* cores per host of the current line */
    int is_down;  /* are these hosts down? */
    struct hitop_diag *diag;
};

static enum hitop_status refuse(const struct table *t, const char *why)
{
    return hitop_fail(t->diag, HITOP_ERR_FORMAT, "%s:%d: %s", t->file, t->line, why);
}

static int split(char *line, char **word)
{
    int n = 0;

    for (char *rest = NULL, *w = strtok_r(line, " \t\r", &rest); w && n < MAX_COLUMNS;
         w = strtok_r(NULL, " \t\r", &rest)) {
        word[n++] = w;
    }
    return n;
}

static enum hitop_status read_header(struct table *t, char *line)
{
    char *word[MAX_COLUMNS];
    const int n = split(line, word);
    int first = n, cores = -1;

    for (int i = 0; i < n; i++) {
        first = strcmp(word[i], "NNODES") == 0 ? i : first;
        cores = strcmp(word[i], "NCORES") == 0 ? i : cores;
    }
    if (first == n || cores < first || strcmp(word[n - 1], "NODELIST") != 0) {
        return refuse(t, "the first line of \"flux resource list\" has the columns NNODES, NCORES "
                         "and, at the end, NODELIST; \"flux resource R\" prints JSON");
    }
    t->is_state = strcmp(word[0], "STATE") == 0;
    t->nnumbers = n - 1 - first;
    t->ncores = cores - first;
    return HITOP_OK;
}

static enum hitop_status visit_host(void *data, const char *name)
{
    const struct table *t = data;
    struct flux_host *host = hitop_flux_add(t->out, name);

    if (!host) {
        return HITOP_ERR_NOMEM;
    }
    host->ncores = t->share;
    host->is_down = t->is_down;
    return HITOP_OK;
}

/* Read n numbers; 0 if a word is no number. */
static int read_numbers(char *const *word, int n, int *number)
{
    for (int i = 0; i < n; i++) {
        if (hitop_text_int(word[i], 0, INT_MAX, &number[i], NULL) != HITOP_OK) {
            return 0;
        }
    }
    return 1;
}

static enum hitop_status read_line(struct table *t, char *line)
{
    const struct hostlist_visitor visitor = {visit_host, t, "host", FLUX_HOSTS};
    struct hitop_diag why = HITOP_DIAG_INIT;
    char *word[MAX_COLUMNS];
    int number[MAX_COLUMNS], before = t->out->n;
    const int n = split(line, word);
    enum hitop_status status;

    if (n == 0 || (n >= t->nnumbers && read_numbers(word + n - t->nnumbers, t->nnumbers, number) &&
                   number[0] == 0)) {
        return HITOP_OK; /* no hosts */
    }
    if (n <= t->nnumbers || !read_numbers(word + n - 1 - t->nnumbers, t->nnumbers, number) ||
        number[0] < 1) {
        return refuse(t, "the numbers of nodes and cores do not stand before a list of nodes");
    }
    if (number[t->ncores] % number[0] != 0) {
        return refuse(t, "nodes with different numbers of cores; \"flux resource R\" has each");
    }
    t->share = number[t->ncores] / number[0];
    t->is_down = t->is_state && strcmp(word[0], "down") == 0;
    status = hitop_hostlist_expand(word[n - 1], &visitor, &why);
    if (status == HITOP_ERR_NOMEM) {
        return hitop_fail(t->diag, status, "%s: out of memory", t->file);
    }
    if (status == HITOP_OK && t->out->n - before != number[0]) {
        return refuse(t, "NNODES is not the number of hosts in NODELIST");
    }
    return status == HITOP_OK ? status : refuse(t, why.message);
}

static enum hitop_status read_table(struct table *t, char *text)
{
    enum hitop_status status = HITOP_OK;

    for (char *line; status == HITOP_OK && (line = strsep(&text, "\n"));) {
        t->line++;
        if (t->nnumbers > 0) {
            status = read_line(t, line);
        } else if (line[strspn(line, " \t\r")]) {
            status = read_header(t, line);
        }
    }
    return status;
}

enum hitop_status hitop_flux_read_table(const char *file, char *text, struct flux *out,
                                        struct hitop_diag *diag)
{
    struct table t = {.file = file, .out = out, .diag = diag};

    return read_table(&t, text);
}

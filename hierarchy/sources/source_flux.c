/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * source_flux.c - the hosts of a Flux instance, and the groups that contain them.
 *
 * Idea:   "flux resource R" and "flux job info ID R" print hosts with their cores, and with the
 *         scheduler fluxion also racks and other configured groups. "flux resource list" prints
 *         hosts and cores only.
 * Use:    clusters under Flux. If there is no other list of hosts, the ranks follow from the file:
 *         one for each core, host by host, as flux run places them, but none on hosts that
 *         are down.
 * Needs:  the output of one of these commands; the forms are below and in flux_json.c.
 * Source: Flux RFC 20; flux-resource(1).
 */
#include <config.h>

#include "hitop/sys/source.h"

#include "hierarchy/hostlist/hostlist.h"
#include "hierarchy/sources/flux.h"

#include "hitop/hosts.h"
#include "hitop/input.h"
#include "hitop/text.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    int nnumbers; /* number of columns from NNODES to the last one before NODELIST */
    int ncores;   /* index of NCORES among these columns */
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
    if (status == HITOP_OK && t->out->n - before != number[0]) {
        return refuse(t, "NNODES is not the number of hosts in NODELIST");
    }
    return status == HITOP_ERR_INVALID ? refuse(t, why.message) : status;
}

static enum hitop_status read_table(const char *file, char *text, struct flux *out,
                                    struct hitop_diag *diag)
{
    struct table table = {.file = file, .out = out, .diag = diag}, *t = &table;
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

static void flux_clear(struct flux *flux)
{
    hitop_storage_clear(&flux->text);
    free(flux->host);
}

/* Read a file: JSON if it begins with '{', else a table. The caller clears *out in any case. */
static enum hitop_status flux_read(const char *file, struct flux *out, struct hitop_diag *diag)
{
    const char *name = hitop_input_name(file);
    char *text = NULL;
    size_t length = 0;
    enum hitop_status status = hitop_input_read_text(file, &text, &length, diag);

    *out = (struct flux){0};
    if (status == HITOP_OK) {
        status = text[strspn(text, " \t\r\n")] == '{'
                     ? hitop_flux_read_json(name, text, length, out, diag)
                     : read_table(name, text, out, diag);
    }
    free(text);
    if (status == HITOP_ERR_NOMEM || out->text.out_of_memory) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", name);
    }
    if (status == HITOP_OK && out->n == 0) {
        status = hitop_fail(diag, HITOP_ERR_FORMAT, "%s: names no host", name);
    }
    return status;
}

static enum hitop_status flux_classify(const struct hitop_source_input *in,
                                       struct hitop_paths *paths, struct hitop_diag *diag)
{
    struct flux flux;
    enum hitop_status status = flux_read(in->file, &flux, diag);

    for (int i = 0; i < flux.n && status == HITOP_OK; i++) {
        const struct flux_host *host = &flux.host[i];
        const int place = hitop_source_find(in, host->name);

        if (place < 0 || (i > 0 && strcmp(host[-1].name, host->name) == 0)) {
            continue; /* with several brokers on a host, the first one counts */
        }
        hitop_paths_know(paths, place);
        for (int k = 0; k < host->nsteps; k++) {
            hitop_paths_push(paths, place, host->step[k].level, host->step[k].name, 1);
        }
    }
    flux_clear(&flux);
    return status;
}

/* "node1:96,node2:96" for the hosts that are not down; the caller frees it. NULL: out of memory. */
static char *write_list(const struct flux *flux)
{
    char *list = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&list, &length);

    for (int i = 0, n = 0; i < flux->n && to; i++) {
        const struct flux_host *host = &flux->host[i];

        if (!host->is_down) {
            (void)fprintf(to, "%s%s:%d", n++ > 0 ? "," : "", host->name,
                          host->ncores > 0 ? host->ncores : 1);
        }
    }
    if (to && fclose(to) != 0) {
        free(list);
        list = NULL;
    }
    return list;
}

static enum hitop_status flux_list_hosts(const char *file, struct hitop_hosts *out,
                                         struct hitop_diag *diag)
{
    struct hitop_diag why = HITOP_DIAG_INIT;
    struct flux flux;
    char *list = NULL;
    enum hitop_status status = flux_read(file, &flux, diag);

    *out = (struct hitop_hosts){0};
    if (status == HITOP_OK) {
        list = write_list(&flux);
        status =
            list ? HITOP_OK
                 : hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", hitop_input_name(file));
    }
    if (status == HITOP_OK && !list[0]) {
        status =
            hitop_fail(diag, HITOP_ERR_FORMAT, "%s: all hosts are down", hitop_input_name(file));
    }
    if (status == HITOP_OK && hitop_hosts_parse(list, out, &why) != HITOP_OK) {
        status = hitop_fail(diag, HITOP_ERR_FORMAT, "%s: %s", hitop_input_name(file), why.message);
    }
    free(list);
    flux_clear(&flux);
    return status;
}

const struct hitop_source hitop_source_flux = {
    .name = "flux",
    .summary = "racks and other containers as Flux knows them, and its hosts",
    .layer = HITOP_LAYER_NETWORK,
    .trust = 1,
    .spans_sites = 1,
    .option = "flux",
    .argument = "FILE",
    .list_hosts = flux_list_hosts,
    .classify = flux_classify,
};

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * source_xname_table.c - a list of hosts and their places in a Cray.
 *
 * Idea:   each line has the names of one host and its xname, in any order: "nid001000
 *         x1000c0s0b0n0".
 * Use:    lists of hosts of a Cray; jobs whose nodes do not know their place.
 * Needs:  such a list, or the /etc/hosts of the machine: lines that begin with an address and have
 *         no xname are ignored. '#' begins a comment; hosts that the job does not have are skipped.
 */
#include <config.h>

#include "hierarchy/names/host_name.h"
#include "hierarchy/sources/xname.h"
#include "hierarchy/text/line_reader.h"
#include "hierarchy/text/storage.h"
#include "hierarchy/text/text_index.h"

#include <string.h>

enum { MAX_WORDS = 64 };

struct reading {
    struct line_reader lines;
    struct xname *at; /* per place */
    int *line;        /* per place: the line with its xname */
    int nhosts;
    const struct hitop_source_input *in;
    struct text_index absent; /* xnames of reported hosts */
    struct storage text;
    struct hitop_diag *diag;
};

static int is_address(const char *word)
{
    return hitop_host_name_is_address(word) || strchr(word, ':');
}

static enum hitop_status place_host(struct reading *r, const char *name, const struct xname *at)
{
    const int place = hitop_source_find(r->in, name);

    if (place < 0) {
        return HITOP_OK;
    }
    if (r->at[place].text[0] && strcmp(r->at[place].text, at->text) != 0) {
        return hitop_line_reader_refuse(&r->lines, r->diag,
                                        "host '%s' is at '%s' here, at '%s' in line %d", name,
                                        at->text, r->at[place].text, r->line[place]);
    }
    r->at[place] = *at;
    r->line[place] = r->lines.line;
    return HITOP_OK;
}

/*
 * Report the host of a line whose names are all unknown. The shortest name is that of the host; the
 * others have a network or a domain appended. Further lines with the same xname are about other
 * networks of the host.
 */
static void report_absent(struct reading *r, char *const *word, int n, const char *at)
{
    const char *host = NULL;
    struct xname ignored;
    int is_new = 0;

    for (int i = 0; i < n; i++) {
        if (hitop_source_find(r->in, word[i]) >= 0) {
            return;
        }
        if (!is_address(word[i]) && !hitop_xname_parse(word[i], &ignored) &&
            (!host || strlen(word[i]) < strlen(host))) {
            host = word[i];
        }
    }
    at = host && r->in->how->absent ? hitop_storage_text(&r->text, at) : NULL;
    if (at && hitop_text_index_put(&r->absent, at, &is_new) >= 0 && is_new) {
        hitop_source_absent(r->in->how, host);
    }
}

static enum hitop_status read_line(struct reading *r, char *line)
{
    char *word[MAX_WORDS];
    struct xname at = {.text = ""}, other;
    enum hitop_status status = HITOP_OK;
    int n = 0, nnames = 0;

    line[strcspn(line, "#")] = '\0';
    while (n < MAX_WORDS && (word[n] = hitop_line_reader_word(&line))) {
        n++;
    }
    if (n == MAX_WORDS) {
        return hitop_line_reader_refuse(&r->lines, r->diag, "more than %d words", MAX_WORDS - 1);
    }
    for (int i = 0; i < n; i++) {
        if (!hitop_xname_parse(word[i], &other)) {
            nnames++;
        } else if (at.text[0] && strcmp(at.text, other.text) != 0) {
            return hitop_line_reader_refuse(&r->lines, r->diag, "two xnames, '%s' and '%s'",
                                            at.text, other.text);
        } else {
            at = other;
        }
    }
    if (n == 0 || (!at.text[0] && is_address(word[0]))) {
        return HITOP_OK;
    }
    if (!at.text[0] || nnames == 0) {
        return hitop_line_reader_refuse(
            &r->lines, r->diag,
            "'%s' stands without %s; a line is a host and its xname, such as "
            "nid001000 x1000c0s0b0n0",
            word[0], at.text[0] ? "a host" : "the xname of a node");
    }
    r->nhosts++;
    report_absent(r, word, n, at.text);
    for (int i = 0; i < n && status == HITOP_OK; i++) {
        status = place_host(r, word[i], &at);
    }
    return status;
}

static enum hitop_status read_table(struct reading *r, const char *file)
{
    enum hitop_status status = hitop_line_reader_open(&r->lines, file, r->diag);
    char *line;

    while (status == HITOP_OK && (line = hitop_line_reader_next(&r->lines))) {
        status = read_line(r, line);
    }
    if (status == HITOP_OK && r->nhosts == 0) {
        status = hitop_fail(r->diag, HITOP_ERR_FORMAT, "%s: names no host", r->lines.file);
    }
    hitop_line_reader_close(&r->lines);
    return status;
}

static enum hitop_status xname_table_classify(const struct hitop_source_input *in,
                                              struct hitop_paths *paths, struct hitop_diag *diag)
{
    struct reading r = {.in = in, .diag = diag};
    enum hitop_status status = HITOP_ERR_NOMEM;

    if (STORAGE_ARRAY(&r.text, r.at, in->nplaces) && STORAGE_ARRAY(&r.text, r.line, in->nplaces)) {
        status = read_table(&r, in->file);
    }
    for (int i = 0; i < in->nplaces && status == HITOP_OK; i++) {
        hitop_xname_push(&r.at[i], i, 1, paths);
    }
    hitop_text_index_clear(&r.absent);
    hitop_storage_clear(&r.text);
    return status;
}

const struct hitop_source hitop_source_xname_table = {
    .name = "xname_table",
    .summary = "the places of hosts in a Cray, lines \"host xname\"",
    .layer = HITOP_LAYER_NETWORK,
    .trust = 1,
    .option = "xname",
    .argument = "FILE",
    .classify = xname_table_classify,
};

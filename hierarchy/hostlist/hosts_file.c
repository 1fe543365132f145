/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hosts_file.c - read a host file line by line, in the dialect of one launcher (hosts_dialects.c).
 *
 * Comments are those of Open MPI: from '#' or "//" to the end of the line, and from "/" "*" to "*"
 * "/" over any lines; MPICH and Grid Engine know the first kind only. A byte order mark is skipped.
 */
#include <config.h>

#include "hierarchy/hostlist/hosts_impl.h"
#include "hierarchy/text/line_reader.h"

#include "src/grow.h"

#include <stdlib.h>
#include <string.h>

struct reading {
    struct line_reader lines;
    struct host_file into;
    struct host_line line;
    int max_words;
    int is_comment;                      /* 1: the line begins inside a comment */
    const struct hosts_dialect *dialect; /* of the lines so far, or NULL */
    int dialect_line;                    /* the line that shows it */
    int common_line;                     /* the first line that fits several launchers, or 0 */
    struct hitop_diag why;
};

/* Remove blanks around '=': "slots = 4" is one word. */
static void close_up(char *line)
{
    char *to = line;

    for (const char *from = line; *from; from++) {
        const char *next = from + strspn(from, " \t");

        if (next > from && (*next == '=' || (to > line && to[-1] == '='))) {
            from = next - 1;
        } else {
            *to++ = *from;
        }
    }
    *to = '\0';
}

/* Replace comments by blanks. */
static void blank_comments(struct reading *r, char *line)
{
    for (char *at = line; *at; at++) {
        if (r->is_comment) {
            const int is_end = at[0] == '*' && at[1] == '/';
            memset(at, ' ', is_end ? 2 : 1);
            at += is_end;
            r->is_comment = !is_end;
        } else if (at[0] == '/' && at[1] == '*') {
            memset(at, ' ', 2);
            at++;
            r->is_comment = 1;
        } else if (at[0] == '#' || (at[0] == '/' && at[1] == '/')) {
            *at = '\0';
            return;
        }
    }
}

/* Returns 0 when out of memory. */
static int split(struct reading *r, char *line)
{
    char *word;

    blank_comments(r, line);
    close_up(line);
    r->line.number = r->lines.line;
    for (r->line.nwords = 0; (word = hitop_line_reader_word(&line)); r->line.nwords++) {
        if (!HITOP_GROW(r->line.word, r->line.nwords, r->max_words)) {
            return 0;
        }
        r->line.word[r->line.nwords] = word;
    }
    return 1;
}

static const struct hosts_dialect *recognise(const struct host_line *line)
{
    const struct hosts_dialect *d = hitop_hosts_dialects;

    while (!d->fits(line)) {
        d++;
    }
    return d;
}

/* Refuse lines of two launchers in one file, because numbers have different meanings. */
static enum hitop_status check_dialect(struct reading *r, const struct hosts_dialect *found)
{
    if (!found->name && !r->common_line) {
        r->common_line = r->line.number;
    }
    if (found->name && !r->dialect) {
        r->dialect = found;
        r->dialect_line = r->line.number;
    }
    if (found->name && r->dialect != found) {
        return hitop_fail(&r->why, HITOP_ERR_INVALID,
                          "a line of %s, but line %d is one of %s; a file is of one launcher",
                          found->name, r->dialect_line, r->dialect->name);
    }
    if (found->is_one_line && r->dialect_line != r->line.number) {
        return hitop_fail(&r->why, HITOP_ERR_INVALID,
                          "several hosts, as in line %d; a file has one host in each line, or all "
                          "hosts in one line",
                          r->dialect_line);
    }
    if (r->dialect && r->common_line && r->dialect->is_alone) {
        return hitop_fail(
            &r->why, HITOP_ERR_INVALID,
            "line %d is just a host, but line %d is one of %s; a file is of one launcher",
            r->common_line, r->dialect_line, r->dialect->name);
    }
    return HITOP_OK;
}

static enum hitop_status take_line(struct reading *r, char *line)
{
    const struct hosts_dialect *found;
    enum hitop_status status;

    if (!split(r, line)) {
        return hitop_fail(&r->why, HITOP_ERR_NOMEM, "out of memory");
    }
    if (r->line.nwords == 0) {
        return HITOP_OK;
    }
    found = recognise(&r->line);
    status = check_dialect(r, found);
    return status == HITOP_OK ? found->take(&r->into, &r->line) : status;
}

/* Check and convert the whole file. *number receives the wrong line, or 0. */
static enum hitop_status finish(struct reading *r, int *number)
{
    struct host_file *f = &r->into;
    enum hitop_status status;

    if (r->is_comment) {
        return hitop_fail(&r->why, HITOP_ERR_INVALID, "a comment that begins with '/*' has no end");
    }
    status = hitop_rankfile_finish(f, number);
    if (status == HITOP_OK) {
        *number = 0;
        hitop_hosts_affinity_finish(f);
        status = hitop_host_list_settle(&f->list);
    }
    if (status == HITOP_OK && f->exclude.text) {
        status = hitop_host_list_exclude(&f->list, &f->excluded);
    }
    if (status == HITOP_OK && !f->list.hosts->package) {
        hitop_host_list_drop_launch_node(&f->list, f->is_lsf);
    }
    return status;
}

static enum hitop_status take_lines(struct reading *r, struct hitop_diag *diag)
{
    const char *file = r->lines.file;
    const char *affinity = getenv("LSB_AFFINITY_HOSTFILE");
    enum hitop_status status = HITOP_OK;
    char *line;
    int number = 0;

    r->into.list.diag = &r->why;
    r->into.is_affinity = affinity && strcmp(affinity, file) == 0;
    while (status == HITOP_OK && (line = hitop_line_reader_next(&r->lines))) {
        status = take_line(r, line);
        number = r->lines.line;
    }
    if (status == HITOP_OK) {
        status = finish(r, &number);
    }
    if (status == HITOP_ERR_INVALID && number > 0) {
        return hitop_fail(diag, HITOP_ERR_FORMAT, "%s:%d: %s", file, number, r->why.message);
    }
    if (status != HITOP_OK) {
        return hitop_fail(diag, status == HITOP_ERR_INVALID ? HITOP_ERR_FORMAT : status, "%s: %s",
                          file, r->why.message);
    }
    return r->into.list.hosts->nranks > 0
               ? HITOP_OK
               : hitop_fail(diag, HITOP_ERR_FORMAT, "%s: names no host", file);
}

enum hitop_status hitop_hosts_read(const char *path, struct hitop_hosts *out,
                                   struct hitop_diag *diag)
{
    struct reading r = {.dialect = NULL};
    enum hitop_status status = hitop_host_list_begin(&r.into.list, out, diag);

    if (status == HITOP_OK) {
        status = hitop_line_reader_open(&r.lines, path, diag);
    }
    if (status == HITOP_OK) {
        status = take_lines(&r, diag);
    }
    if (status != HITOP_OK) {
        hitop_hosts_clear(out);
    }
    hitop_line_reader_close(&r.lines);
    hitop_hosts_clear(&r.into.excluded);
    free(r.into.first);
    free(r.into.ranks.line);
    free(r.line.word);
    return status;
}

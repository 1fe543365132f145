/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * source_csv.c - a table of hosts as a spreadsheet or an inventory writes it.
 *
 * Idea:   the first column names hosts, the others the groups they are in, from the outermost one. The
 *         first line names the levels, e.g. host,site,rack.
 * Use:    where there is a list of racks, and the network itself says nothing.
 * Needs:  a header line and one line per host; RFC 4180. An empty field means: in no group of that level.
 *         Lines that begin with '#' and hosts that the job does not have are skipped.
 */
#include <config.h>

#include "hitop/sys/source.h"

#include "hitop/input.h"
#include "host_match.h"

#include <csv.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_COLUMNS = 32, MAX_FIELD = 256 };

struct record {
    char field[MAX_COLUMNS][MAX_FIELD];
    int nfields;
};

struct reading {
    const char *file;
    int line;  /* being read */
    int begin; /* of the record at hand */
    int nhosts;
    struct record header, record;
    char *seen; /* per place: 1 when it had its line */
    const struct hitop_source_input *in;
    const struct host_match *match;
    struct hitop_paths *paths;
    enum hitop_status status; /* of the first failure */
    struct hitop_diag *diag;
};

static void refuse(struct reading *r, const char *why, const char *what)
{
    if (r->status == HITOP_OK) {
        r->status = hitop_fail(r->diag, HITOP_ERR_FORMAT, "%s:%d: %s%s%.100s%s", r->file, r->begin,
                               why, what ? " '" : "", what ? what : "", what ? "'" : "");
    }
}

static void take_field(void *text, size_t length, void *data)
{
    struct reading *r = data;
    struct record *record = &r->record;

    if (record->nfields == MAX_COLUMNS) {
        refuse(r, "more than 32 columns", NULL);
    } else if (length >= MAX_FIELD || (length > 0 && memchr(text, '\0', length))) {
        refuse(r, "a field is longer than 255 bytes or no text", NULL);
    } else {
        memcpy(record->field[record->nfields], text, length);
        record->field[record->nfields++][length] = '\0';
    }
}

static void check_header(struct reading *r)
{
    const struct record *header = &r->header;

    if (header->nfields < 2) {
        refuse(r, "the first line names the columns, host and at least one level", NULL);
    } else if (strcmp(header->field[0], "host") != 0) {
        refuse(r, "the first column must be called 'host', not", header->field[0]);
    }
    for (int i = 1; i < header->nfields; i++) {
        if (!header->field[i][0]) {
            refuse(r, "a column without a name", NULL);
        }
    }
}

static void push(struct reading *r)
{
    const char *host = r->record.field[0];
    const int place = host_match_find(r->match, host);

    r->nhosts++;
    if (place < 0) {
        return;
    }
    if (r->seen[place]) {
        refuse(r, "a second line about host", host);
        return;
    }
    r->seen[place] = 1;
    for (int i = 1; i < r->record.nfields; i++) {
        if (r->record.field[i][0]) {
            hitop_paths_push(r->paths, place, r->header.field[i], r->record.field[i], 1);
        }
    }
}

static void end_record(int terminator, void *data)
{
    struct reading *r = data;

    (void)terminator;
    if (r->status != HITOP_OK || (r->record.nfields == 1 && !r->record.field[0][0])) {
        /* nothing: failed already, or a blank line */
    } else if (r->header.nfields == 0) {
        r->header = r->record;
        check_header(r);
    } else if (r->record.nfields != r->header.nfields) {
        refuse(r, "not as many fields as the first line has", NULL);
    } else if (!r->record.field[0][0]) {
        refuse(r, "a line without a host", NULL);
    } else {
        push(r);
    }
    r->record.nfields = 0;
    r->begin = r->line + 1;
}

/* The parser gets one line at a time, so that it is known where a record stands. */
static enum hitop_status parse(struct reading *r, struct csv_parser *parser, const char *text,
                               size_t length)
{
    const char *end = text + length;

    for (r->line = r->begin = 1; text < end && r->status == HITOP_OK; r->line++) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const size_t bytes = (size_t)((newline ? newline + 1 : end) - text);

        if (r->begin == r->line && text[0] == '#') {
            r->begin = r->line + 1;
        } else if (csv_parse(parser, text, bytes, take_field, end_record, r) != bytes) {
            refuse(r, csv_strerror(csv_error(parser)), NULL);
        }
        text += bytes;
    }
    if (r->status == HITOP_OK && csv_fini(parser, take_field, end_record, r) != 0) {
        refuse(r, "a quoted field does not end", NULL);
    }
    if (r->status == HITOP_OK && r->nhosts == 0) {
        r->status = hitop_fail(r->diag, HITOP_ERR_FORMAT, "%s: names no host", r->file);
    }
    return r->status;
}

static enum hitop_status csv_classify(const struct hitop_source_input *in,
                                      struct hitop_paths *paths, struct hitop_diag *diag)
{
    struct reading *r = calloc(1, sizeof(*r));
    struct host_match *match = host_match_new(in->place, in->nplaces);
    char *seen = calloc((size_t)in->nplaces, 1), *text = NULL;
    struct csv_parser parser;
    size_t length = 0;
    enum hitop_status status = HITOP_ERR_NOMEM;

    if (!r || !match || !seen ||
        csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL) != 0) {
        goto out;
    }
    *r = (struct reading){.file = hitop_input_name(in->file),
                          .seen = seen,
                          .in = in,
                          .match = match,
                          .paths = paths,
                          .diag = diag};
    status = hitop_input_read(in->file, &text, &length, diag);
    if (status == HITOP_OK) {
        status = parse(r, &parser, text, length);
    }
    csv_free(&parser);

out:
    free(text);
    free(seen);
    host_match_free(match);
    free(r);
    return status;
}

const struct hitop_source hitop_source_csv = {
    .name = "csv",
    .summary = "a table host,level,... with the groups of every host",
    .layer = HITOP_LAYER_NETWORK,
    .trust = 1,
    .spans_sites = 1,
    .option = "csv",
    .argument = "FILE",
    .classify = csv_classify,
};

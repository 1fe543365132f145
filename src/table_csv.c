/* SPDX-License-Identifier: BSD-3-Clause */
/* table_csv.c - read the records of a CSV file; messages have the line where a record begins. */
#include <config.h>

#include "src/table_csv.h"

#include "hitop/input.h"

#include <csv.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    const char *file;
    int line;     /* current line */
    int begin;    /* first line of the current record */
    int ncolumns; /* of the header; 0 before it is read */
    struct table_record record;
    const struct table_user *user;
    enum hitop_status status; /* of the first failure */
    struct hitop_diag *diag;
};

static void refuse(struct reading *r, enum hitop_status status, const char *why)
{
    if (r->status == HITOP_OK) {
        r->status = hitop_fail(r->diag, status, "%s:%d: %.300s", r->file, r->begin, why);
    }
}

static void take_field(void *text, size_t length, void *data)
{
    struct reading *r = data;
    struct table_record *record = &r->record;
    struct hitop_diag why = HITOP_DIAG_INIT;

    if (record->nfields == TABLE_COLUMNS) {
        (void)hitop_fail(&why, HITOP_ERR_FORMAT, "more than %d columns", TABLE_COLUMNS);
    } else if (length >= TABLE_FIELD) {
        (void)hitop_fail(&why, HITOP_ERR_FORMAT, "a field is longer than %d bytes",
                         TABLE_FIELD - 1);
    } else {
        memcpy(record->field[record->nfields], text, length);
        record->field[record->nfields++][length] = '\0';
        return;
    }
    refuse(r, HITOP_ERR_FORMAT, why.message);
}

static enum hitop_status use(struct reading *r, struct hitop_diag *why)
{
    if (r->ncolumns == 0) {
        r->ncolumns = r->record.nfields;
        return r->user->header(r->user->data, &r->record, why);
    }
    if (r->record.nfields != r->ncolumns) {
        return hitop_fail(why, HITOP_ERR_FORMAT, "not as many fields as the first line has");
    }
    return r->user->row(r->user->data, &r->record, r->begin, why);
}

static void end_record(int terminator, void *data)
{
    struct reading *r = data;
    struct hitop_diag why = HITOP_DIAG_INIT;

    (void)terminator;
    if (r->status == HITOP_OK && !(r->record.nfields == 1 && !r->record.field[0][0])) {
        const enum hitop_status status = use(r, &why);
        if (status != HITOP_OK) {
            refuse(r, status, why.message);
        }
    }
    r->record.nfields = 0;
    r->begin = r->line + 1;
}

/* Pass the parser one line at a time, so that the line of each record is known. */
static void parse(struct reading *r, struct csv_parser *parser, const char *text, size_t length)
{
    const char *end = text + length;

    for (r->line = r->begin = 1; text < end && r->status == HITOP_OK; r->line++) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const size_t bytes = (size_t)((newline ? newline + 1 : end) - text);

        if (r->begin == r->line && text[0] == '#') {
            r->begin = r->line + 1;
        } else if (csv_parse(parser, text, bytes, take_field, end_record, r) != bytes) {
            refuse(r, HITOP_ERR_FORMAT, csv_strerror(csv_error(parser)));
        }
        text += bytes;
    }
    if (r->status == HITOP_OK && csv_fini(parser, take_field, end_record, r) != 0) {
        refuse(r, HITOP_ERR_FORMAT, "a quoted field does not end");
    }
}

enum hitop_status hitop_table_read(const char *path, const struct table_user *user,
                                   struct hitop_diag *diag)
{
    struct reading *r = calloc(1, sizeof(*r));
    struct csv_parser parser;
    char *text = NULL;
    size_t length = 0;
    enum hitop_status status = hitop_input_read_text(path, &text, &length, diag);

    if (status == HITOP_OK &&
        (!r || csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL) != 0)) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", hitop_input_name(path));
    }
    if (status == HITOP_OK) {
        *r = (struct reading){.file = hitop_input_name(path), .user = user, .diag = diag};
        parse(r, &parser, text, length);
        csv_free(&parser);
        status = r->status;
    }
    free(text);
    free(r);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TABLE_CSV_H
#define TABLE_CSV_H

/*
 * table_csv.h - read a CSV file (RFC 4180) with a header line, record by record.
 *
 * Blank lines are skipped, and so are lines that begin with '#'.
 */

#include "hitop/status.h"

enum { TABLE_COLUMNS = 32, TABLE_FIELD = 1024 };

struct table_record {
    char field[TABLE_COLUMNS][TABLE_FIELD];
    int nfields;
};

/* Callbacks for records. To refuse a record a callback writes the reason, without place, to why. */
struct table_user {
    void *data;
    enum hitop_status (*header)(void *data, const struct table_record *header,
                                struct hitop_diag *why);
    /* row has as many fields as the header, and begins at this line. */
    enum hitop_status (*row)(void *data, const struct table_record *row, int line,
                             struct hitop_diag *why);
};

/*
 * Read a whole file, "-" for standard input; stop when a record is refused.
 *
 * HITOP_ERR_IO: the file cannot be read; HITOP_ERR_FORMAT: it is not CSV; the status of a callback
 * that refuses a record. Messages on records begin with "file:line: ".
 */
HITOP_MUST_CHECK enum hitop_status hitop_table_read(const char *path, const struct table_user *user,
                                                    struct hitop_diag *diag);

#endif /* TABLE_CSV_H */

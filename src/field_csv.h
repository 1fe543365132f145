/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FIELD_CSV_H
#define FIELD_CSV_H

/* field_csv.h - fields of CSV files (RFC 4180) that we write. */

#include <stdio.h>

/* A text, quoted if it must be. */
void hitop_csv_put_text(FILE *to, const char *text);

/* A number, as many digits as reading it again needs for 15 of them; nothing when it is NaN. */
void hitop_csv_put_number(FILE *to, double number);

#endif /* FIELD_CSV_H */

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FIELD_CSV_H
#define FIELD_CSV_H

/* field_csv.h - write fields of CSV files (RFC 4180). */

#include <stdio.h>

/* Write a text, quoted if necessary. */
void hitop_csv_put_text(FILE *to, const char *text);

/* Write a number with 15 significant digits; nothing for NaN. */
void hitop_csv_put_number(FILE *to, double number);

#endif /* FIELD_CSV_H */

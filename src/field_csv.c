/* SPDX-License-Identifier: BSD-3-Clause */
/* field_csv.c - write fields of CSV files. */
#include <config.h>

#include "src/field_csv.h"

#include <csv.h>
#include <math.h>
#include <string.h>

void hitop_csv_put_text(FILE *to, const char *text)
{
    if (strpbrk(text, ",\"\r\n") || text[0] == ' ' || text[0] == '#') {
        (void)csv_fwrite(to, text, strlen(text));
    } else {
        (void)fputs(text, to);
    }
}

void hitop_csv_put_number(FILE *to, double number)
{
    if (!isnan(number)) {
        fprintf(to, "%.15g", number);
    }
}

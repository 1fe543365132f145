/* SPDX-License-Identifier: BSD-3-Clause */
/* table_json.c - rows of a table as CSV and as JSON. */
#include <config.h>

#include "tools/common/table.h"

#include "src/draft_json.h"
#include "src/field_csv.h"

#include <math.h>

void table_put_head(FILE *to, const struct column *columns, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        fprintf(to, "%s%s", i > 0 ? "," : "",
                columns[i].kind == COLUMN_RANKS ? columns[i].cells : columns[i].name);
    }
    putc('\n', to);
}

static void put_cell(FILE *to, const struct column *column, const void *cell)
{
    const int *number = cell;
    const double *real = cell;

    switch (column->kind) {
    case COLUMN_TEXT:
        if (*(const char *const *)cell) {
            hitop_csv_put_text(to, *(const char *const *)cell);
        }
        break;
    case COLUMN_RANKS:
        fprintf(to, "%d,%d", number[0], number[1]);
        break;
    case COLUMN_SIZE:
        fprintf(to, "%zu", *(const size_t *)cell);
        break;
    case COLUMN_REAL:
    case COLUMN_FIXED:
        if (!isnan(*real)) {
            fprintf(to, column->kind == COLUMN_REAL ? "%.*g" : "%.*f",
                    column->digits > 0 || column->kind == COLUMN_FIXED ? column->digits : 15,
                    *real);
        }
        break;
    case COLUMN_RANK:
        if (*number < 0) {
            break;
        }
        /* fall through */
    case COLUMN_INT:
    case COLUMN_FLAG:
        fprintf(to, "%d", *number);
        break;
    }
}

void table_put_row(FILE *to, const struct column *columns, size_t n, const void *row)
{
    for (size_t i = 0; i < n; i++) {
        put_cell(to, &columns[i], (const char *)row + columns[i].at);
        putc(i + 1 < n ? ',' : '\n', to);
    }
}

static json_t *cell_value(const struct column *column, const void *cell)
{
    const int *number = cell;
    const double *real = cell;

    switch (column->kind) {
    case COLUMN_TEXT:
        return hitop_draft_text(*(const char *const *)cell);
    case COLUMN_RANKS:
        return json_pack("[i, i]", number[0], number[1]);
    case COLUMN_SIZE:
        return json_integer((json_int_t) * (const size_t *)cell);
    case COLUMN_REAL:
    case COLUMN_FIXED:
        return isfinite(*real) ? json_real(*real) : json_null();
    case COLUMN_FLAG:
        return json_boolean(*number);
    case COLUMN_RANK:
        if (*number < 0) {
            break;
        }
        /* fall through */
    case COLUMN_INT:
        return json_integer(*number);
    }
    return json_null();
}

json_t *table_row_value(const struct column *columns, size_t n, const void *row)
{
    struct draft draft = {.value = json_object()};

    for (size_t i = 0; i < n; i++) {
        draft_add(&draft, columns[i].name,
                  cell_value(&columns[i], (const char *)row + columns[i].at));
    }
    return draft_finish(&draft);
}

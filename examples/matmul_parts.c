/* SPDX-License-Identifier: BSD-3-Clause */
/* matmul_parts.c - options, matrices and shares of matmul.c. */
#include "matmul.h"

#include <hitop/text.h>
#include <stdlib.h>
#include <string.h>

/* "RANK:FACTOR" */
static enum hitop_status slow_down(struct matmul_options *o, char *text, int ranks,
                                   struct hitop_diag *diag)
{
    char *colon = strchr(text, ':');
    int rank, factor;
    enum hitop_status status;

    if (!colon) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "-s %s: RANK:FACTOR is needed", text);
    }
    *colon = '\0';
    status = hitop_text_int(text, 0, ranks - 1, &rank, diag);
    if (status == HITOP_OK) {
        status = hitop_text_int(colon + 1, 1, 1000, &factor, diag);
    }
    if (status == HITOP_OK) {
        o->factor[rank] = factor;
    }
    *colon = ':';
    return status;
}

enum hitop_status matmul_parse(struct matmul_options *o, int argc, char **argv, int ranks,
                               struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    *o = (struct matmul_options){.n = 240, .runs = 5, .algorithm = "auto"};
    o->factor = calloc((size_t)ranks, sizeof(*o->factor));
    if (!o->factor) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    for (int r = 0; r < ranks; r++) {
        o->factor[r] = 1;
    }
    for (int i = 1; i < argc && status == HITOP_OK; i += 2) {
        char *value = i + 1 < argc ? argv[i + 1] : NULL;
        const char letter = argv[i][0] == '-' && strlen(argv[i]) == 2 && value ? argv[i][1] : '?';
        switch (letter) {
        case 'n':
            status = hitop_text_int(value, 1, 20000, &o->n, diag);
            break;
        case 'r':
            status = hitop_text_int(value, 1, 10000, &o->runs, diag);
            break;
        case 's':
            status = slow_down(o, value, ranks, diag);
            break;
        case 'm':
            o->model = value;
            break;
        case 'a':
            o->algorithm = value;
            break;
        default:
            return hitop_fail(diag, HITOP_ERR_INVALID, MATMUL_USAGE);
        }
    }
    return status;
}

void matmul_options_clear(struct matmul_options *o)
{
    free(o->factor);
    o->factor = NULL;
}

static size_t bytes_of(int n, int rows)
{
    return (size_t)n * (size_t)rows * sizeof(double);
}

/* Small whole numbers, so that products are exact in any order of addition. */
static void fill(double *matrix, int n, unsigned state)
{
    for (size_t i = 0; i < (size_t)n * (size_t)n; i++) {
        state = state * 1664525u + 1013904223u;
        matrix[i] = (double)(state >> 28);
    }
}

int matmul_make(struct matrices *m, int n, int rank)
{
    const size_t bytes = bytes_of(n, n);

    *m = (struct matrices){.n = n};
    m->b = calloc(1, bytes);
    m->part = calloc(1, bytes);
    m->part_of_c = calloc(1, bytes);
    if (rank == 0) {
        m->a = calloc(1, bytes);
        m->c = calloc(1, bytes);
        m->expected = calloc(1, bytes);
    }
    if (!m->b || !m->part || !m->part_of_c || (rank == 0 && (!m->a || !m->c || !m->expected))) {
        return 0;
    }
    fill(m->b, n, 2); /* on all ranks, which measure their speed with it */
    fill(m->part, n, 3);
    if (rank == 0) {
        fill(m->a, n, 1);
        matmul_rows(m->a, m->b, m->expected, n, n, 1);
    }
    return 1;
}

void matmul_clear(struct matrices *m)
{
    free(m->a);
    free(m->b);
    free(m->c);
    free(m->expected);
    free(m->part);
    free(m->part_of_c);
}

void matmul_rows(const double *a, const double *b, double *c, int rows, int n, int factor)
{
    for (int times = 0; times < factor; times++) {
        memset(c, 0, bytes_of(n, rows));
        for (int r = 0; r < rows; r++) {
            double *out = c + (size_t)r * (size_t)n;
            for (int k = 0; k < n; k++) {
                const double x = a[(size_t)r * (size_t)n + (size_t)k];
                const double *row = b + (size_t)k * (size_t)n;
                for (int j = 0; j < n; j++) {
                    out[j] += x * row[j];
                }
            }
        }
    }
}

void matmul_forget_product(struct matrices *m)
{
    const size_t bytes = bytes_of(m->n, m->n);

    memset(m->part, 0xff, bytes); /* not a number */
    memset(m->part_of_c, 0xff, bytes);
    memset(m->c ? m->c : m->b, 0xff, bytes); /* rank 0 has the only B */
}

int matmul_is_right(const struct matrices *m)
{
    return !m->expected || memcmp(m->c, m->expected, bytes_of(m->n, m->n)) == 0;
}

/*
 * Shares in proportion to speed, rounded down; each remaining row goes to the rank that would
 * finish it first.
 */
void matmul_share(const double *speed, int ranks, int n, int *count, int *displ)
{
    double total = 0;
    int left = n;

    for (int r = 0; r < ranks; r++) {
        total += speed[r];
    }
    for (int r = 0; r < ranks; r++) {
        count[r] = (int)(n * (speed[r] / total));
        left -= count[r];
    }
    for (; left > 0; left--) {
        int best = 0;
        for (int r = 1; r < ranks; r++) {
            if ((count[r] + 1) / speed[r] < (count[best] + 1) / speed[best]) {
                best = r;
            }
        }
        count[best]++;
    }
    for (int r = 0, start = 0; r < ranks; r++) {
        count[r] *= n;
        displ[r] = start;
        start += count[r];
    }
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double matmul_median(double *values, int n)
{
    qsort(values, (size_t)n, sizeof(*values), ascending);
    return values[n / 2];
}

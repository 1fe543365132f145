/* SPDX-License-Identifier: BSD-3-Clause */
/* points_csv.c - measured times from a CSV file. */
#include <config.h>

#include "models/fit/points.h"
#include "src/table_csv.h"

#include "hitop/input.h"
#include "hitop/text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { RANK_I, RANK_J, EXPERIMENT, SIZE, TIME, LO, HI, SAMPLES, CONVERGED, NCOLUMNS };

static const char *const columns[NCOLUMNS] = {
    [RANK_I] = "rank_i", [RANK_J] = "rank_j",   [EXPERIMENT] = "experiment",
    [SIZE] = "size_B",   [TIME] = "time_us",    [LO] = "lo_us",
    [HI] = "hi_us",      [SAMPLES] = "samples", [CONVERGED] = "converged",
};

enum { MAX_MICROSECONDS = 1000000000 };

struct reading {
    int column[NCOLUMNS]; /* of the file */
    int nranks;
    struct points *points;
    size_t max;
};

static enum hitop_status take_header(void *data, const struct table_record *header,
                                     struct hitop_diag *why)
{
    struct reading *r = data;

    for (int c = 0; c < NCOLUMNS; c++) {
        r->column[c] = -1;
        for (int i = 0; i < header->nfields; i++) {
            if (strcmp(header->field[i], columns[c]) != 0) {
                continue;
            }
            if (r->column[c] >= 0) {
                return hitop_fail(why, HITOP_ERR_FORMAT, "two columns are called %s", columns[c]);
            }
            r->column[c] = i;
        }
        if (r->column[c] < 0) {
            return hitop_fail(why, HITOP_ERR_FORMAT, "no column is called %s", columns[c]);
        }
    }
    return HITOP_OK;
}

static enum hitop_status read_experiment(const char *text, enum hitop_experiment *out,
                                         struct hitop_diag *why)
{
    char names[128] = "";

    for (int x = 0; x <= HITOP_FAN; x++) {
        const char *name = hitop_experiment_name((enum hitop_experiment)x);
        if (strcmp(text, name) == 0) {
            *out = (enum hitop_experiment)x;
            return HITOP_OK;
        }
        hitop_text_list_name(names, sizeof(names), name);
    }
    return hitop_fail(why, HITOP_ERR_FORMAT, "'%.100s' is none of %s", text, names);
}

static enum hitop_status read_time(const char *text, double *seconds, struct hitop_diag *why)
{
    const enum hitop_status status = hitop_text_double(text, 0, MAX_MICROSECONDS, seconds, why);

    *seconds *= 1e-6;
    return status;
}

static enum hitop_status read_column(const struct reading *r, int column, const char *text,
                                     struct measured_point *p, struct hitop_diag *why)
{
    switch (column) {
    case RANK_I:
    case RANK_J:
        return hitop_text_int(text, 0, r->nranks - 1, &p->rank[column - RANK_I], why);
    case EXPERIMENT:
        return read_experiment(text, &p->what, why);
    case SIZE:
        return hitop_text_size(text, &p->bytes, why);
    case TIME:
        return read_time(text, &p->seconds, why);
    case LO:
        return read_time(text, &p->lo, why);
    case HI:
        return read_time(text, &p->hi, why);
    case SAMPLES:
        return hitop_text_int(text, 0, INT_MAX, &p->nsamples, why);
    default:
        return hitop_text_int(text, 0, 1, &p->converged, why);
    }
}

static enum hitop_status append(struct reading *r, const struct measured_point *p,
                                struct hitop_diag *why)
{
    if (r->points->n == r->max) {
        const size_t max = r->max ? 2 * r->max : 256;
        struct measured_point *more = realloc(r->points->point, max * sizeof(*more));
        if (!more) {
            return hitop_fail(why, HITOP_ERR_NOMEM, "out of memory");
        }
        r->points->point = more;
        r->max = max;
    }
    r->points->point[r->points->n++] = *p;
    return HITOP_OK;
}

static enum hitop_status take_point(void *data, const struct table_record *row, int line,
                                    struct hitop_diag *why)
{
    struct reading *r = data;
    struct measured_point p = {.line = line};

    for (int c = 0; c < NCOLUMNS; c++) {
        struct hitop_diag reason = HITOP_DIAG_INIT;
        if (read_column(r, c, row->field[r->column[c]], &p, &reason) != HITOP_OK) {
            return hitop_fail(why, HITOP_ERR_FORMAT, "%s: %.250s", columns[c], reason.message);
        }
    }
    if (p.rank[0] == p.rank[1]) {
        return hitop_fail(why, HITOP_ERR_FORMAT, "rank %d twice", p.rank[0]);
    }
    if (!(p.lo <= p.seconds && p.seconds <= p.hi)) {
        return hitop_fail(why, HITOP_ERR_FORMAT, "time_us %g is not in its interval %g to %g",
                          p.seconds * 1e6, p.lo * 1e6, p.hi * 1e6);
    }
    return p.what == HITOP_FAN ? HITOP_OK : append(r, &p, why);
}

static int compare(const void *a, const void *b)
{
    const struct measured_point *x = a, *y = b;

    for (int k = 0; k < 2; k++) {
        if (x->rank[k] != y->rank[k]) {
            return x->rank[k] < y->rank[k] ? -1 : 1;
        }
    }
    if (x->what != y->what) {
        return x->what < y->what ? -1 : 1;
    }
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* Refuse two points that differ in time only; the message names the line of the later one. */
static enum hitop_status check_doubles(const char *file, const struct points *points,
                                       struct hitop_diag *diag)
{
    for (size_t i = 1; i < points->n; i++) {
        const struct measured_point *x = &points->point[i - 1], *y = &points->point[i];
        if (compare(x, y) == 0) {
            return hitop_fail(diag, HITOP_ERR_FORMAT, "%s:%d: %s of %zu B from rank %d to %d again",
                              file, x->line > y->line ? x->line : y->line,
                              hitop_experiment_name(x->what), x->bytes, x->rank[0], x->rank[1]);
        }
    }
    return HITOP_OK;
}

enum hitop_status hitop_points_read(const char *path, int nranks, struct points *out,
                                    struct hitop_diag *diag)
{
    struct reading r = {.nranks = nranks, .points = out};
    const struct table_user user = {&r, take_header, take_point};
    enum hitop_status status;

    *out = (struct points){0};
    status = hitop_table_read(path, &user, diag);
    if (status == HITOP_OK && out->n == 0) {
        return hitop_fail(diag, HITOP_ERR_FORMAT, "%s: no points", hitop_input_name(path));
    }
    if (status == HITOP_OK) {
        qsort(out->point, out->n, sizeof(*out->point), compare);
        status = check_doubles(hitop_input_name(path), out, diag);
    }
    return status;
}

void hitop_points_clear(struct points *points)
{
    free(points->point);
    *points = (struct points){0};
}

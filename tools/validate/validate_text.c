/* SPDX-License-Identifier: BSD-3-Clause */
/* validate_text.c - write a comparison as tables. */
#include <config.h>

#include "tools/common/notes.h"
#include "tools/validate/validate.h"

#include "hitop/input.h"
#include "hitop/sys/model.h"
#include "hitop/text.h"

#include <math.h>
#include <string.h>

static const char *const part_title[VALIDATE_NPARTS] = {
    [VALIDATE_PAIRS] = "pairs of ranks, one message at a time",
    [VALIDATE_PATTERNS] = "patterns that no fit has seen",
    [VALIDATE_OPERATIONS] = "collectives",
};

static void print_head(FILE *out, enum validate_part part)
{
    fprintf(out, "\n%s\n%-28s %6s %6s %8s %8s %8s %8s %8s %9s %8s  %s\n", part_title[part],
            part == VALIDATE_PAIRS ? "level" : "name", "pairs", "points", "median_%", "q90_%",
            "max_%", "bias_%", "noise_%", "err/noise", "limit_%", "state");
}

/* Print a relative number in percent, with two digits. */
static void print_percent(FILE *out, double x, int is_signed, int width)
{
    const double percent = 100 * x;
    char text[32];

    if (fabs(percent) >= 10) {
        (void)snprintf(text, sizeof(text), is_signed ? "%+.0f" : "%.0f", percent);
    } else if (fabs(percent) >= 0.01) {
        (void)snprintf(text, sizeof(text), is_signed ? "%+.2g" : "%.2g", percent);
    } else {
        (void)snprintf(text, sizeof(text), percent == 0 ? "0" : "<0.01");
    }
    fprintf(out, " %*s", width, text);
}

static void print_numbers(FILE *out, const struct validate_row *row)
{
    const struct hitop_errors *e = &row->errors;

    if (row->first->part == VALIDATE_PAIRS) {
        fprintf(out, "%6d %6d", row->npairs, row->nsamples);
    } else {
        fprintf(out, "%6s %6d", "-", row->nsamples);
    }
    print_percent(out, e->median, 0, 8);
    print_percent(out, e->q90, 0, 8);
    print_percent(out, e->largest, 0, 8);
    print_percent(out, e->bias, 1, 8);
    print_percent(out, row->floor, 0, 8);
    if (row->floor > 1e-4) {
        fprintf(out, " %9.2g", e->median / row->floor);
    } else {
        fprintf(out, " %9s", "-");
    }
    print_percent(out, row->limit, 0, 8);
    fprintf(out, "  %s\n", hitop_validate_state(row));
}

static int count_groups(const struct validate_report *r, const char *level)
{
    int n = 0;

    for (int i = 0; i < r->groups.n; i++) {
        const struct validate_sample *s = r->groups.row[i].first;
        n += s->part == VALIDATE_PAIRS && strcmp(s->level, level) == 0;
    }
    return n;
}

/*
 * Print the groups of a level that do not hold, below the row of the level. A level with one group
 * has no such rows.
 */
static void print_groups(const struct validate_report *r, const struct validate_row *level,
                         FILE *out)
{
    if (count_groups(r, level->first->level) < 2) {
        return;
    }
    for (int i = 0; i < r->groups.n; i++) {
        const struct validate_row *row = &r->groups.row[i];
        char name[40];
        if (row->holds || row->first->part != VALIDATE_PAIRS ||
            strcmp(row->first->level, level->first->level) != 0 || !row->first->name[0]) {
            continue;
        }
        (void)snprintf(name, sizeof(name), "  '%.24s'", row->first->name);
        fprintf(out, "%-28s ", name);
        print_numbers(out, row);
    }
}

static void print_rows(const struct validate_report *r, enum validate_part part, FILE *out)
{
    const struct validate_rows *rows = &r->levels;
    int n = 0;

    for (int i = 0; i < rows->n; i++) {
        const struct validate_row *row = &rows->row[i];
        if (row->first->part != part) {
            continue;
        }
        if (n++ == 0) {
            print_head(out, part);
        }
        fprintf(out, "%-28s ", row->first->level[0] ? row->first->level : "(unnamed)");
        print_numbers(out, row);
        if (part == VALIDATE_PAIRS) {
            print_groups(r, row, out);
        }
    }
}

/* Print the bias of pairs by size, which shows where the formula is wrong. */
static void print_sizes(const struct validate_report *r, FILE *out)
{
    int n = 0;

    for (int i = 0; i < r->sizes.n; i++) {
        const struct validate_row *row = &r->sizes.row[i];
        if (row->first->part == VALIDATE_PAIRS && row->nsamples > 0) {
            fprintf(out, "%s%zu B", n++ == 0 ? "\nbias of pairs by size, in %: " : ", ",
                    row->first->bytes);
            print_percent(out, row->errors.bias, 1, 0);
        }
    }
    if (n > 0) {
        fputc('\n', out);
    }
}

/* Print how many times of all pairs are inside the intervals of the model. */
static void print_coverage(const struct validate_report *r, FILE *out)
{
    int ninside = 0, n = 0, nknown = 0, npairs = 0;

    for (int i = 0; i < r->groups.n; i++) {
        ninside += r->groups.row[i].ninside;
        n += r->groups.row[i].nintervals;
        nknown += r->groups.row[i].nknown;
        npairs += r->groups.row[i].npairs;
    }
    if (n > 0) {
        fprintf(out, "%d of %d times of pairs are inside the model's 95 %% intervals (%.0f %%)\n",
                ninside, n, 100.0 * ninside / n);
    }
    if (nknown > 0) {
        fprintf(out,
                "%d of %d pairs %s that the model was made from: their groups have no others\n",
                nknown, npairs, nknown == 1 ? "is one" : "are those");
    }
}

/* Print facts that limit the value of the figures. */
static void print_doubts(const struct validate_report *r, FILE *out)
{
    int nopen = 0, nmissing = 0;

    for (int i = 0; i < r->nsamples; i++) {
        nmissing += !(r->samples[i].seconds > 0);
        nopen += r->samples[i].seconds > 0 && !r->samples[i].converged;
    }
    if (nopen > 0) {
        fprintf(out, "%d of %d medians %s not as precise as wanted; more time: --budget\n", nopen,
                r->nsamples - nmissing, nopen == 1 ? "is" : "are");
    }
    if (nmissing > 0) {
        fprintf(out, "%d of %d times %s not measured", nmissing, r->nsamples,
                nmissing == 1 ? "was" : "were");
        if (r->enough > r->request->budget) {
            fprintf(out, "; about --budget %.0fs would do", ceil(r->enough));
        }
        fputc('\n', out);
    }
    if (r->busiest[0] > r->busiest[1]) {
        fprintf(out, "%d ranks of a machine shared %d processor%s\n", r->busiest[0], r->busiest[1],
                r->busiest[1] == 1 ? "" : "s");
    }
    if (r->after_barrier) {
        fputs("ranks missed start times: patterns and collectives are timed by one-barrier, and "
              "ranks "
              "leave a barrier one by one\n",
              out);
    }
    capacity_note(out, "", r->model);
    if (r->skipped[0]) {
        fprintf(out, "skipped: %s\n", r->skipped);
    }
}

void validate_print_text(const struct validate_report *r, FILE *out)
{
    fprintf(out, "%s, model %s, against %d rank%s on %d host%s: %.3g s of measurements",
            hitop_input_name(r->request->input), hitop_model_type_of(r->model)->name, r->nranks,
            r->nranks == 1 ? "" : "s", r->nhosts, r->nhosts == 1 ? "" : "s", r->seconds);
    if (r->nlaunches > 1) {
        fprintf(out, ", with those of %d earlier launch%s", r->nlaunches - 1,
                r->nlaunches == 2 ? "" : "es");
    }
    fprintf(out, ", timing %s\n", r->timing);
    for (int part = 0; part < VALIDATE_NPARTS; part++) {
        print_rows(r, (enum validate_part)part, out);
        if (part == VALIDATE_PAIRS) {
            print_sizes(r, out);
            print_coverage(r, out);
        }
    }
    fputc('\n', out);
    print_doubts(r, out);
    fprintf(out, "%s\n", r->verdict);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* report_fits.c - the fitted formulas of an operation, and their errors. */
#include <config.h>

#include "tools/report/report_parts.h"

#include <math.h>
#include <string.h>

static void cell_range(struct page *page, const struct hitop_fit_piece *p)
{
    if (p->min_bytes == p->max_bytes) {
        page_cells(page, "%B", p->min_bytes);
    } else {
        page_cells(page, "%B to %B", p->min_bytes, p->max_bytes);
    }
}

static void cell_bandwidth(struct page *page, const struct hitop_fit_piece *p)
{
    double per_byte = NAN;

    for (int i = p->nterms - 1; i >= 0; i--) {
        per_byte = strcmp(p->term[i].term->text, "m") == 0 ? p->term[i].value : per_byte;
    }
    page_cells(page, "%R", 1 / per_byte);
}

static int has_fit(const struct results_curve *c)
{
    return c->has_fit;
}

/* "ranks: sentence" for each number of ranks. */
static void write_sentences(struct guide *guide, const struct results_series *s)
{
    struct page *page = &guide->page;

    for (int i = 0; i < s->n; i++) {
        const struct results_curve *c = &guide->report->curves[s->first + i];
        char ranks[32];
        (void)snprintf(ranks, sizeof(ranks), "%d rank%s", c->ranks, c->ranks == 1 ? "" : "s");
        page_item(page, ranks, c->has_fit ? c->fit.sentence : c->why_not);
    }
    page_items_end(page);
}

/* A formula that does not describe the data is not shown. */
static int is_of_use(const struct results_curve *c)
{
    return c->has_fit && c->fit.verdict != HITOP_FIT_NONE;
}

/* The number of curves of a series for which a condition is true. */
static int count_curves(const struct results *r, const struct results_series *s,
                        int (*is_true)(const struct results_curve *c))
{
    int n = 0;

    for (int i = 0; i < s->n; i++) {
        n += is_true(&r->curves[s->first + i]);
    }
    return n;
}

/* An error as a multiple of the noise floor. */
static void cell_over_floor(struct page *page, double error, double floor)
{
    page_cells(page, error < 99.95 * floor ? "%1" : "%0", floor > 0 ? error / floor : NAN);
}

static void row_of_form(struct page *page, const char *ranks, const struct hitop_curve_fit *fit,
                        int id)
{
    const struct hitop_fit_form *f = &fit->form[id];
    const struct hitop_errors *e = &f->unseen;
    const char *mark = id == fit->chosen ? " ✓" : "";
    char text[32], half[32];

    if (f->npieces == 0 || (id == HITOP_FIT_PIECES && f->npieces == 1)) {
        return;
    }
    if (f->npieces > 1) {
        page_cells(page, "%s|%s (%d)%s", ranks, f->name, f->npieces, mark);
    } else {
        page_cells(page, "%s|%s%s", ranks, f->name, mark);
    }
    page_cells(page, "%d|%d", f->nnumbers, e->n);
    if (e->n == 0) {
        page_cells(page, "-|-|-|-|-|-");
        return;
    }
    page_cells(page, "%E|%E|%E|%E", e->median, e->q90, e->largest, e->bias);
    cell_over_floor(page, e->median, fit->floor);
    page_error(f->half, half);
    page_cells(page, "%s by %s%s", page_share((double)f->covered / e->n, text),
               *half == 'x' ? "" : "± ", half);
}

static void write_errors(struct guide *guide, const struct results_series *s)
{
    struct page *page = &guide->page;

    page_table(page, "How near the forms are to points that their fit has not seen (✓: chosen)",
               "rnrrrrrrrr",
               "ranks|form|numbers|points left out|median error|9 of 10 within|largest|bias|median "
               "over noise|covered");
    for (int i = 0; i < s->n; i++) {
        const struct results_curve *c = &guide->report->curves[s->first + i];
        char ranks[32];
        (void)snprintf(ranks, sizeof(ranks), "%d", c->ranks);
        for (int id = 0; c->has_fit && c->npoints > 1 && id < HITOP_FIT_NFORMS; id++) {
            row_of_form(page, ranks, &c->fit, id);
        }
    }
    for (int id = 0; s->has_fit && id < HITOP_FIT_NFORMS; id++) {
        row_of_form(page, "all", &s->fit, id);
    }
    page_table_end(page);
}

static int are_on_other_hosts(const struct results *r, const struct results_series *s)
{
    for (int i = 1; i < s->n; i++) {
        if (r->curves[s->first + i].hosts != r->curves[s->first].hosts) {
            return 1;
        }
    }
    return 0;
}

static int has_sizes(const struct results_curve *c)
{
    return c->npoints > 1;
}

/* A term with mathematical signs; `text` is ASCII. */
static const char *pretty(const char *text)
{
    static const struct {
        const char *plain, *pretty;
    } terms[] = {{"ceil(log2 P)", "⌈log₂ P⌉"}, {"m ceil(log2 P)", "m ⌈log₂ P⌉"},
                 {"log2 P", "log₂ P"},         {"(P - 1)", "(P − 1)"},
                 {"m (P - 1)", "m (P − 1)"},   {"m^2", "m²"}};

    for (size_t i = 0; i < sizeof(terms) / sizeof(terms[0]); i++) {
        if (strcmp(terms[i].plain, text) == 0) {
            return terms[i].pretty;
        }
    }
    return text;
}

/* One coefficient: "1.25 µs", "0.385 ns/B". */
static void equation_number(const struct hitop_fit_term *term, double value, char *out,
                            size_t length)
{
    char text[32];

    if (term->has_square) {
        (void)snprintf(out, length, "%.3g ns/B²", 1e9 * value);
    } else if (term->has_size && fabs(value) < 1e-9) {
        (void)snprintf(out, length, "%.3g ps/B", 1e12 * value);
    } else if (term->has_size && fabs(value) < 0.9995e-6) {
        (void)snprintf(out, length, "%.3g ns/B", 1e9 * value);
    } else if (term->has_size) {
        (void)snprintf(out, length, "%s%s/B", value < 0 ? "−" : "", page_time(fabs(value), text));
    } else {
        (void)snprintf(out, length, "%s%s", value < 0 ? "−" : "", page_time(fabs(value), text));
    }
}

static void equation_write(const struct hitop_fit_piece *piece, int has_ranks, char *out,
                           size_t length)
{
    size_t used = (size_t)snprintf(out, length, "%s = ", has_ranks ? "T(m, P)" : "T(m)");

    for (int i = 0; i < piece->nterms && used < length; i++) {
        const struct hitop_fit_coefficient *c = &piece->term[i];
        char number[64];
        equation_number(c->term, fabs(c->value), number, sizeof(number));
        used += (size_t)snprintf(out + used, length - used, "%s%s%s%s",
                                 i > 0          ? (c->value < 0 ? " − " : " + ")
                                 : c->value < 0 ? "−"
                                                : "",
                                 number, strcmp(c->term->text, "1") == 0 ? "" : " · ",
                                 strcmp(c->term->text, "1") == 0 ? "" : pretty(c->term->text));
    }
}

static void write_all_ranks(struct guide *guide, const struct results_series *s)
{
    struct page *page = &guide->page;
    const struct hitop_fit_form *f = &s->fit.form[s->fit.chosen];

    page_put(page, PAGE_SUBSECTION, "All numbers of ranks: T(m, P)", NULL);
    page_text(page, "%s", s->fit.sentence);
    page_text(page, "The terms to choose from are the costs of %s.", s->basis->why);
    if (are_on_other_hosts(guide->report, s)) {
        page_words(page, "These numbers of ranks are on different numbers of hosts: messages cross "
                         "other links, which P alone does not describe.");
    }
    if (s->fit.verdict == HITOP_FIT_NONE) {
        return;
    }
    page_table(page, "", "nnl", "sizes|formula|factors [95 %]");
    for (int i = 0; i < f->npieces; i++) {
        const struct hitop_fit_piece *p = &f->piece[i];
        char text[512] = "";
        size_t used = 0;
        cell_range(page, p);
        equation_write(p, 1, text, sizeof(text));
        page_cells(page, "%s", text);
        for (int k = 0; k < p->nterms && used < sizeof(text); k++) {
            char lo[64], hi[64];
            equation_number(p->term[k].term, p->term[k].lo, lo, sizeof(lo));
            equation_number(p->term[k].term, p->term[k].hi, hi, sizeof(hi));
            used += (size_t)snprintf(text + used, sizeof(text) - used, "%s[%s, %s]",
                                     k > 0 ? "; " : "", lo, hi);
        }
        page_cells(page, "%s", text);
    }
    page_table_end(page);
}

/* The coefficient of the term "1" or "m", with its interval; "-" if the piece has no such term. */
static void equation_coefficient(const struct hitop_fit_piece *piece, const char *term, char *out,
                                 size_t length)
{
    (void)snprintf(out, length, "-");
    for (int i = 0; i < piece->nterms; i++) {
        const struct hitop_fit_coefficient *c = &piece->term[i];
        char value[64], lo[64], hi[64];
        if (strcmp(c->term->text, term) == 0) {
            equation_number(c->term, c->value, value, sizeof(value));
            equation_number(c->term, c->lo, lo, sizeof(lo));
            equation_number(c->term, c->hi, hi, sizeof(hi));
            (void)snprintf(out, length, "%s [%s, %s]", value, lo, hi);
        }
    }
}

static void write_pieces(struct guide *guide, const struct results_series *s)
{
    struct page *page = &guide->page;

    if (count_curves(guide->report, s, is_of_use) == 0) {
        return;
    }
    page_table(page, "T(m) by number of ranks", "rnnrrr",
               "ranks|sizes|formula|start-up [95 %]|per byte [95 %]|1 / per byte");
    for (int i = 0; i < s->n; i++) {
        const struct results_curve *c = &guide->report->curves[s->first + i];
        for (int k = 0; is_of_use(c) && k < c->fit.form[c->fit.chosen].npieces; k++) {
            const struct hitop_fit_piece *p = &c->fit.form[c->fit.chosen].piece[k];
            char equation[256], start[256], per_byte[256];
            equation_write(p, 0, equation, sizeof(equation));
            equation_coefficient(p, "1", start, sizeof(start));
            equation_coefficient(p, "m", per_byte, sizeof(per_byte));
            page_cells(page, "%d", c->ranks);
            cell_range(page, p);
            page_cells(page, "%s|%s|%s", equation, start, per_byte);
            cell_bandwidth(page, p);
        }
    }
    page_table_end(page);
}

void write_fits(struct guide *guide, const struct results_series *s)
{
    const int sizes = count_curves(guide->report, s, has_sizes);
    struct page *page = &guide->page;

    page_put(page, PAGE_SUBSECTION, "What the data support", NULL);
    if (sizes > 0) {
        write_sentences(guide, s);
        write_pieces(guide, s);
    } else {
        page_words(page, "There is one size, so there is no T(m) to fit.");
    }
    if (s->has_fit) {
        write_all_ranks(guide, s);
    }
    if (s->has_fit || (sizes > 0 && count_curves(guide->report, s, has_fit) > 0)) {
        write_errors(guide, s);
    }
}

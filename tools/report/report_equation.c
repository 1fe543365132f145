/* SPDX-License-Identifier: BSD-3-Clause */
/* report_equation.c - fitted formulas as people write them. */
#include <config.h>

#include "tools/report/report_parts.h"

#include <math.h>
#include <string.h>

/* Terms of the library are ASCII. */
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

void equation_number(const struct hitop_fit_term *term, double value, char *out, size_t length)
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

void equation_write(const struct hitop_fit_piece *piece, int has_ranks, char *out, size_t length)
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

void equation_coefficient(const struct hitop_fit_piece *piece, const char *term, char *out,
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

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CURVE_TERMS_H
#define CURVE_TERMS_H

/* curve_terms.h - terms of T(m). */

struct hitop_fit_term;

extern const struct hitop_fit_term term_one, term_byte, term_byte_square;

#endif /* CURVE_TERMS_H */

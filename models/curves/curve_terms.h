/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CURVE_TERMS_H
#define CURVE_TERMS_H

/* curve_terms.h - terms of T(m). */

struct hitop_fit_term;

extern const struct hitop_fit_term hitop_term_one, hitop_term_byte, hitop_term_byte_square;

#endif /* CURVE_TERMS_H */

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_TEXT_H
#define HITOP_TEXT_H

/**
 * @file text.h
 * @brief Strict parsing of what people type.
 *
 * The whole text must be consumed; leading blanks, trailing garbage, NaN, infinities, overflow and
 * values outside the stated range are errors that quote the text and say what is allowed. Numbers
 * are read in the C locale whatever the program has set.
 */

#include "hitop/status.h"

HITOP_BEGIN_DECLS

/** An integer in [@p min, @p max], decimal. */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_text_int(const char *text, int min, int max,
                                                            int *out, struct hitop_diag *diag);

/** A finite number in [@p min, @p max]. */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_text_double(const char *text, double min, double max, double *out, struct hitop_diag *diag);

/** A number in [@p min, @p max], also written as a fraction such as "1/3". */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_text_ratio(const char *text, double min, double max, double *out, struct hitop_diag *diag);

/**
 * A size in bytes: a non-negative integer with an optional unit. k, m, g (either case) and KiB, MiB,
 * GiB are powers of 1024, the meaning they have in MPIBlib and IMB; kB, MB, GB are powers of 1000;
 * B stands for itself.
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_text_size(const char *text, size_t *out,
                                                             struct hitop_diag *diag);

/** A time in seconds, written with a unit: ns, us, ms, s or min. Zero needs no unit. */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_text_seconds(const char *text, double *out,
                                                                struct hitop_diag *diag);

/**
 * Write @p bytes with the largest binary unit that divides it: 65536 as "64KiB", 1000 as "1000".
 *
 * @param out  receives the text; 32 bytes always suffice
 */
HITOP_API void hitop_text_format_size(size_t bytes, char *out, size_t length);

/**
 * Write a number with @p digits significant ones, 17 at most, and a point whatever locale the program has set, for
 * files and attributes. 32 bytes always suffice.
 */
HITOP_API void hitop_text_format_number(double value, int digits, char *out, size_t length);

/** Write a time with three digits and the unit that suits it: "217 us", "2.03 ms". */
HITOP_API void hitop_text_format_seconds(double seconds, char *out, size_t length);

/** Write a rate with three digits: "25 MB/s", "5.75 GB/s"; powers of 1000. */
HITOP_API void hitop_text_format_rate(double bytes_per_second, char *out, size_t length);

/**
 * Append @p name to the list "a, b, c" in @p list, for messages that name what is valid.
 *
 * @param list    text of @p length bytes at most, "" at first; what does not fit is cut off
 */
HITOP_API void hitop_text_list_name(char *list, size_t length, const char *name);

HITOP_END_DECLS

#endif /* HITOP_TEXT_H */

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_TEXT_H
#define HITOP_TEXT_H

/**
 * @file text.h
 * @brief Strict parsing of numbers, sizes and times.
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
 * A size in bytes, as people write it: digits, perhaps with a decimal point, then an optional blank
 * and unit. k, m, g, t and KiB, MiB, GiB, TiB are powers of 1024, the meaning that the letters have
 * in MPIBlib and IMB; kB, MB, GB, TB are powers of 1000; B, byte and bytes stand for 1. Upper and
 * lower case are the same. The size must be a whole number of bytes: "0.5MiB" and "1.5 k" are
 * sizes, "0.3k" is none. The message for an unknown unit names the nearest one.
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_text_size(const char *text, size_t *out,
                                                             struct hitop_diag *diag);

/** A time in seconds, written with a unit: ns, us, ms, s or min. Zero needs no unit. */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_text_seconds(const char *text, double *out,
                                                                struct hitop_diag *diag);

/**
 * A rate in bytes per second, above 0, written with an optional blank and a unit: B/s, kB/s, MB/s,
 * GB/s, TB/s and, in bits, kbit/s, Mbit/s, Gbit/s, Tbit/s are powers of 1000; KiB/s, MiB/s, GiB/s
 * and TiB/s are powers of 1024. Upper and lower case differ.
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_text_rate(const char *text, double *out,
                                                             struct hitop_diag *diag);

/**
 * Write @p bytes with the largest binary unit that divides it: 65536 as "64KiB", 1000 as "1000".
 *
 * @param out  receives the text; 32 bytes always suffice
 */
HITOP_API void hitop_text_format_size(size_t bytes, char *out, size_t length);

/**
 * Write a number with @p digits significant ones, 17 at most, and a point whatever locale the
 * program has set, for files and attributes. 32 bytes always suffice.
 */
HITOP_API void hitop_text_format_number(double value, int digits, char *out, size_t length);

/** Write a time with three digits and a suitable unit: "217 us", "2.03 ms". */
HITOP_API void hitop_text_format_seconds(double seconds, char *out, size_t length);

/** Write a rate with three digits: "25 MB/s", "5.75 GB/s"; powers of 1000. */
HITOP_API void hitop_text_format_rate(double bytes_per_second, char *out, size_t length);

/**
 * Append @p name to the list "a, b, c" in @p list, for messages that name what is valid.
 *
 * @param list    text of @p length bytes at most, "" at first; what does not fit is cut off
 */
HITOP_API void hitop_text_list_name(char *list, size_t length, const char *name);

/**
 * Edits that turn one word into the other (letters added, removed, changed, swapped), at most @p
 * limit + 1.
 */
HITOP_API int hitop_text_distance(const char *a, const char *b, int limit);

/** Write @p name in small letters and without '-', '_' and blanks. */
HITOP_API void hitop_text_plain_name(const char *name, char *out, size_t length);

/** Whether two names are the same but for upper and lower case, '-', '_' and blanks. */
HITOP_API int hitop_text_same_name(const char *a, const char *b);

/**
 * The name that a misspelled @p word is nearer to: @p name or @p best, which is NULL or the answer
 * for the names before; NULL as long as none is near.
 */
HITOP_API const char *hitop_text_nearer(const char *word, const char *name, const char *best);

/** Write " (did you mean NAME?)", or nothing where @p name is NULL. */
HITOP_API void hitop_text_meant(const char *name, char *out, size_t length);

HITOP_END_DECLS

#endif /* HITOP_TEXT_H */

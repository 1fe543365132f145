/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_INPUT_H
#define HITOP_INPUT_H

/**
 * @file input.h
 * @brief Read an input file as one text.
 */

#include "hitop/status.h"

HITOP_BEGIN_DECLS

/** Longest input that is read; larger files are probably not files of Hitop. */
#define HITOP_INPUT_MAX ((size_t)1 << 30)

/** Name of an input for messages: @p path itself, or "standard input" for "-". */
HITOP_API const char *hitop_input_name(const char *path);

/**
 * Read a whole file with any content.
 *
 * @param path    file name, or "-" for standard input
 * @param text    receives the contents and a final '\0'; the caller frees it; NULL on failure
 * @param length  receives the number of bytes, without the '\0'
 * @retval HITOP_ERR_IO      the file cannot be opened or read
 * @retval HITOP_ERR_FORMAT  it is longer than HITOP_INPUT_MAX
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_input_read(const char *path, char **text, size_t *length, struct hitop_diag *diag);

/**
 * Length of the byte order mark before a text, which editors and spreadsheets of some systems write
 * before UTF-8; 0 if there is none.
 */
HITOP_API size_t hitop_input_mark(const char *text, size_t length);

/**
 * Read a whole text file, without the mark of hitop_input_mark().
 *
 * @param path    file name, or "-" for standard input
 * @param text    receives the contents and a final '\0', the only one; the caller frees it; NULL on
 *        failure
 * @param length  receives the number of bytes, without the '\0'
 * @retval HITOP_ERR_IO      the file cannot be opened or read
 * @retval HITOP_ERR_FORMAT  it is longer than HITOP_INPUT_MAX, or has a zero byte; the message has
 *                           its line
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_input_read_text(const char *path, char **text, size_t *length, struct hitop_diag *diag);

/**
 * Check that an input is text, as hitop_input_read_text() does.
 *
 * @param name    of the input, for the message
 * @param text    @p length bytes
 * @param length  in bytes
 * @retval HITOP_ERR_FORMAT  there is a zero byte; the message has its line
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_input_check_text(const char *name, const char *text, size_t length, struct hitop_diag *diag);

HITOP_END_DECLS

#endif /* HITOP_INPUT_H */

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_STATUS_H
#define HITOP_STATUS_H

/**
 * @file status.h
 * @brief Result codes, diagnostics and the attributes every Hitop header uses.
 *
 * Everything that can fail returns an enum hitop_status. The reason goes to a caller-owned
 * struct hitop_diag, always the last parameter, always optional (NULL). The library never prints,
 * exits or touches global handlers.
 *
 * @code
 * struct hitop_diag diag = HITOP_DIAG_INIT;
 * if (hitop_text_size("64Q", &bytes, &diag) != HITOP_OK) {
 *     fprintf(stderr, "%s\n", diag.message);
 * }
 * @endcode
 */

#include <stddef.h>

#ifdef __cplusplus
#define HITOP_BEGIN_DECLS extern "C" {
#define HITOP_END_DECLS }
#else
#define HITOP_BEGIN_DECLS
#define HITOP_END_DECLS
#endif

#if defined(__GNUC__)
#define HITOP_API __attribute__((visibility("default")))
#define HITOP_MUST_CHECK __attribute__((warn_unused_result))
#define HITOP_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define HITOP_CONST __attribute__((const))
#else
#define HITOP_API
#define HITOP_MUST_CHECK
#define HITOP_PRINTF(fmt, args)
#define HITOP_CONST
#endif

HITOP_BEGIN_DECLS

/** Result of every function that can fail. Zero is success, errors are negative. */
enum hitop_status {
    HITOP_OK = 0,
    HITOP_ERR_INVALID = -1,     /**< an argument is wrong; see the diag */
    HITOP_ERR_NOMEM = -2,       /**< an allocation failed */
    HITOP_ERR_NOTFOUND = -3,    /**< no such name in a registry */
    HITOP_ERR_UNSUPPORTED = -4, /**< valid request that this build or type cannot serve */
    HITOP_ERR_MPI = -5,         /**< an MPI call failed; the communicator is unusable */
    HITOP_ERR_IO = -6,          /**< a file cannot be opened, read, written or renamed */
    HITOP_ERR_FORMAT = -7,      /**< the contents of a file are wrong; the diag says where */
    HITOP_ERR_CANCELLED = -8,   /**< by hitop_coroutine_free() */
};

/** Where and why a call failed: one line, no final dot. Lives on the caller's stack. */
struct hitop_diag {
    char message[512];
};

/** Start value of a diag. */
/* clang-format off */
#define HITOP_DIAG_INIT {{0}}
/* clang-format on */

/** Constant English text for a status; never NULL. */
HITOP_API const char *hitop_status_str(enum hitop_status status);

/**
 * Format a message into @p diag (ignored when NULL) and return @p status unchanged. Control
 * characters, which quoted input may hold, become question marks.
 */
HITOP_API enum hitop_status hitop_fail(struct hitop_diag *diag, enum hitop_status status,
                                       const char *fmt, ...) HITOP_PRINTF(3, 4);

HITOP_END_DECLS

#endif /* HITOP_STATUS_H */

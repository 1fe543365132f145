/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_VERSION_H
#define HITOP_VERSION_H

/**
 * @file version.h
 * @brief The version of the library that is running.
 */

#include "hitop/status.h"

HITOP_BEGIN_DECLS

/** "MAJOR.MINOR.PATCH"; never NULL. */
HITOP_API const char *hitop_version(void);

HITOP_END_DECLS

#endif /* HITOP_VERSION_H */

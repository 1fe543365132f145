/* SPDX-License-Identifier: BSD-3-Clause */
/* version.c - the version of the library. */
#include <config.h>

#include "hitop/version.h"

const char *hitop_version(void)
{
    return PACKAGE_VERSION;
}

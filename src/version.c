/* SPDX-License-Identifier: BSD-3-Clause */
/* version.c - the version this library was built as. */
#include <config.h>

#include "hitop/version.h"

const char *hitop_version(void)
{
    return PACKAGE_VERSION;
}

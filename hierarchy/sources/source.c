/* SPDX-License-Identifier: BSD-3-Clause */
/* source.c - the registry of sources. */
#include <config.h>

#include "hitop/sys/source.h"

#define HITOP_ENTRY(symbol) extern const struct hitop_source symbol;
#include "source_registry.inc"
#undef HITOP_ENTRY

const struct hitop_source *const *hitop_sources(void)
{
    static const struct hitop_source *const sources[] = {
#define HITOP_ENTRY(symbol) &symbol,
#include "source_registry.inc"
#undef HITOP_ENTRY
        NULL
    };

    return sources;
}

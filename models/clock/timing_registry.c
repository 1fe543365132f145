/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timing_registry.c - the table of timing methods, those of TIMINGS in models/Makefile.am, and what
 * a rank contributes to a time.
 */
#include <config.h>

#include "models/clock/timing.h"

#include "hitop/text.h"

#include <math.h>
#include <string.h>

#define HITOP_ENTRY(symbol) extern const struct hitop_timing symbol;
#include "timing_registry.inc"
#undef HITOP_ENTRY

#define HITOP_ENTRY(symbol) &symbol,
const struct hitop_timing *const hitop_timings[] = {
#include "timing_registry.inc"
    NULL};
#undef HITOP_ENTRY

enum hitop_status hitop_timing_find(const char *name, const struct hitop_timing **out,
                                    struct hitop_diag *diag)
{
    char valid[256] = "";

    *out = NULL;
    for (int i = 0; hitop_timings[i]; i++) {
        if (strcmp(hitop_timings[i]->name, name) == 0) {
            *out = hitop_timings[i];
            return HITOP_OK;
        }
        hitop_text_list_name(valid, sizeof(valid), hitop_timings[i]->name);
    }
    return hitop_fail(diag, HITOP_ERR_NOTFOUND, "'%.40s' is no timing method; valid: %s", name,
                      valid);
}

struct hitop_timing_facts hitop_timing_facts_of(const struct hitop_timing_stamp *s,
                                                const struct hitop_clock_line *line, double barrier,
                                                int is_root)
{
    const double began = hitop_clock_line_apply(line, s->called);

    return (struct hitop_timing_facts){
        .began = began,
        .minus_began = -began,
        .ended = hitop_clock_line_apply(line, s->returned),
        .took = s->returned - s->called,
        .root_began = is_root ? began : -HUGE_VAL,
        .root_took = is_root ? s->confirmed - s->called - barrier : -HUGE_VAL,
    };
}

struct hitop_timing_facts hitop_timing_no_facts(void)
{
    return (struct hitop_timing_facts){-HUGE_VAL, -HUGE_VAL, -HUGE_VAL,
                                       -HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* source_input.c - the facts that sources read, and their warnings. */
#include <config.h>

#include "hitop/sys/source.h"

#include "hierarchy/hostlist/host_match.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int hitop_source_find(const struct hitop_source_input *in, const char *name)
{
    return in->match ? hitop_host_match_find(in->match, name) : -1;
}

const char *hitop_place_fact(const struct hitop_place *place, const char *source)
{
    for (int i = 0; i < place->nfacts; i++) {
        if (strcmp(place->fact[i].source, source) == 0) {
            return place->fact[i].text;
        }
    }
    return "";
}

void hitop_source_warn(const struct hitop_grouping *how, const char *fmt, ...)
{
    struct hitop_diag line;
    char message[sizeof(line.message)];
    va_list args;

    if (!how->warn) {
        return;
    }
    va_start(args, fmt);
    (void)vsnprintf(message, sizeof(message), fmt, args);
    va_end(args);
    (void)hitop_fail(&line, HITOP_OK, "%s", message); /* replaces line ends in the message */
    how->warn(how->warn_data, line.message);
}

void hitop_source_absent(const struct hitop_grouping *how, const char *host)
{
    if (how && how->absent && host[0]) {
        how->absent(how->absent_data, host);
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* in_force.c - what all kinds of files share that print what is in force. */
#include <config.h>

#include "tools/export/lint/in_force.h"

#include <string.h>

int in_force_asks(const struct lint_query *query, const char *collective)
{
    return !query->operation || strcmp(query->operation->name, collective) == 0;
}

void in_force_begin(const struct lint *lint, int line, const char *collective, FILE *to)
{
    if (line > 0) {
        fprintf(to, "%s:%d: %s: ", lint->name, line, collective);
    } else {
        fprintf(to, "%s: %s: ", lint->name, collective);
    }
}

static int concerns(const struct lint_finding *f, struct export_version version)
{
    struct export_version limit;

    for (int i = 0; i < f->nranges; i++) {
        const struct lint_range *r = &f->range[i];
        if (!(r->from && export_parse_version(r->from, &limit) &&
              export_compare(version, limit) < 0) &&
            !(r->to && export_parse_version(r->to, &limit) && export_compare(version, limit) > 0)) {
            return 1;
        }
    }
    return 0;
}

/* Messages about such lines end with the same words. */
const struct lint_finding *in_force_ignored(const struct lint *lint, struct export_version version)
{
    for (int i = 0; i < lint->found; i++) {
        if (strstr(lint->finding[i].text, "Open MPI ignores the whole file") &&
            concerns(&lint->finding[i], version)) {
            return &lint->finding[i];
        }
    }
    return NULL;
}

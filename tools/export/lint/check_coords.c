/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_coords.c - check coordinates of ranks for MPICH (MPIR_CVAR_COORDINATES_FILE).
 *
 * The reader skips the first line, then takes one line for each rank of the job, whichever rank
 * it names: "rank: group switch port".
 *
 * Source: MPICH from 4.2.0 on, src/util/mpir_pmi.c (parse_coord_file).
 */
#include <config.h>

#include "tools/export/lint/lint.h"
#include "tools/export/lint/lint_lines.h"

#include <ctype.h>
#include <stdlib.h>

enum { MAX_LINE = 256 };

/* Parse a line; returns 0 if it has another form. */
static int parse(const char *line, long *rank)
{
    int used = 0, group, network, port;

    return sscanf(line, "%ld : %d %d %d %n", rank, &group, &network, &port, &used) == 4 &&
           line[used] == '\0';
}

static int count_lines(const char *text)
{
    char line[MAX_LINE];
    int count = -1; /* the first one */

    while (lint_line(&text, '\0', line, sizeof(line))) {
        count += line[0] != '\0' || count < 0;
    }
    return count;
}

static enum hitop_status check_coords(const char *text, size_t length, struct lint *lint,
                                      struct hitop_diag *diag)
{
    const int nranks = count_lines(text);
    int *seen = calloc((size_t)(nranks > 0 ? nranks : 1), sizeof(*seen)); /* lines */
    char line[MAX_LINE];
    long rank;

    (void)length;
    if (!seen) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    for (int number = 1; lint_line(&text, '\0', line, sizeof(line)); number++) {
        if (number == 1) {
            if (parse(line, &rank)) {
                lint_find(lint, 1, "4.2", NULL,
                          "the first line is skipped: rank %ld has no coordinates", rank);
            }
        } else if (line[0] == '\0') {
            continue;
        } else if (!parse(line, &rank)) {
            lint_find(lint, number, "4.2", NULL,
                      "'%s' is not \"RANK: GROUP SWITCH PORT\": MPICH ends with an error", line);
        } else if (rank < 0 || rank >= nranks) {
            lint_find(lint, number, "4.2", NULL,
                      "there is no rank %ld of %d: the line counts as one of the %d that are read, "
                      "so that another rank has no coordinates",
                      rank, nranks, nranks);
        } else if (seen[rank]) {
            lint_find(lint, number, "4.2", NULL,
                      "rank %ld is in line %d already: another rank has no coordinates", rank,
                      seen[rank]);
        } else {
            seen[rank] = number;
        }
    }
    free(seen);
    return nranks > 0 ? HITOP_OK
                      : hitop_fail(diag, HITOP_ERR_FORMAT, "%s: no line for a rank", lint->name);
}

/* A second line that begins as that of a rank does. */
static int is_coords(const char *text)
{
    const char *second = strchr(text, '\n');
    long rank;
    char colon;

    return second && sscanf(second + 1, "%ld %c", &rank, &colon) == 2 && colon == ':';
}

const struct lint_kind lint_coords = {
    .name = "mpich-coords",
    .software = "MPICH",
    .is_kind = is_coords,
    .check = check_coords,
};

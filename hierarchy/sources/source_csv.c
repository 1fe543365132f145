/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * source_csv.c - a table of hosts and groups, from a spreadsheet or an inventory.
 *
 * Idea:   the first column has hosts, the others have their groups, from the outermost one. The
 *         first line has the levels, e.g. host,site,rack.
 * Use:    clusters with a list of racks but no other source.
 * Needs:  a header line and one line per host; RFC 4180. An empty field means: in no group of that
 *         level. Lines that begin with '#' and hosts that the job does not have are skipped.
 */
#include <config.h>

#include "hitop/sys/source.h"

#include "src/table_csv.h"

#include "hitop/input.h"

#include <stdlib.h>
#include <string.h>

struct levels {
    struct table_record header;
    int nhosts; /* in the lines read */
    char *seen; /* per place: 1 after its line */
    const struct hitop_source_input *in;
    struct hitop_paths *paths;
};

static enum hitop_status read_header(void *data, const struct table_record *header,
                                     struct hitop_diag *why)
{
    struct levels *levels = data;

    levels->header = *header;
    if (header->nfields == 1 && strpbrk(header->field[0], ";\t")) {
        return hitop_fail(why, HITOP_ERR_FORMAT, "columns are separated by commas, not by %s",
                          strchr(header->field[0], ';') ? "';'" : "tabs");
    }
    if (header->nfields < 2) {
        return hitop_fail(why, HITOP_ERR_FORMAT,
                          "the first line names the columns, host and at least one level");
    }
    if (strcmp(header->field[0], "host") != 0) {
        return hitop_fail(why, HITOP_ERR_FORMAT,
                          "the first column must be called 'host', not '%.100s'", header->field[0]);
    }
    for (int i = 1; i < header->nfields; i++) {
        if (!header->field[i][0]) {
            return hitop_fail(why, HITOP_ERR_FORMAT, "a column without a name");
        }
    }
    return HITOP_OK;
}

static enum hitop_status read_host(void *data, const struct table_record *record, int line,
                                   struct hitop_diag *why)
{
    struct levels *levels = data;
    const char *host = record->field[0];
    const int place = hitop_source_find(levels->in, host);

    (void)line;
    if (!host[0]) {
        return hitop_fail(why, HITOP_ERR_FORMAT, "a line without a host");
    }
    levels->nhosts++;
    if (place < 0) {
        hitop_source_absent(levels->in->how, host);
        return HITOP_OK;
    }
    if (levels->seen[place]) {
        return hitop_fail(why, HITOP_ERR_FORMAT, "a second line about host '%.100s'", host);
    }
    levels->seen[place] = 1;
    hitop_paths_know(levels->paths, place);
    for (int i = 1; i < record->nfields; i++) {
        if (record->field[i][0]) {
            hitop_paths_push(levels->paths, place, levels->header.field[i], record->field[i], 1);
        }
    }
    return HITOP_OK;
}

static enum hitop_status csv_classify(const struct hitop_source_input *in,
                                      struct hitop_paths *paths, struct hitop_diag *diag)
{
    struct levels levels = {
        .in = in, .paths = paths, .seen = calloc((size_t)in->nplaces, sizeof(*levels.seen))};
    const struct table_user user = {&levels, read_header, read_host};
    enum hitop_status status =
        levels.seen ? hitop_table_read(in->file, &user, diag) : HITOP_ERR_NOMEM;

    if (status == HITOP_OK && levels.nhosts == 0) {
        status =
            hitop_fail(diag, HITOP_ERR_FORMAT, "%s: names no host", hitop_input_name(in->file));
    }
    free(levels.seen);
    return status;
}

const struct hitop_source hitop_source_csv = {
    .name = "csv",
    .summary = "a table host,level,... with the groups of every host",
    .layer = HITOP_LAYER_NETWORK,
    .trust = 1,
    .spans_sites = 1,
    .option = "csv",
    .argument = "FILE",
    .classify = csv_classify,
};

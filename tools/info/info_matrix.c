/* SPDX-License-Identifier: BSD-3-Clause */
/* info_matrix.c - a price for each two ranks or hosts, as a square table for heat maps. */
#include <config.h>

#include "tools/info/info.h"

#include "models/model/figures.h"
#include "src/field_csv.h"

/* Names of the numbers, with units. */
static const char *const names[] = {
    [INFO_LATENCY] = "latency_us", [INFO_BANDWIDTH] = "bandwidth_MBps", [INFO_TIME] = "time_us"};

static double value(const struct info_request *r, const int pair[2])
{
    switch (r->matrix) {
    case INFO_BANDWIDTH:
        return hitop_model_bandwidth(r->model, pair[0], pair[1], r->sizes.max) * 1e-6;
    case INFO_TIME:
        return hitop_model_p2p(r->model, pair[0], pair[1], r->sizes.max) * 1e6;
    default:
        return hitop_model_p2p(r->model, pair[0], pair[1], 0) * 1e6;
    }
}

static void put_label(FILE *to, const struct info_request *r, const struct info_places *places,
                      int i)
{
    const int rank = places->place[i].rank;

    if (places->are_hosts) {
        hitop_csv_put_text(to, hitop_hierarchy_host(hitop_model_hierarchy(r->model), rank));
    } else {
        fprintf(to, "%d", rank);
    }
}

/* Write row by row, without the matrix in memory. */
static void write_rows(const struct info_request *r, const struct info_places *places, FILE *to)
{
    fputs(names[r->matrix], to);
    for (int i = 0; i < places->n; i++) {
        putc(',', to);
        put_label(to, r, places, i);
    }
    for (int row = 0; row < places->n && !ferror(to); row++) {
        putc('\n', to);
        put_label(to, r, places, row);
        for (int column = 0; column < places->n; column++) {
            int pair[2];
            putc(',', to);
            if (info_places_pair(places, row, column, pair)) { /* else the cell is empty */
                fprintf(to, "%.6g", value(r, pair));
            }
        }
    }
    putc('\n', to);
}

enum hitop_status info_write_matrix(const struct info_request *r, FILE *to, struct hitop_diag *diag)
{
    struct info_places places;
    enum hitop_status status =
        info_places_fill(&places, hitop_model_hierarchy(r->model), r->by_host, diag);

    for (int i = 0; status == HITOP_OK && !r->by_host && i < places.n; i++) {
        places.place[i].rank = i; /* ranks by number */
    }
    if (status == HITOP_OK && places.n > INFO_MAX_ROWS && !r->is_large) {
        status = hitop_fail(diag, HITOP_ERR_INVALID,
                            "--matrix: %d rows and columns are more than %d; %s--large writes them "
                            "all the same",
                            places.n, INFO_MAX_ROWS, r->by_host ? "" : "--by host has fewer, ");
    }
    if (status == HITOP_OK) {
        write_rows(r, &places, to);
    }
    info_places_clear(&places);
    return status;
}

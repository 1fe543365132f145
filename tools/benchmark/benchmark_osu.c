/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * benchmark_osu.c - results in the layout of the OSU benchmarks (-f), for scripts that read that.
 *
 * Avg, Min and Max are what OSU means by them: over ranks, of each rank's mean time in the call. The latency of
 * messages is our median.
 */
#include <config.h>

#include "tools/benchmark/benchmark.h"
#include "tools/benchmark/benchmark_kinds.h"

#include <string.h>

static void put_head(const struct benchmark_result *r, const struct benchmark_curve *c, FILE *to)
{
    fprintf(to, "\n# %s, in the layout of: OSU MPI %s Test\n# %d ranks, %s\n", r->tool,
            c->kind->osu ? c->kind->osu : c->kind->imb, c->ranks, c->way);
    if (c->kind->flags & KIND_HALVES) {
        fputs("# Size          Latency (us)\n", to);
    } else {
        fprintf(to, "#%s%*s%18s%18s%12s\n", benchmark_kind_has_sizes(c->kind) ? " Size" : "",
                benchmark_kind_has_sizes(c->kind) ? 23 : 17, "Avg Latency(us)", "Min Latency(us)",
                "Max Latency(us)", "Iterations");
    }
}

static void put_point(const struct benchmark_kind *kind, const struct benchmark_point *p, FILE *to)
{
    if (benchmark_kind_has_sizes(kind)) {
        fprintf(to, "%-10zu", p->bytes);
    }
    if (kind->flags & KIND_HALVES) {
        fprintf(to, "%18.2f\n", 1e6 * p->time.median);
    } else {
        fprintf(to, "%18.2f%18.2f%18.2f%12d\n", 1e6 * p->own_mean, 1e6 * p->own_least,
                1e6 * p->own_most, p->time.n);
    }
}

enum hitop_status benchmark_write_osu(const struct benchmark_result *r, FILE *to,
                                      struct hitop_diag *diag)
{
    fprintf(to, "# %s\n# %s\n", r->request->command, r->library);
    for (int i = 0; i < r->nwarnings; i++) {
        fprintf(to, "# warning: %s\n", r->warnings[i]);
    }
    for (int i = 0; i < r->ncurves; i++) {
        put_head(r, &r->curves[i], to);
        for (int k = 0; k < r->curves[i].npoints; k++) {
            put_point(r->curves[i].kind, &r->curves[i].points[k], to);
        }
    }
    return ferror(to) ? hitop_fail(diag, HITOP_ERR_IO, "cannot write a table") : HITOP_OK;
}

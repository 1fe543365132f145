/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * benchmark_imb.c - results in the layout of the Intel MPI Benchmarks, for scripts that read that.
 *
 * t[usec] is our median. t_min, t_max and t_avg are what IMB means by them: over ranks, of each rank's mean time in the
 * call. Mbytes/sec is 1e6 bytes, of both directions for Sendrecv and Exchange.
 */
#include <config.h>

#include "tools/benchmark/benchmark.h"
#include "tools/benchmark/benchmark_kinds.h"

#include <string.h>

static void rule(FILE *to)
{
    fputs("#----------------------------------------------------------------\n", to);
}

static void put_columns(const struct benchmark_kind *kind, FILE *to)
{
    if (kind->flags & KIND_TWO_RANKS) {
        fputs("       #bytes #repetitions      t[usec]   Mbytes/sec\n", to);
    } else if (!benchmark_kind_has_sizes(kind)) {
        fputs(" #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n", to);
    } else {
        fprintf(to, "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]%s\n",
                kind->one_way ? "   Mbytes/sec" : "");
    }
}

static void put_point(const struct benchmark_kind *kind, const struct benchmark_point *p, FILE *to)
{
    if (benchmark_kind_has_sizes(kind)) {
        fprintf(to, "%13zu ", p->bytes);
    }
    fprintf(to, "%12d ", p->time.n);
    if (kind->flags & KIND_TWO_RANKS) {
        fprintf(to, "%12.2f", 1e6 * p->time.median);
    } else {
        fprintf(to, "%12.2f %12.2f %12.2f", 1e6 * p->own_least, 1e6 * p->own_most,
                1e6 * p->own_mean);
    }
    if (kind->one_way) {
        const double seconds =
            kind->flags & KIND_TWO_RANKS ? p->time.median : p->own_most; /* as IMB does */
        fprintf(to, " %12.2f", benchmark_bandwidth(p->bytes, kind->both_ways, seconds));
    }
    fputs("\n", to);
}

static void put_curve(const struct benchmark_result *r, const struct benchmark_curve *c, FILE *to)
{
    fputs("\n", to);
    rule(to);
    fprintf(to, "# Benchmarking %s \n# #processes = %d \n", c->kind->imb, c->ranks);
    if (c->ranks < r->nranks) {
        fprintf(to, "# ( %d additional processes waiting in MPI_Barrier)\n", r->nranks - c->ranks);
    }
    if (strcmp(c->way, "mpi") != 0) {
        fprintf(to, "# served by %s\n", c->way);
    }
    rule(to);
    put_columns(c->kind, to);
    for (int i = 0; i < c->npoints; i++) {
        put_point(c->kind, &c->points[i], to);
    }
}

enum hitop_status benchmark_write_imb(const struct benchmark_result *r, FILE *to,
                                      struct hitop_diag *diag)
{
    rule(to);
    fprintf(to, "#    %s, in the layout of Intel(R) MPI Benchmarks, MPI-1 part\n", r->tool);
    rule(to);
    fprintf(to,
            "# Date                  : %s\n# MPI Library           : %s\n# Hosts                 : "
            "%s\n\n# Calling sequence was: \n\n# %s \n\n",
            r->date, r->library, r->hosts, r->request->command);
    for (int i = 0; i < r->nwarnings; i++) {
        fprintf(to, "# warning: %s\n", r->warnings[i]);
    }
    for (int i = 0; i < r->ncurves; i++) {
        put_curve(r, &r->curves[i], to);
    }
    fputs("\n\n# All processes entering MPI_Finalize\n\n", to);
    return ferror(to) ? hitop_fail(diag, HITOP_ERR_IO, "cannot write a table") : HITOP_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * benchmark_layouts.c - results in the layouts of the Intel MPI Benchmarks and of the OSU
 * benchmarks (-f), for scripts that read those.
 *
 * The latency of messages, t[usec], is the median. Other columns are those of IMB and OSU: the
 * least, the largest and the average over ranks of the mean time of a call on each rank.
 * Mbytes/sec of IMB is 1e6 bytes per second, or 2^20 with --throughput 2^20; for Sendrecv and
 * Exchange it counts both directions.
 */
#include <config.h>

#include "tools/benchmark/benchmark.h"

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

static void put_point(const struct benchmark_kind *kind, const struct benchmark_point *p,
                      int is_in_mebibytes, FILE *to)
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
        const double rate = hitop_benchmark_bandwidth(p->bytes, kind->both_ways, seconds);
        fprintf(to, " %12.2f", is_in_mebibytes ? benchmark_mebibytes(rate) : rate);
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
    if (strcmp(c->implementation, "mpi") != 0) {
        fprintf(to, "# served by %s\n", c->implementation);
    }
    rule(to);
    put_columns(c->kind, to);
    for (int i = 0; i < c->npoints; i++) {
        put_point(c->kind, &c->points[i], r->request->throughput == THROUGHPUT_MIB, to);
    }
}

void benchmark_write_imb(const struct benchmark_result *r, FILE *to)
{
    rule(to);
    fprintf(to, "#    %s, in the layout of Intel(R) MPI Benchmarks, MPI-1 part\n", r->tool);
    rule(to);
    fprintf(to,
            "# Date                  : %s\n# MPI Library           : %s\n# Hosts                 : "
            "%s\n\n# Calling sequence was: \n\n# %s \n\n",
            r->date, r->library, r->hosts, r->request->command);
    benchmark_put_warnings(r, to);
    for (int i = 0; i < r->ncurves; i++) {
        put_curve(r, &r->curves[i], to);
    }
    fputs("\n\n# All processes entering MPI_Finalize\n\n", to);
}

static void put_osu_head(const struct benchmark_result *r, const struct benchmark_curve *c,
                         FILE *to)
{
    fprintf(to, "\n# %s, in the layout of: OSU MPI %s Test\n# %d ranks, %s\n", r->tool,
            c->kind->osu ? c->kind->osu : c->kind->imb, c->ranks, c->implementation);
    if (c->kind->flags & KIND_HALVES) {
        fputs("# Size          Latency (us)\n", to);
    } else {
        fprintf(to, "#%s%*s%18s%18s%12s\n", benchmark_kind_has_sizes(c->kind) ? " Size" : "",
                benchmark_kind_has_sizes(c->kind) ? 23 : 17, "Avg Latency(us)", "Min Latency(us)",
                "Max Latency(us)", "Iterations");
    }
}

static void put_osu_point(const struct benchmark_kind *kind, const struct benchmark_point *p,
                          FILE *to)
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

void benchmark_write_osu(const struct benchmark_result *r, FILE *to)
{
    fprintf(to, "# %s\n# %s\n", r->request->command, r->library);
    benchmark_put_warnings(r, to);
    for (int i = 0; i < r->ncurves; i++) {
        put_osu_head(r, &r->curves[i], to);
        for (int k = 0; k < r->curves[i].npoints; k++) {
            put_osu_point(r->curves[i].kind, &r->curves[i].points[k], to);
        }
    }
}

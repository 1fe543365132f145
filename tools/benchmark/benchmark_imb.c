/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * benchmark_imb.c - results in the layout of the Intel MPI Benchmarks, for scripts that read that.
 *
 * t[usec] is our median. t_min, t_max and t_avg are what IMB means by them: over ranks, of each
 * rank's mean time in the call. Mbytes/sec is 1e6 bytes, of both directions for Sendrecv and
 * Exchange.
 */
#include <config.h>

#include "tools/benchmark/benchmark.h"
#include "tools/benchmark/benchmark_kinds.h"
#include "tools/benchmark/request.h"

#include "hitop/text.h"

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
        fprintf(to, " %12.2f", hitop_benchmark_bandwidth(p->bytes, kind->both_ways, seconds));
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

/* Options by the names that they have in the Intel MPI Benchmarks. */

void benchmark_imb_options(int argc, char **argv)
{
    static char names[][16] = {"--npmin", "--msglog", "--msgsize",   "--msglen",    "--iter",
                               "--time",  "--mem",    "--off_cache", "--root_shift"};

    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
            if (strcmp(argv[i], names[k] + 1) == 0) {
                argv[i] = names[k];
                break;
            }
        }
    }
}

/* "3:10", or "10" for "0:10". */
static enum hitop_status take_msglog(struct benchmark_request *r, const char *text,
                                     struct hitop_diag *diag)
{
    const size_t length = strcspn(text, ":");
    char word[8] = "";
    int low = 0, high;
    enum hitop_status status = HITOP_OK;

    if (text[length] == ':') {
        memcpy(word, text, length < sizeof(word) ? length : sizeof(word) - 1);
        status = hitop_text_int(word, 0, 62, &low, diag);
        text += length + 1;
    }
    if (status == HITOP_OK) {
        status = hitop_text_int(text, low, 62, &high, diag);
    }
    if (status == HITOP_OK) {
        r->sizes.min = (size_t)1 << low;
        r->sizes.max = (size_t)1 << high;
        r->sizes.range_given = 1;
        r->sizes.zero_too = 1;
    }
    return status;
}

/* "1000,40,100": the first number counts. */
static enum hitop_status take_iter(struct benchmark_request *r, const char *text,
                                   struct hitop_diag *diag)
{
    const size_t length = strcspn(text, ",");
    char word[16] = "";
    int n;
    enum hitop_status status;

    memcpy(word, text, length < sizeof(word) ? length : sizeof(word) - 1);
    status = hitop_text_int(word, 1, 1000000, &n, diag);
    if (status == HITOP_OK) {
        r->rule.min_samples = r->rule.max_samples = n;
    }
    return status;
}

enum hitop_status benchmark_imb_take(struct benchmark_request *r, int letter, const char *argument,
                                     struct hitop_diag *diag)
{
    enum hitop_status status;
    double gigabytes;

    switch (letter) {
    case O_MSGLOG:
        return take_msglog(r, argument, diag);
    case O_ITER:
        return take_iter(r, argument, diag);
    case O_MEM:
        status = hitop_text_double(argument, 1e-6, 1e6, &gigabytes, diag);
        r->memory = status == HITOP_OK ? (size_t)(gigabytes * (1 << 30)) : r->memory;
        return status;
    case O_OFF_CACHE:
        r->cache = CACHE_STREAM;
        return HITOP_OK;
    default:
        if (strcmp(argument, "on") != 0 && strcmp(argument, "off") != 0) {
            return hitop_fail(diag, HITOP_ERR_INVALID, "'%.40s' must be on or off", argument);
        }
        r->root = strcmp(argument, "on") == 0 ? ROOT_ROTATES : 0;
        return HITOP_OK;
    }
}

/*
 * Results in the layout of the OSU benchmarks (-f), for scripts that read that.
 *
 * Avg, Min and Max are what OSU means by them: over ranks, of each rank's mean time in the call.
 * The latency of messages is our median.
 */

static void put_osu_head(const struct benchmark_result *r, const struct benchmark_curve *c,
                         FILE *to)
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

enum hitop_status benchmark_write_osu(const struct benchmark_result *r, FILE *to,
                                      struct hitop_diag *diag)
{
    fprintf(to, "# %s\n# %s\n", r->request->command, r->library);
    for (int i = 0; i < r->nwarnings; i++) {
        fprintf(to, "# warning: %s\n", r->warnings[i]);
    }
    for (int i = 0; i < r->ncurves; i++) {
        put_osu_head(r, &r->curves[i], to);
        for (int k = 0; k < r->curves[i].npoints; k++) {
            put_osu_point(r->curves[i].kind, &r->curves[i].points[k], to);
        }
    }
    return ferror(to) ? hitop_fail(diag, HITOP_ERR_IO, "cannot write a table") : HITOP_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model_scale.c - processor seconds and memory of a model, and the questions it answers in a
 * second, by size.
 *
 * Every row is a machine of clusters of racks of hosts, a class of links for each group, with
 * standard errors and intervals, or also a class of processors for each host. Models are built,
 * asked about random pairs of ranks, written and read. Each try is a process of its own; of the
 * seconds of each step the least of all tries counts, because others may use the caches.
 *
 *     model_scale [tries]
 */
#include "bench/scale/apart.h"
#include "bench/scale/made_machine.h"

#include "hitop/sys/model.h"
#include "hitop/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PAIRS = 1 << 20 };

static const struct made_machine machines[] = {
    {"hockney", {2, 5, 10, 10}, 0, 0},   {"hockney", {5, 10, 10, 20}, 0, 0},
    {"hockney", {10, 10, 25, 40}, 0, 0}, {"hockney", {40, 25, 25, 40}, 0, 0},
    {"hockney", {40, 25, 25, 40}, 1, 0}, {"lmo", {40, 25, 25, 40}, 0, 0},
};

enum { TREE, BUILD, PRICE, TERMS, WRITE, READ, NSTEPS };

struct result {
    double seconds[NSTEPS];
    double file_bytes, model_bytes;
    int nclasses;
};

/* Memory in use on Linux; 0 elsewhere. */
static double used_bytes(void)
{
    FILE *from = fopen("/proc/self/statm", "r");
    long all, resident = 0;

    if (from && fscanf(from, "%ld %ld", &all, &resident) != 2) {
        resident = 0;
    }
    if (from) {
        (void)fclose(from);
    }
    return (double)resident * (double)sysconf(_SC_PAGESIZE);
}

/* Ranks that are different, drawn before the clock starts. */
static int *draw_pairs(int nranks)
{
    struct hitop_diag diag = {"out of memory"};
    unsigned short state[3] = {1, 2, 3};
    int *pair = calloc(2 * (size_t)PAIRS, sizeof(*pair));

    apart_must(pair != NULL, &diag);
    for (size_t i = 0; i < PAIRS; i++) {
        pair[2 * i] = (int)(erand48(state) * nranks);
        pair[2 * i + 1] = (pair[2 * i] + 1 + (int)(erand48(state) * (nranks - 1))) % nranks;
    }
    return pair;
}

static double ask(const struct hitop_model *model, const int *pair, struct result *r)
{
    double start = apart_now(), sum = 0;

    for (size_t i = 0; i < PAIRS; i++) {
        sum += hitop_model_p2p(model, pair[2 * i], pair[2 * i + 1], 65536);
    }
    r->seconds[PRICE] = apart_elapsed(&start);
    for (size_t i = 0; i < PAIRS; i++) {
        struct hitop_terms terms;
        sum += hitop_model_terms(model, pair[2 * i], pair[2 * i + 1], &terms) ? terms.link[0] : 0;
    }
    r->seconds[TERMS] = apart_elapsed(&start);
    return sum;
}

static char *write_text(const struct hitop_model *model, size_t *length)
{
    struct hitop_diag diag = {"out of memory"};
    char *text = NULL;
    FILE *to = open_memstream(&text, length);

    apart_must(to && hitop_model_write(model, to, &diag) == HITOP_OK && fclose(to) == 0, &diag);
    return text;
}

static void try(const void *machine, void *result)
{
    const struct made_machine *m = machine;
    struct result *r = result;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_model_parts parts = {.type = m->model};
    struct hitop_model *model;
    size_t length;
    double before, start = apart_now();
    struct hitop_hierarchy *h = made_tree(m);
    int *pair;
    char *text;

    r->seconds[TREE] = apart_elapsed(&start);
    parts.hierarchy = h;
    parts.classes = made_classes(h, &parts.nclasses);
    if (strcmp(m->model, "lmo") == 0) {
        made_processors(h, &parts);
    }
    r->nclasses = parts.nclasses;
    before = used_bytes();
    (void)apart_elapsed(&start);
    apart_must(hitop_model_build(&parts, &model, &diag) == HITOP_OK, &diag);
    r->seconds[BUILD] = apart_elapsed(&start);
    r->model_bytes = used_bytes() - before;
    made_free_parts(&parts);
    hitop_hierarchy_free(h);
    pair = draw_pairs(made_count_ranks(m));
    (void)snprintf(diag.message, sizeof(diag.message), "prices do not add up");
    apart_must(ask(model, pair, r) > 0, &diag);
    (void)apart_elapsed(&start);
    text = write_text(model, &length);
    r->seconds[WRITE] = apart_elapsed(&start);
    r->file_bytes = (double)length;
    hitop_model_free(model);
    (void)apart_elapsed(&start);
    apart_must(hitop_model_parse("text", text, length, &model, &diag) == HITOP_OK, &diag);
    r->seconds[READ] = apart_elapsed(&start);
    free(text);
    free(pair);
    hitop_model_free(model);
}

static void put_row(const struct made_machine *m, const struct result *best, double peak)
{
    printf("| %s | %d%s | %d | %.3f | %.3f | %.1f | %.2f | %.2f | %.1f | %.2f | %.2f | %.0f |\n",
           m->model, made_count_ranks(m), m->round_robin ? ", dealt" : "", best->nclasses,
           best->seconds[TREE], best->seconds[BUILD], best->model_bytes / 1048576,
           1e-6 * PAIRS / best->seconds[PRICE], 1e-6 * PAIRS / best->seconds[TERMS],
           best->file_bytes / 1e6, best->seconds[WRITE], best->seconds[READ], peak);
    (void)fflush(stdout);
}

int main(int argc, char **argv)
{
    int ntries = 3;

    if (argc > 2 || (argc == 2 && hitop_text_int(argv[1], 1, 1000, &ntries, NULL) != HITOP_OK)) {
        fprintf(stderr, "usage: model_scale [tries]\n");
        return 2;
    }
    printf("| model | ranks | classes | tree_s | build_s | model_MiB | prices_M/s | terms_M/s | "
           "file_MB | "
           "write_s | read_s | peak_MiB |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
        struct result best = {0}, one;
        double peak = 0;

        for (int k = 0; k < ntries; k++) {
            const double used = apart_try(try, &machines[i], &one, sizeof(one));
            peak = used > peak ? used : peak;
            for (int s = 0; s < NSTEPS; s++) {
                one.seconds[s] =
                    k > 0 && best.seconds[s] < one.seconds[s] ? best.seconds[s] : one.seconds[s];
            }
            best = one;
        }
        put_row(&machines[i], &best, peak);
    }
    return 0;
}

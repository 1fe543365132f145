/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hierarchy_scale.c - processor seconds and memory of what is done with a hierarchy, by its size.
 *
 * Every row is a machine of racks with 32 hosts each, whose list is expanded, grouped by name,
 * written as DOT, read, asked and written again. Each try is a process of its own, so that it has a
 * peak of its own; of the seconds of each step the least of all tries counts, because others may
 * use the caches.
 *
 *     hierarchy_scale [tries]
 */
#include "bench/scale/apart.h"

#include "hitop/dot.h"
#include "hitop/hosts.h"
#include "hitop/source.h"
#include "hitop/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RACK = 32, PAIRS = 1000000 };

struct machine {
    int nhosts, per_host;
    int round_robin; /* neighbouring ranks are on different hosts */
};

static const struct machine machines[] = {
    {100, 1, 0},   {1000, 1, 0},   {10000, 1, 0},   {100000, 1, 0},  {100, 64, 0},
    {1000, 64, 0}, {10000, 64, 0}, {100000, 64, 0}, {100000, 64, 1},
};

enum { EXPAND, GROUP, WRITE, READ, MEET, WALK, RANKS, REWRITE, NSTEPS };

static const char *const step_names[NSTEPS] = {"expand", "group", "write", "read",
                                               "meet",   "walk",  "ranks", "rewrite"};

struct result {
    double seconds[NSTEPS];
    double file_bytes;
};

static void expand(const struct machine *m, struct hitop_hosts *hosts)
{
    const int nracks = m->nhosts / RACK, rest = m->nhosts % RACK;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    char list[128];
    int used = snprintf(list, sizeof(list), "r[0001-%04d]n[01-%d]:%d", nracks, RACK, m->per_host);

    if (rest > 0) {
        (void)snprintf(list + used, sizeof(list) - (size_t)used, ",r%04dn[01-%02d]:%d", nracks + 1,
                       rest, m->per_host);
    }
    apart_must(hitop_hosts_parse(list, hosts, &diag) == HITOP_OK, &diag);
}

static struct hitop_hierarchy *group(const struct machine *m, const struct hitop_hosts *hosts)
{
    const struct hitop_grouping how = {0};
    struct hitop_diag diag = {"out of memory"};
    struct hitop_place *place = calloc((size_t)hosts->nranks, sizeof(*place));
    struct hitop_hierarchy *h = NULL;

    apart_must(place != NULL, &diag);
    for (int rank = 0; rank < hosts->nranks; rank++) {
        const int from = m->round_robin ? rank % m->nhosts * m->per_host : rank;
        place[rank] = (struct hitop_place)HITOP_PLACE_INIT(hosts->host[from]);
    }
    apart_must(hitop_hierarchy_group(place, hosts->nranks, &how, &h, &diag) == HITOP_OK, &diag);
    free(place);
    return h;
}

static char *write_text(const struct hitop_hierarchy *h, size_t *length)
{
    struct hitop_diag diag = {"out of memory"};
    char *text = NULL;
    FILE *to = open_memstream(&text, length);

    apart_must(to && hitop_dot_write(h, NULL, to, &diag) == HITOP_OK && fclose(to) == 0, &diag);
    return text;
}

/* Groups in which random pairs of ranks meet. */
static long meet(const struct hitop_hierarchy *h)
{
    const int nranks = hitop_hierarchy_nranks(h);
    unsigned long long random = 12345;
    long sum = 0;

    for (int i = 0; i < PAIRS; i++) {
        int rank[2];
        for (int k = 0; k < 2; k++) {
            random = random * 6364136223846793005ull + 1442695040888963407ull;
            rank[k] = (int)((random >> 33) % (unsigned)nranks);
        }
        sum += hitop_hierarchy_lca(h, rank[0], rank[1]);
    }
    return sum;
}

/* All nodes from the root, then the representatives of the members of all groups, height by height.
 */
static long walk(const struct hitop_hierarchy *h)
{
    const int root = hitop_hierarchy_root(h);
    long sum = 0;

    for (int node = root; node != HITOP_NO_NODE; node = hitop_hierarchy_next(h, root, node)) {
        sum += node;
    }
    for (int height = 1; height <= hitop_hierarchy_height(h, root); height++) {
        int count;
        const int first = hitop_hierarchy_at_height(h, height, &count);
        for (int node = first; node < first + count; node++) {
            int nmembers;
            const int *member = hitop_hierarchy_children(h, node, &nmembers);
            for (int i = 0; i < nmembers; i++) {
                sum += hitop_hierarchy_first_rank(h, member[i]);
            }
        }
    }
    return sum;
}

/* Ranks of every group. */
static long list_ranks(const struct hitop_hierarchy *h)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_ranks ranks = {0};
    long sum = 0;

    for (int node = hitop_hierarchy_nranks(h); node < hitop_hierarchy_nnodes(h); node++) {
        ranks.n = 0;
        apart_must(hitop_hierarchy_ranks(h, node, &ranks, &diag) == HITOP_OK, &diag);
        sum += ranks.n;
    }
    hitop_ranks_clear(&ranks);
    return sum;
}

static void try(const void *machine, void *result)
{
    const struct machine *m = machine;
    struct result *r = result;
    volatile long sum = 0; /* so that no question is left out */
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_hosts hosts;
    struct hitop_hierarchy *h;
    char *text, *again;
    size_t length, length_again;
    double start = apart_now();

    expand(m, &hosts);
    r->seconds[EXPAND] = apart_elapsed(&start);
    h = group(m, &hosts);
    r->seconds[GROUP] = apart_elapsed(&start);
    hitop_hosts_clear(&hosts);
    (void)apart_elapsed(&start);
    text = write_text(h, &length);
    r->seconds[WRITE] = apart_elapsed(&start);
    hitop_hierarchy_free(h);
    (void)apart_elapsed(&start);
    apart_must(hitop_dot_parse("text", text, length, NULL, &h, &diag) == HITOP_OK, &diag);
    r->seconds[READ] = apart_elapsed(&start);
    sum += meet(h);
    r->seconds[MEET] = apart_elapsed(&start);
    sum += walk(h);
    r->seconds[WALK] = apart_elapsed(&start);
    sum += list_ranks(h);
    r->seconds[RANKS] = apart_elapsed(&start);
    again = write_text(h, &length_again);
    r->seconds[REWRITE] = apart_elapsed(&start);
    (void)snprintf(diag.message, sizeof(diag.message), "the file is not the same again");
    apart_must(length == length_again && memcmp(text, again, length) == 0, &diag);
    r->file_bytes = (double)length;
    free(again);
    free(text);
    hitop_hierarchy_free(h);
}

int main(int argc, char **argv)
{
    int ntries = 5;

    if (argc > 2 || (argc == 2 && hitop_text_int(argv[1], 1, 1000, &ntries, NULL) != HITOP_OK)) {
        fprintf(stderr, "usage: hierarchy_scale [tries]\n");
        return 2;
    }
    printf("| hosts | ranks each | file_MB |");
    for (int s = 0; s < NSTEPS; s++) {
        printf(" %s_s |", step_names[s]);
    }
    printf(" peak_MiB |\n|---|---|---|");
    for (int s = 0; s < NSTEPS; s++) {
        printf("---|");
    }
    printf("---|\n");
    for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
        const struct machine *m = &machines[i];
        struct result best = {0}, one;
        double peak = 0;

        for (int k = 0; k < ntries; k++) {
            const double used = apart_try(try, m, &one, sizeof(one));
            peak = used > peak ? used : peak;
            for (int s = 0; s < NSTEPS; s++) {
                best.seconds[s] =
                    k == 0 || one.seconds[s] < best.seconds[s] ? one.seconds[s] : best.seconds[s];
            }
        }
        printf("| %d | %d%s | %.3f |", m->nhosts, m->per_host, m->round_robin ? ", dealt" : "",
               one.file_bytes / 1e6);
        for (int s = 0; s < NSTEPS; s++) {
            printf(" %.4f |", best.seconds[s]);
        }
        printf(" %.0f |\n", peak);
        fflush(stdout);
    }
    return 0;
}

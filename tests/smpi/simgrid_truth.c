/* SPDX-License-Identifier: BSD-3-Clause */
/* simgrid_truth.c - prices from the tables that made the platform. */
#include <config.h>

#include "tests/smpi/simgrid_truth.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RANKS = 4096, MAX_HOSTS = 256, NAME = 64 };

struct truth {
    int nranks, nhosts;
    char name[MAX_HOSTS][NAME];
    int host_of[MAX_RANKS];
    double latency[MAX_HOSTS][MAX_HOSTS], bandwidth[MAX_HOSTS][MAX_HOSTS];
};

/* SMPI puts an envelope of 16 bytes before every message. */
static double p2p(const void *self, int from, int to, size_t bytes)
{
    const struct truth *t = self;
    const int a = t->host_of[from], b = t->host_of[to];

    return t->latency[a][b] + ((double)bytes + 16) / t->bandwidth[a][b];
}

/* The cable of the sender's host and that of the receiver's, each with room for one message. */
static int crossings(const void *self, int from, int to, size_t bytes, struct hitop_crossing *out)
{
    const struct truth *t = self;
    const int a = t->host_of[from], b = t->host_of[to];

    if (a == b) {
        return 0;
    }
    out[0] = (struct hitop_crossing){2 * a, (double)bytes / t->bandwidth[a][b]};
    out[1] = (struct hitop_crossing){2 * b + 1, (double)bytes / t->bandwidth[a][b]};
    return 2;
}

void simgrid_truth_share(struct hitop_cost *cost)
{
    cost->crossings = crossings;
    cost->ntrunks = 2 * ((const struct truth *)cost->self)->nhosts;
    cost->max_crossings = 2;
}

static int kind(const void *self, int rank)
{
    const struct truth *t = self;

    return t->host_of[rank];
}

static int find_host(const struct truth *t, const char *name)
{
    for (int h = 0; h < t->nhosts; h++) {
        if (strcmp(t->name[h], name) == 0) {
            return h;
        }
    }
    return -1;
}

static int read_hosts(struct truth *t, FILE *f)
{
    char name[NAME];

    while (fscanf(f, "%63s", name) == 1) {
        int h = find_host(t, name);
        if (t->nranks == MAX_RANKS || (h < 0 && t->nhosts == MAX_HOSTS)) {
            return 0;
        }
        if (h < 0) {
            h = t->nhosts++;
            memcpy(t->name[h], name, sizeof(name));
        }
        t->host_of[t->nranks++] = h;
    }
    return t->nranks > 0;
}

static int read_links(struct truth *t, FILE *f)
{
    char line[512], from[NAME], to[NAME];
    int known = 0;

    while (fgets(line, sizeof(line), f)) {
        double latency, bandwidth;
        int a, b;
        if (line[0] == '#') {
            continue;
        }
        if (sscanf(line, "%*s %*s %63s %63s %lf %lf", from, to, &latency, &bandwidth) != 4) {
            return 0;
        }
        a = find_host(t, from);
        b = find_host(t, to);
        if (a >= 0 && b >= 0) {
            t->latency[a][b] = t->latency[b][a] = latency;
            t->bandwidth[a][b] = t->bandwidth[b][a] = bandwidth;
            known++;
        }
    }
    return known == t->nhosts * (t->nhosts + 1) / 2;
}

static enum hitop_status read_with(int (*reader)(struct truth *, FILE *), const char *path,
                                   struct truth *t, struct hitop_diag *diag)
{
    FILE *f = fopen(path, "r");
    int good;

    if (!f) {
        return hitop_fail(diag, HITOP_ERR_IO, "%s: %s", path, strerror(errno));
    }
    good = reader(t, f);
    (void)fclose(f);
    return good ? HITOP_OK : hitop_fail(diag, HITOP_ERR_FORMAT, "%s: malformed", path);
}

enum hitop_status simgrid_truth_read(const char *hosts_path, const char *truth_path,
                                     struct hitop_cost *out, struct hitop_diag *diag)
{
    struct truth *t = calloc(1, sizeof(*t));
    enum hitop_status status;

    if (!t) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", truth_path);
    }
    status = read_with(read_hosts, hosts_path, t, diag);
    if (status == HITOP_OK) {
        status = read_with(read_links, truth_path, t, diag);
    }
    if (status != HITOP_OK) {
        free(t);
        return status;
    }
    *out = (struct hitop_cost){
        .self = t, .nranks = t->nranks, .p2p = p2p, .occupancy = p2p, .kind = kind};
    return HITOP_OK;
}

void simgrid_truth_free(struct hitop_cost *cost)
{
    struct truth *t = (struct truth *)(uintptr_t)cost->self;

    free(t);
}

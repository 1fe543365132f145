/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * source_slurm_address.c - where in SLURM's network each host is told that it stands.
 *
 * Idea:   SLURM gives every task the switches or blocks above its host, from the outermost one, and
 *         what each of them is: "top.cell1.leaf7.node386", "switch.switch.switch.node". Several of
 *         one stage are a list, "leaf[7-8]"; a stage that the host lacks is empty.
 * Use:    jobs under SLURM, without reading any file.
 * Needs:  a running job, whose launcher did not carry the environment from one host to the others.
 * Source: sbatch(1): SLURM_TOPOLOGY_ADDR, SLURM_TOPOLOGY_ADDR_PATTERN.
 */
#include <config.h>

#include "hitop/sys/source.h"
#include "host_match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STAGES = 32, MAX_LEVEL = 80 };

/* What one host says. */
struct address {
    int place;
    char *text;              /* behind the others */
    char *name[MAX_STAGES];  /* from the outermost switch; may be "" */
    char *level[MAX_STAGES]; /* what each is, e.g. "switch" */
    int nstages;
    const char *node; /* name of the host in SLURM; NULL: nothing to hear */
};

/* "pattern address", or nothing where the network is flat. */
static void slurm_address_tell(char *out, size_t length)
{
    const char *address = getenv("SLURM_TOPOLOGY_ADDR");
    const char *pattern = getenv("SLURM_TOPOLOGY_ADDR_PATTERN");

    out[0] = '\0';
    if (!address || !pattern || !strchr(pattern, '.') || strchr(pattern, ' ') ||
        strlen(address) + strlen(pattern) + 2 > length) {
        return;
    }
    (void)snprintf(out, length, "%s %s", pattern, address);
}

/* Cut the text before the next dot outside brackets off *text; NULL without one. */
static char *cut(char **text)
{
    char *begin = *text;
    int depth = 0;

    for (char *p = begin; *p; p++) {
        depth += (*p == '[') - (*p == ']');
        if (*p == '.' && depth == 0) {
            *p = '\0';
            *text = p + 1;
            return begin;
        }
    }
    return NULL;
}

/* Take a fact apart; returns 0 when the address is not as the pattern says. */
static int parse(struct address *a)
{
    char *pattern = a->text, *address = strchr(a->text, ' '), *level;

    if (!address) {
        return 0;
    }
    *address++ = '\0';
    while ((level = cut(&pattern))) {
        char *name = cut(&address);

        if (!name || !level[0] || a->nstages == MAX_STAGES) {
            return 0;
        }
        a->level[a->nstages] = level;
        a->name[a->nstages++] = name;
    }
    if (!address[0]) {
        return 0;
    }
    a->node = address;
    return 1;
}

static int by_node(const void *a, const void *b)
{
    const struct address *x = a, *y = b;
    const int order = strcmp(x->node ? x->node : "", y->node ? y->node : "");

    return order ? order : (x->place > y->place) - (x->place < y->place);
}

/*
 * Forget what a launcher carried from one host to others: a node of the job is believed about itself
 * only, and where SLURM calls hosts otherwise than they call themselves no two are the same node.
 */
static void forget_carried(struct address *address, int n, const struct hitop_source_input *in,
                           const struct host_match *match)
{
    int nforgotten = 0, end;

    for (int i = 0; i < n; i = end) {
        const char *node = address[i].node;
        const int named = node ? host_match_find(match, node) : -1;

        for (end = i + 1; node && end < n && address[end].node; end++) {
            if (strcmp(address[end].node, node) != 0) {
                break;
            }
        }
        for (int k = i; k < end && node; k++) {
            if (named == address[k].place || (named < 0 && end == i + 1)) {
                continue;
            }
            address[k].node = NULL;
            if (nforgotten++ == 0) {
                hitop_source_warn(
                    in->how,
                    "host '%s' has the SLURM_TOPOLOGY_ADDR of '%s', which is ignored; "
                    "start the tool by srun",
                    in->place[address[k].place].host, node);
            }
        }
    }
}

/* Levels of one kind are numbered from the inside: switch, switch2, ... */
static void push(const struct address *a, struct hitop_paths *paths)
{
    for (int i = 0; i < a->nstages; i++) {
        char level[MAX_LEVEL];
        int stage = 1;

        for (int k = i + 1; k < a->nstages; k++) {
            stage += strcmp(a->level[k], a->level[i]) == 0;
        }
        (void)snprintf(level, sizeof(level), stage > 1 ? "%.60s%d" : "%.60s", a->level[i], stage);
        if (a->name[i][0]) {
            hitop_paths_push(paths, a->place, level, a->name[i], 1);
        }
    }
}

static enum hitop_status slurm_address_classify(const struct hitop_source_input *in,
                                                struct hitop_paths *paths, struct hitop_diag *diag)
{
    struct address *address = calloc((size_t)in->nplaces, sizeof(*address));
    struct host_match *match = host_match_new(in->place, in->nplaces);
    enum hitop_status status = address && match ? HITOP_OK : HITOP_ERR_NOMEM;
    int n = 0, nstrange = 0;

    for (int i = 0; i < in->nplaces && status == HITOP_OK; i++) {
        const char *fact = hitop_place_fact(&in->place[i], "slurm_address");

        if (!fact[0]) {
            continue;
        }
        address[n] = (struct address){.place = i, .text = strdup(fact)};
        if (!address[n].text) {
            status = HITOP_ERR_NOMEM;
        } else if (!parse(&address[n]) && nstrange++ == 0) {
            hitop_source_warn(in->how, "host '%s' has a SLURM_TOPOLOGY_ADDR unlike its pattern: %s",
                              in->place[i].host, fact);
        }
        n++;
    }
    if (status == HITOP_OK) {
        qsort(address, (size_t)n, sizeof(*address), by_node);
        forget_carried(address, n, in, match);
    }
    for (int i = 0; i < n; i++) {
        if (status == HITOP_OK && address[i].node) {
            push(&address[i], paths);
        }
        free(address[i].text);
    }
    host_match_free(match);
    free(address);
    return status == HITOP_OK ? status
                              : hitop_fail(diag, status, "SLURM_TOPOLOGY_ADDR: out of memory");
}

const struct hitop_source hitop_source_slurm_address = {
    .name = "slurm_address",
    .summary = "the switches that SLURM tells every task of",
    .layer = HITOP_LAYER_NETWORK,
    .trust = 1,
    .spans_sites = 1,
    .tell = slurm_address_tell,
    .classify = slurm_address_classify,
};

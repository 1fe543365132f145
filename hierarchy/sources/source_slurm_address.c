/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * source_slurm_address.c - the switches above each host, from the environment of SLURM's tasks.
 *
 * Idea:   SLURM gives every task the switches or blocks above its host, from the outermost one, and
 *         the kind of each: "top.cell1.leaf7.node386", "switch.switch.switch.node". Several
 *         switches of one stage are a list, "leaf[7-8]"; a missing stage is empty. Dots separate
 *         the stages, but names may have dots, too: "switch.2.1.switch.1.4.n13" is switch.2.1 and
 *         switch.1.4, because each begins with the same word. If the stages cannot be separated,
 *         only hosts with the same switches are grouped, with a warning.
 * Use:    jobs under SLURM, without any file.
 * Needs:  a running job whose launcher did not copy the environment of one host to the others.
 * Source: sbatch(1): SLURM_TOPOLOGY_ADDR, SLURM_TOPOLOGY_ADDR_PATTERN, SLURMD_NODENAME;
 *         topology_p_get_node_addr() in src/plugins/topology/{tree,block,flat}.
 */
#include <config.h>

#include "hierarchy/text/storage.h"
#include "hitop/sys/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STAGES = 32, MAX_PIECES = 256, MAX_LEVEL = 80 };

/* The address of one host. */
struct address {
    int place;
    char *text;              /* the other strings are parts of it */
    char *name[MAX_STAGES];  /* from the outermost switch; may be "" */
    char *level[MAX_STAGES]; /* kind of each, e.g. "switch" */
    int nstages;
    const char *node; /* name of the host in SLURM; NULL: the address is not used */
    int is_unclear;   /* 1: names of switches cannot be separated; there is one stage */
};

/*
 * Write "pattern address node", or "" for a flat network; node is missing if SLURM does not set it.
 */
static void slurm_address_collect(char *out, size_t length)
{
    const char *address = getenv("SLURM_TOPOLOGY_ADDR");
    const char *pattern = getenv("SLURM_TOPOLOGY_ADDR_PATTERN");
    const char *node = getenv("SLURMD_NODENAME");

    out[0] = '\0';
    if (!address || !pattern || !strchr(pattern, '.') || strpbrk(pattern, " \t") ||
        strpbrk(address, " \t")) {
        return;
    }
    node = node && !strpbrk(node, " \t") ? node : "";
    if (snprintf(out, length, "%s %s%s%s", pattern, address, node[0] ? " " : "", node) >=
        (int)length) {
        out[0] = '\0'; /* a truncated address would be wrong */
    }
}

/*
 * Return the text before the next dot outside of brackets, and advance *text behind that dot; NULL
 * if there is no such dot.
 */
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

/* The last ".name" in an address that is followed by a dot or the end; NULL if there is none. */
static char *find_node(char *address, const char *name, size_t length)
{
    for (char *dot = strrchr(address, '.'); dot && length > 0;) {
        if (strncmp(dot + 1, name, length) == 0 && (!dot[1 + length] || dot[1 + length] == '.')) {
            return dot;
        }
        do {
            dot = dot > address ? dot - 1 : NULL;
        } while (dot && *dot != '.');
    }
    return NULL;
}

/*
 * Cut the name of the node off the end of an address and return it; NULL if there is none. The name
 * may have dots. It is SLURM's name of the node or the name of the host if the address contains one
 * of these, otherwise the text behind the last dot.
 */
static const char *cut_node(char *address, const char *node, const char *host, int *is_known)
{
    char *dot = node ? find_node(address, node, strlen(node)) : NULL;

    dot = dot ? dot : find_node(address, host, strlen(host));
    dot = dot ? dot : find_node(address, host, strcspn(host, "."));
    *is_known = dot != NULL;
    dot = dot ? dot : strrchr(address, '.');
    if (!dot || !dot[1]) {
        return NULL;
    }
    *dot = '\0';
    return dot + 1;
}

static int is_balanced(const char *text)
{
    int depth = 0;

    for (; *text && depth >= 0; text++) {
        depth += (*text == '[') - (*text == ']');
    }
    return depth == 0;
}

/* Join the pieces of an address to the names of nstages stages; returns 0 if that is ambiguous. */
static int join_pieces(struct address *a, char *const *piece, int npieces, int nstages)
{
    char begins[MAX_PIECES] = "";
    const char *word = "";
    int n = 0;

    for (int i = 0; i < npieces && !word[0]; i++) {
        word = piece[i];
    }
    for (int i = 0; i < npieces; i++) { /* an empty stage has one piece */
        begins[i] =
            (char)(i == 0 || npieces == nstages || !piece[i][0] || strcmp(piece[i], word) == 0);
        n += begins[i];
        if (!begins[i] && !piece[i - 1][0]) {
            return 0;
        }
    }
    for (int i = 0, stage = 0; i < npieces && n == nstages; i++) {
        if (begins[i]) {
            a->name[stage++] = piece[i];
        } else {
            piece[i][-1] = '.';
        }
    }
    return n == nstages;
}

/*
 * Split an address into stages, or make one stage of it if that is ambiguous. Returns 0 if there
 * are not enough pieces, or if dots may belong to a node whose name is not known.
 */
static int split(struct address *a, char *address, int nstages, int is_known)
{
    char *rest = address, *piece[MAX_PIECES];
    int n = 0;

    while (n < MAX_PIECES - 1 && (piece[n] = cut(&rest))) {
        n++;
    }
    piece[n++] = rest;
    a->nstages = nstages;
    if (n < nstages || (n > nstages && !is_known)) {
        return 0;
    }
    if (!join_pieces(a, piece, n, nstages)) {
        for (int i = 1; i < n; i++) {
            piece[i][-1] = '.';
        }
        a->name[0] = address;
        a->level[0] = a->level[nstages - 1];
        a->nstages = 1;
        a->is_unclear = 1;
    }
    return 1;
}

/* Parse a fact; returns 0 if the address does not match the pattern. */
static int parse(struct address *a, const char *host)
{
    char *pattern = a->text, *address = strchr(a->text, ' '), *node, *level;
    const char *own;
    int nstages = 0, is_known = 0;

    if (!address) {
        return 0;
    }
    *address++ = '\0';
    node = strchr(address, ' ');
    if (node) {
        *node++ = '\0';
    }
    while ((level = cut(&pattern))) {
        if (!level[0] || nstages == MAX_STAGES) {
            return 0;
        }
        a->level[nstages++] = level;
    }
    own = is_balanced(address) ? cut_node(address, node, host, &is_known) : NULL;
    if (nstages == 0 || !own || !split(a, address, nstages, is_known)) {
        return 0;
    }
    a->node = own;
    return 1;
}

static int by_node(const void *a, const void *b)
{
    const struct address *x = a, *y = b;
    const int order = strcmp(x->node ? x->node : "", y->node ? y->node : "");

    return order ? order : (x->place > y->place) - (x->place < y->place);
}

/*
 * Ignore addresses that a launcher has copied from one host to others: an address is used on the
 * host that it names only. An address that names no host, because SLURM's names differ from those
 * of the hosts, is used if only one host has it.
 */
static void ignore_copied(struct address *address, int n, const struct hitop_source_input *in)
{
    int nforgotten = 0, end;

    for (int i = 0; i < n; i = end) {
        const char *node = address[i].node;
        const int named = node ? hitop_source_find(in, node) : -1;

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
    struct storage storage = {0};
    struct address *address;
    enum hitop_status status;
    int n = 0, nstrange = 0, nunclear = 0;

    (void)diag;
    if (!STORAGE_ARRAY(&storage, address, in->nplaces)) {
        return HITOP_ERR_NOMEM;
    }
    for (int i = 0; i < in->nplaces; i++) {
        const char *host = in->place[i].host;
        const char *fact = hitop_place_fact(&in->place[i], "slurm_address");
        struct address *a = &address[n];

        if (!fact[0] || !STORAGE_ARRAY(&storage, a->text, strlen(fact))) {
            continue;
        }
        a->place = i;
        memcpy(a->text, fact, strlen(fact));
        if (!parse(a, host) && nstrange++ == 0) {
            hitop_source_warn(in->how, "host '%s' has a SLURM_TOPOLOGY_ADDR unlike its pattern: %s",
                              host, fact);
        } else if (a->is_unclear && nunclear++ == 0) {
            hitop_source_warn(in->how,
                              "host '%s': names of switches have dots in SLURM_TOPOLOGY_ADDR, so "
                              "that only hosts with all switches in common are grouped: %s; "
                              "--slurm-topology FILE adds the outer switches",
                              host, fact);
        }
        n++;
    }
    qsort(address, (size_t)n, sizeof(*address), by_node);
    ignore_copied(address, n, in);
    status = storage_status(&storage);
    for (int i = 0; i < n && status == HITOP_OK; i++) {
        if (address[i].node) {
            push(&address[i], paths);
        }
    }
    hitop_storage_clear(&storage);
    return status;
}

const struct hitop_source hitop_source_slurm_address = {
    .name = "slurm_address",
    .summary = "the switches in the environment of SLURM's tasks",
    .layer = HITOP_LAYER_NETWORK,
    .trust = 1,
    .spans_sites = 1,
    .collect = slurm_address_collect,
    .classify = slurm_address_classify,
};

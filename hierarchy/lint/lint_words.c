/* SPDX-License-Identifier: BSD-3-Clause */
/* lint_words.c - check a hierarchy file for misspelled words and outdated labels. */
#include <config.h>

#include "hierarchy/lint/lint.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* The attributes of the format. other_keys[] look like misspelled ones, but are correct. */
static const char *const node_keys[] = {
    "type",           "model_data", "rank",       "level",   "name",      "source",
    "confidence",     "capacity",   "latency_us", "latency", "bandwidth", "bandwidth_MBps",
    "measured_pairs", "comment",    "label",      NULL};
static const char *const edge_keys[] = {"capacity", "comment", "label", NULL};
static const char *const graph_keys[] = {"format",  "version", "ranks_per_host",
                                         "comment", "label",   NULL};
static const char *const other_keys[] = {"xlabel",  "labels", "ranks", "names", "image",
                                         "samples", "hname",  "nodes", "type2", NULL};

static int is_among(const char *const *list, const char *word)
{
    while (*list && strcmp(*list, word) != 0) {
        list++;
    }
    return *list != NULL;
}

/* The word of the list that is most likely meant, or NULL. */
static const char *find_meant(const char *const *list, const char *word)
{
    for (int i = 0; list[i]; i++) {
        if (strcasecmp(list[i], word) == 0 || hitop_lint_is_slip(word, list[i])) {
            return list[i];
        }
    }
    return NULL;
}

static void check_key(struct lint *l, const struct lint_key *k)
{
    const int is_graph = k->node == LINT_NONE && k->edge == LINT_NONE;
    const char *const *known = k->node != LINT_NONE ? node_keys : is_graph ? graph_keys : edge_keys;
    const char *meant =
        is_among(known, k->key) || is_among(other_keys, k->key) ? NULL : find_meant(known, k->key);

    if (!meant) {
        return;
    }
    if (k->node != LINT_NONE) {
        hitop_lint_warn(l, hitop_lint_line(l, k->node),
                        "node \"%s\": attribute \"%s\": did you mean \"%s\"?", l->node[k->node].id,
                        k->key, meant);
    } else if (is_graph) {
        hitop_lint_warn(l, 0, "graph: attribute \"%s\": did you mean \"%s\"?", k->key, meant);
    } else {
        const struct lint_edge *e = &l->edge[k->edge];
        hitop_lint_warn(l, e->line, "edge \"%s\" -> \"%s\": attribute \"%s\": did you mean \"%s\"?",
                        l->node[e->tail].id, l->node[e->head].id, k->key, meant);
    }
}

static const char *const level_words[] = {
    "root",      "site",     "domain",  "region", "zone", "cluster", "partition", "group",
    "island",    "cell",     "row",     "rack",   "pod",  "cabinet", "chassis",   "blade",
    "fabric",    "switch",   "block",   "host",   "node", "package", "socket",    "die",
    "placement", "subblock", "machine", "nvlink", "numa", "cache",   "core",      NULL,
};

/* 1 for a common level, perhaps followed by a number, as in switch2. */
static int is_level(const char *level)
{
    char word[32];
    size_t length = strlen(level);

    while (length > 0 && strchr("0123456789", level[length - 1])) {
        length--;
    }
    (void)snprintf(word, sizeof(word), "%.*s", (int)length, level);
    return length < sizeof(word) && is_among(level_words, word);
}

/*
 * Any level is allowed. A level that is similar to a common one is a typing error only if it occurs
 * once.
 */
static void check_level(struct lint *l, int i)
{
    const char *level = l->node[i].level;
    const char *meant = is_level(level) || !level[0] ? NULL : find_meant(level_words, level);

    for (int k = 0; meant && k < l->nnodes; k++) {
        if (k != i && strcmp(l->node[k].level, level) == 0) {
            return;
        }
    }
    if (meant) {
        hitop_lint_warn(l, hitop_lint_line(l, i), "node \"%s\": level \"%s\": did you mean \"%s\"?",
                        l->node[i].id, level, meant);
    }
}

/* 1 if a label begins with this word and a line break; rest is then the text after the break. */
static int first_line_is(const char *text, const char *word, const char **rest)
{
    const size_t n = strlen(word);

    *rest = text + n + 2;
    return strncmp(text, word, n) == 0 && strncmp(text + n, "\\n", 2) == 0;
}

/*
 * The writer makes labels "level\nname". Warn of such a label if level or name have been edited,
 * but not the label.
 */
static void check_label(struct lint *l, int i)
{
    const struct lint_node *n = &l->node[i];
    const char *rest = NULL, *says = NULL;
    const char *name = n->kind == LINT_LEAF ? n->data : n->name;
    const size_t length = strlen(n->label), tail = strlen(name);

    if (n->is_html || strchr(name, '\\') || !name[0]) {
        return;
    }
    if (n->kind == LINT_GROUP && n->level[0] && first_line_is(n->label, n->level, &rest)) {
        says = strcmp(rest, name) != 0 && !strstr(rest, "\\n") ? rest : NULL;
    } else if (n->kind == LINT_LEAF && strncmp(n->label, "rank", 4) == 0 &&
               (rest = strstr(n->label, "\\n"))) {
        says = strcmp(rest + 2, name) != 0 ? rest + 2 : NULL;
    } else if (n->kind == LINT_GROUP && n->level[0] && length > tail + 2 &&
               strcmp(n->label + length - tail, name) == 0 &&
               strncmp(n->label + length - tail - 2, "\\n", 2) == 0) {
        hitop_lint_warn(
            l, hitop_lint_line(l, i),
            "node \"%s\": label \"%s\" contradicts level \"%s\"; without label it is made anew",
            n->id, n->label, n->level);
    }
    if (says) {
        hitop_lint_warn(l, hitop_lint_line(l, i),
                        "node \"%s\": label says \"%s\", not \"%s\"; without label it is made anew",
                        n->id, says, name);
    }
}

void hitop_lint_words(struct lint *l)
{
    for (int i = 0; i < l->nkeys; i++) {
        check_key(l, &l->key[i]);
    }
    for (int i = 0; i < l->nnodes; i++) {
        if (l->node[i].kind == LINT_GROUP) {
            check_level(l, i);
        }
        check_label(l, i);
    }
}

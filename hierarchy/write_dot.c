/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * write_dot.c - a hierarchy as DOT text, the same bytes for the same hierarchy.
 *
 * Two kinds of strings are told apart. Plain text (host names, levels, group names) has its
 * backslashes doubled. Everything else came out of a DOT file or is written for one; there a
 * backslash has a meaning for Graphviz and stays as it is.
 */
#include <config.h>

#include "dot_impl.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/*
 * Inside quotes only \" ends nothing. A run of backslashes in front of a quote or of the end is made
 * even, because an odd one would protect the quote.
 */
static void put_raw(FILE *to, const char *text)
{
    size_t backslashes = 0;

    putc('"', to);
    for (; *text; text++) {
        if (*text == '"') {
            fputs(backslashes % 2 ? "\\\\\"" : "\\\"", to);
        } else {
            putc(*text, to);
        }
        backslashes = *text == '\\' ? backslashes + 1 : 0;
    }
    fputs(backslashes % 2 ? "\\\"" : "\"", to);
}

static void put_plain(FILE *to, const char *text)
{
    putc('"', to);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') {
            putc('\\', to);
        }
        putc(*text, to);
    }
    putc('"', to);
}

/* Append text to a label, protecting backslashes; returns the new end. */
static char *append(char *to, const char *text)
{
    for (; *text; text++) {
        if (*text == '\\') {
            *to++ = '\\';
        }
        *to++ = *text;
    }
    *to = '\0';
    return to;
}

char *dot_make_label(int rank, const char *level, const char *name)
{
    char *label = malloc(2 * strlen(level) + 2 * strlen(name) + 32);
    char *end = label;

    if (!label) {
        return NULL;
    }
    end[0] = '\0';
    if (rank >= 0) {
        end += snprintf(end, 32, "rank %d", rank);
    } else {
        end = append(end, level);
    }
    if (end > label && name[0]) {
        *end++ = '\\';
        *end++ = 'n';
    }
    (void)append(end, name);
    return label;
}

static void put_key(FILE *to, const char *key)
{
    static const char *const keywords[] = {"node",    "edge",     "graph",
                                           "digraph", "subgraph", "strict"};
    int plain = !(key[0] >= '0' && key[0] <= '9');

    for (const char *p = key; *p; p++) {
        plain = plain && (isalnum((unsigned char)*p) || *p == '_') && !((unsigned char)*p & 0x80);
    }
    for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++) {
        plain = plain && strcasecmp(key, keywords[i]) != 0;
    }
    if (plain && key[0]) {
        fputs(key, to);
    } else {
        put_raw(to, key);
    }
}

/* What the overlay says about a key of a node, or NULL. */
static const char *overlaid(const struct hitop_dot_overlay *overlay, int node, const char *wanted)
{
    const char *key = NULL, *value = NULL;

    for (int i = 0; overlay && overlay->attr(overlay->data, node, i, &key, &value); i++) {
        if (strcmp(key, wanted) == 0) {
            return value;
        }
    }
    return NULL;
}

static void put_attr(FILE *to, const char *key, const char *value)
{
    fputs(", ", to);
    put_key(to, key);
    putc('=', to);
    put_raw(to, value);
}

/* model_data and label have their places; the others follow, our own before the overlay's. */
static void put_others(FILE *to, const struct hitop_hierarchy *h, int node,
                       const struct hitop_dot_overlay *overlay)
{
    const char *key = NULL, *value = NULL;

    for (int i = 0; i < hitop_hierarchy_count_attrs(h, node); i++) {
        hitop_hierarchy_attr_at(h, node, i, &key, &value);
        if (strcmp(key, "model_data") != 0 && strcmp(key, "label") != 0 &&
            !overlaid(overlay, node, key)) {
            put_attr(to, key, value);
        }
    }
    for (int i = 0; overlay && overlay->attr(overlay->data, node, i, &key, &value); i++) {
        if (strcmp(key, "model_data") != 0 && strcmp(key, "label") != 0) {
            put_attr(to, key, value);
        }
    }
}

static const char *own_or_overlaid(const struct hitop_hierarchy *h, int node,
                                   const struct hitop_dot_overlay *overlay, const char *key)
{
    const char *value = overlaid(overlay, node, key);

    return value ? value : hitop_hierarchy_attr(h, node, key);
}

static enum hitop_status put_node(FILE *to, const struct hitop_hierarchy *h, int node,
                                  const struct hitop_dot_overlay *overlay)
{
    const int is_leaf = node < hitop_hierarchy_nranks(h);
    const char *name = is_leaf ? hitop_hierarchy_host(h, node) : hitop_hierarchy_name(h, node);
    const char *level = hitop_hierarchy_level(h, node);
    const char *data = NULL, *label = NULL;
    char *made = dot_make_label(is_leaf ? node : HITOP_NO_RANK, level, name);

    if (!made) {
        return HITOP_ERR_NOMEM;
    }
    fprintf(to, "    %d [type=%d, model_data=", node, !is_leaf);
    if (is_leaf) {
        put_plain(to, name);
        fprintf(to, ", rank=%d", node);
    } else {
        data = own_or_overlaid(h, node, overlay, "model_data");
        put_raw(to, data ? data : "");
        fputs(", level=", to);
        put_plain(to, level);
        fputs(", name=", to);
        put_plain(to, name);
    }
    label = own_or_overlaid(h, node, overlay, "label");
    label = label ? label : made;
    if (label[0]) {
        put_attr(to, "label", label);
    }
    put_others(to, h, node, overlay);
    fputs("];\n", to);
    free(made);
    return HITOP_OK;
}

/* Nodes that follow look like this unless they say otherwise. */
static void put_style(FILE *to, int is_leaf)
{
    static const struct dot_style styles[] = DOT_STYLES;

    fputs("    node [", to);
    for (size_t i = 0; i < sizeof(styles) / sizeof(styles[0]); i++) {
        fprintf(to, "%s%s=\"%s\"", i > 0 ? ", " : "", styles[i].key,
                is_leaf ? styles[i].leaf : styles[i].group);
    }
    fputs("];\n", to);
}

enum hitop_status hitop_dot_write(const struct hitop_hierarchy *h,
                                  const struct hitop_dot_overlay *overlay, FILE *to,
                                  struct hitop_diag *diag)
{
    const int nranks = hitop_hierarchy_nranks(h), nnodes = hitop_hierarchy_nnodes(h);

    fprintf(to, "digraph hierarchy {\n    graph [format=\"%s\", version=\"%s\", rankdir=\"BT\"];\n",
            DOT_FORMAT, DOT_VERSION);
    for (int node = 0; node < nnodes; node++) {
        if (node == 0 || node == nranks) {
            put_style(to, node == 0);
        }
        if (put_node(to, h, node, overlay) != HITOP_OK) {
            return hitop_fail(diag, HITOP_ERR_NOMEM, "hierarchy: out of memory");
        }
    }
    for (int node = 0; node < nnodes; node++) {
        if (hitop_hierarchy_parent(h, node) != HITOP_NO_NODE) {
            fprintf(to, "    %d->%d;\n", node, hitop_hierarchy_parent(h, node));
        }
    }
    fputs("}\n", to);
    return HITOP_OK;
}

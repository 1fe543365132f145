/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * show_json.c - write a hierarchy as JSON; doc/hierarchy.schema.json describes the format.
 *
 * The file has two flat lists: leaf sets, each with its ranks as text such as "0-63" and its
 * parent, and groups from the lowest upwards. Each element is one line, at any depth of the
 * hierarchy.
 */
#include <config.h>

#include "tools/generate/hierarchy_shown.h"

#include "src/draft_json.h"

#include "hitop/text.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 15 }; /* significant digits of numbers */

static json_t *ranks_value(const struct hitop_rank_range *range, int n)
{
    char *text = hitop_ranks_text(range, n);
    json_t *value = text ? json_string(text) : NULL;

    free(text);
    return value;
}

/*
 * The attributes of a node except source and confidence, which are members of their own; NULL if
 * there are none.
 */
static json_t *attributes_value(const struct hitop_hierarchy *h, int node)
{
    int n;
    const struct hitop_attr *attr = hitop_hierarchy_attrs(h, HITOP_ATTR_OF_NODE, node, &n);
    json_t *value = NULL;

    for (int i = 0; i < n; i++) {
        if (strcmp(attr[i].key, "source") != 0 && strcmp(attr[i].key, "confidence") != 0) {
            value = value ? value : json_object();
            (void)json_object_set_new(value, attr[i].key, hitop_draft_text(attr[i].value));
        }
    }
    return value;
}

static json_t *leaves_value(const struct hitop_hierarchy *h, int set)
{
    int nranges;
    const struct hitop_rank_range *range = hitop_hierarchy_leaf_set(h, set, &nranges);
    const int rank = range->first;

    return json_pack("{s:o, s:o, s:i, s:o*}", "ranks", ranks_value(range, nranges), "host",
                     hitop_draft_text(hitop_hierarchy_host(h, rank)), "parent",
                     hitop_hierarchy_parent(h, rank), "attributes", attributes_value(h, rank));
}

static json_t *group_ranks(const struct hitop_hierarchy *h, int node)
{
    struct hitop_ranks ranks = {0};
    json_t *value = NULL;

    if (hitop_hierarchy_ranks(h, node, &ranks, NULL) == HITOP_OK) {
        value = ranks_value(ranks.range, ranks.n);
    }
    hitop_ranks_clear(&ranks);
    return value;
}

/* A confidence as a number, or as text if it is no number from 0 to 1; NULL if text is NULL. */
static json_t *confidence_value(const char *text)
{
    double number;

    return !text                                                      ? NULL
           : hitop_text_double(text, 0, 1, &number, NULL) == HITOP_OK ? json_real(number)
                                                                      : hitop_draft_text(text);
}

static json_t *group_value(const struct hitop_hierarchy *h, int node)
{
    const int parent = hitop_hierarchy_parent(h, node);
    const char *source = hitop_hierarchy_attr(h, node, "source");

    return json_pack("{s:i, s:o, s:o, s:o, s:i, s:o, s:o*, s:o*, s:o*}", "node", node, "parent",
                     parent == HITOP_NO_NODE ? json_null() : json_integer(parent), "level",
                     hitop_draft_text(hitop_hierarchy_level(h, node)), "name",
                     hitop_draft_text(hitop_hierarchy_name(h, node)), "count",
                     hitop_hierarchy_count_ranks(h, node), "ranks", group_ranks(h, node), "source",
                     source ? hitop_draft_text(source) : NULL, "confidence",
                     confidence_value(hitop_hierarchy_attr(h, node, "confidence")), "attributes",
                     attributes_value(h, node));
}

enum hitop_status show_write_json(const struct hitop_hierarchy *h, FILE *to,
                                  struct hitop_diag *diag)
{
    const int nranks = hitop_hierarchy_nranks(h), nnodes = hitop_hierarchy_nnodes(h);
    int nsets;
    const int first = hitop_hierarchy_leaf_sets(h, hitop_hierarchy_root(h), &nsets);
    int failed = fprintf(to,
                         "{\n  \"format\": \"hitop-hierarchy\",\n  \"version\": 1,\n"
                         "  \"ranks\": %d,\n  \"leaves\": [",
                         nranks) < 0;

    for (int set = first; !failed && set < first + nsets; set++) {
        failed |= fputs(set > first ? ",\n    " : "\n    ", to) < 0;
        failed |= hitop_draft_put(to, leaves_value(h, set), DIGITS) < 0;
    }
    failed |= fputs("\n  ],\n  \"groups\": [", to) < 0;
    for (int node = nranks; !failed && node < nnodes; node++) {
        failed |= fputs(node > nranks ? ",\n    " : "\n    ", to) < 0;
        failed |= hitop_draft_put(to, group_value(h, node), DIGITS) < 0;
    }
    failed |= fputs("\n  ]\n}\n", to) < 0;
    return failed ? hitop_fail(diag, HITOP_ERR_IO, "cannot write: %s",
                               errno ? strerror(errno) : "out of memory")
                  : HITOP_OK;
}

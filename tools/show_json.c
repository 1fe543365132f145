/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * show_json.c - a hierarchy for programs; doc/hierarchy.schema.json is the format.
 *
 * Two flat lists: leaf sets, with ranks as text such as "0-63" and a parent, and groups from the lowest
 * upwards. One line for each, however deep the hierarchy is.
 */
#include <config.h>

#include "show.h"

#include "draft_json.h"

#include "hitop/text.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Write a value on one line and release it; 0, or -1 when it is NULL or the stream fails. */
static int put(FILE *to, json_t *value)
{
    const int result =
        value ? json_dumpf(value, to, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15)) : -1;

    json_decref(value);
    return result;
}

static json_t *ranks_value(const struct hitop_rank_range *range, int n)
{
    char *text = hitop_ranks_text(range, n);
    json_t *value = text ? json_string(text) : NULL;

    free(text);
    return value;
}

/* What a node has beyond its place: all attributes but those with members of their own. */
static json_t *attributes_value(const struct hitop_hierarchy *h, int node, int *count)
{
    int n;
    const struct hitop_attr *attr = hitop_hierarchy_attrs(h, HITOP_ATTR_OF_NODE, node, &n);
    json_t *value = json_object();

    *count = 0;
    for (int i = 0; i < n; i++) {
        if (strcmp(attr[i].key, "source") != 0 && strcmp(attr[i].key, "confidence") != 0) {
            *count += json_object_set_new(value, attr[i].key, draft_text(attr[i].value)) == 0;
        }
    }
    return value;
}

static void add_attributes(json_t *to, const struct hitop_hierarchy *h, int node)
{
    int count;
    json_t *value = attributes_value(h, node, &count);

    if (count > 0) {
        (void)json_object_set(to, "attributes", value);
    }
    json_decref(value);
}

static json_t *leaves_value(const struct hitop_hierarchy *h, int set)
{
    int nranges;
    const struct hitop_rank_range *range = hitop_hierarchy_leaf_set(h, set, &nranges);
    const int rank = range->first;
    json_t *value = json_pack("{s:o, s:o, s:i}", "ranks", ranks_value(range, nranges), "host",
                              draft_text(hitop_hierarchy_host(h, rank)), "parent",
                              hitop_hierarchy_parent(h, rank));

    if (value) {
        add_attributes(value, h, rank);
    }
    return value;
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

/* A member that is a number where the attribute is one. */
static json_t *confidence_value(const char *text)
{
    double number;

    return hitop_text_double(text, 0, 1, &number, NULL) == HITOP_OK ? json_real(number)
                                                                    : draft_text(text);
}

static json_t *group_value(const struct hitop_hierarchy *h, int node)
{
    const int parent = hitop_hierarchy_parent(h, node);
    const char *source = hitop_hierarchy_attr(h, node, "source");
    const char *confidence = hitop_hierarchy_attr(h, node, "confidence");
    json_t *value = json_pack("{s:i, s:o, s:o, s:o, s:i, s:o}", "node", node, "parent",
                              parent == HITOP_NO_NODE ? json_null() : json_integer(parent), "level",
                              draft_text(hitop_hierarchy_level(h, node)), "name",
                              draft_text(hitop_hierarchy_name(h, node)), "count",
                              hitop_hierarchy_count_ranks(h, node), "ranks", group_ranks(h, node));

    if (value && source) {
        (void)json_object_set_new(value, "source", draft_text(source));
    }
    if (value && confidence) {
        (void)json_object_set_new(value, "confidence", confidence_value(confidence));
    }
    if (value) {
        add_attributes(value, h, node);
    }
    return value;
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
        failed |= put(to, leaves_value(h, set)) < 0;
    }
    failed |= fputs("\n  ],\n  \"groups\": [", to) < 0;
    for (int node = nranks; !failed && node < nnodes; node++) {
        failed |= fputs(node > nranks ? ",\n    " : "\n    ", to) < 0;
        failed |= put(to, group_value(h, node)) < 0;
    }
    failed |= fputs("\n  ]\n}\n", to) < 0;
    return failed ? hitop_fail(diag, HITOP_ERR_IO, "cannot write: %s",
                               errno ? strerror(errno) : "out of memory")
                  : HITOP_OK;
}

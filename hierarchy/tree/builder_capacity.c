/* SPDX-License-Identifier: BSD-3-Clause */
/* builder_capacity.c - read the capacities of groups from attributes of nodes and edges. */
#include <config.h>

#include "hierarchy/tree/builder_impl.h"
#include "hierarchy/tree/capacity.h"

#include <string.h>

/* The attribute of the group and that of its edge. */
struct said {
    const char *text[2];
};

static enum hitop_status read_group(const struct hitop_hierarchy_builder *b, int node,
                                    const struct said *said, double *capacity,
                                    struct hitop_diag *diag)
{
    double value[2] = {0};

    for (int i = 0; i < 2; i++) {
        struct hitop_diag why = HITOP_DIAG_INIT;
        if (said->text[i] && capacity_read(said->text[i], &value[i], &why) != HITOP_OK) {
            return hitop_fail(diag, HITOP_ERR_FORMAT, "node %s: capacity %s",
                              hitop_builder_title(b, node).text, why.message);
        }
    }
    if (value[0] > 0 && value[1] > 0 && (value[0] < value[1] || value[0] > value[1])) {
        return hitop_fail(diag, HITOP_ERR_FORMAT,
                          "node %s: capacity '%.40s', but that of its edge is '%.40s'",
                          hitop_builder_title(b, node).text, said->text[0], said->text[1]);
    }
    *capacity = value[0] > 0 ? value[0] : value[1];
    return HITOP_OK;
}

enum hitop_status hitop_builder_read_capacities(const struct hitop_hierarchy_builder *b,
                                                struct builder_fact *facts, struct storage *scratch,
                                                struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    struct said *said = NULL;

    for (int i = 0; i < b->attrs.count; i++) { /* of equal ones the last counts */
        const struct attr_entry *e = &b->attrs.entry[i];
        const int is_edge = e->owner.of == HITOP_ATTR_OF_EDGE;
        if ((!is_edge && e->owner.of != HITOP_ATTR_OF_NODE) || builder_is_leaf(b, e->owner.owner) ||
            strcmp(e->attr.key, "capacity") != 0) {
            continue;
        }
        if (!said && !STORAGE_ARRAY(scratch, said, b->nnodes)) {
            return HITOP_ERR_NOMEM;
        }
        said[e->owner.owner].text[is_edge] = e->attr.value;
    }
    for (int node = 0; said && node < b->nnodes && status == HITOP_OK; node++) {
        status = read_group(b, node, &said[node], &facts[node].capacity, diag);
    }
    return status;
}

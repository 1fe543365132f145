/* SPDX-License-Identifier: BSD-3-Clause */
/* lint_capacity.c - check capacities: wrong values, contradictions, capacities without effect. */
#include <config.h>

#include "hierarchy/lint/lint.h"
#include "hierarchy/tree/capacity.h"

/*
 * Check and return a capacity. 0 if there is none, if it is wrong, or if the node is a leaf, whose
 * capacity has no effect.
 */
static double read_value(struct lint *l, int node, int line, const char *text)
{
    struct hitop_diag why = HITOP_DIAG_INIT;
    double value = 0;

    if (!text[0]) {
        return 0;
    }
    if (l->node[node].kind == LINT_LEAF) {
        hitop_lint_warn(l, line, "node \"%s\": capacity is of groups; that of a leaf does nothing",
                        l->node[node].id);
    } else if (capacity_read(text, &value, &why) != HITOP_OK) {
        hitop_lint_error(l, line, "node \"%s\": capacity %s", l->node[node].id, why.message);
    }
    return value;
}

void hitop_lint_capacity(struct lint *l)
{
    for (int i = 0; i < l->nnodes; i++) {
        (void)read_value(l, i, hitop_lint_line(l, i), l->node[i].capacity);
    }
    for (int i = 0; i < l->nedges; i++) {
        const struct lint_edge *e = &l->edge[i];
        const int member = l->is_down ? e->head : e->tail;
        const struct lint_node *node = &l->node[member];
        const double value = read_value(l, member, e->line, e->capacity);
        double own = 0;

        if (value > 0 && node->capacity[0] &&
            capacity_read(node->capacity, &own, NULL) == HITOP_OK && (own < value || own > value)) {
            hitop_lint_error(l, e->line,
                             "node \"%s\": capacity '%.40s', but that of its edge is '%.40s'",
                             node->id, node->capacity, e->capacity);
        }
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRAW_H
#define DRAW_H

/**
 * @file draw.h
 * @brief A hierarchy as a picture or a list, summarized as far as necessary.
 *
 * A drawing is a tree of nodes. Most nodes are groups of the hierarchy; ranks belong to the node of
 * their host or group. To keep a drawing small, alike groups (of equal level, source and contents)
 * become one node, which has their number and the contents of the first of them. Groups below a
 * certain depth are only counted and named in the node that contains them. A drawing is not a
 * complete hierarchy: hitop_dot_read() refuses its files.
 *
 * @code
 * const struct hitop_drawing_limits limits = {.max_leaves = HITOP_DRAWING_LEAVES};
 * status = hitop_drawing_make(h, &limits, &drawing, &diag);
 * if (status == HITOP_OK) {
 *     status = hitop_drawing_write_text(drawing, stdout, &diag);
 * }
 * hitop_drawing_free(drawing);
 * @endcode
 */

#include "hitop/hierarchy.h"

#include <stdio.h>

/** Opaque. Release with hitop_drawing_free(). */
struct hitop_drawing;

/** Default of max_leaves: lines that fit on a screen. */
#define HITOP_DRAWING_LEAVES 64

/** What to leave out. All zero: nothing. */
struct hitop_drawing_limits {
    int depth;      /**< number of levels to draw below the root; 0: all */
    int max_leaves; /**< maximum number of nodes without children; 0: no limit */
    int hosts_only; /**< 1: beyond max_leaves collapse only alike hosts of one group */
};

/**
 * Draw a hierarchy within limits.
 *
 * First alike groups are collapsed, from the innermost level outwards, until the limit is met, then
 * deep levels are left out; a level is expanded again if all its groups fit. If even the groups
 * below the root are too many, the last ones become one node.
 *
 * @param h    must live as long as the drawing
 * @param out  receives the drawing, owned by the caller; set to NULL on failure
 * @retval HITOP_ERR_INVALID  a limit is negative
 * @retval HITOP_ERR_NOMEM    an allocation failed
 */
HITOP_MUST_CHECK enum hitop_status hitop_drawing_make(const struct hitop_hierarchy *h,
                                                      const struct hitop_drawing_limits *limits,
                                                      struct hitop_drawing **out,
                                                      struct hitop_diag *diag);

/** Release a drawing. NULL is allowed. */
void hitop_drawing_free(struct hitop_drawing *drawing);

/**
 * Write a drawing for a terminal: one line for each node, indented by its depth. The caller flushes
 * the stream and checks it for errors.
 */
HITOP_MUST_CHECK enum hitop_status hitop_drawing_write_text(const struct hitop_drawing *drawing,
                                                            FILE *to, struct hitop_diag *diag);

/** Write a drawing for Graphviz. */
HITOP_MUST_CHECK enum hitop_status hitop_drawing_write_dot(const struct hitop_drawing *drawing,
                                                           FILE *to, struct hitop_diag *diag);

#endif /* DRAW_H */

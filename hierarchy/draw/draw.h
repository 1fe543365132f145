/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRAW_H
#define DRAW_H

/**
 * @file draw.h
 * @brief A hierarchy for people to look at, with as much left out as they wish.
 *
 * A drawing is a tree of parts. Most parts are groups of the hierarchy; ranks are shown with the host
 * or group they belong to. To keep a drawing small, groups that are alike, that is, of equal level,
 * source and contents, become one part that tells how many there are and shows what is in the first
 * of them; and what is deeper than a certain depth becomes numbers and names in the part around it.
 * A drawing is no hierarchy any more: its files are marked, and hitop_dot_read() refuses them.
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

/** As many lines as a person reads through. */
#define HITOP_DRAWING_LEAVES 64

/** What to leave out. All zero: nothing. */
struct hitop_drawing_limits {
    int depth;      /**< draw so many levels below the root, or 0 for all */
    int max_leaves; /**< draw so many parts without parts below them, or 0 for all */
    int hosts_only; /**< 1: where there are more, only draw alike hosts of a group once */
};

/**
 * Draw a hierarchy within limits.
 *
 * First alike groups are joined, from the innermost ones outwards, until the limit is met, then deep
 * levels are left out; groups are drawn in full again where there is room for all of a level. When
 * even the groups just below the root are too many, the last ones become one part.
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

/** Number of parts, and of those among them that have no parts below them. */
int hitop_drawing_count(const struct hitop_drawing *drawing, int *nleaves);

/**
 * Write a drawing for a terminal: one line for each summary, indented by its depth. Errors of the stream
 * are left to the caller, who flushes it.
 */
HITOP_MUST_CHECK enum hitop_status hitop_drawing_write_text(const struct hitop_drawing *drawing,
                                                            FILE *to, struct hitop_diag *diag);

/** Write a drawing for Graphviz. */
HITOP_MUST_CHECK enum hitop_status hitop_drawing_write_dot(const struct hitop_drawing *drawing,
                                                           FILE *to, struct hitop_diag *diag);

#endif /* DRAW_H */

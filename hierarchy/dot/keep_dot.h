/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef KEEP_DOT_H
#define KEEP_DOT_H

/* keep_dot.h - what a DOT file says beyond the tree goes into the builder, to be written back. */

#include "hitop/hierarchy.h"

struct Agraph_s;
struct Agnode_s;
struct Agedge_s;

/* Put the comments of the text into the attributes "comment" of what they are about; 0 when out of memory. */
int hitop_dot_keep_comments(struct Agraph_s *graph, const char *text, size_t length);

/* Id and attributes of a node; label is what the writer would make for it. */
void hitop_dot_keep_node(struct hitop_hierarchy_builder *b, int handle, struct Agnode_s *node,
                         int is_leaf, const char *label);

/* Attributes of the edge between child and its group; is_down: the file has it the other way round. */
void hitop_dot_keep_edge(struct hitop_hierarchy_builder *b, int child, struct Agedge_s *edge,
                         int is_down);

/* Name and attributes of the graph. */
void hitop_dot_keep_graph(struct hitop_hierarchy_builder *b, struct Agraph_s *graph, int is_down);

#endif /* KEEP_DOT_H */

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PRIVATE_H
#define PRIVATE_H

/* private.h - the formula and the tree that private.c brings along. */
#include <hitop/sys/model.h>
#include <hitop/sys/tree.h>

extern const struct hitop_model_type private_model_knee;
extern const struct hitop_tree_builder private_tree_comb;

#endif /* PRIVATE_H */

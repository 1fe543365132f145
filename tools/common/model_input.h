/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MODEL_INPUT_H
#define MODEL_INPUT_H

/* model_input.h - read a model file, or a hierarchy file whose groups have latency and bandwidth.
 */

#include "hitop/model.h"

#include <stddef.h>

/*
 * Read a model from a file, or from standard input for "-": JSON of hitop-model(5), or DOT of
 * hitop-hierarchy(5). ranks_per_host: see hitop_whatif_priced(); 0 for what the file says.
 *
 * HITOP_ERR_IO: the file cannot be read; HITOP_ERR_FORMAT: it is neither, or it lacks a price.
 */
enum hitop_status tool_model_read(const char *path, int ranks_per_host, struct hitop_model **out,
                                  struct hitop_diag *diag);

/* The same from a text; messages use name for the file. */
enum hitop_status tool_model_parse(const char *name, const char *text, size_t length,
                                   int ranks_per_host, struct hitop_model **out,
                                   struct hitop_diag *diag);

#endif /* MODEL_INPUT_H */

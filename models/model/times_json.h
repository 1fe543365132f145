/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TIMES_JSON_H
#define TIMES_JSON_H

/* times_json.h - some of the times that were measured of a class, in a model file, which may lack them. */

#include "src/reader_json.h"

#include "hitop/model.h"

/* How many there are, whatever else is right or wrong with them. */
size_t hitop_times_count(const json_t *class);

/*
 * Those of a class, to room, which has place for hitop_times_count(). Failures are held by the
 * reader.
 */
void hitop_times_read(struct reader *r, const char *path, const json_t *class,
                      struct hitop_time *room, struct hitop_class *out);

/* An array per column; NULL: no memory. */
json_t *hitop_times_value(const struct hitop_class *c);

#endif /* TIMES_JSON_H */

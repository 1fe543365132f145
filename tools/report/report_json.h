/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORT_JSON_H
#define REPORT_JSON_H

/* report_json.h - the parts of the results of benchmark_collective, and what may be null there. */

#include "tools/report/report.h"

#include "src/reader_json.h"

/* A number or null, which is NaN; missing is as null. */
double report_number(struct reader *r, const char *path, const json_t *object, const char *key,
                     double min);

/* A string or null; missing is as null. */
const char *report_string(struct reader *r, const char *path, const json_t *object,
                          const char *key);

/* Refuse x > y, where both are told. */
void report_order(struct reader *r, const char *path, double x, const char *x_name, double y,
                  const char *y_name);

/* The points of a curve, by size. */
void report_read_points(struct reader *r, const char *path, const json_t *curve,
                        struct report_curve *out);

/* Members of the provenance, those of members as "host.name". */
void report_read_facts(struct reader *r, json_t *provenance, struct report *out);

#endif /* REPORT_JSON_H */

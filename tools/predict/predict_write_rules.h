/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PREDICT_WRITE_RULES_H
#define PREDICT_WRITE_RULES_H

/* predict_write_rules.h - what auto takes, as a file of rules. */

#include "tools/predict/predict.h"

/*
 * Write rules for the operation of the request, or for all, to a file or "-". At the sizes of the request they say what
 * auto takes; in between they change where the next one becomes the faster one.
 */
enum hitop_status predict_write_rules(struct predict_request *request, int all, const char *path,
                                      struct hitop_diag *diag);

#endif /* PREDICT_WRITE_RULES_H */

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PREDICT_COUNTS_H
#define PREDICT_COUNTS_H

/* predict_counts.h - the blocks of v-operations from a file. */

#include "tools/predict/predict.h"

/*
 * Read the number of elements of each rank's block, one in a line. The call gets the blocks, which the caller frees as
 * *starts, and the request their mean, in whole elements, as its only size.
 */
enum hitop_status predict_read_counts(const char *path, struct predict_request *request,
                                      size_t **starts, struct hitop_diag *diag);

#endif /* PREDICT_COUNTS_H */

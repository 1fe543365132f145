/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef INFO_H
#define INFO_H

/* info.h - what the parts of model_info share: the question, and the answers to it. */

#include "hitop/sys/model.h"

#include "sizes.h"
#include "tool.h"

#include <stdio.h>

enum info_format { INFO_TEXT, INFO_CSV, INFO_JSON };

struct info_request {
    const char *path;
    const struct hitop_model *model;
    enum info_format format;
    int worst; /* lines of each list of what is worst */
    struct sizes sizes;
};

extern const struct tool info_tool;

/* What the model is: ranges by level, and what is worst. */
enum hitop_status info_write_text(const struct info_request *request, FILE *to,
                                  struct hitop_diag *diag);

/* Every number of the model, one to a row. */
enum hitop_status info_write_csv(const struct info_request *request, FILE *to,
                                 struct hitop_diag *diag);
enum hitop_status info_write_json(const struct info_request *request, FILE *to,
                                  struct hitop_diag *diag);

#endif /* INFO_H */

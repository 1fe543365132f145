/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef INFO_WORST_H
#define INFO_WORST_H

/* info_worst.h - the classes of a model that deserve a look. */

#include "tools/info/info.h"

/* Half the width of the widest interval of a class over its parameter, and which parameter that is; 0
 * where no interval is known. */
double info_widest(const struct hitop_model_type *type, const struct hitop_class *c, size_t *param);

/* Print such a width in per cent, right-aligned; "-" where it is 0, as of a formula that is a table. */
void info_put_width(FILE *to, int columns, double width);

/* Print the widest intervals, the largest residuals and what is not settled, some of each. */
enum hitop_status info_write_worst(const struct info_request *request, FILE *to,
                                   struct hitop_diag *diag);

#endif /* INFO_WORST_H */

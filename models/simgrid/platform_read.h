/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PLATFORM_READ_H
#define PLATFORM_READ_H

/* platform_read.h - elements of a platform file, one after the other, without a parser. */

#include "models/simgrid/platform_impl.h"

struct platform_reader {
    struct platform *p;
    struct hitop_diag *diag;
    enum hitop_status status;
    void *parser;
    int line;
    const char *element;
    const char *const *attributes; /* names and values in turns, NULL at the end */
    int zone;                      /* that is open, or -1 */
    int depth;                     /* of elements */
    int skips;                     /* depth from which on elements are skipped; 0: none */
    int in_config, in_route;
    int is_symmetrical;
    struct route route; /* that is open */
};

void hitop_platform_element_begin(struct platform_reader *r);
void hitop_platform_element_end(struct platform_reader *r);

/* Set r->status, with a message that has file, line and element. */
void hitop_platform_refuse(struct platform_reader *r, const char *format, ...) HITOP_PRINTF(2, 3);

#endif /* PLATFORM_READ_H */

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_TRY_SOURCE_H
#define TESTS_TRY_SOURCE_H

/*
 * try_source.h - what must hold of any file that any source is given.
 *
 * A file is refused with one line that names it, or gives a hierarchy that can be written and read
 * again, the same one each time.
 */

#include "hitop/sys/source.h"

struct try_source {
    const struct hitop_source *source;
    const struct hitop_place *place; /* the places to group */
    int nplaces;
    const char *path; /* a file to write to; its suffix may mean something to the source */

    int is_accepted;        /* of the last file */
    struct hitop_diag diag; /* why it was refused */
};

/* Have the source read a file with this text. NULL when all is well, else what is wrong. */
const char *try_source(struct try_source *t, const char *text, size_t length);

#endif /* TESTS_TRY_SOURCE_H */

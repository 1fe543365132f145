/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HOSTLIST_H
#define HOSTLIST_H

/*
 * hostlist.h - the names a host list stands for: n[08-10,12]-ib[0-1],login.
 *
 * Brackets hold numbers and ranges, whose leading zeros are kept; the leftmost bracket varies slowest.
 */

#include "hitop/status.h"

/* Longest name, with its final zero. */
enum { HOSTLIST_NAME = 1024 };

/* Gets every name in turn; a status other than HITOP_OK ends the list and is passed on. */
struct hostlist_visitor {
    enum hitop_status (*take)(void *data, const char *name);
    void *data;
    const char *what; /* what the names are of, for messages: "host" */
    long most;        /* more names than that are a mistake */
};

/*
 * The names of one entry, which holds no comma outside brackets.
 *
 * HITOP_ERR_INVALID  the entry is wrong; the message quotes it
 */
HITOP_MUST_CHECK enum hitop_status
hitop_hostlist_expand_entry(const char *entry, const struct hostlist_visitor *visitor,
                            struct hitop_diag *diag);

/* The names of a whole list. */
HITOP_MUST_CHECK enum hitop_status hitop_hostlist_expand(const char *list,
                                                         const struct hostlist_visitor *visitor,
                                                         struct hitop_diag *diag);

/* Length of the first entry of a list; commas within brackets belong to it. */
size_t hitop_hostlist_entry_length(const char *list);

#endif /* HOSTLIST_H */

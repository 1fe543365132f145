/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HOSTLIST_H
#define HOSTLIST_H

/*
 * hostlist.h - expand host lists such as n[08-10,12]-ib[0-1],login.
 *
 * Brackets hold numbers and ranges, whose leading zeros are kept; the leftmost bracket varies
 * slowest.
 */

#include "hitop/status.h"

/* Longest name, with its final zero. */
enum { HOSTLIST_NAME = 1024 };

/* Called with every name; a status other than HITOP_OK ends the expansion, which returns it. */
struct hostlist_visitor {
    enum hitop_status (*visit)(void *data, const char *name);
    void *data;
    const char *what; /* the kind of names, for messages: "host" */
    long most;        /* limit of the number of names; more are refused */
};

/*
 * Expand one entry, which has no comma outside brackets.
 *
 * HITOP_ERR_INVALID  the entry is wrong; the message quotes it
 */
HITOP_MUST_CHECK enum hitop_status
hitop_hostlist_expand_entry(const char *entry, const struct hostlist_visitor *visitor,
                            struct hitop_diag *diag);

/* Expand a whole list. */
HITOP_MUST_CHECK enum hitop_status hitop_hostlist_expand(const char *list,
                                                         const struct hostlist_visitor *visitor,
                                                         struct hitop_diag *diag);

/* Length of the first entry of a list, which may contain commas in brackets. */
size_t hitop_hostlist_entry_length(const char *list);

#endif /* HOSTLIST_H */

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef NAMED_H
#define NAMED_H

/* named.h - algorithms and disabled operations that the user names. Pure: no MPI. */

#include "hitop/choice.h"
#include "hitop/operation.h"

/* How ranks learn the lengths of blocks of which only the root is told. */
enum named_counts {
    NAMED_COUNTS_PROPAGATED, /* each rank those of its subtree, along the tree */
    NAMED_COUNTS_BROADCAST,  /* all ranks all of them, first */
    NAMED_COUNTS_KNOWN,      /* the program passes them on all ranks */
};

struct named {
    struct hitop_choice choice[HITOP_NOPERATIONS]; /* way.type NULL: auto */
    unsigned char is_said[HITOP_NOPERATIONS];      /* 1: somebody did, be it auto */
    enum named_counts counts;
};

/*
 * Name one: "bcast" and "ecef", "chain:segment=8192", or "auto"; "bcast" and "twolevel"; "counts"
 * and "propagated", "broadcast" or "known". HITOP_ERR_NOTFOUND: the message lists the valid names,
 * and nothing has changed.
 */
enum hitop_status hitop_named_set(struct named *named, const char *what, const char *value,
                                  struct hitop_diag *diag);

/*
 * Name those in a text such as "bcast=ecef,allgather=ring". HITOP_ERR_NOTFOUND or HITOP_ERR_INVALID
 * as soon as a part is wrong, those before it being named.
 */
enum hitop_status hitop_named_read(struct named *named, const char *text, struct hitop_diag *diag);

/* A bit for each operation that somebody names, 1 << its number. */
unsigned hitop_named_operations(const struct named *named);

/* HITOP_DISABLE: operations that the user wants the MPI library to serve. */

/* One bit for each operation, 1u << enum hitop_operation_id. */
#define DISABLED_ALL ((1u << HITOP_NOPERATIONS) - 1)

/*
 * Read the environment: nothing or "0" is no operation, "1" all of them, else a list such as
 * "bcast,reduce". Of a wrong name the message tells the valid ones, and all operations are
 * disabled.
 */
HITOP_MUST_CHECK enum hitop_status hitop_disabled_read(unsigned *out, struct hitop_diag *diag);

#endif /* NAMED_H */

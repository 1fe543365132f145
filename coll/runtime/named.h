/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef NAMED_H
#define NAMED_H

/* named.h - algorithms and disabled operations that the user names. Pure: no MPI. */

#include "hitop/choice.h"
#include "hitop/operation.h"

/* How ranks learn the lengths of blocks that only the root knows. */
enum named_counts {
    NAMED_COUNTS_PROPAGATED, /* each rank those of its subtree, along the tree */
    NAMED_COUNTS_BROADCAST,  /* all ranks all of them, before the operation */
    NAMED_COUNTS_KNOWN,      /* the program passes them on all ranks */
};

/* When rank 0 chooses an algorithm that is not named. */
enum named_when {
    NAMED_LATER, /* MPI serves the first calls, in which rank 0 searches for some time each */
    NAMED_NOW,   /* in the first call, which waits for it */
};

struct named {
    struct hitop_choice choice[HITOP_NOPERATIONS]; /* algorithm.type NULL: auto */
    unsigned char is_said[HITOP_NOPERATIONS];      /* 1: an algorithm or "auto" is named */
    enum named_counts counts;
    enum named_when when;
};

/*
 * Name one algorithm: "bcast" and "ecef", "chain:segment=8192", or "auto"; "bcast" and "twolevel";
 * "counts" and "propagated", "broadcast" or "known"; "choice" and "later" or "now".
 * HITOP_ERR_NOTFOUND: the message lists the valid names, and nothing has changed.
 */
enum hitop_status hitop_named_set(struct named *named, const char *what, const char *value,
                                  struct hitop_diag *diag);

/*
 * Name the algorithms in a text such as "bcast=ecef,allgather=ring". Stops with HITOP_ERR_NOTFOUND
 * or HITOP_ERR_INVALID at the first wrong part; the parts before it are set.
 */
enum hitop_status hitop_named_read(struct named *named, const char *text, struct hitop_diag *diag);

/*
 * A bit 1 << enum hitop_operation_id for each operation for which an algorithm or "auto" is named.
 */
unsigned hitop_named_operations(const struct named *named);

/* HITOP_DISABLE: operations that the MPI library serves. */

/* One bit for each operation, 1u << enum hitop_operation_id. */
#define DISABLED_ALL ((1u << HITOP_NOPERATIONS) - 1)

/*
 * Read the environment: empty or "0" is no operation, "1" all of them, else a list such as
 * "bcast,reduce". For a wrong name the message lists the valid ones, and all operations are
 * disabled.
 */
HITOP_MUST_CHECK enum hitop_status hitop_disabled_read(unsigned *out, struct hitop_diag *diag);

#endif /* NAMED_H */

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_SYS_COLL_H
#define HITOP_SYS_COLL_H

/**
 * @file sys/coll.h
 * @brief What a new collective algorithm implements. Stable within a minor release only.
 */

#include "hitop/coll.h"

HITOP_BEGIN_DECLS

enum hitop_coll_need {
    HITOP_NEED_TREE = 1u << 0, /**< args->tree must be set */
    HITOP_NEED_POW2 = 1u << 1, /**< size must be a power of two */
};

struct hitop_coll_type {
    const char *name;    /**< "<operation>_<algorithm>", equal to the file name */
    const char *summary; /**< one line for help texts */
    unsigned needs;      /**< OR of enum hitop_coll_need; checked before plan() is called */
    const struct hitop_param *params;
    size_t nparams;
    /** Append this rank's steps. Must not depend on anything but its arguments. */
    enum hitop_status (*plan)(const struct hitop_coll_args *args, const double *params,
                              struct hitop_sched *sched, struct hitop_diag *diag);
};

/** NULL-terminated table of all compiled-in collectives. */
HITOP_API const struct hitop_coll_type *const *hitop_coll_types(void);

/** Find an algorithm by name. @retval HITOP_ERR_NOTFOUND  the message lists the valid names */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_coll_type_find(const char *name, const struct hitop_coll_type **out, struct hitop_diag *diag);

HITOP_END_DECLS

#endif /* HITOP_SYS_COLL_H */

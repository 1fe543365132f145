/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FINDING_H
#define FINDING_H

/**
 * @file finding.h
 * @brief A result of a measurement whose samples are not kept.
 *
 * A run that continues uses a finding as it is, and does not measure it again.
 */

#include "models/fit/eager.h"

enum hitop_finding_kind {
    HITOP_FOUND_EAGER,      /**< the largest message that a link sends eagerly */
    HITOP_FOUND_SCATTER,    /**< the time of linear scatter at a size */
    HITOP_FOUND_GATHER,     /**< the time of linear gather at a size */
    HITOP_FOUND_ESCALATION, /**< the mean time of linear gather at a size of the search for
                               escalation */
    HITOP_NFINDINGS
};

struct hitop_finding {
    enum hitop_finding_kind kind;
    int link;                 /**< HITOP_FOUND_EAGER: index among the links */
    struct hitop_eager eager; /**< HITOP_FOUND_EAGER: the limit */
    struct hitop_point point; /**< all other kinds: size and time */
};

#endif /* FINDING_H */

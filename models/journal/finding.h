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
    HITOP_FOUND_GATHER,     /**< the same of linear gather */
    HITOP_FOUND_ESCALATION, /**< the mean of linear gather, in a search for where it escalates */
    HITOP_NFINDINGS
};

struct hitop_finding {
    enum hitop_finding_kind kind;
    int link;                 /**< of an eager limit: index among the links */
    struct hitop_eager eager; /**< which was found */
    struct hitop_point point; /**< of all other kinds */
};

#endif /* FINDING_H */

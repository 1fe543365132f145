/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_EXPERIMENT_H
#define HITOP_EXPERIMENT_H

/**
 * @file experiment.h
 * @brief What is timed between two or three ranks.
 */

#include "hitop/status.h"

HITOP_BEGIN_DECLS

/** Each at a size of m bytes; the first rank has the clock. */
enum hitop_experiment {
    HITOP_ECHO,         /**< m out, m back: half the round trip */
    HITOP_REPLY,        /**< m out, nothing back: the whole round trip */
    HITOP_GAP,          /**< what each further message of a train takes */
    HITOP_SEND_CALL,    /**< how long the first rank is in a send */
    HITOP_RECEIVE_CALL, /**< how long it is in a receive of a message that had arrived before */
    HITOP_FAN, /**< m out to a second and a third rank, nothing back: all of it; last to the one that answers
                     later alone, whose answer is received first */
    HITOP_REPLY_THIRD, /**< HITOP_REPLY of the third rank */
    HITOP_NEXPERIMENTS
};

/** A set of experiments, e.g. HITOP_SET(HITOP_ECHO) | HITOP_SET(HITOP_GAP). */
#define HITOP_SET(experiment) (1u << (experiment))

/**
 * Short name for tables: "echo", "reply", "gap", "send", "receive", "fan", "reply-third"; NULL of
 * no experiment.
 */
HITOP_API const char *hitop_experiment_name(enum hitop_experiment experiment);

/**
 * The experiment of that name.
 *
 * @retval HITOP_ERR_NOTFOUND  there is none; the message lists all
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_experiment_find(const char *name, enum hitop_experiment *out, struct hitop_diag *diag);

/** A series of samples of one experiment. */
struct hitop_series {
    enum hitop_experiment what;
    int from, to;
    int third;    /**< of HITOP_FAN: the other receiver */
    size_t bytes; /**< m */
    int batch; /**< ECHO, both REPLYs, FAN: repetitions between two readings of the clock, the sample being
                       their mean; GAP: messages of the train, at least 2; else 1 */
    double delay; /**< RECEIVE_CALL: seconds from the request to the receive, so that the message is
                       there */
    int count;    /**< samples */
};

HITOP_END_DECLS

#endif /* HITOP_EXPERIMENT_H */

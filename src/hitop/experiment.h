/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_EXPERIMENT_H
#define HITOP_EXPERIMENT_H

/**
 * @file experiment.h
 * @brief Experiments that measure times between two or three ranks.
 */

#include "hitop/status.h"

HITOP_BEGIN_DECLS

/** Each uses a size of m bytes and the clock of the first rank. */
enum hitop_experiment {
    HITOP_ECHO,         /**< m bytes out, m bytes back: half of the round trip */
    HITOP_REPLY,        /**< m bytes out, an empty message back: the whole round trip */
    HITOP_GAP,          /**< time of each further message of a train */
    HITOP_SEND_CALL,    /**< duration of a send on the first rank */
    HITOP_RECEIVE_CALL, /**< duration of a receive there, of a message that has arrived before */
    /**
     * m bytes to a second and a third rank, an empty message back from each: the whole time. The
     * rank that replies later alone is served last, and its reply is received first.
     */
    HITOP_FAN,
    HITOP_REPLY_THIRD, /**< HITOP_REPLY with the third rank */
    HITOP_NEXPERIMENTS
};

/** A set of experiments, e.g. HITOP_SET(HITOP_ECHO) | HITOP_SET(HITOP_GAP). */
#define HITOP_SET(experiment) (1u << (experiment))

/**
 * Short name for tables: "echo", "reply", "gap", "send", "receive", "fan", "reply-third"; NULL if
 * @p experiment is not valid.
 */
HITOP_API const char *hitop_experiment_name(enum hitop_experiment experiment);

/**
 * Find an experiment by name.
 *
 * @retval HITOP_ERR_NOTFOUND  no such experiment; the message lists all
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_experiment_find(const char *name, enum hitop_experiment *out, struct hitop_diag *diag);

/** A series of samples of one experiment. */
struct hitop_series {
    enum hitop_experiment what;
    int from, to;
    int third;    /**< for HITOP_FAN: the other receiver */
    size_t bytes; /**< m */
    /**
     * ECHO, REPLY, REPLY_THIRD, FAN: repetitions between two readings of the clock; the sample is
     * their mean. GAP: messages of the train, at least 2. Else 1.
     */
    int batch;
    double delay; /**< RECEIVE_CALL: seconds from request to receive, for the arrival */
    int count;    /**< samples */
};

HITOP_END_DECLS

#endif /* HITOP_EXPERIMENT_H */

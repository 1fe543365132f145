/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CLOCK_H
#define CLOCK_H

/**
 * @file clock.h
 * @brief The relation between the clocks of two processes.
 *
 * Two clocks differ by an offset, and the offset grows because they do not run equally fast. An
 * offset is bounded by exchanging messages; a straight line through offsets that were taken over
 * some time contains the drift as well, and so predicts the other clock at any later moment. The
 * span of the offsets matters more than their number: the error of a prediction falls with the
 * span.
 *
 * All times are in seconds; an offset is the other clock minus this one, to be added to a local
 * time.
 *
 * @code
 * status = hitop_clock_offset(exchanges, 30, &offsets[i], &diag);   // at several moments
 * status = hitop_clock_line_fit(offsets, n, &line, &diag);
 * other = hitop_clock_line_apply(&line, local);
 * @endcode
 */

#include "hitop/status.h"

/** A clock that can be read. */
struct hitop_clock {
    double (*now)(void *self); /**< seconds since some moment in the past; never goes back */
    void *self;
};

/**
 * The operating system's clock since its start. All processes of a host read the same value, and
 * corrections of the time of day do not change it. A simulation cannot use it: it does not follow
 * simulated time.
 */
struct hitop_clock hitop_clock_monotonic(void);

/** A message to the process with the other clock, and its answer. */
struct hitop_clock_exchange {
    double sent;     /**< this clock, before the message left */
    double stamp;    /**< the other clock, while the message was there */
    double received; /**< this clock, after the answer arrived */
};

/** An offset from some exchanges. */
struct hitop_clock_offset {
    double at;     /**< moment, by this clock, for which it holds */
    double offset; /**< the other clock minus this one */
    double error; /**< bound of the error, whatever delayed the messages; half a quick round trip */
};

/**
 * Bound an offset: a message cannot arrive before it was sent, so each exchange bounds it from both
 * sides. The offset is the middle of the tightest lower and the tightest upper bound, which may
 * come from two exchanges. This cancels delays that vary; a constant difference between the two
 * directions remains.
 *
 * @param n  number of exchanges; taken within a time in which drift does not matter
 * @retval HITOP_ERR_INVALID  no exchange, a reply before its message, or a time that is not finite
 */
HITOP_MUST_CHECK enum hitop_status hitop_clock_offset(const struct hitop_clock_exchange *exchanges,
                                                      int n, struct hitop_clock_offset *out,
                                                      struct hitop_diag *diag);

/**
 * The mean of many exchanges, for clocks whose difference is smaller than their steps and than the
 * latency of messages: the middle of one exchange is off by some steps to either side. Only the
 * faster half of the exchanges counts.
 *
 * @param exchanges  sorted on return; taken within a time in which drift does not matter
 * @param out        its error is half of the slowest round trip in the faster half
 * @retval HITOP_ERR_INVALID  as hitop_clock_offset()
 */
HITOP_MUST_CHECK enum hitop_status hitop_clock_offset_mean(struct hitop_clock_exchange *exchanges,
                                                           int n, struct hitop_clock_offset *out,
                                                           struct hitop_diag *diag);

/**
 * Map from this clock to another one: other = local + offset + drift (local - at). All 0: the same
 * clock.
 */
struct hitop_clock_line {
    double at;     /**< moment of this clock at which the offset is the one below */
    double offset; /**< the other clock minus this one */
    double drift;  /**< by how much the other clock is faster, in seconds per second */
};

/**
 * Line of least squares through offsets, those with narrow bounds counting more.
 *
 * @param offsets  as hitop_clock_offset() returns them
 * @param n        at least 3
 * @retval HITOP_ERR_INVALID  all offsets are of one moment, or the drift is more than a half
 */
HITOP_MUST_CHECK enum hitop_status hitop_clock_line_fit(const struct hitop_clock_offset *offsets,
                                                        int n, struct hitop_clock_line *out,
                                                        struct hitop_diag *diag);

/** What the other clock shows when this one shows @p local. */
double hitop_clock_line_apply(const struct hitop_clock_line *line, double local);

/** What this clock shows when the other one shows @p other. */
double hitop_clock_line_invert(const struct hitop_clock_line *line, double other);

/** From a first clock to a third one, by @p first to a second clock and by @p second from there. */
struct hitop_clock_line hitop_clock_line_chain(const struct hitop_clock_line *first,
                                               const struct hitop_clock_line *second);

#endif /* CLOCK_H */

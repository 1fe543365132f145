/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FAKE_CLOCK_H
#define FAKE_CLOCK_H

/* fake_clock.h - a clock that is wrong in a known way. */

#include "models/clock/clock.h"

struct fake_clock {
    double (*truth)(void); /* the right time, one for all ranks */
    double offset, drift;  /* shows offset + (1 + drift) truth */
    double kink_at, kink;  /* runs faster by the kink from some moment on */
    double step;           /* is seen in such steps; 0: exactly */
};

/* What it would show without steps when the right time is truth. */
double fake_clock_at(const struct fake_clock *fake, double truth);

/* To be read by others; lends the fake. */
struct hitop_clock fake_clock(struct fake_clock *fake);

#endif /* FAKE_CLOCK_H */

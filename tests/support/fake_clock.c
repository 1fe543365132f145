/* SPDX-License-Identifier: BSD-3-Clause */
/* fake_clock.c - a clock that is wrong in a known way. */
#include <config.h>

#include "tests/support/fake_clock.h"

#include <math.h>

double fake_clock_at(const struct fake_clock *fake, double truth)
{
    return fake->offset + (1 + fake->drift) * truth +
           (truth > fake->kink_at ? fake->kink * (truth - fake->kink_at) : 0);
}

static double now(void *self)
{
    const struct fake_clock *fake = self;
    const double t = fake_clock_at(fake, fake->truth());

    return fake->step > 0 ? fake->step * floor(t / fake->step) : t;
}

struct hitop_clock fake_clock(struct fake_clock *fake)
{
    return (struct hitop_clock){now, fake};
}

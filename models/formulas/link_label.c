/* SPDX-License-Identifier: BSD-3-Clause */
/* link_label.c - latency and bandwidth of a link as a short text. */
#include <config.h>

#include "models/formulas/link_label.h"

#include "hitop/text.h"

#include <stdio.h>

void hitop_link_label(double latency, double seconds_per_byte, char *out, size_t length)
{
    char time[32], rate[32];

    hitop_text_format_seconds(latency, time, sizeof(time));
    if (seconds_per_byte > 0) {
        hitop_text_format_rate(1 / seconds_per_byte, rate, sizeof(rate));
        (void)snprintf(out, length, "%s, %s", time, rate);
    } else {
        (void)snprintf(out, length, "%s", time);
    }
}

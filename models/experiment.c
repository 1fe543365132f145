/* SPDX-License-Identifier: BSD-3-Clause */
/* experiment.c - what experiments are called. */
#include <config.h>

#include "hitop/experiment.h"

const char *hitop_experiment_name(enum hitop_experiment experiment)
{
    static const char *const names[] = {
        [HITOP_ECHO] = "echo",      [HITOP_REPLY] = "reply",          [HITOP_GAP] = "gap",
        [HITOP_SEND_CALL] = "send", [HITOP_RECEIVE_CALL] = "receive", [HITOP_FAN] = "fan",
    };

    return names[experiment];
}

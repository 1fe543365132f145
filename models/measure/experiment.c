/* SPDX-License-Identifier: BSD-3-Clause */
/* experiment.c - the names of experiments. */
#include <config.h>

#include "hitop/experiment.h"
#include "hitop/text.h"

#include <string.h>

static const char *const names[] = {
    [HITOP_ECHO] = "echo",
    [HITOP_REPLY] = "reply",
    [HITOP_GAP] = "gap",
    [HITOP_SEND_CALL] = "send",
    [HITOP_RECEIVE_CALL] = "receive",
    [HITOP_FAN] = "fan",
    [HITOP_REPLY_THIRD] = "reply-third",
};

enum { NNAMES = sizeof(names) / sizeof(names[0]) };

const char *hitop_experiment_name(enum hitop_experiment experiment)
{
    return (unsigned int)experiment < NNAMES ? names[experiment] : NULL;
}

enum hitop_status hitop_experiment_find(const char *name, enum hitop_experiment *out,
                                        struct hitop_diag *diag)
{
    char valid[128] = "";

    for (int i = 0; i < NNAMES; i++) {
        if (strcmp(names[i], name) == 0) {
            *out = (enum hitop_experiment)i;
            return HITOP_OK;
        }
        hitop_text_list_name(valid, sizeof(valid), names[i]);
    }
    return hitop_fail(diag, HITOP_ERR_NOTFOUND, "'%.60s' is no experiment; there are %s", name,
                      valid);
}

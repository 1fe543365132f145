/* SPDX-License-Identifier: BSD-3-Clause */
/* signals.c - see signals.h. */
#include <config.h>

#include "tools/common/signals.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t caught;

static void note(int signal_number)
{
    caught = signal_number;
}

/*
 * Each SIGUSR1 is caught, because a launcher may forward it several times. Ignored signals stay
 * ignored, as in the background of a shell.
 */
void signals_catch(void)
{
    static const int signals[] = {SIGTERM, SIGINT, SIGUSR1};

    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
        struct sigaction now, before;
        now = (struct sigaction){.sa_handler = note, .sa_flags = SA_RESTART};
        (void)sigemptyset(&now.sa_mask);
        if (signals[i] != SIGUSR1) {
            now.sa_flags |= (int)SA_RESETHAND;
        }
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
            (void)sigaction(signals[i], &now, NULL);
        }
    }
}

const char *signals_caught(void)
{
    switch (caught) {
    case 0:
        return NULL;
    case SIGINT:
        return "SIGINT";
    case SIGTERM:
        return "SIGTERM";
    default:
        return "SIGUSR1";
    }
}

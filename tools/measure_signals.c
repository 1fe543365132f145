/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_signals.c - signals that end a measurement in good order. */
#include <config.h>

#include "measure_run.h"

#include <signal.h>

static volatile sig_atomic_t caught;

static void note(int signal_number)
{
    caught = signal_number;
}

/* A second SIGINT or SIGTERM kills; SIGUSR1 may come as often as a launcher forwards it. What is ignored
 * stays so, as in the background of a shell. */
void measure_signals_catch(void)
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

int measure_signals_caught(void)
{
    return caught;
}

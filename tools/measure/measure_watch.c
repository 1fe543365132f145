/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measure_watch.c - a measurement that hangs ends with a message.
 *
 * Idea:  all processes agree after each step, so a timer that is wound up after each agreement rings only when
 *        some process does not come to one. A message that waits for a dead process cannot be taken back, so
 *        there is nothing to do but to say it and to leave. The text is ready before the timer is.
 */
#include <config.h>

#include "tools/measure/measure.h"

#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

/* Nobody knows how long the first wave takes: so many messages of each size on a slow network. */
static const double first_messages = 32, slow_message = 1e-3, slow_byte = 1e-7;

enum { TOLD_LINKS = 4 };

static struct {
    enum hitop_status (*agree)(void *, double *, int, struct hitop_diag *);
    const struct measure_run *run;
    const struct measure_part *part;
    double patience; /* seconds, at least; 0: nobody watches */
    double first;    /* of waves whose time is not known */
    char text[1024];
    size_t length;
} watch;

static void leave(int signal_number)
{
    (void)signal_number;
    (void)!write(STDERR_FILENO, watch.text, watch.length);
    _exit(TOOL_FAILED);
}

static void wind(double seconds)
{
    const struct itimerval when = {
        .it_value = {.tv_sec = (time_t)seconds,
                     .tv_usec = (suseconds_t)(1e6 * (seconds - floor(seconds)))}};

    (void)setitimer(ITIMER_REAL, &when, NULL);
}

/* What will be said after so many seconds of silence. */
static void prepare(double seconds, const char *what)
{
    const char *journal = watch.run->request->run.journal;
    const int n =
        snprintf(watch.text, sizeof(watch.text),
                 "%s: nothing has happened for %.3g s while %s; a rank may hang, so this "
                 "run ends%s%.300s%s\n",
                 watch.run->tool->name, seconds, what, journal ? "; go on with --journal " : "",
                 journal ? journal : "", journal ? " --resume" : "");

    watch.length = n < 0 ? 0 : (size_t)n < sizeof(watch.text) ? (size_t)n : sizeof(watch.text) - 1;
}

static void wait_for(double expected, const char *what)
{
    const double seconds = fmax(watch.patience, 10 * (expected > 0 ? expected : watch.first));

    wind(0); /* the text is not to be read while it changes */
    prepare(seconds, what);
    wind(seconds);
}

static enum hitop_status agree(void *self, double *values, int n, struct hitop_diag *diag)
{
    const enum hitop_status status = watch.agree(self, values, n, diag);

    if (watch.patience > 0) {
        wait_for(0,
                 "ranks tested which links can be measured at once, or told each other of results");
    }
    return status;
}

/* Seconds of one visit to all sizes on a slow network. */
static double guess_first(const struct hitop_measure_options *o)
{
    double seconds = 0;

    for (int e = 0; e < HITOP_NEXPERIMENTS; e++) {
        for (int i = 0; i < hitop_measure_nsizes(o, (enum hitop_experiment)e); i++) {
            seconds += first_messages * (slow_message + slow_byte * (double)o->sizes[i]);
        }
    }
    return seconds;
}

void measure_watch_begin(const struct measure_run *run, const struct measure_part *part,
                         struct hitop_transport *transport)
{
    struct sigaction action = {.sa_handler = leave};

    watch.patience = 0;
    if (!run->is_watched || !(run->request->run.watchdog > 0) || transport->rank != 0) {
        return;
    }
    watch.agree = transport->agree;
    watch.run = run;
    watch.part = part;
    watch.patience = run->request->run.watchdog;
    watch.first = guess_first(&part->options);
    transport->agree = agree;
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGALRM, &action, NULL);
    wait_for(0, "the measurement was prepared");
}

void measure_watch_wave(const struct hitop_progress *p)
{
    char what[256] = "ranks told each other of results";
    size_t used = 0;

    if (!(watch.patience > 0)) {
        return;
    }
    for (int i = 0; i < p->nlinks && i < TOLD_LINKS; i++) {
        const int *rank = watch.part->links[p->first + i * p->step].rank;
        used += (size_t)snprintf(what + used, sizeof(what) - used, "%s%d-%d",
                                 i == 0 ? "measuring between ranks " : ", ", rank[0], rank[1]);
    }
    if (p->nlinks > TOLD_LINKS) {
        (void)snprintf(what + used, sizeof(what) - used, " and on %d more links",
                       p->nlinks - TOLD_LINKS);
    }
    wait_for(p->nlinks > 0 ? p->expected : 0, what);
}

void measure_watch_end(void)
{
    if (watch.patience > 0) {
        wind(0);
        watch.patience = 0;
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measure_watch.c - progress, signals and a watchdog of a campaign.
 *
 * Idea:  all processes agree after each step. A timer is restarted after each agreement, so that it
 *        expires only if some process does not agree. A process cannot cancel a message to a dead
 *        process, so the handler prints a message that is ready before the timer starts, and exits.
 */
#include <config.h>

#include "tools/common/progress.h"
#include "tools/common/signals.h"
#include "tools/measure/measure.h"

#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

/*
 * The time of the first concurrent batch is unknown; assume this many messages of each size on a
 * slow network.
 */
static const double first_messages = 32, slow_message = 1e-3, slow_byte = 1e-7;

enum { NAMED_LINKS = 4 };

static struct {
    enum hitop_status (*agree)(void *, double *, int, struct hitop_diag *); /* NULL: no watchdog */
    const struct hitop_campaign_part *part; /* NULL: no phase is in progress */
    double first;                           /* seconds for concurrent batches of unknown time */
    const struct measure_run *run;
    char text[1024];
    size_t length;
} watch;

static int is_line_open;

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

/* Prepare the message of the watchdog. */
static void prepare(double seconds, const char *what)
{
    const char *journal = watch.run->request->journal;
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
    const double seconds =
        fmax(watch.run->request->watchdog, 10 * (expected > 0 ? expected : watch.first));

    wind(0); /* no signal while the text changes */
    prepare(seconds, what);
    wind(seconds);
}

static enum hitop_status agree(void *self, double *values, int n, struct hitop_diag *diag)
{
    const enum hitop_status status = watch.agree(self, values, n, diag);

    if (watch.part) {
        wait_for(0, "ranks tested which links can be measured at once, or exchanged results");
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

static void watch_batch(const struct hitop_progress *p)
{
    char what[256] = "ranks exchanged results";
    size_t used = 0;

    for (int i = 0; i < p->nlinks && i < NAMED_LINKS; i++) {
        const int *rank = watch.part->links[p->first + i * p->step].rank;
        used += (size_t)snprintf(what + used, sizeof(what) - used, "%s%d-%d",
                                 i == 0 ? "measuring between ranks " : ", ", rank[0], rank[1]);
    }
    if (p->nlinks > NAMED_LINKS) {
        (void)snprintf(what + used, sizeof(what) - used, " and on %d more link%s",
                       p->nlinks - NAMED_LINKS, p->nlinks - NAMED_LINKS == 1 ? "" : "s");
    }
    wait_for(p->nlinks > 0 ? p->expected : 0, what);
}

/*
 * Seconds until the end of the campaign: the rest of the budget or of the time limit, or fewer if
 * medians settle as fast as before.
 */
static double guess_rest(const struct measure_run *run, const struct hitop_progress *p)
{
    const struct hitop_measure_options *o = &run->request->campaign.options;
    const double gone = run->c.elapsed + p->elapsed;
    double rest = fmax(o->budget - gone, 0) + p->left;

    if (o->time_limit > 0) {
        rest = fmin(rest, fmax(o->time_limit - gone, 0));
    }
    if (p->finished > 0) {
        rest = fmin(rest, p->left + p->elapsed * (p->njobs - p->finished) / p->finished);
    }
    return rest;
}

/* Print a line to standard error at intervals; on a terminal it replaces the line before. */
static void show(const struct measure_run *run, const struct hitop_progress *p)
{
    const struct tool *tool = run->tool;
    char line[256], now[96] = "", medians[64] = "";

    if (tool->quiet || run->request->quiet || !progress_is_due(run->request->progress)) {
        return;
    }
    if (p->njobs > 0) {
        (void)snprintf(medians, sizeof(medians), "%d of %d medians settled, widest +-%.0f %%; ",
                       p->finished, p->njobs, 100 * p->worst);
    }
    if (p->nlinks > 0) {
        (void)snprintf(now, sizeof(now), "pass %d, batch %d of %d, %d link%s at once; ",
                       p->block + 1, p->batch + 1, p->nbatches, p->nlinks,
                       p->nlinks == 1 ? "" : "s");
    } else if (p->nbatches > 0) {
        (void)snprintf(now, sizeof(now), "pass %d has ended; ", p->block + 1);
    }
    (void)snprintf(line, sizeof(line), "%s%s%.0f s gone, %.0f s to go", now, medians,
                   run->c.elapsed + p->elapsed, guess_rest(run, p));
    if (isatty(STDERR_FILENO)) {
        fprintf(stderr, "\r%s: %s\033[K", tool->name, line);
        is_line_open = 1;
    } else {
        tool_error(tool, "%s", line);
    }
}

static void note_progress(void *data, const struct hitop_progress *p)
{
    if (watch.agree) {
        watch_batch(p);
    }
    if (p->nbatches > 0 || p->nlinks == 0) {
        show(data, p);
    }
}

static void note_phase(void *data, const struct hitop_campaign_part *part)
{
    (void)data;
    if (watch.agree) {
        watch.part = part;
        if (part) {
            watch.first = guess_first(&part->options);
            wait_for(0, "the measurement was prepared");
        } else {
            wind(0);
        }
    }
    if (!part && is_line_open) {
        fputs("\r\033[K", stderr);
        is_line_open = 0;
    }
}

static int is_interrupted(void *data)
{
    (void)data;
    return signals_caught() != NULL;
}

void measure_report_to_terminal(struct measure_run *run)
{
    struct hitop_campaign_request *r = &run->request->campaign;

    r->options.interrupted = is_interrupted;
    r->options.progress = note_progress;
    r->options.progress_data = run;
    r->phase = note_phase;
}

void measure_watch(struct measure_run *run, struct hitop_transport *transport)
{
    struct sigaction action = {.sa_handler = leave};

    if (run->is_watched && run->request->watchdog > 0 && transport->rank == 0) {
        watch.agree = transport->agree;
        watch.run = run;
        transport->agree = agree;
        (void)sigemptyset(&action.sa_mask);
        (void)sigaction(SIGALRM, &action, NULL);
    }
}

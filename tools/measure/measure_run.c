/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_run.c - the parts of a measurement, one after the other, until they are known or it has to end. */
#include <config.h>

#include "tools/common/signals.h"
#include "tools/measure/measure.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void measure_run_init(struct measure_run *run, const struct tool *tool,
                      const struct measure_request *request)
{
    *run = (struct measure_run){.tool = tool, .request = request};
}

int measure_run_interrupted(void *data)
{
    (void)data;
    return signals_caught() != NULL;
}

static void note_progress(void *data, const struct hitop_progress *progress)
{
    const struct measure_run *run = data;

    measure_watch_wave(progress);
    measure_progress_show(run, progress);
}

enum hitop_status measure_run_agree(const struct hitop_transport *t, struct measure_run *run,
                                    struct hitop_diag *diag)
{
    const double limit = run->request->run.time_limit;
    double values[2];
    enum hitop_status status;

    if (!run->has_begun) {
        run->has_begun = 1;
        run->start = t->now(t->self);
        signals_catch();
    }
    values[0] = run->was_interrupted || measure_run_interrupted(NULL);
    values[1] = t->now(t->self) - run->start;
    status = t->agree(t->self, values, 2, diag);
    run->elapsed = values[1];
    run->was_interrupted = values[0] > 0 || (limit > 0 && run->elapsed >= limit);
    return status;
}

/* What the parts so far have brought, at the rank that knows it. */
static void count_unsettled(struct measure_run *run, const struct hitop_measurement *m)
{
    if (m->was_interrupted) { /* not for want of budget */
        run->nunsettled += m->nleft_out;
        run->njobs += m->nleft_out;
    } else {
        run->nleft_out += m->nleft_out;
    }
    for (int i = 0; m->curves && i < m->nlinks * HITOP_NEXPERIMENTS; i++) {
        for (size_t k = 0; k < m->curves[i].npoints; k++) {
            run->nunsettled += !m->curves[i].points[k].converged;
            run->njobs++;
        }
    }
}

enum hitop_status measure_run_part(const struct hitop_transport *transport, struct measure_run *run,
                                   struct measure_part *part, struct hitop_diag *diag)
{
    const double limit = run->request->run.time_limit;
    struct hitop_measure_options options = part->options;
    struct hitop_transport watched = *transport;
    enum hitop_status status = measure_run_agree(transport, run, diag);

    if (status != HITOP_OK) {
        return status;
    }
    if (run->was_interrupted) {
        part->measurement = (struct hitop_measurement){.was_interrupted = 1};
        return HITOP_OK;
    }
    options.budget = measure_run_share(run, options.part);
    options.time_limit = limit > 0 ? limit - run->elapsed : 0;
    options.interrupted = measure_run_interrupted;
    options.progress = note_progress;
    options.progress_data = run;
    measure_journal_join(run, &options);
    measure_watch_begin(run, part, &watched);
    status = hitop_measure(&watched, part->links, part->nlinks, &options, &part->measurement, diag);
    measure_watch_end();
    measure_progress_end();
    run->was_interrupted = part->measurement.was_interrupted;
    count_unsettled(run, &part->measurement);
    return status;
}

/* What ended it, as far as this rank knows. */
static void name_cause(const struct measure_run *run, char *out, size_t length)
{
    const char *caught = signals_caught();

    if (caught) {
        (void)snprintf(out, length, "%s", caught);
    } else if (run->request->run.time_limit > 0) {
        (void)snprintf(out, length, "the time limit of %g s", run->request->run.time_limit);
    } else {
        (void)snprintf(out, length, "a signal");
    }
}

/* How to go on. */
static void name_remedy(const struct measure_run *run, char *out, size_t length)
{
    const char *journal = run->request->run.journal;

    if (journal) {
        (void)snprintf(out, length, "go on with --journal %.300s --resume", journal);
    } else {
        (void)snprintf(out, length, "with --journal FILE it could go on from here");
    }
}

int measure_run_is_complete(struct measure_result *result)
{
    struct measure_run *run = &result->run;
    char cause[64], remedy[400];

    if (result->pairs.nlinks > 0 && !result->pairs.measurement.is_complete) {
        run->is_unverified = 1;
        result->pairs.nlinks = 0;
    }
    if (result->links.measurement.is_complete &&
        (result->triples.nlinks == 0 || result->triples.measurement.is_complete)) {
        return 1;
    }
    name_cause(run, cause, sizeof(cause));
    name_remedy(run, remedy, sizeof(remedy));
    tool_error(run->tool, "%s ended the measurement before every size had samples: no model; %s",
               cause, remedy);
    return 0;
}

void measure_run_end(const struct hitop_transport *t, struct measure_run *run)
{
    run->seconds = run->has_begun ? t->now(t->self) - run->start : 0;
}

int measure_run_is_early(const struct measure_run *run)
{
    return run->is_unverified || (run->was_interrupted && run->nunsettled > 0);
}

void measure_run_doubt(struct measure_run *run, const char *fmt, ...)
{
    const size_t used = strlen(run->doubts), room = sizeof(run->doubts) - used;
    const char *before = used > 0 ? "; " : "";
    va_list args;

    if (room > sizeof("; ")) {
        memcpy(run->doubts + used, before, strlen(before) + 1);
        va_start(args, fmt);
        (void)vsnprintf(run->doubts + used + strlen(before), room - strlen(before), fmt, args);
        va_end(args);
    }
}

int measure_run_conclude(const struct measure_run *run)
{
    if (run->doubts[0] == '\0') {
        return TOOL_DONE;
    }
    tool_error(run->tool, "%s", run->doubts);
    return run->request->strict ? TOOL_UNTRUSTED : TOOL_DONE;
}

int measure_run_ended_early(struct measure_run *run)
{
    char cause[64], remedy[400];

    if (!measure_run_is_early(run)) {
        return 0;
    }
    name_cause(run, cause, sizeof(cause));
    name_remedy(run, remedy, sizeof(remedy));
    measure_run_doubt(run, "%s ended the measurement %swith %d of %d medians not settled; %s",
                      cause, run->is_unverified ? "before groups were verified, " : "",
                      run->nunsettled, run->njobs, remedy);
    return 1;
}

enum hitop_status measure_agree(const struct hitop_transport *transport, enum hitop_status own,
                                struct hitop_diag *diag)
{
    double failed = own != HITOP_OK;
    const enum hitop_status status =
        transport->agree(transport->self, &failed, 1, own == HITOP_OK ? diag : NULL);

    if (own != HITOP_OK || status != HITOP_OK) {
        return own != HITOP_OK ? own : status;
    }
    return failed > 0 ? hitop_fail(diag, HITOP_ERR_MPI, "another rank reports a failure")
                      : HITOP_OK;
}

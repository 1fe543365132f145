/* SPDX-License-Identifier: BSD-3-Clause */
/* discover_search.c - requests, tasks and messages of the parts of a search. */
#include <config.h>

#include "models/discover/discover_impl.h"

#include "src/grow.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void hitop_search_warn(struct search *s, const char *fmt, ...)
{
    char message[512];
    va_list args;

    if (s->options->warn) {
        va_start(args, fmt);
        (void)vsnprintf(message, sizeof(message), fmt, args);
        va_end(args);
        s->options->warn(s->options->data, message);
    }
}

const char *hitop_search_name(const struct search *s, int host, char *number, size_t length)
{
    if (s->options->host) {
        return s->options->host[host];
    }
    (void)snprintf(number, length, "host %d", host);
    return number;
}

void hitop_search_report_outlier(struct search *s, int a, int b, double x, double expected)
{
    char first[32], second[32];

    s->nodd++;
    hitop_search_warn(s, "from %s to %s it takes %.3g us where %.3g us were expected",
                      hitop_search_name(s, a, first, sizeof(first)),
                      hitop_search_name(s, b, second, sizeof(second)), 1e6 * exp(x),
                      1e6 * exp(expected));
}

void hitop_search_request(struct search *s, int a, int b, double half_width)
{
    if (s->is_exhausted) {
        return;
    }
    if (!HITOP_GROW(s->request, s->nrequests, s->max_requests)) {
        s->out_of_memory = 1;
        return;
    }
    s->request[s->nrequests++] = (struct pair_request){a, b, half_width};
}

double hitop_search_first_width(const struct search *s)
{
    return fmin(0.2, 0.5 * s->step);
}

void hitop_search_free_task(struct task *t)
{
    if (t) {
        free(t->latency);
        free(t->via);
        free(t->unit);
        free(t);
    }
}

struct task *hitop_search_add_task(struct search *s, int room, int into, int known)
{
    struct task *t = calloc(1, sizeof(*t));

    if (t) {
        t->unit = calloc((size_t)room, sizeof(*t->unit));
        t->via = calloc((size_t)room, sizeof(*t->via));
        t->latency = calloc((size_t)room, sizeof(*t->latency));
    }
    if (!t || !t->unit || !t->via || !t->latency || !HITOP_GROW(s->task, s->ntasks, s->max_tasks)) {
        hitop_search_free_task(t);
        s->out_of_memory = 1;
        return NULL;
    }
    for (int i = 0; i < room; i++) {
        t->via[i] = -1;
    }
    t->into = into;
    t->known = known;
    s->state[known].running++;
    s->task[s->ntasks++] = t;
    return t;
}

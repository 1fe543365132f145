/* SPDX-License-Identifier: BSD-3-Clause */
/* discover_search.c - what the parts of a search ask for and say. */
#include <config.h>

#include "models/discover/discover_impl.h"

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

void hitop_search_odd(struct search *s, int a, int b, double x, double expected)
{
    char first[32], second[32];

    s->nodd++;
    hitop_search_warn(s, "from %s to %s it takes %.3g us where %.3g us were expected",
                      hitop_search_name(s, a, first, sizeof(first)),
                      hitop_search_name(s, b, second, sizeof(second)), 1e6 * exp(x),
                      1e6 * exp(expected));
}

void hitop_search_wish(struct search *s, int a, int b, double half_width)
{
    if (s->is_exhausted) {
        return;
    }
    if (s->nwishes == s->max_wishes) {
        const int max = s->max_wishes > 0 ? 2 * s->max_wishes : 64;
        struct wish *larger = reallocarray(s->wish, (size_t)max, sizeof(*larger));
        if (!larger) {
            s->out_of_memory = 1;
            return;
        }
        s->wish = larger;
        s->max_wishes = max;
    }
    s->wish[s->nwishes++] = (struct wish){a, b, half_width};
}

double hitop_search_first_width(const struct search *s)
{
    return fmin(0.2, 0.5 * s->step);
}

void hitop_search_free_task(struct task *t)
{
    if (t) {
        free(t->sight);
        free(t->via);
        free(t->unit);
        free(t);
    }
}

static struct task *new_task(const struct unit *unit, int n)
{
    struct task *t = calloc(1, sizeof(*t));

    if (!t) {
        return NULL;
    }
    t->n = n;
    t->unit = calloc((size_t)n, sizeof(*t->unit));
    t->via = calloc((size_t)n, sizeof(*t->via));
    t->sight = calloc((size_t)n, sizeof(*t->sight));
    if (!t->unit || !t->via || !t->sight) {
        hitop_search_free_task(t);
        return NULL;
    }
    for (int i = 0; i < n; i++) {
        t->unit[i] = unit[i];
        t->via[i] = -1;
    }
    return t;
}

void hitop_search_add_task(struct search *s, const struct unit *unit, int n, int into, int known)
{
    struct task *t;

    if (s->ntasks == s->max_tasks) {
        const int max = s->max_tasks > 0 ? 2 * s->max_tasks : 16;
        struct task **larger = reallocarray(s->task, (size_t)max, sizeof(*larger));
        if (!larger) {
            s->out_of_memory = 1;
            return;
        }
        s->task = larger;
        s->max_tasks = max;
    }
    t = new_task(unit, n);
    if (!t) {
        s->out_of_memory = 1;
        return;
    }
    t->into = into;
    t->known = known;
    s->state[known].running++;
    s->task[s->ntasks++] = t;
}

void hitop_search_add_late(struct search *s, const struct late *late)
{
    if (s->nlate == s->max_late) {
        const int max = s->max_late > 0 ? 2 * s->max_late : 16;
        struct late *larger = reallocarray(s->late, (size_t)max, sizeof(*larger));
        if (!larger) {
            s->out_of_memory = 1;
            return;
        }
        s->late = larger;
        s->max_late = max;
    }
    s->late[s->nlate++] = *late;
}

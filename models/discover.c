/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * discover.c - the search for groups of hosts as a whole.
 *
 * Idea:  known groups are searched from the innermost ones outwards; in the group around it, each is one
 *        unit for which one host speaks. All sets under search ask for measurements, which are made
 *        together, then all go on. Nothing but measured values and the seed decides.
 */
#include <config.h>

#include "discover_impl.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void hitop_discover_defaults(struct hitop_discover_options *options)
{
    *options = (struct hitop_discover_options){
        .step = 1.1, .budget = 60, .max_samples = 2000, .parallel = 1, .seed = 1};
}

void hitop_discovery_clear(struct hitop_discovery *discovery)
{
    hitop_host_groups_clear(&discovery->groups);
    *discovery = (struct hitop_discovery){.nopen = 0};
}

void search_warn(struct search *s, const char *fmt, ...)
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

const char *search_name(const struct search *s, int host, char *number, size_t length)
{
    if (s->options->host) {
        return s->options->host[host];
    }
    (void)snprintf(number, length, "host %d", host);
    return number;
}

void search_odd(struct search *s, int a, int b, double x, double expected)
{
    char first[32], second[32];

    s->nodd++;
    search_warn(s, "from %s to %s it takes %.3g us where %.3g us were expected",
                search_name(s, a, first, sizeof(first)), search_name(s, b, second, sizeof(second)),
                1e6 * exp(x), 1e6 * exp(expected));
}

void search_wish(struct search *s, int a, int b, double half_width)
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

static void free_task(struct task *t)
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
        free_task(t);
        return NULL;
    }
    for (int i = 0; i < n; i++) {
        t->unit[i] = unit[i];
        t->via[i] = -1;
    }
    return t;
}

void search_add_task(struct search *s, const struct unit *unit, int n, int into, int known)
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

void search_add_late(struct search *s, const struct late *late)
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

/* Join the group that is as far around the nearest host as this unit is; make one if there is none. */
static void place_late(struct search *s, const struct late *late)
{
    struct nest *nest = &s->nest;
    int group = nest->home[late->near], parent = nest->group[group].parent;

    while (parent >= 0 && nest->group[group].x < late->x - s->step &&
           !(nest->group[parent].x > late->x + s->step)) {
        group = parent;
        parent = nest->group[group].parent;
    }
    if (nest->group[group].x < late->x - s->step) {
        const int around = nest_add(nest, parent, late->unit.host, late->x, late->se);
        if (around < 0) {
            s->out_of_memory = 1;
            return;
        }
        nest->group[group].parent = around;
        if (parent < 0) {
            s->state[late->known].top = around;
        }
        group = around;
    }
    nest_place(nest, late->unit, group);
}

static int by_host(const void *a, const void *b)
{
    const struct unit *x = a, *y = b;

    return (x->host > y->host) - (x->host < y->host);
}

/* A known group whose members are all known: search it, or pass on its only member. */
static void begin_known(struct search *s, int known)
{
    struct known_state *k = &s->state[known];

    qsort(k->unit, (size_t)k->n, sizeof(*k->unit), by_host);
    if (k->n > 1) {
        search_add_task(s, k->unit, k->n, -1, known);
    }
}

/* A known group that is searched becomes a unit of the one around it. */
static void end_known(struct search *s, int known)
{
    const struct hitop_host_group *g = s->known ? &s->known->group[known] : NULL;
    struct known_state *k = &s->state[known];
    struct unit unit = {k->unit[0].host, -1};
    int left = 0;

    for (int i = s->nlate - 1; i >= 0; i--) {
        if (s->late[i].known == known) {
            place_late(s, &s->late[i]);
        }
    }
    for (int i = 0; i < s->nlate; i++) {
        if (s->late[i].known != known) {
            s->late[left++] = s->late[i];
        }
    }
    s->nlate = left;
    unit.group = k->top;
    if (k->n == 1) {
        unit = k->unit[0];
    } else if (g && g->is_fixed && k->top >= 0) {
        s->nest.group[k->top].is_fixed = 1;
    }
    k->running = -1;
    if (g && g->parent >= 0) {
        struct known_state *around = &s->state[g->parent];
        around->unit[around->n++] = unit;
        if (--around->waiting == 0) {
            begin_known(s, g->parent);
        }
    } else if (unit.group < 0) { /* one host only */
        const int root = nest_add(&s->nest, -1, unit.host, NAN, 0);
        s->out_of_memory = s->out_of_memory || root < 0;
        nest_place(&s->nest, unit, root);
    }
}

/* Groups whose searches are done; those around them come later in the order of indices downwards. */
static void end_searched(struct search *s)
{
    for (int i = s->known ? s->known->ngroups - 1 : 0; i >= 0 && !s->out_of_memory; i--) {
        if (s->state[i].waiting == 0 && s->state[i].running == 0) {
            end_known(s, i);
        }
    }
}

/* Room for the members of each known group. */
static int make_room(struct search *s, int nhosts)
{
    const int n = s->known ? s->known->ngroups : 1;

    s->state = calloc((size_t)n, sizeof(*s->state));
    for (int host = 0; host < nhosts && s->state; host++) {
        s->state[s->known ? s->known->home[host] : 0].n++;
    }
    for (int i = 1; i < n && s->state; i++) {
        s->state[s->known->group[i].parent].n++;
    }
    for (int i = 0; i < n && s->state; i++) {
        s->state[i].unit = calloc((size_t)s->state[i].n + 1, sizeof(struct unit));
        if (!s->state[i].unit) {
            return 0;
        }
        s->state[i].n = 0;
        s->state[i].top = -1;
    }
    return s->state != NULL;
}

static int begin(struct search *s, int nhosts)
{
    const int n = s->known ? s->known->ngroups : 1;

    if (!make_room(s, nhosts) || !nest_init(&s->nest, nhosts)) {
        return 0;
    }
    for (int host = 0; host < nhosts; host++) {
        struct known_state *k = &s->state[s->known ? s->known->home[host] : 0];
        k->unit[k->n++] = (struct unit){host, -1};
    }
    for (int i = 1; i < n; i++) {
        s->state[s->known->group[i].parent].waiting++;
    }
    for (int i = 0; i < n; i++) {
        if (s->state[i].waiting == 0) {
            begin_known(s, i);
        }
    }
    return !s->out_of_memory;
}

static void shuffle(struct search *s, gsl_rng *rng)
{
    if (s->nwishes > 1) {
        gsl_ran_shuffle(rng, s->wish, (size_t)s->nwishes, sizeof(*s->wish));
    }
}

/* Most pairs that may be measured. */
static double most_pairs(int nhosts)
{
    return 4.0 * nhosts * ceil(log2(fmax(nhosts, 2))) + nhosts;
}

/* Measure what was asked for, if time and number of pairs allow; half of the time is for what follows. */
static enum hitop_status measure(struct search *s, double start, struct hitop_diag *diag)
{
    const struct hitop_transport *t = s->crew.t;
    const double left = s->options->budget - (t->now(t->self) - start);
    enum hitop_status status;
    int fresh = 0;

    for (int i = 0; i < s->nwishes; i++) {
        fresh += latency_table_get(&s->table, s->wish[i].a, s->wish[i].b).visits == 0;
    }
    if (left <= 0 || s->table.npairs + fresh > most_pairs(t->nranks)) {
        s->is_exhausted = 1;
        s->nwishes = 0;
        return HITOP_OK;
    }
    status = crew_measure(&s->crew, s->wish, s->nwishes, 0.5 * left, &s->table, diag);
    s->nwishes = 0;
    return status;
}

static int forget_done(struct search *s)
{
    int left = 0;

    for (int i = 0; i < s->ntasks; i++) {
        if (s->task[i]->state == TASK_DONE) {
            s->state[s->task[i]->known].running--;
            free_task(s->task[i]);
        } else {
            s->task[left++] = s->task[i];
        }
    }
    s->ntasks = left;
    return left;
}

static enum hitop_status run(struct search *s, gsl_rng *rng, double start, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    end_searched(s);
    while (status == HITOP_OK && s->ntasks > 0 && !s->out_of_memory) {
        const int n = s->ntasks; /* tasks that are added meanwhile wait for the next turn */
        for (int i = 0; i < n; i++) {
            task_step(s, s->task[i]);
        }
        (void)forget_done(s);
        end_searched(s);
        if (s->nwishes > 0 && !s->out_of_memory) {
            shuffle(s, rng);
            status = measure(s, start, diag);
        }
    }
    if (s->nunsearched > 0) {
        s->nopen++;
        search_warn(s, "no measurements were left to search for groups among %d hosts",
                    s->nunsearched);
    }
    if (s->out_of_memory) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "groups: out of memory");
    }
    return status;
}

static enum hitop_status check(const struct hitop_transport *t,
                               const struct hitop_host_groups *known,
                               const struct hitop_discover_options *o, struct hitop_diag *diag)
{
    if (!(o->step > 1 && o->step <= 100) || !(o->budget > 0) || o->max_samples < 20) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "groups: need a step in (1, 100], a budget > 0 and at least 20 samples");
    }
    if (known && known->nhosts != t->nranks) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "groups: %d hosts are known, %d are to be measured", known->nhosts,
                          t->nranks);
    }
    return HITOP_OK;
}

static void search_clear(struct search *s)
{
    for (int i = 0; i < s->ntasks; i++) {
        free_task(s->task[i]);
    }
    for (int i = 0; s->state && i < (s->known ? s->known->ngroups : 1); i++) {
        free(s->state[i].unit);
    }
    free(s->state);
    free(s->task);
    free(s->late);
    free(s->wish);
    nest_clear(&s->nest);
    latency_table_clear(&s->table);
}

/* Rank 0's part. */
static enum hitop_status lead(struct search *s, struct hitop_discovery *out,
                              struct hitop_diag *diag)
{
    const struct hitop_transport *t = s->crew.t;
    const double start = t->now(t->self);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double share = 1;
    enum hitop_status status = HITOP_OK;

    if (!rng || !begin(s, t->nranks)) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "groups: out of memory");
        goto out;
    }
    gsl_rng_set(rng, (unsigned long)s->options->seed);
    status = run(s, rng, start, diag);
    if (status == HITOP_OK) {
        nest_tidy(&s->nest, s->step);
        status =
            search_verify(s, rng, s->options->budget - (t->now(t->self) - start), &share, diag);
    }
    if (status == HITOP_OK) {
        search_report_lone_hosts(s);
        status = nest_export(&s->nest, share, &out->groups, diag);
    }
    out->groups.npairs = s->table.npairs;
    out->nopen = s->nopen;
    out->nodd = s->nodd;

out:
    gsl_rng_free(rng);
    return status;
}

enum hitop_status hitop_discover(const struct hitop_transport *transport,
                                 const struct hitop_host_groups *known,
                                 const struct hitop_discover_options *options,
                                 struct hitop_discovery *out, struct hitop_diag *diag)
{
    struct search s = {.options = options, .known = known, .step = log(options->step)};
    enum hitop_status status, ended;

    *out = (struct hitop_discovery){.nopen = 0};
    status =
        crew_init(&s.crew, transport, options->max_samples, options->parallel, options->seed, diag);
    s.crew.progress = options->progress;
    s.crew.data = options->data;
    if (status == HITOP_OK && transport->rank > 0) {
        status = crew_serve(&s.crew, diag);
    } else if (status == HITOP_OK) {
        status = check(transport, known, options, diag);
        if (status == HITOP_OK) {
            status = lead(&s, out, diag);
        }
        ended = crew_dismiss(&s.crew, status != HITOP_OK, status == HITOP_OK ? diag : NULL);
        status = status == HITOP_OK ? ended : status;
    }
    if (status != HITOP_OK) {
        hitop_discovery_clear(out);
    }
    search_clear(&s);
    crew_clear(&s.crew);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * discover.c - the search for groups of hosts as a whole.
 *
 * Idea:  known groups are searched from the innermost ones outwards; in the group around it, each
 *        is one unit that one host represents. All sets under search request measurements, which
 *        are made together; then all sets continue. Only measured values and the seed determine the
 *        result.
 */
#include <config.h>

#include "models/discover/discover_impl.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include <math.h>
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

/* Times that a search may be corrected. */
enum { MAX_REPAIRS = 3 };

/* Most pairs that may be measured. */
static double most_pairs(int nhosts)
{
    return 4.0 * nhosts * ceil(log2(fmax(nhosts, 2))) + nhosts;
}

/*
 * Measure the requested pairs, if time and number of pairs allow it. Half of the time that is left
 * is for later requests.
 */
static enum hitop_status measure(struct search *s, double start, struct hitop_diag *diag)
{
    const struct hitop_transport *t = s->workers.t;
    const double left = s->options->budget - (t->now(t->self) - start);
    enum hitop_status status;
    int fresh = 0;

    for (int i = 0; i < s->nrequests; i++) {
        fresh += hitop_latency_table_get(&s->table, s->request[i].a, s->request[i].b).visits == 0;
    }
    if (left <= 0 || s->table.npairs + fresh > most_pairs(t->nranks)) {
        s->is_exhausted = 1;
        s->nrequests = 0;
        return HITOP_OK;
    }
    status =
        hitop_workers_measure(&s->workers, s->request, s->nrequests, 0.5 * left, &s->table, diag);
    s->nrequests = 0;
    return status;
}

static void forget_done(struct search *s)
{
    int left = 0;

    for (int i = 0; i < s->ntasks; i++) {
        if (s->task[i]->state == TASK_DONE) {
            s->state[s->task[i]->known].running--; /* the count of repairs is not used */
            hitop_search_free_task(s->task[i]);
        } else {
            s->task[left++] = s->task[i];
        }
    }
    s->ntasks = left;
}

static enum hitop_status run(struct search *s, gsl_rng *rng, double start, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    hitop_search_end_known(s);
    while (status == HITOP_OK && s->ntasks > 0 && !s->out_of_memory) {
        const int n = s->ntasks; /* tasks that are added meanwhile wait for the next turn */
        for (int i = 0; i < n; i++) {
            hitop_task_step(s, s->task[i]);
        }
        forget_done(s);
        hitop_search_end_known(s);
        if (s->nrequests > 0 && !s->out_of_memory) {
            gsl_ran_shuffle(rng, s->request, (size_t)s->nrequests, sizeof(*s->request));
            status = measure(s, start, diag);
        }
    }
    if (s->out_of_memory) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "groups: out of memory");
    }
    return status;
}

/*
 * Whether each group comes after the group around it, all are inside the first one, and none is
 * empty.
 */
static int are_nested(const struct hitop_host_groups *known)
{
    const int n = known->ngroups;
    unsigned char *is_used = calloc((size_t)n + 1, 1);
    int ok = is_used && n > 0;

    for (int host = 0; host < known->nhosts && ok; host++) {
        ok = known->innermost[host] >= 0 && known->innermost[host] < n;
        is_used[ok ? known->innermost[host] : n] = 1;
    }
    for (int i = n - 1; i >= 0 && ok; i--) {
        const int parent = known->group[i].parent;
        ok = is_used[i] && (i == 0 ? parent == -1 : parent >= 0 && parent < i);
        is_used[ok && i > 0 ? parent : n] = 1;
    }
    free(is_used);
    return ok;
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
    if (known && !are_nested(known)) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "groups: known groups are not nested, or one of them is empty");
    }
    return HITOP_OK;
}

static void search_clear(struct search *s)
{
    for (int i = 0; i < s->ntasks; i++) {
        hitop_search_free_task(s->task[i]);
    }
    for (int i = 0; s->state && i <= s->nknown; i++) {
        free(s->state[i].unit);
    }
    free(s->state);
    free(s->task);
    free(s->late);
    free(s->request);
    free(s->check);
    hitop_group_tree_clear(&s->tree);
    hitop_latency_table_clear(&s->table);
}

/* Check the groups, and search again as long as that shows that something was missed. */
static enum hitop_status correct(struct search *s, gsl_rng *rng, double start,
                                 struct hitop_diag *diag)
{
    const struct hitop_transport *t = s->workers.t;
    enum hitop_status status = HITOP_OK;

    for (int round = 0; status == HITOP_OK; round++) {
        const double left = s->options->budget - (t->now(t->self) - start);
        hitop_group_tree_tidy(&s->tree, s->step);
        status = hitop_search_check(s, rng, left, diag);
        if (status != HITOP_OK || round == MAX_REPAIRS || hitop_search_repair(s) == 0) {
            break;
        }
        status = run(s, rng, start, diag);
        hitop_search_place_late(s, s->nknown);
    }
    return status;
}

/* Rank 0's part. */
static enum hitop_status lead(struct search *s, struct hitop_discovery *out,
                              struct hitop_diag *diag)
{
    const struct hitop_transport *t = s->workers.t;
    const double start = t->now(t->self);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    enum hitop_status status = HITOP_OK;

    if (!rng || !hitop_search_begin_known(s, t->nranks)) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "groups: out of memory");
        goto out;
    }
    gsl_rng_set(rng, (unsigned long)s->options->seed);
    status = run(s, rng, start, diag);
    if (status == HITOP_OK) {
        status = correct(s, rng, start, diag);
    }
    if (status == HITOP_OK) {
        if (s->nunsearched > 0) {
            s->nopen++;
            hitop_search_warn(s, "no measurements were left to search for groups among %d hosts",
                              s->nunsearched);
        }
        hitop_search_report_lone_hosts(s);
        status = hitop_group_tree_export(&s->tree, hitop_search_judge(s), &out->groups, diag);
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
    status = hitop_workers_init(&s.workers, transport, options->max_samples, options->parallel,
                                options->seed, diag);
    s.workers.progress = options->progress;
    s.workers.data = options->data;
    if (status == HITOP_OK && transport->rank > 0) {
        status = hitop_workers_serve(&s.workers, diag);
    } else if (status == HITOP_OK) {
        status = check(transport, known, options, diag);
        if (status == HITOP_OK) {
            status = lead(&s, out, diag);
        }
        ended =
            hitop_workers_dismiss(&s.workers, status != HITOP_OK, status == HITOP_OK ? diag : NULL);
        status = status == HITOP_OK ? ended : status;
    }
    if (status != HITOP_OK) {
        hitop_discovery_clear(out);
    }
    search_clear(&s);
    hitop_workers_clear(&s.workers);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DISCOVER_IMPL_H
#define DISCOVER_IMPL_H

/* discover_impl.h - the search for groups: what rank 0 knows, and the sets it still looks at. */

#include "models/discover/latency_levels.h"
#include "models/discover/latency_table.h"
#include "models/discover/nest.h"
#include "models/discover/workers.h"

#include <gsl/gsl_rng.h>

enum task_state { TASK_LOOK, TASK_TEST, TASK_DONE };

/* A set of units under search. The first one, the pivot, looks at all others. */
struct task {
    struct unit *unit;
    int n;
    int into;  /* group that is around what will be found, or -1 */
    int known; /* the known group to which this search belongs */
    enum task_state state;
    int rounds;          /* times that more samples were asked for */
    int *via;            /* per unit: host to look from in place of the pivot, or -1 */
    struct sight *sight; /* n - 1; index is that of the unit */
    int is_open;         /* noise leaves open whether there is more than was found */
    /* What is to be tested: */
    int near;             /* the first so many sights are alike ... */
    double centre, noise; /* ... at this latency, known that well; */
    double least;         /* the least of them */
};

/* A unit that is near to nothing in its set, to be placed when the others are. */
struct late {
    struct unit unit;
    int near;        /* the nearest host ... */
    double x, se;    /* ... and how far that is */
    int into, known; /* of the search that set it aside */
};

/* Where the search for one of the known groups is. */
struct known_state {
    struct unit *unit; /* its members, as they become known */
    int n;
    int waiting; /* groups inside that are not searched yet */
    int running; /* searches that belong to it */
    int top;     /* the group found, or -1 */
};

struct search {
    const struct hitop_discover_options *options;
    const struct hitop_host_groups *known;
    struct known_state *state; /* per known group, and one more for repairs, which never ends */
    int nknown;
    double step; /* logarithm of options->step */
    struct workers workers;
    struct latency_table table;
    struct nest nest;
    struct task **task;
    int ntasks, max_tasks;
    struct late *late; /* the newest one goes first */
    int nlate, max_late;
    struct wish *wish;
    int nwishes, max_wishes;
    int is_exhausted; /* no more measurements: time or pairs are used up */
    int out_of_memory;
    int nunsearched; /* hosts in sets that were not searched */
    int nopen, nodd;
    struct wish *check; /* pairs that were measured to check the groups */
    int nchecks;
};

/* Warn the user; host names come from hitop_search_name(). */
void hitop_search_warn(struct search *s, const char *fmt, ...) HITOP_PRINTF(2, 3);
const char *hitop_search_name(const struct search *s, int host, char *number, size_t length);

/* Ask for a measurement of a pair to this relative half width. */
void hitop_search_wish(struct search *s, int a, int b, double half_width);

/* The relative half width of a first visit to a pair. */
double hitop_search_first_width(const struct search *s);

/* Begin to search among units, which are copied. The first one is the pivot. */
void hitop_search_add_task(struct search *s, const struct unit *unit, int n, int into, int known);

/* Set a unit aside until its known group is searched; then all of a group find their places. */
void hitop_search_add_late(struct search *s, const struct late *late);
void hitop_search_place_late(struct search *s, int known);

void hitop_search_free_task(struct task *t);

/* Begin with the innermost known groups; 0 when out of memory. */
int hitop_search_begin_known(struct search *s, int nhosts);

/* Continue with the groups around finished ones. */
void hitop_search_end_known(struct search *s);

/*
 * Go on with a task as far as what was measured allows: ask for more, find groups and add tasks for
 * what is inside them, or be done.
 */
void hitop_task_step(struct search *s, struct task *t);

/* The test of the nearest shell, which ends the task: its shells become groups, or it goes on
 * without its pivot. */
void hitop_task_begin_test(struct task *t);
void hitop_task_test(struct search *s, struct task *t);

/* Report a pair that contradicts the groups to the user. */
void hitop_search_odd(struct search *s, int a, int b, double x, double expected);

/* After the search: measure a few pairs never seen, those that do not fit three times. */
enum hitop_status hitop_search_check(struct search *s, gsl_rng *rng, double seconds,
                                     struct hitop_diag *diag);

/* Begin to search again where pairs are nearer than their groups; returns how many tasks that
 * makes. */
int hitop_search_repair(struct search *s);

/* Report pairs that contradict the groups; returns the share of the checked pairs that fit, 0 to 1.
 */
double hitop_search_judge(struct search *s);

/* Report hosts that are far from all others. */
void hitop_search_report_lone_hosts(struct search *s);

#endif /* DISCOVER_IMPL_H */

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DISCOVER_IMPL_H
#define DISCOVER_IMPL_H

/* discover_impl.h - the search for groups: the state of rank 0 and the sets under search. */

#include "models/discover/discovery.h"

#include "hitop/measure.h"

#include <gsl/gsl_rng.h>

/* latency_levels.c: find the latencies that are equal. */

/* The latency from one host to another. */
struct host_latency {
    int index;     /* the caller's index of the other host */
    double x, se;  /* logarithm of the latency, its standard error */
    int visits;    /* number of measurements */
    int level;     /* out: 0 for the nearest */
    double wanted; /* out: relative half width needed to decide; 0 when this is good enough */
};

/*
 * Sort latencies and divide them into levels. step is the logarithm of the ratio from which on two
 * levels count as different. Returns the number of levels, at least one for n >= 1.
 */
int hitop_latency_levels_find(struct host_latency *s, int n, double step);

/*
 * Mark the latencies that need more samples before the levels are reliable; returns their number.
 */
int hitop_latency_levels_doubt(struct host_latency *s, int n, double step);

/*
 * Join two levels if noise could move half of the latencies of one of them across the cut between
 * them. If noise could move fewer latencies, give these a wanted width. Returns the number of open
 * decisions: cuts that noise may have made or hidden.
 */
int hitop_latency_levels_merge(struct host_latency *s, int n, double step);

/* The median of the latencies of a level; *noise receives their root mean square error. */
double hitop_latency_level_centre(const struct host_latency *s, int n, int level, double *noise);

/* latency_table.c: the pairs that were measured. */

enum { LATENCY_VISITS = 5 };

/* The measured pairs of hosts. */
struct latency_table {
    void *root; /* of tsearch(3) */
    int npairs;
};

/* The value of a pair: the logarithm of its latency, and the standard error of that. */
struct latency_value {
    double x, se;
    int visits;
};

/* Add a visit. 0 when out of memory. */
int hitop_latency_table_add(struct latency_table *t, int a, int b, const struct hitop_point *point);

/* Combine the last LATENCY_VISITS visits to a pair; visits is 0 for a pair never measured. */
struct latency_value hitop_latency_table_get(const struct latency_table *t, int a, int b);

void hitop_latency_table_clear(struct latency_table *t);

/* group_tree.c: nested groups of hosts while the search finds them. */

/* A host, or a group that one host represents. */
struct unit {
    int host;
    int group; /* -1: the host itself */
};

/* Sort by host. */
void hitop_units_sort(struct unit *unit, int n);

struct tree_group {
    int parent;         /* -1: the outermost one, or not yet placed */
    int representative; /* a host in it, which also represents the group inside that holds it */
    double x, se; /* logarithm of the latency between its members, error; x is NAN when unknown */
    int is_fixed; /* may not be dissolved */
    int is_open;  /* its members may form groups that were not found */
    int is_gone;
};

struct group_tree {
    int nhosts, ngroups, max_groups;
    struct tree_group *group;
    int *innermost; /* per host: its group, or -1 while not yet placed */
};

/* Returns 0 when out of memory. To be cleared in any case. */
int hitop_group_tree_init(struct group_tree *tree, int nhosts);

void hitop_group_tree_clear(struct group_tree *tree);

/* Add a group inside `parent`; -1: not placed yet. Returns its index, or -1 when out of memory. */
int hitop_group_tree_add(struct group_tree *tree, int parent, int representative, double x,
                         double se);

void hitop_group_tree_place(struct group_tree *tree, struct unit unit, int group);

/*
 * The groups and hosts directly in a group, by first host; room for nhosts units. Returns how many.
 */
int hitop_group_tree_members(const struct group_tree *tree, int group, struct unit *members);

/* Remove a group; its members go to `heir`, or are not placed if that is -1. */
void hitop_group_tree_dissolve(struct group_tree *tree, int group, int heir);

/* The innermost common group of two hosts. */
int hitop_group_tree_common(const struct group_tree *tree, int a, int b);

/* Dissolve each group whose latency is not below that of the group around it by at least step. */
void hitop_group_tree_tidy(struct group_tree *tree, double step);

/*
 * Convert the tree, parents first. Confidence comes from the gaps between latencies and from share,
 * the part of the checked pairs that fit. out is to be cleared in any case.
 */
enum hitop_status hitop_group_tree_export(const struct group_tree *tree, double share,
                                          struct hitop_host_groups *out, struct hitop_diag *diag);

/*
 * workers.c: pairs of ranks measured on the order of rank 0, as many at once as share no rank and
 * do not disturb each other.
 */

/* A pair to measure until the interval of its median has this relative half width. */
struct pair_request {
    int a, b;
    double half_width;
};

struct workers {
    const struct hitop_transport *t;
    struct hitop_measure_options options; /* one size */
    int nrooms;                           /* room for the pairs of a batch: half the ranks */
    struct hitop_link *links;             /* of the batch */
    double *half_width;                   /* wanted for each link */
    struct hitop_point *points;
    unsigned char *is_busy;                               /* per rank, of rank 0 only */
    int tested;                                           /* most links at once that need no test */
    int at_once;                                          /* most links that may run at once */
    void (*progress)(void *data, int npairs, int nranks); /* at rank 0, after each batch; or NULL */
    void *data;
    int is_lost; /* communication failed: no rank serves any more */
};

/* All processes call it; release with hitop_workers_clear() in any case. */
enum hitop_status hitop_workers_init(struct workers *workers, const struct hitop_transport *t,
                                     int max_samples, int parallel, unsigned long long seed,
                                     struct hitop_diag *diag);

void hitop_workers_clear(struct workers *workers);

/*
 * Rank 0, or the process that plays all ranks: measure requests in batches, within about `seconds`,
 * and add the results to the table. Requests are reordered.
 */
enum hitop_status hitop_workers_measure(struct workers *workers, struct pair_request *requests,
                                        int n, double seconds, struct latency_table *table,
                                        struct hitop_diag *diag);

/* All other ranks: do what rank 0 orders until it dismisses. */
enum hitop_status hitop_workers_serve(struct workers *workers, struct hitop_diag *diag);

/* Rank 0: end the others' hitop_workers_serve(), with an error if failed. */
enum hitop_status hitop_workers_dismiss(struct workers *workers, int failed,
                                        struct hitop_diag *diag);

/* The search. */

enum task_state { TASK_LOOK, TASK_TEST, TASK_DONE };

/*
 * A set of units under search. The latency between the first one, the pivot, and each other one is
 * measured.
 */
struct task {
    struct unit *unit;
    int n;
    int into;  /* the group around the groups that will be found, or -1 */
    int known; /* the known group to which this search belongs */
    enum task_state state;
    int rounds;                   /* times that more samples were asked for */
    int *via;                     /* per unit: host that measures it in place of the pivot, or -1 */
    struct host_latency *latency; /* n - 1; index is that of the unit */
    int is_open;                  /* noise leaves open whether there is more than was found */
    /* The nearest shell, which is tested: */
    int near;             /* number of its latencies, which are the first ones and equal */
    double centre, noise; /* their median, and its error */
    double least;         /* the smallest of them */
};

/* A unit that is near no other unit of its set; it is placed after the others. */
struct late {
    struct unit unit;
    int near;        /* the nearest host ... */
    double x, se;    /* ... and its latency */
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
    struct group_tree tree;
    struct task **task;
    int ntasks, max_tasks;
    struct late *late; /* the newest one goes first */
    int nlate, max_late;
    struct pair_request *request;
    int nrequests, max_requests;
    int is_exhausted; /* no more measurements: time or pairs are used up */
    int out_of_memory;
    int nunsearched; /* hosts in sets that were not searched */
    int nopen, nodd;
    struct pair_request *check; /* pairs that were measured to check the groups */
    int nchecks;
};

/* Warn the user; host names come from hitop_search_name(). */
void hitop_search_warn(struct search *s, const char *fmt, ...) HITOP_PRINTF(2, 3);
const char *hitop_search_name(const struct search *s, int host, char *number, size_t length);

/* Ask for a measurement of a pair to this relative half width. */
void hitop_search_request(struct search *s, int a, int b, double half_width);

/* The relative half width of a first visit to a pair. */
double hitop_search_first_width(const struct search *s);

/*
 * Begin a search among units, with room for some: the caller adds them, the pivot first. Returns
 * NULL without memory, and sets out_of_memory.
 */
struct task *hitop_search_add_task(struct search *s, int room, int into, int known);
void hitop_search_free_task(struct task *t);

/* After the search of a known group: place its units that were set aside. */
void hitop_search_place_late(struct search *s, int known);

/* Begin with the innermost known groups; 0 when out of memory. */
int hitop_search_begin_known(struct search *s, int nhosts);

/* Continue with the groups around finished ones. */
void hitop_search_end_known(struct search *s);

/*
 * Continue a task as far as the measured pairs allow: request more measurements, or find groups and
 * add tasks for their members. The task may be done then.
 */
void hitop_task_step(struct search *s, struct task *t);

/* Report a pair that contradicts the groups to the user. */
void hitop_search_report_outlier(struct search *s, int a, int b, double x, double expected);

/* After the search: measure a few new pairs; those that do not fit are measured three times. */
enum hitop_status hitop_search_check(struct search *s, gsl_rng *rng, double seconds,
                                     struct hitop_diag *diag);

/*
 * Begin to search again where pairs are nearer than their groups; returns how many tasks that
 * makes.
 */
int hitop_search_repair(struct search *s);

/*
 * Report pairs that contradict the groups; returns the share of the checked pairs that fit, 0 to 1.
 */
double hitop_search_judge(struct search *s);

/* Report hosts that are far from all others. */
void hitop_search_report_lone_hosts(struct search *s);

#endif /* DISCOVER_IMPL_H */

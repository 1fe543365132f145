/* SPDX-License-Identifier: BSD-3-Clause */
/* check_discover.c - groups that a simulated network has are found from latencies, with few
 * pairs. */
#include <config.h>

#include "models/discover/discovery.h"

#include "hitop/measure.h"

#include "tests/support/draw.h"
#include "tests/support/test_main.h"

#include <math.h>
#include <stdio.h>

enum { MOST = 256 };

/* Hosts that differ in place[0] are far, those that differ in place[1] only are nearer, and so
 * on. */
struct machine {
    int nhosts;
    int place[MOST][3];
    double far[4];     /* latency of hosts that first differ in place[0], [1], [2]; or in none */
    double slow[MOST]; /* factor of all links of a host; 0 is 1 */
    int bad[2];        /* a pair ... */
    double bad_factor; /* ... whose link is slower; 0: none */
    double uphill, spread; /* a lower host to a higher one; links differ by so much */
};

static double latency(const struct machine *m, int a, int b)
{
    const double slow = fmax(fmax(m->slow[a], m->slow[b]), 1);
    const int is_bad = m->bad_factor > 0 &&
                       ((a == m->bad[0] && b == m->bad[1]) || (b == m->bad[0] && a == m->bad[1]));
    int level = 0;

    while (level < 3 && m->place[a][level] == m->place[b][level]) {
        level++;
    }
    return m->far[level] * slow * (is_bad ? m->bad_factor : 1) *
           (1 + m->spread * sin(12.9898 * (a < b ? a : b) + 78.233 * (a < b ? b : a)));
}

static double p2p(const void *self, int from, int to, size_t bytes)
{
    const struct machine *m = self;

    (void)bytes;
    return latency(m, from, to) * (from < to ? 1 + m->uphill : 1 - m->uphill);
}

/* nhosts hosts in groups of size, groups of them in groups of sites (0: one). */
static struct machine make_machine(int nhosts, int size, int sites)
{
    struct machine m = {.nhosts = nhosts, .far = {60.3e-6, 3.1e-6, 1.8e-6, 1.8e-6}};

    for (int i = 0; i < nhosts; i++) {
        m.place[i][0] = sites > 0 ? i / size / sites : 0;
        m.place[i][1] = i / size;
    }
    return m;
}

struct outcome {
    enum hitop_status status;
    struct hitop_diag diag;
    struct hitop_discovery found;
    int warnings;
    char said[2048];
    int progressed;
};

static void note_warning(void *data, const char *message)
{
    struct outcome *o = data;
    const size_t end = strlen(o->said);

    o->warnings++;
    (void)snprintf(o->said + end, sizeof(o->said) - end, "%s\n", message);
}

static void note_progress(void *data, int npairs, int nhosts)
{
    struct outcome *o = data;

    ck_assert_int_le(npairs, nhosts * (nhosts - 1) / 2);
    ck_assert_int_ge(npairs, o->progressed);
    o->progressed = npairs;
}

static void run_with(struct outcome *o, const struct machine *m, struct hitop_simulation what,
                     const struct hitop_host_groups *known, struct hitop_discover_options options)
{
    struct hitop_transport t;

    *o = (struct outcome){.status = HITOP_OK};
    what.truth = (struct hitop_cost){.self = m, .nranks = m->nhosts, .p2p = p2p};
    options.progress = note_progress;
    options.warn = note_warning;
    options.data = o;
    ck_assert_int_eq(hitop_transport_simulated(&what, &t, NULL), HITOP_OK);
    o->status = hitop_discover(&t, known, &options, &o->found, &o->diag);
    t.close(t.self);
}

static void run(struct outcome *o, const struct machine *m, struct hitop_simulation what,
                const struct hitop_host_groups *known)
{
    struct hitop_discover_options options;

    hitop_discover_defaults(&options);
    run_with(o, m, what, known, options);
    ck_assert_msg(o->status == HITOP_OK, "%s", o->diag.message);
}

static int meet(const struct hitop_host_groups *g, int a, int b)
{
    int x = g->innermost[a];

    for (;; x = g->group[x].parent) {
        for (int y = g->innermost[b]; y >= 0; y = g->group[y].parent) {
            if (x == y) {
                return x;
            }
        }
    }
}

/* Pairs whose group has another latency than they have. */
static int count_wrong(const struct machine *m, const struct hitop_host_groups *g)
{
    int wrong = 0;

    for (int a = 0; a < m->nhosts; a++) {
        for (int b = 0; b < a; b++) {
            wrong += fabs(g->group[meet(g, a, b)].seconds / latency(m, a, b) - 1) > 0.045;
        }
    }
    return wrong;
}

static void expect(const struct outcome *o, const struct machine *m, int ngroups)
{
    ck_assert_msg(o->found.groups.ngroups == ngroups, "%d groups, not %d\n%s",
                  o->found.groups.ngroups, ngroups, o->said);
    ck_assert_int_eq(count_wrong(m, &o->found.groups), 0);
    ck_assert_int_eq(o->found.nopen, 0);
    ck_assert_int_eq(o->found.groups.npairs, o->progressed);
}

static int most_pairs(int n)
{
    return (int)(4 * n * ceil(log2(n)) + n);
}

START_TEST(finds_switches_with_a_tenth_of_the_pairs)
{
    static const double noise[] = {0, 0.01, 0.03};
    const struct machine m = make_machine(64, 16, 0);

    for (unsigned long long seed = 1; seed <= 10; seed++) {
        for (int i = 0; i < 3; i++) {
            struct outcome o;
            run(&o, &m, (struct hitop_simulation){.noise = noise[i], .seed = seed}, NULL);
            expect(&o, &m, 5);
            ck_assert_int_le(o.found.groups.npairs, 64 * 63 / 2 / 10);
            ck_assert_int_eq(o.warnings, 0);
            hitop_discovery_clear(&o.found);
        }
    }
}
END_TEST

START_TEST(finds_many_switches)
{
    const struct machine m = make_machine(256, 16, 0);
    struct outcome o;

    run(&o, &m, (struct hitop_simulation){.noise = 0.03, .seed = 3}, NULL);
    expect(&o, &m, 17);
    ck_assert_int_le(o.found.groups.npairs, 256 * 255 / 2 / 10);
    hitop_discovery_clear(&o.found);
}
END_TEST

START_TEST(finds_groups_whatever_the_order_of_hosts)
{
    struct machine m = make_machine(60, 16, 2);
    struct outcome o;

    for (int i = 0; i < m.nhosts; i++) { /* dealt like cards */
        m.place[i][1] = i % 4;
        m.place[i][0] = i % 4 / 2;
    }
    run(&o, &m, (struct hitop_simulation){.noise = 0.02, .seed = 4}, NULL);
    expect(&o, &m, 7);
    hitop_discovery_clear(&o.found);
}
END_TEST

START_TEST(finds_three_levels)
{
    struct machine m = make_machine(48, 4, 3);
    struct outcome o;

    for (int i = 0; i < m.nhosts; i++) {
        m.place[i][2] = i / 2;
    }
    m.far[3] = 0.9e-6;
    for (unsigned long long seed = 1; seed <= 5; seed++) {
        run(&o, &m, (struct hitop_simulation){.noise = 0.02, .seed = seed}, NULL);
        expect(&o, &m, 1 + 4 + 12 + 24);
        ck_assert_int_le(o.found.groups.npairs, most_pairs(m.nhosts));
        hitop_discovery_clear(&o.found);
    }
}
END_TEST

START_TEST(finds_no_groups_where_there_are_none)
{
    struct machine m = make_machine(_i, _i, 0);
    struct outcome o;

    m.spread = 0.02;
    run(&o, &m, (struct hitop_simulation){.noise = 0.03, .seed = 5}, NULL);
    ck_assert_int_eq(o.found.groups.ngroups, 1);
    ck_assert_int_eq(o.found.nopen, 0);
    ck_assert_int_le(o.found.groups.npairs, 2 * _i + 2);
    if (_i > 1) {
        ck_assert_double_eq_tol(o.found.groups.group[0].seconds, 1.8e-6, 0.1e-6);
        ck_assert_double_gt(o.found.groups.group[0].confidence, 0.9);
    }
    hitop_discovery_clear(&o.found);
}
END_TEST

START_TEST(finds_groups_of_unequal_size_and_small_machines)
{
    static const int size[][4] = {{1, 1}, {1, 2},    {2, 1},    {1, 7},
                                  {2, 2}, {1, 1, 5}, {3, 1, 2}, {9, 2, 1, 30}};

    for (size_t k = 0; k < sizeof(size) / sizeof(size[0]); k++) {
        struct machine m = {.far = {60.3e-6, 3.1e-6, 1.8e-6, 1.8e-6}};
        int ngroups = 1;
        struct outcome o;
        for (int g = 0; g < 4; g++) {
            ngroups += size[k][g] > 1;
            for (int i = 0; i < size[k][g]; i++) {
                m.place[m.nhosts++][1] = g;
            }
        }
        run(&o, &m, (struct hitop_simulation){.noise = 0.01, .seed = 6}, NULL);
        expect(&o, &m, ngroups);
        hitop_discovery_clear(&o.found);
    }
}
END_TEST

START_TEST(reports_one_slow_host_and_leaves_the_others_together)
{
    for (int host = 0; host < 24; host += 5) {
        struct machine m = make_machine(24, 12, 0);
        struct outcome o;
        m.slow[host] = 10;
        for (int i = 0; i < 24; i++) { /* slow to all alike */
            m.far[1] = 3.1e-6;
        }
        run(&o, &m, (struct hitop_simulation){.noise = 0.01, .seed = 7}, NULL);
        ck_assert_int_eq(o.found.nopen, 0);
        ck_assert_ptr_nonnull(strstr(o.said, "is alone"));
        for (int a = 0; a < 24; a++) {
            for (int b = 0; b < a; b++) {
                if (a != host && b != host) {
                    ck_assert_double_eq_tol(
                        o.found.groups.group[meet(&o.found.groups, a, b)].seconds,
                        latency(&m, a, b), 0.2e-6);
                }
            }
        }
        hitop_discovery_clear(&o.found);
    }
}
END_TEST

START_TEST(reports_one_slow_link)
{
    struct machine m = make_machine(32, 16, 0);
    struct outcome o;

    m.bad[0] = 0; /* the first pivot */
    m.bad[1] = 9;
    m.bad_factor = 4;
    run(&o, &m, (struct hitop_simulation){.noise = 0.01, .seed = 8}, NULL);
    ck_assert_int_eq(o.found.groups.ngroups, 3);
    ck_assert_int_eq(count_wrong(&m, &o.found.groups), 1);
    ck_assert_ptr_nonnull(strstr(o.said, "from host 0 to host 9 it takes 7.2"));
    ck_assert_int_eq(o.found.nodd, 1);
    hitop_discovery_clear(&o.found);
}
END_TEST

START_TEST(bears_spikes_coarse_clocks_and_links_that_differ_by_direction)
{
    struct machine m = make_machine(40, 10, 2);
    struct outcome o;

    m.uphill = 0.3;
    run(&o, &m,
        (struct hitop_simulation){.noise = 0.03, .spikes = 0.02, .clock_step = 25e-9, .seed = 9},
        NULL);
    expect(&o, &m, 7);
    hitop_discovery_clear(&o.found);
}
END_TEST

START_TEST(resolves_a_step_that_a_first_look_does_not)
{
    struct machine m = make_machine(32, 8, 0);
    struct outcome o;
    int open = 0;

    m.far[1] = 1.8e-6 * 1.16;
    for (unsigned long long seed = 1; seed <= 5; seed++) {
        run(&o, &m, (struct hitop_simulation){.noise = 0.15, .seed = seed}, NULL);
        open += o.found.nopen; /* a rare pair stays in doubt with so much noise */
        o.found.nopen = 0;
        expect(&o, &m, 5);
        hitop_discovery_clear(&o.found);
    }
    ck_assert_int_le(open, 1);
}
END_TEST

START_TEST(says_what_noise_leaves_open)
{
    struct machine m = make_machine(16, 8, 0);
    struct hitop_discover_options options;
    struct outcome o;

    m.far[1] = 1.8e-6 * 1.3;
    hitop_discover_defaults(&options);
    options.max_samples = 20;
    run_with(&o, &m, (struct hitop_simulation){.noise = 1, .seed = 2}, NULL, options);
    ck_assert_int_eq(o.status, HITOP_OK);
    ck_assert_int_ge(o.found.nopen, 1);
    ck_assert_ptr_nonnull(strstr(o.said, "noise leaves open whether"));
    hitop_discovery_clear(&o.found);
}
END_TEST

START_TEST(keeps_to_its_budget_and_says_what_it_did_not_search)
{
    const struct machine m = make_machine(64, 16, 0);
    struct hitop_discover_options options;
    struct outcome o;

    hitop_discover_defaults(&options);
    options.budget = 1e-3;
    run_with(&o, &m, (struct hitop_simulation){.noise = 0.1, .seed = 2}, NULL, options);
    ck_assert_int_eq(o.status, HITOP_OK);
    ck_assert_int_ge(o.found.nopen, 1);
    ck_assert_ptr_nonnull(strstr(o.said, "no measurements were left"));
    ck_assert_int_lt(o.found.groups.npairs, 200);
    hitop_discovery_clear(&o.found);
}
END_TEST

START_TEST(never_measures_more_than_a_few_n_log_n_pairs)
{
    const struct machine m = make_machine(256, 2, 0); /* the worst case: pairs everywhere */
    struct outcome o;

    run(&o, &m, (struct hitop_simulation){.noise = 0.01, .seed = 2}, NULL);
    ck_assert_int_le(o.found.groups.npairs, most_pairs(256));
    ck_assert_int_ge(o.found.nopen, 1);
    hitop_discovery_clear(&o.found);
}
END_TEST

START_TEST(runs_pairs_at_once_only_where_they_do_not_disturb_each_other)
{
    const struct machine m = make_machine(32, 8, 0);
    struct outcome o;

    run(&o, &m, (struct hitop_simulation){.noise = 0.01, .contention = 0.3, .seed = 2}, NULL);
    expect(&o, &m, 5);
    hitop_discovery_clear(&o.found);
}
END_TEST

START_TEST(repeats_itself_for_one_seed)
{
    const struct machine m = make_machine(40, 10, 2);
    struct outcome a, b;

    run(&a, &m, (struct hitop_simulation){.noise = 0.02, .seed = 10}, NULL);
    run(&b, &m, (struct hitop_simulation){.noise = 0.02, .seed = 10}, NULL);
    ck_assert_int_eq(a.found.groups.npairs, b.found.groups.npairs);
    for (int i = 0; i < a.found.groups.ngroups; i++) {
        ck_assert_double_eq(a.found.groups.group[i].seconds, b.found.groups.group[i].seconds);
    }
    hitop_discovery_clear(&a.found);
    hitop_discovery_clear(&b.found);
}
END_TEST

/* Known groups: hosts with equal numbers in name[] share one, below a first group of all. */
static struct hitop_host_groups know(const int *name, int nhosts, int is_fixed)
{
    struct hitop_host_groups g = {.nhosts = nhosts, .ngroups = 1};

    g.group = calloc(MOST, sizeof(*g.group));
    g.innermost = calloc(MOST, sizeof(*g.innermost));
    g.group[0].parent = -1;
    for (int i = 0; i < nhosts; i++) {
        while (name[i] + 1 >= g.ngroups) {
            g.group[g.ngroups++] = (struct hitop_host_group){.parent = 0, .is_fixed = is_fixed};
        }
        g.innermost[i] = name[i] + 1;
    }
    return g;
}

/* Leave out the groups that no host is in. */
static void drop_empty(struct hitop_host_groups *g)
{
    int number[MOST] = {0}, n = 1;

    for (int host = 0; host < g->nhosts; host++) {
        number[g->innermost[host]] = 1;
    }
    for (int i = 1; i < g->ngroups; i++) {
        if (number[i]) {
            g->group[n] = g->group[i];
            number[i] = n++;
        }
    }
    number[0] = 0;
    g->ngroups = n;
    for (int host = 0; host < g->nhosts; host++) {
        g->innermost[host] = number[g->innermost[host]];
    }
}

START_TEST(confirms_known_groups_with_fewer_pairs)
{
    const struct machine m = make_machine(64, 16, 0);
    struct hitop_host_groups known;
    struct outcome o;
    int name[MOST];

    for (int i = 0; i < 64; i++) {
        name[i] = i / 16;
    }
    known = know(name, 64, 0);
    run(&o, &m, (struct hitop_simulation){.noise = 0.02, .seed = 11}, &known);
    expect(&o, &m, 5);
    ck_assert_int_le(o.found.groups.npairs, 64 * 2);
    hitop_discovery_clear(&o.found);
    hitop_host_groups_clear(&known);
}
END_TEST

START_TEST(merges_known_groups_that_do_not_differ)
{
    const struct machine m = make_machine(48, 24, 0);
    struct hitop_host_groups known;
    struct outcome o;
    int name[MOST];

    for (int i = 0; i < 48; i++) { /* 6 names, three on each switch */
        name[i] = i / 8;
    }
    known = know(name, 48, 0);
    run(&o, &m, (struct hitop_simulation){.noise = 0.02, .seed = 12}, &known);
    expect(&o, &m, 3);
    hitop_discovery_clear(&o.found);
    hitop_host_groups_clear(&known);
    known = know(name, 48, 1); /* a source knows these groups */
    run(&o, &m, (struct hitop_simulation){.noise = 0.02, .seed = 12}, &known);
    expect(&o, &m, 9);
    hitop_discovery_clear(&o.found);
    hitop_host_groups_clear(&known);
}
END_TEST

START_TEST(splits_known_groups_that_differ_inside)
{
    const struct machine m = make_machine(48, 8, 0);
    struct hitop_host_groups known;
    struct outcome o;
    int name[MOST];

    for (int i = 0; i < 48; i++) { /* 2 names, three switches in each */
        name[i] = i / 24;
    }
    known = know(name, 48, 0);
    run(&o, &m, (struct hitop_simulation){.noise = 0.02, .seed = 13}, &known);
    expect(&o, &m, 7);
    hitop_discovery_clear(&o.found);
    hitop_host_groups_clear(&known);
}
END_TEST

START_TEST(sorts_known_groups_that_are_all_wrong)
{
    const struct machine m = make_machine(48, 12, 2);
    struct hitop_host_groups known;
    struct outcome o;
    int name[MOST];

    for (int i = 0; i < 48; i++) {
        name[i] = i % 5;
    }
    known = know(name, 48, 0);
    run(&o, &m, (struct hitop_simulation){.noise = 0.02, .seed = 14}, &known);
    expect(&o, &m, 7);
    ck_assert_int_le(o.found.groups.npairs, most_pairs(48));
    hitop_discovery_clear(&o.found);
    hitop_host_groups_clear(&known);
}
END_TEST

START_TEST(sorts_known_groups_of_hosts_that_are_all_far)
{
    const struct machine m = make_machine(48, 12, 0);
    struct hitop_host_groups known;
    struct outcome o;
    int name[MOST];

    for (int i = 0; i < 48; i++) { /* one host of each switch */
        name[i] = i % 12;
    }
    known = know(name, 48, 0);
    run(&o, &m, (struct hitop_simulation){.noise = 0.02, .seed = 15}, &known);
    expect(&o, &m, 5);
    hitop_discovery_clear(&o.found);
    hitop_host_groups_clear(&known);
}
END_TEST

/* Up to 60 hosts, thrown onto up to three levels. */
static struct machine draw_machine(uint64_t *state)
{
    const int depth = draw(state, 4), fan = 2 + draw(state, 5);
    struct machine m = {.nhosts = 2 + draw(state, 59), .spread = 0.01};

    m.far[3] = 1.8e-6;
    for (int level = 2; level >= 0; level--) {
        m.far[level] = m.far[level + 1] * (level < 3 - depth ? 1 : 1.3 + 0.02 * draw(state, 100));
    }
    for (int i = 0; i < m.nhosts; i++) {
        for (int level = 3 - depth; level < 3; level++) {
            m.place[i][level] = draw(state, 1 + draw(state, fan));
        }
    }
    return m;
}

static int holds(const struct hitop_host_groups *g, int group, int host)
{
    int at = g->innermost[host];

    while (at >= 0 && at != group) {
        at = g->group[at].parent;
    }
    return at == group;
}

/* Whether one of the groups has the same hosts as a known one. */
static int has_same(const struct hitop_host_groups *g, const struct hitop_host_groups *known, int k)
{
    int differs = 1;

    for (int i = 0; i < g->ngroups && differs; i++) {
        differs = 0;
        for (int host = 0; host < g->nhosts; host++) {
            differs += holds(g, i, host) != holds(known, k, host);
        }
    }
    return !differs;
}

/* A pair of near hosts among many that are far from each other may be missed; not more. */
START_TEST(misses_little_of_any_machine)
{
    uint64_t state = draw_seed();
    int wrong = 0, pairs = 0;

    for (int k = 0; k < 150; k++) {
        const struct machine m = draw_machine(&state);
        struct hitop_host_groups known;
        struct outcome o;
        int name[MOST];
        for (int i = 0; i < m.nhosts; i++) {
            name[i] = k % 3 == 1 ? draw(&state, 4) : m.place[i][0];
        }
        known = know(name, m.nhosts, 0);
        drop_empty(&known);
        run(&o, &m, (struct hitop_simulation){.noise = 0.03, .spikes = 0.02, .seed = 16},
            k % 3 > 0 ? &known : NULL);
        ck_assert_int_le(o.found.groups.npairs, most_pairs(m.nhosts));
        wrong += count_wrong(&m, &o.found.groups);
        pairs += m.nhosts * (m.nhosts - 1) / 2;
        hitop_discovery_clear(&o.found);
        hitop_host_groups_clear(&known);
    }
    ck_assert_msg(wrong < 0.005 * pairs, "%d of %d pairs", wrong, pairs);
}
END_TEST

START_TEST(keeps_groups_of_a_source_whatever_is_measured)
{
    uint64_t state = draw_seed();

    for (int k = 0; k < 100; k++) {
        const struct machine m = draw_machine(&state);
        struct hitop_host_groups known;
        struct outcome o;
        int name[MOST];
        for (int i = 0; i < m.nhosts; i++) {
            name[i] = draw(&state, 5);
        }
        known = know(name, m.nhosts, 1);
        drop_empty(&known);
        run(&o, &m, (struct hitop_simulation){.noise = 0.03, .seed = 17}, &known);
        for (int i = 0; i < known.ngroups; i++) {
            int hosts = 0;
            for (int host = 0; host < m.nhosts; host++) {
                hosts += holds(&known, i, host);
            }
            ck_assert(hosts < 2 || has_same(&o.found.groups, &known, i));
        }
        hitop_discovery_clear(&o.found);
        hitop_host_groups_clear(&known);
    }
}
END_TEST

START_TEST(refuses_what_it_cannot_do)
{
    const struct machine m = make_machine(4, 2, 0);
    static const int name[5] = {0};
    struct hitop_host_groups known = know(name, 5, 0);
    struct hitop_discover_options options;
    struct outcome o;

    hitop_discover_defaults(&options);
    run_with(&o, &m, (struct hitop_simulation){.seed = 1}, &known, options);
    ck_assert_int_eq(o.status, HITOP_ERR_INVALID);
    ck_assert_str_eq(o.diag.message, "groups: 5 hosts are known, 4 are to be measured");
    hitop_host_groups_clear(&known);
    known = know((const int[]){0, 0, 2, 2}, 4, 0); /* group 2 is empty */
    run_with(&o, &m, (struct hitop_simulation){.seed = 1}, &known, options);
    ck_assert_int_eq(o.status, HITOP_ERR_INVALID);
    ck_assert_str_eq(o.diag.message,
                     "groups: known groups are not nested, or one of them is empty");
    options.step = 1;
    run_with(&o, &m, (struct hitop_simulation){.seed = 1}, NULL, options);
    ck_assert_int_eq(o.status, HITOP_ERR_INVALID);
    ck_assert_ptr_null(o.found.groups.group);
    hitop_host_groups_clear(&known);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, finds_switches_with_a_tenth_of_the_pairs);
    tcase_add_test(tc, finds_many_switches);
    tcase_add_test(tc, finds_groups_whatever_the_order_of_hosts);
    tcase_add_test(tc, finds_three_levels);
    tcase_add_loop_test(tc, finds_no_groups_where_there_are_none, 1, 41);
    tcase_add_test(tc, finds_groups_of_unequal_size_and_small_machines);
    tcase_add_test(tc, reports_one_slow_host_and_leaves_the_others_together);
    tcase_add_test(tc, reports_one_slow_link);
    tcase_add_test(tc, bears_spikes_coarse_clocks_and_links_that_differ_by_direction);
    tcase_add_test(tc, resolves_a_step_that_a_first_look_does_not);
    tcase_add_test(tc, says_what_noise_leaves_open);
    tcase_add_test(tc, keeps_to_its_budget_and_says_what_it_did_not_search);
    tcase_add_test(tc, never_measures_more_than_a_few_n_log_n_pairs);
    tcase_add_test(tc, runs_pairs_at_once_only_where_they_do_not_disturb_each_other);
    tcase_add_test(tc, repeats_itself_for_one_seed);
    tcase_add_test(tc, confirms_known_groups_with_fewer_pairs);
    tcase_add_test(tc, merges_known_groups_that_do_not_differ);
    tcase_add_test(tc, splits_known_groups_that_differ_inside);
    tcase_add_test(tc, sorts_known_groups_that_are_all_wrong);
    tcase_add_test(tc, sorts_known_groups_of_hosts_that_are_all_far);
    tcase_add_test(tc, misses_little_of_any_machine);
    tcase_add_test(tc, keeps_groups_of_a_source_whatever_is_measured);
    tcase_add_test(tc, refuses_what_it_cannot_do);
}

TEST_MAIN("discover", add_tests)

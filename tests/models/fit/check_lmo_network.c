/* SPDX-License-Identifier: BSD-3-Clause */
/* check_lmo_network.c - from a simulated network to the prices of pairs that were not measured. */
#include <config.h>

#include "models/fit/estimate.h"
#include "models/fit/validation.h"

#include "hitop/measure.h"

#include "tests/support/promise.h"
#include "tests/support/test_main.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_HOSTS = 32, MAX_GROUPS = 64 };

/* Sites of so many hosts each; processors differ at random, links of one kind are alike. */
struct network {
    int nsites, nhosts[4], ranks_per_host;
    double inside[2], near[2], far[2]; /* L and beta: in a host, in a site, between sites */
    double C[2], t[2];                 /* of processors, from the least to the most */
    double unlike;                     /* links are longer or shorter by at most this share */
    unsigned int seed;
};

static double between(unsigned int *state, const double *limit)
{
    *state = *state * 1103515245u + 12345u;
    return limit[0] + (limit[1] - limit[0]) * (*state >> 8) / 16777216.0;
}

static struct hitop_hierarchy *make_hierarchy(const struct network *n, int *host_of)
{
    struct hitop_hierarchy_builder *b = hitop_hierarchy_builder_new();
    const int root = hitop_hierarchy_builder_group(b, "root", "");
    struct hitop_hierarchy *h = NULL;
    int rank = 0, host = 0;

    for (int s = 0; s < n->nsites; s++) {
        const int site = hitop_hierarchy_builder_group(b, "domain", "");
        hitop_hierarchy_builder_edge(b, site, root);
        for (int i = 0; i < n->nhosts[s]; i++, host++) {
            const int group = hitop_hierarchy_builder_group(b, "host", "");
            char name[16];
            (void)snprintf(name, sizeof(name), "n%02d", host);
            hitop_hierarchy_builder_edge(b, group, site);
            for (int k = 0; k < n->ranks_per_host; k++, rank++) {
                const int leaf = hitop_hierarchy_builder_leaf(b, rank, name);
                hitop_hierarchy_builder_edge(b, leaf, group);
                host_of[rank] = host;
            }
        }
    }
    ck_assert_int_eq(hitop_hierarchy_builder_finish(b, &h, NULL), HITOP_OK);
    hitop_hierarchy_builder_free(b);
    return h;
}

/* The kind of group gives the parameters of links: of ranks, of hosts, of sites. */
static int make_classes(const struct network *n, const struct hitop_hierarchy *h,
                        struct hitop_class *out)
{
    const double *const params[] = {n->inside, n->near, n->far};
    int nclasses = 0;

    for (int node = hitop_hierarchy_nranks(h); node < hitop_hierarchy_nnodes(h); node++) {
        int count;
        (void)hitop_hierarchy_children(h, node, &count);
        if (count > 1) {
            out[nclasses++] =
                (struct hitop_class){.node = node,
                                     .pair = {HITOP_NO_RANK, HITOP_NO_RANK},
                                     .params = params[2 - hitop_hierarchy_depth(h, node)]};
        }
    }
    return nclasses;
}

static struct hitop_model *make_truth(const struct network *n)
{
    double numbers[MAX_HOSTS][2];
    struct hitop_processor processors[MAX_HOSTS];
    struct hitop_class classes[MAX_GROUPS];
    int host_of[8 * MAX_HOSTS];
    struct hitop_hierarchy *h = make_hierarchy(n, host_of);
    struct hitop_model_parts parts = {.type = "lmo",
                                      .hierarchy = h,
                                      .classes = classes,
                                      .processors = processors,
                                      .processor_of = host_of};
    struct hitop_model *model = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    unsigned int state = n->seed;

    parts.nclasses = make_classes(n, h, classes);
    for (int s = 0; s < n->nsites; s++) {
        for (int i = 0; i < n->nhosts[s]; i++) {
            double *number = numbers[parts.nprocessors];
            number[0] = between(&state, n->C);
            number[1] = between(&state, n->t);
            processors[parts.nprocessors++] =
                (struct hitop_processor){.rank = HITOP_NO_RANK, .params = number};
        }
    }
    ck_assert_msg(hitop_model_build(&parts, &model, &diag) == HITOP_OK, "%s", diag.message);
    hitop_hierarchy_free(h);
    return model;
}

/* A model of links that are alike, and how unlike they are. */
struct machine {
    struct hitop_model *model;
    double unlike;
};

static double p2p(const void *self, int from, int to, size_t bytes)
{
    static const double limit[2] = {-1, 1};
    const struct machine *m = self;
    const int low = from < to ? from : to, high = from < to ? to : from;
    unsigned int state = (unsigned int)(low * 64 + high) * 2654435761u;

    return hitop_model_p2p(m->model, from, to, bytes) * (1 + m->unlike * between(&state, limit));
}

static double occupancy(const void *self, int from, int to, size_t bytes)
{
    return hitop_model_occupancy(((const struct machine *)self)->model, from, to, bytes);
}

static const size_t sizes[] = {0, 1, 64, 1024, 4096, 16384, 65536, 262144, 1048576};
static const size_t triple_sizes[] = {0, 16384};

enum { NSIZES = sizeof(sizes) / sizeof(sizes[0]), PASSES = 6 };

/* What was measured on a simulated network, and what became of it. */
struct trial {
    struct hitop_link *link, *triple;
    struct hitop_measurement of_links, of_triples;
    struct hitop_model *lmo, *hockney;
};

static void measure(struct hitop_transport *t, const struct hitop_link *link, int n,
                    struct hitop_measure_options *o, struct hitop_measured *out,
                    struct hitop_measurement *m)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;

    ck_assert_msg(hitop_measure(t, link, n, o, m, &diag) == HITOP_OK, "%s", diag.message);
    *out = (struct hitop_measured){
        .links = link, .nlinks = n, .confidence = o->confidence, .curves = m->curves};
}

static struct trial estimate(const struct machine *machine, double noise, unsigned long long seed)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(machine->model);
    const struct hitop_simulation what = {.truth = {.self = machine,
                                                    .nranks = hitop_hierarchy_nranks(h),
                                                    .p2p = p2p,
                                                    .occupancy = occupancy},
                                          .noise = noise,
                                          .seed = seed};
    struct hitop_measure_options options;
    struct hitop_measured links, triples = {0};
    struct hitop_transport transport;
    struct trial t = {0};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int nlinks, ntriples;

    hitop_measure_defaults(&options);
    options.sizes = sizes;
    options.nsizes = NSIZES;
    options.budget = 1000;
    options.seed = seed;
    ck_assert_int_eq(hitop_transport_simulated(&what, &transport, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_links_choose(h, &t.link, &nlinks, NULL), HITOP_OK);
    measure(&transport, t.link, nlinks, &options, &links, &t.of_links);
    options.experiments = HITOP_TRIPLE_SET;
    options.sizes = triple_sizes;
    options.nsizes = 2;
    if (hitop_triples_choose(h, PASSES, seed, &t.triple, &ntriples, &diag) == HITOP_OK) {
        measure(&transport, t.triple, ntriples, &options, &triples, &t.of_triples);
    }
    ck_assert_msg(hitop_measure_fit("lmo", h, &links, &triples, NULL, &t.lmo, &diag) == HITOP_OK,
                  "%s", diag.message);
    ck_assert_int_eq(hitop_measure_fit("hockney", h, &links, NULL, NULL, &t.hockney, NULL),
                     HITOP_OK);
    transport.close(transport.self);
    return t;
}

static void trial_clear(struct trial *t)
{
    hitop_model_free(t->lmo);
    hitop_model_free(t->hockney);
    hitop_measurement_clear(&t->of_links);
    hitop_measurement_clear(&t->of_triples);
    free(t->link);
    free(t->triple);
}

enum kind { INSIDE = 1, BETWEEN = 2 };

/* Errors of all pairs of these kinds, inside hosts and between them, that no link stands for
 * itself. */
static struct hitop_errors held_out(const struct hitop_model *model, const struct machine *truth,
                                    int kinds)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(model);
    static double error[64 * 64 * NSIZES];
    const int nranks = hitop_model_nranks(model);
    int n = 0;

    for (int i = 0; i < nranks; i++) {
        for (int j = i + 1; j < nranks; j++) {
            const int *measured = hitop_model_class_of(model, i, j)->pair;
            const int kind = hitop_hierarchy_share_host(h, i, j) ? INSIDE : BETWEEN;
            const int counts = kind & kinds && !(measured[0] == i && measured[1] == j);
            for (int s = 0; counts && s < NSIZES; s++) {
                error[n++] =
                    log(hitop_model_p2p(model, i, j, sizes[s]) / p2p(truth, i, j, sizes[s]));
            }
        }
    }
    return hitop_errors_of(error, n);
}

/* Mean relative error of one parameter of the hosts' processors. */
static double off(const struct hitop_model *model, const struct hitop_model *truth, size_t param)
{
    const int nranks = hitop_model_nranks(truth);
    double sum = 0;

    for (int rank = 0; rank < nranks; rank++) {
        const struct hitop_model *of[] = {model, truth};
        double value[2];
        for (int k = 0; k < 2; k++) {
            value[k] =
                hitop_model_processor(of[k], hitop_model_processor_of(of[k], rank))->params[param];
        }
        sum += fabs(value[0] / value[1] - 1);
    }
    return sum / nranks;
}

/* Mean over some runs. */
struct outcome {
    double median, q90, C, t;
    double hockney_median, hockney_q90;
};

static struct outcome try_often(const char *what, const struct network *network, double noise,
                                int ntrials)
{
    struct outcome out = {0};

    for (int k = 0; k < ntrials; k++) {
        struct network n = *network;
        struct machine machine = {.unlike = network->unlike};
        struct hitop_errors lmo, hockney;
        struct trial t;
        n.seed += (unsigned int)k;
        machine.model = make_truth(&n);
        t = estimate(&machine, noise, 71 + (unsigned int)k);
        lmo = held_out(t.lmo, &machine, INSIDE | BETWEEN);
        hockney = held_out(t.hockney, &machine, INSIDE | BETWEEN);
        out.median += lmo.median / ntrials;
        out.q90 += lmo.q90 / ntrials;
        out.C += off(t.lmo, machine.model, 0) / ntrials;
        out.t += off(t.lmo, machine.model, 1) / ntrials;
        out.hockney_median += hockney.median / ntrials;
        out.hockney_q90 += hockney.q90 / ntrials;
        hitop_model_free(machine.model);
        trial_clear(&t);
    }
    printf("%-28s pairs %.2g %.2g %%, C %.2g %%, t %.2g %%; hockney %.2g %.2g %%\n", what,
           100 * out.median, 100 * out.q90, 100 * out.C, 100 * out.t, 100 * out.hockney_median,
           100 * out.hockney_q90);
    return out;
}

/* Processors that take 5 us or so, links of 200 us, and sites 5 ms apart. */
static const struct network two_sites = {.nsites = 2,
                                         .nhosts = {4, 4},
                                         .ranks_per_host = 1,
                                         .inside = {1e-6, 1e-10},
                                         .near = {205e-6, 7e-9},
                                         .far = {5e-3, 4e-8},
                                         .C = {7e-6, 13e-6},
                                         .t = {0.5e-9, 1e-9},
                                         .seed = 1};

START_TEST(links_that_dwarf_processors_do_not_spoil_prices)
{
    struct network alike = two_sites, unlike = two_sites;
    struct outcome o = try_often("two sites", &two_sites, 0.02, 4);

    ck_assert_double_le(o.q90, 0.02);
    unlike.unlike = 0.03;
    o = try_often("two sites, links unlike", &unlike, 0.02, 4);
    ck_assert_double_le(o.q90, 0.05);
    alike.C[1] = alike.C[0];
    alike.t[1] = alike.t[0];
    o = try_often("two sites, hosts alike", &alike, 0.02, 4);
    ck_assert_double_le(o.q90, 0.02);
}
END_TEST

/* Two hosts at each of three sites: all triples cross sites and give almost no information. */
START_TEST(triples_that_go_far_leave_prices_as_measured)
{
    const struct network network = {.nsites = 3,
                                    .nhosts = {2, 2, 2},
                                    .ranks_per_host = 1,
                                    .inside = {1e-6, 1e-10},
                                    .near = {20e-6, 1e-9},
                                    .far = {5e-3, 1e-9},
                                    .C = {2e-6, 2e-6},
                                    .t = {0.5e-9, 0.5e-9},
                                    .seed = 3};
    struct machine machine = {.model = make_truth(&network)};
    struct trial t = estimate(&machine, 0.05, 7);

    for (int i = 0; i < 6; i += 2) {
        for (int s = 0; s < NSIZES; s++) {
            const double found = hitop_model_p2p(t.lmo, i, i + 1, sizes[s]);
            ck_assert_double_le(fabs(log(found / p2p(&machine, i, i + 1, sizes[s]))), 0.06);
        }
    }
    hitop_model_free(machine.model);
    trial_clear(&t);
}
END_TEST

/* Each host leads as often as there are passes; where a site has three hosts they stay among
 * themselves. In a round no host is in two triples. */
START_TEST(partners_are_near)
{
    const struct network network = {.nsites = 4, .nhosts = {3, 2, 8, 1}, .ranks_per_host = 1};
    int host_of[MAX_HOSTS], site[MAX_HOSTS], led[MAX_HOSTS] = {0}, busy[MAX_HOSTS], n = 0;
    struct hitop_hierarchy *h = make_hierarchy(&network, host_of);
    struct hitop_link *triple = NULL;
    int ntriples;

    for (int s = 0; s < network.nsites; s++) {
        for (int i = 0; i < network.nhosts[s]; i++) {
            site[n++] = s;
        }
    }
    memset(busy, -1, sizeof(busy));
    ck_assert_int_eq(hitop_triples_choose(h, PASSES, 1, &triple, &ntriples, NULL), HITOP_OK);
    ck_assert_int_eq(ntriples, PASSES * n);
    for (int i = 0; i < ntriples; i++) {
        const struct hitop_link *l = &triple[i];
        const int rank[] = {l->rank[0], l->rank[1], l->third};
        ck_assert(l->node == i && (i == 0 || l->round >= l[-1].round));
        ck_assert(rank[0] != rank[1] && rank[0] != rank[2] && rank[1] != rank[2]);
        led[rank[0]]++;
        for (int k = 0; k < 3; k++) {
            ck_assert_int_lt(busy[rank[k]], l->round);
            busy[rank[k]] = l->round;
            ck_assert(network.nhosts[site[rank[0]]] < 3 || site[rank[k]] == site[rank[0]]);
        }
    }
    for (int i = 0; i < n; i++) {
        ck_assert_int_eq(led[i], PASSES);
    }
    free(triple);
    hitop_hierarchy_free(h);
}
END_TEST

/* 16 hosts on one switch, whose processors take half of the time. */
static const struct network differing = {.nsites = 1,
                                         .nhosts = {16},
                                         .ranks_per_host = 1,
                                         .inside = {1e-6, 1e-10},
                                         .near = {20e-6, 9e-9},
                                         .C = {9e-6, 15e-6},
                                         .t = {3e-9, 6e-9},
                                         .seed = 5};

START_TEST(processors_that_differ_are_distinguished)
{
    struct network unlike = differing;
    struct outcome o = try_often("16 hosts that differ, 0.5 %", &differing, 0.005, 2);

    ck_assert_double_le(o.q90, 0.005);
    o = try_often("16 hosts that differ, 2 %", &differing, 0.02, 2);
    ck_assert_double_le(o.q90, 0.02);
    unlike.unlike = 0.03;
    o = try_often("16 hosts, links unlike", &unlike, 0.005, 2);
    ck_assert_double_le(o.q90, 0.06);
}
END_TEST

/* Several ranks on each host; of fewer than three hosts nothing is known of processors. */
START_TEST(ranks_share_hosts)
{
    static const struct {
        int nsites, nhosts, ranks_per_host, ninside, nbetween;
    } table[] = {{1, 2, 3, 4, 8}, {1, 4, 2, 0, 23}, {1, 1, 4, 5, 0}, {2, 3, 3, 12, 132}};

    for (int k = 0; k < 2; k++) {
        struct network n = differing;
        struct machine machine = {0};
        struct hitop_errors inside, between;
        struct trial t;
        n.nsites = table[_i].nsites;
        n.nhosts[0] = n.nhosts[1] = table[_i].nhosts;
        n.ranks_per_host = table[_i].ranks_per_host;
        machine.model = make_truth(&n);
        t = estimate(&machine, 0.02 * k, 9);
        inside = held_out(t.lmo, &machine, INSIDE);
        between = held_out(t.lmo, &machine, BETWEEN);
        ck_assert_int_eq(hitop_model_nprocessors(t.lmo),
                         table[_i].nhosts < 3 ? 0 : n.nsites * table[_i].nhosts);
        ck_assert_int_eq(inside.n, table[_i].ninside * NSIZES);
        ck_assert_int_eq(between.n, table[_i].nbetween * NSIZES);
        printf("%d x %d hosts of %d ranks: inside %.2g %%, between %.2g %%\n", n.nsites,
               table[_i].nhosts, n.ranks_per_host, 100 * inside.largest, 100 * between.largest);
        ck_assert_double_le(inside.largest, k ? 0.02 : 1e-6);
        ck_assert_double_le(between.largest, k ? 0.02 : 1e-6);
        ck_assert_double_eq(hitop_model_occupancy(t.lmo, 0, 1, 5000),
                            table[_i].ranks_per_host > 1
                                ? hitop_model_p2p(t.lmo, 0, 1, 5000)
                                : hitop_model_occupancy(t.lmo, 0, 1, 5000));
        hitop_model_free(machine.model);
        trial_clear(&t);
    }
}
END_TEST

/* If groups do not show whether two ranks share a host, kinds do. */
START_TEST(kinds_know_hosts)
{
    static const char *const hosts[][4] = {
        {"a", "b", "a", "c"}, {"a", "a", "a", "a"}, {"a", "b", "c", "d"}, {"b", "a", "a", "a"}};
    static const int nkinds[] = {2, 1, 1,
                                 2}; /* a loose, no other; all on one; none shared; a loose */
    const double params[] = {5e-6, 1e-9}, of_processor[] = {2e-6, 1e-10};
    const struct hitop_class whole = {
        .node = 4, .pair = {HITOP_NO_RANK, HITOP_NO_RANK}, .params = params};
    const struct hitop_processor processor = {.rank = HITOP_NO_RANK, .params = of_processor};

    for (int k = 0; k < 4; k++) {
        struct hitop_hierarchy *h = NULL;
        struct hitop_model *model = NULL;
        struct hitop_cost cost;
        ck_assert_int_eq(hitop_hierarchy_flat(hosts[k], 4, &h, NULL), HITOP_OK);
        ck_assert_int_eq(hitop_model_build(&(struct hitop_model_parts){.type = "lmo",
                                                                       .hierarchy = h,
                                                                       .classes = &whole,
                                                                       .nclasses = 1,
                                                                       .processors = &processor,
                                                                       .nprocessors = 1},
                                           &model, NULL),
                         HITOP_OK);
        cost = hitop_model_cost(model);
        ck_assert_int_eq(cost.kind != NULL, nkinds[k] > 1);
        expect_promise(&cost, 1000);
        ck_assert_double_eq_tol(cost.p2p(cost.self, 2, 1, 1000), k == 0 || k == 2 ? 10.2e-6 : 6e-6,
                                1e-15);
        hitop_model_free(model);
        hitop_hierarchy_free(h);
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, links_that_dwarf_processors_do_not_spoil_prices);
    tcase_add_test(tc, triples_that_go_far_leave_prices_as_measured);
    tcase_add_test(tc, partners_are_near);
    tcase_add_loop_test(tc, ranks_share_hosts, 0, 4);
    tcase_add_test(tc, kinds_know_hosts);
    tcase_add_test(tc, processors_that_differ_are_distinguished);
}

TEST_MAIN("lmo network", add_tests)

/* SPDX-License-Identifier: BSD-3-Clause */
/* check_names.c - groups read from host names mean the same whatever else changes. */
#include <config.h>

#include "hitop/source.h"

#include "tests/support/test_main.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>

enum { MAX_HOSTS = 60, MAX_NAME = 128 };

/* Host names; that of rank r is about host[r % n]. */
struct set {
    char title[64];
    char host[MAX_HOSTS][MAX_NAME];
    int n;
};

/* The groups of a hierarchy as sets of hosts: one bit for each. */
struct groups {
    uint64_t members[4 * MAX_HOSTS];
    int n;
};

static void read_hosts(const char *list, struct set *set)
{
    char *copy = strdup(list), *rest = NULL;

    set->n = 0;
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        ck_assert_int_lt(set->n, MAX_HOSTS);
        (void)snprintf(set->host[set->n++], MAX_NAME, "%s", word);
    }
    free(copy);
}

static struct hitop_hierarchy *group(const char *const *host, int n,
                                     const struct hitop_grouping *how)
{
    struct hitop_place place[2 * MAX_HOSTS];
    struct hitop_hierarchy *h = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    for (int i = 0; i < n; i++) {
        place[i] = (struct hitop_place)HITOP_PLACE_INIT(host[i]);
    }
    ck_assert_msg(hitop_hierarchy_group(place, n, how, &h, &diag) == HITOP_OK, "%s", diag.message);
    return h;
}

static int by_value(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static uint64_t collect(const struct hitop_hierarchy *h, int node, const int *host_of,
                        struct groups *out)
{
    uint64_t members = 0;
    int count;
    const int *child = hitop_hierarchy_children(h, node, &count);

    if (count == 0) {
        return (uint64_t)1 << host_of[node];
    }
    for (int i = 0; i < count; i++) {
        members |= collect(h, child[i], host_of, out);
    }
    if (count > 1 && (members & (members - 1)) != 0) {
        out->members[out->n++] = members;
    }
    return members;
}

/* The groups of some hosts, the i-th of which is the one that bit host_of[i] stands for. */
static struct groups groups_of(const char *const *host, const int *host_of, int n)
{
    static const struct hitop_grouping how = {0};
    struct hitop_hierarchy *h = group(host, n, &how);
    struct groups out = {.n = 0};

    (void)collect(h, hitop_hierarchy_root(h), host_of, &out);
    qsort(out.members, (size_t)out.n, sizeof(*out.members), by_value);
    hitop_hierarchy_free(h);
    return out;
}

static void expect_equal(const struct groups *x, const struct groups *y, const char *set,
                         const char *what)
{
    ck_assert_msg(x->n == y->n && memcmp(x->members, y->members, sizeof(x->members)) == 0,
                  "set %s changes with %s", set, what);
}

/* Call a check with each set of testdata/hierarchy/host-names.txt. */
static void for_each_set(void (*check)(const struct set *, const struct groups *))
{
    const char *dir = getenv("srcdir");
    char path[1024], line[4096];
    struct set set = {.n = 0};
    int nsets = 0;
    FILE *file;

    (void)snprintf(path, sizeof(path), "%s/../testdata/hierarchy/host-names.txt", dir ? dir : ".");
    file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof(line), file)) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "set ", 4) == 0) {
            (void)snprintf(set.title, sizeof(set.title), "%.60s", line + 4);
        } else if (strncmp(line, "hosts ", 6) == 0) {
            const char *host[MAX_HOSTS];
            int host_of[MAX_HOSTS];
            struct groups groups;
            read_hosts(line + 6, &set);
            for (int i = 0; i < set.n; i++) {
                host[i] = set.host[i];
                host_of[i] = i;
            }
            groups = groups_of(host, host_of, set.n);
            check(&set, &groups);
            nsets++;
        }
    }
    ck_assert_int_ge(nsets, 30);
    (void)fclose(file);
}

static uint64_t state;

/* xorshift64*: a number in 0..bound-1. */
static int draw(int bound)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (int)((state * 0x2545f4914f6cdd1dull) >> 33) % bound;
}

static void check_order(const struct set *set, const struct groups *expected)
{
    for (int trial = 0; trial < 5; trial++) {
        const char *host[MAX_HOSTS];
        int host_of[MAX_HOSTS];
        struct groups groups;

        for (int i = 0; i < set->n; i++) {
            const int other = draw(i + 1);
            host_of[i] = host_of[other];
            host_of[other] = i;
        }
        for (int i = 0; i < set->n; i++) {
            host[i] = set->host[host_of[i]];
        }
        groups = groups_of(host, host_of, set->n);
        expect_equal(&groups, expected, set->title, "order");
    }
}

START_TEST(does_not_depend_on_the_order_of_hosts)
{
    const char *seed = getenv("HITOP_TEST_SEED");

    state = seed ? strtoull(seed, NULL, 10) | 1 : 20261;
    printf("HITOP_TEST_SEED=%llu\n", (unsigned long long)state);
    for_each_set(check_order);
}
END_TEST

static void check_repeated(const struct set *set, const struct groups *expected)
{
    const char *host[2 * MAX_HOSTS];
    int host_of[4 * MAX_HOSTS];
    struct groups groups;

    for (int i = 0; i < 2 * set->n; i++) {
        host[i] = set->host[i % set->n];
        host_of[i] = i % set->n;
    }
    groups = groups_of(host, host_of, 2 * set->n);
    expect_equal(&groups, expected, set->title, "a second rank on each host");
}

START_TEST(does_not_depend_on_the_number_of_ranks)
{
    for_each_set(check_repeated);
}
END_TEST

/* Change every name by the same rule and group again. */
static void check_changed(const struct set *set, const struct groups *expected, int upper,
                          const char *prefix, const char *what)
{
    struct set changed = *set;
    const char *host[MAX_HOSTS];
    int host_of[MAX_HOSTS];
    struct groups groups;

    for (int i = 0; i < set->n; i++) {
        (void)snprintf(changed.host[i], MAX_NAME, "%s%.100s", prefix, set->host[i]);
        for (char *p = changed.host[i]; upper && *p; p++) {
            *p = (char)(upper == 1 || (p - changed.host[i] + i) % 2 ? toupper(*p) : tolower(*p));
        }
        host[i] = changed.host[i];
        host_of[i] = i;
    }
    groups = groups_of(host, host_of, set->n);
    expect_equal(&groups, expected, set->title, what);
}

static void check_case(const struct set *set, const struct groups *expected)
{
    check_changed(set, expected, 1, "", "upper case");
    check_changed(set, expected, 2, "", "mixed case");
}

START_TEST(does_not_depend_on_case)
{
    for_each_set(check_case);
}
END_TEST

static void check_prefix(const struct set *set, const struct groups *expected)
{
    static const char *const prefixes[] = {"zz-", "zz7-", "z-7_", "zz", "zz7"};
    const int is_address = isdigit((unsigned char)set->host[0][0]) && strchr(set->host[0], '.');
    const int is_bare_identifier = strcmp(set->title, "container-ids") == 0;

    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
        const int is_glued = prefixes[i][strlen(prefixes[i]) - 1] != '-';
        /* what follows makes another kind of name of these */
        if (!is_address && !(is_bare_identifier && is_glued)) {
            check_changed(set, expected, 0, prefixes[i], prefixes[i]);
        }
    }
}

START_TEST(does_not_depend_on_what_all_names_begin_with)
{
    for_each_set(check_prefix);
}
END_TEST

static void print_groups(FILE *to, const struct hitop_hierarchy *h, int node)
{
    int count;
    const int *child = hitop_hierarchy_children(h, node, &count);
    const char *confidence = hitop_hierarchy_attr(h, node, "confidence");

    if (count == 0) {
        fprintf(to, "%d", node);
        return;
    }
    if (node != hitop_hierarchy_root(h) || hitop_hierarchy_name(h, node)[0]) {
        fprintf(to, "%s %s %s", hitop_hierarchy_level(h, node), hitop_hierarchy_name(h, node),
                confidence ? confidence : "");
    }
    fputs("(", to);
    for (int i = 0; i < count; i++) {
        fputs(i > 0 ? " " : "", to);
        print_groups(to, h, child[i]);
    }
    fputs(")", to);
}

static void expect(const char *list, const struct hitop_grouping *how, const char *expected)
{
    struct set set;
    const char *host[MAX_HOSTS];
    struct hitop_hierarchy *h;
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);

    read_hosts(list, &set);
    for (int i = 0; i < set.n; i++) {
        host[i] = set.host[i];
    }
    h = group(host, set.n, how);
    print_groups(to, h, hitop_hierarchy_root(h));
    ck_assert_int_eq(fclose(to), 0);
    ck_assert_str_eq(text, expected);
    free(text);
    hitop_hierarchy_free(h);
}

static const struct {
    const char *hosts, *groups;
} readings[] = {
    /* classes, and what they are worth */
    {"cn1 cn2 gn1 gn2", "(cluster cn 0.4(0 1) cluster gn 0.4(2 3))"},
    {"gpu-a-1 gpu-a-2 gpu-b-1 gpu-b-2 cpu-a-1",
     "(cluster gpu 0.4(cluster gpu-a 0.4(0 1) cluster gpu-b 0.4(2 3)) 4)"},
    {"a1-west a2-west a1-east a2-east",
     "cluster a 0.4(cluster west 0.4(0 1) cluster east 0.4(2 3))"},
    {"a1n1 a1n2 a2n1 a2n2 b1", "(cluster a 0.6(group a1 0.6(0 1) group a2 0.6(2 3)) 4)"},
    {"x7-cn1 x7-cn2 x7-gn1 x7-gn2 x7-login",
     "group x7 0.6(cluster x7-cn 0.4(0 1) cluster x7-gn 0.4(2 3) 4)"},
    {"r1n1 r1n2 r1s1 r2n1 r2n2 r2s1", "cluster r 0.6(group r1 0.6(0 1 2) group r2 0.6(3 4 5))"},
    {"r1i0n0 r1i0n1 r1lead r2i0n0 r2i0n1 r2lead",
     "cluster r 0.6(group r1 0.6(group r1i0 0.6(0 1) 2) group r2 0.6(group r2i0 0.6(3 4) 5))"},
    {"x7-cn1 x7-cn2 x7-gn1 x7-gn2 x8-cn1",
     "cluster x 0.6(group x7 0.6(cluster x7-cn 0.6(0 1) cluster x7-gn 0.6(2 3)) 4)"},
    {"lab101-a1 lab101-a2 lab101-b1 lab102-a1 lab102-a2",
     "cluster lab 0.6(group lab101 0.6(cluster lab101-a 0.6(0 1) 2) cluster lab102-a 0.6(3 4))"},
    {"sh02-01n01 sh02-01n02 sh02-02n01 sh03-01n01",
     "cluster sh 0.6(group sh02 0.6(group sh02-01 0.6(0 1) 2) 3)"},
    {"n1 n2 n-gpu1 n-gpu2 n-gpu-a1 n-gpu-a2",
     "cluster n 0.4(cluster n 0.4(0 1) "
     "cluster n-gpu 0.4(cluster n-gpu 0.4(2 3) cluster n-gpu-a 0.4(4 5)))"},
    {"job-launcher job-worker-0 job-worker-1", "cluster job 0.4(0 cluster job-worker 0.4(1 2))"},
    {"n1-spot n2-ondemand n3-spot", "cluster n 0.4(0 1 2)"},
    /* what is alike everywhere does not count hosts */
    {"n1-10g n2-10g n11-10g", "cluster n 0.4(0 1 2)"},
    {"hpc2-n1 hpc2-n2 hpc2", "group hpc2 0.6(cluster hpc2-n 0.4(0 1) 2)"},
    {"r1n1 r2n1 r3n1", "cluster r 0.4(0 1 2)"},
    /* places wherever they stand */
    {"cn01-rack1 cn02-rack1 cn01-rack2 cn02-rack2",
     "cluster cn 0.6(rack rack1 0.7(0 1) rack rack2 0.7(2 3))"},
    {"cn01-rack1 cn02-rack1 gn01-rack1 gn02-rack1 cn03-rack2 cn04-rack2",
     "(rack rack1 0.7(cluster rack1-cn 0.6(0 1) cluster rack1-gn 0.6(2 3)) "
     "cluster rack2-cn 0.6(4 5))"},
    {"n1-rack1-row1 n2-rack1-row1 n1-rack2-row1 n2-rack2-row1 n1-rack1-row2 n2-rack1-row2",
     "cluster n 0.6(row row1 0.7(rack row1-rack1 0.7(0 1) rack row1-rack2 0.7(2 3)) "
     "rack row2-rack1 0.7(4 5))"},
    {"dc1-n1-rack1 dc1-n2-rack1 dc1-n1-rack2 dc2-n1-rack1 dc2-n2-rack1",
     "(datacenter dc1 0.7(rack dc1-rack1 0.7(0 1) 2) rack dc2-rack1 0.7(3 4))"},
    {"rack-1-node-1 rack-1-node-2 rack-2-node-1 rack-2-node-2",
     "(rack rack-1 0.7(0 1) rack rack-2 0.7(2 3))"},
    {"CN1-CAB1 cn2-cab1 cn1-Cab2 cn2-cab2",
     "cluster cn 0.6(cabinet cab1 0.7(0 1) cabinet cab2 0.7(2 3))"},
    {"pod-0 pod-1 web-0 web-1", "(cluster pod 0.4(0 1) cluster web 0.4(2 3))"},
    {"rack1 rack2 rack3", "cluster rack 0.4(0 1 2)"},
    {"n1-rack-a n2-rack-a n3-rackb n4-rackb",
     "cluster n 0.4(rack rack-a 0.7(0 1) rack rackb 0.7(2 3))"},
    {"n1-rackb-rowa n2-rackb-rowa n3-rackc-rowa n1-rackb-rowb",
     "cluster n 0.4(row rowa 0.7(rack rowa-rackb 0.7(0 1) 2) 3)"},
    {"n1-zone1a n2-zone1a n3-zone1b n4-zone2",
     "cluster n 0.6(zone zone1 0.7(group zone1a 0.5(0 1) 2) 3)"},
    {"n1-pods n2-pods n3-subs", "cluster n 0.4(cluster pods 0.4(0 1) 2)"},
    {"dc1-web-2 dc1-db-2 dc2-web-2", "(datacenter dc1 0.7(0 1) 2)"},
    {"job7-pod-0 job7-pod-1 job7-pod-2", "group job7 0.6(0 1 2)"},
    /* letters behind numbers, coordinates */
    {"blade1a blade1b blade2a blade2b",
     "cluster blade 0.4(group blade1 0.6(0 1) group blade2 0.6(2 3))"},
    {"r1n01a r1n01b r1n02a r2n01a r2n01b",
     "cluster r 0.6(group r1 0.6(group r1n01 0.6(0 1) 2) group r2n01 0.6(3 4))"},
    {"wn1i wn2i wn12i", "cluster wn 0.4(0 1 2)"},
    {"c0700a-s1 c0700a-s2 c0700b-s1 c0700b-s2 c0701a-s1",
     "cluster c 0.6(group c0700 0.6(group c0700a 0.5(0 1) group c0700b 0.5(2 3)) 4)"},
    {"q1-st-hpc7a-1 q1-dy-hpc7a-2 q1-dy-hpc7g-1 q1-dy-hpc7g-2",
     "group q1-hpc7 0.6(group q1-hpc7a 0.5(0 1) group q1-hpc7g 0.5(2 3))"},
    {"c0-0c0s0n0 c0-0c0s0n1 c1-0c0s0n0 c1-0c0s0n1 c0-1c0s0n0 c0-1c0s0n1",
     "cluster c 0.6(group c0-0c0s0 0.6(0 1) group c1-0c0s0 0.6(2 3) group c0-1c0s0 0.6(4 5))"},
    {"a25-0103c a25-0104c b01-0101c b01-0102c", "(group a25 0.6(0 1) group b01 0.6(2 3))"},
    /* interfaces, and what only looks like one */
    {"n1-ib0 n2-opa n3_hsn1 n4.hsn0 n5.hsn1", "cluster n 0.4(0 1 2 3 4)"},
    {"n1.ib0.x.org n2.x.org n1.y.org n2.y.org", "(domain x.org 0.8(0 1) domain y.org 0.8(2 3))"},
    {"hpc-eth01 hpc-eth02 hpc-cn01 hpc-cn02",
     "cluster hpc 0.4(cluster hpc-eth 0.4(0 1) cluster hpc-cn 0.4(2 3))"},
    {"r1-ib01 r1-ib02 r1-cn01 r1-cn02 r2-ib01",
     "cluster r 0.6(group r1 0.6(cluster r1-ib 0.6(0 1) cluster r1-cn 0.6(2 3)) 4)"},
    /* what machines make up */
    {"inst-8k2jd-hpc inst-z0x9q-hpc inst-aa1bc-hpc inst-8k3pq-gpu inst-x3kk1-gpu",
     "cluster inst 0.4(cluster inst-hpc 0.4(0 1 2) cluster inst-gpu 0.4(3 4))"},
    {"n009 n00a n00b n010 n01a n01b n1f0", "cluster n 0.4(0 1 2 3 4 5 6)"},
    {"r1c10 r1c11 r10c1 r10c2", "cluster r 0.6(group r1 0.6(0 1) group r10 0.6(2 3))"},
    {"x-00-25-90-4a-1b-2c x-00-25-90-4a-1b-2e x-00-25-90-4a-1c-01", "cluster x 0.4(0 1 2)"},
    {"sgh743x2lp sgh743x2lq sgh743x1aa sgh901yz01 czj0123456", "(0 1 2 3 4)"},
    {"v00000a v00000b v00001a v00001c", "cluster v 0.4(0 1 2 3)"},
    {"flex_1a2b3c4d flex_1e8d7c6b flex_0f1e2d3c flex_abcdef01", "cluster flex 0.4(0 1 2 3)"},
    {"k-e5v4-1 k-e5v4-2 k-8160-1 k-8160-2 k-4gpu-1 k-4gpu-2",
     "cluster k 0.6(group k-e5v4 0.6(0 1) group k-8160 0.6(2 3) group k-4gpu 0.5(4 5))"},
    {"nccl-x2k9q nccl-9fk2d nccl-4bq2d nccl-9f2k4", "cluster nccl 0.4(0 1 2 3)"},
    {"run-0189b1c2-3d4e-7f50-8a61-9b72c83d94e5 run-0189b1c2-3d4f-7f50-8a61-9b72c83d94e5",
     "cluster run 0.4(0 1)"},
    {"g-8ca1c0ea-x1y2 g-8ca1c0ea-1b2c g-77aa00bb-abcd", "cluster g 0.4(0 1 2)"},
    {"i-0123456789abcdef0 i-0123456789abcdef1 i-0923456789abcdef0", "cluster i 0.4(0 1 2)"},
    /* addresses */
    {"vm-10-0-0-5 vm-10-0-0-6 vm-10-0-1-5 vm-10-9-1-5",
     "subnet 10 0.3(subnet 10.0 0.3(subnet 10.0.0 0.3(0 1) 2) 3)"},
    {"ec2-34-1-2-5 ec2-34-1-2-6 ec2-34-1-3-7", "subnet 34.1 0.3(subnet 34.1.2 0.3(0 1) 2)"},
    {"n-1-2-3-1 n-1-2-3-2 m-1-2-3-1 m-1-2-3-2", "(group n-1-2-3 0.6(0 1) group m-1-2-3 0.6(2 3))"},
    {"n-10-02-3-1 n-10-02-3-2 n-10-02-4-1", "group n-10-02 0.6(group n-10-02-3 0.6(0 1) 2)"},
    {"2001:db8:1:2::5 2001:DB8:1:2:0::6 2001:db8:1:3::5 [2001:db8:1:3::6%eth0]",
     "(subnet 2001:db8:1:2::/64 0.3(0 1) subnet 2001:db8:1:3::/64 0.3(2 3))"},
    {"n-10-0-0-256 n-10-0-0-5", "(0 1)"},
    {":: :::: ::1%", "(subnet ::/64 0.3(0 2) 1)"},
    /* full names that end in a dot */
    {"a1.x.org. b1.x.org a1.y.org", "(domain x.org 0.8(0 1) 2)"},
};

START_TEST(reads_names)
{
    static const struct hitop_grouping how = {0};

    expect(readings[_i].hosts, &how, readings[_i].groups);
}
END_TEST

static const char *const csi_hcl[] = {"CSI", "hcl"};

static const struct {
    struct hitop_grouping how;
    const char *hosts, *groups;
} requests[] = {
    {{.block = 2},
     "node001 node002 node003 node004",
     "cluster node 0.4(block node[1-2] 1(0 1) block node[3-4] 1(2 3))"},
    {{.block = 2},
     "nid001003 nid001002 nid001000 nid001001",
     "cluster nid 0.4(block nid[1002-1003] 1(0 1) block nid[1000-1001] 1(2 3))"},
    {{.block = 2}, "n1 n4 n5 n3", "cluster n 0.4(0 block n[3-4] 1(1 3) 2)"},
    {{.block = 4}, "n1 n4 n5 n8 n99", "cluster n 0.4(block n[1-4] 1(0 1) block n[5-8] 1(2 3) 4)"},
    {{.block = 2},
     "r1n1 r1n2 r1n3 r1n4 r2n7 r2n8 r2n9 r2n10",
     "cluster r 0.6(group r1 0.6(block r1[1-2] 1(0 1) block r1[3-4] 1(2 3)) "
     "group r2 0.6(block r2[7-8] 1(4 5) block r2[9-10] 1(6 7)))"},
    {{.block = 2},
     "cn1-rack1 cn2-rack1 cn3-rack1 cn4-rack1 login",
     "(rack rack1 0.7(block rack1[1-2] 1(0 1) block rack1[3-4] 1(2 3)) 4)"},
    {{.block = 2},
     "n1.x.org n2.x.org n3.x.org n2.y.org n3.y.org n4.y.org",
     "(domain x.org 0.8(block n[1-2] 1(0 1) 2) domain y.org 0.8(block n[2-3] 1(3 4) 5))"},
    {{.block = 2}, "n1 n99999999999999999999999 n2", "cluster n 0.4(block n[1-2] 1(0 2) 1)"},
    {{.block = 2, .prefixes = csi_hcl, .nprefixes = 2},
     "csi01 csi02 csi03 hcl02 HCL03 x1",
     "(cluster CSI 1(block CSI[1-2] 1(0 1) 2) block hcl[2-3] 1(3 4) 5)"},
    {{.block = 2, .prefix_length = 1}, "na1 nb2 nb3", "cluster n 0.5(block n[1-2] 1(0 1) 2)"},
    {{.prefixes = csi_hcl, .nprefixes = 2, .prefix_length = 2, .split = "(.)(.)"},
     "csi1 csi2 abc1 abd1 abd2",
     "(cluster CSI 1(0 1) group b 1(2 3 4))"},
    {{.prefix_length = 3}, "ABc1 abC2 abd1 abd2", "(cluster abc 0.5(0 1) cluster abd 0.5(2 3))"},
    {{.split = "^([A-Z])[0-9]([0-9])"},
     "a11 a21 a12 a22 b11 b21 c1 c2",
     "(group a 1(group 1 1(0 1) group 2 1(2 3)) group 1 1(4 5) cluster c 0.4(6 7))"},
    {{.split = "^n(1|(2))"}, "n1 n2a n2b n1b", "(group 1 1(0 3) group 2 1(1 2))"},
    {{.split = "\\.(x|y)\\.", .ignore_domain = 1},
     "a.x.org b.y.org c.x.org d.y.org",
     "(group x 1(0 2) group y 1(1 3))"},
};

START_TEST(groups_as_the_user_asks)
{
    expect(requests[_i].hosts, &requests[_i].how, requests[_i].groups);
}
END_TEST

START_TEST(refuses_expressions_that_name_nothing)
{
    static const struct hitop_place here = HITOP_PLACE_INIT("a");
    static const struct hitop_grouping open = {.split = "(a"}, bare = {.split = "a"};
    struct hitop_hierarchy *h = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    ck_assert_int_eq(hitop_hierarchy_group(&here, 1, &open, &h, &diag), HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message, "split: '(a' is no regular expression: Unmatched ( or \\(");
    ck_assert_int_eq(hitop_hierarchy_group(&here, 1, &bare, &h, &diag), HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message, "split: 'a' has no (...) to name a level by");
    ck_assert_ptr_null(h);
}
END_TEST

static void remember(void *data, const char *message)
{
    (void)snprintf(data, 256, "%s|", message);
}

/* n hosts by a format with one number; the answer to them. */
static void warn_about(const char *before, const char *behind, int n, char warning[256])
{
    const struct hitop_grouping how = {.warn = remember, .warn_data = warning};
    char host[MAX_HOSTS][32];
    const char *list[MAX_HOSTS];

    warning[0] = '\0';
    for (int i = 0; i < n; i++) {
        (void)snprintf(host[i], sizeof(host[i]), "%s%d%s", before, n - i, behind);
        list[i] = host[i];
    }
    hitop_hierarchy_free(group(list, n, &how));
}

START_TEST(warns_of_large_flat_groups_once)
{
    char warning[256];

    warn_about("n", "", 16, warning);
    ck_assert_str_eq(warning, "");
    warn_about("n", "", 17, warning);
    ck_assert_str_eq(warning,
                     "the names of 17 hosts, n1 and others, differ in one number only, which "
                     "shows no groups; use --block N, --split REGEX or --csv FILE|");
    warn_about("r", "n1", 17, warning);
    ck_assert_ptr_nonnull(strstr(warning, "the names of 17 hosts, r10n1 and others"));
    warn_about("10.0.0.", "", 17, warning);
    ck_assert_str_eq(warning, "");
}
END_TEST

START_TEST(warns_of_random_names)
{
    char warning[256] = "", host[20][32];
    const struct hitop_grouping how = {.warn = remember, .warn_data = warning};
    const char *list[20];

    for (int i = 0; i < 20; i++) {
        (void)snprintf(host[i], sizeof(host[i]), "p3-v0000%d%c", i / 10, 'a' + i % 10);
        list[i] = host[i];
    }
    hitop_hierarchy_free(group(list, 20, &how));
    ck_assert_str_eq(warning,
                     "the names of 20 hosts, p3-v... and others, differ in random text only, which "
                     "shows no groups; use --split REGEX or --csv FILE|");
}
END_TEST

START_TEST(does_not_warn_of_hosts_in_groups)
{
    char warning[256] = "", host[20][32];
    const struct hitop_grouping how = {.warn = remember, .warn_data = warning};
    const char *list[20];

    for (int i = 0; i < 20; i++) {
        (void)snprintf(host[i], sizeof(host[i]), "n%d-%s", i, i % 2 ? "east" : "west");
        list[i] = host[i];
    }
    hitop_hierarchy_free(group(list, 20, &how));
    for (int i = 0; i < 20; i++) {
        (void)snprintf(host[i], sizeof(host[i]), "r%dn%d", i / 19, i);
    }
    hitop_hierarchy_free(group(list, 20, &how));
    ck_assert_str_eq(warning, "");
}
END_TEST

START_TEST(reads_a_hundred_thousand_names)
{
    const int nrows = is_slow() ? 3 : 50, nhosts = 2000 * nrows;
    static const struct hitop_grouping how = {.block = 4};
    struct hitop_place *place = calloc((size_t)nhosts, sizeof(*place));
    char(*host)[32] = calloc((size_t)nhosts, sizeof(*host));
    struct hitop_hierarchy *h = NULL;

    for (int i = 0; i < nhosts; i++) { /* rows of 100 racks of 20 hosts in 5 blocks */
        (void)snprintf(host[i], sizeof(host[i]), "cn%02d-rack%d-row%d", i % 20 + 1, i / 20 % 100,
                       i / 2000);
        place[i] = (struct hitop_place)HITOP_PLACE_INIT(host[i]);
    }
    ck_assert_int_eq(hitop_hierarchy_group(place, nhosts, &how, &h, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_hierarchy_nnodes(h), nhosts + nrows * (500 + 100 + 1) + 1);
    ck_assert_str_eq(hitop_hierarchy_name(h, hitop_hierarchy_lca(h, 2020, 2023)),
                     "row1-rack1[1-4]");
    ck_assert_str_eq(hitop_hierarchy_level(h, hitop_hierarchy_lca(h, 2020, 2024)), "rack");
    ck_assert_str_eq(hitop_hierarchy_level(h, hitop_hierarchy_lca(h, 2020, 3999)), "row");
    hitop_hierarchy_free(h);
    free(host);
    free(place);
}
END_TEST

/* Names of bytes that mean something to some rule, in any order. */
START_TEST(survives_any_name)
{
    static const char bytes[] = "0019afnr-_.:%[]iIb\xc3\xbc~ ";
    static const char *const pieces[] = {"rack",  "row1",      "-ib0",
                                         ".hsn1", "-10-0-0-1", "vmss00000",
                                         "c0-0c", "8ca1c0ea-", "a415f4b646e3"};
    static const struct hitop_grouping how[] = {
        {0}, {.block = 3}, {.split = "(.)(.*)", .block = 1}};

    state = 20262;
    for (int trial = 0; trial < (is_slow() ? 300 : 3000); trial++) {
        char text[8][64];
        const char *host[8];

        for (int i = 0; i < 8; i++) {
            const int nbytes = 1 + draw(12);
            size_t used = 0;

            for (int k = 0; k < nbytes && used < 40; k++) {
                if (draw(6) == 0) {
                    const char *piece = pieces[draw((int)(sizeof(pieces) / sizeof(pieces[0])))];
                    memcpy(text[i] + used, piece, strlen(piece));
                    used += strlen(piece);
                } else {
                    text[i][used++] = bytes[draw((int)sizeof(bytes) - 1)];
                }
            }
            text[i][used] = '\0';
            host[i] = text[i];
        }
        hitop_hierarchy_free(group(host, 8, &how[trial % 3]));
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, does_not_depend_on_the_order_of_hosts);
    tcase_add_test(tc, does_not_depend_on_the_number_of_ranks);
    tcase_add_test(tc, does_not_depend_on_case);
    tcase_add_test(tc, does_not_depend_on_what_all_names_begin_with);
    tcase_add_loop_test(tc, reads_names, 0, (int)(sizeof(readings) / sizeof(readings[0])));
    tcase_add_loop_test(tc, groups_as_the_user_asks, 0,
                        (int)(sizeof(requests) / sizeof(requests[0])));
    tcase_add_test(tc, refuses_expressions_that_name_nothing);
    tcase_add_test(tc, warns_of_large_flat_groups_once);
    tcase_add_test(tc, warns_of_random_names);
    tcase_add_test(tc, does_not_warn_of_hosts_in_groups);
    tcase_add_test(tc, reads_a_hundred_thousand_names);
    tcase_add_test(tc, survives_any_name);
}

TEST_MAIN("names", add_tests)

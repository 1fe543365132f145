/* SPDX-License-Identifier: BSD-3-Clause */
/* check_hosts.c - host lists expand as their authors count, and slips are named. */
#include <config.h>

#include "hitop/hosts.h"

#include "test_main.h"

#include <stdio.h>
#include <unistd.h>

/* The hosts of a list joined by blanks. */
static char *join(const struct hitop_hosts *hosts)
{
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);

    for (int rank = 0; rank < hosts->nranks; rank++) {
        fprintf(to, rank > 0 ? " %s" : "%s", hosts->host[rank]);
    }
    ck_assert_int_eq(fclose(to), 0);
    return text;
}

static const struct {
    const char *list, *hosts;
} good[] = {
    {"a", "a"},
    {"a,b,a", "a b a"},
    {"a:3,b", "a a a b"},
    {"n[08-10,12]", "n08 n09 n10 n12"},
    {"n[9-11]", "n9 n10 n11"},
    {"n[098-101]", "n098 n099 n100 n101"},
    {"r[1-2]n[1,3]x:2,z", "r1n1x r1n1x r1n3x r1n3x r2n1x r2n1x r2n3x r2n3x z"},
    {"alpha01.site1.org,10.1.4.11", "alpha01.site1.org 10.1.4.11"},
    {"n[7]", "n7"},
    {"2001:db8::1:2,fe80::1,2001:db8:0:0:0:0:0:1:2",
     "2001:db8::1:2 fe80::1 2001:db8:0:0:0:0:0:1 2001:db8:0:0:0:0:0:1"},
};

START_TEST(expands_lists)
{
    struct hitop_hosts hosts;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    char *text;

    ck_assert_msg(hitop_hosts_parse(good[_i].list, &hosts, &diag) == HITOP_OK, "%s", diag.message);
    text = join(&hosts);
    ck_assert_str_eq(text, good[_i].hosts);
    free(text);
    hitop_hosts_clear(&hosts);
    ck_assert_int_eq(hosts.nranks, 0);
}
END_TEST

static const char *const brackets = "brackets hold numbers and ranges, such as [08-10,12]";
static const char *const letters = "a name has no blanks, quotes, '\\', ',', '=', '#'";
static const char *const address = "a name with ':' must be an IPv6 address";
static const char *const count = "behind ':' stands how many ranks it has, from 1 to 10 million";

static const struct {
    const char *list, *entry;
    const char *const *why;
} bad[] = {
    {"a[]", "a[]", &brackets},
    {"b,a[3-1]", "a[3-1]", &brackets},
    {"a[1-]", "a[1-]", &brackets},
    {"a[-1]", "a[-1]", &brackets},
    {"a[x]", "a[x]", &brackets},
    {"a[1,]", "a[1,]", &brackets},
    {"a[1 2]", "a[1 2]", &letters},
    {"a b", "a b", &letters},
    {"a\"b", "a\"b", &letters},
    {"a=b", "a=b", &letters},
    {"a:0", "a:0", &count},
    {"a:", "a:", &count},
    {"a:x", "a:x", &count},
    {"a:-1", "a:-1", &count},
    {"n::1", "n::1", &address},
    {"a:1:2", "a:1:2", &address},
    {"a[99999999999]", "a[99999999999]", &brackets},
};

START_TEST(quotes_the_entry_that_is_wrong)
{
    struct hitop_hosts hosts;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    char expected[256];

    ck_assert_int_eq(hitop_hosts_parse(bad[_i].list, &hosts, &diag), HITOP_ERR_INVALID);
    (void)snprintf(expected, sizeof(expected), "host '%s': %s", bad[_i].entry, *bad[_i].why);
    ck_assert_str_eq(diag.message, expected);
    ck_assert_int_eq(hosts.nranks, 0);
    ck_assert_ptr_null(hosts.host);
}
END_TEST

START_TEST(refuses_lists_without_end)
{
    static const struct {
        const char *list, *message;
    } lists[] = {
        {"", "an empty list of hosts"},
        {"a,", "host '': an empty name"},
        {",a", "host '': an empty name"},
        {"a[1", "host 'a[1': '[' without ']'"},
        {"a]", "host 'a]': ']' without '['"},
        {"a\nb:0", "host 'a?b:0': behind ':' stands how many ranks it has, from 1 to 10 million"},
        {"a[1-99999999]", "host 'a[1-99999999]': more than 10 million ranks"},
        {"a:10000000,b", "host 'b': more than 10 million ranks"},
    };

    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        struct hitop_hosts hosts;
        struct hitop_diag diag = HITOP_DIAG_INIT;
        ck_assert_int_eq(hitop_hosts_parse(lists[i].list, &hosts, &diag), HITOP_ERR_INVALID);
        ck_assert_str_eq(diag.message, lists[i].message);
    }
}
END_TEST

START_TEST(refuses_names_longer_than_any)
{
    struct hitop_hosts hosts;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    char *name = calloc(1, 5000);

    memset(name, 'x', 4000);
    ck_assert_int_eq(hitop_hosts_parse(name, &hosts, &diag), HITOP_ERR_INVALID);
    ck_assert_ptr_nonnull(strstr(diag.message, "name too long"));
    memset(name, 'x', 1000);
    memcpy(name + 1000, "[000000000000000000000000000000001]", 36);
    ck_assert_int_eq(hitop_hosts_parse(name, &hosts, &diag), HITOP_ERR_INVALID);
    ck_assert_ptr_nonnull(strstr(diag.message, "name too long"));
    free(name);
}
END_TEST

/* Read a file with these contents; the message with the file's name cut off goes to why. */
static enum hitop_status read_text(const char *text, struct hitop_hosts *hosts, char *why)
{
    char path[] = "/tmp/check_hosts.XXXXXX";
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const int fd = mkstemp(path);
    enum hitop_status status;

    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    (void)close(fd);
    status = hitop_hosts_read(path, hosts, &diag);
    (void)unlink(path);
    if (status != HITOP_OK) {
        ck_assert_int_eq(strncmp(diag.message, path, strlen(path)), 0);
        (void)snprintf(why, 256, "%s", diag.message + strlen(path));
    }
    return status;
}

static const struct {
    const char *text, *hosts;
} files[] = {
    {"# my cluster\nnode1 slots=2 max_slots=4\n\n  node2:2 # two\r\nn[3-4]\tslots=2\nnode1",
     "node1 node1 node2 node2 n3 n3 n4 n4 node1"},
    {"me@n1 slots = 2\nn2 user=me count=1 slots-max=2\nn3\n", "n1 n1 n2 n3"},
    {"n1:2 binding=user:0,1\nn2:1 user=me\nn3\n", "n1 n1 n2 n3"},
    {"n1\nn1\nn2\nn1\n", "n1 n1 n2 n1"},
    {"n1 2 n2.site.org 1 n1 1\n", "n1 n1 n2.site.org n1"},
    {"n1 2\nn2\nn[3-4] 1\n", "n1 n1 n2 n3 n4"},
    {"n1 2 all.q@n1 UNDEFINED\nn2 1 all.q@n2 <NULL>\nn3 1 q 0,1:0,2\n", "n1 n1 n2 n3"},
    {"rank 2=n2 slot=0:1\nRANK 0 = n1 SLOT=p1:0,1:1\nrank 1=n2\n", "n1 n2 n2"},
    {"rank slots=2\n", "rank rank"},
    {"fe80::1 slots=2\nme@fe80::2:3\n", "fe80::1 fe80::1 fe80::2:3"},
    {"fe80::1 2 fe80::2 1\n", "fe80::1 fe80::1 fe80::2"},
    {"rank 0=fe80::1 slot=0:0\n", "fe80::1"},
};

START_TEST(reads_host_files)
{
    struct hitop_hosts hosts;
    char why[256] = "";
    char *text;

    ck_assert_msg(read_text(files[_i].text, &hosts, why) == HITOP_OK, "%s", why);
    text = join(&hosts);
    ck_assert_str_eq(text, files[_i].hosts);
    free(text);
    hitop_hosts_clear(&hosts);
}
END_TEST

START_TEST(takes_packages_from_rankfiles)
{
    static const int packages[] = {1, 0, -1, -1, -1, 12};
    struct hitop_hosts hosts;
    char why[256] = "";

    ck_assert_msg(read_text("rank 0=a slot=1:0-3,5\nrank 1=a slot=P0:*\nrank 2=a slot=0:1;1:1\n"
                            "rank 3=a slot=4-7\nrank 4=a\nrank 5=a slot=12:0;12:2\n",
                            &hosts, why) == HITOP_OK,
                  "%s", why);
    ck_assert_ptr_nonnull(hosts.package);
    for (int rank = 0; rank < 6; rank++) {
        ck_assert_int_eq(hosts.package[rank], packages[rank]);
    }
    hitop_hosts_clear(&hosts);
    ck_assert_ptr_null(hosts.package);
    ck_assert_int_eq(read_text("a slots=2\n", &hosts, why), HITOP_OK);
    ck_assert_ptr_null(hosts.package);
    hitop_hosts_clear(&hosts);
}
END_TEST

START_TEST(names_the_line_that_is_wrong)
{
    static const struct {
        const char *text, *why;
    } wrong[] = {
        {"", ": names no host"},
        {"# nothing\n\n", ": names no host"},
        {"a\nb slots=0\n", ":2: host 'b': 'slots=0' needs a number from 1 to 10 million"},
        {"a\n\nb cpus=2\n", ":3: host 'b': 'cpus=2' is neither slots=N nor max_slots=N"},
        {"a,b\n", ":1: host 'a,b': a name has no blanks, quotes, '\\', ',', '=', '#'"},
        {"a\nb[", ":2: host 'b[': '[' without ']'"},
        {"a binding=0 slots=1\n", ":1: host 'a': 'binding=0' is neither slots=N nor max_slots=N"},
        {"a:2\nb x binding=0\n", ":2: host 'b': 'x' is neither binding=... nor user=..."},
        {"a:2 slots=2\n", ":1: host 'a:2': its number of ranks stands twice"},
        {"a 2 b 0\n", ":1: host 'b': '0' needs a number from 1 to 10 million"},
        {"a 2 b\n", ":1: host 'b': no number of ranks behind it"},
        {"a 0 all.q@a UNDEFINED\n", ":1: host 'a': '0' needs a number from 1 to 10 million"},
        {"a slots=2\nb 2\n",
         ":2: a line of an LSF host file, but line 1 is one of an Open MPI host "
         "file; a file is of one launcher"},
        {"a:2\n\nb slots=1\nc:2 binding=0\n", ":4: a line of an MPICH host file, but line 3 is one "
                                              "of an Open MPI host file; a file is of "
                                              "one launcher"},
        {"a\nrank 0=b\n",
         ":2: line 1 is just a host, but line 2 is one of a rankfile; a file is of "
         "one launcher"},
        {"a 1 all.q@a UNDEFINED\nb:2\n", ":2: line 2 is just a host, but line 1 is one of a Grid "
                                         "Engine host file; a file is of one "
                                         "launcher"},
        {"rank 0=a\nrank 2=b\n", ": rank 1 is missing; there is a rank 2 in line 2"},
        {"rank 0=a\nrank 1=a\nrank 0=b\n", ":3: rank 0 is in line 1 already"},
        {"rank 10000000=a\n", ":1: rank '10000000' is not below 10 million"},
        {"rank 0=+n0\n", ":1: rank 0: '+n0' counts the hosts of a job; write the name of the host"},
        {"rank 0=a slot=\n", ":1: rank 0: 'slot=' is not slot=PACKAGE:CORES or slot=PROCESSORS"},
        {"rank 0=a cpus=1\n", ":1: rank 0: 'cpus=1' is not slot=PACKAGE:CORES or slot=PROCESSORS"},
        {"rank 1=b\nrank 0=a[1-2]\n", ":2: rank 0: 'a[1-2]' is not the name of one host"},
        {"rank 0=\n", ":1: host '': an empty name"},
    };

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        struct hitop_hosts hosts;
        char why[256] = "";
        ck_assert_int_eq(read_text(wrong[i].text, &hosts, why), HITOP_ERR_FORMAT);
        ck_assert_str_eq(why, wrong[i].why);
        ck_assert_ptr_null(hosts.host);
    }
}
END_TEST

/* What SLURM says about a job, and its hosts or why not. */
static const struct {
    const char *nodes, *tasks, *order, *plane;
    enum hitop_status status;
    const char *says;
} jobs[] = {
    {"n[1-3,5]", "2(x3),1", NULL, NULL, HITOP_OK, "n1 n1 n2 n2 n3 n3 n5"},
    {"n[1-2]-ib[0-1]", NULL, NULL, NULL, HITOP_OK, "n1-ib0 n1-ib1 n2-ib0 n2-ib1"},
    {"n1,n2", "3,2", "block:cyclic", NULL, HITOP_OK, "n1 n1 n1 n2 n2"},
    {"n1,n2", "3,2", "*:*", NULL, HITOP_OK, "n1 n1 n1 n2 n2"},
    {"n[1-3]", "3,1,2", "cyclic", NULL, HITOP_OK, "n1 n2 n3 n1 n3 n1"},
    {"n[1-3]", "3,1,2", "cyclic:block,NoPack", NULL, HITOP_OK, "n1 n2 n3 n1 n3 n1"},
    {"n[1-3]", "5,3(x2)", "plane", "2", HITOP_OK, "n1 n1 n2 n2 n3 n3 n1 n1 n2 n3 n1"},
    {"n[1-2]", "3(x2)", "plane=2", NULL, HITOP_OK, "n1 n1 n2 n2 n1 n2"},
    {NULL, "1", NULL, NULL, HITOP_ERR_NOTFOUND,
     "this is no job of SLURM: there is no variable SLURM_JOB_NODELIST"},
    {"", "1", NULL, NULL, HITOP_ERR_INVALID, "SLURM_JOB_NODELIST: an empty list of hosts"},
    {"n[1-", "1", NULL, NULL, HITOP_ERR_INVALID,
     "SLURM_JOB_NODELIST: host 'n[1-': '[' without ']'"},
    {"n[1-4]", "2(x3)", NULL, NULL, HITOP_ERR_INVALID,
     "SLURM_TASKS_PER_NODE: '2(x3)' is not for the 4 nodes of SLURM_JOB_NODELIST"},
    {"n[1-4]", "2(x3),1(x2)", NULL, NULL, HITOP_ERR_INVALID,
     "SLURM_TASKS_PER_NODE: '2(x3),1(x2)' is not for the 4 nodes of SLURM_JOB_NODELIST"},
    {"n1", "", NULL, NULL, HITOP_ERR_INVALID,
     "SLURM_TASKS_PER_NODE: '' is not of the form 2(x3),1"},
    {"n1", "2(x1", NULL, NULL, HITOP_ERR_INVALID,
     "SLURM_TASKS_PER_NODE: '2(x1' is not of the form 2(x3),1"},
    {"n1", "2(x", NULL, NULL, HITOP_ERR_INVALID,
     "SLURM_TASKS_PER_NODE: '2(x' is not of the form 2(x3),1"},
    {"n1", "(x1)", NULL, NULL, HITOP_ERR_INVALID,
     "SLURM_TASKS_PER_NODE: '(x1)' is not of the form 2(x3),1"},
    {"n1", "0", NULL, NULL, HITOP_ERR_INVALID,
     "SLURM_TASKS_PER_NODE: '0' is not of the form 2(x3),1"},
    {"n1,n2", "10000000,1", NULL, NULL, HITOP_ERR_INVALID, "host 'n2': more than 10 million ranks"},
    {"n1", "1", "plane", NULL, HITOP_ERR_INVALID,
     "SLURM_DIST_PLANESIZE: '' is not how many ranks a plane has, 1 or more"},
    {"n1", "1", "plane", "0", HITOP_ERR_INVALID,
     "SLURM_DIST_PLANESIZE: '0' is not how many ranks a plane has, 1 or more"},
    {"n1", "1", "arbitrary", NULL, HITOP_ERR_INVALID,
     "SLURM_DISTRIBUTION: 'arbitrary' is not one of block, cyclic, plane; arbitrary ranks stand in "
     "a host file"},
    {"n1", "1", "blocks", NULL, HITOP_ERR_INVALID,
     "SLURM_DISTRIBUTION: 'blocks' is not one of block, cyclic, plane"},
};

static void set(const char *name, const char *value)
{
    ck_assert_int_eq(value ? setenv(name, value, 1) : unsetenv(name), 0);
}

START_TEST(finds_the_hosts_of_a_slurm_job)
{
    struct hitop_hosts hosts;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    char *text;

    set("SLURM_JOB_NODELIST", jobs[_i].nodes);
    set("SLURM_TASKS_PER_NODE", jobs[_i].tasks);
    set("SLURM_DISTRIBUTION", jobs[_i].order);
    set("SLURM_DIST_PLANESIZE", jobs[_i].plane);
    ck_assert_int_eq(hitop_hosts_read_slurm(&hosts, &diag), jobs[_i].status);
    text = join(&hosts);
    ck_assert_str_eq(jobs[_i].status == HITOP_OK ? text : diag.message, jobs[_i].says);
    ck_assert(jobs[_i].status == HITOP_OK || (hosts.nranks == 0 && !hosts.host));
    free(text);
    hitop_hosts_clear(&hosts);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, expands_lists, 0, (int)(sizeof(good) / sizeof(good[0])));
    tcase_add_loop_test(tc, quotes_the_entry_that_is_wrong, 0, (int)(sizeof(bad) / sizeof(bad[0])));
    tcase_add_test(tc, refuses_lists_without_end);
    tcase_add_test(tc, refuses_names_longer_than_any);
    tcase_add_loop_test(tc, reads_host_files, 0, (int)(sizeof(files) / sizeof(files[0])));
    tcase_add_test(tc, takes_packages_from_rankfiles);
    tcase_add_test(tc, names_the_line_that_is_wrong);
    tcase_add_loop_test(tc, finds_the_hosts_of_a_slurm_job, 0,
                        (int)(sizeof(jobs) / sizeof(jobs[0])));
}

TEST_MAIN("hosts", add_tests)

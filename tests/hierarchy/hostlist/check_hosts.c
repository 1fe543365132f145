/* SPDX-License-Identifier: BSD-3-Clause */
/* check_hosts.c - host lists expand as their authors count, and slips are named. */
#include <config.h>

#include "hitop/hosts.h"

#include "tests/support/test_main.h"

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
    {"[fd00:1::a],[fd00:1::b]:2,fe80::1%eth0,[fe80::2%ib0]:2,[fe80::3%ib0]",
     "fd00:1::a fd00:1::b fd00:1::b fe80::1 fe80::2 fe80::2 fe80::3"},
    {"me@n1,me@n[2-3]:2,me@fd00::1,me@[fd00::2]:1", "n1 n2 n2 n3 n3 fd00::1 fd00::2"},
    {"n1*2,n[2-3]*2", "n1 n1 n2 n2 n3 n3"},
    {"[1-2]n,n_1.a-b.c", "1n 2n n_1.a-b.c"},
    {"n1,n1.a.org,N1.A.org,n2.a.org,N2", "n1.a.org n1.a.org n1.a.org n2.a.org n2.a.org"},
    {"n1.a,n1,n1.a.org", "n1.a.org n1.a.org n1.a.org"},
    {"n1,n1.a.org,n1.b.org,N1", "n1 n1.a.org n1.b.org N1"},
    {"10.0,10.0.0.1,10", "10.0 10.0.0.1 10.0"},
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

static const char *const empty = "an empty name";
static const char *const no_at = "a host name has no '@'";
static const char *const no_slash = "a host name has no '/'; exec_host and exec_vnode of PBS list "
                                    "processors: give the file $PBS_NODEFILE";
static const char *const no_star = "a host name has no '*'; name:4 and name*4 are four ranks";
static const char *const no_brace = "a host name has no '{'; write name[1-4] for several";
static const char *const no_hat = "a host name has no '^'; it excludes a host only as the first "
                                  "character of a line in a host file";
static const char *const no_semicolon = "a host name has no ';'";
static const char *const no_bar = "a host name has no '|'";
static const char *const no_dollar = "a host name has no '$'";
static const char *const no_percent = "a host name has no '%'";
static const char *const address_like = "a name with ':' must be an IPv6 address";

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
    {":2", "", &empty},
    {"@n1", "@n1", &no_at},
    {"me@", "me@", &no_at},
    {"me@you@n1", "me@you@n1", &no_at},
    {"n1/0+n1/1", "n1/0+n1/1", &no_slash},
    {"n1/0*8", "n1/0*8", &no_slash},
    {"4*n1", "4*n1", &no_star},
    {"*", "*", &no_star},
    {"n1*", "n1*", &count},
    {"n1*0", "n1*0", &count},
    {"n1:2*2", "n1:2*2", &address},
    {"[fd00::1]:", "[fd00::1]:", &count},
    {"[fd00::1]x", "[fd00::1]x", &address_like},
    {"n{1..4}", "n{1..4}", &no_brace},
    {"^n3", "^n3", &no_hat},
    {"n1;n2", "n1;n2", &no_semicolon},
    {"n1|n2", "n1|n2", &no_bar},
    {"$HOST", "$HOST", &no_dollar},
    {"n1%ib0", "n1%ib0", &no_percent},
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
        {"a:10000000,b", "host 'b': more than 10 million ranks"},
        {"a[1-99999999]", "host 'a[1-99999999]': more than 10 million ranks"}, /* takes long */
    };

    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]) - (size_t)is_slow(); i++) {
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
    {"// nodes\nn1 slots=2 // two\n/* n9\n * n8 */ n2 /* 4 */ port=2222 cpu-max = 4\n/**/n3",
     "n1 n1 n2 "
     "n2 n2 n2 n3"},
    {"n1 max_slots=3\nn2 count-max=2 slots=1 sockets=2 cores_per_socket=4\n", "n1 n1 n1 n2"},
    {"n1 slots=2\nn2 slots=2\n^n2\n^me@n4\n", "n1 n1"},
    {"^n2 slots=2\nn1\nn2.a.org\nn[3-5]\n^n[4-5]\n", "n1 n3"},
    {"rank 1=me@n2 slot=0\nrank 0=me@[fd00::1] slot=1\n", "fd00::1 n2"},
    {"[fd00::1] slots=2\n[fd00::2]:2\n", "fd00::1 fd00::1 fd00::2 fd00::2"},
    {"n1:2 ifhn=n1-ib\n", "n1 n1"},
    {"\xef\xbb\xbfn1\nn2\n", "n1 n2"},
    {"hA hA hA hB hB\n", "hA hA hA hB hB"},
    {"# $LSB_HOSTS\n10.0.0.1 10.0.0.2\n", "10.0.0.1 10.0.0.2"},
    {"hA 0,1,2,3\nhA 4-7\nhB 0\nhB 4\n", "hA hA hB hB"},
    {"hA 4\nhA 5\nhB 4,5\n", "hA hA hB"},
    {"hA 0,1 0 2\nhB 4 1 2\n", "hA hB"},
    {"batch5 1 h1 3 h2 3\n", "h1 h1 h1 h2 h2 h2"},
    {"login1 1\nbatch2 1\nh1 1\nh2 1\n", "h1 h2"},
    {"batch2 h1 h1 h2\n", "h1 h1 h2"},
    {"batch2\nh1\nh1\nh2\nh2\n", "h1 h1 h2 h2"},
    {"batch2\nh1\nh2\n", "batch2 h1 h2"},
    {"batch2 4 h1 4\n", "batch2 batch2 batch2 batch2 h1 h1 h1 h1"},
    {"login1 1\n", "login1"},
    {"n[1-2],n7*2\nm1\n", "n1 n2 n7 n7 m1"},
    {"server1.example.com 0\nserver2.example.com 4\n", "server1.example.com server2.example.com"},
    {"pi-worker-0.pi.default.svc slots=2\n",
     "pi-worker-0.pi.default.svc pi-worker-0.pi.default.svc"},
    {"node1:2 # c\n\nnode2:1 binding=map:0,1 ifname=ib0\n", "node1 node1 node2"},
    {"n1\r\nn1\r\nn2", "n1 n1 n2"},
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
        {"a,b slots=2\n", ":1: host 'a,b': a name has no blanks, quotes, '\\', ',', '=', '#'"},
        {"a,,b\n", ":1: host '': an empty name"},
        {"a slots 2\n", ":1: host 'a': 'slots' is neither slots=N nor max_slots=N"},
        {"a\n+n1 slots=2\n",
         ":2: host '+n1': counts the hosts of a job; write the name of the host"},
        {"a\n+e:2\n", ":2: host '+e:2': counts the hosts of a job; write the name of the host"},
        {"a\n^a\n", ": '^' excludes all its hosts"},
        {"^a\n", ": names no host"},
        {"a\n/* b\n", ":2: a comment that begins with '/*' has no end"},
        {"a b\nc d\n", ":2: several hosts, as in line 1; a file has one host in each line, or all "
                       "hosts in one line"},
        {"a\nb c\n",
         ":2: line 1 is just a host, but line 2 is one of all hosts in one line; a file is "
         "of one launcher"},
        {"n1/0+n1/1+n2/0\n",
         ":1: host 'n1/0+n1/1+n2/0': a host name has no '/'; exec_host and exec_vnode of PBS list "
         "processors: give the file $PBS_NODEFILE"},
        {"(n1:ncpus=4:mem=8gb)+(n2:ncpus=4)\n", ":1: host '(n1:ncpus=4:mem=8gb)+(n2:ncpus=4)': a "
                                                "host name has no '('; exec_host and exec_vnode of "
                                                "PBS list processors: give the file $PBS_NODEFILE"},
        {"2*me@n1:22 192.168.1.5\n",
         ":1: host '2*me@n1:22': a host name has no '*'; name:4 and name*4 are four ranks"},
        {"4*n1\n", ":1: host '4*n1': a host name has no '*'; name:4 and name*4 are four ranks"},
        {"[fd00::1]:2 slots=2\n", ":1: host 'fd00::1*2': its number of ranks stands twice"},
        {"hA 0,1\nhB 2 hC 2\n", ":2: host 'hB': the file has processors of one rank in each line"},
        {"cpu_index_using: logical\n0: { host: 1; cpu: {0-3} }\n",
         ":1: an explicit resource file of jsrun counts hosts and does not name them; give a file "
         "with the "
         "names, such as $LSB_DJOB_HOSTFILE"},
        {"rank: 0: {host: 1; cpu: {0}}\n", ":1: an explicit resource file of jsrun counts hosts "
                                           "and does not name them; give a file with the "
                                           "names, such as $LSB_DJOB_HOSTFILE"},
        {"rank 0=n1*4\n", ":1: rank 0: 'n1*4' is not the name of one host"},
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
    const char *says, *total, *each, *warning;
} jobs[] = {
    {"n[1-3,5]", "2(x3),1", NULL, NULL, HITOP_OK, .says = "n1 n1 n2 n2 n3 n3 n5", .total = "7"},
    {"n[1-2]-ib[0-1]", NULL, NULL, NULL, HITOP_OK, .says = "n1-ib0 n1-ib1 n2-ib0 n2-ib1"},
    {"n1,n2", "3,2", "block:cyclic", NULL, HITOP_OK, .says = "n1 n1 n1 n2 n2", .total = "5"},
    {"n1,n2", "3,2", "*:*", NULL, HITOP_OK, .says = "n1 n1 n1 n2 n2", .total = "5"},
    {"n[1-3]", "3,1,2", "cyclic", NULL, HITOP_OK, .says = "n1 n2 n3 n1 n3 n1", .total = "6"},
    {"n[1-3]", "3,1,2", "cyclic:block,NoPack", NULL, HITOP_OK, .says = "n1 n2 n3 n1 n3 n1",
     .total = "6"},
    {"n[1-3]", "5,3(x2)", "plane", "2", HITOP_OK, .says = "n1 n1 n2 n2 n3 n3 n1 n1 n2 n3 n1",
     .total = "11"},
    {"n[1-2]", "3(x2)", "plane=2", NULL, HITOP_OK, .says = "n1 n1 n2 n2 n1 n2", .total = "6"},
    {NULL, "1", NULL, NULL, HITOP_ERR_NOTFOUND,
     .says = "this is no job of SLURM: there is no variable SLURM_JOB_NODELIST"},
    {"", "1", NULL, NULL, HITOP_ERR_INVALID, .says = "SLURM_JOB_NODELIST: an empty list of hosts"},
    {"n[1-", "1", NULL, NULL, HITOP_ERR_INVALID,
     .says = "SLURM_JOB_NODELIST: host 'n[1-': '[' without ']'"},
    {"n[1-4]", "2(x3)", NULL, NULL, HITOP_ERR_INVALID,
     .says = "SLURM_TASKS_PER_NODE: '2(x3)' is not for the 4 nodes of SLURM_JOB_NODELIST"},
    {"n[1-4]", "2(x3),1(x2)", NULL, NULL, HITOP_ERR_INVALID,
     .says = "SLURM_TASKS_PER_NODE: '2(x3),1(x2)' is not for the 4 nodes of SLURM_JOB_NODELIST"},
    {"n1", "", NULL, NULL, HITOP_ERR_INVALID,
     .says = "SLURM_TASKS_PER_NODE: '' is not of the form 2(x3),1"},
    {"n1", "2(x1", NULL, NULL, HITOP_ERR_INVALID,
     .says = "SLURM_TASKS_PER_NODE: '2(x1' is not of the form 2(x3),1"},
    {"n1", "2(x", NULL, NULL, HITOP_ERR_INVALID,
     .says = "SLURM_TASKS_PER_NODE: '2(x' is not of the form 2(x3),1"},
    {"n1", "(x1)", NULL, NULL, HITOP_ERR_INVALID,
     .says = "SLURM_TASKS_PER_NODE: '(x1)' is not of the form 2(x3),1"},
    {"n1", "0", NULL, NULL, HITOP_ERR_INVALID,
     .says = "SLURM_TASKS_PER_NODE: '0' is not of the form 2(x3),1"},
    {"n1,n2", NULL, NULL, NULL, HITOP_ERR_INVALID, .says = "host 'n2': more than 10 million ranks",
     .each = "10000000"},
    {"n1", NULL, NULL, NULL, HITOP_ERR_INVALID,
     .says = "SLURM_NTASKS: '2x' is not from 1 to 10 million", .total = "2x"},
    {"n1", NULL, NULL, NULL, HITOP_ERR_INVALID,
     .says = "SLURM_NTASKS_PER_NODE: '0' is not from 1 to 10 million", .each = "0"},
    {"n[1-3]", "8(x3)", NULL, NULL, HITOP_OK, .says = "n1 n2 n3",
     .warning = "SLURM_TASKS_PER_NODE=8(x3) is 24 ranks, but SLURM_NTASKS is not set: srun starts "
                "one on each "
                "of the "
                "3 hosts; for 24 set SLURM_NTASKS=24"},
    {"n[1-3]", "1(x3)", NULL, NULL, HITOP_OK, .says = "n1 n2 n3"},
    {"n[1-2]", NULL, NULL, NULL, HITOP_OK, .says = "n1 n1 n1 n1 n2 n2 n2 n2", .total = "8",
     .each = "4"},
    {"n[1-2]", NULL, NULL, NULL, HITOP_OK, .says = "n1 n1 n1 n2 n2", .total = "5", .each = "4"},
    {"n[1-2]", NULL, NULL, NULL, HITOP_OK, .says = "n1 n1 n2 n2", .each = "2"},
    {"n[1-3]", NULL, NULL, NULL, HITOP_OK, .says = "n1 n2", .total = "2"},
    {"n[1-2]", "2(x2)", NULL, NULL, HITOP_OK, .says = "n1 n1 n2 n2", .each = "2"},
    {"n[1-2]", "4(x2)", NULL, NULL, HITOP_OK, .says = "n1 n1 n2 n2", .each = "2",
     .warning =
         "SLURM_NTASKS_PER_NODE=2 on 2 hosts is 4 ranks, but SLURM_TASKS_PER_NODE=4(x2) is 8; srun "
         "starts 4"},
    {"n[1-2]", "3,2", NULL, NULL, HITOP_OK, .says = "n1 n1 n1 n2 n2", .total = "5", .each = "4"},
    {"n[1-2]", "24(x2)", NULL, NULL, HITOP_OK, .says = "n1 n1 n2", .total = "3",
     .warning = "SLURM_NTASKS=3, but SLURM_TASKS_PER_NODE=24(x2) is 48 ranks; srun starts 3, "
                "spread evenly"},
    {"n[1-2]", NULL, NULL, NULL, HITOP_OK, .says = "n1 n1 n1 n2 n2", .total = "5", .each = "2",
     .warning = "SLURM_NTASKS=5, but SLURM_NTASKS_PER_NODE=2 on 2 hosts is 4 ranks; counted are 5"},
    {"n1", "1", "plane", NULL, HITOP_ERR_INVALID,
     .says = "SLURM_DIST_PLANESIZE: '' is not how many ranks a plane has, 1 or more"},
    {"n1", "1", "plane", "0", HITOP_ERR_INVALID,
     .says = "SLURM_DIST_PLANESIZE: '0' is not how many ranks a plane has, 1 or more"},
    {"n1", "1", "arbitrary", NULL, HITOP_ERR_INVALID,
     .says = "SLURM_DISTRIBUTION: 'arbitrary' is not one of block, cyclic, plane; arbitrary ranks "
             "stand in "
             "a host file"},
    {"n1", "1", "blocks", NULL, HITOP_ERR_INVALID,
     .says = "SLURM_DISTRIBUTION: 'blocks' is not one of block, cyclic, plane"},
};

static void set(const char *name, const char *value)
{
    ck_assert_int_eq(value ? setenv(name, value, 1) : unsetenv(name), 0);
}

/* A job of its own for each test, also where all run in one process. */
static void forget_job(void)
{
    static const char *const names[] = {"SLURM_JOB_NODELIST",   "SLURM_NODELIST",
                                        "SLURM_TASKS_PER_NODE", "SLURM_NTASKS",
                                        "SLURM_NPROCS",         "SLURM_NTASKS_PER_NODE",
                                        "SLURM_DISTRIBUTION",   "SLURM_DIST_PLANESIZE",
                                        "SLURM_HET_SIZE",       "SLURM_HOSTFILE"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        set(names[i], NULL);
    }
}

START_TEST(finds_the_hosts_of_a_slurm_job)
{
    struct hitop_hosts hosts;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    char *text;

    forget_job();
    set("SLURM_JOB_NODELIST", jobs[_i].nodes);
    set("SLURM_TASKS_PER_NODE", jobs[_i].tasks);
    set("SLURM_NTASKS", jobs[_i].total);
    set("SLURM_NTASKS_PER_NODE", jobs[_i].each);
    set("SLURM_DISTRIBUTION", jobs[_i].order);
    set("SLURM_DIST_PLANESIZE", jobs[_i].plane);
    ck_assert_int_eq(hitop_hosts_read_slurm(&hosts, &diag), jobs[_i].status);
    text = join(&hosts);
    ck_assert_str_eq(jobs[_i].status == HITOP_OK ? text : diag.message, jobs[_i].says);
    ck_assert(jobs[_i].status == HITOP_OK || (hosts.nranks == 0 && !hosts.host));
    ck_assert_str_eq(hosts.warning.message, jobs[_i].warning ? jobs[_i].warning : "");
    free(text);
    hitop_hosts_clear(&hosts);
}
END_TEST

/* Old names of variables, a file of ranks, and a job of several parts. */
START_TEST(finds_the_hosts_of_other_slurm_jobs)
{
    char path[] = "/tmp/check_hosts.XXXXXX";
    const int fd = mkstemp(path);
    struct hitop_hosts hosts;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    char *text;

    forget_job();
    set("SLURM_NODELIST", "n[1-2]");
    set("SLURM_NPROCS", "3");
    set("SLURM_HET_SIZE", "2");
    ck_assert_msg(hitop_hosts_read_slurm(&hosts, &diag) == HITOP_OK, "%s", diag.message);
    text = join(&hosts);
    ck_assert_str_eq(text, "n1 n1 n2");
    ck_assert_str_eq(hosts.warning.message,
                     "the job has 2 parts (SLURM_HET_SIZE); these are the hosts of the first");
    free(text);
    hitop_hosts_clear(&hosts);

    ck_assert_int_eq(write(fd, "n2\nn1*2\nn[1-2]\n", 15), 15);
    (void)close(fd);
    set("SLURM_HOSTFILE", path);
    set("SLURM_DISTRIBUTION", "arbitrary");
    ck_assert_msg(hitop_hosts_read_slurm(&hosts, &diag) == HITOP_OK, "%s", diag.message);
    text = join(&hosts);
    ck_assert_str_eq(text, "n2 n1 n1 n1 n2");
    free(text);
    hitop_hosts_clear(&hosts);
    (void)unlink(path);
    ck_assert_int_eq(hitop_hosts_read_slurm(&hosts, &diag), HITOP_ERR_INVALID);
    ck_assert_ptr_nonnull(strstr(diag.message, "SLURM_HOSTFILE: "));
}
END_TEST

/* What was changed or left out of a list is a warning, and only that. */
START_TEST(warns_of_names_that_it_changes)
{
    static const struct {
        const char *text, *warning;
    } lists[] = {
        {"n1.cluster.example\nn1\nn2.cluster.example\nn2\n",
         "host 'n1' is taken for 'n1.cluster.example', and others likewise"},
        {"n1\nN1\n", "host 'N1' is taken for 'n1'"},
        {"n1.a.org\nn1.b.org\nn1\n",
         "host 'n1' may be one of several hosts with a domain; it counts as one more"},
        {"batch2 1 h1 4\n",
         "host 'batch2' is taken for the node on which LSF started the job and left "
         "out; its name is one of login and batch nodes"},
        {"n1.a.org\nn1.b.org\n", ""},
        {"n1.a.org\nn2\n", ""},
        {"10.0.0.1\nn1\n", ""},
        {"n1\n^n9\n", ""},
    };

    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        struct hitop_hosts hosts;
        char why[256] = "";

        ck_assert_msg(read_text(lists[i].text, &hosts, why) == HITOP_OK, "%s", why);
        ck_assert_str_eq(hosts.warning.message, lists[i].warning);
        hitop_hosts_clear(&hosts);
    }
}
END_TEST

/* Lines "host N" are processors in the file of that variable, and numbers of ranks in any other. */
START_TEST(knows_the_affinity_file_of_lsf)
{
    char path[] = "/tmp/check_hosts.XXXXXX";
    const int fd = mkstemp(path);
    struct hitop_hosts hosts;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    ck_assert_int_eq(write(fd, "hA 4\nhA 5\n", 10), 10);
    (void)close(fd);
    ck_assert_int_eq(hitop_hosts_read(path, &hosts, &diag), HITOP_OK);
    ck_assert_int_eq(hosts.nranks, 9);
    hitop_hosts_clear(&hosts);
    set("LSB_AFFINITY_HOSTFILE", path);
    ck_assert_int_eq(hitop_hosts_read(path, &hosts, &diag), HITOP_OK);
    ck_assert_int_eq(hosts.nranks, 2);
    hitop_hosts_clear(&hosts);
    (void)unlink(path);
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
    tcase_add_test(tc, finds_the_hosts_of_other_slurm_jobs);
    tcase_add_test(tc, warns_of_names_that_it_changes);
    tcase_add_test(tc, knows_the_affinity_file_of_lsf);
    tcase_add_loop_test(tc, finds_the_hosts_of_a_slurm_job, 0,
                        (int)(sizeof(jobs) / sizeof(jobs[0])));
}

TEST_MAIN("hosts", add_tests)

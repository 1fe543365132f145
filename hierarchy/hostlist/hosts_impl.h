/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HOSTS_IMPL_H
#define HOSTS_IMPL_H

/* hosts_impl.h - a host list while it grows. */

#include "hierarchy/text/text_pool.h"
#include "hitop/hosts.h"

struct host_list {
    struct hitop_hosts *hosts;
    struct text_pool *text;
    int max;
    size_t bytes;      /* of names that were not just repeated */
    const char *entry; /* the one at hand, for messages */
    struct hitop_diag *diag;
};

/*
 * Empty out and begin to fill it; on failure, here or later, release it with
 * hitop_hosts_clear().
 */
enum hitop_status hitop_host_list_begin(struct host_list *l, struct hitop_hosts *out,
                                        struct hitop_diag *diag);

/* 1 for an IPv6 address: the ':' in it have no number of ranks behind them. */
int hitop_host_list_is_ipv6(const char *text);

/* Append to the warning of the list. */
void hitop_host_list_warn(struct host_list *l, const char *fmt, ...) HITOP_PRINTF(2, 3);

/*
 * The entry without "user@", and an IPv6 address without brackets and scope; its number of ranks,
 * which may stand behind the brackets, then follows '*'. The entry is destroyed.
 */
char *hitop_host_list_bare(char *entry);

/* HITOP_ERR_INVALID: the name has a character that no host has. Lists' own characters are no fault. */
enum hitop_status hitop_host_list_check(const struct host_list *l, const char *name);

/* Add one entry: "name:N" N times, "name" count times. The entry is destroyed. */
enum hitop_status hitop_host_list_add(struct host_list *l, char *entry, int count);

/* Add all entries of a list separated by commas. The list is destroyed. */
enum hitop_status hitop_host_list_add_all(struct host_list *l, char *list);

/* One name for each host that the list spells in several ways (hosts_settle.c). */
enum hitop_status hitop_host_list_settle(struct host_list *l);

/* Remove the ranks of these hosts, by their full or short names. */
enum hitop_status hitop_host_list_exclude(struct host_list *l, const struct hitop_hosts *excluded);

/* Remove the node on which LSF started the job, if the list begins with it. */
void hitop_host_list_drop_launch_node(struct host_list *l, int is_lsf);

/* Add a name as it stands, count times. */
enum hitop_status hitop_host_list_repeat(struct host_list *l, const char *name, int count);

/* The words of a line of a host file; there is at least one, and they may be changed. */
struct host_line {
    char **word;
    int nwords;
    int number; /* in the file, from 1 */
};

/* A line "rank N=host slot=S" */
struct rank_line {
    char *host; /* lent */
    int rank, package, number;
};

/* Such lines come in any order and wait for the others. */
struct rankfile {
    struct rank_line *line;
    int n, max;
};

/* What a line is added to. */
struct host_file {
    struct host_list list;
    struct rankfile ranks;
    struct hitop_hosts excluded;
    struct host_list exclude; /* fills it; begun when .text is there */

    /* Lines "host N" of LSF: N ranks, or one rank on processor N where another line shows that. */
    int is_affinity, is_lsf;
    int *first; /* [nlines], the first rank of each such line */
    int nlines, max_lines;
};

/* How one launcher writes host files. */
struct hosts_dialect {
    const char *name; /* for messages, e.g. "an Open MPI host file"; NULL: of many launchers */
    int is_alone;     /* 1: lines of many launchers do not stand among its own */
    int is_one_line;  /* 1: there is no second line */

    int (*fits)(const struct host_line *line);

    /* HITOP_ERR_INVALID with a message that names neither file nor line. */
    enum hitop_status (*take)(struct host_file *f, const struct host_line *line);
};

/* Lines "host N" that were read as N ranks each become one rank each. */
void hitop_hosts_affinity_finish(struct host_file *f);

/* The first one that fits a line is meant; the last one, of many launchers, fits any line. */
const struct hosts_dialect *const *hitop_hosts_dialects(void);

int hitop_rankfile_fits(const struct host_line *line);
enum hitop_status hitop_rankfile_take(struct host_file *f, const struct host_line *line);

/*
 * Add the hosts that wait, in the order of their ranks. *number receives the line that is wrong,
 * if it is one line and not the whole file.
 */
enum hitop_status hitop_rankfile_finish(struct host_file *f, int *number);

#endif /* HOSTS_IMPL_H */

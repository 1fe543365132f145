/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HOSTS_IMPL_H
#define HOSTS_IMPL_H

/* hosts_impl.h - a host list that is being read. */

#include "hierarchy/text/storage.h"
#include "hitop/hosts.h"

struct host_list {
    struct hitop_hosts *hosts;
    struct storage *text;
    int max;
    size_t bytes;      /* of all names, repetitions not counted */
    const char *entry; /* the current one, for messages */
    struct hitop_diag *diag;
};

/*
 * Empty out and begin to fill it; after a failure, here or later, release it with
 * hitop_hosts_clear().
 */
enum hitop_status hitop_host_list_begin(struct host_list *l, struct hitop_hosts *out,
                                        struct hitop_diag *diag);

/* 1 for an IPv6 address, in which ':' is not followed by a number of ranks. */
int hitop_host_list_is_ipv6(const char *text);

/* Append to the warning of the list. */
void hitop_host_list_warn(struct host_list *l, const char *fmt, ...) HITOP_PRINTF(2, 3);

/*
 * The entry without "user@"; of an IPv6 address also without brackets and scope, and with '*' in
 * place of the ':' before its number of ranks. The entry is destroyed.
 */
char *hitop_host_list_bare(char *entry);

/* HITOP_ERR_INVALID: the name has a character that is allowed neither in names nor in lists. */
enum hitop_status hitop_host_list_check(const struct host_list *l, const char *name);

/* Add one entry: "name:N" N times, "name" count times. The entry is destroyed. */
enum hitop_status hitop_host_list_add(struct host_list *l, char *entry, int count);

/* Add all entries of a list separated by commas. The list is destroyed. */
enum hitop_status hitop_host_list_add_all(struct host_list *l, char *list);

/* Give each host one name if the list has several spellings (hosts_settle.c). */
enum hitop_status hitop_host_list_settle(struct host_list *l);

/* Remove the ranks of these hosts, given by full or short names. */
enum hitop_status hitop_host_list_exclude(struct host_list *l, const struct hitop_hosts *excluded);

/* Remove the node on which LSF started the job if it is the first one of the list. */
void hitop_host_list_drop_launch_node(struct host_list *l, int is_lsf);

/* Add a name count times, without expansion. */
enum hitop_status hitop_host_list_repeat(struct host_list *l, const char *name, int count);

/* The words of a line of a host file, at least one; parsers may change them. */
struct host_line {
    char **word;
    int nwords;
    int number; /* in the file, from 1 */
};

/* A line "rank N=host slot=S" */
struct rank_line {
    char *host; /* in the text of the file */
    int rank, package, number;
};

/* All such lines, in any order. */
struct rankfile {
    struct rank_line *line;
    int n, max;
};

/* A host file that is being read. */
struct host_file {
    struct host_list list;
    struct rankfile ranks;
    struct hitop_hosts excluded;
    struct host_list exclude; /* fills excluded; begun if .text is not NULL */

    /* Lines "host N" of LSF: N ranks, or one rank on processor N if another line shows that. */
    int is_affinity, is_lsf;
    int *first; /* [nlines], the first rank of each such line */
    int nlines, max_lines;
};

/* The host files of one launcher. */
struct hosts_dialect {
    const char *name; /* for messages, e.g. "an Open MPI host file"; NULL: of several launchers */
    int is_alone;     /* 1: it has no lines that fit several launchers */
    int is_one_line;  /* 1: it has one line */

    int (*fits)(const struct host_line *line);

    /* HITOP_ERR_INVALID with a message that names neither file nor line. */
    enum hitop_status (*take)(struct host_file *f, const struct host_line *line);
};

/*
 * If the file is LSF's affinity file, make one rank of each line "host N" that was read as N ranks.
 */
void hitop_hosts_affinity_finish(struct host_file *f);

/* A line is of the first dialect that fits it; the last one fits any line. */
extern const struct hosts_dialect hitop_hosts_dialects[];

int hitop_rankfile_fits(const struct host_line *line);
enum hitop_status hitop_rankfile_take(struct host_file *f, const struct host_line *line);

/*
 * Add the hosts in the order of their ranks. *number receives the wrong line, or 0 if the whole
 * file is wrong.
 */
enum hitop_status hitop_rankfile_finish(struct host_file *f, int *number);

#endif /* HOSTS_IMPL_H */

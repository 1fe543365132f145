/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LINT_H
#define LINT_H

/*
 * lint.h - check tuning files by the rules of the libraries that read them: what a library ignores,
 * what never applies, what makes it hang or crash, and in which versions.
 */

#include "hitop/operation.h"
#include "hitop/status.h"
#include "tools/export/lint/export_version.h"

#include <stdio.h>

/* Versions with one message about a line; those up to `to`, from `from` on. NULL: no limit. */
struct lint_range {
    const char *from, *to;
};

enum { LINT_MAX_RANGES = 4 };

/* A message about a line. */
struct lint_finding {
    int line;
    char *text;
    struct lint_range range[LINT_MAX_RANGES];
    int nranges;
};

/* A rule of a file, in the numbers of the file. */
struct lint_rule {
    const char *collective;
    int line;
    int block;                  /* its number in the collective, from 0 */
    int level;                  /* of coll/han: 0 in a node, 1 between nodes, 2 both */
    long ranks, most_ranks;     /* of the block; most_ranks is LONG_MAX where there is no limit */
    int one_host, one_per_host; /* 1: for such communicators only */
    long bytes, most_bytes;     /* both included */
    long algorithm;             /* -1: the block has no rules, or the library disables this one */
    long fanout, segment;
    char name[64]; /* of coll/han: the component, perhaps with "@ algorithm" */
};

/* A check of one file. */
struct lint {
    const char *name; /* of the file, for messages */
    const char *software;
    int has_version;                      /* 1: report for these versions only */
    struct export_version oldest, newest; /* newest.major -1: no limit */
    int says_line;                        /* the line that says these versions; 0: none */
    struct lint_finding *finding;
    int found, room;
    int keeps_rules; /* 1: the check keeps the rules that it reads */
    struct lint_rule *rule;
    size_t nrules, rules_room;
};

/*
 * Report what a library does with a line: "NAME:LINE: TEXT (LIBRARY FROM to TO)". `from` and `to`
 * are versions such as "4.1.8", or NULL: all before, all later. Nothing is reported that does not
 * concern the versions of the check. One text about one line is reported once, with all versions.
 */
void lint_find(struct lint *lint, int line, const char *from, const char *to, const char *format,
               ...) HITOP_PRINTF(5, 6);

/* Keep a rule, if the check keeps rules. */
void lint_keep(struct lint *lint, const struct lint_rule *rule);

/* Judge by versions from `oldest` on, as a line of the file says, unless versions are given. */
void lint_says(struct lint *lint, int line, const char *oldest);

/* The same for the one version in a comment of export_tuning, "# For Open MPI 4.1". */
void lint_says_comment(struct lint *lint, const char *text);

/* Print what was found, in the order in which it was found; release it. */
void lint_print(const struct lint *lint, FILE *to);
void lint_fini(struct lint *lint);

/* A question: what is in force for one size in one job, whose ranks are placed host by host. */
struct lint_query {
    const struct hitop_operation *operation; /* NULL: all */
    size_t bytes;                            /* of a message, or of a block of one rank */
    int hosts, ranks_per_host;
    struct export_version version;
};

/*
 * A kind of file that can be checked. HITOP_ERR_FORMAT: the text is not such a file, or not
 * complete; the message has the line.
 */
struct lint_kind {
    const char *name; /* of the format */
    const char *software;
    const char *newest;               /* version that reads it, if no other is known */
    int (*is_kind)(const char *text); /* whether a text looks like it */
    enum hitop_status (*check)(const char *text, size_t length, struct lint *lint,
                               struct hitop_diag *diag);
    /* Print what is in force, after a check that kept the rules; NULL: the file has no sizes. */
    enum hitop_status (*in_force)(const char *text, size_t length, const struct lint *lint,
                                  const struct lint_query *query, FILE *to,
                                  struct hitop_diag *diag);
};

/* The kind of a name, or of a text if the name is NULL; NULL: unknown, with a message. */
const struct lint_kind *lint_kind_of(const char *name, const char *text, struct hitop_diag *diag);

#endif /* LINT_H */

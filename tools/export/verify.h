/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef VERIFY_H
#define VERIFY_H

/*
 * verify.h - measure a file of rules before it is written: launches of benchmark_collective without
 * and with the file in force, in turns. Rules that are not faster are dropped.
 */

#include "tools/export/export_rules.h"

enum { VERIFY_LAUNCHES = 64, VERIFY_POINTS = 64 };

/* What the user asks for. */
struct verify_settings {
    const char *command; /* what starts a program on the ranks of the job; NULL: do not measure */
    int launches;        /* without the file, and as many with it: 2 to VERIFY_LAUNCHES */
    int points;          /* sizes to measure, 1 to VERIFY_POINTS */
    double time_limit;   /* seconds for a launch */
};

/* A size of a rule, and what launches measured there. */
struct verify_point {
    size_t rule; /* its index */
    size_t bytes;
    double predicted;                   /* gain: time without the file over time with it */
    double seconds[2][VERIFY_LAUNCHES]; /* median of a launch without, with the file */
    double median[2];                   /* over launches */
    double gain, low, high;             /* ratio of these; its range over pairs of launches */
    int wins;                           /* 1: every pair of launches was faster with the file */
};

struct verify_points {
    struct verify_point point[VERIFY_POINTS];
    int count;
};

/*
 * Choose points: for each operation that benchmark_collective can measure the size with the largest
 * predicted gain; up to `most` the same of other rules, then other sizes of all rules.
 */
void verify_choose(const struct export_rules *rules, int most, struct verify_points *out);

/* Compute the gains of all points from the times of launches. */
void verify_judge(struct verify_points *points, int launches);

/*
 * Decide which rules are dropped, an entry for each rule, and note in the others what was measured:
 * a rule with points stays if all of them win; one without points follows the operation's others.
 * Returns the number of dropped rules.
 */
int verify_decide(struct export_rules *rules, const struct verify_points *points, int launches,
                  int *is_dropped);

/* Print the points, whether their rules stay, and how many rules stay. */
void verify_put_table(const struct export_rules *rules, const struct verify_points *points,
                      const int *is_dropped, FILE *to);

/* Check before predictions whether the rules can be measured: TOOL_DONE, or TOOL_USAGE or
 * TOOL_FAILED after a message. */
int verify_check(const struct tool *tool, const struct verify_settings *settings,
                 const struct export_format *format, const char *output);

/*
 * Measure the rules as they would be written to `output`, print a table, and drop rules. Returns
 * TOOL_DONE, TOOL_UNTRUSTED if rules were dropped, or TOOL_FAILED after a message.
 */
int verify_rules(const struct tool *tool, const struct verify_settings *settings,
                 const struct export_format *format, const struct export_request *request,
                 struct export_rules *rules, const char *output);

#endif /* VERIFY_H */

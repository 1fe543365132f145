/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EXPORT_RULES_H
#define EXPORT_RULES_H

/*
 * export_rules.h - rules for an MPI library: where one of its algorithms is faster than what it
 * chooses, by more than the model is uncertain.
 */

#include "coll/defaults/mpi_price.h"
#include "tools/export/export.h"
#include "tools/export/export_validation.h"

/* Sizes at which operations are compared. */
enum { EXPORT_SIZES = 24 };

/* What launches without and with a rule measured, at the size with the smallest gain. */
struct export_measured {
    int launches; /* 0: the rule was not measured */
    size_t bytes;
    double gain, low, high; /* time without the file over time with it; its range over launches */
};

/* A rule for a range of sizes of one operation in one job. */
struct export_rule {
    const struct hitop_operation *operation;
    const struct export_job *job;
    size_t from, to; /* bytes of struct hitop_call, both included; SIZE_MAX: no end */
    struct hitop_mpi_choice choice; /* algorithm NULL: what the library chooses */
    double gain;                    /* how many times as long the default takes: geometric mean */
    size_t best_at;                 /* the size of the largest gain */
    double best;                    /* that gain */
    size_t size[EXPORT_SIZES];      /* the sizes that were compared */
    double gain_at[EXPORT_SIZES];   /* the gain at each of them */
    int nsizes;
    struct export_measured measured;
};

/* What a format asks for. */
struct export_rules_request {
    const char *defaults; /* rules of the library as it is, for hitop_mpi_load() */
    const char *own;      /* the same, with all algorithms that a rule can name */
    const char *text;     /* or NULL: the text of both, for hitop_mpi_parse(); they are its name */
    int no_default;       /* 1: the choices of the library are not known; each size gets a rule */
    /* Whether a rule of the format can name an algorithm, with that segment and fan-out; or NULL.
     */
    int (*is_usable)(const struct hitop_mpi_choice *choice);
    /*
     * 1: a rule names all that the rules of `own` choose, such as a component; algorithms of rules
     * are then the first that it chooses.
     */
    int by_choice;
    int is_component; /* 1: the same for the fastest of usable algorithms of `own` */
    unsigned single;  /* operations that get one rule for all sizes: bit i is operation i */
};

/* Rules by operation, job and size; ranges that have no rule in between have algorithm NULL. */
struct export_rules {
    struct hitop_mpi *defaults, *own;
    const struct export_validation *validation; /* of the request */
    struct export_rule *rule;
    size_t count, room;
};

/*
 * Compare at sizes from 8 bytes to 4 MiB for each job of the request; operations have elements of 8
 * bytes. A job and operation without a rule is left out. Release with export_rules_free(), also
 * after a failure.
 */
HITOP_MUST_CHECK enum hitop_status export_rules_make(const struct export_request *request,
                                                     const struct export_rules_request *what,
                                                     struct export_rules *out,
                                                     struct hitop_diag *diag);
void export_rules_free(struct export_rules *rules);

/*
 * Leave to the library what `is_dropped` has 1 for, an entry for each rule: neighbours without an
 * algorithm become one, and an operation and job without any rule goes.
 */
void export_rules_drop(struct export_rules *rules, const int *is_dropped);

/* For comments: ", measured 2.4 times as fast at 64KiB, 3 launches, 2.1 to 2.6"; or nothing. */
void export_put_measured(const struct export_request *request, const struct export_rule *rule,
                         FILE *to);

#endif /* EXPORT_RULES_H */

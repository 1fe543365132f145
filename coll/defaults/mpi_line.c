/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_line.c - parse one line of the rules of an MPI library: "algorithm", "part", "choose" or
 * "plan".
 */
#include <config.h>

#include "coll/defaults/mpi_line.h"
#include "coll/predict/conditions.h"
#include "hitop/sys/coll.h"
#include "hitop/sys/tree.h"
#include "hitop/text.h"
#include "src/grow.h"

#include <string.h>

/* Limits against files that are no rules. */
enum { MAX_LINES = 20000, MAX_NAME = 63 };

static const struct hitop_condition conditions[MPI_NCONDITIONS] = {
    [MPI_RANKS] = {"ranks", HITOP_CONDITION_COUNT},
    [MPI_HOSTS] = {"hosts", HITOP_CONDITION_COUNT},
    [MPI_RANKS_PER_HOST] = {"ranks-per-host", HITOP_CONDITION_COUNT},
    [MPI_BYTES] = {"bytes", HITOP_CONDITION_SIZE},
    [MPI_BALANCED] = {"balanced", HITOP_CONDITION_FLAG},
    [MPI_TOTAL] = {"total", HITOP_CONDITION_SIZE},
    [MPI_COMMUTATIVE] = {"commutative", HITOP_CONDITION_FLAG},
    [MPI_POWER_OF_TWO] = {"power-of-two", HITOP_CONDITION_FLAG},
    [MPI_EVEN] = {"even", HITOP_CONDITION_FLAG},
    [MPI_ROOT] = {"root", HITOP_CONDITION_RATIO},
    [MPI_ELEMENTS] = {"elements", HITOP_CONDITION_RATIO},
    [MPI_ELEMENTS_PER_RANK] = {"elements/ranks", HITOP_CONDITION_RATIO},
    [MPI_ELEMENTS_PER_POWER] = {"elements/power", HITOP_CONDITION_RATIO}};

static enum hitop_status read_name(char **rest, const char **out, struct hitop_diag *diag)
{
    const char *name = hitop_conditions_word(rest);

    *out = name;
    return name[0] && strlen(name) <= MAX_NAME
               ? HITOP_OK
               : hitop_fail(diag, HITOP_ERR_FORMAT,
                            "'%.64s': the name of an algorithm has 1 to %d letters", name,
                            MAX_NAME);
}

static enum hitop_status expect_end(char *rest, struct hitop_diag *diag)
{
    const char *word = hitop_conditions_word(&rest);

    return word[0] ? hitop_fail(diag, HITOP_ERR_FORMAT, "'%.64s' after the end of the line", word)
                   : HITOP_OK;
}

static enum hitop_status no_memory(struct hitop_diag *diag)
{
    return hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
}

int hitop_mpi_find(const struct hitop_mpi *mpi, const struct hitop_operation *operation,
                   const char *name)
{
    for (int i = 0; i < mpi->nnames; i++) {
        if (mpi->name[i].operation == operation && strcmp(mpi->name[i].name, name) == 0) {
            return mpi->name[i].index;
        }
    }
    return -1;
}

/* The index of the algorithm with a number, 0 being none, or -1. */
static int find_number(const struct hitop_mpi *mpi, const struct hitop_operation *operation,
                       int number)
{
    for (int i = 0; i < mpi->nalgorithms && number > 0; i++) {
        if (mpi->algorithm[i].operation == operation && mpi->algorithm[i].number == number) {
            return i;
        }
    }
    return -1;
}

/* Add an algorithm, or another name of one. The first line of a name counts, as of all rules. */
static enum hitop_status add_algorithm(struct hitop_mpi *mpi,
                                       const struct hitop_mpi_algorithm *algorithm,
                                       struct hitop_diag *diag)
{
    int index = find_number(mpi, algorithm->operation, algorithm->number);

    if (hitop_mpi_find(mpi, algorithm->operation, algorithm->name) >= 0) {
        return HITOP_OK;
    }
    if (!HITOP_GROW(mpi->name, mpi->nnames, mpi->max_names) ||
        !HITOP_GROW(mpi->algorithm, mpi->nalgorithms, mpi->max_algorithms)) {
        return no_memory(diag);
    }
    if (index < 0) {
        index = mpi->nalgorithms++;
        mpi->algorithm[index] = *algorithm;
    }
    mpi->name[mpi->nnames++] = (struct mpi_name){algorithm->operation, algorithm->name, index};
    return HITOP_OK;
}

/* algorithm OPERATION NUMBER NAME, or part OPERATION NAME */
static enum hitop_status read_algorithm(struct hitop_mpi *mpi, int is_part, char *rest,
                                        struct hitop_diag *diag)
{
    struct hitop_mpi_algorithm algorithm = {NULL, 0, NULL, is_part};
    enum hitop_status status =
        hitop_operation_find(hitop_conditions_word(&rest), &algorithm.operation, diag);

    if (status == HITOP_OK && !is_part) {
        status = hitop_text_int(hitop_conditions_word(&rest), 0, 1000, &algorithm.number, diag);
    }
    if (status == HITOP_OK) {
        status = read_name(&rest, &algorithm.name, diag);
    }
    if (status == HITOP_OK) {
        status = expect_end(rest, diag);
    }
    return status == HITOP_OK ? add_algorithm(mpi, &algorithm, diag) : status;
}

/* [CONDITION RANGE]... */
static enum hitop_status read_when(char *rest, struct mpi_when *when, struct hitop_diag *diag)
{
    unsigned seen = 0;
    enum hitop_status status = HITOP_OK;

    hitop_conditions_init(when->range, MPI_NCONDITIONS);
    while (status == HITOP_OK) {
        const char *word = hitop_conditions_word(&rest);
        if (!word[0]) {
            break;
        }
        status = hitop_conditions_read(conditions, MPI_NCONDITIONS, word, &rest, when->range, &seen,
                                       diag);
    }
    return status;
}

/* Cut a line at its colon. Returns what follows, or NULL. */
static char *take_right(char *rest, struct hitop_diag *diag)
{
    char *colon = strchr(rest, ':');

    if (!colon) {
        (void)hitop_fail(diag, HITOP_ERR_FORMAT, "no ':' after the conditions");
        return NULL;
    }
    *colon = '\0';
    return colon + 1;
}

/* segment=BYTES or fanout=NUMBER */
static enum hitop_status read_setting(const char *word, struct mpi_choose *rule,
                                      struct hitop_diag *diag)
{
    if (strncmp(word, "segment=", 8) == 0) {
        return hitop_text_size(word + 8, &rule->segment, diag);
    }
    if (strncmp(word, "fanout=", 7) == 0) {
        return hitop_text_int(word + 7, 1, 1024, &rule->fanout, diag);
    }
    return hitop_fail(diag, HITOP_ERR_FORMAT, "'%.64s': segment=BYTES or fanout=NUMBER", word);
}

/* choose OPERATION [CONDITION RANGE]... : NAME [segment=BYTES] [fanout=NUMBER] */
static enum hitop_status read_choose(struct hitop_mpi *mpi, char *rest, const char *file, int line,
                                     struct hitop_diag *diag)
{
    struct mpi_choose rule = {.file = file, .line = line};
    char *right = take_right(rest, diag);
    const char *word;
    enum hitop_status status = right ? HITOP_OK : HITOP_ERR_FORMAT;

    if (status == HITOP_OK) {
        status = hitop_operation_find(hitop_conditions_word(&rest), &rule.when.operation, diag);
    }
    if (status == HITOP_OK) {
        status = read_when(rest, &rule.when, diag);
    }
    if (status == HITOP_OK) {
        status = read_name(&right, &rule.algorithm, diag);
    }
    while (status == HITOP_OK && (word = hitop_conditions_word(&right))[0]) {
        status = read_setting(word, &rule, diag);
    }
    if (status != HITOP_OK) {
        return status;
    }
    if (!HITOP_GROW(mpi->choose, mpi->nchoose, mpi->max_choose)) {
        return no_memory(diag);
    }
    mpi->choose[mpi->nchoose++] = rule;
    return HITOP_OK;
}

/* The index of a parameter, or -1. */
static int find_param(const struct hitop_param *params, size_t nparams, const char *name)
{
    for (size_t i = 0; i < nparams && i < HITOP_CHOICE_PARAMS; i++) {
        if (strcmp(params[i].name, name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

/* fanout=PARAMETER: the parameter of our algorithm that is the library's fan-out. */
static enum hitop_status read_fanout(const char *name, struct mpi_plan *plan,
                                     struct hitop_diag *diag)
{
    const struct hitop_algorithm *ours = &plan->plan.choice.algorithm;

    plan->fanout_of_tree = 0;
    plan->fanout_param = find_param(ours->type->params, ours->type->nparams, name);
    if (plan->fanout_param < 0 && ours->tree) {
        plan->fanout_of_tree = 1;
        plan->fanout_param = find_param(ours->tree->params, ours->tree->nparams, name);
    }
    return plan->fanout_param >= 0
               ? HITOP_OK
               : hitop_fail(diag, HITOP_ERR_FORMAT, "'fanout=%.64s': %s has no such parameter",
                            name, hitop_algorithm_name(*ours));
}

/* segments: the library's segments are those of our algorithm. */
static enum hitop_status read_segments(struct mpi_plan *plan, struct hitop_diag *diag)
{
    struct hitop_choice choice = plan->plan.choice;

    plan->has_segments = hitop_choice_cut(&choice, 0);
    return plan->has_segments ? HITOP_OK
                              : hitop_fail(diag, HITOP_ERR_FORMAT, "'segments': %s has none",
                                           hitop_algorithm_name(choice.algorithm));
}

/* A word after the name of our algorithm. */
static enum hitop_status read_parameter(const char *word, struct mpi_plan *plan,
                                        struct hitop_diag *diag)
{
    if (strcmp(word, "segments") == 0) {
        return read_segments(plan, diag);
    }
    return strncmp(word, "fanout=", 7) == 0 ? read_fanout(word + 7, plan, diag)
                                            : hitop_choice_set(&plan->plan.choice, word, diag);
}

/* ALGORITHM [PARAMETER=VALUE]... [fanout=PARAMETER] [segments] */
static enum hitop_status read_ours(char *rest, struct mpi_plan *plan, struct hitop_diag *diag)
{
    struct hitop_choice *choice = &plan->plan.choice;
    struct hitop_algorithm algorithm;
    const char *word = hitop_conditions_word(&rest);
    enum hitop_status status =
        word[0] ? hitop_algorithm_find(plan->when.operation, word, &algorithm, diag)
                : hitop_fail(diag, HITOP_ERR_FORMAT, "one of our algorithms is missing");

    if (status == HITOP_OK) {
        *choice = hitop_choice_default(algorithm);
    }
    while (status == HITOP_OK && (word = hitop_conditions_word(&rest))[0]) {
        status = read_parameter(word, plan, diag);
    }
    return status;
}

/* OPERATION... */
static enum hitop_status read_calls(char *rest, struct mpi_plan *plan, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    const char *word = hitop_conditions_word(&rest);

    for (int i = 0; (i == 0 || word[0]) && status == HITOP_OK; i++) {
        if (i == HITOP_MPI_CALLED) {
            return hitop_fail(diag, HITOP_ERR_FORMAT, "'%.64s': at most %d operations are called",
                              word, HITOP_MPI_CALLED);
        }
        status = hitop_operation_find(word, &plan->plan.calls[i], diag);
        if (status == HITOP_OK && plan->plan.calls[i] == plan->when.operation) {
            status = hitop_fail(diag, HITOP_ERR_FORMAT, "%s calls itself", word);
        }
        word = hitop_conditions_word(&rest);
    }
    return status;
}

/* OPERATION[/NAME] of a step */
static enum hitop_status read_step(char *word, struct mpi_plan *plan, struct hitop_diag *diag)
{
    struct hitop_mpi_plan *p = &plan->plan;
    char *slash = strchr(word, '/');

    if (slash) {
        *slash = '\0';
        plan->step_algorithm[p->nsteps] = slash + 1;
    }
    return hitop_operation_find(word, &p->steps[p->nsteps++].operation, diag);
}

/* [segment=BYTES] on|between OPERATION[/NAME]... */
static enum hitop_status read_levels(char *rest, struct mpi_plan *plan, struct hitop_diag *diag)
{
    struct hitop_mpi_plan *p = &plan->plan;
    enum hitop_status status = HITOP_OK;
    const char *word = hitop_conditions_word(&rest);

    if (strncmp(word, "segment=", 8) == 0) {
        status = hitop_text_size(word + 8, &p->segment, diag);
        word = hitop_conditions_word(&rest);
    }
    for (; status == HITOP_OK && (p->nsteps == 0 || word[0]); word = hitop_conditions_word(&rest)) {
        const int between = strcmp(word, "between") == 0;
        if (!between && strcmp(word, "on") != 0) {
            return hitop_fail(diag, HITOP_ERR_FORMAT, "'%.64s': on or between, and an operation",
                              word);
        }
        if (p->nsteps == HITOP_MPI_STEPS) {
            return hitop_fail(diag, HITOP_ERR_FORMAT, "more than %d steps", HITOP_MPI_STEPS);
        }
        p->steps[p->nsteps].between = between;
        status = read_step(hitop_conditions_word(&rest), plan, diag);
    }
    return status;
}

/* same OURS, near OURS, calls OPERATION..., levels STEP..., or none */
static enum hitop_status read_fidelity(char *rest, struct mpi_plan *plan, struct hitop_diag *diag)
{
    static const char *const words[] = {[HITOP_MPI_NO_PLAN] = "none",
                                        [HITOP_MPI_NEAR] = "near",
                                        [HITOP_MPI_SAME] = "same",
                                        [HITOP_MPI_CALLS] = "calls",
                                        [HITOP_MPI_LEVELS] = "levels"};
    const char *word = hitop_conditions_word(&rest);
    int i = 0;

    while (i <= HITOP_MPI_LEVELS && strcmp(words[i], word) != 0) {
        i++;
    }
    plan->plan.fidelity = (enum hitop_mpi_fidelity)i;
    switch (i) {
    case HITOP_MPI_NO_PLAN:
        return expect_end(rest, diag);
    case HITOP_MPI_NEAR:
    case HITOP_MPI_SAME:
        return read_ours(rest, plan, diag);
    case HITOP_MPI_CALLS:
        return read_calls(rest, plan, diag);
    case HITOP_MPI_LEVELS:
        return read_levels(rest, plan, diag);
    default:
        return hitop_fail(diag, HITOP_ERR_FORMAT, "'%.64s': same, near, calls, levels or none",
                          word);
    }
}

/* plan OPERATION NAME [CONDITION RANGE]... : FIDELITY ... */
static enum hitop_status read_plan(struct hitop_mpi *mpi, char *rest, const char *file, int line,
                                   struct hitop_diag *diag)
{
    struct mpi_plan plan = {.fanout_param = -1, .file = file, .line = line};
    char *right = take_right(rest, diag);
    enum hitop_status status = right ? HITOP_OK : HITOP_ERR_FORMAT;

    if (status == HITOP_OK) {
        status = hitop_operation_find(hitop_conditions_word(&rest), &plan.when.operation, diag);
    }
    if (status == HITOP_OK) {
        status = read_name(&rest, &plan.algorithm, diag);
    }
    if (status == HITOP_OK) {
        status = read_when(rest, &plan.when, diag);
    }
    if (status == HITOP_OK) {
        status = read_fidelity(right, &plan, diag);
    }
    if (status != HITOP_OK) {
        return status;
    }
    if (!HITOP_GROW(mpi->plan, mpi->nplans, mpi->max_plans)) {
        return no_memory(diag);
    }
    mpi->plan[mpi->nplans++] = plan;
    return HITOP_OK;
}

enum hitop_status hitop_mpi_line(struct hitop_mpi *mpi, char *text, const char *file, int line,
                                 struct hitop_diag *diag)
{
    const char *word = hitop_conditions_word(&text);

    if (mpi->nnames + mpi->nchoose + mpi->nplans >= MAX_LINES) {
        return hitop_fail(diag, HITOP_ERR_FORMAT, "more than %d lines", MAX_LINES);
    }
    if (strcmp(word, "algorithm") == 0 || strcmp(word, "part") == 0) {
        return read_algorithm(mpi, word[0] == 'p', text, diag);
    }
    if (strcmp(word, "choose") == 0) {
        return read_choose(mpi, text, file, line, diag);
    }
    if (strcmp(word, "plan") == 0) {
        return read_plan(mpi, text, file, line, diag);
    }
    return hitop_fail(diag, HITOP_ERR_FORMAT,
                      "'%.64s' begins no line; valid: algorithm, part, choose, plan, include",
                      word);
}

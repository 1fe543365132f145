/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_rules.c - load the rules of an MPI library from a file or from a text that is built in. */
#include <config.h>

#include "coll/defaults/mpi_rules.h"

#include "coll/defaults/mpi_line.h"
#include "coll/predict/conditions.h"
#include "hitop/input.h"
#include "hitop/sys/coll.h"
#include "hitop/sys/tree.h"
#include "hitop/text.h"
#include "src/grow.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A text may include another one, and so on. */
enum { MAX_DEPTH = 4 };

/* Texts that are built in, by name. */
struct mpi_builtin {
    const char *name;         /* NULL past the last */
    const char *const *lines; /* NULL-terminated */
};

#include "mpi_builtin.inc"

static const struct mpi_builtin *find_builtin(const char *name)
{
    for (const struct mpi_builtin *b = builtin_texts; b->name; b++) {
        if (strcmp(b->name, name) == 0) {
            return b;
        }
    }
    return NULL;
}

/* "openmpi-4.1.4" is openmpi-4.1: the longest name that is followed by a dot and a digit. */
static const struct mpi_builtin *find_version(const char *name)
{
    const struct mpi_builtin *best = NULL;

    for (const struct mpi_builtin *b = builtin_texts; b->name; b++) {
        const size_t length = strlen(b->name);
        if (strncmp(b->name, name, length) == 0 && name[length] == '.' &&
            isdigit((unsigned char)name[length + 1]) &&
            strspn(name + length, ".0123456789") == strlen(name + length)) {
            best = !best || length > strlen(best->name) ? b : best;
        }
    }
    return best;
}

static enum hitop_status unknown(const char *name, struct hitop_diag *diag)
{
    char valid[256] = "", meant[128];
    const char *nearest = NULL;

    for (const struct mpi_builtin *b = builtin_texts; b->name; b++) {
        hitop_text_list_name(valid, sizeof(valid), b->name);
        nearest = hitop_text_nearer(name, b->name, nearest);
    }
    hitop_text_meant(nearest, meant, sizeof(meant));
    return hitop_fail(diag, HITOP_ERR_NOTFOUND, "no MPI library '%.64s'%s; valid: %s", name, meant,
                      valid);
}

const char *hitop_mpi_name_at(size_t index)
{
    size_t i = 0;

    while (i < index && builtin_texts[i].name) {
        i++;
    }
    return builtin_texts[i].name;
}

const struct hitop_mpi_algorithm *hitop_mpi_algorithm_at(const struct hitop_mpi *mpi, size_t index)
{
    return index < (size_t)mpi->nalgorithms ? &mpi->algorithm[index] : NULL;
}

/* A copy of a text that lives as long as the rules; NULL without memory. */
static char *keep(struct hitop_mpi *mpi, const char *text)
{
    char *copy = strdup(text);

    if (!copy || !HITOP_GROW(mpi->text, mpi->ntexts, mpi->max_texts)) {
        free(copy);
        return NULL;
    }
    mpi->text[mpi->ntexts++] = copy;
    return copy;
}

static enum hitop_status no_memory(const char *name, struct hitop_diag *diag)
{
    return hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", name);
}

static enum hitop_status read_builtin(struct hitop_mpi *mpi, const struct mpi_builtin *builtin,
                                      int depth, struct hitop_diag *diag);

/* include NAME */
static enum hitop_status read_include(struct hitop_mpi *mpi, char *rest, int depth,
                                      struct hitop_diag *diag)
{
    const char *name = hitop_conditions_word(&rest);
    const struct mpi_builtin *builtin = find_builtin(name);

    if (!builtin) {
        return unknown(name, diag);
    }
    if (hitop_conditions_word(&rest)[0]) {
        return hitop_fail(diag, HITOP_ERR_FORMAT, "include has one name");
    }
    return depth == MAX_DEPTH ? hitop_fail(diag, HITOP_ERR_FORMAT,
                                           "more than %d texts include each other", MAX_DEPTH)
                              : read_builtin(mpi, builtin, depth + 1, diag);
}

/* Parse one line of `file`, whose comment is cut off. */
static enum hitop_status read_line(struct hitop_mpi *mpi, char *text, const char *file, int line,
                                   int depth, struct hitop_diag *diag)
{
    struct hitop_diag why = HITOP_DIAG_INIT;
    enum hitop_status status;

    text[strcspn(text, "#\r")] = '\0';
    text += strspn(text, " \t");
    if (!text[0]) {
        return HITOP_OK;
    }
    if (strncmp(text, "include", 7) == 0 && strchr(" \t", text[7])) {
        status = read_include(mpi, text + 7, depth, &why);
    } else {
        status = hitop_mpi_line(mpi, text, file, line, &why);
    }
    if (status == HITOP_OK) {
        return HITOP_OK;
    }
    return hitop_fail(diag, status == HITOP_ERR_NOMEM ? HITOP_ERR_NOMEM : HITOP_ERR_FORMAT,
                      "%s: line %d: %s", file, line, why.message);
}

static enum hitop_status read_builtin(struct hitop_mpi *mpi, const struct mpi_builtin *builtin,
                                      int depth, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    for (int i = 0; builtin->lines[i] && status == HITOP_OK; i++) {
        char *line = keep(mpi, builtin->lines[i]);
        status = line ? read_line(mpi, line, builtin->name, i + 1, depth, diag)
                      : no_memory(builtin->name, diag);
    }
    return status;
}

static enum hitop_status read_text(struct hitop_mpi *mpi, const char *text, const char *name,
                                   struct hitop_diag *diag)
{
    const char *file = keep(mpi, name);
    char *line = file ? keep(mpi, text) : NULL;
    enum hitop_status status = line ? HITOP_OK : no_memory(name, diag);

    for (int number = 1; status == HITOP_OK && line; number++) {
        char *end = strchr(line, '\n');
        if (end) {
            *end = '\0';
        }
        status = read_line(mpi, line, file, number, 0, diag);
        line = end ? end + 1 : NULL;
    }
    return status;
}

/* The index of the algorithm that a line names. */
static enum hitop_status resolve_name(const struct hitop_mpi *mpi,
                                      const struct hitop_operation *operation, const char *name,
                                      const char *file, int line, int *index,
                                      struct hitop_diag *diag)
{
    char valid[256] = "";

    *index = hitop_mpi_find(mpi, operation, name);
    if (*index >= 0) {
        return HITOP_OK;
    }
    for (int i = 0; i < mpi->nalgorithms; i++) {
        if (mpi->algorithm[i].operation == operation) {
            hitop_text_list_name(valid, sizeof(valid), mpi->algorithm[i].name);
        }
    }
    return hitop_fail(diag, HITOP_ERR_FORMAT, "%s: line %d: %s has no algorithm '%s'; valid: %s",
                      file, line, operation->name, name, valid[0] ? valid : "none");
}

static enum hitop_status resolve_steps(const struct hitop_mpi *mpi, struct mpi_plan *p,
                                       struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    for (int i = 0; i < p->plan.nsteps && status == HITOP_OK; i++) {
        struct hitop_mpi_step *step = &p->plan.steps[i];
        int index = 0;
        if (p->step_algorithm[i]) {
            status = resolve_name(mpi, step->operation, p->step_algorithm[i], p->file, p->line,
                                  &index, diag);
            step->algorithm = status == HITOP_OK ? &mpi->algorithm[index] : NULL;
        }
    }
    return status;
}

/* Find all algorithms that are named: a line may name one that is declared after it. */
static enum hitop_status resolve(struct hitop_mpi *mpi, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    for (int i = 0; i < mpi->nchoose && status == HITOP_OK; i++) {
        struct mpi_choose *c = &mpi->choose[i];
        status =
            resolve_name(mpi, c->when.operation, c->algorithm, c->file, c->line, &c->index, diag);
    }
    for (int i = 0; i < mpi->nplans && status == HITOP_OK; i++) {
        struct mpi_plan *p = &mpi->plan[i];
        status =
            resolve_name(mpi, p->when.operation, p->algorithm, p->file, p->line, &p->index, diag);
        if (status == HITOP_OK) {
            status = resolve_steps(mpi, p, diag);
        }
    }
    return status;
}

/* Check that each fan-out that a rule sets is one that our plans of its algorithm can have. */
static enum hitop_status check_fanouts(const struct hitop_mpi *mpi, const struct mpi_choose *c,
                                       struct hitop_diag *diag)
{
    for (int i = 0; i < mpi->nplans && c->fanout > 0; i++) {
        const struct mpi_plan *p = &mpi->plan[i];
        const struct hitop_algorithm ours = p->plan.choice.algorithm;
        const struct hitop_param *param;
        if (p->index != c->index || p->fanout_param < 0) {
            continue;
        }
        param = p->fanout_of_tree ? &ours.tree->params[p->fanout_param]
                                  : &ours.type->params[p->fanout_param];
        if (c->fanout < param->min || c->fanout > param->max) {
            return hitop_fail(diag, HITOP_ERR_FORMAT,
                              "%s: line %d: fanout=%d: %s of our %s is in %g..%g", c->file, c->line,
                              c->fanout, param->name, hitop_algorithm_name(ours), param->min,
                              param->max);
        }
    }
    return HITOP_OK;
}

static enum hitop_status check(const struct hitop_mpi *mpi, const char *name,
                               struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    if (mpi->nchoose == 0) {
        return hitop_fail(diag, HITOP_ERR_FORMAT, "%s: no line begins with choose", name);
    }
    for (int i = 0; i < mpi->nchoose && status == HITOP_OK; i++) {
        status = check_fanouts(mpi, &mpi->choose[i], diag);
    }
    return status;
}

/* Return the rules if all is well, else release them. */
static enum hitop_status finish(struct hitop_mpi *mpi, const char *name, enum hitop_status status,
                                struct hitop_mpi **out, struct hitop_diag *diag)
{
    if (status == HITOP_OK) {
        status = resolve(mpi, diag);
    }
    if (status == HITOP_OK) {
        status = check(mpi, name, diag);
    }
    if (status != HITOP_OK) {
        hitop_mpi_free(mpi);
        return status;
    }
    *out = mpi;
    return HITOP_OK;
}

enum hitop_status hitop_mpi_parse(const char *text, const char *name, struct hitop_mpi **out,
                                  struct hitop_diag *diag)
{
    struct hitop_mpi *mpi = calloc(1, sizeof(*mpi));

    *out = NULL;
    return mpi ? finish(mpi, name, read_text(mpi, text, name, diag), out, diag)
               : no_memory(name, diag);
}

static enum hitop_status load_file(const char *path, struct hitop_mpi **out,
                                   struct hitop_diag *diag)
{
    char *text = NULL;
    size_t length;
    enum hitop_status status = hitop_input_read_text(path, &text, &length, diag);

    if (status == HITOP_OK) {
        status = hitop_mpi_parse(text, hitop_input_name(path), out, diag);
    }
    free(text);
    return status;
}

enum hitop_status hitop_mpi_load(const char *name, struct hitop_mpi **out, struct hitop_diag *diag)
{
    const struct mpi_builtin *builtin = find_builtin(name);
    struct hitop_mpi *mpi;

    *out = NULL;
    if (strchr(name, '/')) {
        return load_file(name, out, diag);
    }
    builtin = builtin ? builtin : find_version(name);
    if (!builtin) {
        return unknown(name, diag);
    }
    mpi = calloc(1, sizeof(*mpi));
    return mpi ? finish(mpi, name, read_builtin(mpi, builtin, 0, diag), out, diag)
               : no_memory(name, diag);
}

void hitop_mpi_free(struct hitop_mpi *mpi)
{
    if (!mpi) {
        return;
    }
    for (int i = 0; i < mpi->ntexts; i++) {
        free(mpi->text[i]);
    }
    free(mpi->text);
    free(mpi->algorithm);
    free(mpi->name);
    free(mpi->choose);
    free(mpi->plan);
    free(mpi);
}

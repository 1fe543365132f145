/* SPDX-License-Identifier: BSD-3-Clause */
/* known.c - read and write the choices of earlier runs. */
#include <config.h>

#include "coll/runtime/known.h"

#include "coll/runtime/job_files.h"
#include "coll/runtime/message.h"
#include "hitop/input.h"
#include "hitop/output.h"
#include "src/grow.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char variable[] = "HITOP_RULES_CACHE";

/* Choices of one file, at most. */
enum { MOST = 4096 };

/* Report only the first error: a program can have thousands of communicators. */
static void report(const char *what, const char *effect)
{
    static _Atomic int is_reported;

    if (!atomic_exchange(&is_reported, 1)) {
        hitop_message("hitop: %s: %s%s\n", variable, what, effect);
    }
}

/* ---- The machine ---- */

/* FNV-1a, 64 bits: http://www.isthe.com/chongo/tech/comp/fnv */
static unsigned long long hash(unsigned long long seed, const void *data, size_t length)
{
    const unsigned char *byte = data;

    for (size_t i = 0; i < length; i++) {
        seed = (seed ^ byte[i]) * 0x100000001b3ULL;
    }
    return seed;
}

/* Programs can have algorithms of their own. */
static unsigned long long hash_algorithms(unsigned long long seed)
{
    for (int o = 0; o < HITOP_NOPERATIONS; o++) {
        const struct hitop_operation *operation = &hitop_operations()[o];
        for (size_t i = 0; i < hitop_algorithm_count(operation); i++) {
            const char *name = hitop_algorithm_name(hitop_algorithm_at(operation, i));
            seed = hash(seed, name, strlen(name) + 1);
        }
    }
    return seed;
}

/* Returns 0 if the model cannot be read; the reader of the model reports that. */
static int hash_machine(const char *const *hosts, int nranks, unsigned long long *out)
{
    char *path = hitop_job_path("HITOP_MODEL"), *model = NULL;
    size_t length = 0;
    int is_read = 1;

    *out = hash(0xcbf29ce484222325ULL, PACKAGE_VERSION, sizeof(PACKAGE_VERSION));
    *out = hash_algorithms(*out);
    for (int r = 0; r < nranks; r++) {
        *out = hash(*out, hosts[r], strlen(hosts[r]) + 1);
    }
    if (path) {
        is_read = hitop_job_path_check(path, NULL) == HITOP_OK &&
                  hitop_input_read(path, &model, &length, NULL) == HITOP_OK;
        *out = is_read ? hash(*out, model, length) : 0;
    }
    free(model);
    free(path);
    return is_read;
}

/* ---- Read ---- */

static int add(struct known *known, const struct known_choice *choice)
{
    if (!HITOP_GROW(known->choices, known->count, known->room)) {
        return 0;
    }
    known->choices[known->count++] = *choice;
    return 1;
}

/* The algorithm and its parameters, in words. */
static enum hitop_status parse_algorithm(char *text, const struct hitop_operation *operation,
                                         struct hitop_choice *out, struct hitop_diag *diag)
{
    char *word = strsep(&text, " ");
    struct hitop_algorithm algorithm;
    enum hitop_status status;

    *out = (struct hitop_choice){.algorithm = {NULL, NULL}};
    if (strcmp(word, "MPI") == 0) {
        return text ? hitop_fail(diag, HITOP_ERR_FORMAT, "MPI has no parameters") : HITOP_OK;
    }
    status = hitop_algorithm_find(operation, word, &algorithm, diag);
    if (status == HITOP_OK) {
        *out = hitop_choice_default(algorithm);
    }
    while (text && status == HITOP_OK) {
        status = hitop_choice_set(out, strsep(&text, " "), diag);
    }
    return status;
}

static enum hitop_status parse_choice(char *line, struct known_choice *out, struct hitop_diag *diag)
{
    struct choice_key *k = &out->key;
    const struct hitop_operation *operation;
    char name[32];
    int end = 0;
    enum hitop_status status;

    if (sscanf(line, "%31s root=%d bytes=%zu exact=%d unit=%zu ordered=%d uneven=%d %n", name,
               &k->root, &k->bytes, &k->exact, &k->unit, &k->ordered, &k->uneven, &end) != 7 ||
        end == 0 || !line[end]) {
        return hitop_fail(diag, HITOP_ERR_FORMAT, "'%.64s' is no choice", line);
    }
    status = hitop_operation_find(name, &operation, diag);
    if (status != HITOP_OK) {
        return status;
    }
    k->operation = (enum hitop_operation_id)(operation - hitop_operations());
    return parse_algorithm(line + end, operation, &out->what, diag);
}

/* Read lines until "end"; *line is the number of the one that is wrong. */
static enum hitop_status parse_lines(struct known *known, char *text, size_t *line,
                                     struct hitop_diag *diag)
{
    unsigned long long machine = 0;
    char *row = strsep(&text, "\n");
    enum hitop_status status = HITOP_OK;
    size_t count;

    *line = 1;
    if (sscanf(row, "hitop-choices 1 %16llx", &machine) != 1 || machine != known->machine) {
        return hitop_fail(diag, HITOP_ERR_FORMAT, "not 'hitop-choices 1 %016llx'", known->machine);
    }
    while (text && status == HITOP_OK) {
        struct known_choice choice;
        row = strsep(&text, "\n");
        ++*line;
        if (sscanf(row, "end %zu", &count) == 1 && count == *line - 2) {
            return HITOP_OK;
        }
        status = parse_choice(row, &choice, diag);
        if (status == HITOP_ERR_NOTFOUND) { /* an algorithm of another program's own */
            status = HITOP_OK;
        } else if (status == HITOP_OK && !add(known, &choice)) {
            status = hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
        }
    }
    return status == HITOP_OK ? hitop_fail(diag, HITOP_ERR_FORMAT, "no line 'end'") : status;
}

enum hitop_status hitop_known_parse(struct known *known, const char *name, const char *text,
                                    struct hitop_diag *diag)
{
    struct hitop_diag why = HITOP_DIAG_INIT;
    char *copy = strdup(text);
    size_t line = 1;
    enum hitop_status status = HITOP_ERR_NOMEM;

    if (copy) {
        status = parse_lines(known, copy, &line, &why);
    }
    free(copy);
    if (status == HITOP_OK) {
        return HITOP_OK;
    }
    free(known->choices);
    known->choices = NULL;
    known->count = known->room = 0;
    return status == HITOP_ERR_NOMEM
               ? hitop_fail(diag, status, "%s: out of memory", name)
               : hitop_fail(diag, HITOP_ERR_FORMAT, "%s:%zu: %s", name, line, why.message);
}

/* Read the file, if there is one. */
static enum hitop_status read_file(struct known *known, struct hitop_diag *diag)
{
    char *text = NULL;
    size_t length;
    enum hitop_status status;

    if (access(known->path, F_OK) != 0 && errno == ENOENT) {
        return HITOP_OK;
    }
    status = hitop_job_path_check(known->path, diag);
    if (status == HITOP_OK) {
        status = hitop_input_read_text(known->path, &text, &length, diag);
    }
    if (status == HITOP_OK) {
        status = hitop_known_parse(known, known->path, text, diag);
    }
    free(text);
    return status;
}

/*
 * The absolute path of a folder: the program may change its folder before the file is written. NULL
 * if files cannot be written there; errno says why.
 */
static char *find_folder(const char *name)
{
    char *path = realpath(name, NULL);
    struct stat entry;
    int why = errno;

    if (path && stat(path, &entry) == 0 && !S_ISDIR(entry.st_mode)) {
        why = ENOTDIR;
    } else if (path && access(path, W_OK | X_OK) == 0) {
        return path;
    } else if (path) {
        why = errno;
    }
    free(path);
    errno = why;
    return NULL;
}

void hitop_known_open(struct known *known, const char *const *hosts, int nranks)
{
    char *name = hitop_job_path(variable), *folder = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    *known = (struct known){.path = NULL};
    if (name && hash_machine(hosts, nranks, &known->machine)) {
        folder = find_folder(name);
        if (!folder) {
            (void)hitop_fail(&diag, HITOP_ERR_IO, "%s: %s", name, strerror(errno));
            report(diag.message, "; choices are not kept");
        } else if (asprintf(&known->path, "%s/%016llx.choices", folder, known->machine) < 0) {
            known->path = NULL;
        }
    }
    free(folder);
    free(name);
    if (known->path && read_file(known, &diag) != HITOP_OK) {
        report(diag.message, "; its choices are made again");
    }
}

/* ---- Use and write ---- */

const struct hitop_choice *hitop_known_find(const struct known *known, const struct choice_key *key)
{
    for (int i = 0; i < known->count; i++) {
        if (hitop_choice_key_equal(&known->choices[i].key, key)) {
            return &known->choices[i].what;
        }
    }
    return NULL;
}

void hitop_known_add(struct known *known, const struct choice_key *key,
                     const struct hitop_choice *what)
{
    const struct known_choice choice = {.key = *key, .what = *what};

    if (known->path && known->count < MOST && key->bytes != CACHE_UNKNOWN &&
        !hitop_known_find(known, key)) {
        known->has_new |= add(known, &choice);
    }
}

void hitop_known_write(const struct known *known, FILE *out)
{
    fprintf(out, "hitop-choices 1 %016llx\n", known->machine);
    for (int i = 0; i < known->count; i++) {
        const struct choice_key *k = &known->choices[i].key;
        const struct hitop_choice *what = &known->choices[i].what;
        char params[HITOP_CHOICE_TEXT] = "";

        fprintf(out, "%s root=%d bytes=%zu exact=%d unit=%zu ordered=%d uneven=%d ",
                hitop_operations()[k->operation].name, k->root, k->bytes, k->exact, k->unit,
                k->ordered, k->uneven);
        if (what->algorithm.type) {
            hitop_choice_format(what, params, sizeof(params));
        }
        fprintf(out, "%s%s%s\n",
                what->algorithm.type ? hitop_algorithm_name(what->algorithm) : "MPI",
                params[0] ? " " : "", params);
    }
    fprintf(out, "end %d\n", known->count);
}

/* Add the choices that other communicators or jobs have written since the file was read. */
static void merge(struct known *known)
{
    struct known file = {.path = known->path, .machine = known->machine};
    struct hitop_diag diag = HITOP_DIAG_INIT;

    (void)read_file(&file, &diag); /* a damaged file has none and is replaced */
    for (int i = 0; i < file.count; i++) {
        hitop_known_add(known, &file.choices[i].key, &file.choices[i].what);
    }
    free(file.choices);
}

static void write_file(const struct known *known)
{
    struct hitop_output *output = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    enum hitop_status status = hitop_output_open(known->path, &output, &diag);

    if (status == HITOP_OK) {
        hitop_known_write(known, hitop_output_stream(output));
        status = hitop_output_commit(output, &diag);
    }
    if (status != HITOP_OK) {
        report(diag.message, "");
    }
}

void hitop_known_close(struct known *known)
{
    if (known->path && known->has_new) {
        merge(known);
        write_file(known);
    }
    free(known->choices);
    free(known->path);
    *known = (struct known){.path = NULL};
}

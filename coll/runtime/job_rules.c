/* SPDX-License-Identifier: BSD-3-Clause */
/* job_rules.c - files of rules that have been read, be they right or wrong. */
#include <config.h>

#include "coll/runtime/job_rules.h"

#include "coll/runtime/job_path.h"
#include "coll/runtime/message.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The environment may change, but what was lent stays. */
struct file {
    char *path;
    struct hitop_rules *rules; /* NULL: the file is wrong */
    struct file *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct file *files;

/* A wrong file is told, and nobody stops. */
static struct hitop_rules *read_file(const char *path)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_rules *rules = NULL;

    if (job_path_check(path, &diag) != HITOP_OK ||
        hitop_rules_read(path, &rules, &diag) != HITOP_OK) {
        hitop_message("hitop: HITOP_RULES: %s; going on without rules\n", diag.message);
    }
    return rules;
}

/* NULL when out of memory. */
static struct file *add_file(const char *path)
{
    struct file *file = calloc(1, sizeof(*file));

    if (!file) {
        return NULL;
    }
    file->path = strdup(path);
    if (!file->path) {
        free(file);
        return NULL;
    }
    file->rules = read_file(path);
    file->next = files;
    files = file;
    return file;
}

const struct hitop_rules *job_rules(void)
{
    char *path = job_path("HITOP_RULES");
    struct file *file;

    if (!path) {
        return NULL;
    }
    (void)pthread_mutex_lock(&lock);
    file = files;
    while (file && strcmp(file->path, path) != 0) {
        file = file->next;
    }
    if (!file) {
        file = add_file(path);
    }
    (void)pthread_mutex_unlock(&lock);
    free(path);
    return file ? file->rules : NULL;
}

void job_rules_release(void)
{
    while (files) {
        struct file *next = files->next;
        hitop_rules_free(files->rules);
        free(files->path);
        free(files);
        files = next;
    }
}

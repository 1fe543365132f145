/* SPDX-License-Identifier: BSD-3-Clause */
/* job_files.c - paths relative to the folder in which the process began; rules; the model. */
#include <config.h>

#include "coll/runtime/job_files.h"

#include "coll/predict/placement.h"
#include "coll/runtime/message.h"

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[PATH_MAX]; /* empty: unknown, and names stay as they are */

/* Runs when the library is loaded. */
static __attribute__((constructor)) void remember_folder(void)
{
    if (!getcwd(folder, sizeof(folder))) {
        folder[0] = '\0';
    }
}

/* Messages show a relative name as the user wrote it, unless the current folder has changed. */
static int is_elsewhere(void)
{
    char now[PATH_MAX];

    return folder[0] != '\0' && (!getcwd(now, sizeof(now)) || strcmp(now, folder) != 0);
}

char *hitop_job_path(const char *variable)
{
    const char *name = getenv(variable);
    char *path;

    if (!name || !name[0]) {
        return NULL;
    }
    if (name[0] == '/' || !is_elsewhere()) {
        return strdup(name);
    }
    return asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path;
}

enum hitop_status hitop_job_path_check(const char *path, struct hitop_diag *diag)
{
    struct stat file;

    if (strcmp(path, "-") == 0 || (stat(path, &file) == 0 && !S_ISREG(file.st_mode))) {
        return hitop_fail(diag, HITOP_ERR_IO, "%s: not a regular file", path);
    }
    return HITOP_OK;
}

/* Files of rules that have been read, valid or not. */

/* An entry stays if the environment changes, because callers borrow its rules. */
struct file {
    char *path;
    struct hitop_rules *rules; /* NULL: the file has errors */
    struct file *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct file *files;

/* Report an error in the file and go on. */
static struct hitop_rules *read_file(const char *path)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_rules *rules = NULL;

    if (hitop_job_path_check(path, &diag) != HITOP_OK ||
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

const struct hitop_rules *hitop_job_rules(void)
{
    char *path = hitop_job_path("HITOP_RULES");
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

void hitop_job_rules_release(void)
{
    while (files) {
        struct file *next = files->next;
        hitop_rules_free(files->rules);
        free(files->path);
        free(files);
        files = next;
    }
}

/* HITOP_MODEL, or a model from host names. */

_Atomic int hitop_job_model_is_reported;

enum hitop_status hitop_job_model(const char *const *hosts, int nhosts, int is_oversubscribed,
                                  struct hitop_model **out, int *measured, struct hitop_diag *diag)
{
    char *path = hitop_job_path("HITOP_MODEL");
    struct hitop_model *file = NULL;
    enum hitop_status status = HITOP_ERR_NOTFOUND;

    *out = NULL;
    if (path) {
        struct hitop_diag wrong = HITOP_DIAG_INIT;
        status = hitop_job_path_check(path, &wrong);
        if (status == HITOP_OK) {
            status = hitop_model_read(path, &file, &wrong);
        }
        if (status == HITOP_OK) {
            status = hitop_placement_from_model(file, hosts, nhosts, out, &wrong);
        }
        if (status != HITOP_OK && !atomic_exchange(&hitop_job_model_is_reported, 1)) {
            /* errors of the file itself begin with its name */
            const int named = strncmp(wrong.message, path, strlen(path)) == 0;
            hitop_message("hitop: HITOP_MODEL=%s%s%s; going by host names\n", named ? "" : path,
                          named ? "" : ": ", wrong.message);
        }
        hitop_model_free(file);
        free(path);
    }
    *measured = status == HITOP_OK;
    if (status != HITOP_OK) {
        status = hitop_placement_from_names(hosts, nhosts, is_oversubscribed, out, diag);
    }
    return status;
}

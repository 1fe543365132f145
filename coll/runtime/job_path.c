/* SPDX-License-Identifier: BSD-3-Clause */
/* job_path.c - remember the folder in which the process began. */
#include <config.h>

#include "coll/runtime/job_path.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[PATH_MAX]; /* empty: nobody can tell, and names stay as they are */

/* When the library is loaded. */
static __attribute__((constructor)) void remember_folder(void)
{
    if (!getcwd(folder, sizeof(folder))) {
        folder[0] = '\0';
    }
}

/* A name is told to the user as he wrote it while it says the same. */
static int is_elsewhere(void)
{
    char now[PATH_MAX];

    return folder[0] != '\0' && (!getcwd(now, sizeof(now)) || strcmp(now, folder) != 0);
}

char *job_path(const char *variable)
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

enum hitop_status job_path_check(const char *path, struct hitop_diag *diag)
{
    struct stat file;

    if (strcmp(path, "-") == 0 || (stat(path, &file) == 0 && !S_ISREG(file.st_mode))) {
        return hitop_fail(diag, HITOP_ERR_IO, "%s: not a regular file", path);
    }
    return HITOP_OK;
}

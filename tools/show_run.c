/* SPDX-License-Identifier: BSD-3-Clause */
/* show_run.c - a picture by Graphviz's dot, through files that have no names. */
#include <config.h>

#include "show.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Run dot from one file into another; 0 or an errno, and what it ended with. */
static int spawn_dot(FILE *from, FILE *into, int *ended)
{
    char program[] = "dot", format[] = "-Tsvg";
    char *const argument[] = {program, format, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int error = posix_spawn_file_actions_init(&actions);

    if (error) {
        return error;
    }
    error = posix_spawn_file_actions_adddup2(&actions, fileno(from), STDIN_FILENO);
    if (!error) {
        error = posix_spawn_file_actions_adddup2(&actions, fileno(into), STDOUT_FILENO);
    }
    if (!error) {
        error = posix_spawnp(&child, argument[0], &actions, NULL, argument, environ);
    }
    (void)posix_spawn_file_actions_destroy(&actions);
    while (!error && waitpid(child, ended, 0) < 0) {
        error = errno == EINTR ? 0 : errno;
    }
    return error;
}

static enum hitop_status copy(FILE *from, FILE *to, struct hitop_diag *diag)
{
    char buffer[65536];
    size_t n;

    rewind(from);
    while ((n = fread(buffer, 1, sizeof(buffer), from)) > 0) {
        (void)fwrite(buffer, 1, n, to);
    }
    return ferror(from) ? hitop_fail(diag, HITOP_ERR_IO, "cannot read the picture again: %s",
                                     strerror(errno))
                        : HITOP_OK;
}

static enum hitop_status run(FILE *from, FILE *into, struct hitop_diag *diag)
{
    int ended = 0;
    int error;

    if (fflush(from) != 0 || lseek(fileno(from), 0, SEEK_SET) < 0) {
        return hitop_fail(diag, HITOP_ERR_IO, "cannot write a temporary file: %s", strerror(errno));
    }
    error = spawn_dot(from, into, &ended);
    if (error == ENOENT || (!error && WIFEXITED(ended) && WEXITSTATUS(ended) == 127)) {
        return hitop_fail(diag, HITOP_ERR_UNSUPPORTED,
                          "--format svg needs the program dot of Graphviz, which is not installed");
    }
    if (error) {
        return hitop_fail(diag, HITOP_ERR_IO, "cannot run dot: %s", strerror(error));
    }
    if (!WIFEXITED(ended) || WEXITSTATUS(ended) != 0) {
        return hitop_fail(diag, HITOP_ERR_UNSUPPORTED, "dot failed with status %d",
                          WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended));
    }
    return HITOP_OK;
}

enum hitop_status show_run_dot(enum hitop_status (*write)(const void *data, FILE *to,
                                                          struct hitop_diag *diag),
                               const void *data, FILE *to, struct hitop_diag *diag)
{
    FILE *from = tmpfile(), *into = tmpfile();
    enum hitop_status status;

    if (!from || !into) {
        status =
            hitop_fail(diag, HITOP_ERR_IO, "cannot make a temporary file: %s", strerror(errno));
    } else {
        status = write(data, from, diag);
    }
    if (status == HITOP_OK) {
        status = run(from, into, diag);
    }
    if (status == HITOP_OK) {
        status = copy(into, to, diag);
    }
    if (into) {
        (void)fclose(into);
    }
    if (from) {
        (void)fclose(from);
    }
    return status;
}

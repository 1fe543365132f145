/* SPDX-License-Identifier: BSD-3-Clause */
/* spawn_program.c - run another program between two files. */
#include <config.h>

#include "tools/common/spawn_program.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Run the program. Returns 0 or an errno; *ended: its status by waitpid(). */
static int run(char *const argument[], FILE *from, FILE *into, int *ended)
{
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

enum hitop_status spawn_program(char *const argument[], FILE *from, FILE *into,
                                struct hitop_diag *diag)
{
    int ended = 0;
    int error;

    if (fflush(from) != 0 || lseek(fileno(from), 0, SEEK_SET) < 0) {
        return hitop_fail(diag, HITOP_ERR_IO, "cannot write a temporary file: %s", strerror(errno));
    }
    error = run(argument, from, into, &ended);
    if (error == ENOENT || (!error && WIFEXITED(ended) && WEXITSTATUS(ended) == 127)) {
        return hitop_fail(diag, HITOP_ERR_NOTFOUND, "%s is not installed", argument[0]);
    }
    if (error) {
        return hitop_fail(diag, HITOP_ERR_IO, "cannot run %s: %s", argument[0], strerror(error));
    }
    if (!WIFEXITED(ended) || WEXITSTATUS(ended) != 0) {
        return hitop_fail(diag, HITOP_ERR_IO, "%s failed with status %d", argument[0],
                          WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended));
    }
    return HITOP_OK;
}

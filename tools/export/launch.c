/* SPDX-License-Identifier: BSD-3-Clause */
/* launch.c - run a program in a process group of its own, with a time limit. */
#include <config.h>

#include "tools/export/launch.h"

#include "tools/common/signals.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { TAIL = 300 };

/* A launcher gets this time between SIGTERM and SIGKILL, to end its ranks. */
static const double grace = 5;

static double now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Wait up to a moment for the end of a child, or for a signal; 1: it has ended. */
static int wait_until(pid_t child, double moment, int heeds_signals, int *ended)
{
    static const struct timespec pause = {0, 10000000};

    while (waitpid(child, ended, WNOHANG) == 0) {
        if (now() > moment || (heeds_signals && signals_caught())) {
            return 0;
        }
        (void)nanosleep(&pause, NULL);
    }
    return 1;
}

/* End a child and all of its group. */
static void end(pid_t child)
{
    int ended;

    (void)kill(-child, SIGTERM);
    if (!wait_until(child, now() + grace, 0, &ended)) {
        (void)kill(-child, SIGKILL);
        (void)waitpid(child, &ended, 0);
    } else {
        (void)kill(-child, SIGKILL);
    }
}

/* Start a program without input in a process group of its own; returns 0 or an errno. */
static int start(char *const argument[], FILE *out, FILE *err, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t usual;
    int error = posix_spawn_file_actions_init(&actions);

    if (error) {
        return error;
    }
    error = posix_spawnattr_init(&attributes);
    if (!error) {
        (void)sigemptyset(&usual);
        (void)sigaddset(&usual, SIGPIPE); /* tools ignore it */
        (void)posix_spawnattr_setsigdefault(&attributes, &usual);
        (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
        error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        if (!error) {
            error = posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO);
        }
        if (!error) {
            error = posix_spawn_file_actions_adddup2(&actions, fileno(err), STDERR_FILENO);
        }
        if (!error) {
            error = posix_spawnp(child, argument[0], &actions, &attributes, argument, environ);
        }
        (void)posix_spawnattr_destroy(&attributes);
    }
    (void)posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* The contents of a file, with a zero byte behind them, for free(); NULL: it cannot be read. */
static char *contents(FILE *file, size_t *length)
{
    const off_t size = lseek(fileno(file), 0, SEEK_END);
    char *text = size < 0 ? NULL : malloc((size_t)size + 1);
    ssize_t count = 0;

    *length = 0;
    while (text && *length < (size_t)size &&
           (count = pread(fileno(file), text + *length, (size_t)size - *length, (off_t)*length)) >
               0) {
        *length += (size_t)count;
    }
    if (text) {
        text[*length] = '\0';
    }
    return text;
}

/* The end of an output in one line, without rows of dashes and other marks. */
static void tail_of(FILE *file, char *out, size_t room)
{
    size_t length, n = 0;
    char *const text = contents(file, &length);
    char *save = NULL;
    char line[TAIL + 1] = "";
    size_t used = 0;

    (void)snprintf(out, room, "nothing on standard error");
    if (!text) {
        return;
    }
    for (size_t i = 0; i < length; i++) {
        text[i] = text[i] == '\0' ? '?' : text[i];
    }
    for (char *word = strtok_r(text, " \t\r\n", &save); word;
         word = strtok_r(NULL, " \t\r\n", &save)) {
        n = strlen(word);
        if (strspn(word, "-=*#_") == n) {
            continue;
        }
        n = n > TAIL / 2 ? TAIL / 2 : n;
        while (used + n + 1 > TAIL) { /* forget the first word */
            char *const next = strchr(line, ' ');
            const size_t skip = next ? (size_t)(next - line) + 1 : used;
            memmove(line, line + skip, used - skip + 1);
            used -= skip;
        }
        used += (size_t)snprintf(line + used, sizeof(line) - used, "%s%.*s", used ? " " : "",
                                 (int)n, word);
    }
    for (size_t i = 0; i < used; i++) {
        line[i] = iscntrl((unsigned char)line[i]) ? '?' : line[i];
    }
    if (used > 0) {
        (void)snprintf(out, room, "%s", line);
    }
    free(text);
}

/* What is wrong with a launch that has ended. */
static enum hitop_status judge(int ended, FILE *err, struct hitop_diag *diag)
{
    char tail[TAIL + 32];

    if (WIFEXITED(ended) && WEXITSTATUS(ended) == 0) {
        return HITOP_OK;
    }
    tail_of(err, tail, sizeof(tail));
    if (WIFSIGNALED(ended)) {
        return hitop_fail(diag, HITOP_ERR_IO, "was ended by signal %d: %s", WTERMSIG(ended), tail);
    }
    return hitop_fail(diag, HITOP_ERR_IO, "failed with status %d: %s", WEXITSTATUS(ended), tail);
}

static enum hitop_status run(char *const argument[], double limit, FILE *out, FILE *err,
                             struct hitop_diag *diag)
{
    char tail[TAIL + 32];
    pid_t child = 0;
    int ended = 0;
    const int error = start(argument, out, err, &child);

    if (error) {
        return hitop_fail(diag, HITOP_ERR_IO, "cannot start '%.200s': %s", argument[0],
                          strerror(error));
    }
    if (wait_until(child, now() + limit, 1, &ended)) {
        return judge(ended, err, diag);
    }
    end(child);
    if (signals_caught()) {
        return hitop_fail(diag, HITOP_ERR_IO, "was ended after %s", signals_caught());
    }
    tail_of(err, tail, sizeof(tail));
    return hitop_fail(diag, HITOP_ERR_IO, "did not end within %g s and was killed: %s", limit,
                      tail);
}

enum hitop_status launch_program(char *const argument[], double limit, char **text, size_t *length,
                                 struct hitop_diag *diag)
{
    FILE *out = tmpfile(), *err = tmpfile();
    enum hitop_status status;

    *text = NULL;
    if (!out || !err) {
        status = hitop_fail(diag, HITOP_ERR_IO, "needs a temporary file: %s", strerror(errno));
    } else {
        status = run(argument, limit, out, err, diag);
    }
    if (status == HITOP_OK) {
        *text = contents(out, length);
        status = *text ? HITOP_OK : hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    if (out) {
        (void)fclose(out);
    }
    if (err) {
        (void)fclose(err);
    }
    return status;
}

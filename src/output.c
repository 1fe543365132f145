/* SPDX-License-Identifier: BSD-3-Clause */
/* output.c - write a temporary file, then replace the output file in one step. */
#include <config.h>

#include "hitop/output.h"
#include "hitop/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct hitop_output {
    FILE *stream;
    char *path;      /* for messages and rename(); NULL for standard output */
    char *temporary; /* in the folder of path, because rename() needs the same file system */
};

static void release(struct hitop_output *output)
{
    if (output->temporary) {
        (void)unlink(output->temporary); /* fails harmlessly after a successful rename */
    }
    free(output->temporary);
    free(output->path);
    free(output);
}

/* The mode of the file to replace, or that of a new file; mkstemp() creates private files. */
static mode_t mode_for(const char *path)
{
    struct stat st;
    mode_t mask;

    if (stat(path, &st) == 0) {
        return st.st_mode & 07777;
    }
    mask = umask(0);
    (void)umask(mask);
    return 0666 & ~mask;
}

static int is_folder(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* The descriptor of a path such as /dev/stdout or /dev/fd/3; -1 for other paths. */
static int open_file(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    int number = -1;

    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
        const size_t length = strlen(folders[i]);
        if (strncmp(path, folders[i], length) == 0 &&
            hitop_text_int(path + length, 0, INT_MAX, &number, NULL) != HITOP_OK) {
            number = -1;
        }
    }
    return strcmp(path, "/dev/stdout") == 0   ? STDOUT_FILENO
           : strcmp(path, "/dev/stderr") == 0 ? STDERR_FILENO
                                              : number;
}

/* 1 for a device or a pipe: it is written directly, because rename() must not replace it. */
static int is_special(const char *path)
{
    struct stat st;

    return open_file(path) >= 0 ||
           (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode));
}

/*
 * Open a special file. The descriptor of an open file is duplicated, so that output continues at
 * its position.
 */
static FILE *open_special(const char *path)
{
    const int number = open_file(path);
    const int fd = number < 0 ? -1 : dup(number);
    FILE *stream;

    if (number < 0) {
        return fopen(path, "w");
    }
    (void)fflush(stdout);
    stream = fd < 0 ? NULL : fdopen(fd, "w");
    if (!stream && fd >= 0) {
        (void)close(fd);
    }
    return stream;
}

/* The target of a symbolic link; NULL for other files, or when out of memory. */
static char *follow_once(const char *path)
{
    const char *slash = strrchr(path, '/');
    const size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
    char target[PATH_MAX];
    const ssize_t length = readlink(path, target, sizeof(target));
    const size_t kept = length > 0 && target[0] != '/' ? folder : 0;
    char *to = length > 0 && length < PATH_MAX ? malloc(kept + (size_t)length + 1) : NULL;

    if (to) {
        memcpy(to, path, kept);
        memcpy(to + kept, target, (size_t)length);
        to[kept + (size_t)length] = '\0';
    }
    return to;
}

/*
 * Follow symbolic links to the file, so that the links are not replaced. The caller frees the path;
 * NULL when out of memory.
 */
static char *follow(const char *path)
{
    enum { MAX_LINKS = 40 };
    char *at = strdup(path), *next;

    for (int i = 0; i < MAX_LINKS && at && (next = follow_once(at)); i++) {
        free(at);
        at = next;
    }
    return at;
}

static enum hitop_status open_beside(struct hitop_output *output, const char *path,
                                     struct hitop_diag *diag)
{
    size_t length;
    int fd;

    output->path = follow(path);
    length = output->path ? strlen(output->path) : 0;
    output->temporary = malloc(length + sizeof(".XXXXXX"));
    if (!output->path || !output->temporary) {
        free(output->temporary);
        output->temporary = NULL;
        return hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", path);
    }
    memcpy(output->temporary, output->path, length);
    memcpy(output->temporary + length, ".XXXXXX", sizeof(".XXXXXX"));
    fd = mkstemp(output->temporary);
    if (fd < 0) {
        free(output->temporary);
        output->temporary = NULL;
        return hitop_fail(diag, HITOP_ERR_IO, "%s: cannot create: %s", path, strerror(errno));
    }
    (void)fchmod(fd, mode_for(output->path));
    output->stream = fdopen(fd, "w");
    if (!output->stream) {
        (void)close(fd);
        return hitop_fail(diag, HITOP_ERR_IO, "%s: cannot open: %s", path, strerror(errno));
    }
    return HITOP_OK;
}

enum hitop_status hitop_output_open(const char *path, struct hitop_output **out,
                                    struct hitop_diag *diag)
{
    struct hitop_output *output;
    enum hitop_status status = HITOP_OK;

    *out = NULL;
    output = calloc(1, sizeof(*output));
    if (!output) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", path);
    }
    if (strcmp(path, "-") == 0) {
        output->stream = stdout;
    } else if (is_special(path)) {
        output->path =
            strdup(path); /* for messages; if it is NULL, they contain "standard output" */
        output->stream = open_special(path);
        if (!output->stream) {
            status = hitop_fail(diag, HITOP_ERR_IO, "%s: cannot open: %s", path, strerror(errno));
        }
    } else if (!path[0]) {
        status = hitop_fail(diag, HITOP_ERR_IO, "cannot create a file without a name");
    } else if (is_folder(path)) {
        status = hitop_fail(diag, HITOP_ERR_IO, "%s: cannot create: it is a folder", path);
    } else {
        status = open_beside(output, path, diag);
    }
    if (status != HITOP_OK) {
        release(output);
        return status;
    }
    *out = output;
    return HITOP_OK;
}

enum hitop_status hitop_output_check(const char *path, struct hitop_diag *diag)
{
    struct hitop_output *output = NULL;
    enum hitop_status status;

    if (strcmp(path, "-") == 0 || is_special(path)) {
        return HITOP_OK;
    }
    status = hitop_output_open(path, &output, diag);
    hitop_output_discard(output);
    return status;
}

FILE *hitop_output_stream(struct hitop_output *output)
{
    return output->stream;
}

enum hitop_status hitop_output_commit(struct hitop_output *output, struct hitop_diag *diag)
{
    const char *name = output->path ? output->path : "standard output";
    enum hitop_status status = HITOP_OK;
    int failed = ferror(output->stream);

    errno = 0;
    failed = (output->stream == stdout ? fflush(stdout) : fclose(output->stream)) != 0 || failed;
    if (failed) {
        status = hitop_fail(diag, HITOP_ERR_IO, "%s: cannot write: %s", name,
                            errno ? strerror(errno) : "an earlier write failed");
    } else if (output->temporary && rename(output->temporary, output->path) != 0) {
        status = hitop_fail(diag, HITOP_ERR_IO, "%s: cannot replace: %s", name, strerror(errno));
    }
    release(output);
    return status;
}

/* 1 if the stream has failed because the reader of the pipe or socket has closed its end. */
static int is_unread(FILE *stream)
{
    struct pollfd end = {.fd = fileno(stream), .events = POLLOUT};

    return (fflush(stream) != 0 || ferror(stream)) && poll(&end, 1, 0) == 1 &&
           (end.revents & (POLLERR | POLLHUP)) != 0;
}

enum hitop_status hitop_output_end(struct hitop_output *output, enum hitop_status status,
                                   struct hitop_diag *diag)
{
    int is_standard, failed;

    if (!output) {
        return status;
    }
    is_standard =
        output->stream == stdout || (output->path && open_file(output->path) == STDOUT_FILENO);
    failed = status == HITOP_ERR_IO && ferror(output->stream);
    if (is_standard && (status == HITOP_OK || failed) && is_unread(output->stream)) {
        hitop_output_discard(output);
        return HITOP_OK;
    }
    if (status == HITOP_OK || failed) { /* commit reports the error with the name of the file */
        return hitop_output_commit(output, diag);
    }
    hitop_output_discard(output);
    return status;
}

void hitop_output_discard(struct hitop_output *output)
{
    if (!output) {
        return;
    }
    if (output->stream != stdout) {
        (void)fclose(output->stream);
    }
    release(output);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* output.c - replace a file in one step. */
#include <config.h>

#include "hitop/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct hitop_output {
    FILE *stream;
    char *path;      /* for messages and rename(); NULL for standard output */
    char *temporary; /* beside path, so that rename() stays within one file system */
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

/* The mode a plain fopen() would give; mkstemp() makes files private. */
static mode_t default_mode(void)
{
    const mode_t mask = umask(0);

    (void)umask(mask);
    return 0666 & ~mask;
}

/* A path that is a device or a pipe cannot be renamed over; write to it directly. */
static int is_special(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

static enum hitop_status open_beside(struct hitop_output *output, const char *path,
                                     struct hitop_diag *diag)
{
    const size_t length = strlen(path);
    int fd;

    output->path = strdup(path);
    output->temporary = malloc(length + sizeof(".XXXXXX"));
    if (!output->path || !output->temporary) {
        free(output->temporary);
        output->temporary = NULL;
        return hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", path);
    }
    memcpy(output->temporary, path, length);
    memcpy(output->temporary + length, ".XXXXXX", sizeof(".XXXXXX"));
    fd = mkstemp(output->temporary);
    if (fd < 0) {
        free(output->temporary);
        output->temporary = NULL;
        return hitop_fail(diag, HITOP_ERR_IO, "%s: cannot create: %s", path, strerror(errno));
    }
    (void)fchmod(fd, default_mode());
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
        output->path = strdup(path); /* for messages; without it they say "standard output" */
        output->stream = fopen(path, "w");
        if (!output->stream) {
            status = hitop_fail(diag, HITOP_ERR_IO, "%s: cannot open: %s", path, strerror(errno));
        }
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
    struct stat st;

    if (strcmp(path, "-") == 0 || is_special(path)) {
        return HITOP_OK;
    }
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
        return hitop_fail(diag, HITOP_ERR_IO, "%s: cannot create: it is a folder", path);
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

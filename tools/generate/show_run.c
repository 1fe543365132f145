/* SPDX-License-Identifier: BSD-3-Clause */
/* show_run.c - make an SVG picture by dot of Graphviz, with temporary files. */
#include <config.h>

#include "tools/generate/hierarchy_shown.h"

#include "tools/common/spawn_program.h"

#include <errno.h>
#include <string.h>

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
    char program[] = "dot", format[] = "-Tsvg";
    char *const argument[] = {program, format, NULL};
    struct hitop_diag why = HITOP_DIAG_INIT;
    const enum hitop_status status = spawn_program(argument, from, into, &why);

    if (status == HITOP_ERR_NOTFOUND) {
        return hitop_fail(diag, HITOP_ERR_UNSUPPORTED,
                          "--format svg needs the program dot of Graphviz, which is not installed");
    }
    return status == HITOP_OK ? status : hitop_fail(diag, HITOP_ERR_UNSUPPORTED, "%s", why.message);
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

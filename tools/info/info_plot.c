/* SPDX-License-Identifier: BSD-3-Clause */
/* info_plot.c - write scripts and data of the pictures of a model, and run gnuplot. */
#include <config.h>

#include "tools/info/plot.h"

#include "tools/common/spawn_program.h"

#include "hitop/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A picture that is being written. */
struct picture {
    char *path[3]; /* of the script, the data and the picture itself */
    struct hitop_output *script, *data;
};

enum { SCRIPT, DATA, PICTURE };

static void picture_clear(struct picture *p)
{
    hitop_output_discard(p->script);
    hitop_output_discard(p->data);
    for (int i = 0; i < 3; i++) {
        free(p->path[i]);
    }
}

static enum hitop_status picture_open(struct picture *p, const char *prefix, const char *name,
                                      struct hitop_diag *diag)
{
    static const char *const suffixes[3] = {"gp", "dat", "svg"};
    const size_t length = strlen(prefix) + strlen(name) + 8;
    enum hitop_status status;

    *p = (struct picture){.script = NULL};
    for (int i = 0; i < 3; i++) {
        p->path[i] = malloc(length);
        if (!p->path[i]) {
            return hitop_fail(diag, HITOP_ERR_NOMEM, "names of files: out of memory");
        }
        (void)snprintf(p->path[i], length, "%s-%s.%s", prefix, name, suffixes[i]);
    }
    status = hitop_output_open(p->path[SCRIPT], &p->script, diag);
    return status == HITOP_OK ? hitop_output_open(p->path[DATA], &p->data, diag) : status;
}

static enum hitop_status picture_commit(struct picture *p, struct hitop_diag *diag)
{
    struct hitop_output *data = p->data, *script = p->script;
    enum hitop_status status;

    p->data = NULL;
    status = hitop_output_commit(data, diag);
    if (status == HITOP_OK) {
        p->script = NULL;
        status = hitop_output_commit(script, diag);
    }
    return status;
}

/* HITOP_ERR_NOTFOUND where gnuplot is missing. */
static enum hitop_status draw(const struct picture *p, struct hitop_diag *diag)
{
    char program[] = "gnuplot", defaults[] = "-d";
    char *const argument[] = {program, defaults, NULL};
    FILE *from = fopen(p->path[SCRIPT], "r"), *into = fopen("/dev/null", "w");
    struct hitop_diag why = HITOP_DIAG_INIT;
    enum hitop_status status;

    if (!from || !into) {
        status = hitop_fail(&why, HITOP_ERR_IO, "cannot open: %s", strerror(errno));
    } else {
        status = spawn_program(argument, from, into, &why);
    }
    if (into) {
        (void)fclose(into);
    }
    if (from) {
        (void)fclose(from);
    }
    if (status == HITOP_ERR_IO) {
        (void)unlink(p->path[PICTURE]); /* incomplete */
    }
    return status == HITOP_OK ? status
                              : hitop_fail(diag, status, "%s: %s", p->path[SCRIPT], why.message);
}

enum { TIMES, RESIDUALS, MATRIX, NPICTURES };

static const char *const names[NPICTURES] = {
    [TIMES] = "times", [RESIDUALS] = "residuals", [MATRIX] = "matrix"};

static enum hitop_status write_picture(int which, struct picture *p, const struct plot_data *data,
                                       const char *prefix, struct hitop_diag *diag)
{
    struct plot plot;
    enum hitop_status status = picture_open(p, prefix, names[which], diag);

    if (status != HITOP_OK) {
        return status;
    }
    plot = (struct plot){p->path[SCRIPT], p->path[DATA], p->path[PICTURE],
                         hitop_output_stream(p->script), hitop_output_stream(p->data)};
    if (which == TIMES) {
        plot_times(&plot, data);
    } else if (which == RESIDUALS) {
        plot_residuals(&plot, data);
    } else {
        status = plot_matrix(&plot, data->request, diag);
    }
    return status == HITOP_OK ? picture_commit(p, diag) : status;
}

/* Write all files before gnuplot runs, so that they exist even where it fails or is missing. */
static enum hitop_status make_pictures(const struct plot_data *data, const char *prefix,
                                       struct hitop_diag *diag)
{
    struct picture picture[NPICTURES] = {{.script = NULL}};
    enum hitop_status status = HITOP_OK;

    for (int i = 0; status == HITOP_OK && i < NPICTURES; i++) {
        if (i != RESIDUALS || data->npoints > 0) {
            status = write_picture(i, &picture[i], data, prefix, diag);
        }
    }
    for (int i = 0; status == HITOP_OK && i < NPICTURES; i++) {
        if (picture[i].path[SCRIPT]) {
            status = draw(&picture[i], diag);
        }
    }
    for (int i = 0; i < NPICTURES; i++) {
        picture_clear(&picture[i]);
    }
    return status;
}

int info_plot(const struct info_request *request, const char *prefix, const char *points_path)
{
    struct points points = {0};
    struct plot_data data = {.request = request};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    enum hitop_status status = HITOP_OK;
    int result = TOOL_DONE;

    if (hitop_model_nclasses(request->model) == 0) {
        tool_error(request->tool, "%s: one rank has no links to draw", request->path);
        return TOOL_USAGE;
    }
    if (points_path) {
        status = hitop_points_read(points_path, hitop_model_nranks(request->model), &points, &diag);
        status = status == HITOP_ERR_IO ? HITOP_ERR_FORMAT : status;
    }
    if (status == HITOP_OK) {
        status = plot_data_fill(&data, request, &points, &diag);
    }
    if (status == HITOP_OK) {
        status = make_pictures(&data, prefix, &diag);
    }
    if (status == HITOP_ERR_NOTFOUND) {
        tool_error(request->tool, "%s: scripts are written, no pictures", diag.message);
    } else if (status != HITOP_OK) {
        result = tool_fail(request->tool, status, &diag);
    }
    plot_data_clear(&data);
    hitop_points_clear(&points);
    return result;
}

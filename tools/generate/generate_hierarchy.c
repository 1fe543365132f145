/* SPDX-License-Identifier: BSD-3-Clause */
/* generate_hierarchy.c - write the hierarchy of the hosts of a job or of a list. */
#include <config.h>

#include "hitop/output.h"
#include "hitop/source.h"

#include "tools/common/keep_edits.h"
#include "tools/common/tool_mpi.h"
#include "tools/generate/generate_options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Warn of a prefix that matches no host: most likely it is a typing error. */
static void warn_about_prefixes(const struct tool *tool, const struct hitop_grouping *how,
                                const struct hitop_place *place, int nranks)
{
    for (int i = 0; i < how->nprefixes; i++) {
        const size_t length = strlen(how->prefixes[i]);
        int rank = 0;

        while (rank < nranks && strncasecmp(place[rank].host, how->prefixes[i], length) != 0) {
            rank++;
        }
        if (rank == nranks) {
            tool_error(tool, "warning: no host name begins with '%s'", how->prefixes[i]);
        }
    }
}

/* Write a DOT file. A different older one is kept as FILE~, because users edit DOT files. */
static enum hitop_status print_kept(const struct hitop_hierarchy *h,
                                    const struct generate_request *request, struct hitop_diag *diag)
{
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    enum hitop_status status = to ? show_write(&request->show, h, to, diag) : HITOP_ERR_NOMEM;

    if (to && fclose(to) != 0 && status == HITOP_OK) {
        status = HITOP_ERR_NOMEM;
    }
    if (status == HITOP_OK) {
        status = keep_edits_write(request->tool, request->output, text, length, diag);
    }
    free(text);
    return status;
}

static enum hitop_status print(const struct hitop_hierarchy *h,
                               const struct generate_request *request, struct hitop_diag *diag)
{
    struct hitop_output *output = NULL;
    enum hitop_status status;

    if (request->show.format == SHOW_DOT && strcmp(request->output, "-") != 0) {
        return print_kept(h, request, diag);
    }
    status = hitop_output_open(request->output, &output, diag);
    if (status != HITOP_OK) {
        return status;
    }
    status = show_write(&request->show, h, hitop_output_stream(output), diag);
    return hitop_output_end(output, status, diag);
}

static enum hitop_status print_merged(const struct hitop_hierarchy *h, const void *data,
                                      struct hitop_diag *diag)
{
    return print(h, data, diag);
}

static int keep_inputs(const struct tool *tool, const struct generate_request *request)
{
    const struct tool_file output = {"-o", request->output};
    const struct tool_file hosts = {"--hosts-file", request->from.hosts_file};
    int status = tool_keep_inputs(tool, &output, 1, &hosts, 1);

    for (int i = 0; i < request->grouping.how.nfiles && status == TOOL_DONE; i++) {
        const struct hitop_source_file *file = &request->grouping.file[i];
        char option[64];
        const struct tool_file input = {option, file->path};
        (void)snprintf(option, sizeof(option), "the source %s", file->source);
        status = tool_keep_inputs(tool, &output, 1, &input, 1);
    }
    return status;
}

/* Make the hierarchy of the places; NULL after a failure. *exit_status is set in any case. */
static struct hitop_hierarchy *group(const struct tool *tool, const struct hitop_place *place,
                                     int nranks, const struct generate_request *request,
                                     int *exit_status)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_hierarchy *h = NULL;
    enum hitop_status status;

    *exit_status = keep_inputs(tool, request);
    if (*exit_status != TOOL_DONE) {
        return NULL;
    }
    warn_about_prefixes(tool, &request->grouping.how, place, nranks);
    status = hitop_hierarchy_group(place, nranks, &request->grouping.how, &h, &diag);
    *exit_status = status == HITOP_OK ? TOOL_DONE : tool_fail(tool, status, &diag);
    if (status == HITOP_ERR_IO) { /* a file to read; output is not yet open */
        *exit_status = TOOL_BAD_INPUT;
    }
    if (status == HITOP_OK && request->measure.is_wanted) { /* check now, not at the end */
        status = hitop_output_check(request->output, &diag);
        if (status != HITOP_OK) {
            *exit_status = tool_fail(tool, status, &diag);
            hitop_hierarchy_free(h);
            h = NULL;
        }
    }
    return h;
}

static int group_and_print(const struct tool *tool, const struct hitop_place *place, int nranks,
                           const void *data)
{
    const struct generate_request *request = data;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int exit_status, measured = TOOL_DONE;
    struct hitop_hierarchy *h = group(tool, place, nranks, request, &exit_status);

    if (request->measure.is_wanted) { /* also after a failure: the other ranks wait */
        measured = refine_job(tool, &request->measure, &h);
    }
    if (h && (measured == TOOL_DONE || measured == TOOL_UNTRUSTED)) {
        const enum hitop_status status = print(h, request, &diag);
        exit_status = status == HITOP_OK ? measured : tool_fail(tool, status, &diag);
    } else if (h) {
        exit_status = measured;
    }
    hitop_hierarchy_free(h);
    return exit_status;
}

/* The work of all ranks except rank 0. */
static int help_to_measure(const struct tool *tool, const void *data)
{
    const struct generate_request *request = data;

    return request->measure.is_wanted ? refine_job(tool, &request->measure, NULL) : TOOL_DONE;
}

/* Use the hosts in the files of sources if there is neither a list of hosts nor a job. */
static void list_hosts_of_files(struct generate_request *request)
{
    const struct hitop_grouping *how = &request->grouping.how;
    const struct hitop_source *const *s = hitop_file_sources();
    int is_stdin = 0;

    for (int i = 0; i < how->nfiles; i++) {
        is_stdin = is_stdin || strcmp(how->files[i].path, "-") == 0; /* can be read only once */
    }
    if (how->nfiles > 0 && !is_stdin && !request->measure.is_wanted && !request->edit &&
        !places_option(&request->from) && !tool_mpi_is_launched()) {
        while (strcmp((*s)->name, how->files[0].source) != 0) {
            s++;
        }
        (void)snprintf(request->from.list_option, sizeof(request->from.list_option), "--%s",
                       (*s)->option);
        request->from.files = how;
    }
}

HITOP_API int main(int argc, char **argv)
{
    struct tool_option options[GENERATE_OPTIONS];
    struct tool tool = {
        .name = "generate_hierarchy",
        .synopsis = "[options] [prefix...] | --check FILE... | --diff FILE FILE | --merge FILE...",
        .summary =
            "Write the hierarchy of the hosts of this job (under mpirun) or of a list of hosts.\n"
            "Hosts whose names begin with a prefix form a cluster; the longest match counts.",
        .options = options,
        .epilogue = "Examples:\n"
                    "  mpirun -n 8 generate_hierarchy -o cluster.dot\n"
                    "  generate_hierarchy --hosts 'alpha[01-04]:2,beta01' --format text\n"
                    "  generate_hierarchy --check cluster.dot\n",
    };
    struct generate_request request;
    const struct places_work work = {
        .run = group_and_print, .follow = help_to_measure, .data = &request};
    int exit_status;

    tool.noptions = generate_options_add(options);
    if (tool_help_or_version(&tool, argc, argv)) {
        return tool_finish(&tool);
    }
    tool.quiet = tool_mpi_is_later_rank();
    exit_status = generate_options_read(&tool, argc, argv, &request);
    list_hosts_of_files(&request);
    request.grouping.how.read_usual_files = places_are_here(&request.from);
    request.from.no_hardware = request.grouping.how.ignore_hardware;
    if (exit_status != TOOL_DONE) {
        exit_status = tool_mpi_leave(&tool, exit_status);
    } else if (request.edit) {
        const struct edit_request files = {.file = argv + optind,
                                           .nfiles = argc - optind,
                                           .output = request.output,
                                           .is_hierarchy = request.show.format == SHOW_DOT &&
                                                           !request.show.is_limited,
                                           .print = print_merged,
                                           .data = &request};
        exit_status = edit_files(&tool, request.edit, &files);
    } else {
        exit_status = places_run(&tool, &request.from, &work);
    }
    grouping_options_end(&request.grouping);
    return exit_status;
}

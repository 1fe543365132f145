/* SPDX-License-Identifier: BSD-3-Clause */
/* generate_hierarchy.c - write the hierarchy of the hosts of a job or of a list. */
#include <config.h>

#include "hitop/output.h"
#include "hitop/source.h"
#include "hitop/text.h"

#include "edit_files.h"
#include "grouping_options.h"
#include "places_mpi.h"
#include "refine.h"
#include "show.h"
#include "tool_mpi.h"

#include <getopt.h>
#include <string.h>
#include <strings.h>

enum {
    O_HOSTS = 256,
    O_HOSTS_FILE,
    O_SLURM_JOB,
    O_HWLOC,
    O_NO_HWLOC,
    O_CHECK,
    O_DIFF,
    O_MERGE,
};

enum { MAX_OPTIONS = 56 };

static const struct tool_option own[] = {
    {O_HOSTS, "hosts", "LIST",
     "do not ask MPI: the host of each rank, separated by commas;\n"
     "a:2 stands for a,a and n[08-10] for n08,n09,n10"},
    {O_HOSTS_FILE, "hosts-file", "FILE",
     "do not ask MPI: a host file of Open MPI, MPICH, PBS, LSF or\n"
     "Grid Engine, or a rankfile; - is standard input"},
    {O_SLURM_JOB, "slurm-job", NULL,
     "do not ask MPI: the hosts of the SLURM job in whose script\n"
     "this stands"},
    {O_HWLOC, "hwloc", "[HOSTS=]SPEC",
     "what hosts of a list are like inside: a file that lstopo\n"
     "wrote as XML, or words such as 'package:2 core:8 pu:1';\n"
     "may be given for several HOSTS, e.g. n[1-4]=SPEC"},
    {O_NO_HWLOC, "no-hwloc", NULL, "make no levels inside hosts"},
    {O_CHECK, "check", NULL,
     "review the hierarchy files that follow: mistakes, and what is\n"
     "most likely not meant so"},
    {O_DIFF, "diff", NULL,
     "tell what differs between the two hierarchy files that follow;\n"
     "exit with 0 when nothing does, with 1 when something does"},
    {O_MERGE, "merge", NULL,
     "write one hierarchy of those in the files that follow; what\n"
     "contradicts an earlier file is told and left out"},
    {'o', "output", "FILE", "write to FILE, which appears whole or not at all"},
};

struct request {
    struct places_request from;
    struct grouping_options grouping;
    struct refine_request measure;
    const struct edit_work *edit; /* of files, or NULL */
    const char *output;
    struct show_request show;
};

static int choose_edit(const struct tool *tool, const struct edit_work *edit,
                       struct request *request)
{
    if (request->edit && request->edit != edit) {
        tool_error(tool, "%s and %s exclude each other", request->edit->option, edit->option);
        return TOOL_USAGE;
    }
    request->edit = edit;
    return TOOL_DONE;
}

/* Operands are prefixes, or files where files are edited. */
static int take_operands(const struct tool *tool, char **operand, int n, struct request *request)
{
    request->grouping.how.prefixes = (const char *const *)operand;
    request->grouping.how.nprefixes = n;
    for (int i = 0; i < n && !request->edit; i++) {
        if (!operand[i][0]) {
            tool_error(tool, "an empty prefix matches every host; give at least one character");
            return TOOL_USAGE;
        }
    }
    if (request->edit && places_option(&request->from)) {
        tool_error(tool, "%s and %s exclude each other", request->edit->option,
                   places_option(&request->from));
        return TOOL_USAGE;
    }
    return TOOL_DONE;
}

/* Only the hosts of a job can be measured. */
static int check_measure(const struct tool *tool, const struct request *request)
{
    const char *other = request->edit ? request->edit->option : places_option(&request->from);

    if (request->measure.is_wanted && other) {
        tool_error(tool, "--measure needs the hosts of a job; it and %s exclude each other", other);
        return TOOL_USAGE;
    }
    return TOOL_DONE;
}

static int take_inside(const struct tool *tool, struct places_request *from, const char *argument)
{
    if (from->ninsides == PLACES_INSIDES) {
        tool_error(tool, "--hwloc: more than %d", PLACES_INSIDES);
        return TOOL_USAGE;
    }
    from->inside[from->ninsides++] = argument;
    return TOOL_DONE;
}

static int read_options(const struct tool *tool, int argc, char **argv, struct request *request)
{
    int c, status = TOOL_DONE;

    *request = (struct request){.output = "-"};
    refine_options_begin(&request->measure);
    grouping_options_begin(&request->grouping, tool);
    optind = 1;
    while (status == TOOL_DONE && (c = tool_next_option(tool, argc, argv)) != -1) {
        switch (c) {
        case O_HOSTS:
            request->from.hosts = optarg;
            break;
        case O_HOSTS_FILE:
            request->from.hosts_file = optarg;
            break;
        case O_SLURM_JOB:
            request->from.slurm_job = 1;
            break;
        case O_HWLOC:
            status = take_inside(tool, &request->from, optarg);
            break;
        case O_NO_HWLOC:
            request->from.no_binding = 1;
            break;
        case O_CHECK:
            status = choose_edit(tool, &edit_check, request);
            break;
        case O_DIFF:
            status = choose_edit(tool, &edit_diff, request);
            break;
        case O_MERGE:
            status = choose_edit(tool, &edit_merge, request);
            break;
        case 'o':
            request->output = optarg;
            break;
        default:
            if (!refine_options_take(&request->measure, tool, c, optarg, &status) &&
                !show_options_take(&request->show, tool, c, optarg, &status) &&
                !grouping_options_take(&request->grouping, c, optarg, &status)) {
                status = TOOL_USAGE;
            }
        }
    }
    if (status == TOOL_DONE) {
        status = show_options_check(&request->show, tool);
    }
    if (status == TOOL_DONE) {
        status = take_operands(tool, argv + optind, argc - optind, request);
    }
    return status == TOOL_DONE ? check_measure(tool, request) : status;
}

/* A prefix that fits no host is most likely a slip of the pen. */
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

static enum hitop_status print(const struct hitop_hierarchy *h, const struct request *request,
                               struct hitop_diag *diag)
{
    struct hitop_output *output = NULL;
    enum hitop_status status = hitop_output_open(request->output, &output, diag);

    if (status != HITOP_OK) {
        return status;
    }
    status = show_write(&request->show, h, hitop_output_stream(output), diag);
    if (status != HITOP_OK) {
        hitop_output_discard(output);
        return status;
    }
    return hitop_output_commit(output, diag);
}

static enum hitop_status print_merged(const struct hitop_hierarchy *h, const void *data,
                                      struct hitop_diag *diag)
{
    return print(h, data, diag);
}

/* Find out before the measurement, not after it, that the output cannot be written. */
static enum hitop_status check_output(const struct request *request, struct hitop_diag *diag)
{
    struct hitop_output *output = NULL;
    const enum hitop_status status = hitop_output_open(request->output, &output, diag);

    if (status == HITOP_OK) {
        hitop_output_discard(output);
    }
    return status;
}

/* The hierarchy of the places, or NULL with *exit_status set. */
static struct hitop_hierarchy *group(const struct tool *tool, const struct hitop_place *place,
                                     int nranks, const struct request *request, int *exit_status)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_hierarchy *h = NULL;
    enum hitop_status status;

    warn_about_prefixes(tool, &request->grouping.how, place, nranks);
    status = hitop_hierarchy_group(place, nranks, &request->grouping.how, &h, &diag);
    *exit_status = status == HITOP_OK ? TOOL_DONE : tool_fail(tool, status, &diag);
    if (status == HITOP_ERR_IO) { /* of a file to read */
        *exit_status = TOOL_BAD_INPUT;
    }
    if (status == HITOP_OK && request->measure.is_wanted) {
        status = check_output(request, &diag);
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
    const struct request *request = data;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int exit_status, measured = TOOL_DONE;
    struct hitop_hierarchy *h = group(tool, place, nranks, request, &exit_status);

    if (request->measure.is_wanted) { /* the other ranks wait to hear about it in any case */
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

/* What ranks other than the first do. */
static int help_to_measure(const struct tool *tool, const void *data)
{
    const struct request *request = data;

    return request->measure.is_wanted ? refine_job(tool, &request->measure, NULL) : TOOL_DONE;
}

HITOP_API int main(int argc, char **argv)
{
    struct tool_option options[MAX_OPTIONS];
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
    struct request request;
    const struct places_work work = {
        .run = group_and_print, .follow = help_to_measure, .data = &request};
    int exit_status;

    memcpy(options, own, sizeof(own));
    tool.noptions = grouping_options_add(options, sizeof(own) / sizeof(own[0]), MAX_OPTIONS);
    tool.noptions = refine_options_add(options, tool.noptions, MAX_OPTIONS);
    tool.noptions = show_options_add(options, tool.noptions, MAX_OPTIONS);
    if (tool_help_or_version(&tool, argc, argv)) {
        return tool_finish(&tool);
    }
    tool.quiet = tool_mpi_is_later_rank();
    exit_status = read_options(&tool, argc, argv, &request);
    request.grouping.how.look_around = places_are_here(&request.from);
    request.from.no_hardware = request.grouping.how.ignore_hardware;
    if (exit_status != TOOL_DONE) {
        exit_status = tool_mpi_leave(&tool, exit_status);
    } else if (request.edit) {
        const struct edit_request files = {.file = argv + optind,
                                           .nfiles = argc - optind,
                                           .output = request.output,
                                           .print = print_merged,
                                           .data = &request};
        exit_status = edit_files(&tool, request.edit, &files);
    } else {
        exit_status = places_run(&tool, &request.from, &work);
    }
    grouping_options_end(&request.grouping);
    return exit_status;
}

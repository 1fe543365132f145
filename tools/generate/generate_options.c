/* SPDX-License-Identifier: BSD-3-Clause */
/* generate_options.c - the command line of generate_hierarchy. */
#include <config.h>

#include "tools/generate/generate_options.h"

#include "tools/common/tool_mpi.h"

#include <getopt.h>
#include <string.h>

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

static const struct tool_option own[] = {
    PLACES_OPTIONS(O_HOSTS, O_HOSTS_FILE, O_SLURM_JOB),
    {O_HWLOC, "hwloc", "[HOSTS=]SPEC",
     "hardware of the hosts of a list: a file that lstopo\n"
     "wrote as XML, or words such as 'package:2 core:8 pu:1';\n"
     "may be repeated for several HOSTS, e.g. n[1-4]=SPEC"},
    {O_NO_HWLOC, "no-hwloc", NULL, "make no levels inside hosts"},
    {O_CHECK, "check", NULL,
     "check the hierarchy files that follow: report errors, and\n"
     "warnings about probable ones"},
    {O_DIFF, "diff", NULL,
     "report the differences of the two hierarchy files that follow;\n"
     "the exit status is 4 if there are any"},
    {O_MERGE, "merge", NULL,
     "merge the hierarchies in the files that follow; groups that\n"
     "contradict an earlier file are reported and omitted"},
    {'o', "output", "FILE",
     "write to FILE, completely or not at all; a different older\n"
     "hierarchy there is kept as FILE~"},
};

size_t generate_options_add(struct tool_option *options)
{
    size_t n = sizeof(own) / sizeof(own[0]);

    memcpy(options, own, sizeof(own));
    n = grouping_options_add(options, n, GENERATE_OPTIONS);
    n = refine_options_add(options, n, GENERATE_OPTIONS);
    return show_options_add(options, n, GENERATE_OPTIONS);
}

static int choose_edit(const struct tool *tool, const struct edit_work *edit,
                       struct generate_request *request)
{
    if (request->edit && request->edit != edit) {
        tool_error(tool, "%s and %s exclude each other", request->edit->option, edit->option);
        return TOOL_USAGE;
    }
    request->edit = edit;
    return TOOL_DONE;
}

/* Operands are prefixes, or files with --check, --diff and --merge. */
static int take_operands(const struct tool *tool, char **operand, int n,
                         struct generate_request *request)
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

/* Refuse --measure without a job: only the hosts of a job can be measured. */
static int check_measure(const struct tool *tool, const struct generate_request *request)
{
    const char *other = request->edit ? request->edit->option : places_option(&request->from);

    if (request->measure.is_wanted && other) {
        tool_error(tool, "--measure needs the hosts of a job; it and %s exclude each other", other);
        return TOOL_USAGE;
    }
    return TOOL_DONE;
}

/*
 * Refuse options that have no effect with the work on files: those for making a hierarchy, and for
 * --check and --diff also formats. makes and shows are the last such option, or 0.
 */
static int check_edit(const struct tool *tool, const struct edit_work *edit, int makes, int shows)
{
    const int other = edit == &edit_merge || makes ? makes : shows;

    if (edit && other) {
        tool_error(tool, "%s and --%s exclude each other", edit->option,
                   tool_option_name(tool, other));
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

int generate_options_read(const struct tool *tool, int argc, char **argv,
                          struct generate_request *request)
{
    int c, makes = 0, shows = 0, status = TOOL_DONE;

    *request = (struct generate_request){.tool = tool, .output = "-"};
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
            makes = c;
            status = take_inside(tool, &request->from, optarg);
            break;
        case O_NO_HWLOC:
            makes = c;
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
            if (show_options_take(&request->show, tool, c, optarg, &status)) {
                shows = c;
            } else if (!refine_options_take(&request->measure, tool, c, optarg, &status)) {
                makes = c;
                if (!grouping_options_take(&request->grouping, c, optarg, &status)) {
                    status = TOOL_USAGE;
                }
            }
        }
    }
    if (status == TOOL_DONE) {
        status = show_options_check(&request->show, tool);
    }
    if (status == TOOL_DONE) {
        status = take_operands(tool, argv + optind, argc - optind, request);
    }
    if (status == TOOL_DONE) {
        status = check_measure(tool, request);
    }
    return status == TOOL_DONE ? check_edit(tool, request->edit, makes, shows) : status;
}

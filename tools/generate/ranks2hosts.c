/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks2hosts.c - write the ranks of each host as a Graphviz file. */
#include <config.h>

#include "tools/common/keep_edits.h"
#include "tools/common/places.h"
#include "tools/common/tool_mpi.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum { O_HOSTS = 256, O_HOSTS_FILE, O_SLURM_JOB };

static const struct tool_option options[] = {
    PLACES_OPTIONS(O_HOSTS, O_HOSTS_FILE, O_SLURM_JOB),
    {'o', "output", "FILE",
     "write to FILE, which appears whole or not at all; a file there\n"
     "that is different is kept as FILE~"},
};

struct resident {
    const char *host;
    int rank, first; /* first: smallest rank on the host */
};

/* The output, and the list of hosts. */
struct files {
    struct tool_file output, hosts;
};

static int by_host(const void *a, const void *b)
{
    const struct resident *x = a, *y = b;
    const int order = strcmp(x->host, y->host);

    return order ? order : (x->rank > y->rank) - (x->rank < y->rank);
}

static int by_first_rank(const void *a, const void *b)
{
    const struct resident *x = a, *y = b;

    if (x->first != y->first) {
        return x->first < y->first ? -1 : 1;
    }
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* List the ranks by host, hosts in the order of their smallest rank; NULL when out of memory. */
static struct resident *sort_ranks(const struct hitop_place *place, int nranks)
{
    struct resident *all = calloc((size_t)nranks, sizeof(*all));

    for (int rank = 0; rank < nranks && all; rank++) {
        all[rank] = (struct resident){.host = place[rank].host, .rank = rank};
    }
    if (all) {
        qsort(all, (size_t)nranks, sizeof(*all), by_host);
        for (int i = 0; i < nranks; i++) {
            const int is_first = i == 0 || strcmp(all[i].host, all[i - 1].host) != 0;
            all[i].first = is_first ? all[i].rank : all[i - 1].first;
        }
        qsort(all, (size_t)nranks, sizeof(*all), by_first_rank);
    }
    return all;
}

/* Write a host name as a quoted label, with a backslash before every quote and backslash. */
static void print_quoted(FILE *to, const char *text)
{
    fputc('"', to);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') {
            fputc('\\', to);
        }
        fputc(*text, to);
    }
    fputc('"', to);
}

/* Maximum number of ranks of one host in a row. */
enum { ROW = 16 };

static int begins_host(const struct resident *all, int i)
{
    return i == 0 || all[i].first != all[i - 1].first;
}

/*
 * Write invisible edges, which put the ranks all[begin..end-1] of one host into rows, from left to
 * right.
 */
static void print_rows(FILE *to, const struct resident *all, int begin, int end)
{
    for (int i = begin; i < end; i++) {
        const int place = (i - begin) % ROW;
        const int is_last = place == ROW - 1 || i + 1 == end;

        if (place == 0 && is_last) {
            continue;
        }
        fprintf(to, "%s%d", place == 0 ? "        " : " -> ", all[i].rank);
        fputs(is_last ? " [style=invis];\n" : "", to);
    }
}

/*
 * Write an invisible node with edges to all rows, in their order, which puts hosts below each
 * other.
 */
static void print_order(FILE *to, const struct resident *all, int nranks)
{
    fputs("    begin [style=invis, shape=point];\n    begin -> {", to);
    for (int i = 0, place = 0; i < nranks; i++) {
        place = begins_host(all, i) ? 0 : place + 1;
        if (place % ROW == 0) {
            fprintf(to, " %d", all[i].rank);
        }
    }
    fputs(" } [style=invis];\n", to);
}

static void write_ranks(FILE *to, const struct resident *all, int nranks)
{
    fputs("digraph ranks {\n    rankdir=LR;\n", to);
    for (int begin = 0, end, nhosts = 0; begin < nranks; begin = end) {
        fprintf(to, "    subgraph \"cluster_h%d\" {\n        label=", nhosts++);
        print_quoted(to, all[begin].host);
        fputs(";\n", to);
        for (end = begin; end < nranks && (end == begin || !begins_host(all, end)); end++) {
            fprintf(to, "        %d;\n", all[end].rank);
        }
        print_rows(to, all, begin, end);
        fputs("    }\n", to);
    }
    print_order(to, all, nranks);
    fputs("}\n", to);
}

static int print_ranks(const struct tool *tool, const struct hitop_place *place, int nranks,
                       const void *data)
{
    const struct files *files = data;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct resident *all;
    enum hitop_status status = HITOP_ERR_NOMEM;
    char *text = NULL;
    size_t length = 0;
    FILE *to;

    if (tool_keep_inputs(tool, &files->output, 1, &files->hosts, 1) != TOOL_DONE) {
        return TOOL_USAGE;
    }
    all = sort_ranks(place, nranks);
    to = all ? open_memstream(&text, &length) : NULL;
    if (to) {
        write_ranks(to, all, nranks);
        if (fclose(to) == 0) {
            status = keep_edits_write(tool, files->output.path, text, length, &diag);
        }
    }
    free(text);
    free(all);
    return status == HITOP_OK ? TOOL_DONE : tool_fail(tool, status, &diag);
}

HITOP_API int main(int argc, char **argv)
{
    struct tool tool = {
        .name = "ranks2hosts",
        .synopsis = "[options]",
        .summary =
            "Write which ranks of this job (under mpirun) or of a list run on which host, as a\n"
            "Graphviz file with a box per host.",
        .options = options,
        .noptions = sizeof(options) / sizeof(options[0]),
        .epilogue = "Example:\n  mpirun -n 8 ranks2hosts | dot -Tsvg -o ranks.svg\n",
    };
    struct places_request request = {.no_binding = 1, .no_hardware = 1};
    struct files files = {.output = {"-o", "-"}, .hosts = {"--hosts-file", NULL}};
    int c;

    if (tool_help_or_version(&tool, argc, argv)) {
        return tool_finish(&tool);
    }
    tool.quiet = tool_mpi_is_later_rank();
    while ((c = tool_next_option(&tool, argc, argv)) != -1) {
        switch (c) {
        case O_HOSTS:
            request.hosts = optarg;
            break;
        case O_HOSTS_FILE:
            request.hosts_file = optarg;
            break;
        case O_SLURM_JOB:
            request.slurm_job = 1;
            break;
        case 'o':
            files.output.path = optarg;
            break;
        default:
            return tool_mpi_leave(&tool, TOOL_USAGE);
        }
    }
    if (optind < argc) {
        tool_error(&tool, "unexpected argument '%s'; see ranks2hosts --help", argv[optind]);
        return tool_mpi_leave(&tool, TOOL_USAGE);
    }
    files.hosts.path = request.hosts_file;
    return places_run(&tool, &request, &(struct places_work){.run = print_ranks, .data = &files});
}

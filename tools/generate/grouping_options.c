/* SPDX-License-Identifier: BSD-3-Clause */
/* grouping_options.c - read the options for grouping hosts. */
#include <config.h>

#include "tools/generate/grouping_options.h"

#include "hitop/sys/source.h"
#include "hitop/text.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    O_FIRST = 1000,
    O_PREFIX_LENGTH = O_FIRST,
    O_BLOCK,
    O_SPLIT,
    O_NO_DOMAIN,
    O_NO_HARDWARE,
    O_KEEP_CHAINS,
    O_SOURCE,
    O_FILE
};

static const struct tool_option own[] = {
    {O_PREFIX_LENGTH, "prefix-length", "K",
     "hosts whose names share their first K characters form a\n"
     "cluster; the default reads words and numbers"},
    {O_BLOCK, "block", "N",
     "N consecutive host numbers make a group, counted from the\n"
     "smallest number of their group"},
    {O_SPLIT, "split", "REGEX",
     "each (...) of an extended regular expression that matches a\n"
     "host name names a group, the first one outermost"},
    {O_NO_DOMAIN, "no-domain", NULL, "do not group by the domain, the name after its first dot"},
    {O_NO_HARDWARE, "no-hardware", NULL, "do not group hosts by their hardware"},
    {O_KEEP_CHAINS, "keep-chains", NULL, "keep groups that have a single member"},
    {O_SOURCE, "source", "LIST", "use these sources only, e.g. names,binding"},
};

enum { NOWN = sizeof(own) / sizeof(own[0]) };

size_t grouping_options_add(struct tool_option *options, size_t n, size_t max)
{
    const struct hitop_source *const *sources = hitop_file_sources();

    for (size_t i = 0; i < NOWN && n < max; i++) {
        options[n++] = own[i];
    }
    for (int i = 0; sources[i] && n < max; i++) {
        options[n++] = (struct tool_option){O_FILE + i, sources[i]->option, sources[i]->argument,
                                            sources[i]->summary};
    }
    return n;
}

static void print_warning(void *data, const char *message)
{
    tool_error(data, "warning: %s", message);
}

void grouping_options_begin(struct grouping_options *g, const struct tool *tool)
{
    *g = (struct grouping_options){.tool = tool};
    g->how.more = hitop_file_sources();
    g->how.warn = print_warning;
    g->how.warn_data = (void *)(uintptr_t)tool;
    g->how.files = g->file;
    g->how.only = g->only;
}

void grouping_options_end(struct grouping_options *g)
{
    free(g->sources);
    *g = (struct grouping_options){0};
}

static int take_sources(struct grouping_options *g, const char *list)
{
    char *rest = NULL;

    free(g->sources);
    g->how.nonly = 0;
    g->sources = strdup(list);
    if (!g->sources) {
        return tool_fail(g->tool, HITOP_ERR_NOMEM, NULL);
    }
    for (char *name = strtok_r(g->sources, ",", &rest); name && g->how.nonly < GROUPING_MAX;
         name = strtok_r(NULL, ",", &rest)) {
        g->only[g->how.nonly++] = name;
    }
    if (g->how.nonly == 0) {
        tool_error(g->tool, "--source: '%s' names no source", list);
        return TOOL_USAGE;
    }
    return TOOL_DONE;
}

static int take_file(struct grouping_options *g, const struct hitop_source *source,
                     const char *path)
{
    for (int i = 0; i < g->how.nfiles; i++) {
        if (strcmp(g->file[i].source, source->name) == 0) {
            tool_error(g->tool, "--%s is given twice, for '%s' and '%s'", source->option,
                       g->file[i].path, path);
            return TOOL_USAGE;
        }
    }
    g->file[g->how.nfiles++] = (struct hitop_source_file){source->name, path};
    return TOOL_DONE;
}

int grouping_options_take(struct grouping_options *g, int letter, char *argument, int *status)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;

    if (letter < O_FIRST) {
        return 0;
    }
    *status = TOOL_DONE;
    switch (letter) {
    case O_PREFIX_LENGTH:
        if (hitop_text_int(argument, 1, 255, &g->how.prefix_length, &diag) != HITOP_OK) {
            *status = tool_bad_option(g->tool, "--prefix-length", &diag);
        }
        break;
    case O_BLOCK:
        if (hitop_text_int(argument, 1, INT_MAX, &g->how.block, &diag) != HITOP_OK) {
            *status = tool_bad_option(g->tool, "--block", &diag);
        }
        break;
    case O_SPLIT:
        g->how.split = argument;
        break;
    case O_NO_DOMAIN:
        g->how.ignore_domain = 1;
        break;
    case O_NO_HARDWARE:
        g->how.ignore_hardware = 1;
        break;
    case O_KEEP_CHAINS:
        g->how.keep_chains = 1;
        break;
    case O_SOURCE:
        *status = take_sources(g, argument);
        break;
    default:
        *status = take_file(g, hitop_file_sources()[letter - O_FILE], argument);
    }
    return 1;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* export_installed.c - the version of a library that is installed here. */
#include <config.h>

#include "tools/export/export_installed.h"

#include "tools/export/launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Seconds that a program has to print its version. */
static const double limit = 2;

/* A program, and the text before the version in its output. */
struct program {
    const char *software, *name, *argument, *before;
};

static const struct program programs[] = {
    {"Open MPI", "mpirun", "--version", "(Open MPI) "},
    {"Open MPI", "ompi_info", "--version", "Open MPI v"},
    {"MPICH", "mpichversion", NULL, "MPICH Version:"},
    {"UCC", "ucc_info", "-v", "UCC version="},
    {"SimGrid", "smpirun", "--version", "SimGrid version "},
};

/* The output of a program that is there and succeeds, for free(); NULL: there is none. */
static char *ask(const struct program *p)
{
    char name[32], option[32] = "", *text = NULL;
    char *argument[] = {name, p->argument ? option : NULL, NULL};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    size_t length;

    (void)snprintf(name, sizeof(name), "%s", p->name);
    (void)snprintf(option, sizeof(option), "%s", p->argument ? p->argument : "");
    return launch_program(argument, limit, &text, &length, &diag) == HITOP_OK ? text : NULL;
}

/* Read the version that a program prints; 1: there is one. */
static int read_version(const struct program *p, struct export_version *out)
{
    char *text = ask(p), version[32];
    const char *found = text ? strstr(text, p->before) : NULL;
    int is_version = 0;

    if (found) {
        found += strlen(p->before);
        found += strspn(found, " \t");
        (void)snprintf(version, sizeof(version), "%.*s", (int)strspn(found, "0123456789."), found);
        is_version = export_parse_version(version, out);
    }
    free(text);
    return is_version;
}

const char *export_installed(const char *software, struct export_version *out)
{
    for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
        if (strcmp(programs[i].software, software) == 0 && read_version(&programs[i], out)) {
            return programs[i].name;
        }
    }
    return NULL;
}

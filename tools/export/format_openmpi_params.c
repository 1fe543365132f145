/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * format_openmpi_params.c - parameters of Open MPI that put a file of rules in force.
 *
 * Idea: the rules of openmpi-tuned need two parameters. From 5.0 on coll/han decides before
 *       coll/tuned on several hosts with several ranks on each, unless its priority is lower.
 * Use:  as ~/.openmpi/mca-params.conf or etc/openmpi-mca-params.conf, or mpirun --tune FILE
 * Needs: the file of rules under the same name on all hosts; a missing one is ignored silently.
 * Source: Open MPI, docs/tuning-apps; ompi/mca/coll/han/coll_han_component.c (priorities).
 */
#include <config.h>

#include "tools/export/export.h"

#include <stdlib.h>
#include <unistd.h>

/* A parameter that is the whole name of a file. */
static void put_file(const char *name, const char *folder, const char *file, FILE *to)
{
    fprintf(to, "%s = %s%s%s\n", name, file[0] == '/' ? "" : folder, file[0] == '/' ? "" : "/",
            file);
}

static enum hitop_status write_params(const struct export_request *r, FILE *to,
                                      struct hitop_diag *diag)
{
    char *folder = getcwd(NULL, 0);
    int has_levels = 0;

    if (!folder) {
        return hitop_fail(diag, HITOP_ERR_IO, "the name of the present folder is not known");
    }
    export_put_origin(r, "# ", "Parameters of Open MPI", to);
    fputs("\n# As ~/.openmpi/mca-params.conf, or mpirun --tune FILE\n"
          "coll_tuned_use_dynamic_rules = 1\n",
          to);
    put_file("coll_tuned_dynamic_rules_filename", folder, r->rules, to);
    for (int j = 0; j < r->njobs; j++) {
        has_levels |= r->jobs[j].hosts > 1 && r->jobs[j].ranks_per_host > 1;
    }
    if (r->han_rules) {
        fputs("coll_han_use_dynamic_file_rules = 1\n", to);
        put_file("coll_han_dynamic_rules_filename", folder, r->han_rules, to);
        fputs(r->version.major > 4 ? "" : "coll_han_priority = 100\n", to);
    } else if (r->version.major > 4 && has_levels) {
        fputs("# coll/han would decide before the rules, for all operations\n"
              "coll_han_priority = 0\n",
              to);
    }
    free(folder);
    return HITOP_OK;
}

const struct export_format hitop_format_openmpi_params = {
    .name = "openmpi-params",
    .summary = "parameters of Open MPI that put rules in force",
    .ending = "conf",
    .software = "Open MPI",
    .oldest = {4, 1, -1},
    .newest = {6, 0, -1},
    .takes_jobs = 1,
    .takes_rules = 2,
    .takes_han_rules = 1,
    .write = write_params,
};

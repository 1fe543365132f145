/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EXPORT_H
#define EXPORT_H

/* export.h - the formats of export_tuning, and what each gets to write. */

#include "hitop/model.h"
#include "tools/common/tool.h"
#include "tools/export/lint/export_version.h"

/* The ranks of a job. */
struct export_job {
    struct hitop_model *model; /* of these ranks */
    int hosts, ranks_per_host; /* the most ranks on a host */
    int *host;                 /* [ranks] number of the host, in the order of first ranks */
};

struct export_rules;
struct export_validation;

/* What to write. Borrowed. */
struct export_request {
    const struct export_job *jobs;              /* by number of ranks */
    int njobs;                                  /* at least 1 */
    const struct hitop_model *model;            /* of the first job */
    const char *rules, *han_rules;              /* files of rules to name, or NULL */
    const struct export_validation *validation; /* errors of predictions, or NULL */
    const char *source;                         /* name of the model's file, for comments */
    struct export_version version;              /* of the format's library, which decides details */
    const int *order;                 /* [ranks] the ranks of the model along its hierarchy */
    const struct export_rules *found; /* the rules of a format that has find() */
    int is_verified;                  /* 1: launches have measured them */
};

/* A variable of the environment that puts a file in force. */
struct export_variable {
    const char *name;
    const char *value;  /* NULL: the name of the file */
    int oldest, newest; /* major versions of the library that need it */
};

/* A format. */
struct export_format {
    const char *name;
    const char *summary;  /* of a few words, for the list of formats */
    const char *ending;   /* usual ending of its files, without the dot */
    const char *software; /* whose versions --for means, or NULL */
    /* Versions whose files are known: from the oldest on, up to all patches of the newest. */
    struct export_version oldest, newest;
    int takes_jobs;      /* 1: the file can be for several jobs */
    int one_per_host;    /* 1: a job is one rank on each of its hosts */
    int takes_rules;     /* 1: --rules may be given, 2: it must be given */
    int takes_han_rules; /* 1: --han-rules may be given */
    /* What puts a file in force, up to a name NULL; NULL: the environment cannot, or not surely. */
    const struct export_variable *variables;
    /* Find the rules that write() writes, or NULL; release them also after a failure. */
    enum hitop_status (*find)(const struct export_request *request, struct export_rules *out,
                              struct hitop_diag *diag);
    enum hitop_status (*write)(const struct export_request *request, FILE *to,
                               struct hitop_diag *diag);
};

/* NULL-terminated table of all formats. */
const struct export_format *const *export_formats(void);

/*
 * A job on the first `nodes` hosts with `ranks_per_host` ranks on each; nodes 0: the ranks of the
 * model. HITOP_ERR_INVALID: the model has fewer hosts. Release with export_job_fini(), also after a
 * failure.
 */
HITOP_MUST_CHECK enum hitop_status export_job_init(struct export_job *job,
                                                   const struct hitop_model *model, int nodes,
                                                   int ranks_per_host, struct hitop_diag *diag);
void export_job_fini(struct export_job *job);

/* Whether the members of a group are on several hosts. */
int export_is_internode(const struct hitop_hierarchy *h, int node);

/* The ranks in the order of a walk through the hierarchy, for free(); NULL: out of memory. */
int *export_order(const struct hitop_hierarchy *h);

/* The first lines of most files: what the file is, from which model; each begins with `mark`. */
void export_put_origin(const struct export_request *request, const char *mark, const char *what,
                       FILE *to);

#endif /* EXPORT_H */

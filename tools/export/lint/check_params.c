/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_params.c - check parameters of Open MPI that have to do with rules for collectives.
 *
 * Source: Open MPI, docs/tuning-apps; ompi/mca/coll/tuned/coll_tuned_component.c.
 */
#include <config.h>

#include "tools/export/lint/in_force.h"
#include "tools/export/lint/lint.h"
#include "tools/export/lint/lint_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MAX_LINE = 4096 };

/* A parameter that stands in the file. */
struct param {
    int line; /* 0: it does not */
    char value[MAX_LINE];
};

/* The parameters that matter, and the first line that forces an algorithm. */
struct params {
    struct param use, rules, han_use, han_rules, forced;
    char forced_name[MAX_LINE];
};

static void keep(struct param *param, int line, const char *value)
{
    param->line = line;
    (void)snprintf(param->value, sizeof(param->value), "%s", value);
}

static void take(struct params *p, int line, const char *name, const char *value)
{
    const size_t n = strlen(name);

    if (strcmp(name, "coll_tuned_use_dynamic_rules") == 0) {
        keep(&p->use, line, value);
    } else if (strcmp(name, "coll_tuned_dynamic_rules_filename") == 0) {
        keep(&p->rules, line, value);
    } else if (strcmp(name, "coll_han_use_dynamic_file_rules") == 0) {
        keep(&p->han_use, line, value);
    } else if (strcmp(name, "coll_han_dynamic_rules_filename") == 0) {
        keep(&p->han_rules, line, value);
    } else if (strncmp(name, "coll_tuned_", 11) == 0 && n > 21 &&
               strcmp(name + n - 10, "_algorithm") == 0 && strcmp(value, "0") != 0) {
        keep(&p->forced, line, value);
        (void)snprintf(p->forced_name, sizeof(p->forced_name), "%s", name);
    }
}

static int is_on(const struct param *p)
{
    return p->line > 0 && strcmp(p->value, "0") != 0 && strcmp(p->value, "false") != 0;
}

/* A file of rules: it must be named in full, readable, and switched on. */
static void check_file(struct lint *lint, const struct param *file, const struct param *use,
                       const char *use_name)
{
    if (file->line == 0) {
        return;
    }
    if (!is_on(use)) {
        lint_find(lint, file->line, NULL, NULL, "the file of rules is ignored without %s = 1",
                  use_name);
    }
    if (file->value[0] == '"' || file->value[0] == '\'') {
        lint_find(lint, file->line, NULL, NULL,
                  "the quotes count as a part of the name %s: the file is not found", file->value);
    } else if (file->value[0] != '/') {
        lint_find(lint, file->line, NULL, NULL,
                  "'%s' is not an absolute name: ranks look for it in their own folders",
                  file->value);
    } else if (access(file->value, R_OK) != 0) {
        lint_find(lint, file->line, NULL, NULL,
                  "'%s' cannot be read here: Open MPI ignores that without a message, but with "
                  "coll_tuned_verbose 1 or higher",
                  file->value);
    }
}

static enum hitop_status check_params(const char *text, size_t length, struct lint *lint,
                                      struct hitop_diag *diag)
{
    struct params *p = calloc(1, sizeof(*p));
    char line[MAX_LINE], *value;

    (void)length;
    if (!p) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    for (int number = 1; lint_line(&text, '#', line, sizeof(line)); number++) {
        if (params_split(line, &value)) {
            take(p, number, line, value);
        } else if (line[0]) {
            lint_find(lint, number, NULL, NULL, "'%.60s' is not \"NAME = VALUE\" and is ignored",
                      line);
        }
    }
    check_file(lint, &p->rules, &p->use, "coll_tuned_use_dynamic_rules");
    check_file(lint, &p->han_rules, &p->han_use, "coll_han_use_dynamic_file_rules");
    if (p->forced.line && !is_on(&p->use)) {
        lint_find(lint, p->forced.line, NULL, NULL,
                  "%s is ignored without coll_tuned_use_dynamic_rules = 1", p->forced_name);
    } else if (p->forced.line && p->rules.line) {
        lint_find(lint, p->forced.line, NULL, "4.1.8", "%s is shadowed by rules of the file",
                  p->forced_name);
        lint_find(lint, p->forced.line, "5.0", NULL, "%s shadows all rules of the file for it",
                  p->forced_name);
    }
    free(p);
    return HITOP_OK;
}

/* A parameter of a component of collectives. */
static int is_params(const char *text)
{
    return lint_has(text, "coll_tuned_") || lint_has(text, "coll_han_");
}

const struct lint_kind lint_params = {
    .name = "openmpi-params",
    .software = "Open MPI",
    .newest = "6.0",
    .is_kind = is_params,
    .check = check_params,
    .in_force = params_in_force,
};

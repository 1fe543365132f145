/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_intel.c - check a tree of choices for Intel MPI (I_MPI_TUNING).
 *
 * Each path is coll, ppn, comm_size, comm_id, msg_size, then "NAME=NUMBER"; the last msg_size is
 * -1. The form is that of files that Intel's tools wrote; it is not documented.
 */
#include <config.h>

#include "tools/export/lint/in_force.h"
#include "tools/export/lint/json_lines.h"
#include "tools/export/lint/lint.h"

#include <ctype.h>
#include <string.h>

static const char *const keys[] = {"coll", "ppn", "comm_size", "comm_id", "msg_size"};

enum { NKEYS = sizeof(keys) / sizeof(keys[0]) };

/* Sizes ascend, and the last is -1, which is any. */
static void check_sizes(struct lint *lint, const struct json_lines *object)
{
    const struct json_lines *last = NULL;
    long before = -1;

    for (const struct json_lines *m = object->first; m; last = m, m = m->next) {
        const long size = intel_number(m);
        if (last && (before < 0 || (size >= 0 && size <= before))) {
            lint_find(lint, m->line, NULL, NULL,
                      "'%s' is never reached: sizes must ascend, -1 last", m->key);
        }
        before = size;
    }
    if (last && before >= 0) {
        lint_find(lint, last->line, NULL, NULL,
                  "no \"msg_size=-1\" follows '%s': longer messages have no choice", last->key);
    }
}

static void check_level(struct lint *lint, const struct json_lines *object, int level)
{
    for (const struct json_lines *m = object->first; m; m = m->next) {
        const size_t n = strcspn(m->key, "=");
        if (level == NKEYS) {
            if (!m->key[n] || !isdigit((unsigned char)m->key[n + 1])) {
                lint_find(lint, m->line, NULL, NULL, "'%s' is not NAME=NUMBER", m->key);
            }
        } else if (strlen(keys[level]) != n || strncmp(keys[level], m->key, n) != 0 ||
                   m->key[n] != '=') {
            lint_find(lint, m->line, NULL, NULL,
                      "'%s' stands where \"%s=...\" belongs: the order is coll, ppn, comm_size, "
                      "comm_id, msg_size",
                      m->key, keys[level]);
        } else {
            check_level(lint, m, level + 1);
        }
    }
    if (level == NKEYS - 1) {
        check_sizes(lint, object);
    }
}

static enum hitop_status check_intel(const char *text, size_t length, struct lint *lint,
                                     struct hitop_diag *diag)
{
    struct json_lines *root = NULL;
    enum hitop_status status = json_lines_parse(text, length, lint->name, &root, diag);

    if (status == HITOP_OK) {
        check_level(lint, root, 0);
    }
    json_lines_free(root);
    return status;
}

static int is_intel(const char *text)
{
    return text[strspn(text, " \t\r\n")] == '{' && strstr(text, "coll=");
}

const struct lint_kind lint_intel = {
    .name = "intel",
    .software = "Intel MPI",
    .newest = "2021.1",
    .is_kind = is_intel,
    .check = check_intel,
    .in_force = intel_in_force,
};

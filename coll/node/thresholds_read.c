/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * thresholds_read.c - a file of thresholds: sections for numbers of processes, a setting per line.
 *
 * All of the file is read, also what is for others, so that what is wrong is heard of wherever it is used.
 */
#include <config.h>

#include "coll/node/thresholds.h"

#include "hitop/input.h"
#include "hitop/text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The section under way, and what is wanted. */
struct reading {
    int nranks, alone;
    int most[2];                     /* of sections of either kind so far; 0: none */
    int in_section;                  /* there was one */
    struct hitop_thresholds ignored; /* what sections say that are for others */
    struct hitop_thresholds *row, *to;
    int found;
    unsigned seen; /* settings of the section */
};

/* ranks N|any alone|shared */
static enum hitop_status read_heading(struct reading *r, char *words, struct hitop_diag *diag)
{
    char *rest = NULL, *number = strtok_r(words, " \t", &rest),
         *kind = strtok_r(NULL, " \t", &rest);
    int most = INT_MAX, alone;

    if (!kind || strtok_r(NULL, " \t", &rest) ||
        (strcmp(kind, "alone") != 0 && strcmp(kind, "shared") != 0)) {
        return hitop_fail(diag, HITOP_ERR_FORMAT,
                          "not 'ranks NUMBER alone' or 'ranks NUMBER shared'");
    }
    if (strcmp(number, "any") != 0 &&
        hitop_text_int(number, 2, INT_MAX - 1, &most, NULL) != HITOP_OK) {
        return hitop_fail(diag, HITOP_ERR_FORMAT,
                          "ranks '%.64s': neither an integer from 2 on nor 'any'", number);
    }
    alone = strcmp(kind, "alone") == 0;
    if (most <= r->most[alone]) {
        return hitop_fail(diag, HITOP_ERR_FORMAT,
                          "ranks %.64s %s: an earlier section has as many or more", number, kind);
    }
    r->most[alone] = most;
    r->in_section = 1;
    r->seen = 0;
    r->to = &r->ignored;
    if (!r->found && !r->alone == !alone && r->nranks <= most) {
        r->found = 1;
        r->to = r->row;
    }
    return HITOP_OK;
}

static enum hitop_status read_setting(struct reading *r, const char *name, char *value,
                                      struct hitop_diag *diag)
{
    char valid[400] = "ranks";
    int n = 0;

    while (hitop_thresholds_name(n) && strcmp(name, hitop_thresholds_name(n)) != 0) {
        hitop_text_list_name(valid, sizeof(valid), hitop_thresholds_name(n++));
    }
    if (!hitop_thresholds_name(n)) {
        return hitop_fail(diag, HITOP_ERR_FORMAT, "'%.64s' is no setting; valid: %s", name, valid);
    }
    if (!r->in_section) {
        return hitop_fail(diag, HITOP_ERR_FORMAT, "'%s' before the first 'ranks'", name);
    }
    if (r->seen & 1u << n) {
        return hitop_fail(diag, HITOP_ERR_FORMAT, "'%s' stands there twice", name);
    }
    r->seen |= 1u << n;
    return hitop_thresholds_set(r->to, n, value, diag);
}

/* NAME VALUE, without comment and blanks around */
static enum hitop_status read_line(struct reading *r, char *line, struct hitop_diag *diag)
{
    struct hitop_diag why = HITOP_DIAG_INIT;
    char *value = line + strcspn(line, " \t");
    enum hitop_status status;

    if (*value) {
        *value++ = '\0';
        value += strspn(value, " \t");
    }
    status = strcmp(line, "ranks") == 0 ? read_heading(r, value, &why)
                                        : read_setting(r, line, value, &why);
    if (status == HITOP_OK) {
        return HITOP_OK;
    }
    return hitop_fail(diag, HITOP_ERR_FORMAT, "%s", why.message);
}

static enum hitop_status read_lines(struct reading *r, char *text, const char *name,
                                    struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    char *next = text;

    for (int number = 1; next && status == HITOP_OK; number++) {
        struct hitop_diag why = HITOP_DIAG_INIT;
        char *line = next + strspn(next, " \t");
        size_t length;

        next = strchr(line, '\n');
        if (next) {
            *next++ = '\0';
        }
        line[strcspn(line, "#\r")] = '\0';
        for (length = strlen(line); length > 0 && strchr(" \t", line[length - 1]); length--) {
            line[length - 1] = '\0';
        }
        if (length > 0 && read_line(r, line, &why) != HITOP_OK) {
            status =
                hitop_fail(diag, HITOP_ERR_FORMAT, "%s: line %d: %s", name, number, why.message);
        }
    }
    return status;
}

enum hitop_status hitop_thresholds_read(const char *path, int nranks, int alone,
                                        struct hitop_thresholds *row, struct hitop_diag *diag)
{
    const char *name = hitop_input_name(path);
    const struct hitop_thresholds before = *row;
    struct reading r = {.nranks = nranks, .alone = alone, .row = row};
    char *text = NULL;
    size_t length;
    enum hitop_status status = hitop_input_read_text(path, &text, &length, diag);

    if (status == HITOP_OK) {
        status = read_lines(&r, text, name, diag);
    }
    if (status != HITOP_OK) {
        *row = before;
    }
    free(text);
    return status;
}

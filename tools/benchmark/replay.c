/* SPDX-License-Identifier: BSD-3-Clause */
/* replay.c - arrival times of a program, from a file. */
#include <config.h>

#include "hitop/input.h"
#include "tools/benchmark/pattern.h"

#include <stdlib.h>
#include <string.h>

/* The numbers of one line into row[ranks]; empty when there are none. */
static enum hitop_status read_line(const char *path, int number, char *line, int ranks, double *row,
                                   int *empty, struct hitop_diag *diag)
{
    char *save = NULL;
    int n = 0;

    line[strcspn(line, "#\r")] = '\0';
    for (char *word = strtok_r(line, " \t,", &save); word; word = strtok_r(NULL, " \t,", &save)) {
        char *end;
        const double us = strtod(word, &end);
        if (*end != '\0' || !(us >= 0 && us <= 1e9)) {
            return hitop_fail(diag, HITOP_ERR_FORMAT,
                              "%s:%d: '%.40s' is not a number of microseconds from 0 to 1e9", path,
                              number, word);
        }
        if (n < ranks) {
            row[n] = 1e-6 * us;
        }
        n++;
    }
    *empty = n == 0;
    if (n != 0 && n != ranks) {
        return hitop_fail(diag, HITOP_ERR_FORMAT, "%s:%d: %d numbers for %d ranks", path, number, n,
                          ranks);
    }
    return HITOP_OK;
}

enum hitop_status replay_read(const char *path, int ranks, struct replay *out,
                              struct hitop_diag *diag)
{
    enum hitop_status status;
    char *text = NULL, *next;
    size_t length, lines = 1;
    int number = 0;

    *out = (struct replay){.ranks = ranks};
    status = hitop_input_read_text(path, &text, &length, diag);
    for (size_t i = 0; i < length && status == HITOP_OK; i++) {
        lines += text[i] == '\n';
    }
    if (status == HITOP_OK &&
        !(out->seconds = calloc(lines * (size_t)ranks, sizeof(*out->seconds)))) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", path);
    }
    next = text;
    while (status == HITOP_OK && next) {
        char *line = next;
        int empty = 1;
        next = strchr(line, '\n');
        if (next) {
            *next++ = '\0';
        }
        status = read_line(path, ++number, line, ranks,
                           out->seconds + (size_t)out->calls * (size_t)ranks, &empty, diag);
        out->calls += status == HITOP_OK && !empty;
    }
    if (status == HITOP_OK && out->calls == 0) {
        status = hitop_fail(diag, HITOP_ERR_FORMAT, "%s: no arrival times", path);
    }
    if (status != HITOP_OK) {
        replay_free(out);
    }
    free(text);
    return status;
}

void replay_free(struct replay *replay)
{
    free(replay->seconds);
    *replay = (struct replay){0};
}

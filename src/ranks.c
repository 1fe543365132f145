/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks.c - convert between sets of ranks, ranges and text. */
#include <config.h>

#include "hitop/ranks.h"

#include "src/grow.h"

#include "hitop/text.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Characters of the longest range with its comma, "2147483646-2147483647/2147483647,". */
enum { MAX_TEXT = 36 };

static enum hitop_status append(struct hitop_ranks *ranks, struct hitop_rank_range range,
                                struct hitop_diag *diag)
{
    if (!HITOP_GROW(ranks->range, ranks->n, ranks->max)) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "ranks: out of memory");
    }
    ranks->range[ranks->n++] = range;
    return HITOP_OK;
}

/* Parse a range such as "5", "8-11" or "0-700/100"; the text is changed. */
static enum hitop_status parse_range(char *text, struct hitop_rank_range *out,
                                     struct hitop_diag *diag)
{
    char whole[MAX_TEXT];
    char *dash = text[0] ? strchr(text + 1, '-') : NULL;
    char *slash = dash ? strchr(dash, '/') : NULL;
    struct hitop_diag why = HITOP_DIAG_INIT;
    enum hitop_status status;

    (void)snprintf(whole, sizeof(whole), "%s", text);
    if (dash) {
        *dash = '\0';
    }
    if (slash) {
        *slash = '\0';
    }
    status = hitop_text_int(text, 0, INT_MAX, &out->first, &why);
    out->last = out->first;
    out->step = 1;
    if (status == HITOP_OK && dash) {
        status = hitop_text_int(dash + 1, 0, INT_MAX, &out->last, &why);
    }
    if (status == HITOP_OK && slash) {
        status = hitop_text_int(slash + 1, 1, INT_MAX, &out->step, &why);
    }
    if (status != HITOP_OK) {
        return dash ? hitop_fail(diag, status, "'%s': %s", whole, why.message)
                    : hitop_fail(diag, status, "%s", why.message);
    }
    if (out->last < out->first) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "'%s': the last rank is below the first", whole);
    }
    if ((out->last - out->first) % out->step != 0) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "'%s': steps of %d from %d do not meet %d",
                          whole, out->step, out->first, out->last);
    }
    out->step = out->last == out->first ? 1 : out->step;
    return HITOP_OK;
}

enum hitop_status hitop_ranks_parse(const char *text, struct hitop_ranks *ranks,
                                    struct hitop_diag *diag)
{
    const int before = ranks->n;
    char *copy = strdup(text);
    char *at = copy;
    enum hitop_status status = HITOP_OK;

    if (!copy) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "ranks: out of memory");
    }
    while (status == HITOP_OK && at) {
        struct hitop_rank_range range;
        char *item = strsep(&at, ",");

        status = parse_range(item, &range, diag);
        if (status == HITOP_OK) {
            status = append(ranks, range, diag);
        }
        if (at) {
            at += strspn(at, " \t\r\n");
        }
    }
    free(copy);
    ranks->n = status == HITOP_OK ? ranks->n : before;
    return status;
}

/* The number of ranks, from the first one on, of which each is `step` above the previous one. */
static int count_steps(const int *rank, int n, int step)
{
    int count = 1;

    while (count < n && rank[count] - rank[count - 1] == step) {
        count++;
    }
    return count;
}

/* The number of ranks, from the first one on, that are a range with a step above 1: 0 or >= 3. */
static int count_spread(const int *rank, int n, int step)
{
    int count = count_steps(rank, n, step);

    if (count < n && rank[count] - rank[count - 1] == 1) {
        count--; /* the last one begins another range: 0,4,8-11 */
    }
    return count < 3 ? 0 : count;
}

enum hitop_status hitop_ranks_add(struct hitop_ranks *ranks, const int *rank, int n,
                                  struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    for (int i = 0, count; i < n && status == HITOP_OK; i += count) {
        struct hitop_rank_range range = {.first = rank[i], .step = 1};

        count = count_steps(rank + i, n - i, 1);
        if (count == 1 && n - i > 2) {
            const int step = rank[i + 1] - rank[i];
            const int spread = count_spread(rank + i, n - i, step);
            range.step = spread ? step : 1;
            count = spread ? spread : 1;
        }
        range.last = rank[i + count - 1];
        status = append(ranks, range, diag);
    }
    return status;
}

char *hitop_ranks_text(const struct hitop_rank_range *range, int n)
{
    char *text = malloc((size_t)n * MAX_TEXT + 1);
    char *end = text;

    if (!text) {
        return NULL;
    }
    *end = '\0';
    for (int i = 0; i < n; i++) {
        const struct hitop_rank_range r = range[i];

        end += snprintf(end, MAX_TEXT, i > 0 ? ",%d" : "%d", r.first);
        if (r.last != r.first) {
            end += snprintf(end, MAX_TEXT, "-%d", r.last);
        }
        if (r.step != 1) {
            end += snprintf(end, MAX_TEXT, "/%d", r.step);
        }
    }
    return text;
}

void hitop_ranks_clear(struct hitop_ranks *ranks)
{
    free(ranks->range);
    *ranks = (struct hitop_ranks){0};
}

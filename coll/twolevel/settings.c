/* SPDX-License-Identifier: BSD-3-Clause */
/* settings.c - a table of the HITOP_* variables, and their strict parser. */
#include <config.h>

#include "coll/twolevel/settings.h"

#include "coll/node/node.h"
#include "coll/runtime/compare.h"
#include "coll/runtime/named.h"

#include "hitop/text.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, TEXT = 64, WATCHDOG = 300 };

/*
 * COUNT: an integer from `min` to `max`. PAGES: a size from `min` to `max` bytes, rounded down to
 * pages. WORD: one of `words`, such as "a|b|c", which mean min, min + 1, ... `otherwise` is the
 * default.
 */
struct row {
    const char *name;
    enum { COUNT, PAGES, WORD } kind;
    size_t at;
    int min, max, otherwise;
    const char *words;
};

#ifdef HITOP_SMPI
/* All ranks are in one process, so that CMA is not possible. Comparisons are made on request. */
enum { NO_SINGLE_COPY = 1, TRIAL = 0 };
#else
enum { NO_SINGLE_COPY = 0, TRIAL = COMPARE_DEFAULT };
#endif

#define AT(member) offsetof(struct hitop_settings, member)

static const struct row rows[] = {
    {"HITOP_LAZY", COUNT, AT(lazy), 0, INT_MAX, 3, NULL},
    {"HITOP_TRIAL", COUNT, AT(trial), 0, COMPARE_MOST, TRIAL, NULL},
    {"HITOP_VNODE", COUNT, AT(per_node), 1, INT_MAX, 0, NULL},
    {"HITOP_RING", PAGES, AT(ring), PAGE, 1 << 30, HITOP_NODE_RING, NULL},
    {"HITOP_ARENA", PAGES, AT(arena), HITOP_ARENA_UNIT, 1 << 30, HITOP_ARENA_CAP, NULL},
    {"HITOP_SINGLE_COPY", WORD, AT(no_single_copy), 0, 1, NO_SINGLE_COPY, "auto|off"},
    {"HITOP_WAIT", WORD, AT(wait), HITOP_WAIT_AUTO, HITOP_WAIT_FUTEX, HITOP_WAIT_AUTO,
     "auto|spin|futex"},
    {"HITOP_BCAST", WORD, AT(algorithm), 0, HITOP_NBCAST_ALGORITHMS - 1, HITOP_BCAST_AUTO,
     &HITOP_BCAST_WORDS[1]},
    {"HITOP_VERBOSE", COUNT, AT(verbose), 0, 2, 0, NULL},
    {"HITOP_WATCHDOG", COUNT, AT(watchdog), 0, INT_MAX, WATCHDOG, NULL},
    {"HITOP_COLL", WORD, AT(gpu), 1, 1, 0, "on"},
};

enum { NROWS = sizeof(rows) / sizeof(rows[0]) };

static int *member(struct hitop_settings *s, const struct row *row)
{
    return (int *)(void *)((char *)s + row->at);
}

static void put_size(int bytes, char *out)
{
    hitop_text_format_size((size_t)bytes, out, TEXT);
}

static enum hitop_status read_count(const struct row *row, const char *text, int *out,
                                    struct hitop_diag *diag)
{
    if (hitop_text_int(text, row->min, row->max, out, NULL) == HITOP_OK) {
        return HITOP_OK;
    }
    if (row->max == INT_MAX) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "%s=%s: not an integer from %d on", row->name,
                          text, row->min);
    }
    return hitop_fail(diag, HITOP_ERR_INVALID, "%s=%s: not an integer in %d..%d", row->name, text,
                      row->min, row->max);
}

static enum hitop_status read_pages(const struct row *row, const char *text, int *out,
                                    struct hitop_diag *diag)
{
    char least[TEXT], most[TEXT];
    size_t bytes;

    if (hitop_text_size(text, &bytes, NULL) == HITOP_OK && bytes >= (size_t)row->min &&
        bytes <= (size_t)row->max) {
        *out = (int)(bytes / PAGE * PAGE);
        return HITOP_OK;
    }
    put_size(row->min, least);
    put_size(row->max, most);
    return hitop_fail(diag, HITOP_ERR_INVALID, "%s=%s: not a size in %s..%s", row->name, text,
                      least, most);
}

/* The length of the first of the words at `words`. */
static size_t word_length(const char *words)
{
    return strcspn(words, "|");
}

static enum hitop_status read_word(const struct row *row, const char *text, int *out,
                                   struct hitop_diag *diag)
{
    const char *word = row->words;

    for (int value = row->min; value <= row->max; value++, word += word_length(word) + 1) {
        if (strlen(text) == word_length(word) && strncmp(text, word, word_length(word)) == 0) {
            *out = value;
            return HITOP_OK;
        }
    }
    return hitop_fail(diag, HITOP_ERR_INVALID, "%s=%s: not %s", row->name, text, row->words);
}

static enum hitop_status read_row(const struct row *row, struct hitop_settings *s,
                                  struct hitop_diag *diag)
{
    static enum hitop_status (*const readers[])(const struct row *, const char *, int *,
                                                struct hitop_diag *) = {
        [COUNT] = read_count, [PAGES] = read_pages, [WORD] = read_word};
    const char *text = getenv(row->name);
    int value;
    enum hitop_status status;

    if (!text || !text[0]) {
        return HITOP_OK;
    }
    status = readers[row->kind](row, text, &value, diag);
    if (status == HITOP_OK) {
        *member(s, row) = value;
    }
    return status;
}

enum hitop_status hitop_settings_read(struct hitop_settings *out, struct hitop_diag *diag)
{
    const char *stats = getenv("HITOP_STATS");
    enum hitop_status status;
    unsigned disabled;

    *out = (struct hitop_settings){.off = 0};
    for (int i = 0; i < NROWS; i++) {
        *member(out, &rows[i]) = rows[i].otherwise;
    }
    out->stats = stats && stats[0] && strcmp(stats, "0") != 0;
    status = hitop_disabled_read(&disabled, diag);
    out->off = disabled == DISABLED_ALL;
    for (int i = 0; i < NROWS && status == HITOP_OK; i++) {
        status = read_row(&rows[i], out, diag);
    }
    return status;
}

static void put_value(const struct row *row, int value, char *out)
{
    const char *word = row->words;

    if (row->kind == PAGES) {
        put_size(value, out);
    } else if (word && value <= row->max) {
        for (int i = row->min; i < value; i++) {
            word += word_length(word) + 1;
        }
        (void)snprintf(out, TEXT, "%.*s", (int)word_length(word), word);
    } else {
        (void)snprintf(out, TEXT, "%d", value);
    }
}

void hitop_settings_print(const struct hitop_settings *s, char *text, size_t length)
{
    struct hitop_settings own = *s;
    char value[TEXT];

    for (int i = 0; i < NROWS; i++) {
        const size_t used = strlen(text);

        if (rows[i].at != AT(verbose) && *member(&own, &rows[i]) != rows[i].otherwise) {
            put_value(&rows[i], *member(&own, &rows[i]), value);
            (void)snprintf(text + used, length - used, "%s%s=%s", used > 0 ? " " : "", rows[i].name,
                           value);
        }
    }
}

enum { SHORT = 5 };

static const char prefix[] = "HITOP_";

static const char *const names[] = {
    "HITOP_ALGORITHM",   "HITOP_ARENA", "HITOP_BCAST",      "HITOP_COLL",  "HITOP_DISABLE",
    "HITOP_LAZY",        "HITOP_MODEL", "HITOP_RING",       "HITOP_RULES", "HITOP_RULES_CACHE",
    "HITOP_SINGLE_COPY", "HITOP_STATS", "HITOP_THRESHOLDS", "HITOP_TRIAL", "HITOP_VERBOSE",
    "HITOP_VNODE",       "HITOP_WAIT",  "HITOP_WATCHDOG"};

enum { NNAMES = sizeof(names) / sizeof(names[0]) };

/*
 * The variable that `name` probably means: one whose name differs in at most one letter, or two if
 * it is longer than SHORT after the prefix; "": none.
 */
static const char *meant_by(const char *name)
{
    const size_t skip = sizeof(prefix) - 1;
    const char *best = "";
    int best_distance = 3;

    for (int i = 0; i < NNAMES; i++) {
        const int d = hitop_text_distance(name + skip, names[i] + skip, 2);

        if (d < best_distance && d <= (strlen(names[i] + skip) > SHORT ? 2 : 1)) {
            best = names[i];
            best_distance = d;
        }
    }
    return best;
}

const char *hitop_variables_stray(char *const *environment, size_t *next, char *name, size_t length)
{
    const char *meant;

    while (environment && environment[*next]) {
        const char *entry = environment[(*next)++];

        if (strncmp(entry, prefix, sizeof(prefix) - 1) == 0) {
            (void)snprintf(name, length, "%.*s", (int)strcspn(entry, "="), entry);
            meant = meant_by(name);
            if (strcmp(name, meant) != 0) {
                return meant;
            }
        }
    }
    return NULL;
}

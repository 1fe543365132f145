/* SPDX-License-Identifier: BSD-3-Clause */
/* shape.c - parse a regular shape and the prices of its levels. */
#include <config.h>

#include "models/whatif/whatif.h"

#include "hitop/text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_MAX = 1024 };

/* Copy a text to words; HITOP_ERR_INVALID if it is too long. */
static enum hitop_status copy_text(const char *text, char *out, struct hitop_diag *diag)
{
    const size_t length = strlen(text);

    if (length >= TEXT_MAX) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "'%.40s...' has more than %d characters", text,
                          TEXT_MAX - 1);
    }
    memcpy(out, text, length + 1);
    return HITOP_OK;
}

/* The next word up to one of the separators, or NULL; *text becomes what follows. */
static char *next_word(char **text, const char *separators)
{
    char *word = *text + strspn(*text, separators);
    char *end = word + strcspn(word, separators);

    *text = end + (*end != '\0');
    *end = '\0';
    return *word ? word : NULL;
}

static int is_name(const char *word)
{
    size_t n = 0;

    while (isalnum((unsigned char)word[n]) || word[n] == '_' || word[n] == '-') {
        n++;
    }
    return isalpha((unsigned char)word[0]) && !word[n] && n < WHATIF_WORD;
}

/* The level of this name, or NULL. */
static struct whatif_level *find_level(struct whatif_shape *shape, const char *name)
{
    for (int i = 0; i < shape->nlevels; i++) {
        if (strcmp(shape->level[i].name, name) == 0) {
            return &shape->level[i];
        }
    }
    return NULL;
}

/* Add "rack:8": members of the level before. */
static enum hitop_status add_level(struct whatif_shape *shape, char *word, struct hitop_diag *diag)
{
    char *colon = strchr(word, ':');
    struct hitop_diag why = HITOP_DIAG_INIT;
    int count;

    if (colon) {
        *colon = '\0';
    }
    if (!colon || !is_name(word)) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "'%.40s' is not a level with a number, such as rack:8", word);
    }
    if (hitop_text_int(colon + 1, 1, HITOP_RANKS_MAX, &count, &why) != HITOP_OK) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "%s: %.200s", word, why.message);
    }
    if (find_level(shape, word)) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "level %s twice%s", word,
                          strcmp(word, "root") == 0 ? "; all others are in the root" : "");
    }
    if (shape->nlevels > WHATIF_LEVELS) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "more than %d levels", WHATIF_LEVELS);
    }
    if (count > HITOP_RANKS_MAX / shape->nranks) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "more than %d ranks", HITOP_RANKS_MAX);
    }
    shape->level[shape->nlevels - 1].members = count;
    shape->nranks *= count;
    (void)snprintf(shape->level[shape->nlevels++].name, WHATIF_WORD, "%s", word);
    return HITOP_OK;
}

enum hitop_status hitop_whatif_parse_shape(const char *text, struct whatif_shape *out,
                                           struct hitop_diag *diag)
{
    char copy[TEXT_MAX], *rest = copy, *word;
    enum hitop_status status = copy_text(text, copy, diag);

    *out = (struct whatif_shape){.level = {{.name = "root"}}, .nlevels = 1, .nranks = 1};
    while (status == HITOP_OK && (word = next_word(&rest, " \t,"))) {
        status = add_level(out, word, diag);
    }
    if (status == HITOP_OK && out->nlevels == 1) {
        status = hitop_fail(diag, HITOP_ERR_INVALID,
                            "no levels; such as 'rack:8 host:16 core:64', the outermost first");
    }
    if (status == HITOP_OK) { /* the last level is that of the ranks, which are no groups */
        struct whatif_level *last = &out->level[--out->nlevels];
        (void)snprintf(out->rank_name, sizeof(out->rank_name), "%.31s", last->name);
        *last = (struct whatif_level){0};
    }
    return status;
}

/* ---- Prices ---- */

static enum hitop_status refuse_level(const struct whatif_shape *shape, const char *word,
                                      struct hitop_diag *diag)
{
    char names[400] = "";

    for (int i = 0; i < shape->nlevels; i++) {
        hitop_text_list_name(names, sizeof(names), shape->level[i].name);
    }
    if (strcmp(word, shape->rank_name) == 0) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "a %s is a rank, so it has no links inside; levels with prices: %s", word,
                          names);
    }
    return hitop_fail(diag, HITOP_ERR_INVALID, "the shape has no level '%.40s'; levels: %s", word,
                      names);
}

/* Parse "50us,1GB/s" or "50us,1GB/s,4". */
static enum hitop_status parse_price(char *text, struct whatif_level *level,
                                     struct hitop_diag *diag)
{
    char *latency = strsep(&text, ","), *bandwidth = strsep(&text, ",");
    char *capacity = strsep(&text, ",");
    double number;
    enum hitop_status status;

    if (!*latency || !bandwidth || !*bandwidth || (capacity && !*capacity) || text) {
        return hitop_fail(
            diag, HITOP_ERR_INVALID,
            "'%.40s': a price is LATENCY,BANDWIDTH or LATENCY,BANDWIDTH,CAPACITY, such "
            "as 50us,1GB/s",
            latency);
    }
    status = hitop_text_seconds(latency, &level->price.latency, diag);
    if (status == HITOP_OK) {
        status = hitop_text_rate(bandwidth, &level->price.bandwidth, diag);
    }
    if (status == HITOP_OK && !(level->price.latency <= 1000 && level->price.bandwidth >= 1)) {
        status =
            hitop_fail(diag, HITOP_ERR_INVALID,
                       "%s,%s: allowed are at most 1000 s and at least 1 B/s", latency, bandwidth);
    }
    if (status == HITOP_OK && capacity && strcmp(capacity, "unlimited") != 0) {
        status = hitop_text_ratio(capacity, 1e-9, 1e9, &number, diag);
    }
    if (status == HITOP_OK && capacity) {
        (void)snprintf(level->capacity, sizeof(level->capacity), "%.31s", capacity);
    }
    level->is_priced = 1;
    return status;
}

/* Set the price of a level from "rack=50us,1GB/s" or "rack=root". */
static enum hitop_status set_price(struct whatif_shape *shape, char *word, struct hitop_diag *diag)
{
    char *value = strchr(word, '=');
    struct whatif_level *level;
    struct hitop_diag why = HITOP_DIAG_INIT;

    if (!value || !value[1]) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "'%.40s' is not LEVEL=PRICE, such as rack=50us,1GB/s", word);
    }
    *value++ = '\0';
    level = find_level(shape, word);
    if (!level) {
        return refuse_level(shape, word, diag);
    }
    if (level->is_priced || level->like[0]) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "two prices of level %s", word);
    }
    if (is_name(value)) {
        (void)snprintf(level->like, sizeof(level->like), "%s", value);
        return HITOP_OK;
    }
    if (parse_price(value, level, &why) != HITOP_OK) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "%s: %.300s", word, why.message);
    }
    if (level->capacity[0] && level == &shape->level[0]) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "root: no link leads out of it, so it has no "
                          "capacity");
    }
    return HITOP_OK;
}

enum hitop_status hitop_whatif_parse_prices(const char *text, struct whatif_shape *shape,
                                            struct hitop_diag *diag)
{
    char copy[TEXT_MAX], *rest = copy, *word;
    enum hitop_status status = copy_text(text, copy, diag);
    int n = 0;

    while (status == HITOP_OK && (word = next_word(&rest, " \t"))) {
        status = set_price(shape, word, diag);
        n++;
    }
    return status == HITOP_OK && n == 0
               ? hitop_fail(diag, HITOP_ERR_INVALID, "no price, such as rack=50us,1GB/s")
               : status;
}

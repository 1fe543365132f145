/* SPDX-License-Identifier: BSD-3-Clause */
/* conditions.c - conditions on calls in lines of text. */
#include <config.h>

#include "coll/predict/conditions.h"

#include "hitop/text.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

char *hitop_conditions_word(char **text)
{
    char *word = *text + strspn(*text, " \t");
    const size_t length = strcspn(word, " \t");

    *text = word + length;
    if (**text) {
        *(*text)++ = '\0';
    }
    return word;
}

void hitop_conditions_init(struct hitop_range *when, int count)
{
    for (int i = 0; i < count; i++) {
        when[i] = (struct hitop_range){0, SIZE_MAX};
    }
}

static enum hitop_status read_number(const char *text, enum hitop_condition_kind kind, size_t *out,
                                     struct hitop_diag *diag)
{
    int number = 0;
    enum hitop_status status;

    if (kind == HITOP_CONDITION_SIZE) {
        return hitop_text_size(text, out, diag);
    }
    status = hitop_text_int(text, kind == HITOP_CONDITION_COUNT, INT_MAX, &number, diag);
    *out = (size_t)number;
    return status;
}

static enum hitop_status read_flag(const char *text, const char *name, struct hitop_range *out,
                                   struct hitop_diag *diag)
{
    if (strcmp(text, "yes") != 0 && strcmp(text, "no") != 0) {
        return hitop_fail(diag, HITOP_ERR_FORMAT, "'%s %.64s': yes or no", name, text);
    }
    out->low = out->high = strcmp(text, "yes") == 0;
    return HITOP_OK;
}

/* N, LOW..HIGH, LOW.. or ..HIGH */
static enum hitop_status read_range(char *text, const struct hitop_condition *condition,
                                    struct hitop_range *out, struct hitop_diag *diag)
{
    char *dots = strstr(text, "..");
    enum hitop_status status = HITOP_OK;

    if (condition->kind == HITOP_CONDITION_FLAG) {
        return read_flag(text, condition->name, out, diag);
    }
    if (!dots) {
        status = read_number(text, condition->kind, &out->low, diag);
        out->high = out->low;
        return status;
    }
    *dots = '\0';
    if (!text[0] && !dots[2]) {
        return hitop_fail(diag, HITOP_ERR_FORMAT, "'%s ..': a bound is missing", condition->name);
    }
    if (text[0]) {
        status = read_number(text, condition->kind, &out->low, diag);
    }
    if (status == HITOP_OK && dots[2]) {
        status = read_number(dots + 2, condition->kind, &out->high, diag);
    }
    if (status == HITOP_OK && out->low > out->high) {
        status = hitop_fail(diag, HITOP_ERR_FORMAT, "'%s %.64s..%.64s' is empty", condition->name,
                            text, dots + 2);
    }
    return status;
}

enum hitop_status hitop_conditions_read(const struct hitop_condition *conditions, int count,
                                        const char *word, char **rest, struct hitop_range *when,
                                        unsigned *seen, struct hitop_diag *diag)
{
    char valid[256] = "";

    for (int i = 0; i < count; i++) {
        if (strcmp(word, conditions[i].name) == 0) {
            if (*seen & 1u << i) {
                return hitop_fail(diag, HITOP_ERR_FORMAT, "'%s' stands there twice", word);
            }
            *seen |= 1u << i;
            return read_range(hitop_conditions_word(rest), &conditions[i], &when[i], diag);
        }
        hitop_text_list_name(valid, sizeof(valid), conditions[i].name);
    }
    return hitop_fail(diag, HITOP_ERR_FORMAT, "'%.64s' is no condition; valid: %s", word, valid);
}

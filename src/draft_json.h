/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRAFT_JSON_H
#define DRAFT_JSON_H

/* draft_json.h - JSON values under construction. */

#include <jansson.h>
#include <stdio.h>

/* An object or array under construction; incomplete: 1 after an allocation failed. */
struct draft {
    json_t *value;
    int incomplete;
};

static inline void draft_add(struct draft *draft, const char *key, json_t *value)
{
    draft->incomplete |= json_object_set_new(draft->value, key, value) != 0;
}

static inline void draft_append(struct draft *draft, json_t *value)
{
    draft->incomplete |= json_array_append_new(draft->value, value) != 0;
}

/* Returns the finished value; releases it and returns NULL if it is incomplete. */
static inline json_t *draft_finish(struct draft *draft)
{
    if (draft->incomplete) {
        json_decref(draft->value);
        return NULL;
    }
    return draft->value;
}

/*
 * Write a value on one line and release it; real numbers have that many significant digits. Returns
 * -1 if the value is NULL or cannot be written, else 0.
 */
int hitop_draft_put(FILE *to, json_t *value, unsigned int digits);

/* Create a string. If text is not UTF-8, bytes that are not ASCII become '?'. NULL gives null. */
json_t *hitop_draft_text(const char *text);

#endif /* DRAFT_JSON_H */

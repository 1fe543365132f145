/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRAFT_JSON_H
#define DRAFT_JSON_H

/* draft_json.h - JSON values under construction. */

#include <jansson.h>

/* An object or array under construction; incomplete once anything did not fit in memory. */
struct draft {
    json_t *value;
    int incomplete;
};

static inline void draft_add(struct draft *draft, const char *key, json_t *value)
{
    draft->incomplete |= json_object_set_new(draft->value, key, value) != 0;
}

/* The finished value, or NULL. */
static inline json_t *draft_finish(struct draft *draft)
{
    if (draft->incomplete) {
        json_decref(draft->value);
        return NULL;
    }
    return draft->value;
}

/* Text from users and hosts need not be UTF-8; what is not becomes '?'. NULL gives null. */
json_t *draft_text(const char *text);

#endif /* DRAFT_JSON_H */

/* SPDX-License-Identifier: BSD-3-Clause */
/* check_names.c - lists of names. */
#include <config.h>

#include "tools/check/check_names.h"

#include <string.h>

size_t check_next_name(const char **list, const char **name)
{
    *list += strspn(*list, ",");
    *name = *list;
    *list += strcspn(*list, ",");
    return (size_t)(*list - *name);
}

int check_is_listed(const char *list, const char *name)
{
    const char *at;
    size_t length;

    while (list && (length = check_next_name(&list, &at)) > 0) {
        if (length == strlen(name) && memcmp(at, name, length) == 0) {
            return 1;
        }
    }
    return list == NULL;
}

const char *check_unknown_name(const char *list, const char *(*name_at)(size_t), size_t *length)
{
    const char *word;

    if (list && list[strspn(list, ",")] == '\0') {
        *length = strlen(list);
        return list;
    }
    while (list && (*length = check_next_name(&list, &word)) > 0) {
        int known = 0;
        for (size_t i = 0; name_at(i) && !known; i++) {
            known = strlen(name_at(i)) == *length && memcmp(name_at(i), word, *length) == 0;
        }
        if (!known) {
            return word;
        }
    }
    return NULL;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* check_names.c - lists of names. */
#include <config.h>

#include "tools/check/check_names.h"

#include "hitop/cpm.h"

#include <stdio.h>
#include <stdlib.h>
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

static int is_name(const char *(*name_at)(size_t), const char *word, size_t length)
{
    for (size_t i = 0; name_at(i); i++) {
        if (strlen(name_at(i)) == length && memcmp(name_at(i), word, length) == 0) {
            return 1;
        }
    }
    return 0;
}

char *check_present_algorithms(const char *list, const char *(*name_at)(size_t))
{
    char *out = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&out, &length);

    while (to && *list) {
        const size_t n = strcspn(list, ",");
        struct hitop_cpm_name cpm = {NULL, NULL, NULL};
        char word[64];
        (void)snprintf(word, sizeof(word), "%.*s", (int)n, list);
        if (n < sizeof(word) && !is_name(name_at, list, n) &&
            hitop_cpm_find(word, &cpm, NULL) == HITOP_OK && cpm.algorithm && !cpm.operation) {
            hitop_cpm_report(word, &cpm);
            fputs(cpm.algorithm, to);
        } else {
            fwrite(list, 1, n, to);
        }
        list += n;
        if (*list) {
            fputc(*list++, to);
        }
    }
    if (to && fclose(to) != 0) {
        free(out);
        out = NULL;
    }
    return out;
}

const char *check_unknown_name(const char *list, const char *(*name_at)(size_t), size_t *length)
{
    const char *word;

    if (list && list[strspn(list, ",")] == '\0') {
        *length = strlen(list);
        return list;
    }
    while (list && (*length = check_next_name(&list, &word)) > 0) {
        if (!is_name(name_at, word, *length)) {
            return word;
        }
    }
    return NULL;
}

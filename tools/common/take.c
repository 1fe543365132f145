/* SPDX-License-Identifier: BSD-3-Clause */
/* take.c - see take.h. */
#include <config.h>

#include "tools/common/take.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum hitop_status take_seed(const char *text, unsigned long long *seed, struct hitop_diag *diag)
{
    int value;
    const enum hitop_status status = hitop_text_int(text, 0, INT_MAX, &value, diag);

    if (status == HITOP_OK) {
        *seed = (unsigned long long)value;
    }
    return status;
}

enum hitop_status take_time(const char *text, double *seconds, struct hitop_diag *diag)
{
    const enum hitop_status status = hitop_text_seconds(text, seconds, diag);

    if (status == HITOP_OK && !(*seconds > 0)) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "'%s' must be more than 0", text);
    }
    return status;
}

enum hitop_status take_list(void *data, const char *list,
                            enum hitop_status (*one)(void *data, char *word,
                                                     struct hitop_diag *diag),
                            struct hitop_diag *diag)
{
    char *copy = strdup(list), *rest = copy, *word;
    enum hitop_status status = copy ? HITOP_OK : hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");

    while (status == HITOP_OK && (word = strsep(&rest, ","))) {
        status = one(data, word, diag);
    }
    free(copy);
    return status;
}

enum hitop_status take_word(const char *text, const char *const *words, int *index,
                            struct hitop_diag *diag)
{
    char list[128] = "";

    for (int i = 0; words[i]; i++) {
        if (strcmp(text, words[i]) == 0) {
            *index = i;
            return HITOP_OK;
        }
        hitop_text_list_name(list, sizeof(list), words[i]);
    }
    return hitop_fail(diag, HITOP_ERR_INVALID, "'%s' is none of %s", text, list);
}

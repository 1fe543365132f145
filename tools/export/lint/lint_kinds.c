/* SPDX-License-Identifier: BSD-3-Clause */
/* lint_kinds.c - find the kind of a tuning file. */
#include <config.h>

#include "tools/export/lint/lint.h"

#include "hitop/text.h"

#include <string.h>

extern const struct lint_kind lint_tuned, lint_tuned_json, lint_params, lint_han, lint_csel,
    lint_coords, lint_ucc, lint_intel;

/* Kinds of files; of a text the first that looks like it. */
static const struct lint_kind *const kinds[] = {&lint_tuned_json, &lint_csel, &lint_intel,
                                                &lint_coords,     &lint_ucc,  &lint_params,
                                                &lint_tuned,      &lint_han,  NULL};

const struct lint_kind *lint_kind_of(const char *name, const char *text, struct hitop_diag *diag)
{
    char list[256] = "";

    for (const struct lint_kind *const *k = kinds; *k; k++) {
        if (name ? strcmp((*k)->name, name) == 0 : (*k)->is_kind(text)) {
            return *k;
        }
        hitop_text_list_name(list, sizeof(list), (*k)->name);
    }
    if (name) {
        (void)hitop_fail(diag, HITOP_ERR_NOTFOUND, "'%s' cannot be checked; valid: %s", name, list);
    } else {
        (void)hitop_fail(diag, HITOP_ERR_FORMAT, "no tuning file that can be checked (%s)", list);
    }
    return NULL;
}

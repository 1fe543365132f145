/* SPDX-License-Identifier: BSD-3-Clause */
/* model_registry.c - the table of model types, generated from the word list in Makefile.am. */
#include <config.h>

#include "hitop/sys/model.h"
#include "hitop/text.h"

#include <string.h>

#define HITOP_ENTRY(symbol) extern const struct hitop_model_type symbol;
#include "model_registry.inc"
#undef HITOP_ENTRY

#define HITOP_ENTRY(symbol) &symbol,
static const struct hitop_model_type *const types[] = {
#include "model_registry.inc"
    NULL};
#undef HITOP_ENTRY

const struct hitop_model_type *const *hitop_model_types(void)
{
    return types;
}

enum hitop_status hitop_model_type_find(const char *name, const struct hitop_model_type **out,
                                        struct hitop_diag *diag)
{
    char valid[256] = "";

    *out = NULL;
    for (size_t i = 0; types[i]; i++) {
        if (strcmp(types[i]->name, name) == 0) {
            *out = types[i];
            return HITOP_OK;
        }
        hitop_text_list_name(valid, sizeof(valid), types[i]->name);
    }
    return hitop_fail(diag, HITOP_ERR_NOTFOUND, "no model is called '%s'; valid: %s", name, valid);
}

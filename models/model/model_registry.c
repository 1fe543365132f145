/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model_registry.c - the table of model types: those of MODELS in models/Makefile.am, then those
 * that the program registers.
 */
#include <config.h>

#include "hitop/sys/model.h"

#include "hitop/cpm.h"
#include "hitop/text.h"

#include <string.h>

#define HITOP_ENTRY(symbol) extern const struct hitop_model_type symbol;
#include "model_registry.inc"
#undef HITOP_ENTRY

#define HITOP_ENTRY(symbol) +1
enum {
    COMPILED =
#include "model_registry.inc"
};
#undef HITOP_ENTRY

#define HITOP_ENTRY(symbol) &symbol,
static const struct hitop_model_type *types[COMPILED + HITOP_PRIVATE_MAX + 1] = {
#include "model_registry.inc"
};
#undef HITOP_ENTRY

const struct hitop_model_type *const *hitop_model_types(void)
{
    return types;
}

static const struct hitop_model_type *find(const char *name)
{
    for (size_t i = 0; types[i]; i++) {
        if (strcmp(types[i]->name, name) == 0) {
            return types[i];
        }
    }
    return NULL;
}

enum hitop_status hitop_model_type_find(const char *name, const struct hitop_model_type **out,
                                        struct hitop_diag *diag)
{
    struct hitop_cpm_name cpm;
    char valid[256] = "";

    *out = find(name);
    if (*out) {
        return HITOP_OK;
    }
    if (hitop_cpm_find(name, &cpm, NULL) == HITOP_OK && cpm.model && !cpm.operation &&
        !cpm.algorithm) {
        *out = find(cpm.model);
        hitop_cpm_report(name, &cpm);
        return HITOP_OK;
    }
    for (size_t i = 0; types[i]; i++) {
        hitop_text_list_name(valid, sizeof(valid), types[i]->name);
    }
    return hitop_fail(diag, HITOP_ERR_NOTFOUND, "no model is called '%s'; valid: %s", name, valid);
}

static enum hitop_status check_type(const struct hitop_model_type *type, struct hitop_diag *diag)
{
    enum hitop_status status = hitop_param_name_check("model", type->name, diag);

    if (status == HITOP_OK && (!type->p2p || !type->label || !type->summary)) {
        status = hitop_fail(diag, HITOP_ERR_INVALID,
                            "model %s: summary, p2p() and label() are needed", type->name);
    }
    if (status == HITOP_OK) {
        status = hitop_param_table_check(type->name, type->params, type->nparams, diag);
    }
    if (status == HITOP_OK) {
        status = hitop_param_table_check(type->name, type->columns, type->ncolumns, diag);
    }
    if (status == HITOP_OK) {
        status = hitop_param_table_check(type->name, type->processor_params,
                                         type->nprocessor_params, diag);
    }
    if (status == HITOP_OK) {
        status = hitop_param_table_check(type->name, type->collective_params,
                                         type->ncollective_params, diag);
    }
    return status;
}

enum hitop_status hitop_model_type_register(const struct hitop_model_type *type,
                                            struct hitop_diag *diag)
{
    enum hitop_status status = check_type(type, diag);
    size_t n;

    for (n = 0; status == HITOP_OK && types[n]; n++) {
        if (types[n] == type) {
            return HITOP_OK;
        }
        if (strcmp(types[n]->name, type->name) == 0) {
            status = hitop_fail(diag, HITOP_ERR_INVALID, "there is a model %s already", type->name);
        }
    }
    if (status == HITOP_OK && n == COMPILED + HITOP_PRIVATE_MAX) {
        status = hitop_fail(diag, HITOP_ERR_UNSUPPORTED,
                            "model %s: there are %d models of the program already", type->name,
                            HITOP_PRIVATE_MAX);
    }
    if (status == HITOP_OK) {
        types[n] = type;
    }
    return status;
}

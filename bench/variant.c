/* SPDX-License-Identifier: BSD-3-Clause */
/* variant.c - see variant.h. */
#include <config.h>

#include "bench/variant.h"

#include "bench/leaders.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WARM_UP = 8 };

enum hitop_status variant_parse(const char *text, const struct coll_functions *functions,
                                struct variant *out, struct hitop_diag *diag)
{
    const size_t length = strcspn(text, ":");
    const char *environment = text[length] ? text + length + 1 : "";

    memset(out, 0, sizeof(*out));
    if (length == 0 || length >= sizeof(out->name) ||
        strlen(environment) >= sizeof(out->environment)) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "'%.60s' is not NAME or NAME:VARIABLE=VALUE,...",
                          text);
    }
    memcpy(out->name, text, length);
    memcpy(out->environment, environment, strlen(environment));
    out->by = functions;
    if (strcmp(out->name, "plain") == 0) {
        out->by = &coll_functions_plain;
    } else if (strcmp(out->name, "leaders") == 0) {
        out->by = leaders_functions();
        if (text[length]) { /* the communicators of nodes are made before, for all variants */
            return hitop_fail(diag, HITOP_ERR_INVALID, "'leaders' takes no variables");
        }
    }
    return HITOP_OK;
}

/* Set the variables, or take them away again. */
static void change_environment(const struct variant *v, int is_set)
{
    char text[sizeof(v->environment)], *save = NULL;

    memcpy(text, v->environment, sizeof(text));
    for (char *word = strtok_r(text, ",", &save); word; word = strtok_r(NULL, ",", &save)) {
        char *value = strchr(word, '=');
        if (value) {
            *value++ = '\0';
        }
        if (is_set) {
            (void)setenv(word, value ? value : "", 1);
        } else {
            (void)unsetenv(word);
        }
    }
}

void variant_open(struct variant *v, const struct hitop_operation *operation, size_t longest,
                  MPI_Comm comm)
{
    change_environment(v, 1);
    PMPI_Comm_dup(comm, &v->comm);
    checked_init(&v->data, operation, checked_length(operation, longest), 0, v->comm);
    v->data.bytes = checked_length(operation, 8);
    for (int i = 0; i < WARM_UP; i++) {
        checked_write(&v->data, i, 0);
        checked_call(&v->data, v->by, 0);
        checked_look(&v->data, i, 0);
    }
    change_environment(v, 0);
}

void variant_close(struct variant *v)
{
    checked_fini(&v->data);
    MPI_Comm_free(&v->comm);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CLOUD_FORM_JSON_H
#define CLOUD_FORM_JSON_H

/* cloud_form_json.h - what an object of a document says about instances. */

#include "hierarchy/sources/cloud.h"
#include "src/reader_json.h"

struct cloud_reading {
    struct reader r;
    struct cloud *out;
    char label[256]; /* the host that stands before a document, or "" */
};

/*
 * Read what an object says about one instance, or one block of them. Returns 0 when it is neither,
 * having done nothing; failures are remembered in the reader.
 */
int cloud_read_form(struct cloud_reading *c, const char *path, json_t *object);

/*
 * The value of a member, whose name is compared without regard to case, '-' and '_'; or NULL. Lent,
 * as is the name that it has.
 */
json_t *cloud_member(json_t *object, const char *name, size_t length, const char **key);

#endif /* CLOUD_FORM_JSON_H */

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cloud_json.c - the documents of a file of a cloud.
 *
 * Several may follow each other: pages of a list, a list of names beside one of places, or what
 * hosts were told, one document per host and each behind the host's name, "node01: {...}".
 */
#include <config.h>

#include "hierarchy/sources/cloud_form_json.h"

#include "hitop/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Members that hold instances, or other members that do. */
static const char *const containers[] = {"Instances", "Reservations", "data", "items"};

static void read_value(struct cloud_reading *c, const char *path, json_t *value);

static void read_items(struct cloud_reading *c, const char *path, const json_t *array)
{
    char item[READER_PATH_MAX];

    for (size_t i = 0; i < json_array_size(array) && c->r.status == HITOP_OK; i++) {
        read_value(c, reader_item(path, i, item), json_array_get(array, i));
    }
}

static void read_object(struct cloud_reading *c, const char *path, json_t *object)
{
    char where[READER_PATH_MAX];

    for (size_t i = 0; i < sizeof(containers) / sizeof(containers[0]); i++) {
        const char *key;
        json_t *inner = cloud_member(object, containers[i], strlen(containers[i]), &key);

        if (json_is_array(inner) || json_is_object(inner)) {
            read_value(c, reader_join(path, key, where), inner);
            return;
        }
    }
    if (!cloud_read_form(c, path, object)) {
        reader_fail(
            &c->r, path,
            "describes no instance; known are the instance topology of AWS, instances of "
            "GCP, compute hosts of OCI, virtual machines and blocks of Azure, nodes of Kubernetes "
            "and the graph of topograph");
    }
}

static void read_value(struct cloud_reading *c, const char *path, json_t *value)
{
    if (json_is_array(value)) {
        read_items(c, path, value);
    } else if (json_is_object(value)) {
        read_object(c, path, value);
    } else {
        reader_fail(&c->r, path, "must be an object, not %s", reader_type_name(json_typeof(value)));
    }
}

/* Step over the name of a host before a document, which becomes the label. */
static const char *take_label(struct cloud_reading *c, const char *text)
{
    const size_t length = strcspn(text, ": \t\r\n{[\"");
    const char *behind = text + length;

    c->label[0] = '\0';
    if (length == 0 || length >= sizeof(c->label) || *behind != ':') {
        return text;
    }
    behind += 1 + strspn(behind + 1, " \t");
    if (*behind != '{' && *behind != '[') {
        return text;
    }
    (void)snprintf(c->label, sizeof(c->label), "%.*s", (int)length, text);
    return behind;
}

/* jansson counts from the beginning of the document. */
static void refuse(struct cloud_reading *c, const char *text, const char *document,
                   const json_error_t *error)
{
    const char *begin = document;
    int line = error->line, column = error->column;

    while (begin > text && begin[-1] != '\n') {
        begin--;
    }
    column += line == 1 ? (int)(document - begin) : 0;
    for (const char *p = text; p < begin; p++) {
        line += *p == '\n';
    }
    c->r.status = hitop_fail(c->r.diag, HITOP_ERR_FORMAT, "%s:%d:%d: %s", c->r.file, line, column,
                             error->text);
}

static void read_documents(struct cloud_reading *c, const char *text, size_t length)
{
    static const char blanks[] = " \t\r\n";
    const char *at = text + strspn(text, blanks), *end = text + length;
    char path[64] = "$";

    for (int n = 1; at < end && c->r.status == HITOP_OK; n++) {
        json_error_t error;
        json_t *document;

        at = take_label(c, at);
        document = json_loadb(at, (size_t)(end - at),
                              JSON_REJECT_DUPLICATES | JSON_DISABLE_EOF_CHECK, &error);
        if (!document) {
            refuse(c, text, at, &error);
            return;
        }
        if (n > 1) {
            (void)snprintf(path, sizeof(path), "document %d: $", n);
        }
        read_value(c, path, document);
        json_decref(document);
        at += error.position;
        at += strspn(at, blanks);
    }
}

enum hitop_status cloud_read(const char *file, struct cloud *out, struct hitop_diag *diag)
{
    struct cloud_reading c = {.r = {.file = hitop_input_name(file), .diag = diag}, .out = out};
    char *text = NULL;
    size_t length = 0;
    int nplaced = 0;

    *out = (struct cloud){0};
    c.r.status = hitop_input_read(file, &text, &length, diag);
    if (c.r.status == HITOP_OK) {
        const size_t mark = hitop_input_mark(text, length);
        read_documents(&c, text + mark, length - mark);
    }
    free(text);
    for (int i = 0; i < out->n; i++) {
        nplaced += out->instance[i].nsteps > 0;
    }
    if (c.r.status == HITOP_OK && nplaced == 0) {
        c.r.status =
            hitop_fail(diag, HITOP_ERR_FORMAT, "%s: says of no instance where it is", c.r.file);
    }
    return c.r.status;
}

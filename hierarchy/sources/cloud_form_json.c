/* SPDX-License-Identifier: BSD-3-Clause */
/* cloud_form_json.c - read instances of a cloud from JSON. */
#include <config.h>

#include "src/reader_json.h"

#include "hierarchy/sources/cloud.h"

#include "hitop/input.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cloud_reading {
    struct reader r;
    struct cloud *out;
    char label[256]; /* the host name in front of a document, or "" */
};

enum { MAX_TEXT = 256 };

_Static_assert((int)CLOUD_NAMES > CLOUD_FORM_NAMES &&
                   (int)CLOUD_STEPS > (int)CLOUD_FORM_LEVELS + (int)CLOUD_FORM_SWITCHES + 1,
               "all that a form names has a place");

static int is_called(const char *key, const char *name, size_t length)
{
    const char *end = name + length;

    for (;;) {
        key += strspn(key, "-_");
        if (name == end || !*key) {
            return name == end && !*key;
        }
        if (tolower((unsigned char)*key++) != tolower((unsigned char)*name++)) {
            return 0;
        }
    }
}

/*
 * The value of a member, or NULL. Names are compared without regard to case, '-' and '_'; *key
 * receives the exact name. The object owns both.
 */
static json_t *cloud_member(json_t *object, const char *name, size_t length, const char **key)
{
    for (void *at = json_object_iter(object); at; at = json_object_iter_next(object, at)) {
        *key = json_object_iter_key(at);
        if (is_called(*key, name, length)) {
            return json_object_iter_value(at);
        }
    }
    return NULL;
}

/* 1 if the object has a member with one of these names. */
static int has_mark(json_t *object, const char *marks)
{
    const char *key;

    for (size_t length; *marks; marks += length + (marks[length] == '|')) {
        length = strcspn(marks, "|");
        if (cloud_member(object, marks, length, &key)) {
            return 1;
        }
    }
    return 0;
}

/* The value and the path of the first alternative of a field; NULL if it is missing. */
static json_t *find_alternative(json_t *object, const char *field, const char *path, char *where)
{
    const size_t length = strcspn(field, "|");
    size_t at = 0, used = strlen(path);
    json_t *value = object;

    (void)snprintf(where, READER_PATH_MAX, "%s", path);
    while (at < length && value) {
        const int is_quoted = field[at] == '\'';
        const size_t part = strcspn(field + at + is_quoted, is_quoted ? "'" : ".|");
        const char *key = "";

        at += (size_t)is_quoted;
        value = cloud_member(value, field + at, part, &key);
        if (used < READER_PATH_MAX) {
            (void)snprintf(where + used, READER_PATH_MAX - used, ".%s", key);
            used += 1 + strlen(key);
        }
        at += part + (size_t)is_quoted;
        at += field[at] == '.';
    }
    return value;
}

/* The value and the path of a field; NULL if it is missing. */
static json_t *find_field(json_t *object, const char *field, const char *path, char *where)
{
    for (size_t length; *field; field += length + (field[length] == '|')) {
        json_t *value = find_alternative(object, field, path, where);

        if (value && !json_is_null(value) &&
            !(json_is_string(value) && !json_string_value(value)[0])) {
            return value;
        }
        length = strcspn(field, "|");
    }
    return NULL;
}

/* Store a text if it can be a name; "" after a failure. */
static const char *read_text(struct cloud_reading *c, const char *where, const json_t *value)
{
    const char *text = json_string_value(value);

    if (!text) {
        hitop_reader_fail(&c->r, where, "must be a string, not %s",
                          hitop_reader_type_name(json_typeof(value)));
        return "";
    }
    for (const char *p = text; *p; p++) {
        if (iscntrl((unsigned char)*p) || p - text >= MAX_TEXT) {
            hitop_reader_fail(&c->r, where, "must be at most %d printable characters", MAX_TEXT);
            return "";
        }
    }
    return c->r.status == HITOP_OK ? hitop_storage_text(&c->out->text, text) : "";
}

/* The text of a field, "" if it is missing. */
static const char *read_field(struct cloud_reading *c, const char *path, json_t *object,
                              const char *field)
{
    char where[READER_PATH_MAX];
    const json_t *value = field ? find_field(object, field, path, where) : NULL;

    return value ? read_text(c, where, value) : "";
}

/* The text of a field; if several of its alternatives exist, they must agree. */
static const char *read_domain(struct cloud_reading *c, const char *path, json_t *object,
                               const char *field)
{
    const char *first = read_field(c, path, object, field);

    for (const char *bar = field; (bar = bar ? strchr(bar, '|') : NULL);) {
        char where[READER_PATH_MAX];
        const json_t *value = find_field(object, ++bar, path, where);
        const char *other = value ? read_text(c, where, value) : "";

        if (other[0] && strcmp(first, other) != 0) {
            hitop_reader_fail(&c->r, where, "'%.64s' here, but '%.64s' in another member", other,
                              first);
        }
    }
    return first;
}

static void add_name(struct cloud_instance *instance, const char *name)
{
    if (name[0]) {
        instance->name[instance->nnames++] = name;
    }
}

static void add_step(struct cloud_instance *instance, const char *level, const char *name)
{
    if (name[0]) {
        instance->step[instance->nsteps++] = (struct cloud_step){level, name};
    }
}

/* The list in a field; NULL if it is missing or not a list. */
static json_t *read_list(struct cloud_reading *c, const char *path, json_t *object,
                         const char *field, char *where)
{
    json_t *list = field ? find_field(object, field, path, where) : NULL;

    if (list && !json_is_array(list)) {
        hitop_reader_fail(&c->r, where, "must be an array, not %s",
                          hitop_reader_type_name(json_typeof(list)));
        return NULL;
    }
    return list;
}

static void read_switches(struct cloud_reading *c, const char *path, json_t *object,
                          const struct cloud_form *form, struct cloud_instance *out)
{
    static const char *const levels[CLOUD_FORM_SWITCHES] = {"switch",  "switch2", "switch3",
                                                            "switch4", "switch5", "switch6"};
    char where[READER_PATH_MAX], item[READER_PATH_MAX];
    const json_t *list = read_list(c, path, object, form->switches, where);
    const size_t n = json_array_size(list);

    if (n > CLOUD_FORM_SWITCHES) {
        hitop_reader_fail(&c->r, where, "has %zu items, must have at most %d", n,
                          CLOUD_FORM_SWITCHES);
    }
    for (size_t height = n; height-- > 0 && c->r.status == HITOP_OK;) {
        const size_t i = form->is_upwards ? height : n - 1 - height;
        add_step(out, levels[height],
                 read_text(c, hitop_reader_item(where, i, item), json_array_get(list, i)));
    }
}

/* Read all fields of the form except the hosts of a block. */
static void read_instance(struct cloud_reading *c, const char *path, json_t *object,
                          const struct cloud_form *form, struct cloud_instance *out)
{
    out->where = hitop_storage_text(&c->out->text, path);
    out->id = read_field(c, path, object, form->id);
    add_name(out, hitop_storage_text(&c->out->text, c->label));
    for (int i = 0; i < CLOUD_FORM_NAMES; i++) {
        add_name(out, read_field(c, path, object, form->name[i]));
    }
    for (int i = 0; i < CLOUD_FORM_LEVELS && form->level[i].level; i++) {
        const char *name = read_field(c, path, object, form->level[i].field);
        const char *slash = strrchr(name, '/'); /* the name may be the end of a URL */
        add_step(out, form->level[i].level, slash ? slash + 1 : name);
    }
    read_switches(c, path, object, form, out);
    add_step(out, "nvlink", read_domain(c, path, object, form->domain));
    add_step(out, hitop_cloud_part_level, read_field(c, path, object, form->part));
}

static void read_hosts(struct cloud_reading *c, const char *path, json_t *object,
                       const struct cloud_form *form, const struct cloud_instance *common)
{
    char where[READER_PATH_MAX], item[READER_PATH_MAX];
    const json_t *list = read_list(c, path, object, form->hosts, where);

    if (!list) {
        hitop_reader_fail(&c->r, path, "%s is missing", form->hosts);
    }
    for (size_t i = 0; i < json_array_size(list) && c->r.status == HITOP_OK; i++) {
        const char *name = read_text(c, hitop_reader_item(where, i, item), json_array_get(list, i));
        struct cloud_instance *instance = hitop_cloud_add(c->out, common);

        if (instance) {
            instance->where = hitop_storage_text(&c->out->text, item);
            add_name(instance, name);
        }
    }
}

/*
 * Read an object that describes one instance or one block of instances. Returns 0 for other
 * objects; failures are stored in the reader.
 */
static int cloud_read_form(struct cloud_reading *c, const char *path, json_t *object)
{
    const struct cloud_form *form = hitop_cloud_forms;
    struct cloud_instance instance = {.nnames = 0};

    while (form->marks && !has_mark(object, form->marks)) {
        form++;
    }
    if (!form->marks) {
        return 0;
    }
    read_instance(c, path, object, form, &instance);
    if (form->hosts) {
        read_hosts(c, path, object, form, &instance);
    } else {
        (void)hitop_cloud_add(c->out, &instance);
    }
    return 1;
}

/*
 * The documents of a file of a cloud.
 *
 * A file may have several: pages of a list, a list of names and a list of places, or the metadata
 * of hosts, each with the name of the host in front, "node01: {...}".
 */

/* Members that contain instances, directly or in other containers. */
static const char *const containers[] = {"Instances", "Reservations", "data", "items"};

static void read_value(struct cloud_reading *c, const char *path, json_t *value);

static void read_items(struct cloud_reading *c, const char *path, const json_t *array)
{
    char item[READER_PATH_MAX];

    for (size_t i = 0; i < json_array_size(array) && c->r.status == HITOP_OK; i++) {
        read_value(c, hitop_reader_item(path, i, item), json_array_get(array, i));
    }
}

static void read_object(struct cloud_reading *c, const char *path, json_t *object)
{
    char where[READER_PATH_MAX];

    for (size_t i = 0; i < sizeof(containers) / sizeof(containers[0]); i++) {
        const char *key;
        json_t *inner = cloud_member(object, containers[i], strlen(containers[i]), &key);

        if (json_is_array(inner) || json_is_object(inner)) {
            read_value(c, hitop_reader_join(path, key, where), inner);
            return;
        }
    }
    if (!cloud_read_form(c, path, object)) {
        hitop_reader_fail(
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
        hitop_reader_fail(&c->r, path, "must be an object, not %s",
                          hitop_reader_type_name(json_typeof(value)));
    }
}

/* Skip the name of a host in front of a document, which becomes the label. */
static const char *skip_label(struct cloud_reading *c, const char *text)
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

/* Report an error of jansson, which counts lines and columns from the beginning of the document. */
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

        at = skip_label(c, at);
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

enum hitop_status hitop_cloud_read(const char *file, struct cloud *out, struct hitop_diag *diag)
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

/* SPDX-License-Identifier: BSD-3-Clause */
/* report_facts_json.c - where results come from, as texts. */
#include <config.h>

#include "tools/report/report_json.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_FACTS = 256 };

/* Text of a value; lists with commas. NULL where there is none; the caller frees it. */
static char *fact_text(const json_t *value)
{
    char *text;

    if (json_is_null(value)) {
        return NULL;
    }
    if (json_is_string(value)) {
        return strdup(json_string_value(value));
    }
    text = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(9));
    if (text && json_is_array(value)) { /* ["a","b"] as a, b */
        size_t to = 0;
        for (size_t i = 1; text[i] && text[i + 1]; i++) {
            if (text[i] != '"') {
                text[to++] = text[i];
            }
        }
        text[to] = '\0';
    }
    return text;
}

/* Members of members are facts, too: "host.name". */
static void read_facts(struct reader *r, const char *prefix, json_t *object, struct report *out)
{
    for (void *at = json_object_iter(object); at && r->status == HITOP_OK;
         at = json_object_iter_next(object, at)) {
        json_t *value = json_object_iter_value(at);
        char key[READER_PATH_MAX];
        struct report_fact *fact = &out->facts[out->nfacts];
        (void)snprintf(key, sizeof(key), "%s%s%.80s", prefix, *prefix ? "." : "",
                       json_object_iter_key(at));
        if (json_is_object(value) && strlen(key) < 60) {
            read_facts(r, key, value, out);
            continue;
        }
        fact->value = out->nfacts < MAX_FACTS ? fact_text(value) : NULL;
        if (fact->value) {
            fact->key = strdup(key);
            out->nfacts++;
        }
        if (fact->value && !fact->key) {
            r->status = hitop_fail(r->diag, HITOP_ERR_NOMEM, "%s: out of memory", r->file);
        }
    }
}

void report_read_facts(struct reader *r, json_t *provenance, struct report *out)
{
    if (r->status != HITOP_OK) {
        return;
    }
    out->facts = calloc(MAX_FACTS + 1, sizeof(*out->facts));
    if (!out->facts) {
        r->status = hitop_fail(r->diag, HITOP_ERR_NOMEM, "%s: out of memory", r->file);
        return;
    }
    read_facts(r, "", provenance, out);
}

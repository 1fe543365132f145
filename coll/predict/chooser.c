/* SPDX-License-Identifier: BSD-3-Clause */
/* chooser.c - choices once made, by what decides them. */
#include <config.h>

#include "coll/predict/choice_rule.h"

#include <stdint.h>
#include <stdlib.h>

struct key {
    const struct hitop_operation *operation;
    size_t bytes; /* the middle of a class */
    size_t unit;
    int size, root, ordered, line;
};

/* Entries stay where they are, because they are lent. */
struct entry {
    struct key key;
    enum hitop_status status;
    struct hitop_choice choice;
    struct entry *next; /* of the same bucket */
};

enum { NBUCKETS = 1024 };

struct hitop_chooser {
    struct hitop_choice_basis basis;
    struct entry *buckets[NBUCKETS];
};

enum hitop_status hitop_chooser_new(const struct hitop_choice_basis *basis,
                                    struct hitop_chooser **out, struct hitop_diag *diag)
{
    *out = calloc(1, sizeof(**out));
    if (!*out) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "chooser: out of memory");
    }
    (*out)->basis = *basis;
    return HITOP_OK;
}

void hitop_chooser_free(struct hitop_chooser *chooser)
{
    for (size_t i = 0; chooser && i < NBUCKETS; i++) {
        while (chooser->buckets[i]) {
            struct entry *e = chooser->buckets[i];
            chooser->buckets[i] = e->next;
            free(e);
        }
    }
    free(chooser);
}

static struct key key_of(const struct hitop_call *call, const struct hitop_rule *rule)
{
    return (struct key){.operation = call->operation,
                        .bytes = hitop_choice_class(call->bytes, call->unit),
                        .unit = call->unit > 0 ? call->unit : 1,
                        .size = call->size,
                        .root = call->root,
                        .ordered = call->ordered != 0,
                        .line = rule ? rule->line : 0};
}

static size_t bucket_of(const struct key *key)
{
    uint64_t hash = (uint64_t)(uintptr_t)key->operation;

    hash = (hash ^ key->bytes) * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ (uint64_t)key->root ^ hash >> 32) * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ (uint64_t)key->size ^ (uint64_t)key->line << 16 ^ key->unit << 32) *
           UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(hash >> 32) % NBUCKETS;
}

static int is_same(const struct key *a, const struct key *b)
{
    return a->operation == b->operation && a->bytes == b->bytes && a->unit == b->unit &&
           a->size == b->size && a->root == b->root && a->ordered == b->ordered &&
           a->line == b->line;
}

/* What a rule says of the middle of the class. What it cannot serve now it cannot serve later. */
static enum hitop_status add(struct hitop_chooser *chooser, const struct hitop_call *call,
                             const struct hitop_rule *rule, const struct key *key,
                             struct entry **out, struct hitop_diag *diag)
{
    struct entry **bucket = &chooser->buckets[bucket_of(key)];
    struct hitop_call middle = *call;
    struct entry *e = calloc(1, sizeof(*e));

    if (!e) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "chooser: out of memory");
    }
    middle.bytes = key->bytes;
    middle.starts = NULL;
    e->key = *key;
    e->status = hitop_choice_by_rule(&chooser->basis, rule, &middle, &e->choice, diag);
    if (e->status != HITOP_OK && e->status != HITOP_ERR_UNSUPPORTED) {
        const enum hitop_status status = e->status;
        free(e);
        return status;
    }
    e->next = *bucket;
    *bucket = *out = e;
    return HITOP_OK;
}

static enum hitop_status look_up(struct hitop_chooser *chooser, const struct hitop_call *call,
                                 const struct hitop_rule *rule, struct entry **out,
                                 struct hitop_diag *diag)
{
    const struct key key = key_of(call, rule);
    struct entry *e = chooser->buckets[bucket_of(&key)];

    while (e && !is_same(&e->key, &key)) {
        e = e->next;
    }
    *out = e;
    if (!e) {
        return add(chooser, call, rule, &key, out, diag);
    }
    if (e->status != HITOP_OK) {
        (void)hitop_fail(diag, e->status, "%s: no algorithm for %d ranks and %zu bytes",
                         call->operation->name, call->size, call->bytes);
    }
    return HITOP_OK;
}

enum hitop_status hitop_chooser_get(struct hitop_chooser *chooser, const struct hitop_call *call,
                                    const struct hitop_choice **out, struct hitop_diag *diag)
{
    const struct hitop_rule *rule;
    struct entry *e = NULL;
    int after = 0;
    enum hitop_status status = hitop_choice_check(&chooser->basis, call, diag);

    *out = NULL;
    do {
        rule = hitop_rules_match(chooser->basis.rules, call, after);
        after = rule ? rule->line : 0;
        if (status == HITOP_OK) {
            status = look_up(chooser, call, rule, &e, diag);
        }
    } while (status == HITOP_OK && e->status != HITOP_OK && choice_goes_on(rule));
    if (status == HITOP_OK && e->status == HITOP_OK) {
        *out = &e->choice;
    }
    return status == HITOP_OK ? e->status : status;
}

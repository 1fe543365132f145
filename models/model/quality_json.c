/* SPDX-License-Identifier: BSD-3-Clause */
/* quality_json.c - what a measurement found out about itself, in a model file. */
#include <config.h>

#include "models/model/quality_json.h"

#include "src/draft_json.h"

#include <float.h>
#include <limits.h>
#include <stdlib.h>

static const char *const members[] = {"seconds",   "passes",       "ended_early", "latency",
                                      "bandwidth", "verification", NULL};
static const char *const interference_members[] = {"at_once", "slowdown", NULL};
static const char *const verification_members[] = {"tolerance", "groups", NULL};
static const char *const group_members[] = {"node", "level", "name",  "pairs", "median",
                                            "q90",  "worst", "holds", NULL};
static const char path[] = "$.quality", inner[] = "$.quality.verification";

static struct hitop_interference read_interference(struct reader *r, const json_t *object,
                                                   const char *key)
{
    json_t *value = hitop_reader_member(r, path, object, key, JSON_OBJECT);
    char where[READER_PATH_MAX];
    struct hitop_interference c = {0};

    if (value) {
        hitop_reader_known(r, hitop_reader_join(path, key, where), value, interference_members);
        c.at_once = hitop_reader_int(r, where, value, "at_once", 0, INT_MAX);
        c.slowdown = hitop_reader_number(r, where, value, "slowdown", 1, DBL_MAX);
    }
    return c;
}

static struct hitop_verified read_group(struct reader *r, const char *where, json_t *object,
                                        const struct hitop_hierarchy *h)
{
    struct hitop_verified v = {0};

    if (!json_is_object(object)) {
        hitop_reader_fail(r, where, "must be an object");
        return v;
    }
    hitop_reader_known(r, where, object, group_members);
    v.node = hitop_reader_int(r, where, object, "node", hitop_hierarchy_nranks(h),
                              hitop_hierarchy_nnodes(h) - 1);
    if (r->status == HITOP_OK) {
        hitop_reader_expect(r, where, object, "level", hitop_hierarchy_level(h, v.node));
        hitop_reader_expect(r, where, object, "name", hitop_hierarchy_name(h, v.node));
    }
    v.pairs = hitop_reader_int(r, where, object, "pairs", 1, INT_MAX);
    v.median = hitop_reader_number(r, where, object, "median", 0, DBL_MAX);
    v.q90 = hitop_reader_number(r, where, object, "q90", 0, DBL_MAX);
    v.worst = hitop_reader_number(r, where, object, "worst", 0, DBL_MAX);
    v.holds = json_is_true(hitop_reader_member(r, where, object, "holds", JSON_TRUE));
    return v;
}

static void read_verification(struct reader *r, const json_t *object,
                              const struct hitop_hierarchy *h, struct hitop_quality *out,
                              struct hitop_verified **verified)
{
    json_t *value = hitop_reader_optional(r, path, object, "verification", JSON_OBJECT);
    const json_t *groups;
    char where[READER_PATH_MAX];

    if (!value) {
        return;
    }
    hitop_reader_known(r, inner, value, verification_members);
    out->tolerance = hitop_reader_number(r, inner, value, "tolerance", DBL_MIN, DBL_MAX);
    groups = hitop_reader_array(r, inner, value, "groups", -1);
    hitop_reader_join(inner, "groups", where);
    if (r->status == HITOP_OK && (json_array_size(groups) < 1 ||
                                  json_array_size(groups) > (size_t)hitop_hierarchy_nnodes(h))) {
        hitop_reader_fail(r, where, "has %zu items, must have 1 to %d", json_array_size(groups),
                          hitop_hierarchy_nnodes(h));
    }
    if (r->status != HITOP_OK) {
        return;
    }
    *verified = calloc(json_array_size(groups), sizeof(**verified));
    if (!*verified) {
        r->status = hitop_fail(r->diag, HITOP_ERR_NOMEM, "%s: out of memory", r->file);
        return;
    }
    for (size_t i = 0; r->status == HITOP_OK && i < json_array_size(groups); i++) {
        char item[READER_PATH_MAX];
        (*verified)[i] =
            read_group(r, hitop_reader_item(where, i, item), json_array_get(groups, i), h);
    }
    out->verified = *verified;
    out->nverified = (int)json_array_size(groups);
}

int hitop_quality_read(struct reader *r, const json_t *document, const struct hitop_hierarchy *h,
                       struct hitop_quality *out, struct hitop_verified **verified)
{
    json_t *object = hitop_reader_optional(r, "$", document, "quality", JSON_OBJECT);
    struct hitop_diag reason = HITOP_DIAG_INIT;

    *out = (struct hitop_quality){0};
    *verified = NULL;
    if (!object) {
        return 0;
    }
    hitop_reader_known(r, path, object, members);
    out->seconds = hitop_reader_number(r, path, object, "seconds", 0, DBL_MAX);
    out->passes = hitop_reader_int(r, path, object, "passes", 0, INT_MAX);
    out->ended_early = json_is_true(hitop_reader_member(r, path, object, "ended_early", JSON_TRUE));
    out->latency = read_interference(r, object, "latency");
    out->bandwidth = read_interference(r, object, "bandwidth");
    read_verification(r, object, h, out, verified);
    if (r->status == HITOP_OK && hitop_model_check_quality(h, out, &reason) != HITOP_OK) {
        hitop_reader_fail(r, path, "%.200s", reason.message);
    }
    return 1;
}

static json_t *interference_value(const struct hitop_interference *c)
{
    return json_pack("{s: i, s: f}", "at_once", c->at_once, "slowdown", c->slowdown);
}

static json_t *group_value(const struct hitop_hierarchy *h, const struct hitop_verified *v)
{
    struct draft draft = {.value = json_object()};

    draft_add(&draft, "node", json_integer(v->node));
    draft_add(&draft, "level", hitop_draft_text(hitop_hierarchy_level(h, v->node)));
    draft_add(&draft, "name", hitop_draft_text(hitop_hierarchy_name(h, v->node)));
    draft_add(&draft, "pairs", json_integer(v->pairs));
    draft_add(&draft, "median", json_real(v->median));
    draft_add(&draft, "q90", json_real(v->q90));
    draft_add(&draft, "worst", json_real(v->worst));
    draft_add(&draft, "holds", json_boolean(v->holds));
    return draft_finish(&draft);
}

static json_t *verification_value(const struct hitop_hierarchy *h, const struct hitop_quality *q)
{
    struct draft draft = {.value = json_object()};
    json_t *groups = json_array();

    for (int i = 0; i < q->nverified; i++) {
        draft.incomplete |= json_array_append_new(groups, group_value(h, &q->verified[i])) != 0;
    }
    draft_add(&draft, "tolerance", json_real(q->tolerance));
    draft_add(&draft, "groups", groups);
    return draft_finish(&draft);
}

json_t *hitop_quality_value(const struct hitop_model *model)
{
    const struct hitop_quality *q = hitop_model_quality(model);
    struct draft draft = {.value = json_object()};

    draft_add(&draft, "seconds", json_real(q->seconds));
    draft_add(&draft, "passes", json_integer(q->passes));
    draft_add(&draft, "ended_early", json_boolean(q->ended_early));
    draft_add(&draft, "latency", interference_value(&q->latency));
    draft_add(&draft, "bandwidth", interference_value(&q->bandwidth));
    if (q->nverified > 0) {
        draft_add(&draft, "verification", verification_value(hitop_model_hierarchy(model), q));
    }
    return draft_finish(&draft);
}

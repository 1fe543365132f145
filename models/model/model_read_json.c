/* SPDX-License-Identifier: BSD-3-Clause */
/* model_read_json.c - read a model from the text of a model file, see doc/model.schema.json. */
#include <config.h>

#include "models/model/model_json.h"

#include "hitop/input.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const top_members[] = {
    "format",  "version",    "model",      "convention", "units",      "ranks", "tree",
    "classes", "processors", "collective", "quality",    "provenance", NULL};
static const char *const unit_members[] = {"time", "size", NULL};
static const char *const provenance_members[] = {
    "tool", "command", "mpi_library", "transport", "cache", "date", "seed", "confidence", NULL};
static const char *const quality_members[] = {"seconds",   "passes",       "ended_early", "latency",
                                              "bandwidth", "verification", NULL};
static const char *const interference_members[] = {"at_once", "slowdown", NULL};
static const char *const verification_members[] = {"tolerance", "groups", NULL};
static const char *const group_members[] = {"node", "level", "name",  "pairs", "median",
                                            "q90",  "worst", "holds", NULL};

enum { MAX_NUMBERS = 32 }; /* of collectives */

static struct hitop_provenance read_provenance(struct reader *r, const json_t *document)
{
    static const char path[] = "$.provenance";
    json_t *object = hitop_reader_optional(r, "$", document, "provenance", JSON_OBJECT);
    struct hitop_provenance p = {0};
    const char **const texts[] = {&p.tool,      &p.command, &p.mpi_library,
                                  &p.transport, &p.cache,   &p.date};

    if (!object) {
        return p;
    }
    hitop_reader_known(r, path, object, provenance_members);
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        *texts[i] = json_string_value(
            hitop_reader_optional(r, path, object, provenance_members[i], JSON_STRING));
    }
    if (json_object_get(object, "seed")) {
        p.seed = hitop_reader_size(r, path, object, "seed");
    }
    if (json_object_get(object, "confidence")) {
        p.confidence = hitop_reader_number(r, path, object, "confidence", 0, 1);
    }
    return p;
}

static void check_header(struct reader *r, json_t *document)
{
    json_t *units;

    if (!json_is_object(document)) {
        hitop_reader_fail(r, "$", "must be an object");
        return;
    }
    hitop_reader_expect(r, "$", document, "format", MODEL_FORMAT);
    (void)hitop_reader_int(r, "$", document, "version", MODEL_VERSION, MODEL_VERSION);
    hitop_reader_known(r, "$", document, top_members);
    hitop_reader_agree(r, "$", document, "convention", MODEL_CONVENTION);
    units = hitop_reader_optional(r, "$", document, "units", JSON_OBJECT);
    if (units) {
        hitop_reader_known(r, "$.units", units, unit_members);
        hitop_reader_agree(r, "$.units", units, "time", MODEL_UNIT_TIME);
        hitop_reader_agree(r, "$.units", units, "size", MODEL_UNIT_SIZE);
    }
}

/* Parameters of collectives; NaN where the file lacks one, NULL without any. */
static const double *read_collective(struct model_source *s, const json_t *document)
{
    static const char path[] = "$.collective";
    json_t *object = hitop_reader_optional(&s->r, "$", document, "collective", JSON_OBJECT);
    const char *known[MAX_NUMBERS + 1] = {NULL};
    const size_t n = s->type->ncollective_params;
    double *out = object ? hitop_source_take(s, n, sizeof(*out)) : NULL;

    if (out && (n == 0 || n > MAX_NUMBERS)) {
        hitop_reader_fail(&s->r, path, "model %s has no numbers of collectives", s->type->name);
        return NULL;
    }
    for (size_t p = 0; out && p < n; p++) {
        const struct hitop_param *param = &s->type->collective_params[p];
        known[p] = param->name;
        out[p] = json_object_get(object, param->name)
                     ? hitop_reader_number(&s->r, path, object, param->name, param->min, param->max)
                     : NAN;
    }
    if (out) {
        hitop_reader_known(&s->r, path, object, known);
    }
    return out;
}

static struct hitop_interference read_interference(struct reader *r, const json_t *object,
                                                   const char *key)
{
    json_t *value = hitop_reader_member(r, "$.quality", object, key, JSON_OBJECT);
    char where[READER_PATH_MAX];
    struct hitop_interference c = {0};

    if (value) {
        hitop_reader_known(r, hitop_reader_join("$.quality", key, where), value,
                           interference_members);
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

static void read_verification(struct model_source *s, const json_t *quality,
                              struct hitop_quality *out)
{
    static const char path[] = "$.quality.verification", list[] = "$.quality.verification.groups";
    struct reader *r = &s->r;
    json_t *value = hitop_reader_optional(r, "$.quality", quality, "verification", JSON_OBJECT);
    const json_t *groups = value ? hitop_reader_array(r, path, value, "groups", -1) : NULL;
    const size_t n = json_array_size(groups);
    struct hitop_verified *verified;

    if (!groups) {
        return;
    }
    hitop_reader_known(r, path, value, verification_members);
    out->tolerance = hitop_reader_number(r, path, value, "tolerance", DBL_MIN, DBL_MAX);
    if (n < 1 || n > (size_t)hitop_hierarchy_nnodes(s->h)) {
        hitop_reader_fail(r, list, "has %zu items, must have 1 to %d", n,
                          hitop_hierarchy_nnodes(s->h));
    }
    verified = hitop_source_take(s, n, sizeof(*verified));
    for (size_t i = 0; r->status == HITOP_OK && i < n; i++) {
        char item[READER_PATH_MAX];
        verified[i] =
            read_group(r, hitop_reader_item(list, i, item), json_array_get(groups, i), s->h);
    }
    out->verified = verified;
    out->nverified = (int)n;
}

/* NULL where the file has none. */
static const struct hitop_quality *read_quality(struct model_source *s, const json_t *document)
{
    static const char path[] = "$.quality";
    struct reader *r = &s->r;
    json_t *object = hitop_reader_optional(r, "$", document, "quality", JSON_OBJECT);
    struct hitop_quality *out = object ? hitop_source_take(s, 1, sizeof(*out)) : NULL;
    struct hitop_diag reason = HITOP_DIAG_INIT;

    if (!out) {
        return NULL;
    }
    hitop_reader_known(r, path, object, quality_members);
    out->seconds = hitop_reader_number(r, path, object, "seconds", 0, DBL_MAX);
    out->passes = hitop_reader_int(r, path, object, "passes", 0, INT_MAX);
    out->ended_early = json_is_true(hitop_reader_member(r, path, object, "ended_early", JSON_TRUE));
    out->latency = read_interference(r, object, "latency");
    out->bandwidth = read_interference(r, object, "bandwidth");
    read_verification(s, object, out);
    if (r->status == HITOP_OK && hitop_model_check_quality(s->h, out, &reason) != HITOP_OK) {
        hitop_reader_fail(r, path, "%.200s", reason.message);
    }
    return out;
}

/* Classes of links and of processors. */
static void read_classes(struct model_source *s, const json_t *document,
                         struct hitop_model_parts *out)
{
    struct reader *r = &s->r;
    const json_t *links = hitop_reader_array(r, "$", document, "classes", -1);
    const json_t *processors = hitop_reader_optional(r, "$", document, "processors", JSON_ARRAY);
    const size_t n = json_array_size(links), m = json_array_size(processors);
    const int nranks = r->status == HITOP_OK ? hitop_hierarchy_nranks(s->h) : 0;
    struct hitop_class *class = hitop_source_take(s, n, sizeof(*class));
    struct hitop_processor *processor = hitop_source_take(s, m, sizeof(*processor));
    char path[READER_PATH_MAX];

    s->processor_of = hitop_source_take(s, (size_t)nranks, sizeof(int));
    if (n + m > INT_MAX) {
        hitop_reader_fail(r, "$.classes", "too many classes");
    }
    if (r->status != HITOP_OK) {
        return;
    }
    memset(s->processor_of, -1, (size_t)nranks * sizeof(int));
    for (size_t i = 0; r->status == HITOP_OK && i < n; i++) {
        hitop_class_read(s, hitop_reader_item("$.classes", i, path), json_array_get(links, i),
                         &class[i]);
    }
    for (size_t i = 0; r->status == HITOP_OK && i < m; i++) {
        hitop_processor_read(s, hitop_reader_item("$.processors", i, path),
                             json_array_get(processors, i), (int)i, &processor[i]);
    }
    for (int rank = 0; processors && r->status == HITOP_OK && rank < nranks; rank++) {
        if (s->processor_of[rank] < 0) {
            hitop_reader_fail(r, "$.processors", "rank %d belongs to no class", rank);
        }
    }
    out->classes = class;
    out->nclasses = (int)n;
    out->processors = processor;
    out->nprocessors = (int)m;
    out->processor_of = s->processor_of;
}

/* All that follows the header. */
static void read_model(struct model_source *s, const json_t *document, struct hitop_model **out)
{
    struct reader *r = &s->r;
    const char *type = hitop_reader_string(r, "$", document, "model");
    struct hitop_model_parts parts = {.type = type};
    struct hitop_diag reason = HITOP_DIAG_INIT;
    struct hitop_provenance provenance;
    enum hitop_status status;

    if (r->status == HITOP_OK && hitop_model_type_find(type, &s->type, &reason) != HITOP_OK) {
        hitop_reader_fail(r, "$.model", "%.200s", reason.message);
    }
    parts.hierarchy = s->h = hitop_model_read_tree(r, document);
    provenance = read_provenance(r, document);
    parts.provenance = &provenance;
    read_classes(s, document, &parts);
    if (r->status == HITOP_OK) {
        parts.collective = read_collective(s, document);
        parts.quality = read_quality(s, document);
    }
    if (r->status != HITOP_OK) {
        return;
    }
    status = hitop_model_build(&parts, out, &reason);
    if (status == HITOP_ERR_NOMEM) {
        r->status = hitop_fail(r->diag, status, "%s: out of memory", r->file);
    } else if (status != HITOP_OK) {
        hitop_reader_fail(r, "$.classes", "%.200s", reason.message);
    }
}

enum hitop_status hitop_model_parse(const char *name, const char *text, size_t length,
                                    struct hitop_model **out, struct hitop_diag *diag)
{
    struct model_source s = {.r = {.file = name, .diag = diag, .status = HITOP_OK}};
    json_t *document = hitop_reader_parse(name, text, length, diag);

    *out = NULL;
    if (!document) {
        return HITOP_ERR_FORMAT;
    }
    check_header(&s.r, document);
    if (s.r.status == HITOP_OK) {
        read_model(&s, document, out);
    }
    hitop_hierarchy_free(s.h);
    hitop_memory_clear(&s.memory);
    json_decref(document);
    return s.r.status;
}

enum hitop_status hitop_model_read(const char *path, struct hitop_model **out,
                                   struct hitop_diag *diag)
{
    char *text = NULL;
    size_t length = 0;
    enum hitop_status status = hitop_input_read(path, &text, &length, diag);

    *out = NULL;
    if (status == HITOP_OK) {
        status = hitop_model_parse(hitop_input_name(path), text, length, out, diag);
    }
    free(text);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model_write_json.c - a model as the text of a model file; doc/model.schema.json is the format.
 *
 * One line per group and per class, so that a person can compare two files. Numbers keep all their
 * digits: reading the file gives the same model.
 */
#include <config.h>

#include "models/model/class_value_json.h"
#include "models/model/collective_json.h"
#include "models/model/model_json.h"
#include "models/model/quality_json.h"
#include "src/draft_json.h"

#include "hitop/sys/model.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

enum { DIGITS = 17 }; /* of numbers */

/* Those of the group; of its edge, which is not written, the one that means the same on both. */
static json_t *attributes_value(const struct hitop_hierarchy *h, int node)
{
    struct draft draft = {.value = json_object()};

    for (int of = HITOP_ATTR_OF_NODE; of <= HITOP_ATTR_OF_EDGE; of++) {
        int count;
        const struct hitop_attr *attr =
            hitop_hierarchy_attrs(h, (enum hitop_attr_of)of, node, &count);
        for (int i = 0; i < count; i++) {
            if (of == HITOP_ATTR_OF_NODE || (strcmp(attr[i].key, "capacity") == 0 &&
                                             !hitop_hierarchy_attr(h, node, "capacity"))) {
                draft_add(&draft, attr[i].key, hitop_draft_text(attr[i].value));
            }
        }
    }
    return draft_finish(&draft);
}

static json_t *group_value(const struct hitop_hierarchy *h, int node)
{
    const int parent = hitop_hierarchy_parent(h, node);
    json_t *attributes = attributes_value(h, node);
    struct draft draft = {.value = json_object()};

    draft_add(&draft, "node", json_integer(node));
    draft_add(&draft, "level", hitop_draft_text(hitop_hierarchy_level(h, node)));
    draft_add(&draft, "name", hitop_draft_text(hitop_hierarchy_name(h, node)));
    draft_add(&draft, "parent", parent == HITOP_NO_NODE ? json_null() : json_integer(parent));
    if (!attributes || json_object_size(attributes) > 0) {
        draft_add(&draft, "attributes", attributes);
    } else {
        json_decref(attributes);
    }
    return draft_finish(&draft);
}

static int put_tree(FILE *to, const struct hitop_hierarchy *h)
{
    const int nranks = hitop_hierarchy_nranks(h);
    json_t *hosts = json_array();
    json_t *parents = json_array();
    int failed;

    for (int rank = 0; rank < nranks; rank++) {
        (void)json_array_append_new(hosts, hitop_draft_text(hitop_hierarchy_host(h, rank)));
        (void)json_array_append_new(parents, json_integer(hitop_hierarchy_parent(h, rank)));
    }
    failed = json_array_size(hosts) != (size_t)nranks || json_array_size(parents) != (size_t)nranks;
    failed |=
        fputs("  \"tree\": {\n    \"hosts\": ", to) < 0 || hitop_draft_put(to, hosts, DIGITS) < 0;
    failed |= fputs(",\n    \"parents\": ", to) < 0 || hitop_draft_put(to, parents, DIGITS) < 0;
    failed |= fputs(",\n    \"groups\": [", to) < 0;
    for (int node = nranks; !failed && node < hitop_hierarchy_nnodes(h); node++) {
        failed |= fputs(node > nranks ? ",\n      " : "\n      ", to) < 0;
        failed |= hitop_draft_put(to, group_value(h, node), DIGITS) < 0;
    }
    failed |= fputs("\n    ]\n  },\n", to) < 0;
    return failed;
}

static int put_classes(FILE *to, const struct hitop_model *model)
{
    const int n = hitop_model_nclasses(model);
    int failed = fputs("  \"classes\": [", to) < 0;

    for (int i = 0; !failed && i < n; i++) {
        failed |= fputs(i > 0 ? ",\n    " : "\n    ", to) < 0;
        failed |=
            hitop_draft_put(to, hitop_class_value(model, hitop_model_class(model, i)), DIGITS) < 0;
    }
    failed |= fputs(n > 0 ? "\n  ],\n" : "],\n", to) < 0;
    return failed;
}

/* One class a line. */
static int put_processors(FILE *to, const struct hitop_model *model)
{
    json_t *all = hitop_model_nprocessors(model) ? hitop_processors_value(model) : json_array();
    const size_t n = json_array_size(all);
    int failed = !all || (n > 0 && fputs("  \"processors\": [", to) < 0);

    for (size_t i = 0; !failed && i < n; i++) {
        failed |= fputs(i > 0 ? ",\n    " : "\n    ", to) < 0;
        failed |= hitop_draft_put(to, json_incref(json_array_get(all, i)), DIGITS) < 0;
    }
    failed |= n > 0 && fputs("\n  ],\n", to) < 0;
    json_decref(all);
    return failed;
}

static int put_collective(FILE *to, const struct hitop_model *model)
{
    const double *numbers = hitop_model_collective(model);

    return numbers &&
           (fputs("  \"collective\": ", to) < 0 ||
            hitop_draft_put(to, hitop_collective_value(hitop_model_type_of(model), numbers),
                            DIGITS) < 0 ||
            fputs(",\n", to) < 0);
}

static int put_quality(FILE *to, const struct hitop_model *model)
{
    return hitop_model_quality(model) &&
           (fputs("  \"quality\": ", to) < 0 ||
            hitop_draft_put(to, hitop_quality_value(model), DIGITS) < 0 || fputs(",\n", to) < 0);
}

/* Members that have no value are left out. */
static json_t *provenance_value(const struct hitop_provenance *p)
{
    const char *const keys[] = {"tool", "command", "mpi_library", "transport", "cache", "date"};
    const char *const texts[] = {p->tool,      p->command, p->mpi_library,
                                 p->transport, p->cache,   p->date};
    struct draft draft = {.value = json_object()};

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        if (texts[i]) {
            draft_add(&draft, keys[i], hitop_draft_text(texts[i]));
        }
    }
    draft_add(&draft, "seed", json_integer((json_int_t)p->seed));
    draft_add(&draft, "confidence", json_real(p->confidence));
    return draft_finish(&draft);
}

enum hitop_status hitop_model_write(const struct hitop_model *model, FILE *to,
                                    struct hitop_diag *diag)
{
    int failed;

    if (hitop_model_provenance(model)->seed > INT64_MAX) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "model: seed %llu is greater than %lld",
                          hitop_model_provenance(model)->seed, (long long)INT64_MAX);
    }
    errno = 0;
    failed =
        fprintf(to,
                "{\n"
                "  \"format\": \"" MODEL_FORMAT "\",\n"
                "  \"version\": %d,\n"
                "  \"model\": \"%s\",\n"
                "  \"convention\": \"" MODEL_CONVENTION "\",\n"
                "  \"units\": {\"time\": \"" MODEL_UNIT_TIME "\", \"size\": \"" MODEL_UNIT_SIZE
                "\"},\n"
                "  \"ranks\": %d,\n",
                MODEL_VERSION, hitop_model_type_of(model)->name, hitop_model_nranks(model)) < 0;
    failed |= put_tree(to, hitop_model_hierarchy(model));
    failed |= put_classes(to, model);
    failed |= put_processors(to, model);
    failed |= put_collective(to, model);
    failed |= put_quality(to, model);
    failed |= fputs("  \"provenance\": ", to) < 0 ||
              hitop_draft_put(to, provenance_value(hitop_model_provenance(model)), DIGITS) < 0;
    failed |= fputs("\n}\n", to) < 0;
    if (failed) {
        return hitop_fail(diag, HITOP_ERR_IO, "cannot write: %s",
                          errno ? strerror(errno) : "out of memory");
    }
    return HITOP_OK;
}

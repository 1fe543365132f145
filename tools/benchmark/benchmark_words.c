/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_words.c - arguments that are words or lists of them. */
#include <config.h>

#include "tools/benchmark/benchmark_kinds.h"
#include "tools/benchmark/request.h"
#include "tools/report/report.h"

#include "hitop/choice.h"
#include "hitop/operation.h"
#include "hitop/text.h"

#include <limits.h>
#include <string.h>

enum hitop_status benchmark_take_kinds(struct benchmark_request *r, const char *list,
                                       struct hitop_diag *diag)
{
    for (const char *at = list;; at++) {
        const size_t length = strcspn(at, ",");
        const struct benchmark_kind *kind;
        int i = 0;
        const enum hitop_status status = benchmark_kind_find(at, length, &kind, diag);
        if (status != HITOP_OK) {
            return status;
        }
        while (i < r->nkinds && r->kinds[i] != kind) {
            i++;
        }
        if (i == r->nkinds && r->nkinds < BENCHMARK_KINDS) {
            r->kinds[r->nkinds++] = kind;
        }
        at += length;
        if (*at == '\0') {
            return HITOP_OK;
        }
    }
}

enum hitop_status benchmark_take_counts(struct benchmark_request *r, const char *list,
                                        struct hitop_diag *diag)
{
    r->ncounts = 0;
    for (const char *at = list;; at++) {
        const size_t length = strcspn(at, ",");
        char word[16] = "";
        enum hitop_status status;
        memcpy(word, at, length < sizeof(word) ? length : sizeof(word) - 1);
        if (r->ncounts == BENCHMARK_COUNTS) {
            return hitop_fail(diag, HITOP_ERR_INVALID, "more than %d numbers", BENCHMARK_COUNTS);
        }
        status = hitop_text_int(word, 1, INT_MAX, &r->counts[r->ncounts++], diag);
        at += length;
        if (status != HITOP_OK || *at == '\0') {
            return status;
        }
    }
}

enum hitop_status benchmark_take_ways(struct benchmark_request *r, const char *text,
                                      struct hitop_diag *diag)
{
    const size_t length = strcspn(text, ",");
    enum hitop_status status;

    if (text[length] == '\0') {
        return hitop_fail(diag, HITOP_ERR_INVALID, "'%.60s' must be two names, e.g. mpi,hitop",
                          text);
    }
    status = benchmark_way_parse(text, length, &r->ways[0], diag);
    r->nways = 2;
    return status == HITOP_OK ? benchmark_way_parse(text + length + 1, strlen(text + length + 1),
                                                    &r->ways[1], diag)
                              : status;
}

/* "together" or a pattern by its name; arrivals from a file have an option of their own. */
enum hitop_status benchmark_take_arrival(struct benchmark_request *r, const char *text,
                                         struct hitop_diag *diag)
{
    char valid[256] = "together";

    r->arrives = strcmp(text, "together") != 0;
    if (!r->arrives) {
        return HITOP_OK;
    }
    for (int p = 0; p < PATTERN_REPLAY; p++) {
        if (strcmp(text, hitop_pattern_names[p]) == 0) {
            r->pattern = (enum pattern)p;
            return HITOP_OK;
        }
        hitop_text_list_name(valid, sizeof(valid), hitop_pattern_names[p]);
    }
    return hitop_fail(diag, HITOP_ERR_NOTFOUND, "'%.40s' is no pattern; valid: %s", text, valid);
}

enum hitop_status benchmark_take_format(struct benchmark_request *r, const char *text,
                                        struct hitop_diag *diag)
{
    char valid[128] = "";

    for (const struct benchmark_format *f = benchmark_formats; f->name; f++) {
        if (strcmp(text, f->name) == 0) {
            r->format = f;
            return HITOP_OK;
        }
        hitop_text_list_name(valid, sizeof(valid), f->name);
    }
    return hitop_fail(diag, HITOP_ERR_NOTFOUND, "'%.40s' is no format; valid: %s", text, valid);
}

enum hitop_status benchmark_take_root(struct benchmark_request *r, const char *text,
                                      struct hitop_diag *diag)
{
    r->root = ROOT_ROTATES;
    return strcmp(text, "rotating") == 0 ? HITOP_OK
                                         : hitop_text_int(text, 0, INT_MAX, &r->root, diag);
}

enum hitop_status benchmark_take_report(struct benchmark_request *r, const char *path,
                                        struct hitop_diag *diag)
{
    if (report_format_of_file(path) < 0) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "'%.200s' must end with .html, .md or .csv",
                          path);
    }
    r->report = path;
    return HITOP_OK;
}

enum hitop_status benchmark_way_parse(const char *text, size_t length, struct benchmark_way *out,
                                      struct hitop_diag *diag)
{
    char *slash;

    *out = (struct benchmark_way){.by = BY_MPI};
    if (length >= sizeof(out->name)) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "'%.70s...' is too long", text);
    }
    memcpy(out->name, text, length);
    slash = strchr(out->name, '/');
    if (strcmp(out->name, "hitop") == 0 || strncmp(out->name, "hitop/", 6) == 0) {
        out->by = BY_HITOP;
        out->algorithm = slash ? slash + 1 : NULL;
    } else if (strcmp(out->name, "preloaded") == 0) {
        out->by = BY_PRELOADED;
    } else if (strcmp(out->name, "mpi") != 0) {
        return hitop_fail(diag, HITOP_ERR_NOTFOUND,
                          "'%s' serves no collectives; valid: mpi, hitop, hitop/ALGORITHM, "
                          "preloaded",
                          out->name);
    }
    return HITOP_OK;
}

enum hitop_status benchmark_way_check(const struct benchmark_way *way,
                                      const struct benchmark_kind *kind, struct hitop_diag *diag)
{
    const struct hitop_operation *operation;
    struct hitop_way found;
    char name[sizeof(way->name)] = "";
    enum hitop_status status;

    if (!kind->operation) {
        return HITOP_OK;
    }
    memcpy(name, way->algorithm, strcspn(way->algorithm, ":")); /* parameters may follow */
    if (strcmp(name, "auto") == 0 || strcmp(name, "twolevel") == 0) {
        return HITOP_OK;
    }
    status = hitop_operation_find(kind->operation, &operation, diag);
    return status == HITOP_OK ? hitop_way_find(operation, name, &found, diag) : status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_named.c - operations by the names on the command line, which may name an algorithm. */
#include <config.h>

#include "tools/benchmark/benchmark.h"

#include "hitop/cpm.h"
#include "hitop/text.h"

#include <stdio.h>
#include <string.h>

/* Take the algorithm from the name of an operation; all such names must have the same one. */
static enum hitop_status take_algorithm(struct benchmark_request *r, const char *name,
                                        struct hitop_diag *diag)
{
    if (strlen(name) >= sizeof(r->named)) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "'%.60s...' is too long", name);
    }
    if (r->algorithm && strcmp(r->algorithm, name) != 0) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "algorithms %s and %s: one run has one; to compare two: "
                          "--compare hitop/%s,hitop/%s",
                          r->algorithm, name, r->algorithm, name);
    }
    strcpy(r->named, name);
    r->algorithm = r->named;
    return HITOP_OK;
}

/* Find a kind by a word such as "reduce", "reduce/chain", "MPIB_Reduce_binomial". */
static enum hitop_status find_kind(struct benchmark_request *r, char *word,
                                   const struct benchmark_kind **out, struct hitop_diag *diag)
{
    struct hitop_cpm_name cpm;
    char *const slash = strchr(word, '/');
    const char *algorithm = slash ? slash + 1 : NULL;
    const enum hitop_status found = hitop_cpm_find(word, &cpm, diag);
    enum hitop_status status;

    if (found == HITOP_ERR_UNSUPPORTED) {
        return found;
    }
    if (slash) {
        *slash = '\0';
    } else if (found == HITOP_OK && cpm.operation && cpm.algorithm) {
        hitop_cpm_report(word, &cpm);
        algorithm = cpm.algorithm;
        r->cpm_model = cpm.model ? cpm.model : r->cpm_model;
    }
    status = benchmark_kind_find(algorithm && !slash ? cpm.operation : word, out, diag);
    if (status == HITOP_OK && algorithm && !(*out)->operation) {
        status = hitop_fail(diag, HITOP_ERR_INVALID, "%s has no algorithms", (*out)->name);
    }
    return status == HITOP_OK && algorithm ? take_algorithm(r, algorithm, diag) : status;
}

static void add_kind(struct benchmark_request *r, const struct benchmark_kind *kind)
{
    int i = 0;

    while (i < r->nkinds && r->kinds[i] != kind) {
        i++;
    }
    r->kinds[i] = kind;
    r->nkinds += i == r->nkinds;
}

enum hitop_status benchmark_add_kind(void *data, char *word, struct hitop_diag *diag)
{
    struct benchmark_request *r = data;
    const struct benchmark_kind *kind;
    const enum hitop_status status = find_kind(r, word, &kind, diag);

    if (status == HITOP_OK) {
        add_kind(r, kind);
    }
    return status;
}

enum hitop_status benchmark_add_point(void *data, char *word, struct hitop_diag *diag)
{
    struct benchmark_request *r = data;
    struct benchmark_at at;
    char *const colon = strrchr(word, ':');
    enum hitop_status status;

    if (!colon) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "'%.60s' is not OPERATION:SIZE, such as bcast:64KiB", word);
    }
    if (r->nat == BENCHMARK_AT) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "more than %d", BENCHMARK_AT);
    }
    *colon = '\0';
    status = hitop_text_size(colon + 1, &at.bytes, diag);
    if (status == HITOP_OK) {
        status = find_kind(r, word, &at.kind, diag);
    }
    if (status == HITOP_OK) {
        add_kind(r, at.kind);
        r->at[r->nat++] = at;
    }
    return status;
}

enum hitop_status benchmark_implement_named(struct benchmark_request *r, struct hitop_diag *diag)
{
    char text[64];

    if (!r->algorithm || r->implementation_given || r->nimplementations > 1) {
        return HITOP_OK;
    }
    (void)snprintf(text, sizeof(text), "hitop/%s", r->algorithm);
    return benchmark_parse_implementation(text, &r->implementations[0], diag);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* journal_finding_json.c - findings as records of a journal. */
#include <config.h>

#include "models/journal/journal_finding_json.h"

#include "src/draft_json.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static const char *const names[HITOP_NFINDINGS] = {[HITOP_FOUND_EAGER] = "eager",
                                                   [HITOP_FOUND_SCATTER] = "scatter",
                                                   [HITOP_FOUND_GATHER] = "gather",
                                                   [HITOP_FOUND_ESCALATION] = "escalation"};

const char *hitop_finding_name(enum hitop_finding_kind kind)
{
    return names[kind];
}

/* One sample has no known interval. */
static int is_sound(const struct hitop_point *p)
{
    return p->bytes <= INT64_MAX && p->seconds >= 0 && p->seconds <= DBL_MAX && p->se >= 0 &&
           p->se <= DBL_MAX && p->lo <= DBL_MAX && p->hi >= -DBL_MAX && p->nsamples >= 0;
}

static json_t *bound_value(double bound)
{
    return isinf(bound) ? json_null() : json_real(bound);
}

/* An end of an interval; none is that of an endless one. */
static double read_bound(struct reader *r, const json_t *object, const char *key, double none)
{
    return json_is_null(json_object_get(object, key))
               ? none
               : hitop_reader_number(r, "$", object, key, -DBL_MAX, DBL_MAX);
}

enum hitop_status hitop_journal_check_finding(const struct hitop_finding *f,
                                              struct hitop_diag *diag)
{
    const int is_eager = f->kind == HITOP_FOUND_EAGER;

    if (is_eager ? f->link < 0 || !f->eager.is_found || f->eager.bytes > INT64_MAX ||
                       f->eager.ntests < 0 || !(f->eager.window >= 0 && f->eager.window <= DBL_MAX)
                 : !is_sound(&f->point)) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "journal: no finding '%s' has %zu bytes and %g seconds", names[f->kind],
                          is_eager ? f->eager.bytes : f->point.bytes,
                          is_eager ? f->eager.window : f->point.seconds);
    }
    return HITOP_OK;
}

json_t *hitop_journal_finding_value(const struct hitop_finding *f)
{
    struct draft draft = {.value = json_object()};
    const struct hitop_point *p = &f->point;

    draft_add(&draft, JOURNAL_FINDING, json_string(names[f->kind]));
    if (f->kind == HITOP_FOUND_EAGER) {
        draft_add(&draft, "link", json_integer(f->link));
        draft_add(&draft, "bytes", json_integer((json_int_t)f->eager.bytes));
        draft_add(&draft, "all", json_boolean(f->eager.is_max));
        draft_add(&draft, "tests", json_integer(f->eager.ntests));
        draft_add(&draft, "window", json_real(f->eager.window));
    } else {
        draft_add(&draft, "bytes", json_integer((json_int_t)p->bytes));
        draft_add(&draft, "seconds", json_real(p->seconds));
        draft_add(&draft, "se", json_real(p->se));
        draft_add(&draft, "lo", bound_value(p->lo));
        draft_add(&draft, "hi", bound_value(p->hi));
        draft_add(&draft, "n", json_integer(p->nsamples));
        draft_add(&draft, "converged", json_boolean(p->converged));
    }
    return draft_finish(&draft);
}

static enum hitop_finding_kind read_kind(struct reader *r, const json_t *object)
{
    const char *name = hitop_reader_string(r, "$", object, JOURNAL_FINDING);
    int kind = 0;

    while (r->status == HITOP_OK && kind < HITOP_NFINDINGS && strcmp(name, names[kind]) != 0) {
        kind++;
    }
    if (kind == HITOP_NFINDINGS) {
        hitop_reader_fail(r, "$." JOURNAL_FINDING, "'%.40s' is none of %s, %s, %s and %s", name,
                          names[0], names[1], names[2], names[3]);
        kind = 0;
    }
    return (enum hitop_finding_kind)kind;
}

void hitop_journal_read_finding(struct reader *r, json_t *object, struct hitop_finding *out)
{
    static const char *const of_eager[] = {JOURNAL_FINDING, "link",   "bytes",          "all",
                                           "tests",         "window", JOURNAL_CHECKSUM, NULL};
    static const char *const of_point[] = {
        JOURNAL_FINDING, "bytes",          "seconds", "se", "lo", "hi", "n",
        "converged",     JOURNAL_CHECKSUM, NULL};
    struct hitop_point *p = &out->point;

    *out = (struct hitop_finding){.kind = read_kind(r, object)};
    if (out->kind == HITOP_FOUND_EAGER) {
        hitop_reader_known(r, "$", object, of_eager);
        out->link = hitop_reader_int(r, "$", object, "link", 0, INT_MAX);
        out->eager.bytes = hitop_reader_size(r, "$", object, "bytes");
        out->eager.is_max = json_is_true(hitop_reader_member(r, "$", object, "all", JSON_TRUE));
        out->eager.is_found = 1;
        out->eager.ntests = hitop_reader_int(r, "$", object, "tests", 0, INT_MAX);
        out->eager.window = hitop_reader_number(r, "$", object, "window", 0, DBL_MAX);
    } else {
        hitop_reader_known(r, "$", object, of_point);
        p->bytes = hitop_reader_size(r, "$", object, "bytes");
        p->seconds = hitop_reader_number(r, "$", object, "seconds", 0, DBL_MAX);
        p->se = hitop_reader_number(r, "$", object, "se", 0, DBL_MAX);
        p->lo = read_bound(r, object, "lo", -INFINITY);
        p->hi = read_bound(r, object, "hi", INFINITY);
        p->nsamples = hitop_reader_int(r, "$", object, "n", 0, INT_MAX);
        p->converged = json_is_true(hitop_reader_member(r, "$", object, "converged", JSON_TRUE));
    }
}

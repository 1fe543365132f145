/* SPDX-License-Identifier: BSD-3-Clause */
/* facts.c - compare and merge the facts of several launches: provenance and cache line times. */
#include <config.h>

#include "hitop/text.h"
#include "models/clock/line_hop.h"
#include "models/fit/estimate.h"
#include "models/results/merge_impl.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Facts that may differ between launches of one set-up; all others define the set-up. */
static const char *const of_a_launch[] = {"command",
                                          "date",
                                          "seed",
                                          "clock_residual_us",
                                          "note",
                                          "line_hop_first_ns",
                                          "line_hop_last_ns",
                                          "normalised_time_us",
                                          "normalised_times"};

static int is_of_a_launch(const char *key)
{
    for (size_t i = 0; i < sizeof(of_a_launch) / sizeof(of_a_launch[0]); i++) {
        if (strcmp(of_a_launch[i], key) == 0) {
            return 1;
        }
    }
    return 0;
}

static enum hitop_status compare_fact(const char *key, const char *value, const char *name,
                                      const char *other, const char *other_name,
                                      struct hitop_diag *diag)
{
    if (strcmp(key, "timing") == 0) { /* the first files do not name the default */
        value = value ? value : "window";
        other = other ? other : "window";
    }
    if (is_of_a_launch(key) || (value && other && strcmp(value, other) == 0)) {
        return HITOP_OK;
    }
    return hitop_fail(diag, HITOP_ERR_FORMAT,
                      "%s: %.40s is '%.60s', in %s it is '%.60s': not launches of one set-up", name,
                      key, value ? value : "", other_name, other ? other : "");
}

enum hitop_status hitop_results_compare_facts(const struct results *r, const char *name,
                                              const struct results *other, const char *other_name,
                                              struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    for (int i = 0; i < r->nfacts && status == HITOP_OK; i++) {
        const char *key = r->facts[i].key;
        status = compare_fact(key, r->facts[i].value, name, hitop_results_fact(other, key),
                              other_name, diag);
    }
    for (int i = 0; i < other->nfacts && status == HITOP_OK; i++) {
        const char *key = other->facts[i].key;
        status = compare_fact(key, hitop_results_fact(r, key), name, other->facts[i].value,
                              other_name, diag);
    }
    return status;
}

/* Add a fact. Takes ownership of value; NULL is HITOP_ERR_NOMEM. */
static enum hitop_status add_fact(struct results *r, const char *key, char *value,
                                  struct hitop_diag *diag)
{
    struct results_fact *fact = &r->facts[r->nfacts];

    *fact = (struct results_fact){strdup(key), value};
    if (!fact->key || !fact->value) {
        free(fact->key);
        free(fact->value);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "launches: out of memory");
    }
    r->nfacts++;
    return HITOP_OK;
}

/*
 * List the different values of a fact; the text is for free(). Of commands it has only the first,
 * because the others differ in names of files. Without a key it lists the names of the launches:
 * "3: a.json, b.json, c.json".
 */
static char *list_values(const struct results *r, const struct results_input *in, const char *key)
{
    char *text = NULL;
    size_t length;
    FILE *memory = open_memstream(&text, &length);

    if (memory && !key) {
        fprintf(memory, "%d: ", r->nlaunches);
    }
    for (int i = 0; memory && i < r->nlaunches; i++) {
        const char *value = key ? hitop_results_fact(r->launches[i], key) : in[i].name;
        int is_new = value != NULL;
        for (int k = 0; key && k < i && is_new; k++) {
            const char *before = hitop_results_fact(r->launches[k], key);
            is_new = !before || strcmp(before, value) != 0;
        }
        if (is_new && i > 0 && key && strcmp(key, "command") == 0) {
            fputs(" (of the first launch)", memory);
            break;
        }
        if (is_new) {
            fprintf(memory, "%s%s", i > 0 ? ", " : "", value);
        }
    }
    if (memory && fclose(memory) != 0) {
        free(text);
        text = NULL;
    }
    return text;
}

enum hitop_status hitop_results_merge_facts(struct results *r, const struct results_input *in,
                                            struct hitop_diag *diag)
{
    const struct results *first = r->launches[0];
    enum hitop_status status;

    r->facts = calloc((size_t)first->nfacts + 1, sizeof(*r->facts));
    if (!r->facts) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "launches: out of memory");
    }
    status = add_fact(r, "launches", list_values(r, in, NULL), diag);
    for (int i = 0; i < first->nfacts && status == HITOP_OK; i++) {
        const char *key = first->facts[i].key;
        status = add_fact(r, key, list_values(r, in, key), diag);
    }
    return status;
}

double hitop_results_normalised(const struct results *r)
{
    double seconds[RESULTS_MAX_LAUNCHES], us;
    int n = 0;

    for (int i = 0; i < r->nlaunches; i++) {
        const char *text =
            hitop_results_fact(r->launches ? r->launches[i] : r, "normalised_time_us");
        if (text && hitop_text_double(text, 0, HUGE_VAL, &us, NULL) == HITOP_OK && us > 0) {
            seconds[n++] = 1e-6 * us;
        }
    }
    return n > 0 ? hitop_median_of(seconds, n) : NAN;
}

/* Comparison of cache line times, which depend on the distance of the processors of two ranks. */

/* The time of a cache line in ns; NaN: not reported. */
static double hop_of(const struct results *launch, const char *key)
{
    const char *text = hitop_results_fact(launch, key);
    double hop;

    return text && hitop_text_double(text, 0, HUGE_VAL, &hop, NULL) == HITOP_OK ? hop : NAN;
}

/* The smallest and the largest time of all launches, and the names of these launches. */
struct extremes {
    double least, most;
    const char *least_in, *most_in;
};

static void look_at(struct extremes *e, double least, double most, const char *name)
{
    if (least > 0 && least < e->least) {
        e->least = least;
        e->least_in = name;
    }
    if (most > e->most) {
        e->most = most;
        e->most_in = name;
    }
}

enum hitop_status hitop_results_compare_hops(struct results *r, const struct results_input *in,
                                             struct hitop_diag *diag)
{
    struct extremes e = {.least = HUGE_VAL};
    char curves[80] = "";
    int nother = 0;

    for (int i = 0; i < r->nlaunches; i++) {
        const struct results *launch = r->launches[i];
        const double first = hop_of(launch, "line_hop_first_ns");
        const double last = hop_of(launch, "line_hop_last_ns");
        look_at(&e, fmin(first, last), fmax(first, last), in[i].name);
        for (int k = 0; k < launch->ncurves; k++) {
            look_at(&e, launch->curves[k].hop_least, launch->curves[k].hop_most, in[i].name);
        }
    }
    if (!(e.most > LINE_HOP_OTHER * e.least)) {
        return HITOP_OK;
    }
    for (int k = 0; k < r->ncurves; k++) {
        nother += r->curves[k].hop_most > LINE_HOP_OTHER * r->curves[k].hop_least;
    }
    if (nother > 0) {
        (void)snprintf(curves, sizeof(curves), ", which changed during %d of %d curves or between",
                       nother, r->ncurves);
    }
    if (e.least_in == e.most_in) {
        return hitop_results_warn(
            r, diag,
            LINE_HOP_WARNING
            "%.6g ns from rank to rank at one time and %.6g ns at another, both in "
            "%.200s%s: " LINE_HOP_MEANING " within a launch or from one to another",
            e.least, e.most, e.most_in, curves);
    }
    return hitop_results_warn(r, diag,
                              LINE_HOP_WARNING
                              "%.6g ns from rank to rank at one time in %.200s, and %.6g "
                              "ns in %.200s%s: " LINE_HOP_MEANING " from launch to launch",
                              e.least, e.least_in, e.most, e.most_in, curves);
}

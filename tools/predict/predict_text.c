/* SPDX-License-Identifier: BSD-3-Clause */
/* predict_text.c - predictions as tables, for people as text, for programs as CSV. */
#include <config.h>

#include "tools/common/notes.h"
#include "tools/predict/predict.h"

#include "hitop/input.h"
#include "hitop/sys/model.h"

#include <math.h>

static void print_title(const struct predict_request *r, FILE *out)
{
    fprintf(out, "# %s", r->operation);
    if (predict_is_p2p(r)) {
        fprintf(out, " from rank %d to rank %d", r->root, r->to);
    } else {
        fprintf(out, " on %d ranks from root %d", r->ranks, r->root);
        if (r->segment > 0) {
            fprintf(out, " in segments of %.0f B", r->segment);
        }
    }
    fprintf(out, "; model %s of %d ranks\n", hitop_model_type_of(r->model)->name,
            hitop_model_nranks(r->model));
    if (!predict_is_p2p(r)) {
        capacity_note(out, "# ", r->model);
    }
}

static void print_entry(const struct predict_request *r, const struct predict_entry *e, FILE *out)
{
    char params[HITOP_CHOICE_TEXT] = "";

    fprintf(out, "%10zu  %-18s ", e->bytes, e->algorithm);
    if (isnan(e->seconds)) {
        fprintf(out, "%14s", "-");
    } else {
        fprintf(out, "%14.3f", e->seconds * 1e6);
    }
    if (r->kind == PREDICT_RANKING) {
        fprintf(out, "  %10.3f%s", e->relative, e->fastest ? " <- fastest" : "");
    }
    if (e->choice.algorithm.type) {
        hitop_choice_format(&e->choice, params, sizeof(params));
    }
    fprintf(out, "%s%s", params[0] ? "  " : "", params);
    if (r->kind == PREDICT_AUTO && r->rules && e->line > 0) {
        fprintf(out, "  <- %s, line %d", hitop_input_name(r->rules_path), e->line);
    } else if (r->kind == PREDICT_AUTO) {
        fprintf(out, "  <- prediction");
    }
    fprintf(out, "\n");
}

/* Whether an answer is among those that a ranking shows; they are by size, the fastest first. */
static int is_shown(const struct predict_report *report, size_t i)
{
    const struct predict_request *r = report->request;

    return r->kind != PREDICT_RANKING || r->shows_all || i < PREDICT_SHOWN ||
           report->entries[i - PREDICT_SHOWN].bytes != report->entries[i].bytes;
}

void predict_print_text(const struct predict_report *report, FILE *out)
{
    const struct predict_request *r = report->request;
    size_t hidden = 0;

    print_title(r, out);
    if (predict_is_p2p(r)) {
        fprintf(out, "%10s %14s\n", "size_B", "time_us");
    } else {
        fprintf(out, "%10s  %-18s %14s%s\n", "size_B", "algorithm", "time_us",
                r->kind == PREDICT_RANKING ? "  vs_fastest" : "");
    }
    for (size_t i = 0; i < report->count; i++) {
        const struct predict_entry *e = &report->entries[i];
        if (predict_is_p2p(r)) {
            fprintf(out, "%10zu %14.3f\n", e->bytes, e->seconds * 1e6);
        } else if (!e->reason[0] && is_shown(report, i)) {
            print_entry(r, e, out);
        } else if (!e->reason[0]) {
            hidden++;
        }
    }
    if (hidden > 0) {
        fprintf(out, "# the %d fastest of each size; --all prints %zu more lines\n", PREDICT_SHOWN,
                hidden);
    }
}

static void print_csv_entry(const struct predict_request *r, const struct predict_entry *e,
                            FILE *out)
{
    char params[HITOP_CHOICE_TEXT] = "";

    fprintf(out, "%s,%d,%d,%.0f,%zu,%s,", r->operation, r->ranks, r->root, r->segment, e->bytes,
            e->algorithm);
    if (!isnan(e->seconds)) {
        fprintf(out, "%.6f", e->seconds * 1e6);
    }
    if (r->kind == PREDICT_RANKING) {
        fprintf(out, ",%.6f,%d,", e->relative, e->fastest);
    } else {
        fprintf(out, ",,,"); /* nothing to compare with */
    }
    if (e->choice.algorithm.type) {
        hitop_choice_format(&e->choice, params, sizeof(params));
    }
    fprintf(out, "%s,", params);
    if (e->line > 0) {
        fprintf(out, "%d", e->line);
    }
    fprintf(out, "\n");
}

void predict_print_csv(const struct predict_report *report, FILE *out)
{
    const struct predict_request *r = report->request;

    if (predict_is_p2p(r)) {
        fprintf(out, "operation,from,to,size_B,time_us\n");
    } else {
        fprintf(out, "operation,ranks,root,segment_B,size_B,algorithm,time_us,vs_fastest,fastest,"
                     "parameters,rule_line\n");
    }
    for (size_t i = 0; i < report->count; i++) {
        const struct predict_entry *e = &report->entries[i];
        if (predict_is_p2p(r)) {
            fprintf(out, "%s,%d,%d,%zu,%.6f\n", r->operation, r->root, r->to, e->bytes,
                    e->seconds * 1e6);
        } else if (!e->reason[0]) {
            print_csv_entry(r, e, out);
        }
    }
}

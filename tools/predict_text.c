/* SPDX-License-Identifier: BSD-3-Clause */
/* predict_text.c - predictions as tables, for people as text, for programs as CSV. */
#include <config.h>

#include "predict.h"

#include "hitop/sys/model.h"

static int is_ranked(const struct predict_report *report)
{
    return !predict_is_p2p(report->request) && !report->request->algorithm;
}

static void print_title(const struct predict_request *r, FILE *out)
{
    fprintf(out, "# %s", r->operation);
    if (predict_is_p2p(r)) {
        fprintf(out, " from rank %d to rank %d", r->root, r->to);
    } else {
        fprintf(out, " on %d ranks from root %d", r->ranks, r->root);
        if (r->segment > 0) {
            fprintf(out, " in segments of %.0f B", r->segment);
        } else {
            fprintf(out, ", messages whole");
        }
    }
    fprintf(out, "; model %s of %d ranks\n", hitop_model_type_of(r->model)->name,
            hitop_model_nranks(r->model));
}

void predict_print_text(const struct predict_report *report, FILE *out)
{
    const struct predict_request *r = report->request;
    const int ranked = is_ranked(report);

    print_title(r, out);
    if (predict_is_p2p(r)) {
        fprintf(out, "%10s %14s\n", "size_B", "time_us");
    } else {
        fprintf(out, "%10s  %-16s %14s%s\n", "size_B", "algorithm", "time_us",
                ranked ? "  vs_fastest" : "");
    }
    for (size_t i = 0; i < report->count; i++) {
        const struct predict_entry *e = &report->entries[i];
        if (predict_is_p2p(r)) {
            fprintf(out, "%10zu %14.3f\n", e->bytes, e->seconds * 1e6);
        } else if (ranked) {
            fprintf(out, "%10zu  %-16s %14.3f  %10.3f%s\n", e->bytes, e->algorithm,
                    e->seconds * 1e6, e->relative, e->fastest ? " <- fastest" : "");
        } else {
            fprintf(out, "%10zu  %-16s %14.3f\n", e->bytes, e->algorithm, e->seconds * 1e6);
        }
    }
}

void predict_print_csv(const struct predict_report *report, FILE *out)
{
    const struct predict_request *r = report->request;

    if (predict_is_p2p(r)) {
        fprintf(out, "operation,from,to,size_B,time_us\n");
    } else {
        fprintf(out,
                "operation,ranks,root,segment_B,size_B,algorithm,time_us,vs_fastest,fastest\n");
    }
    for (size_t i = 0; i < report->count; i++) {
        const struct predict_entry *e = &report->entries[i];
        if (predict_is_p2p(r)) {
            fprintf(out, "%s,%d,%d,%zu,%.6f\n", r->operation, r->root, r->to, e->bytes,
                    e->seconds * 1e6);
            continue;
        }
        fprintf(out, "%s,%d,%d,%.0f,%zu,%s,%.6f,", r->operation, r->ranks, r->root, r->segment,
                e->bytes, e->algorithm, e->seconds * 1e6);
        if (is_ranked(report)) {
            fprintf(out, "%.6f,%d\n", e->relative, e->fastest);
        } else {
            fprintf(out, ",\n"); /* nothing to compare with */
        }
    }
}

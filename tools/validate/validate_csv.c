/* SPDX-License-Identifier: BSD-3-Clause */
/* validate_csv.c - write all times of a comparison for other programs. */
#include <config.h>

#include "tools/validate/validate.h"

#include "src/field_csv.h"

/* Write a cell with a time in us; empty without a time. */
static void put_us(FILE *out, double seconds)
{
    if (seconds > 0) {
        fprintf(out, "%.6g", 1e6 * seconds);
    }
    putc(',', out);
}

static void print_sample(const struct validate_sample *s, FILE *out)
{
    const int is_measured = s->seconds > 0;
    const double times[] = {
        s->predicted, s->seconds, is_measured ? s->lo : 0, is_measured ? s->hi : 0,
        s->again[0],  s->again[1]};

    fprintf(out, "%s,", hitop_validate_part_name(s->part));
    hitop_csv_put_text(out, s->level);
    putc(',', out);
    hitop_csv_put_text(out, s->name);
    if (s->part == VALIDATE_PAIRS) {
        fprintf(out, ",%d,%d,%d,%zu,", s->rank[0], s->rank[1], s->is_known, s->bytes);
    } else {
        fprintf(out, ",,,,%zu,", s->bytes);
    }
    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
        put_us(out, times[i]);
    }
    fprintf(out, "%d,%d,", s->nsamples, s->converged);
    if (is_measured) {
        fprintf(out, "%.4g", 100 * hitop_validate_deviation(s));
    }
    putc('\n', out);
}

void validate_print_csv(const struct validate_report *r, FILE *out)
{
    fputs("kind,name,group,rank_a,rank_b,known,size_B,predicted_us,measured_us,lo_us,hi_us,first_"
          "us,second_us,samples,converged,error_percent\n",
          out);
    for (int i = 0; i < r->nsamples; i++) {
        print_sample(&r->samples[i], out);
    }
}

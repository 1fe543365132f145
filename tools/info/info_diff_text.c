/* SPDX-License-Identifier: BSD-3-Clause */
/* info_diff_text.c - the differences of two models as a table for people, or as CSV. */
#include <config.h>

#include "tools/info/diff.h"

#include "src/field_csv.h"

#include <math.h>
#include <string.h>

/* Rounding errors are no differences. */
static double percent(double difference)
{
    const double value = 100 * expm1(difference);

    return fabs(value) < 1e-9 ? 0 : value;
}

static void put_models(FILE *to, const struct info_request *r)
{
    fprintf(to, "# A %s: %s; B %s: %s; %d ranks\n", r->path, hitop_model_type_of(r->model)->name,
            r->other_path, hitop_model_type_of(r->other)->name, hitop_model_nranks(r->model));
}

/* Ranks are matched by number, so it had better be the same machine. */
static void put_hosts(FILE *to, const struct info_request *r)
{
    const struct hitop_hierarchy *a = hitop_model_hierarchy(r->model);
    const struct hitop_hierarchy *b = hitop_model_hierarchy(r->other);

    for (int rank = 0; rank < hitop_hierarchy_nranks(a); rank++) {
        if (strcmp(hitop_hierarchy_host(a, rank), hitop_hierarchy_host(b, rank)) != 0) {
            fprintf(to, "# on other hosts: rank %d on %s, in B on %s\n", rank,
                    hitop_hierarchy_host(a, rank), hitop_hierarchy_host(b, rank));
            return;
        }
    }
}

static void put_choice(FILE *to, const struct diff *d)
{
    switch (d->pairs.choice) {
    case DIFF_CLASSES:
        fprintf(to, "# one hierarchy: its %zu classes\n", d->pairs.n);
        break;
    case DIFF_ALL_PAIRS:
        fprintf(to, "# all %zu pairs of ranks\n", d->pairs.n);
        break;
    case DIFF_RANDOM_PAIRS:
        fprintf(to, "# %zu random pairs of ranks, as many of each level; seed %d\n", d->pairs.n,
                d->request->seed);
        break;
    }
}

/* "1.5", or "-" where it is not known. */
static const char *width(double relative, char out[16])
{
    (void)snprintf(out, 16, "%.2g", 100 * relative);
    return isnan(relative) ? "-" : out;
}

static void put_rows(FILE *to, const struct diff *d)
{
    fprintf(to, "%-10s %10s %9s %9s %9s %9s %9s %9s  %-15s %12s %8s %12s %8s\n", "level", "size_B",
            "compared", "different", "median_%", "q90_%", "worst_%", "bias_%", "worst ranks",
            "A_us", "+-_%", "B_us", "+-_%");
    for (size_t i = 0; i < d->nrows; i++) {
        const struct diff_row *row = &d->row[i];
        char ranks[32], a[16], b[16];
        (void)snprintf(ranks, sizeof(ranks), "%d-%d", row->pair[0], row->pair[1]);
        fprintf(to, "%-10s %10zu %9zu %9zu %9.3g %9.3g %9.3g %+9.3g  %-15s %12.5g %8s %12.5g %8s\n",
                info_shown(d->levels.level[row->level].name), row->bytes, row->npairs,
                row->ndifferent, percent(row->median), percent(row->q90), percent(row->worst),
                percent(row->bias), ranks, row->seconds[0] * 1e6, width(row->width[0], a),
                row->seconds[1] * 1e6, width(row->width[1], b));
    }
}

static void put_collectives(FILE *to, const struct diff *d)
{
    if (d->ncollectives > 0) {
        fprintf(to,
                "# predicted collectives of all ranks, each model's fastest algorithm\n"
                "%-10s %10s %12s %12s %9s\n",
                "operation", "size_B", "A_us", "B_us", "change_%");
    }
    for (int i = 0; i < d->ncollectives; i++) {
        const struct diff_collective *c = &d->collective[i];
        fprintf(to, "%-10s %10zu %12.5g %12.5g %+9.3g\n", c->operation, c->bytes,
                c->seconds[0] * 1e6, c->seconds[1] * 1e6,
                percent(log(c->seconds[1] / c->seconds[0])));
    }
}

void diff_write_text(const struct diff *d, FILE *to)
{
    put_models(to, d->request);
    put_hosts(to, d->request);
    put_choice(to, d);
    put_rows(to, d);
    put_collectives(to, d);
    if (d->is_same) {
        fprintf(to,
                "# the same within %g %% and the intervals: the largest difference is %.3g %%\n",
                100 * d->request->tolerance, percent(d->worst));
    } else {
        fprintf(
            to,
            "# not the same within %g %% and the intervals: the largest difference beyond them is "
            "%.3g %%\n",
            100 * d->request->tolerance, percent(d->worst));
    }
}

void diff_write_csv(const struct diff *d, FILE *to)
{
    fputs("level,size_B,compared,median,q90,worst,bias,rank_i,rank_j,a_s,b_s,a_pm,b_pm,different\n",
          to);
    for (size_t i = 0; i < d->nrows; i++) {
        const struct diff_row *row = &d->row[i];
        const double differences[] = {row->median, row->q90, row->worst, row->bias};
        hitop_csv_put_text(to, d->levels.level[row->level].name);
        fprintf(to, ",%zu,%zu,", row->bytes, row->npairs);
        for (size_t k = 0; k < sizeof(differences) / sizeof(differences[0]); k++) {
            fprintf(to, "%.6g,", expm1(differences[k]));
        }
        fprintf(to, "%d,%d,", row->pair[0], row->pair[1]);
        hitop_csv_put_number(to, row->seconds[0]);
        putc(',', to);
        hitop_csv_put_number(to, row->seconds[1]);
        for (int m = 0; m < 2; m++) {
            putc(',', to);
            if (!isnan(row->width[m])) {
                fprintf(to, "%.6g", row->width[m]);
            }
        }
        fprintf(to, ",%zu\n", row->ndifferent);
    }
}

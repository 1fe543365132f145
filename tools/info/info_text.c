/* SPDX-License-Identifier: BSD-3-Clause */
/* info_text.c - write the summary of a model: its provenance, and ranges by level. */
#include <config.h>

#include "tools/common/notes.h"
#include "tools/info/info.h"

#include "models/model/figures.h"

#include "hitop/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int count_hosts(const struct hitop_hierarchy *h)
{
    int n = 0;

    for (int rank = 0; rank < hitop_hierarchy_nranks(h); rank++) {
        n += hitop_hierarchy_rank_on_host(h, hitop_hierarchy_host(h, rank)) == rank;
    }
    return n;
}

static void put_line(FILE *to, const char *key, const char *text)
{
    if (text && text[0]) {
        fprintf(to, "%-11s %s\n", key, text);
    }
}

static void put_provenance(FILE *to, const struct hitop_provenance *p)
{
    put_line(to, "tool", p->tool);
    put_line(to, "command", p->command);
    put_line(to, "transport", p->transport);
    put_line(to, "cache", p->cache);
    put_line(to, "MPI", p->mpi_library);
    put_line(to, "date", p->date);
    fprintf(to, "%-11s %llu\n", "seed", p->seed);
    if (p->confidence > 0) {
        fprintf(to, "%-11s %g %%\n", "confidence", 100 * p->confidence);
    }
}

static int count_measured(const struct hitop_model *model)
{
    int n = 0;

    for (int i = 0; i < hitop_model_nclasses(model); i++) {
        n += hitop_model_class(model, i)->pair[0] != HITOP_NO_RANK;
    }
    return n;
}

static void put_head(FILE *to, const struct info_request *request)
{
    const struct hitop_model *model = request->model;
    const struct hitop_model_type *type = hitop_model_type_of(model);
    const int nhosts = count_hosts(hitop_model_hierarchy(model));

    fprintf(to, "%-11s %s; %s; one-way times\n", "model", type->name, type->summary);
    fprintf(to, "%-11s %d on %d host%s\n", "ranks", hitop_model_nranks(model), nhosts,
            nhosts == 1 ? "" : "s");
    fprintf(to, "%-11s %d of links, %d of them measured", "classes", hitop_model_nclasses(model),
            count_measured(model));
    if (hitop_model_nprocessors(model) > 0) {
        fprintf(to, "; %d of processors", hitop_model_nprocessors(model));
    }
    putc('\n', to);
    put_provenance(to, hitop_model_provenance(model));
    info_write_measurement(request, to);
}

struct range {
    double lo, hi;
};

static void extend(struct range *range, double value, int is_first)
{
    range->lo = is_first || value < range->lo ? value : range->lo;
    range->hi = is_first || value > range->hi ? value : range->hi;
}

/* Summary of the classes and groups of a level. */
struct level_summary {
    int nclasses, unsettled, measured;
    long long samples;
    struct range latency, bandwidth;
    double widest, residual;
    int neager; /* classes with a known eager size */
    struct range eager;
    int nlimited; /* groups with a capacity */
    struct range capacity;
    int nunlimited; /* groups with unlimited capacity */
    struct range tried;
};

static void add_class(struct level_summary *s, const struct hitop_model *model,
                      const struct hitop_class *c, size_t bytes)
{
    int pair[2];
    size_t param;

    hitop_model_class_pair(model, c, pair);
    extend(&s->latency, hitop_model_p2p(model, pair[0], pair[1], 0), s->nclasses == 0);
    extend(&s->bandwidth, hitop_model_bandwidth(model, pair[0], pair[1], bytes), s->nclasses == 0);
    s->nclasses++;
    s->unsettled += !c->converged || c->nunlike > 0;
    s->measured += hitop_class_is_measured(c);
    s->samples += c->nsamples;
    s->widest = fmax(s->widest, info_widest(hitop_model_type_of(model), c, &param));
    s->residual = fmax(s->residual, c->residual);
    if (c->has_eager) {
        extend(&s->eager, c->eager == HITOP_ALL_SIZES ? INFINITY : (double)c->eager,
               s->neager++ == 0);
    }
}

static void add_capacity(struct level_summary *s, const struct hitop_hierarchy *h, int group)
{
    const double capacity = hitop_hierarchy_capacity(h, group);

    if (isinf(capacity)) {
        const char *tried = hitop_hierarchy_attr(h, group, "capacity_tried");
        extend(&s->tried, tried ? atof(tried) : INFINITY, s->nunlimited++ == 0);
    } else if (capacity > 0) {
        extend(&s->capacity, capacity, s->nlimited++ == 0);
    }
}

/* Four significant digits, or all digits of numbers from 10000 to below 1e8. */
static void print_figure(char out[32], double value)
{
    (void)snprintf(out, 32, value >= 9999.5 && value < 1e8 ? "%.0f" : "%.4g", value);
}

/* Print one number if both ends look the same, else lo..hi. */
static void put_range(FILE *to, int width, const struct range *range, double unit)
{
    char lo[32], hi[32], text[72];

    print_figure(lo, range->lo / unit);
    print_figure(hi, range->hi / unit);
    if (strcmp(lo, hi) == 0) {
        (void)snprintf(text, sizeof(text), "%s", lo);
    } else {
        (void)snprintf(text, sizeof(text), "%s..%s", lo, hi);
    }
    fprintf(to, " %*s", width, text);
}

static void put_levels(FILE *to, const struct info_levels *levels, const struct level_summary *s,
                       size_t bytes)
{
    char size[32];

    hitop_text_format_size(bytes, size, sizeof(size));
    fprintf(to, "\n%-10s %7s %8s %18s %18s %9s %8s %10s %9s\n", "level", "groups", "classes",
            "latency_us", "bandwidth_MBps", "samples", "+-_%", "residual_%", "unsettled");
    for (int i = 0; i < levels->n; i++) {
        if (s[i].nclasses == 0) {
            continue; /* no two ranks meet there */
        }
        fprintf(to, "%-10s %7d %8d", info_shown(levels->level[i].name), levels->level[i].ngroups,
                s[i].nclasses);
        put_range(to, 18, &s[i].latency, 1e-6);
        put_range(to, 18, &s[i].bandwidth, 1e6);
        if (s[i].measured) {
            fprintf(to, " %9lld", s[i].samples);
            info_put_width(to, 9, s[i].widest);
            fprintf(to, " %10.2g %9d\n", 100 * s[i].residual, s[i].unsettled);
        } else {
            fprintf(to, " %9s %8s %10s %9s  not measured\n", "-", "-", "-", "-");
        }
    }
    fprintf(to, "bandwidth: of the second half of a message of %s\n", size);
}

/* Print the largest eager messages, where they are known. */
static void put_eager(FILE *to, const struct info_levels *levels, const struct level_summary *s)
{
    for (int i = 0; i < levels->n; i++) {
        if (s[i].neager > 0) {
            fprintf(to, "eager on level %s:", info_shown(levels->level[i].name));
            put_range(to, 0, &s[i].eager, 1);
            fputs(isinf(s[i].eager.hi) ? " B, inf: all sizes that were tried\n" : " B\n", to);
        }
    }
}

/* Print the numbers of concurrent messages that links into and out of groups sustain. */
static void put_capacity(FILE *to, const struct info_levels *levels, const struct level_summary *s,
                         const struct hitop_model *model)
{
    for (int i = 0; i < levels->n; i++) {
        if (s[i].nlimited > 0) {
            fprintf(to, "capacity on level %s:", info_shown(levels->level[i].name));
            put_range(to, 0, &s[i].capacity, 1);
            fprintf(to, " messages at once, %d of %d groups\n", s[i].nlimited,
                    levels->level[i].ngroups);
        }
        if (s[i].nunlimited > 0) {
            fprintf(to, "capacity on level %s: unlimited, %d of %d groups",
                    info_shown(levels->level[i].name), s[i].nunlimited, levels->level[i].ngroups);
            if (!isinf(s[i].tried.hi)) {
                fputs("; messages at once that were tried:", to);
                put_range(to, 0, &s[i].tried, 1);
            }
            fputc('\n', to);
        }
    }
    capacity_note(to, "", model);
}

static void put_collective(FILE *to, const struct hitop_model *model)
{
    const struct hitop_model_type *type = hitop_model_type_of(model);
    const double *value = hitop_model_collective(model);

    for (size_t p = 0; value && p < type->ncollective_params; p++) {
        const struct hitop_param *param = &type->collective_params[p];
        if (!isnan(value[p])) {
            fprintf(to, "%s of collectives: %.6g %s, %s\n", param->name, value[p], param->unit,
                    param->help);
        }
    }
}

static void put_processors(FILE *to, const struct hitop_model *model)
{
    const struct hitop_model_type *type = hitop_model_type_of(model);
    const int n = hitop_model_nprocessors(model);

    for (size_t p = 0; n > 0 && p < type->nprocessor_params; p++) {
        const struct hitop_param *param = &type->processor_params[p];
        struct range range = {0};
        for (int i = 0; i < n; i++) {
            extend(&range, hitop_model_processor(model, i)->params[p], i == 0);
        }
        fprintf(to, "%s%s of processors: %.4g..%.4g %s, %s\n", p == 0 ? "\n" : "", param->name,
                range.lo, range.hi, param->unit, param->help);
    }
}

enum hitop_status info_write_text(const struct info_request *request, FILE *to,
                                  struct hitop_diag *diag)
{
    const struct hitop_model *model = request->model;
    const struct hitop_hierarchy *h = hitop_model_hierarchy(model);
    const int nranks = hitop_hierarchy_nranks(h);
    struct level_summary *summary = NULL;
    struct info_levels levels;
    enum hitop_status status = info_levels_fill(&levels, h, diag);

    if (status == HITOP_OK && !(summary = calloc((size_t)levels.n, sizeof(*summary)))) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "%d levels: out of memory", levels.n);
    }
    if (status == HITOP_OK) {
        for (int i = 0; i < hitop_model_nclasses(model); i++) {
            const struct hitop_class *c = hitop_model_class(model, i);
            add_class(&summary[levels.of_group[c->node - nranks]], model, c, request->sizes.max);
        }
        for (int group = nranks; group < hitop_hierarchy_nnodes(h); group++) {
            add_capacity(&summary[levels.of_group[group - nranks]], h, group);
        }
        put_head(to, request);
        if (hitop_model_nclasses(model) > 0) {
            put_levels(to, &levels, summary, request->sizes.max);
            put_eager(to, &levels, summary);
        }
        put_capacity(to, &levels, summary, model);
        synchronous_note(to, model);
        fputs(unlike_note(to, model) > 0 ? "\n" : "", to);
        put_processors(to, model);
        put_collective(to, model);
        status = info_write_verified(request, to, diag);
    }
    if (status == HITOP_OK) {
        status = info_write_worst(request, to, diag);
    }
    free(summary);
    info_levels_clear(&levels);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * format_loggopsim.c - options of LogGOPSim for each level of the machine.
 *
 * Formula: o is the mean of both overheads, 0 if the model does not separate them; L = T(1) - 2 o;
 *          g is the time for which an empty message occupies its sender; G is the slope of T
 *          between 64 KiB and 1 MiB; S is the largest eager message.
 * Units:   LogGOPSim takes whole nanoseconds. Where G would be rounded by more than a few per cent,
 *          all times are multiplied by a power of ten, and a line says so.
 * Use:     LogGOPSim -f SCHEDULE.bin $(grep -v '^#' FILE)
 * Source:  T. Hoefler, T. Schneider and A. Lumsdaine, LogGOPSim: simulating large-scale
 *          applications in the LogGOPS model, LSAP (2010).
 */
#include <config.h>

#include "tools/export/export.h"

#include "hitop/sys/model.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* Times in seconds. */
struct loggops {
    double L, o, g, G;
    size_t S;
};

/* A parameter of a link by its name; 0 if the formula has no such parameter. */
static double param_of(const struct hitop_model *model, const struct hitop_class *c,
                       const char *name)
{
    const struct hitop_model_type *type = hitop_model_type_of(model);

    for (size_t i = 0; i < type->nparams; i++) {
        if (strcmp(type->params[i].name, name) == 0) {
            return c->params[i];
        }
    }
    return 0;
}

static struct loggops loggops_of(const struct hitop_model *model, int a, int b)
{
    static const size_t low = 64 << 10, high = 1 << 20;
    const struct hitop_class *c = hitop_model_class_of(model, a, b);
    const double one = hitop_model_p2p(model, a, b, 1);
    struct loggops p = {.S = 65535};

    p.o = fmin((param_of(model, c, "os") + param_of(model, c, "or")) / 2, one / 2);
    p.L = one - 2 * p.o;
    p.g = hitop_model_occupancy(model, a, b, 0);
    p.G = fmax(0, (hitop_model_p2p(model, a, b, high) - hitop_model_p2p(model, a, b, low)) /
                      (double)(high - low));
    if (c->has_eager) {
        p.S = c->eager < INT_MAX ? c->eager : INT_MAX;
    }
    return p;
}

/* The slowest link of a group: that with the largest time of 64 KiB. */
static void find_slowest(const struct hitop_model *model, int node, int *a, int *b)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(model);
    double worst = -1;
    int count;
    const int *member = hitop_hierarchy_children(h, node, &count);

    for (int i = 0; i < count; i++) {
        for (int j = i + 1; j < count; j++) {
            const int x = hitop_hierarchy_first_rank(h, member[i]);
            const int y = hitop_hierarchy_first_rank(h, member[j]);
            const double seconds = hitop_model_p2p(model, x, y, 65536);
            if (seconds > worst) {
                worst = seconds;
                *a = x;
                *b = y;
            }
        }
    }
}

/* A power of ten by which the smallest G has two digits. */
static double find_scale(const struct hitop_model *model)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(model);
    double smallest = INFINITY, scale = 1;

    for (int node = hitop_hierarchy_nranks(h); node < hitop_hierarchy_nnodes(h); node++) {
        int a = 0, b = 0, count;
        double gap;
        (void)hitop_hierarchy_children(h, node, &count);
        if (count > 1) {
            find_slowest(model, node, &a, &b);
            gap = 1e9 * loggops_of(model, a, b).G;
            smallest = gap > 0 ? fmin(smallest, gap) : smallest;
        }
    }
    while (smallest < INFINITY && smallest * scale < 10 && scale < 1e6) {
        scale *= 10;
    }
    return scale;
}

static void put_options(const struct loggops *p, double scale, FILE *to)
{
    const double unit = 1e9 * scale;

    fprintf(to, "-L %lld -o %lld -g %lld -G %lld -O 0 -S %zu\n", llround(unit * p->L),
            llround(unit * p->o), llround(unit * p->g), llround(unit * p->G), p->S);
}

/* A line for each level, from the root down; that of the root is the only one without '#'. */
static enum hitop_status write_loggopsim(const struct export_request *r, FILE *to,
                                         struct hitop_diag *diag)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(r->model);
    const double scale = find_scale(r->model);
    int is_first = 1;

    if (hitop_model_nclasses(r->model) == 0) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "one rank sends no messages");
    }
    export_put_origin(r, "# ", "LogGOPSim -f SCHEDULE.bin $(grep -v '^#' FILE),", to);
    fprintf(to, "\n# Times are in units of %g ns%s.\n", 1 / scale,
            scale > 1 ? ": divide the results accordingly" : "");
    for (int node = hitop_hierarchy_root(h); node >= hitop_hierarchy_nranks(h); node--) {
        int count, a = 0, b = 0;
        const char *level = hitop_hierarchy_level(h, node);
        (void)hitop_hierarchy_children(h, node, &count);
        if (count < 2) {
            continue;
        }
        find_slowest(r->model, node, &a, &b);
        const struct loggops p = loggops_of(r->model, a, b);
        if (is_first) {
            fprintf(to, "# slowest link of the outermost group:\n");
        } else {
            fprintf(to, "# %s %s: ", level[0] ? level : "group", hitop_hierarchy_name(h, node));
        }
        put_options(&p, scale, to);
        is_first = 0;
    }
    return HITOP_OK;
}

const struct export_format hitop_format_loggopsim = {
    .name = "loggopsim",
    .summary = "options of LogGOPSim, for each level",
    .ending = "txt",
    .write = write_loggopsim,
};

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plot_matrix.c - heat maps of latency and bandwidth between hosts, or between ranks.
 *
 * Neighbours in the hierarchy stand beside each other, so that groups are squares on the diagonal.
 * Frames surround groups of more than one place, but not of all: at most 64, the outermost first.
 */
#include <config.h>

#include "tools/info/plot.h"

#include "models/model/figures.h"

#include "hitop/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SHOWN = 256, MAX_LABELS = 32, MAX_LABEL = 40, MAX_PIXELS = 64, MAX_FRAMES = 64 };

struct range {
    double lo, hi;
};

static void put_numbers(const struct plot *plot, const struct info_request *r,
                        const struct info_places *places, int is_bandwidth, struct range *range)
{
    *range = (struct range){INFINITY, 0};
    fprintf(plot->data, "# %s; -1: none\n", is_bandwidth ? "bandwidth in B/s" : "latency in s");
    for (int row = 0; row < places->n; row++) {
        for (int column = 0; column < places->n; column++) {
            int pair[2];
            const double value =
                !info_places_pair(places, row, column, pair) ? NAN
                : is_bandwidth ? hitop_model_bandwidth(r->model, pair[0], pair[1], r->sizes.max)
                               : hitop_model_p2p(r->model, pair[0], pair[1], 0);
            if (isfinite(value)) {
                fprintf(plot->data, "%.6g ", value);
                range->lo = fmin(range->lo, value);
                range->hi = fmax(range->hi, value);
            } else {
                fputs("-1 ", plot->data); /* gnuplot warns of NaN here */
            }
        }
        putc('\n', plot->data);
    }
    fputs("\n\n", plot->data);
    if (!(range->hi > 0)) { /* no finite value above 0 */
        *range = (struct range){0, 1};
    }
}

/* Keep MAX_SHOWN places, evenly spread, where there are more. */
static void thin_out(struct info_places *places)
{
    const int n = places->n;

    if (n <= MAX_SHOWN) {
        return;
    }
    for (int i = 0; i < MAX_SHOWN; i++) {
        places->place[i] = places->place[(long)i * (n - 1) / (MAX_SHOWN - 1)];
    }
    places->n = MAX_SHOWN;
}

/* The name of a host, or the number of a rank. */
static const char *name_of(const struct info_request *r, const struct info_places *places, int i,
                           char out[32])
{
    if (places->are_hosts) {
        return hitop_hierarchy_host(hitop_model_hierarchy(r->model), places->place[i].rank);
    }
    (void)snprintf(out, 32, "%d", places->place[i].rank);
    return out;
}

/* Pixels on the left of the first map, for its labels. */
static int label_width(const struct info_request *r, const struct info_places *places)
{
    size_t longest = 0;

    for (int i = 0; i < places->n && places->n <= MAX_LABELS; i++) {
        char rank[32];
        const size_t length = strlen(name_of(r, places, i, rank));
        longest = length > longest ? length : longest;
    }
    return 40 + 8 * (int)(longest < MAX_LABEL ? longest : MAX_LABEL);
}

static void put_labels(const struct plot *plot, const struct info_request *r,
                       const struct info_places *places)
{
    fputs("unset xtics\n", plot->script);
    if (places->n > MAX_LABELS) {
        fputs("unset ytics\n", plot->script);
        return;
    }
    fputs("set ytics (", plot->script);
    for (int i = 0; i < places->n; i++) {
        char rank[32];
        fputs(i > 0 ? ", " : "", plot->script);
        plot_quote(plot->script, name_of(r, places, i, rank));
        fprintf(plot->script, " %d", i);
    }
    fputs(") scale 0\n", plot->script);
}

/* The places of a group, which follow each other. */
struct stretch {
    int first, last;
};

/* The places of each group, by node minus number of ranks; NULL when out of memory. */
static struct stretch *find_stretches(const struct hitop_hierarchy *h,
                                      const struct info_places *places)
{
    const int nranks = hitop_hierarchy_nranks(h);
    const int ngroups = hitop_hierarchy_nnodes(h) - nranks;
    struct stretch *stretch = calloc((size_t)ngroups, sizeof(*stretch));

    for (int group = 0; stretch && group < ngroups; group++) {
        stretch[group] = (struct stretch){places->n, -1};
    }
    for (int i = 0; stretch && i < places->n; i++) {
        for (int up = hitop_hierarchy_parent(h, places->place[i].rank); up != HITOP_NO_NODE;
             up = hitop_hierarchy_parent(h, up)) {
            struct stretch *s = &stretch[up - nranks];
            s->first = i < s->first ? i : s->first;
            s->last = i;
        }
    }
    return stretch;
}

/* Draw frames around groups, the outermost first; returns 0 when out of memory. */
static int put_frames(const struct plot *plot, const struct info_request *r,
                      const struct info_places *places)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(r->model);
    struct stretch *stretch = find_stretches(h, places);
    int nframes = 0;

    for (int group = hitop_hierarchy_nnodes(h) - hitop_hierarchy_nranks(h) - 1;
         stretch && group >= 0 && nframes < MAX_FRAMES; group--) {
        const int first = stretch[group].first, last = stretch[group].last;
        if (last > first && last - first + 1 < places->n) {
            fprintf(plot->script,
                    "set object %d rectangle from %g,%g to %g,%g front fillstyle empty "
                    "border lc rgb 'white' lw 1.5\n",
                    ++nframes, first - 0.5, first - 0.5, last + 0.5, last + 0.5);
        }
    }
    free(stretch);
    return stretch != NULL;
}

/* Draw one map; a range of more than a factor of 10 has a logarithmic scale. */
static void put_map(const struct plot *plot, const struct info_places *places, int index,
                    const char *title, const char *unit, const struct range *range)
{
    const int is_flat = !(range->hi > 1.001 * range->lo); /* rounding errors get no colours */
    const int is_log = range->lo > 0 && range->hi > 10 * range->lo;

    fprintf(plot->script, "set title '%s' noenhanced\n%sset logscale cb\n", title,
            is_log ? "" : "un");
    fprintf(plot->script, "set format cb '%%.%ds %%c%s'\n", is_log ? 0 : 1, unit);
    fprintf(plot->script, "set cbrange [%.6g:%.6g]\n", is_flat ? 0.5 * range->lo : range->lo,
            is_flat ? 2 * range->hi : range->hi);
    fprintf(plot->script,
            "plot data index %d matrix using 1:2:($3 < 0 ? NaN : $3) with image%s notitle\n", index,
            places->n <= MAX_PIXELS ? " pixels" : "");
}

static int put_script(const struct plot *plot, const struct info_request *r, int nplaces,
                      const struct info_places *places, const struct range range[2])
{
    enum { MAP = 400, SCALE = 125, TOP = 70, BOTTOM = 50 }; /* pixels */
    const char *of = places->are_hosts ? "hosts" : "ranks";
    char text[128], size[32];
    const int left = label_width(r, places), width = left + 2 * (MAP + SCALE);
    int complete;

    if (places->n < nplaces) {
        (void)snprintf(text, sizeof(text), "%d of %d %s with each other", places->n, nplaces, of);
    } else {
        (void)snprintf(text, sizeof(text), "%s with each other", of);
    }
    plot_begin(plot, r, width, TOP + MAP + BOTTOM, text);
    fprintf(
        plot->script,
        "set multiplot layout 1,2 title heading noenhanced margins screen %.4f,%.4f,%.4f,%.4f "
        "spacing screen %.4f\nunset key\n"
        "set palette defined (0 '#440154', 1 '#3b528b', 2 '#21918c', 3 '#5ec962', 4 '#fde725')\n"
        "set xrange [-0.5:%d.5]\nset yrange [%d.5:-0.5]\nset xlabel '%s in the order of the "
        "hierarchy'\n",
        (double)left / width, (double)(width - SCALE) / width,
        (double)BOTTOM / (TOP + MAP + BOTTOM), (double)(MAP + BOTTOM) / (TOP + MAP + BOTTOM),
        (double)SCALE / width, places->n - 1, places->n - 1, of);
    put_labels(plot, r, places);
    complete = put_frames(plot, r, places);
    put_map(plot, places, 0, "latency", "s", &range[0]);
    hitop_text_format_size(r->sizes.max, size, sizeof(size));
    (void)snprintf(text, sizeof(text), "bandwidth of the second half of %s", size);
    fputs("unset ytics\n", plot->script);
    put_map(plot, places, 1, text, "B/s", &range[1]);
    fputs("unset multiplot\n", plot->script);
    return complete;
}

enum hitop_status plot_matrix(const struct plot *plot, const struct info_request *request,
                              struct hitop_diag *diag)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(request->model);
    struct info_places places;
    struct range range[2];
    int nplaces;
    enum hitop_status status = info_places_fill(&places, h, 1, diag);

    if (status == HITOP_OK && places.n == 1) { /* all ranks are on one host: show ranks */
        info_places_clear(&places);
        status = info_places_fill(&places, h, 0, diag);
    }
    if (status == HITOP_OK) {
        nplaces = places.n;
        thin_out(&places);
        put_numbers(plot, request, &places, 0, &range[0]);
        put_numbers(plot, request, &places, 1, &range[1]);
        if (!put_script(plot, request, nplaces, &places, range)) {
            status = hitop_fail(diag, HITOP_ERR_NOMEM, "%d places: out of memory", places.n);
        }
    }
    info_places_clear(&places);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* platform_model.c - groups of the zones of a platform, and the prices of their routes. */
#include <config.h>

#include "models/simgrid/platform.h"
#include "models/simgrid/platform_impl.h"

#include "hitop/hierarchy.h"
#include "hitop/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_UNLIKE = 300, MAX_ROWS = 2 * PLATFORM_MAX_FACTORS + 1 };

/* One line of the time of a message, for sizes from `bytes` on. */
struct row {
    double bytes, alpha, beta;
};

struct work {
    const struct platform_request *request;
    struct platform p;
    struct hitop_hierarchy *h;
    int *host;      /* [ranks] its point */
    double *row_of; /* [classes * nrows * 3], rows of piecewise or alpha and beta */
    struct hitop_class *class;
    int nclasses, max_classes;
    int nrows;
    double above[MAX_ROWS]; /* sizes from which rows begin, as SimGrid counts them */
    double spread;
    struct hitop_diag *diag;
};

static int ranks_of(const struct work *w, const struct point *host)
{
    return w->request->ranks_per_host > 0 ? w->request->ranks_per_host : host->cores;
}

/* The factor for messages that are larger than a size. */
static double factor_above(const struct factors *f, double above)
{
    double value = 1;

    for (int i = 0; i < f->n && f->above[i] <= above; i++) {
        value = f->value[i];
    }
    return value;
}

/* The smallest message that is larger than a size with what SMPI puts before it. */
static double first_above(const struct work *w, double above)
{
    return floor(fmax(0, above + 1 - (w->p.is_smpi ? PLATFORM_HEADER : 0)));
}

/* Begin a row for sizes above one. It replaces a row in which no message would be left. */
static void add_row(struct work *w, double above)
{
    const double before = w->nrows > 1 ? first_above(w, w->above[w->nrows - 1]) : 0;

    w->nrows -= first_above(w, above) <= before;
    w->above[w->nrows++] = above;
}

/* The factors that the file means, and the sizes at which they change. */
static void settle_factors(struct work *w, char assumed[160])
{
    struct platform *p = &w->p;
    const int is_lv08 = p->network && strcmp(p->network, "LV08") == 0 && !p->is_smpi;

    if (is_lv08 && p->latency.n == 0) {
        p->latency = (struct factors){.n = 1, .value = {13.01}};
    }
    if (is_lv08 && p->bandwidth.n == 0) {
        p->bandwidth = (struct factors){.n = 1, .value = {0.97}};
    }
    w->above[w->nrows++] = 0;
    for (int i = 0, k = 0; i < p->latency.n || k < p->bandwidth.n;) {
        const double a = i < p->latency.n ? p->latency.above[i] : INFINITY;
        const double b = k < p->bandwidth.n ? p->bandwidth.above[k] : INFINITY;
        const double next = fmin(a, b);
        i += a <= next;
        k += b <= next;
        if (next > w->above[w->nrows - 1]) {
            add_row(w, next);
        }
    }
    if (w->nrows > 1) {
        (void)snprintf(assumed, 160, "factors of %.40s by size in <config>%s",
                       p->is_smpi ? "SMPI" : "the network", p->is_smpi ? ", and 16 bytes" : "");
    } else {
        (void)snprintf(assumed, 160, "latency x %g, bandwidth x %g (%.40s)%s",
                       factor_above(&p->latency, w->above[0]),
                       factor_above(&p->bandwidth, w->above[0]),
                       p->is_smpi         ? "SMPI"
                       : p->network       ? p->network
                       : p->latency.n > 0 ? "<config>"
                                          : "as CM02: no <config>",
                       p->is_smpi ? ", 16 bytes before a message" : "");
    }
}

/* The k-th line of a path. */
static struct row row_of(const struct work *w, const struct path *path, int k)
{
    const double header = w->p.is_smpi ? PLATFORM_HEADER : 0, above = w->above[k];
    const double link = path->bandwidth * factor_above(&w->p.bandwidth, above);
    const double rate = fmin(link, w->p.window / (2 * path->latency));

    return (struct row){.bytes = k == 0 ? 0 : first_above(w, above),
                        .alpha = path->latency * factor_above(&w->p.latency, above) + header / rate,
                        .beta = 1 / rate};
}

/* The larger relative difference of times of 0 bytes and of 1 MiB. */
static double difference(const struct path *a, const struct path *b)
{
    const double mib = 1048576, latency = fmax(a->latency, 1e-12);
    const double long_a = a->latency + mib / a->bandwidth, long_b = b->latency + mib / b->bandwidth;

    return fmax(fabs(b->latency - a->latency) / latency, fabs(long_b / long_a - 1));
}

/* The mean of both directions between two hosts. */
static enum hitop_status both_ways(struct work *w, int a, int b, struct path *out)
{
    struct path back;
    enum hitop_status status = hitop_platform_path(&w->p, a, b, out, w->diag);

    if (status == HITOP_OK) {
        status = hitop_platform_path(&w->p, b, a, &back, w->diag);
    }
    if (status == HITOP_OK) {
        w->spread = fmax(w->spread, 0.5 * difference(out, &back));
        out->latency = 0.5 * (out->latency + back.latency);
        out->bandwidth = 2 / (1 / out->bandwidth + 1 / back.bandwidth);
    }
    return status;
}

/* The last rank below a node that is not far from its first one: of its last member, and so on. */
static int last_rank(const struct hitop_hierarchy *h, int node)
{
    for (;;) {
        int count;
        const int *member = hitop_hierarchy_children(h, node, &count);
        if (count == 0) {
            return node;
        }
        node = member[count - 1];
    }
}

/* The path between two members of a group; other hosts in them add to the spread. */
static enum hitop_status between(struct work *w, int i, int j, struct path *out)
{
    const int a = hitop_hierarchy_first_rank(w->h, i), b = hitop_hierarchy_first_rank(w->h, j);
    const int c = last_rank(w->h, i), d = last_rank(w->h, j);
    enum hitop_status status = both_ways(w, w->host[a], w->host[b], out);

    if (status == HITOP_OK && (w->host[c] != w->host[a] || w->host[d] != w->host[b])) {
        struct path other;
        status = both_ways(w, w->host[c], w->host[d], &other);
        w->spread = status == HITOP_OK ? fmax(w->spread, difference(out, &other)) : w->spread;
    }
    return status;
}

static enum hitop_status add_class(struct work *w, int node, int i, int j, const struct path *path)
{
    const size_t width = (size_t)w->nrows * 3;

    if (w->nclasses == w->max_classes) {
        const int more = 2 * w->max_classes + 16;
        void *classes = reallocarray(w->class, (size_t)more, sizeof(*w->class));
        void *rows;
        w->class = classes ? classes : w->class;
        rows = classes ? reallocarray(w->row_of, (size_t)more * width, sizeof(double)) : NULL;
        w->row_of = rows ? rows : w->row_of;
        if (!rows) {
            return HITOP_ERR_NOMEM;
        }
        w->max_classes = more;
    }
    for (int k = 0; k < w->nrows; k++) {
        const struct row row = row_of(w, path, k);
        double *to = w->row_of + (size_t)w->nclasses * width + (size_t)k * 3;
        to[0] = row.bytes;
        to[1] = row.alpha;
        to[2] = row.beta;
    }
    w->class[w->nclasses++] = (struct hitop_class){
        .node = node, .between = {i, j}, .pair = {HITOP_NO_RANK, HITOP_NO_RANK}, .converged = 1};
    return HITOP_OK;
}

/* One class of a group if all routes between its members are alike, else one for each pair. */
static enum hitop_status add_group(struct work *w, int node)
{
    int count, is_alike = 1;
    const int *member = hitop_hierarchy_children(w->h, node, &count);
    const int most = count <= MAX_UNLIKE ? count : 2; /* first members that are compared with all */
    struct path first = {0}, path;
    enum hitop_status status = HITOP_OK;

    for (int i = 0; i < count && i < most && status == HITOP_OK; i++) {
        for (int j = i + 1; j < count && status == HITOP_OK; j++) {
            status = between(w, member[i], member[j], &path);
            first = i == 0 && j == 1 ? path : first;
            is_alike = is_alike && status == HITOP_OK && difference(&first, &path) < 1e-9;
        }
    }
    if (status == HITOP_OK && !is_alike && count > MAX_UNLIKE) {
        return hitop_fail(w->diag, HITOP_ERR_FORMAT,
                          "%s: zone '%.80s' has %d members with different routes; %d at most",
                          w->p.file, hitop_hierarchy_name(w->h, node), count, MAX_UNLIKE);
    }
    if (status == HITOP_OK && is_alike) {
        return add_class(w, node, member[0], member[0], &first);
    }
    for (int i = 0; i < count && status == HITOP_OK; i++) {
        for (int j = i + 1; j < count && status == HITOP_OK; j++) {
            status = between(w, member[i], member[j], &path);
            if (status == HITOP_OK) {
                status = add_class(w, node, member[i], member[j], &path);
            }
        }
    }
    return status;
}

/* Members with hosts of each zone; a zone that has one is no group. */
static int *count_members(const struct work *w)
{
    const struct platform *p = &w->p;
    int *members = calloc((size_t)p->nzones + 1, sizeof(*members));

    for (int i = 0; members && i < p->npoints; i++) {
        members[p->point[i].zone >= 0 ? p->point[i].zone : p->nzones] +=
            p->point[i].kind == POINT_HOST;
    }
    for (int zone = p->nzones - 1; members && zone > 0; zone--) { /* inner ones come later */
        members[p->zone[zone].parent] += members[zone] > 0;
    }
    return members;
}

/* Add ranks of all hosts in the order of the file. */
static void add_leaves(struct work *w, struct hitop_hierarchy_builder *b, const int *group)
{
    const struct platform *p = &w->p;
    int rank = 0;

    for (int i = 0; i < p->npoints; i++) {
        const int n = p->point[i].kind == POINT_HOST ? ranks_of(w, &p->point[i]) : 0;
        int above = n > 0 ? group[p->point[i].zone] : -1;
        if (n > 1) {
            const int host = hitop_hierarchy_builder_group(b, "host", p->point_names.text[i]);
            if (above >= 0) {
                hitop_hierarchy_builder_edge(b, host, above);
            }
            above = host;
        }
        if (n > 0) {
            const struct hitop_rank_range range = {rank, rank + n - 1, 1};
            const int leaf = hitop_hierarchy_builder_leaves(b, &range, 1, p->point_names.text[i]);
            if (above < 0) { /* the only rank */
                above = hitop_hierarchy_builder_group(b, "root", "");
            }
            hitop_hierarchy_builder_edge(b, leaf, above);
        }
        for (int k = 0; k < n; k++) {
            w->host[rank++] = i;
        }
    }
}

static enum hitop_status build_tree(struct work *w)
{
    const struct platform *p = &w->p;
    struct hitop_hierarchy_builder *b = hitop_hierarchy_builder_new();
    int *members = count_members(w), *group = calloc((size_t)p->nzones + 1, sizeof(*group));
    int has_root = 0;
    enum hitop_status status = b && members && group ? HITOP_OK : HITOP_ERR_NOMEM;

    for (int zone = 0; zone < p->nzones && status == HITOP_OK; zone++) {
        const int parent = p->zone[zone].parent, above = parent >= 0 ? group[parent] : -1;
        group[zone] = above;
        if (members[zone] > 1) {
            group[zone] =
                hitop_hierarchy_builder_group(b,
                                              !has_root                                  ? "root"
                                              : p->zone[zone].routing == ROUTING_CLUSTER ? "cluster"
                                                                                         : "zone",
                                              p->point_names.text[p->zone[zone].point]);
            has_root = 1;
            if (above >= 0) {
                hitop_hierarchy_builder_edge(b, group[zone], above);
            }
        }
    }
    if (status == HITOP_OK) {
        add_leaves(w, b, group);
        status = hitop_hierarchy_builder_finish(b, &w->h, w->diag);
    }
    free(group);
    free(members);
    hitop_hierarchy_builder_free(b);
    return status;
}

static enum hitop_status count_ranks(struct work *w)
{
    long nranks = 0;

    for (int i = 0; i < w->p.npoints; i++) {
        nranks += w->p.point[i].kind == POINT_HOST ? ranks_of(w, &w->p.point[i]) : 0;
    }
    if (nranks == 0 || nranks > 10000000) {
        return hitop_fail(w->diag, HITOP_ERR_FORMAT, "%s: %s", w->p.file,
                          nranks == 0 ? "no hosts" : "more than 10000000 ranks");
    }
    w->host = calloc((size_t)nranks, sizeof(*w->host));
    return w->host ? HITOP_OK : HITOP_ERR_NOMEM;
}

static enum hitop_status build(struct work *w, const char *assumed, struct hitop_model **out)
{
    const size_t width = (size_t)w->nrows * 3;
    const struct hitop_provenance origin = {
        .tool = w->request->tool, .command = w->request->command, .transport = assumed};
    const struct hitop_model_parts parts = {.type = w->nrows > 1 ? "piecewise" : "hockney",
                                            .hierarchy = w->h,
                                            .classes = w->class,
                                            .nclasses = w->nclasses,
                                            .provenance = &origin};

    for (int i = 0; i < w->nclasses; i++) {
        const double *rows = w->row_of + (size_t)i * width;
        if (w->nrows > 1) {
            w->class[i].table = rows;
            w->class[i].nrows = w->nrows;
        } else {
            w->class[i].params = rows + 1;
        }
    }
    return hitop_model_build(&parts, out, w->diag);
}

enum hitop_status hitop_platform_model(const struct platform_request *request,
                                       struct hitop_model **out, char assumed[160], double *spread,
                                       struct hitop_diag *diag)
{
    struct work w = {.request = request, .diag = diag};
    char origin[256];
    enum hitop_status status = hitop_platform_read(request->path, &w.p, diag);

    *out = NULL;
    if (status == HITOP_OK) {
        status = count_ranks(&w);
    }
    if (status == HITOP_OK) {
        settle_factors(&w, assumed);
        status = build_tree(&w);
    }
    for (int node = status == HITOP_OK ? hitop_hierarchy_nranks(w.h) : 0;
         status == HITOP_OK && node < hitop_hierarchy_nnodes(w.h); node++) {
        int count;
        (void)hitop_hierarchy_children(w.h, node, &count);
        status = count > 1 ? add_group(&w, node) : HITOP_OK;
    }
    if (status == HITOP_OK) {
        (void)snprintf(origin, sizeof(origin), "SimGrid platform, %.150s", assumed);
        status = build(&w, origin, out);
        *spread = w.spread;
    }
    hitop_hierarchy_free(w.h);
    hitop_platform_clear(&w.p);
    free(w.host);
    free(w.class);
    free(w.row_of);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flux_json.c - read hosts from a resource set of Flux, "R".
 *
 *     {"version": 1,
 *      "execution": {"R_lite": [{"rank": "19-22", "children": {"core": "0-47", "gpu": "0-7"}}],
 *                    "nodelist": ["node[186-189]"], "properties": {"fast": "19"}},
 *      "scheduling": {"graph": {"nodes": [{"id": "3", "metadata": {"type": "node",
 *                    "paths": {"containment": "/cluster0/rack0/node186"}}}, ...], "edges": [...]}}}
 *
 * nodelist has the hosts of the ranks in ascending order. In old versions, which have no nodelist,
 * an entry of R_lite has a "node". Only the scheduler fluxion writes a graph; its vertices around
 * hosts, such as racks, make levels. If the graph is the only member, cores are counted in it.
 * Properties and times are ignored.
 *
 * Sources: Flux RFC 20 (resource sets), 22 (idsets), 29 (host lists); t/data/resource/jgfs of
 * flux-sched.
 */
#include <config.h>

#include "hierarchy/sources/flux.h"

#include "hierarchy/hostlist/hostlist.h"
#include "hierarchy/text/text_index.h"
#include "src/grow.h"
#include "src/reader_json.h"

#include "hitop/hosts.h"
#include "hitop/ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct flux_host *hitop_flux_add(struct flux *flux, const char *name)
{
    if (!HITOP_GROW(flux->host, flux->n, flux->max)) {
        flux->text.out_of_memory = 1;
        return NULL;
    }
    flux->host[flux->n] =
        (struct flux_host){.name = hitop_storage_text(&flux->text, name), .rank = -1};
    return &flux->host[flux->n++];
}

/* A vertex of the graph with a containment path. */
struct vertex {
    const char *path, *type;
    json_int_t size; /* number of cores that it stands for */
    int up;          /* the vertex around it, or -1 */
    int host;        /* index of the host that it is, or -1 */
};

struct reading {
    struct reader r;
    struct flux *out;
    const char *where;              /* path of the current list */
    int next;                       /* index of the host with the next name of the list */
    struct text_index names, paths; /* of hosts of ranks; of vertices */
    struct vertex *vertex;          /* index: number of its path in paths */
};

/* Read "0-3,7" or "[0-3,7]"; returns how many numbers there are, or -1 for another text. */
static long read_ids(struct reading *f, const char *text, struct hitop_ranks *ids)
{
    const size_t length = strlen(text);
    const int is_bracketed = length > 1 && text[0] == '[' && text[length - 1] == ']';
    long n = 0, before = -1;

    text =
        is_bracketed ? hitop_storage_print(&f->out->text, "%.*s", (int)length - 2, text + 1) : text;
    if (hitop_ranks_parse(text, ids, NULL) != HITOP_OK) {
        return -1;
    }
    for (int i = 0; i < ids->n; i++) {
        const struct hitop_rank_range *range = &ids->range[i];

        if (range->step != 1 || range->first <= before ||
            range->last - range->first >= HITOP_HOSTS_MAX - n) {
            return -1;
        }
        n += range->last - range->first + 1;
        before = range->last;
    }
    return n;
}

/* Add the hosts of an entry of R_lite, one for each rank. */
static void add_ranks(struct reading *f, const struct hitop_ranks *ranks, const char *node,
                      int ncores)
{
    for (int i = 0; i < ranks->n; i++) {
        for (long rank = ranks->range[i].first; rank <= ranks->range[i].last; rank++) {
            struct flux_host *host = hitop_flux_add(f->out, node);

            if (f->out->n > FLUX_HOSTS) {
                hitop_reader_fail(&f->r, "$.execution.R_lite", "more than %d ranks", FLUX_HOSTS);
            }
            if (!host || f->r.status != HITOP_OK) {
                return;
            }
            host->rank = rank;
            host->ncores = ncores;
        }
    }
}

static void refuse_ids(struct reading *f, const char *path, const char *key, const char *text)
{
    char where[READER_PATH_MAX];

    hitop_reader_fail(&f->r, hitop_reader_join(path, key, where),
                      "'%.64s' is no set of numbers such as 0-3,7", text);
}

static void read_entry(struct reading *f, const char *path, json_t *object)
{
    struct hitop_ranks ids = {0}, cores = {0};
    const char *core = "0", *node = "", *text;
    char number[32];
    json_t *rank;
    json_error_t error;
    long ncores;

    if (json_unpack_ex(object, &error, 0, "{s:o, s?{s?s}, s?s}", "rank", &rank, "children", "core",
                       &core, "node", &node) != 0) {
        hitop_reader_fail(&f->r, path, "%s", error.text);
        return;
    }
    (void)snprintf(number, sizeof(number), "%" JSON_INTEGER_FORMAT, json_integer_value(rank));
    text = json_is_integer(rank) ? number /* in versions before RFC 20 */
                                 : hitop_reader_string(&f->r, path, object, "rank");
    ncores = read_ids(f, core, &cores);
    if (ncores < 0) {
        refuse_ids(f, path, "children.core", core);
    } else if (f->r.status == HITOP_OK && read_ids(f, text, &ids) < 0) {
        refuse_ids(f, path, "rank", text);
    } else if (f->r.status == HITOP_OK) {
        add_ranks(f, &ids, node, json_object_get(object, "children") ? (int)ncores : 0);
    }
    hitop_ranks_clear(&cores);
    hitop_ranks_clear(&ids);
}

static int by_rank(const void *a, const void *b)
{
    const struct flux_host *x = a, *y = b;

    return (x->rank > y->rank) - (x->rank < y->rank);
}

static enum hitop_status visit_name(void *data, const char *name)
{
    struct reading *f = data;

    if (f->next < f->out->n) {
        struct flux_host *host = &f->out->host[f->next];

        if (host->name[0] && strcmp(host->name, name) != 0) {
            hitop_reader_fail(&f->r, f->where,
                              "rank %ld is '%.64s' here, but node '%.64s' in R_lite", host->rank,
                              name, host->name);
        }
        host->name = hitop_storage_text(&f->out->text, name);
    }
    f->next++;
    return f->r.status;
}

static void read_nodelist(struct reading *f, const char *path, const json_t *list)
{
    const struct hostlist_visitor visitor = {visit_name, f, "host", FLUX_HOSTS};
    char where[READER_PATH_MAX];

    for (size_t i = 0; i < json_array_size(list) && f->r.status == HITOP_OK; i++) {
        const char *text = json_string_value(json_array_get(list, i));
        struct hitop_diag why = HITOP_DIAG_INIT;

        f->where = hitop_reader_item(path, i, where);
        if (!text) {
            hitop_reader_fail(&f->r, where, "must be a string, not %s",
                              hitop_reader_type_name(json_typeof(json_array_get(list, i))));
        } else if (text[0] && hitop_hostlist_expand(text, &visitor, &why) == HITOP_ERR_INVALID) {
            hitop_reader_fail(&f->r, where, "%s", why.message);
        }
    }
    if (f->r.status == HITOP_OK && f->next != f->out->n) {
        hitop_reader_fail(&f->r, path, "has %d hosts, but R_lite has %d ranks", f->next, f->out->n);
    }
}

static void read_execution(struct reading *f, const json_t *execution)
{
    static const char path[] = "$.execution", list_path[] = "$.execution.R_lite";
    char item[READER_PATH_MAX];
    json_t *lite = hitop_reader_member(&f->r, path, execution, "R_lite", JSON_ARRAY);
    json_t *nodelist = hitop_reader_optional(&f->r, path, execution, "nodelist", JSON_ARRAY);

    for (size_t i = 0; i < json_array_size(lite) && f->r.status == HITOP_OK; i++) {
        read_entry(f, hitop_reader_item(list_path, i, item), json_array_get(lite, i));
    }
    if (f->out->n > 0) {
        qsort(f->out->host, (size_t)f->out->n, sizeof(*f->out->host), by_rank);
    }
    for (int i = 1; i < f->out->n; i++) {
        if (f->out->host[i].rank == f->out->host[i - 1].rank) {
            hitop_reader_fail(&f->r, list_path, "rank %ld is in two entries", f->out->host[i].rank);
        }
    }
    if (nodelist) {
        read_nodelist(f, "$.execution.nodelist", nodelist);
    }
    for (int i = 0; i < f->out->n; i++) {
        if (!f->out->host[i].name[0]) {
            hitop_reader_fail(&f->r, path, "nodelist is missing, and rank %ld has no node",
                              f->out->host[i].rank);
        }
    }
}

/* Add a vertex, unless it has no containment path (power supplies). */
static void read_vertex(struct reading *f, const char *path, json_t *object)
{
    const char *type, *at = NULL;
    const json_t *size = NULL;
    json_error_t error;
    int is_new, number;

    if (json_unpack_ex(object, &error, 0, "{s:{s:s, s:{s?s}, s?o}}", "metadata", "type", &type,
                       "paths", "containment", &at, "size", &size) != 0) {
        hitop_reader_fail(&f->r, path, "%s", error.text);
        return;
    }
    if (!at) {
        return;
    }
    if (at[0] != '/' || !type[0] || at[strlen(at) - 1] == '/') {
        hitop_reader_fail(&f->r, path,
                          "metadata.paths.containment: '%.64s' is no path such as /cluster0/rack0",
                          at);
        return;
    }
    number = hitop_text_index_put(&f->paths, at, &is_new);
    if (number < 0) {
        f->out->text.out_of_memory = 1;
    } else if (!is_new) {
        hitop_reader_fail(&f->r, path, "'%.64s' is the path of two vertices", at);
    } else {
        f->vertex[number] = (struct vertex){at, hitop_storage_text(&f->out->text, type),
                                            json_integer_value(size), -1, -1};
    }
}

/* Find the vertex around each vertex: its path is the longest one in front of a slash. */
static void link_vertices(struct reading *f)
{
    for (int i = 0; i < f->paths.n; i++) {
        char *begin = strdup(f->vertex[i].path);
        char *slash = begin ? strrchr(begin, '/') : NULL;

        while (slash && slash > begin && f->vertex[i].up < 0) {
            *slash = '\0';
            f->vertex[i].up = hitop_text_index_find(&f->paths, begin);
            slash = strrchr(begin, '/');
        }
        f->out->text.out_of_memory |= !begin;
        free(begin);
    }
}

/* Add the groups of a host from the outermost one to this vertex. */
static void add_steps(struct reading *f, struct flux_host *host, int v)
{
    if (v >= 0) {
        add_steps(f, host, f->vertex[v].up);
    }
    if (v >= 0 && host->nsteps < FLUX_STEPS) {
        const char *name = strrchr(f->vertex[v].path, '/') + 1;
        host->step[host->nsteps++] =
            (struct flux_step){f->vertex[v].type, hitop_storage_text(&f->out->text, name)};
    }
}

/*
 * Find the hosts among the vertices. If R_lite has ranks, the hosts of these receive their groups;
 * otherwise all hosts of the graph are added.
 */
static void place_hosts(struct reading *f)
{
    const int n = f->out->n;
    int *first, is_new; /* of each name: its first host; several brokers may have one name */

    if (!STORAGE_ARRAY(&f->out->text, first, n)) {
        return;
    }
    for (int i = 0; i < n; i++) {
        const int number = hitop_text_index_put(&f->names, f->out->host[i].name, &is_new);
        if (number < 0) {
            f->out->text.out_of_memory = 1;
            return;
        }
        first[number] = is_new ? i : first[number];
    }
    for (int v = 0; v < f->paths.n; v++) {
        const char *name = strrchr(f->vertex[v].path, '/') + 1;
        const int known = n > 0 ? hitop_text_index_find(&f->names, name) : -1;
        struct flux_host *host;

        if (strcmp(f->vertex[v].type, "node") != 0 || (n > 0 && known < 0)) {
            continue;
        }
        host = n > 0 ? &f->out->host[first[known]] : hitop_flux_add(f->out, name);
        if (host && host->nsteps == 0) {
            f->vertex[v].host = (int)(host - f->out->host);
            add_steps(f, host, f->vertex[v].up);
        }
    }
}

/* Add the cores of the graph to their hosts. */
static void count_cores(struct reading *f)
{
    for (int v = 0; v < f->paths.n; v++) {
        int host = -1;

        for (int up = f->vertex[v].up; up >= 0; up = f->vertex[up].up) {
            host = f->vertex[up].host >= 0 ? f->vertex[up].host : host;
        }
        if (host >= 0 && strcmp(f->vertex[v].type, "core") == 0) {
            int *ncores = &f->out->host[host].ncores;
            const int left = HITOP_HOSTS_MAX - *ncores;
            const json_int_t size = f->vertex[v].size;
            *ncores += size > left ? left : size > 1 ? (int)size : 1;
        }
    }
}

static void read_graph(struct reading *f, const char *path, const json_t *graph)
{
    const int has_ranks = f->out->n > 0;
    char nodes_path[READER_PATH_MAX], item[READER_PATH_MAX];
    const json_t *nodes = hitop_reader_member(&f->r, path, graph, "nodes", JSON_ARRAY);
    const size_t n = json_array_size(nodes);

    if (!STORAGE_ARRAY(&f->out->text, f->vertex, n)) {
        return;
    }
    hitop_reader_join(path, "nodes", nodes_path);
    for (size_t i = 0; i < n && f->r.status == HITOP_OK; i++) {
        read_vertex(f, hitop_reader_item(nodes_path, i, item), json_array_get(nodes, i));
    }
    if (f->r.status == HITOP_OK) {
        link_vertices(f);
        place_hosts(f);
    }
    if (!has_ranks) {
        count_cores(f);
    }
}

enum hitop_status hitop_flux_read_json(const char *file, const char *text, size_t length,
                                       struct flux *out, struct hitop_diag *diag)
{
    struct reading f = {.r = {.file = file, .diag = diag}, .out = out};
    json_t *root = hitop_reader_parse(file, text, length, diag);
    json_t *execution = json_object_get(root, "execution");
    json_t *scheduling = json_object_get(root, "scheduling");
    json_t *alone = json_object_get(root, "graph");
    json_t *graph = alone ? alone : json_object_get(scheduling, "graph");

    if (!root) {
        return HITOP_ERR_FORMAT;
    }
    if (!alone && !execution && !scheduling) {
        hitop_reader_fail(&f.r, "$",
                          "has neither execution nor scheduling, as Flux RFC 20 has them");
    }
    if (!alone) {
        (void)hitop_reader_int(&f.r, "$", root, "version", 1, 1);
    }
    if (execution) {
        execution = hitop_reader_member(&f.r, "$", root, "execution", JSON_OBJECT);
        read_execution(&f, execution);
    }
    if (graph) {
        graph = hitop_reader_member(&f.r, alone ? "$" : "$.scheduling", alone ? root : scheduling,
                                    "graph", JSON_OBJECT);
        read_graph(&f, alone ? "$.graph" : "$.scheduling.graph", graph);
    }
    hitop_text_index_clear(&f.names);
    hitop_text_index_clear(&f.paths);
    json_decref(root);
    return f.r.status;
}

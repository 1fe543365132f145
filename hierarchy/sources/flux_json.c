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
 * hosts, such as racks, make levels. A graph may be the only member: its cores count then.
 * Properties and times are ignored.
 *
 * Sources: Flux RFC 20 (resource sets), 22 (idsets), 29 (host lists); t/data/resource/jgfs of
 * flux-sched.
 */
#include <config.h>

#include "hierarchy/sources/flux.h"

#include "hierarchy/hostlist/hostlist.h"
#include "hierarchy/text/text_index.h"
#include "src/reader_json.h"

#include "hitop/hosts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    struct reader r;
    struct flux *out;
    const char *where;       /* path of the current list */
    int next;                /* index of the host with the next name of the list */
    struct text_index paths; /* of the graph */
    int *host;               /* of each path: the index of the host, or -1 */
    const char **type;       /* of each path */
};

static void lack_memory(struct reading *f)
{
    if (f->r.status == HITOP_OK) {
        f->r.status = hitop_fail(f->r.diag, HITOP_ERR_NOMEM, "%s: out of memory", f->r.file);
    }
}

/*
 * Call take for every number of "0-3,7" or "[0-3,7]"; returns their number, or -1 for another text.
 */
static long for_each_id(struct reading *f, const char *text,
                        void (*take)(struct reading *, long id, const void *), const void *data)
{
    const int is_bracketed = text[0] == '[';
    const char *at = text + is_bracketed;
    long n = 0, before = -1;

    for (;;) {
        char *end;
        const long low = *at >= '0' && *at <= '9' ? strtol(at, &end, 10) : -1;
        const int is_range = low >= 0 && *end == '-' && end[1] >= '0' && end[1] <= '9';
        const long high = is_range ? strtol(end + 1, &end, 10) : low;

        if (low <= before || high < low || high - low >= HITOP_HOSTS_MAX - n) {
            return -1;
        }
        for (long id = low; id <= high && take; id++) {
            take(f, id, data);
        }
        n += high - low + 1;
        before = high;
        if (*end != ',') {
            return strcmp(end, is_bracketed ? "]" : "") == 0 ? n : -1;
        }
        at = end + 1;
    }
}

/* The data of an entry of R_lite for each of its ranks. */
struct entry {
    int ncores;
    const char *node; /* or "" */
};

static void add_rank(struct reading *f, long rank, const void *data)
{
    const struct entry *entry = data;
    struct flux_host *host = f->r.status == HITOP_OK ? hitop_flux_add(f->out, entry->node) : NULL;

    if (f->out->n > FLUX_HOSTS) {
        hitop_reader_fail(&f->r, "$.execution.R_lite", "more than %d ranks", FLUX_HOSTS);
    }
    if (!host) {
        lack_memory(f);
        return;
    }
    host->rank = rank;
    host->ncores = entry->ncores;
}

static void read_entry(struct reading *f, const char *path, json_t *object)
{
    char children_path[READER_PATH_MAX], where[READER_PATH_MAX], number[32];
    struct entry entry = {.ncores = 0, .node = ""};
    json_t *children, *value;
    const char *rank;

    if (!json_is_object(object)) {
        hitop_reader_fail(&f->r, path, "must be an object, not %s",
                          hitop_reader_type_name(json_typeof(object)));
        return;
    }
    children = hitop_reader_optional(&f->r, path, object, "children", JSON_OBJECT);
    value = hitop_reader_optional(&f->r, hitop_reader_join(path, "children", children_path),
                                  children, "core", JSON_STRING);
    if (value) {
        const long n = for_each_id(f, json_string_value(value), NULL, NULL);
        if (n < 0) {
            hitop_reader_fail(&f->r, hitop_reader_join(children_path, "core", where),
                              "'%.64s' is no set of numbers such as 0-3,7",
                              json_string_value(value));
        }
        entry.ncores = (int)n;
    }
    if (json_object_get(object, "node")) {
        entry.node = hitop_reader_string(&f->r, path, object, "node");
    }
    value = json_object_get(object, "rank");
    if (json_is_integer(value)) { /* in versions before RFC 20 */
        (void)snprintf(number, sizeof(number), "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        rank = number;
    } else {
        rank = hitop_reader_string(&f->r, path, object, "rank");
    }
    if (f->r.status == HITOP_OK && for_each_id(f, rank, add_rank, &entry) < 0) {
        hitop_reader_fail(&f->r, hitop_reader_join(path, "rank", where),
                          "'%.64s' is no set of numbers such as 0-3,7", rank);
    }
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
        host->name = hitop_text_pool_keep(&f->out->text, name);
        if (!host->name) {
            lack_memory(f);
        }
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

static void read_execution(struct reading *f, const char *path, const json_t *execution)
{
    char list_path[READER_PATH_MAX], item[READER_PATH_MAX];
    json_t *lite = hitop_reader_member(&f->r, path, execution, "R_lite", JSON_ARRAY);
    json_t *nodelist = hitop_reader_optional(&f->r, path, execution, "nodelist", JSON_ARRAY);

    hitop_reader_join(path, "R_lite", list_path);
    for (size_t i = 0; i < json_array_size(lite) && f->r.status == HITOP_OK; i++) {
        read_entry(f, hitop_reader_item(list_path, i, item), json_array_get(lite, i));
    }
    if (f->out->n > 0) {
        qsort(f->out->host, (size_t)f->out->n, sizeof(*f->out->host), by_rank);
    }
    for (int i = 1; i < f->out->n && f->r.status == HITOP_OK; i++) {
        if (f->out->host[i].rank == f->out->host[i - 1].rank) {
            hitop_reader_fail(&f->r, list_path, "rank %ld is in two entries", f->out->host[i].rank);
        }
    }
    if (nodelist) {
        read_nodelist(f, hitop_reader_join(path, "nodelist", item), nodelist);
    }
    for (int i = 0; i < f->out->n && f->r.status == HITOP_OK; i++) {
        if (!f->out->host[i].name[0]) {
            hitop_reader_fail(&f->r, path, "nodelist is missing, and rank %ld has no node",
                              f->out->host[i].rank);
        }
    }
}

/*
 * The path of a vertex and its type; NULL if no other vertex contains it (power supplies), or after
 * a failure.
 */
static const char *read_vertex(struct reading *f, const char *path, const json_t *vertex,
                               const char **type)
{
    char meta_path[READER_PATH_MAX], paths_path[READER_PATH_MAX];
    const json_t *meta = hitop_reader_member(&f->r, path, vertex, "metadata", JSON_OBJECT);
    const json_t *paths;
    const char *text;

    hitop_reader_join(path, "metadata", meta_path);
    *type = hitop_reader_string(&f->r, meta_path, meta, "type");
    paths = hitop_reader_member(&f->r, meta_path, meta, "paths", JSON_OBJECT);
    if (f->r.status == HITOP_OK && !json_object_get(paths, "containment")) {
        return NULL;
    }
    text = hitop_reader_string(&f->r, hitop_reader_join(meta_path, "paths", paths_path), paths,
                               "containment");
    if (f->r.status == HITOP_OK &&
        (text[0] != '/' || !(*type)[0] || text[strlen(text) - 1] == '/')) {
        hitop_reader_fail(&f->r, paths_path,
                          "containment: '%.64s' is no path such as /cluster0/rack0", text);
    }
    return f->r.status == HITOP_OK ? text : NULL;
}

/* Add the cores of a vertex to its host, if there is no R_lite; several cores may be one vertex. */
static void count_cores(struct reading *f, const json_t *meta, const char *path)
{
    const json_int_t size = json_integer_value(json_object_get(meta, "size"));
    char *begin = strdup(path);

    for (char *slash = begin ? strchr(begin + 1, '/') : NULL; slash;
         slash = strchr(slash + 1, '/')) {
        int found;

        *slash = '\0';
        found = hitop_text_index_find(&f->paths, begin);
        if (found >= 0 && f->host[found] >= 0) {
            int *ncores = &f->out->host[f->host[found]].ncores;
            const int left = HITOP_HOSTS_MAX - *ncores;
            *ncores += size > left ? left : size > 1 ? (int)size : 1;
            break;
        }
        *slash = '/';
    }
    if (!begin) {
        lack_memory(f);
    }
    free(begin);
}

/* Add the groups of a host: the vertices whose paths are prefixes of its path. */
static void place_host(struct reading *f, const char *path, struct flux_host *host)
{
    char *begin = strdup(path);

    for (char *slash = begin ? strchr(begin + 1, '/') : NULL; slash;
         slash = strchr(slash + 1, '/')) {
        int found;

        *slash = '\0';
        found = hitop_text_index_find(&f->paths, begin);
        if (found >= 0 && host->nsteps < FLUX_STEPS) {
            const char *name = hitop_text_pool_keep(&f->out->text, strrchr(begin, '/') + 1);
            host->step[host->nsteps++] = (struct flux_step){f->type[found], name ? name : ""};
            if (!name) {
                lack_memory(f);
            }
        }
        *slash = '/';
    }
    if (!begin) {
        lack_memory(f);
    }
    free(begin);
}

static int by_name(const void *a, const void *b)
{
    const struct flux_host *const *x = a, *const *y = b;

    return strcmp((*x)->name, (*y)->name);
}

/* The path of a vertex if it has this type, else NULL. */
static const char *path_of(const json_t *vertices, size_t i, const char *type)
{
    const json_t *meta = json_object_get(json_array_get(vertices, i), "metadata");

    return strcmp(json_string_value(json_object_get(meta, "type")), type) == 0
               ? json_string_value(json_object_get(json_object_get(meta, "paths"), "containment"))
               : NULL;
}

/* The host with this name: one of the sorted ones, or a new one if there are none. */
static struct flux_host *find_host(struct reading *f, struct flux_host **sorted, int n,
                                   const char *name)
{
    struct flux_host key = {.name = name}, *wanted = &key, **found, *added;

    if (n > 0) {
        found = bsearch(&wanted, sorted, (size_t)n, sizeof(struct flux_host *), by_name);
        return found ? *found : NULL;
    }
    added = hitop_flux_add(f->out, name);
    if (!added) {
        lack_memory(f);
    }
    return added;
}

/*
 * Read the hosts among the vertices. If ranks have hosts, these get their groups; else all hosts of
 * the graph are added.
 */
static void read_hosts(struct reading *f, const json_t *vertices)
{
    const int n = f->out->n;
    struct flux_host **sorted = calloc((size_t)n + 1, sizeof(struct flux_host *));

    for (int i = 0; i < n && sorted; i++) {
        sorted[i] = &f->out->host[i];
    }
    if (!sorted) {
        lack_memory(f);
    } else if (n > 0) {
        qsort(sorted, (size_t)n, sizeof(struct flux_host *), by_name);
    }
    for (size_t i = 0; i < json_array_size(vertices) && f->r.status == HITOP_OK; i++) {
        const char *path = path_of(vertices, i, "node");
        struct flux_host *host = path ? find_host(f, sorted, n, strrchr(path, '/') + 1) : NULL;

        if (host && host->nsteps == 0) {
            f->host[hitop_text_index_find(&f->paths, path)] = (int)(host - f->out->host);
            place_host(f, path, host);
        }
    }
    for (size_t i = 0; i < json_array_size(vertices) && n == 0 && f->r.status == HITOP_OK; i++) {
        const char *path = path_of(vertices, i, "core");

        if (path) {
            count_cores(f, json_object_get(json_array_get(vertices, i), "metadata"), path);
        }
    }
    free(sorted);
}

static void read_graph(struct reading *f, const char *path, const json_t *graph)
{
    char nodes_path[READER_PATH_MAX], item[READER_PATH_MAX];
    const json_t *nodes = hitop_reader_member(&f->r, path, graph, "nodes", JSON_ARRAY);
    const size_t n = json_array_size(nodes);

    f->type = calloc(n + 1, sizeof(*f->type));
    f->host = calloc(n + 1, sizeof(*f->host));
    if (!f->type || !f->host) {
        lack_memory(f);
    }
    for (size_t i = 0; i < n && f->host; i++) {
        f->host[i] = -1;
    }
    hitop_reader_join(path, "nodes", nodes_path);
    for (size_t i = 0; i < n && f->r.status == HITOP_OK; i++) {
        const char *type, *at = read_vertex(f, hitop_reader_item(nodes_path, i, item),
                                            json_array_get(nodes, i), &type);
        int is_new = 0;
        const int number = at ? hitop_text_index_put(&f->paths, at, &is_new) : -1;

        if (at && !is_new) {
            hitop_reader_fail(&f->r, item, "'%.64s' is the path of two vertices", at);
        } else if (number >= 0) {
            f->type[number] = hitop_text_pool_keep(&f->out->text, type);
        }
        if (at && (number < 0 || !f->type[number])) {
            lack_memory(f);
        }
    }
    if (f->r.status == HITOP_OK) {
        read_hosts(f, nodes);
    }
}

enum hitop_status hitop_flux_read_json(const char *file, const char *text, size_t length,
                                       struct flux *out, struct hitop_diag *diag)
{
    struct reading f = {.r = {.file = file, .diag = diag}, .out = out};
    json_t *root = hitop_reader_parse(file, text, length, diag);
    const json_t *execution, *scheduling, *graph;

    if (!root) {
        return HITOP_ERR_FORMAT;
    }
    execution = json_object_get(root, "execution");
    scheduling = json_object_get(root, "scheduling");
    graph = json_object_get(root, "graph");
    if (!graph) {
        if (!execution && !scheduling) {
            hitop_reader_fail(&f.r, "$",
                              "has neither execution nor scheduling, as Flux RFC 20 has them");
        }
        (void)hitop_reader_int(&f.r, "$", root, "version", 1, 1);
        graph = json_is_object(scheduling) ? json_object_get(scheduling, "graph") : NULL;
    }
    if (execution && f.r.status == HITOP_OK) {
        execution = hitop_reader_member(&f.r, "$", root, "execution", JSON_OBJECT);
        read_execution(&f, "$.execution", execution);
    }
    if (graph && f.r.status == HITOP_OK) {
        const int is_alone = json_object_get(root, "graph") == graph;
        graph = hitop_reader_member(&f.r, is_alone ? "$" : "$.scheduling",
                                    is_alone ? root : scheduling, "graph", JSON_OBJECT);
        read_graph(&f, is_alone ? "$.graph" : "$.scheduling.graph", graph);
    }
    hitop_text_index_clear(&f.paths);
    free(f.host);
    free(f.type);
    json_decref(root);
    return f.r.status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* hosts_parse.c - read host lists from text, and collect the hosts in files of sources. */
#include <config.h>

#include "hierarchy/hostlist/hostlist.h"
#include "hierarchy/hostlist/hosts_impl.h"
#include "hierarchy/text/text_index.h"
#include "hitop/sys/source.h"

#include <stdlib.h>
#include <string.h>

/* ---- All hosts in files of sources ---- */

/* The hosts found, each once. */
struct gathering {
    struct host_list list;
    struct text_index known;
    enum hitop_status status;
};

static void take(void *data, const char *host)
{
    struct gathering *g = data;
    struct hitop_hosts *hosts = g->list.hosts;
    int is_new = 0;

    if (g->status != HITOP_OK) {
        return;
    }
    if (hitop_text_index_put(&g->known, host, &is_new) < 0) {
        g->status = hitop_fail(g->list.diag, HITOP_ERR_NOMEM, "host list: out of memory");
    } else if (is_new) {
        g->status = hitop_host_list_repeat(&g->list, host, 1);
        if (g->status == HITOP_OK) {
            g->known.text[g->known.n - 1] = hosts->host[hosts->nranks - 1];
        }
    }
}

/* The first source that lists hosts with their ranks itself; *path receives its file. */
static const struct hitop_source *find_lister(const struct hitop_grouping *how, const char **path)
{
    for (int i = 0; i < how->nfiles; i++) {
        for (const struct hitop_source *const *s = how->more; s && *s; s++) {
            if ((*s)->list_hosts && strcmp((*s)->name, how->files[i].source) == 0) {
                *path = how->files[i].path;
                return *s;
            }
        }
    }
    return NULL;
}

enum hitop_status hitop_hosts_of_files(const struct hitop_grouping *how, struct hitop_hosts *out,
                                       struct hitop_diag *diag)
{
    /* a job without any real host: all hosts in the files are reported as absent */
    const struct hitop_place place = HITOP_PLACE_INIT("-");
    struct gathering g = {.status = HITOP_OK};
    const struct hitop_grouping asking = {.more = how->more,
                                          .files = how->files,
                                          .nfiles = how->nfiles,
                                          .absent = take,
                                          .absent_data = &g};
    const char *path = NULL;
    const struct hitop_source *lister = find_lister(how, &path);
    struct hitop_hierarchy *h = NULL;
    enum hitop_status status;

    if (lister) {
        return lister->list_hosts(path, out, diag);
    }
    status = hitop_host_list_begin(&g.list, out, diag);
    if (status == HITOP_OK) {
        status = hitop_hierarchy_group(&place, 1, &asking, &h, diag);
        hitop_hierarchy_free(h);
    }
    status = status == HITOP_OK ? g.status : status;
    if (status == HITOP_OK && out->nranks == 0) {
        status = hitop_fail(diag, HITOP_ERR_FORMAT, "%s: names no host",
                            how->nfiles > 0 ? how->files[0].path : "no file");
    }
    if (status == HITOP_OK) {
        status = hitop_host_list_settle(&g.list);
    }
    hitop_text_index_clear(&g.known);
    if (status != HITOP_OK) {
        hitop_hosts_clear(out);
    }
    return status;
}

enum hitop_status hitop_hosts_parse(const char *list, struct hitop_hosts *out,
                                    struct hitop_diag *diag)
{
    struct host_list l;
    enum hitop_status status = hitop_host_list_begin(&l, out, diag);
    char *copy = strdup(list);

    if (status == HITOP_OK && !copy) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "host list: out of memory");
    }
    if (status == HITOP_OK && !list[0]) {
        status = hitop_fail(diag, HITOP_ERR_INVALID, "an empty list of hosts");
    }
    if (status == HITOP_OK) {
        status = hitop_host_list_add_all(&l, copy);
    }
    if (status == HITOP_OK) {
        status = hitop_host_list_settle(&l);
    }
    free(copy);
    if (status != HITOP_OK) {
        hitop_hosts_clear(out);
    }
    return status;
}

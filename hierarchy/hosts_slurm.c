/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hosts_slurm.c - the hosts of a SLURM job, from the environment of its script.
 *
 * Source: sbatch(1): SLURM_JOB_NODELIST, SLURM_TASKS_PER_NODE, SLURM_DISTRIBUTION, SLURM_DIST_PLANESIZE.
 */
#include <config.h>

#include "hitop/text.h"
#include "hosts_impl.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char nodes_variable[] = "SLURM_JOB_NODELIST";
static const char tasks_variable[] = "SLURM_TASKS_PER_NODE";
static const char order_variable[] = "SLURM_DISTRIBUTION";
static const char plane_variable[] = "SLURM_DIST_PLANESIZE";

static enum hitop_status read_nodes(struct hitop_hosts *nodes, struct hitop_diag *diag)
{
    const char *list = getenv(nodes_variable);
    struct hitop_diag why = HITOP_DIAG_INIT;
    enum hitop_status status;

    if (!list) {
        return hitop_fail(diag, HITOP_ERR_NOTFOUND,
                          "this is no job of SLURM: there is no variable %s", nodes_variable);
    }
    status = hitop_hosts_parse(list, nodes, &why);
    return status == HITOP_OK ? status
                              : hitop_fail(diag, status, "%s: %.400s", nodes_variable, why.message);
}

/* One item, "2" or "2(x3)"; 0 when it is neither. */
static int read_item(char *item, int *tasks, int *nodes)
{
    char *times = strstr(item, "(x");
    const size_t length = strlen(item);

    *nodes = 1;
    if (times) {
        if (item[length - 1] != ')') {
            return 0;
        }
        item[length - 1] = *times = '\0';
        if (hitop_text_int(times + 2, 1, HITOP_HOSTS_MAX, nodes, NULL) != HITOP_OK) {
            return 0;
        }
    }
    return hitop_text_int(item, 1, HITOP_HOSTS_MAX, tasks, NULL) == HITOP_OK;
}

/* How many ranks each of the nodes has: "2(x3),1" is 2, 2, 2, 1. */
static enum hitop_status read_tasks(char *list, int *tasks, int nnodes, struct hitop_diag *diag)
{
    int known = 0;

    for (char *item; (item = strsep(&list, ","));) {
        int each = 0, repeated = 0;

        if (!read_item(item, &each, &repeated)) {
            return hitop_fail(diag, HITOP_ERR_INVALID, "%s: '%.400s' is not of the form 2(x3),1",
                              tasks_variable, getenv(tasks_variable));
        }
        for (; repeated > 0 && known < nnodes; repeated--) {
            tasks[known++] = each;
        }
        if (repeated > 0) {
            known = nnodes + 1;
        }
    }
    return known == nnodes
               ? HITOP_OK
               : hitop_fail(diag, HITOP_ERR_INVALID, "%s: '%.300s' is not for the %d nodes of %s",
                            tasks_variable, getenv(tasks_variable), nnodes, nodes_variable);
}

/* Orders go on behind the word, for what is within nodes: "cyclic:block". */
static int is_order(const char *order, const char *word)
{
    return strcspn(order, ":,=") == strlen(word) && strncmp(order, word, strlen(word)) == 0;
}

/* How many ranks in a row a node gets before it is the turn of the next one. */
static enum hitop_status read_turn(int *turn, struct hitop_diag *diag)
{
    const char *order = getenv(order_variable);
    const char *plane = getenv(plane_variable);

    if (!order || is_order(order, "") || is_order(order, "*") || is_order(order, "block")) {
        *turn = INT_MAX;
        return HITOP_OK;
    }
    if (is_order(order, "cyclic")) {
        *turn = 1;
        return HITOP_OK;
    }
    if (is_order(order, "plane")) {
        plane = strchr(order, '=') ? strchr(order, '=') + 1 : plane;
        return hitop_text_int(plane ? plane : "", 1, INT_MAX, turn, NULL) == HITOP_OK
                   ? HITOP_OK
                   : hitop_fail(diag, HITOP_ERR_INVALID,
                                "%s: '%.300s' is not how many ranks a plane has, 1 or more",
                                plane_variable, plane ? plane : "");
    }
    return hitop_fail(diag, HITOP_ERR_INVALID, "%s: '%.300s' is not one of block, cyclic, plane%s",
                      order_variable, order,
                      is_order(order, "arbitrary") ? "; arbitrary ranks stand in a host file" : "");
}

/* Ranks go to the nodes in turns. */
static enum hitop_status deal(struct host_list *l, const struct hitop_hosts *nodes, int *tasks,
                              int turn)
{
    enum hitop_status status = HITOP_OK;

    for (int left = nodes->nranks; left > 0;) {
        left = 0;
        for (int i = 0; i < nodes->nranks && status == HITOP_OK; i++) {
            const int now = tasks[i] < turn ? tasks[i] : turn;

            status = host_list_repeat(l, nodes->host[i], now);
            tasks[i] -= now;
            left += tasks[i] > 0;
        }
    }
    return status;
}

enum hitop_status hitop_hosts_read_slurm(struct hitop_hosts *out, struct hitop_diag *diag)
{
    const char *list = getenv(tasks_variable);
    char *copy = strdup(list ? list : "");
    int *tasks = NULL, turn = INT_MAX;
    struct hitop_hosts nodes = {0};
    struct host_list l;
    enum hitop_status status = host_list_begin(&l, out, diag);

    if (status == HITOP_OK) {
        status = read_nodes(&nodes, diag);
    }
    if (status != HITOP_OK) {
        goto out;
    }
    tasks = calloc((size_t)nodes.nranks, sizeof(*tasks));
    if (!tasks || !copy) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "host list: out of memory");
        goto out;
    }
    for (int i = 0; i < nodes.nranks; i++) {
        tasks[i] = 1;
    }
    if (list) {
        status = read_tasks(copy, tasks, nodes.nranks, diag);
    }
    if (status == HITOP_OK) {
        status = read_turn(&turn, diag);
    }
    if (status == HITOP_OK) {
        status = deal(&l, &nodes, tasks, turn);
    }

out:
    hitop_hosts_clear(&nodes);
    free(tasks);
    free(copy);
    if (status != HITOP_OK) {
        hitop_hosts_clear(out);
    }
    return status;
}

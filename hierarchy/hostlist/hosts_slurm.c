/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hosts_slurm.c - the ranks that srun starts in a SLURM job, from the environment of its script.
 *
 *     SLURM_JOB_NODELIST     the hosts: n[1-3,7],m1; SLURM_NODELIST in old versions
 *     SLURM_NTASKS           number of ranks that srun starts; SLURM_NPROCS in old versions
 *     SLURM_NTASKS_PER_NODE  ranks of each host; an upper limit if SLURM_NTASKS is set, too
 *     SLURM_TASKS_PER_NODE   output of SLURM, 2(x3),1: the capacity of the allocation. srun does
 *                            not read it; it is the layout if its sum is SLURM_NTASKS
 *     SLURM_DISTRIBUTION     block, cyclic or plane, with more behind ':' or ','
 *     SLURM_DIST_PLANESIZE   ranks in a plane; also plane=N
 *     SLURM_HOSTFILE         a file with the host of each rank: srun --distribution=arbitrary
 *     SLURM_HET_SIZE         more than 1: the other variables describe the first of several jobs
 *
 * Without SLURM_NTASKS and SLURM_NTASKS_PER_NODE srun starts a rank on each host.
 *
 * Source: input and output variables in srun(1), sbatch(1) and salloc(1) of SLURM 23 to 25.
 */
#include <config.h>

#include "hierarchy/hostlist/hosts_impl.h"
#include "hitop/text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char nodes_variable[] = "SLURM_JOB_NODELIST";
static const char tasks_variable[] = "SLURM_TASKS_PER_NODE";
static const char total_variable[] = "SLURM_NTASKS";
static const char each_variable[] = "SLURM_NTASKS_PER_NODE";
static const char file_variable[] = "SLURM_HOSTFILE";
static const char order_variable[] = "SLURM_DISTRIBUTION";
static const char plane_variable[] = "SLURM_DIST_PLANESIZE";

static enum hitop_status read_nodes(struct hitop_hosts *nodes, struct hitop_diag *diag)
{
    const char *new_list = getenv(nodes_variable);
    const char *list = new_list ? new_list : getenv("SLURM_NODELIST");
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

/* Read a number of ranks; 0 if the variable is not set. */
static enum hitop_status read_number(const char *variable, int *number, struct hitop_diag *diag)
{
    const char *text = getenv(variable);

    *number = 0;
    return !text || hitop_text_int(text, 1, HITOP_HOSTS_MAX, number, NULL) == HITOP_OK
               ? HITOP_OK
               : hitop_fail(diag, HITOP_ERR_INVALID, "%s: '%.300s' is not from 1 to 10 million",
                            variable, text);
}

/* Read the number of ranks of each node: "2(x3),1" is 2, 2, 2, 1. */
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

/* 1 if the order of nodes is this word; the order inside nodes follows it, "cyclic:block". */
static int is_order(const char *order, const char *word)
{
    return strcspn(order, ":,=") == strlen(word) && strncmp(order, word, strlen(word)) == 0;
}

/* Read how many consecutive ranks a node receives before the next node has its turn. */
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

/* Give ranks to the nodes, turn by turn. */
static enum hitop_status distribute(struct host_list *l, const struct hitop_hosts *nodes,
                                    int *tasks, int turn)
{
    enum hitop_status status = HITOP_OK;

    for (int left = nodes->nranks; left > 0;) {
        left = 0;
        for (int i = 0; i < nodes->nranks && status == HITOP_OK; i++) {
            const int now = tasks[i] < turn ? tasks[i] : turn;

            status = hitop_host_list_repeat(l, nodes->host[i], now);
            tasks[i] -= now;
            left += tasks[i] > 0;
        }
    }
    return status;
}

/* Spread ranks evenly; with a remainder the first nodes get one more. */
static void spread(int *tasks, int nnodes, int total)
{
    for (int i = 0; i < nnodes; i++) {
        tasks[i] = total / nnodes + (i < total % nnodes);
    }
}

/* Numbers of ranks by SLURM's variables. */
struct counts {
    const char *list; /* SLURM_TASKS_PER_NODE, or NULL */
    long sum;         /* the sum of list */
    int total, each;  /* SLURM_NTASKS and SLURM_NTASKS_PER_NODE, or 0 */
};

/* Compute the layout of srun, and warn if SLURM_TASKS_PER_NODE has another one. */
static void choose_tasks(struct host_list *l, const struct counts *c, int *tasks, int nnodes)
{
    const long most = (long)c->each * nnodes;

    if (c->total > 0) {
        if (c->list && c->sum == c->total) {
            return;
        }
        if (c->list) {
            hitop_host_list_warn(
                l, "%s=%d, but %s=%.100s is %ld ranks; srun starts %d, spread evenly",
                total_variable, c->total, tasks_variable, c->list, c->sum, c->total);
        } else if (c->each > 0 && most < c->total) {
            hitop_host_list_warn(l, "%s=%d, but %s=%d on %d hosts is %ld ranks; counted are %d",
                                 total_variable, c->total, each_variable, c->each, nnodes, most,
                                 c->total);
        }
        spread(tasks, nnodes, c->total);
        return;
    }
    for (int i = 0; i < nnodes; i++) {
        tasks[i] = c->each > 0 ? c->each : 1;
    }
    if (c->each > 0 && c->list && c->sum != most) {
        hitop_host_list_warn(
            l, "%s=%d on %d hosts is %ld ranks, but %s=%.100s is %ld; srun starts %ld",
            each_variable, c->each, nnodes, most, tasks_variable, c->list, c->sum, most);
    } else if (c->each == 0 && c->list && c->sum != nnodes) {
        hitop_host_list_warn(
            l,
            "%s=%.100s is %ld ranks, but %s is not set: srun starts one on each of the "
            "%d hosts; for %ld set %s=%ld",
            tasks_variable, c->list, c->sum, total_variable, nnodes, c->sum, total_variable,
            c->sum);
    }
}

/* Number of ranks that srun starts on each node. */
static enum hitop_status count_tasks(struct host_list *l, int *tasks, int nnodes)
{
    struct counts c = {.list = getenv(tasks_variable)};
    enum hitop_status status = read_number(total_variable, &c.total, l->diag);

    if (status == HITOP_OK && c.total == 0) {
        status = read_number("SLURM_NPROCS", &c.total, l->diag);
    }
    if (status == HITOP_OK) {
        status = read_number(each_variable, &c.each, l->diag);
    }
    if (status == HITOP_OK && c.list) {
        char *copy = strdup(c.list);
        status = copy ? read_tasks(copy, tasks, nnodes, l->diag)
                      : hitop_fail(l->diag, HITOP_ERR_NOMEM, "host list: out of memory");
        free(copy);
        for (int i = 0; i < nnodes && status == HITOP_OK; i++) {
            c.sum += tasks[i];
        }
    }
    if (status == HITOP_OK) {
        choose_tasks(l, &c, tasks, nnodes);
    }
    return status;
}

/* Read the file of an arbitrary distribution, which has the host of each rank. */
static enum hitop_status read_file(struct hitop_hosts *out, struct hitop_diag *diag)
{
    struct hitop_diag why = HITOP_DIAG_INIT;
    const enum hitop_status status = hitop_hosts_read(getenv(file_variable), out, &why);

    return status == HITOP_OK
               ? status
               : hitop_fail(diag, status == HITOP_ERR_NOMEM ? status : HITOP_ERR_INVALID,
                            "%s: %.400s", file_variable, why.message);
}

static void warn_about_parts(struct host_list *l)
{
    const char *size = getenv("SLURM_HET_SIZE");
    int n = 0;

    if (size && hitop_text_int(size, 1, INT_MAX, &n, NULL) == HITOP_OK && n > 1) {
        hitop_host_list_warn(
            l, "the job has %d parts (SLURM_HET_SIZE); these are the hosts of the first", n);
    }
}

enum hitop_status hitop_hosts_read_slurm(struct hitop_hosts *out, struct hitop_diag *diag)
{
    int *tasks = NULL, turn = INT_MAX;
    const char *file = getenv(file_variable);
    struct hitop_hosts nodes = {0};
    struct host_list l;
    enum hitop_status status = hitop_host_list_begin(&l, out, diag);

    if (status == HITOP_OK) {
        status = read_nodes(&nodes, diag);
    }
    if (status == HITOP_OK && file && file[0]) {
        hitop_hosts_clear(&nodes);
        hitop_hosts_clear(out);
        return read_file(out, diag);
    }
    if (status == HITOP_OK) {
        status = STORAGE_ARRAY(l.text, tasks, nodes.nranks)
                     ? count_tasks(&l, tasks, nodes.nranks)
                     : hitop_fail(diag, HITOP_ERR_NOMEM, "host list: out of memory");
    }
    if (status == HITOP_OK) {
        warn_about_parts(&l);
        status = read_turn(&turn, diag);
    }
    if (status == HITOP_OK) {
        status = distribute(&l, &nodes, tasks, turn);
    }
    if (status == HITOP_OK) {
        status = hitop_host_list_settle(&l);
    }
    hitop_hosts_clear(&nodes);
    if (status != HITOP_OK) {
        hitop_hosts_clear(out);
    }
    return status;
}

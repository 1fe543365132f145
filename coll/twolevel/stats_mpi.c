/* SPDX-License-Identifier: BSD-3-Clause */
/* stats_mpi.c - collect the ranks' statistics, and write them where HITOP_STATS says. */
#include <config.h>

#include "coll/runtime/job_files.h"
#include "coll/runtime/message.h"
#include "coll/twolevel/comm_state_mpi.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void hitop_stats_begin(struct hitop_comm *c)
{
    /* when out of memory, this rank's arrivals are not recorded */
    c->watch = calloc(1, sizeof(*c->watch));
    if (c->watch) {
        hitop_arrival_times_init(&c->watch->arrivals);
        hitop_comm_name(c, c->watch->name);
    }
}

void hitop_stats_arrive(struct hitop_comm *c)
{
    hitop_arrival_times_note(&c->watch->arrivals, c->seq, hitop_wait_clock());
}

/* Combine the counters of all ranks at rank 0; calls are the same on all ranks. */
static int add_counters(const struct hitop_comm *c, struct hitop_stats_report *r)
{
    uint64_t own[HITOP_COUNTS], most = r->sum.pending_most;
    int code;

    memcpy(own, r->sum.counts, sizeof(own));
    code = PMPI_Reduce(own, r->sum.counts, HITOP_COUNTS, MPI_UINT64_T, MPI_SUM, 0, c->wire);
    if (code == MPI_SUCCESS) {
        code = PMPI_Reduce(&most, &r->sum.pending_most, 1, MPI_UINT64_T, MPI_MAX, 0, c->wire);
    }
    return code;
}

/*
 * Count each operation by the time from the first to the last arrival on the node, at its first
 * rank.
 */
static int add_node_skew(const struct hitop_arrival_times *a, int n, MPI_Comm node, uint64_t *skew)
{
    static const struct hitop_arrival_times nothing;
    uint64_t first[HITOP_ARRIVAL_TIMES], last[HITOP_ARRIVAL_TIMES];
    int local = 0, nlocal = 1, code;

    a = a ? a : &nothing;
    (void)PMPI_Comm_rank(node, &local);
    (void)PMPI_Comm_size(node, &nlocal);
    code = PMPI_Reduce(a->at, first, n, MPI_UINT64_T, MPI_MIN, 0, node);
    if (code == MPI_SUCCESS) {
        code = PMPI_Reduce(a->at, last, n, MPI_UINT64_T, MPI_MAX, 0, node);
    }
    for (int i = 0; code == MPI_SUCCESS && local == 0 && nlocal > 1 && i < n; i++) {
        skew[hitop_skew_bucket(last[i] - first[i])]++;
    }
    return code;
}

static int add_skew(const struct hitop_comm *c, struct hitop_stats_report *r)
{
    const struct hitop_arrival_times *a = c->watch ? &c->watch->arrivals : NULL;
    uint64_t skew[HITOP_SKEWS] = {0};
    MPI_Comm node = MPI_COMM_NULL;
    int n = a ? a->n : 0;
    int code = PMPI_Allreduce(MPI_IN_PLACE, &n, 1, MPI_INT, MPI_MIN, c->wire);

    if (code == MPI_SUCCESS) {
        code = PMPI_Comm_split(c->wire, c->node, c->local, &node);
    }
    if (code == MPI_SUCCESS) {
        code = add_node_skew(a, n, node, skew);
        (void)PMPI_Comm_free(&node);
    }
    if (code == MPI_SUCCESS) {
        code = PMPI_Reduce(skew, r->skew, HITOP_SKEWS, MPI_UINT64_T, MPI_SUM, 0, c->wire);
    }
    r->stride = a ? a->stride : 1;
    return code;
}

/*
 * Append `text` completely or not at all, also where several communicators end at once: one write
 * at the end of the file. O_NONBLOCK: a FIFO without a reader is an error (ENXIO) instead of a
 * wait; the write itself waits for a slow reader.
 */
static int append(const char *path, const char *text, size_t length)
{
    const int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC;
    const int fd = open(path, flags | O_NONBLOCK, 0666);
    const int failed =
        fd < 0 || fcntl(fd, F_SETFL, O_APPEND) != 0 || write(fd, text, length) != (ssize_t)length;

    if (fd >= 0) {
        (void)close(fd);
    }
    return failed;
}

/* The whole text, in memory that the caller frees; NULL when out of memory. */
static char *write_text(const struct hitop_stats_report *r, int is_json, size_t *length)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, length);

    if (!out) {
        return NULL;
    }
    if (is_json) {
        (void)hitop_stats_put_json(r, out);
    } else {
        hitop_stats_put_text(r, out);
    }
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* The file for the statistics; NULL: standard error. */
static char *find_file(void)
{
    const char *name = getenv("HITOP_STATS");

    return name && strcmp(name, "0") != 0 && strcmp(name, "1") != 0 ? hitop_job_path("HITOP_STATS")
                                                                    : NULL;
}

static void write_report(const struct hitop_stats_report *r)
{
    char *path = find_file();
    const size_t end = path ? strlen(path) : 0;
    size_t length = 0;
    char *text = write_text(r, end > 5 && strcmp(path + end - 5, ".json") == 0, &length);

    if (text && !path) {
        hitop_message_text(text);
    } else if (text && append(path, text, length)) {
        hitop_message("hitop: HITOP_STATS=%s: %s\n", path, strerror(errno));
    }
    free(text);
    free(path);
}

void hitop_stats_end(struct hitop_comm *c)
{
    const int served = c->mode == HITOP_COMM_READY;
    const int is_broken = c->mode == HITOP_COMM_BROKEN; /* other ranks may not answer */
    struct hitop_stats_report r = {.name = c->watch ? c->watch->name : "",
                                   .nranks = c->size,
                                   .nnodes = served || is_broken ? c->nnodes : 0,
                                   .sum = c->stats,
                                   .compared = c->compared};
    int code = MPI_SUCCESS;

    if (!c->agreed || !c->settings.stats || c->stats_reported) {
        return;
    }
    c->stats_reported = 1;
    r.sum.counts[HITOP_COUNT_WAITS] = c->wait.waits + c->shared.wait.waits;
    r.sum.counts[HITOP_COUNT_WAITS_ROOM] = c->shared.waits_room;
    if (served) {
        code = add_counters(c, &r);
    }
    if (served && code == MPI_SUCCESS) {
        code = add_skew(c, &r);
    }
    if (c->rank == 0 && code == MPI_SUCCESS) {
        write_report(&r);
    }
    free(c->watch);
    c->watch = NULL;
}

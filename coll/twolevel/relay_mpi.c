/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * relay_mpi.c - progress of segments: from the parent, to the children and into the node's memory.
 */
#include <config.h>

#include "coll/twolevel/relay_mpi.h"

#include "coll/twolevel/bcast_choice.h"

#include <stdlib.h>
#ifndef HITOP_SMPI
#include <sys/resource.h>
#endif

/* Most segments in flight from or to one other node. */
enum { WINDOW = 16 };

/*
 * c->lead, the number of segments that may be ahead of another one on the link, is 1 at first. Each
 * paced message multiplies a larger number by lead_kept; above longest_lead there is no pacing.
 */
static const double longest_lead = 8, lead_kept = 0.9;

struct relay_child {
    struct relay_child *next;
    int rank;
    size_t sent, complete; /* segments passed to MPI; those of them whose sends are complete */
    MPI_Request requests[WINDOW];
};

/* Number of times that other processes have taken this thread's processor. */
static long times_lost(void)
{
#ifdef HITOP_SMPI /* simulated processors are not shared */
    return 0;
#else
    struct rusage usage;

    return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_nivcsw : 0;
#endif
}

static size_t segment_bytes(const struct relay *r, size_t index)
{
    const size_t offset = index * r->segment;

    return r->total - offset < r->segment ? r->total - offset : r->segment;
}

void hitop_relay_open(struct relay *r, struct hitop_comm *c, unsigned char *data, size_t total,
                      size_t segment, int parent)
{
    *r = (struct relay){.c = c,
                        .data = data,
                        .total = total,
                        .segment = segment,
                        .nsegments = (total + segment - 1) / segment,
                        .parent = parent,
                        .is_paced =
                            c->wait.alone && c->choices->is_measured && c->lead <= longest_lead};
    hitop_node_open(&r->share, total, c->dynamic.next);
    if (r->is_paced) {
        r->lost = times_lost();
        c->lead = c->lead > 1 / lead_kept ? c->lead * lead_kept : 1;
    }
    if (parent == MPI_PROC_NULL) {
        r->arrived = r->nsegments;
    } else {
        r->requests = hitop_comm_memory(c, WINDOW * sizeof(*r->requests));
    }
}

void hitop_relay_add(struct relay *r, int rank)
{
    struct relay_child *child = hitop_comm_memory(r->c, sizeof(*child)), **last = &r->children;

    child->next = NULL;
    child->rank = rank;
    child->sent = child->complete = 0;
    while (*last) {
        last = &(*last)->next;
    }
    *last = child;
}

/* Post receives up to the window, and test the oldest ones. */
static int receive(struct relay *r, int *moved)
{
    int code = MPI_SUCCESS;

    while (r->posted < r->nsegments && r->posted < r->arrived + WINDOW && code == MPI_SUCCESS) {
        code = PMPI_Irecv(r->data + r->posted * r->segment, (int)segment_bytes(r, r->posted),
                          MPI_BYTE, r->parent, hitop_comm_tag(r->c, HITOP_TAG_SEGMENT), r->c->wire,
                          &r->requests[r->posted % WINDOW]);
        r->posted++;
    }
    while (r->arrived < r->posted && code == MPI_SUCCESS) {
        int flag = 0;
        code = PMPI_Test(&r->requests[r->arrived % WINDOW], &flag, MPI_STATUS_IGNORE);
        if (!flag) {
            break;
        }
        r->arrived++;
        *moved = 1;
    }
    return code;
}

/* Test the oldest sends to a child. */
static int note_sent(struct relay_child *child, int *moved)
{
    int code = MPI_SUCCESS;

    while (child->complete < child->sent && code == MPI_SUCCESS) {
        int flag = 0;
        code = PMPI_Test(&child->requests[child->complete % WINDOW], &flag, MPI_STATUS_IGNORE);
        if (!flag) {
            break;
        }
        child->complete++;
        *moved = 1;
    }
    return code;
}

/*
 * A link may be faster than its model: a message occupies it for at least this fraction of the
 * predicted time.
 */
static const double least_busy = 0.5;

/*
 * Reserve the link for `bytes` to a child, unless too much is ahead of them: then return 0. If a
 * refused segment is tried again only after the link has been idle for longer than the segment
 * takes, this process has lost its processor meanwhile: double c->lead, and end pacing if it
 * becomes too large.
 */
static int reserve_link(struct relay *r, const struct relay_child *child, size_t bytes)
{
    struct hitop_comm *c = r->c;
    const struct hitop_cost *cost = &c->choices->cost;
    double now, busy;

    if (!r->is_paced) {
        return 1;
    }
    now = PMPI_Wtime();
    busy = least_busy * cost->occupancy(cost->self, c->node, c->node_of[child->rank], bytes);
    if (r->link_free > now + c->lead * busy) {
        r->is_refused = 1;
        return 0;
    }
    if (r->is_refused && now - r->link_free > busy) {
        c->lead *= 2;
        r->is_paced = c->lead <= longest_lead;
    }
    r->is_refused = 0;
    r->link_free = (r->link_free > now ? r->link_free : now) + busy;
    return 1;
}

/* Send at most one more segment to each child, in turn. */
static int forward_one(struct relay *r, int *handed)
{
    struct relay_child *const first = r->turn ? r->turn : r->children, *child = first;
    int code = MPI_SUCCESS;

    while (child && code == MPI_SUCCESS) {
        if (child->sent < r->arrived && child->sent < child->complete + WINDOW) {
            const size_t k = child->sent;
            if (!reserve_link(r, child, segment_bytes(r, k))) {
                break;
            }
            code = PMPI_Isend(r->data + k * r->segment, (int)segment_bytes(r, k), MPI_BYTE,
                              child->rank, hitop_comm_tag(r->c, HITOP_TAG_SEGMENT), r->c->wire,
                              &child->requests[k % WINDOW]);
            child->sent++;
            *handed = 1;
        }
        child = child->next ? child->next : r->children;
        if (child == first) {
            break;
        }
    }
    r->turn = child;
    return code;
}

/*
 * Send all that may be sent now; on a paced link one segment to each child, because this process
 * may lose its processor before the next step.
 */
static int forward(struct relay *r, int *moved)
{
    int code, handed;

    do {
        handed = 0;
        code = forward_one(r, &handed);
        *moved |= handed;
    } while (code == MPI_SUCCESS && handed && !r->is_paced);
    return code;
}

/* A copy of this many bytes takes about 50 us, less than a time slice. */
static const size_t turn_bytes = 262144;

/*
 * Write what has arrived to the node's memory, as much as fits: at most one segment in a step,
 * because other nodes wait for segments or announce leaders meanwhile; up to turn_bytes where this
 * process may lose its processor before the next step.
 */
static void share(struct relay *r, int *moved)
{
    const size_t there = r->arrived == r->nsegments ? r->total : r->arrived * r->segment;
    const size_t rest = there - r->share.written;
    const size_t most = r->c->wait.alone || r->segment > turn_bytes ? r->segment : turn_bytes;
    const int is_cut = rest > most && r->total > HITOP_NODE_SHORT;

    if (rest > 0 && hitop_node_write(&r->c->shared, &r->share, r->data + r->share.written,
                                     is_cut ? most : rest) > 0) {
        *moved = 1;
    }
}

int hitop_relay_step(struct relay *r, int *moved, int *busy)
{
    int code = MPI_SUCCESS;

    *busy = 0;
    if (r->parent != MPI_PROC_NULL) {
        code = receive(r, moved);
        *busy |= r->arrived < r->nsegments;
    }
    if (code == MPI_SUCCESS) {
        code = forward(r, moved);
    }
    if (r->c->nlocal > 1 && r->share.written < r->total) {
        share(r, moved);
        *busy |= r->share.written < r->total;
    }
    for (struct relay_child *k = r->children; k && code == MPI_SUCCESS; k = k->next) {
        code = note_sent(k, moved);
        *busy |= k->complete < r->nsegments;
    }
    return code;
}

/* For the watchdog. */
static void print_awaited(const void *relay, FILE *line)
{
    const struct relay *r = relay;

    fprintf(line, "%zu of %zu segments have come", r->arrived, r->nsegments);
    if (r->parent != MPI_PROC_NULL) {
        fprintf(line, " from rank %d", r->parent);
    }
    for (const struct relay_child *k = r->children; k; k = k->next) {
        fprintf(line, ", %zu have gone to rank %d", k->complete, k->rank);
    }
}

static int step(void *relay, int *moved, int *busy)
{
    return hitop_relay_step(relay, moved, busy);
}

int hitop_relay_run(struct relay *r)
{
    return hitop_comm_progress(r->c, step, print_awaited, r);
}

void hitop_relay_close(struct relay *r)
{
    if (r->is_paced && times_lost() > r->lost) {
        r->c->lead *= 2;
    }
    while (r->children) {
        struct relay_child *next = r->children->next;
        free(r->children);
        r->children = next;
    }
    free(r->requests);
}

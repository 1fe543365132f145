/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bcast_announced_mpi.c - a broadcast over several nodes with dynamic leaders.
 *
 * Idea:   On every node but the root's the first process to arrive leads, and sends a leader
 *         announcement to the root. The root serves the leaders that have arrived, along a tree:
 *         the leader at the top of a branch gets the list of the others in the branch. Further
 *         batches serve late nodes. While a long message is being sent to one batch, the root
 *         collects the next one, because the two would share the root's link. A message that MPI
 *         sends without waiting for its receiver does not wait for late nodes: after some time the
 *         root sends it to the rank that is likely to lead, and returns.
 * Cost:   One short message to the root, then the cost of the tree over the nodes that have
 *         arrived.
 * Needs:  At most MEET_NODES nodes.
 * Source: the CP ("competitive and pipelined") broadcasts of Liu, Song et al., Journal of Software
 *         22 (2011), where a node is one process.
 */
#include <config.h>

#include "coll/twolevel/bcast_between.h"

/*
 * The unit of lateness, as a multiple of the patience. It is large because a single process that
 * loses its processor for long proves little. Processes that share processors are late by the time
 * slices of others.
 */
static const double much = 5, much_shared = 30;

/*
 * A root that judges arrivals waits for this multiple of its patience, to see how late other ranks
 * are.
 */
static const double judging = 16;

/* Does the root judge arrivals by this operation? */
static int judges(struct hitop_comm *c)
{
    return c->settings.style == HITOP_STYLE_AUTO && hitop_arrivals_is_judged(&c->meet.arrivals);
}

/* Seconds for which the root waits for leaders before it sends to the likely ones. */
static double patience_of(const struct hitop_comm *c, int is_judged)
{
    return (is_judged && c->meet.waits < judging ? judging : c->meet.waits) * c->meet.patience;
}

/* After a judged operation: the latest default leader was late by `late` seconds. */
static void learn(struct hitop_comm *c, double late)
{
    hitop_arrivals_learn(&c->meet.arrivals,
                         late / ((c->wait.alone ? much : much_shared) * c->meet.patience));
}

/*
 * The first batch of a long message waits for at most this fraction (1 / FIRST_HOLD) of the
 * message's time on the link.
 */
enum { FIRST_HOLD = 8 };

/* Bytes of the longest message that the root sends to a node before its leader announces itself. */
enum { PUSHED = 64 * 1024 };

/* The state of the root while it serves. */
struct service {
    struct bcast *b;
    struct header h;
    struct relay relay;
    int unsettled; /* nodes without a known leader to which nothing is sent yet */
    int is_judged; /* see judges() */
    double late;   /* seconds by which the latest default leader is late */
    double began;
    double patience; /* seconds */
    double hold;     /* time until which the next batch waits, see hold_others() */
    int nready;      /* nodes with a known leader that are not served yet */
    int node[MEET_NODES], rank[MEET_NODES]; /* node[1..nready]; the leader of each node */
    unsigned char settled[MEET_NODES];
    struct hitop_branch list[MEET_NODES];
};

/*
 * A link that is not measured is usually faster than the guessed model: only this fraction of the
 * model's time counts.
 */
static const double guessed = 0.25;

/* Seconds for which the message to one node occupies the root's link. */
static double line_time(const struct service *s, int node)
{
    const struct hitop_comm *c = s->b->c;
    const struct hitop_cost *cost = hitop_route_cost(c->route);
    const double seconds = cost->occupancy(cost->self, c->node, node, s->b->bytes);

    return hitop_route_is_trusted(c->route) ? seconds : guessed * seconds;
}

/*
 * Leaders that arrive while a long message is sent form the next batch, because they would share
 * the link.
 */
static void hold_others(struct service *s, int nlist)
{
    s->hold = PMPI_Wtime();
    for (int i = 0; i < nlist; i += 1 + s->list[i].below) {
        s->hold += line_time(s, s->b->c->node_of[s->list[i].rank]);
    }
}

static int line_is_free(const struct service *s)
{
    return s->hold <= 0 || PMPI_Wtime() >= s->hold;
}

/* Serve all known leaders that are not served yet. */
static int serve(struct service *s)
{
    struct hitop_comm *c = s->b->c;
    const int *node = s->node, *rank = s->rank;
    int n = s->nready;
    struct hitop_tree *part = NULL;
    const struct hitop_tree *tree;
    int by_place[MEET_NODES];

    s->nready = 0;
    s->node[0] = c->node;
    s->rank[c->node] = c->rank;
    if (n + 1 == c->nnodes) { /* the cached tree numbers its nodes as the communicator does */
        tree = hitop_route_tree(c->route, s->h.builder, node[0], s->b->bytes);
    } else {
        tree = part = hitop_route_part(c->route, s->h.builder, node, n + 1, s->b->bytes);
        for (int i = 0; i <= n; i++) {
            by_place[i] = rank[node[i]];
        }
    }
    if (!tree) {
        hitop_failure_abort(c->wire, "out of memory for a tree of nodes");
        return MPI_ERR_NO_MEM;
    }
    n = hitop_branch_list(tree, part ? by_place : rank, s->list);
    hitop_tree_free(part);
    if (!(s->h.flags & HEADER_WHOLE)) {
        hold_others(s, n);
    }
    return hitop_header_serve_list(c, &s->h, s->list, n, s->b->data, &s->relay);
}

/*
 * A node has been missing until now. About half of the nodes have other nodes below them in a tree,
 * so half of the time counts.
 */
static void note_missing(struct service *s)
{
    const double missed = (PMPI_Wtime() - s->began - s->b->c->meet.patience) / 2;

    if (s->is_judged && s->b->c->nnodes > 2 && missed > s->late) {
        s->late = missed;
    }
}

/* A short message starts when half of the leaders are known and none is served yet. */
static int is_half(const struct service *s)
{
    return (s->h.flags & HEADER_WHOLE) && s->nready > s->unsettled &&
           s->nready + s->unsettled == s->b->c->nnodes - 1;
}

/* Receive leader announcements. */
static int hear(struct service *s, int *moved)
{
    struct hitop_comm *c = s->b->c;
    const int before = s->nready;
    int found = 1, code = MPI_SUCCESS;

    while (found && s->unsettled > 0 && code == MPI_SUCCESS && !is_half(s)) {
        struct meet_ready ready;

        code = hitop_meet_take(c, &ready, &found);
        if (code == MPI_SUCCESS && found) {
            const int node = c->node_of[ready.rank];
            s->node[++s->nready] = node;
            s->rank[node] = ready.rank;
            s->settled[node] = 1;
            s->unsettled--;
            *moved = 1;
            s->late = (double)ready.late > s->late * 1e9 ? (double)ready.late * 1e-9 : s->late;
            hitop_meet_compare(c, ready.rank);
        }
    }
    if (s->nready > before) {
        note_missing(s);
    }
    return code;
}

/* Does MPI send the message without waiting for its receiver? */
static int may_push(const struct service *s)
{
    return (s->h.flags & HEADER_WHOLE) ||
           (s->b->bytes <= PUSHED && s->h.segment <= (uint32_t)s->b->c->eager);
}

/* Send a header of `bytes`, and segments, to the likely leader of a node. */
static int push_to(struct service *s, int node, int bytes)
{
    struct hitop_comm *c = s->b->c;
    int code = hitop_meet_push(c, node, &s->h, bytes);

    s->settled[node] = 1;
    s->unsettled--;
    if (code == MPI_SUCCESS && !(s->h.flags & HEADER_WHOLE)) {
        s->hold = PMPI_Wtime() + line_time(s, node);
        code = hitop_relay_add(&s->relay, c->meet.nodes[node].likely);
    }
    return code;
}

/*
 * Send a short message to all nodes without a known leader, a long one to the next such node only,
 * because the messages share the link.
 */
static int push(struct service *s, int *moved)
{
    struct hitop_comm *c = s->b->c;
    const uint32_t flags = s->h.flags;
    const int bytes = hitop_header_fill(&s->h, NULL, 0, s->b->data);
    int code = MPI_SUCCESS;

    s->h.flags |= HEADER_UNASKED;
    for (int node = 0; node < c->nnodes && code == MPI_SUCCESS; node++) {
        if (!s->settled[node] && hitop_meet_may_push(c, node, s->b->bytes)) {
            code = push_to(s, node, bytes);
            *moved = 1;
            if (!(s->h.flags & HEADER_WHOLE)) {
                break;
            }
        }
    }
    s->h.flags = flags;
    return code;
}

/* For the watchdog. */
static void tell_unsettled(const void *service, FILE *line)
{
    const struct service *s = service;

    fprintf(line, "%d nodes have not come:", s->unsettled);
    for (int node = 0; node < s->b->c->nnodes; node++) {
        if (!s->settled[node]) {
            fprintf(line, " that of rank %d", s->b->c->first_of[node]);
        }
    }
}

static int be_root(struct service *s)
{
    int code = MPI_SUCCESS, busy = 1;
    unsigned round = 0;

    watchdog_awaits(s->b->c, tell_unsettled, s);
    while ((s->unsettled > 0 || s->nready > 0 || busy) && code == MPI_SUCCESS) {
        int moved = 0;

        code = hear(s, &moved);
        if (code == MPI_SUCCESS && s->nready > 0 && line_is_free(s)) {
            code = serve(s);
            moved = 1;
        }
        if (code == MPI_SUCCESS && s->unsettled > 0 && !moved &&
            PMPI_Wtime() - s->began > s->patience) {
            note_missing(s);
            if (may_push(s) && line_is_free(s)) {
                code = push(s, &moved);
            }
        }
        if (code == MPI_SUCCESS) {
            code = hitop_relay_step(&s->relay, &moved, &busy);
        }
        if (moved) {
            round = 0;
        } else if (s->unsettled > 0 || s->nready > 0 || busy) {
            hitop_wait_relax(&s->b->c->wait, &round);
        }
    }
    return code;
}

static int root_part(struct bcast *b)
{
    struct hitop_comm *c = b->c;
    struct service s = {.b = b, .unsettled = c->nnodes - 1, .began = PMPI_Wtime()};
    int code;

    s.is_judged = judges(c);
    s.patience = patience_of(c, s.is_judged);
    hitop_header_write(b, &s.h);
    s.settled[c->node] = 1;
    if (!(s.h.flags & HEADER_WHOLE)) { /* leaders that arrive together are served together */
        const double first = line_time(&s, c->node > 0 ? 0 : 1) / FIRST_HOLD;
        s.hold = s.began + (first < s.patience ? first : s.patience);
    }
    b->total = b->bytes;
    code = hitop_relay_open(&s.relay, c, b->data, b->bytes, s.h.segment, MPI_PROC_NULL);
    /* its own node first: receiving announcements may cost a time slice */
    if (code == MPI_SUCCESS) {
        int moved = 0, busy;
        code = hitop_relay_step(&s.relay, &moved, &busy);
    }
    if (code == MPI_SUCCESS) {
        code = be_root(&s);
    }
    hitop_relay_close(&s.relay);
    if (s.is_judged) {
        learn(c, s.late);
    }
    return code;
}

/*
 * A rank on another node waits for the message: the leader that sent its announcement at the time
 * `told`, or a rank that may be the likely leader (told is 0).
 */
static int await(struct bcast *b, struct header *h, uint64_t told)
{
    struct hitop_comm *c = b->c;
    const int leads = told > 0;
    struct hitop_wait *wait = leads ? &c->wait : &c->shared.wait;
    unsigned round = 0;
    int found = 0, code = MPI_SUCCESS;

    watchdog_awaits(c, hitop_header_tell_missing, b);
    for (;;) {
        if (c->nlocal > 1 && hitop_node_is_published(&c->shared)) {
            b->total = hitop_node_read(&c->shared, b->data, b->bytes, &c->meet.next);
            return MPI_SUCCESS;
        }
        if (leads || hitop_wait_moves_mpi(wait, round)) {
            code = hitop_header_take(b, h, &found);
        }
        if (code != MPI_SUCCESS) {
            return code;
        }
        if (found) {
            if (leads && !(h->flags & HEADER_UNASKED)) {
                hitop_meet_heard(c, b->root, hitop_wait_clock() - told);
            }
            return MPI_SUCCESS;
        }
        hitop_wait_relax(wait, &round);
    }
}

int hitop_bcast_announced(struct bcast *b, struct header *h)
{
    struct hitop_comm *c = b->c;
    uint64_t told = 0;
    int code = MPI_SUCCESS;

    if (c->rank == b->root) {
        return root_part(b);
    }
    if (c->node == c->node_of[b->root]) {
        b->total = hitop_node_read(&c->shared, b->data, b->bytes, &c->meet.next);
        return MPI_SUCCESS;
    }
    if (c->local == 0 && c->nlocal > 1) {
        hitop_node_note_lateness(&c->shared);
    }
    if (c->nlocal == 1 || hitop_node_claim(&c->shared)) {
        told = hitop_wait_clock();
        c->stats.counts[HITOP_COUNT_ELECTIONS]++;
        code = hitop_meet_tell(c, b->root, c->rank,
                               c->nlocal > 1 ? hitop_node_lateness(&c->shared, 0) : 0);
    }
    return code == MPI_SUCCESS ? await(b, h, told) : code;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bcast_dynamic_mpi.c - a broadcast over several nodes with dynamic leaders.
 *
 * Idea:   On every node but the root's the first process to arrive leads, and sends a leader
 *         announcement to the root. The root serves the leaders that have arrived, along a tree:
 *         the leader at the top of a branch gets the list of the others in the branch. Further
 *         batches serve late nodes. While a long message is being sent to one batch, the root
 *         collects the next one, because the two would share the root's link. If a message is so
 *         short that MPI sends it without waiting for its receiver, the root does not wait for late
 *         nodes: after some time it sends the message to the likely leader of each late node, and
 *         returns.
 * Cost:   One short message to the root, then the cost of the tree over the nodes that have
 *         arrived.
 * Needs:  At most DYNAMIC_NODES nodes.
 * Source: the CP ("competitive and pipelined") broadcasts of Liu, Song et al., Journal of Software
 *         22 (2011), where a node is one process.
 */
#include <config.h>

#include "coll/twolevel/bcast_internode.h"

/*
 * The unit of lateness, as a multiple of the patience. It is large, so that one process that loses
 * its processor for long changes the score little; and larger where processes share processors,
 * because there they are late by the time slices of others.
 */
static const double lateness_unit = 5, lateness_unit_shared = 30;

/*
 * A root that judges arrivals waits for at least this multiple of its patience, to see how late
 * other ranks are.
 */
static const double judging = 16;

/* Does the root judge arrivals by this operation? */
static int judges(struct hitop_comm *c)
{
    return c->settings.algorithm == HITOP_BCAST_AUTO &&
           hitop_arrivals_is_judged(&c->dynamic.arrivals);
}

/* Seconds for which the root waits for leaders before it sends to the likely ones. */
static double patience_of(const struct hitop_comm *c, int is_judged)
{
    return (is_judged && c->dynamic.waits < judging ? judging : c->dynamic.waits) *
           c->dynamic.patience;
}

/*
 * After a judged operation, in which the root knew all leaders after `cost` seconds: the latest
 * default leader was late by `late` seconds.
 */
static void learn(struct hitop_comm *c, double late, double cost)
{
    hitop_arrivals_learn(
        &c->dynamic.arrivals,
        late / ((c->wait.alone ? lateness_unit : lateness_unit_shared) * c->dynamic.patience),
        cost);
}

/*
 * The first batch of a long message waits for at most 1 / FIRST_HOLD of the message's time on the
 * link.
 */
enum { FIRST_HOLD = 8 };

/* Bytes of the longest message that the root sends to a node before its leader announces itself. */
enum { PUSHED = 64 * 1024 };

/* The state of the root while it serves. */
struct service {
    struct bcast *b;
    struct header h;
    struct relay relay;
    int unserved;  /* nodes without a known leader to which nothing is sent yet */
    int is_judged; /* see judges() */
    double late;   /* seconds by which the latest default leader is late */
    double began;
    double known;    /* time at which all leaders are known or served; 0: before that */
    double patience; /* seconds */
    double hold;     /* time until which the next batch waits, see hold_others() */
    /* number of nodes with a known leader that are not served yet: node[1..nready] */
    int nready;
    int node[DYNAMIC_NODES], rank[DYNAMIC_NODES]; /* rank[i]: the leader of node i */
    unsigned char is_served[DYNAMIC_NODES];
    struct hitop_branch list[DYNAMIC_NODES];
};

/*
 * A link that is not measured is usually faster than the guessed model: only this fraction of the
 * model's time counts.
 */
static const double guessed = 0.25;

/* Seconds for which the message to one node occupies the root's link. */
static double link_time(const struct service *s, int node)
{
    const struct hitop_comm *c = s->b->c;
    const struct hitop_cost *cost = &c->choices->cost;
    const double seconds = cost->occupancy(cost->self, c->node, node, s->b->bytes);

    return c->choices->is_measured ? seconds : guessed * seconds;
}

/*
 * Leaders that arrive while a long message is sent form the next batch, because they would share
 * the link.
 */
static void hold_others(struct service *s, int nlist)
{
    s->hold = PMPI_Wtime();
    for (int i = 0; i < nlist; i += 1 + s->list[i].below) {
        s->hold += link_time(s, s->b->c->node_of[s->list[i].rank]);
    }
}

static int link_is_free(const struct service *s)
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
    int by_place[DYNAMIC_NODES];

    s->nready = 0;
    s->node[0] = c->node;
    s->rank[c->node] = c->rank;
    if (n + 1 == c->nnodes) { /* the cached tree numbers its nodes as the communicator does */
        tree = hitop_bcast_choice_tree(c->choices, s->h.builder, node[0], s->b->bytes);
    } else {
        tree = part = hitop_bcast_part_tree(c->choices, s->h.builder, node, n + 1, s->b->bytes);
        for (int i = 0; i <= n; i++) {
            by_place[i] = rank[node[i]];
        }
    }
    if (!tree) {
        hitop_failure_abort(c->wire, "out of memory for a tree of nodes");
    }
    n = hitop_branch_list(tree, part ? by_place : rank, s->list);
    hitop_tree_free(part);
    if (!(s->h.flags & HEADER_WHOLE)) {
        hold_others(s, n);
    }
    return hitop_header_serve_list(c, &s->h, s->list, n, s->b->data, &s->relay);
}

/*
 * A node has been missing until now. Half of the time counts, because only about half of the nodes
 * have other nodes below them in the tree.
 */
static void note_missing(struct service *s)
{
    const double missed = (PMPI_Wtime() - s->began - s->b->c->dynamic.patience) / 2;

    if (s->is_judged && s->b->c->nnodes > 2 && missed > s->late) {
        s->late = missed;
    }
}

/* Start a short message when more than half of the leaders are known and none is served yet. */
static int half_are_known(const struct service *s)
{
    return (s->h.flags & HEADER_WHOLE) && s->nready > s->unserved &&
           s->nready + s->unserved == s->b->c->nnodes - 1;
}

/* Receive leader announcements. */
static int receive_announcements(struct service *s, int *moved)
{
    struct hitop_comm *c = s->b->c;
    const int before = s->nready;
    int found = 1, code = MPI_SUCCESS;

    while (found && s->unserved > 0 && code == MPI_SUCCESS && !half_are_known(s)) {
        struct announcement ready;

        code = hitop_announcement_receive(c, &ready, &found);
        if (code == MPI_SUCCESS && found) {
            const int node = c->node_of[ready.rank];
            s->node[++s->nready] = node;
            s->rank[node] = ready.rank;
            s->is_served[node] = 1;
            s->unserved--;
            *moved = 1;
            s->late = (double)ready.late > s->late * 1e9 ? (double)ready.late * 1e-9 : s->late;
            hitop_announcements_note_leader(c, ready.rank);
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
    int code = hitop_push(c, node, &s->h, bytes);

    s->is_served[node] = 1;
    s->unserved--;
    if (code == MPI_SUCCESS && !(s->h.flags & HEADER_WHOLE)) {
        s->hold = PMPI_Wtime() + link_time(s, node);
        hitop_relay_add(&s->relay, c->dynamic.nodes[node].likely);
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
        if (!s->is_served[node] && hitop_push_is_allowed(c, node, s->b->bytes)) {
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
static void print_unserved(const void *service, FILE *line)
{
    const struct service *s = service;

    fprintf(line, "%d nodes have not come:", s->unserved);
    for (int node = 0; node < s->b->c->nnodes; node++) {
        if (!s->is_served[node]) {
            fprintf(line, " that of rank %d", s->b->c->first_of[node]);
        }
    }
}

static int step(void *service, int *moved, int *busy)
{
    struct service *s = service;
    int code = receive_announcements(s, moved);

    if (code == MPI_SUCCESS && s->nready > 0 && link_is_free(s)) {
        code = serve(s);
        *moved = 1;
    }
    if (code == MPI_SUCCESS && s->unserved > 0 && !*moved &&
        PMPI_Wtime() - s->began > s->patience) {
        note_missing(s);
        if (may_push(s) && link_is_free(s)) {
            code = push(s, moved);
        }
    }
    if (s->unserved == 0 && s->known <= 0) {
        s->known = PMPI_Wtime();
    }
    if (code == MPI_SUCCESS) {
        code = hitop_relay_step(&s->relay, moved, busy);
    }
    *busy |= s->unserved > 0 || s->nready > 0;
    return code;
}

static int root_part(struct bcast *b)
{
    struct hitop_comm *c = b->c;
    struct service s = {.b = b, .unserved = c->nnodes - 1, .began = PMPI_Wtime()};
    int code, moved = 0, busy;

    s.is_judged = judges(c);
    s.patience = patience_of(c, s.is_judged);
    hitop_header_write(b, &s.h);
    s.is_served[c->node] = 1;
    if (!(s.h.flags & HEADER_WHOLE)) { /* leaders that arrive together are served together */
        const double first = link_time(&s, c->node > 0 ? 0 : 1) / FIRST_HOLD;
        s.hold = s.began + (first < s.patience ? first : s.patience);
    }
    b->total = b->bytes;
    hitop_relay_open(&s.relay, c, b->data, b->bytes, s.h.segment, MPI_PROC_NULL);
    /* serve this node first: receiving announcements may cost a time slice */
    code = hitop_relay_step(&s.relay, &moved, &busy);
    if (code == MPI_SUCCESS) {
        code = hitop_comm_progress(c, step, print_unserved, &s);
    }
    hitop_relay_close(&s.relay);
    if (s.is_judged) {
        learn(c, s.late, s.known - s.began);
    }
    return code;
}

/*
 * A rank on another node waits for the message: the leader that sent its announcement at the time
 * `since`, or a rank that may be the likely leader (since is 0).
 */
static int await(struct bcast *b, struct header *h, uint64_t since)
{
    struct hitop_comm *c = b->c;
    const int leads = since > 0;
    struct hitop_wait *wait = leads ? &c->wait : &c->shared.wait;
    unsigned round = 0;
    int found = 0, code = MPI_SUCCESS;

    watchdog_awaits(c, hitop_header_print_missing, b);
    for (;;) {
        if (c->nlocal > 1 && hitop_node_is_published(&c->shared)) {
            b->total = hitop_node_read(&c->shared, b->data, b->bytes, &c->dynamic.next);
            return MPI_SUCCESS;
        }
        if (leads || hitop_wait_moves_mpi(wait, round)) {
            code = hitop_header_receive(b, h, &found);
        }
        if (code != MPI_SUCCESS) {
            return code;
        }
        if (found) {
            if (leads && !(h->flags & HEADER_UNASKED)) {
                hitop_announcements_note_answer(c, c->node_of[b->root],
                                                (double)(hitop_wait_clock() - since) * 1e-9);
            }
            return MPI_SUCCESS;
        }
        hitop_wait_relax(wait, &round);
    }
}

int hitop_bcast_dynamic(struct bcast *b, struct header *h)
{
    struct hitop_comm *c = b->c;
    uint64_t since = 0;
    int code = MPI_SUCCESS;

    if (c->rank == b->root) {
        return root_part(b);
    }
    if (c->node == c->node_of[b->root]) {
        b->total = hitop_node_read(&c->shared, b->data, b->bytes, &c->dynamic.next);
        return MPI_SUCCESS;
    }
    if (c->local == 0 && c->nlocal > 1) {
        hitop_node_note_lateness(&c->shared);
    }
    if (c->nlocal == 1 || hitop_node_claim(&c->shared)) {
        since = hitop_wait_clock();
        c->stats.counts[HITOP_COUNT_ELECTIONS]++;
        code = hitop_announce(c, b->root, c->rank,
                              c->nlocal > 1 ? hitop_node_lateness(&c->shared, 0) : 0);
    }
    return code == MPI_SUCCESS ? await(b, h, since) : code;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* announcement_mpi.c - leader announcements: sent without waiting, received in any order. */
#include <config.h>

#include "coll/twolevel/bcast_internode.h"

#include <stdlib.h>
#include <string.h>

/* A short message whose sender does not wait: a copy that MPI reads until the send is complete. */
struct buffered_send {
    struct buffered_send *next;
    MPI_Request request;
    unsigned char bytes[HITOP_HEADER_BYTES];
};

/* Returns 1 if some sends are not complete. Moves complete sends to the spare list. */
static int has_pending_sends(struct buffered_sends *p)
{
    struct buffered_send **link = &p->pending;

    while (*link) {
        struct buffered_send *send = *link;
        int left = 0;

        if (PMPI_Test(&send->request, &left, MPI_STATUS_IGNORE) != MPI_SUCCESS || left) {
            *link = send->next;
            send->next = p->spare;
            p->spare = send;
        } else {
            link = &send->next;
        }
    }
    return p->pending != NULL;
}

static int send_buffered(struct hitop_comm *c, int rank, enum hitop_tag tag, const void *bytes,
                         int n)
{
    struct buffered_sends *p = &c->dynamic.sends;
    struct buffered_send *send;
    int code;

    (void)has_pending_sends(p);
    send = p->spare ? p->spare : hitop_comm_memory(c, sizeof(*send));
    p->spare = p->spare ? send->next : NULL;
    memcpy(send->bytes, bytes, (size_t)n);
    code =
        PMPI_Isend(send->bytes, n, MPI_BYTE, rank, hitop_comm_tag(c, tag), c->wire, &send->request);
    if (code != MPI_SUCCESS) {
        free(send);
        return code;
    }
    send->next = p->pending;
    p->pending = send;
    return MPI_SUCCESS;
}

int hitop_announcements_create(struct hitop_comm *c)
{
    struct dynamic_leaders *m = &c->dynamic;

    m->nodes = calloc((size_t)c->nnodes, sizeof(*m->nodes));
    for (int node = 0; m->nodes && node < c->nnodes; node++) {
        m->nodes[node].likely = c->first_of[node];
    }
    return m->nodes ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

/* The shortest patience in seconds. Only messages through shared memory are answered faster. */
static const double least_patience = 5e-6;

/*
 * A root waits for at most longest_wait times its patience. A wrong guess of a leader multiplies
 * the wait by `growth`, a right one by `decay`: the wait grows unless about 7 of 10 guesses are
 * right.
 */
static const double longest_wait = 64, growth = 2, decay = 0.75;

void hitop_announcements_expect(struct hitop_comm *c, double seconds)
{
    for (int node = 0; node < c->nnodes; node++) {
        c->dynamic.nodes[node].answer = seconds;
    }
    c->dynamic.patience = seconds > least_patience ? seconds : least_patience;
    c->dynamic.waits = 1;
}

void hitop_announcements_note_answer(struct hitop_comm *c, int node, double seconds)
{
    struct dynamic_leaders *m = &c->dynamic;

    if (seconds >= m->nodes[node].answer) {
        return;
    }
    m->nodes[node].answer = seconds;
    m->patience = least_patience;
    for (int i = 0; i < c->nnodes; i++) {
        if (i != c->node && m->nodes[i].answer > m->patience) {
            m->patience = m->nodes[i].answer;
        }
    }
}

int hitop_announce(struct hitop_comm *c, int to, int leader, uint64_t late)
{
    const double answer = c->dynamic.nodes[c->node_of[to]].answer;
    const struct announcement message = {
        .seq = c->seq, .late = late, .answer = (uint64_t)(answer * 1e9), .rank = leader};

    return send_buffered(c, to, HITOP_TAG_ANNOUNCEMENT, &message, sizeof(message));
}

int hitop_push_is_allowed(const struct hitop_comm *c, int node, size_t total)
{
    const int pending = c->dynamic.nodes[node].pending;

    return pending < PENDING_MOST &&
           (pending == 0 || ((size_t)pending + 1) * total <= PENDING_BYTES);
}

int hitop_push(struct hitop_comm *c, int node, const void *header, int bytes)
{
    struct dynamic_leaders *m = &c->dynamic;

    m->nodes[node].pending++;
    m->npending++;
    m->nodes[node].sent = c->seq;
    if (c->stats.pending_most < (uint64_t)m->npending) {
        c->stats.pending_most = (uint64_t)m->npending;
    }
    return send_buffered(c, m->nodes[node].likely, HITOP_TAG_HEADER, header, bytes);
}

static void keep_early(struct hitop_comm *c, const struct announcement *message)
{
    struct dynamic_leaders *m = &c->dynamic;

    if (m->nearly == m->early_capacity) {
        const int capacity = m->early_capacity ? 2 * m->early_capacity : 16;
        struct announcement *more = realloc(m->early, (size_t)capacity * sizeof(*more));
        if (!more) {
            hitop_failure_abort(c->wire, "out of memory");
        }
        m->early = more;
        m->early_capacity = capacity;
    }
    m->early[m->nearly++] = *message;
}

/* Find an announcement that came before its operation began on this rank. */
static int find_early(struct hitop_comm *c, struct announcement *ready)
{
    struct dynamic_leaders *m = &c->dynamic;

    for (int i = 0; i < m->nearly; i++) {
        if (m->early[i].seq == c->seq) {
            *ready = m->early[i];
            m->early[i] = m->early[--m->nearly];
            return 1;
        }
    }
    return 0;
}

/* Receive one announcement of any operation. *found: 1 when there is one. */
static int receive(struct hitop_comm *c, struct announcement *message, int *found)
{
    MPI_Status status;
    const int tag = hitop_comm_tag(c, HITOP_TAG_ANNOUNCEMENT);
    int code = hitop_comm_probe(c, tag, found, &status);

    if (code != MPI_SUCCESS || !*found) {
        return code;
    }
    /* only this thread receives on this communicator: a plain probe is as good as a matched one */
    code = PMPI_Recv(message, sizeof(*message), MPI_BYTE, status.MPI_SOURCE, tag, c->wire,
                     MPI_STATUS_IGNORE);
    if (code == MPI_SUCCESS) {
        hitop_announcements_note_answer(c, c->node_of[status.MPI_SOURCE],
                                        (double)message->answer * 1e-9);
    }
    return code;
}

/*
 * A wrong guess delays the ranks of the node until the guessed process arrives, so it costs more
 * than a right guess saves. The root therefore waits longer where guesses are wrong, and only for
 * its patience where they are right.
 */
void hitop_announcements_note_leader(struct hitop_comm *c, int rank)
{
    struct dynamic_leaders *m = &c->dynamic;
    int *likely = &m->nodes[c->node_of[rank]].likely;

    if (*likely != rank) {
        m->waits = m->waits * growth < longest_wait ? m->waits * growth : longest_wait;
    } else {
        m->waits = m->waits * decay > 1 ? m->waits * decay : 1;
    }
    *likely = rank;
}

/* Is the announcement a pending one: has the root already sent to the leader's node? */
static int is_pending(const struct hitop_comm *c, const struct announcement *message)
{
    return message->seq < c->seq || c->dynamic.nodes[c->node_of[message->rank]].sent == c->seq;
}

/* A pending announcement has come. */
static void receive_pending(struct hitop_comm *c, int rank)
{
    struct dynamic_leaders *m = &c->dynamic;
    const int node = c->node_of[rank];

    m->nodes[node].pending--;
    m->npending--;
    if (m->nodes[node].likely == rank) {
        c->stats.counts[HITOP_COUNT_PUSH_HITS]++;
    } else {
        c->stats.counts[HITOP_COUNT_PUSH_MISSES]++;
    }
    hitop_announcements_note_leader(c, rank);
}

int hitop_announcement_receive(struct hitop_comm *c, struct announcement *ready, int *found)
{
    int code;

    *found = c->dynamic.nearly > 0 && find_early(c, ready);
    if (*found) {
        return MPI_SUCCESS;
    }
    while ((code = receive(c, ready, found)) == MPI_SUCCESS && *found) {
        if (ready->seq > c->seq) {
            keep_early(c, ready);
        } else if (is_pending(c, ready)) {
            receive_pending(c, ready->rank);
        } else {
            return MPI_SUCCESS;
        }
    }
    *found = 0;
    return code;
}

/* For the watchdog. */
static void print_pending(const void *leaders, FILE *line)
{
    const struct dynamic_leaders *m = leaders;

    fprintf(line, "before the communicator is freed, %d announcements are still to come and %s",
            m->npending, m->sends.pending ? "some to be sent" : "none to be sent");
}

void hitop_announcements_free(struct hitop_comm *c)
{
    struct dynamic_leaders *m = &c->dynamic;
    unsigned round = 0;
    int code = MPI_SUCCESS;

    watchdog_awaits(c, print_pending, m);
    while (c->mode == HITOP_COMM_READY && code == MPI_SUCCESS &&
           (has_pending_sends(&m->sends) || m->npending > 0)) {
        struct announcement message;
        int found;

        code = receive(c, &message, &found);
        if (code == MPI_SUCCESS && found) {
            receive_pending(c, message.rank);
        }
        hitop_wait_relax(&c->wait, &round);
    }
    /* MPI may still read messages whose sends are not complete: keep those */
    while (m->sends.spare) {
        struct buffered_send *next = m->sends.spare->next;

        free(m->sends.spare);
        m->sends.spare = next;
    }
    free(m->early);
    free(m->nodes);
    *m = (struct dynamic_leaders){0};
}

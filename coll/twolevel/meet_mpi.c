/* SPDX-License-Identifier: BSD-3-Clause */
/* meet_mpi.c - leader announcements: sent without waiting, received in any order. */
#include <config.h>

#include "coll/twolevel/bcast_between.h"

#include <stdlib.h>
#include <string.h>

/* A short message whose sender does not wait: a copy that MPI reads until the send is complete. */
struct letter {
    struct letter *next;
    MPI_Request request;
    unsigned char bytes[HITOP_HEADER_BYTES];
};

/* A READY: from a leader to the root, or from the root to a rank that serves the leader. */
struct told {
    uint64_t seq;
    uint64_t late;
    uint64_t answer; /* ns of the fastest answer from the receiver's node */
    int64_t rank;
};

/* 1: some sends are not complete; the memory of complete ones is spare again. */
static int post_is_busy(struct post *p)
{
    struct letter **link = &p->leaving;

    while (*link) {
        struct letter *letter = *link;
        int left = 0;

        if (PMPI_Test(&letter->request, &left, MPI_STATUS_IGNORE) != MPI_SUCCESS || left) {
            *link = letter->next;
            letter->next = p->spare;
            p->spare = letter;
        } else {
            link = &letter->next;
        }
    }
    return p->leaving != NULL;
}

static int post(struct hitop_comm *c, int rank, enum hitop_tag tag, const void *bytes, int n)
{
    struct post *p = &c->meet.post;
    struct letter *letter;
    int code;

    (void)post_is_busy(p);
    letter = p->spare ? p->spare : hitop_comm_memory(c, sizeof(*letter));
    if (!letter) {
        return MPI_ERR_NO_MEM;
    }
    p->spare = p->spare ? letter->next : NULL;
    memcpy(letter->bytes, bytes, (size_t)n);
    code = PMPI_Isend(letter->bytes, n, MPI_BYTE, rank, hitop_comm_tag(c, tag), c->wire,
                      &letter->request);
    if (code != MPI_SUCCESS) {
        free(letter);
        return code;
    }
    letter->next = p->leaving;
    p->leaving = letter;
    return MPI_SUCCESS;
}

int hitop_meet_create(struct hitop_comm *c)
{
    struct meet *m = &c->meet;

    m->nodes = calloc((size_t)c->nnodes, sizeof(*m->nodes));
    for (int node = 0; m->nodes && node < c->nnodes; node++) {
        m->nodes[node].likely = c->first_of[node];
    }
    return m->nodes ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

/* Seconds. A network seems faster than that only where processes share memory. */
static const double least_patience = 5e-6;

/*
 * A root waits for at most longest_wait times its patience. A wrong guess of a leader multiplies
 * its wait by the growth, a right one by the decay, so that it waits longer unless about 7 of 10
 * guesses are right.
 */
static const double longest_wait = 64, growth = 2, decay = 0.75;

void hitop_meet_expect(struct hitop_comm *c, double seconds)
{
    for (int node = 0; node < c->nnodes; node++) {
        c->meet.nodes[node].answer = seconds;
    }
    c->meet.patience = seconds > least_patience ? seconds : least_patience;
    c->meet.waits = 1;
}

static void note_answer(struct hitop_comm *c, int node, double seconds)
{
    struct meet *m = &c->meet;

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

void hitop_meet_heard(struct hitop_comm *c, int root, uint64_t ns)
{
    note_answer(c, c->node_of[root], (double)ns * 1e-9);
}

int hitop_meet_tell(struct hitop_comm *c, int to, int leader, uint64_t late)
{
    const double answer = c->meet.nodes[c->node_of[to]].answer;
    const struct told told = {
        .seq = c->seq, .late = late, .answer = (uint64_t)(answer * 1e9), .rank = leader};

    return post(c, to, HITOP_TAG_READY, &told, sizeof(told));
}

int hitop_meet_may_push(const struct hitop_comm *c, int node, size_t total)
{
    const int owed = c->meet.nodes[node].owed;

    return owed < MEET_CREDIT && (owed == 0 || ((size_t)owed + 1) * total <= MEET_BYTES);
}

int hitop_meet_push(struct hitop_comm *c, int node, const void *header, int bytes)
{
    struct meet *m = &c->meet;

    m->nodes[node].owed++;
    m->nowed++;
    m->nodes[node].sent = c->seq;
    if (c->stats.owed_most < (uint64_t)m->nowed) {
        c->stats.owed_most = (uint64_t)m->nowed;
    }
    return post(c, m->nodes[node].likely, HITOP_TAG_HEADER, header, bytes);
}

static void keep_early(struct hitop_comm *c, const struct told *told)
{
    struct meet *m = &c->meet;

    if (m->nearly == m->early_room) {
        const int room = m->early_room ? 2 * m->early_room : 16;
        struct meet_early *more = realloc(m->early, (size_t)room * sizeof(*more));
        if (!more) {
            hitop_failure_abort(c->wire, "out of memory");
            return;
        }
        m->early = more;
        m->early_room = room;
    }
    m->early[m->nearly++] =
        (struct meet_early){.seq = told->seq, .rank = (int)told->rank, .late = told->late};
}

/* Find an announcement that came before its operation began on this rank. */
static int find_early(struct hitop_comm *c, struct meet_ready *ready)
{
    struct meet *m = &c->meet;

    for (int i = 0; i < m->nearly; i++) {
        if (m->early[i].seq == c->seq) {
            *ready = (struct meet_ready){.rank = m->early[i].rank, .late = m->early[i].late};
            m->early[i] = m->early[--m->nearly];
            return 1;
        }
    }
    return 0;
}

/* Receive one READY of any operation. *found: 1 when there is one. */
static int receive(struct hitop_comm *c, struct told *told, int *found)
{
    MPI_Status status;
    const int tag = hitop_comm_tag(c, HITOP_TAG_READY);
    int code = hitop_comm_look(c, tag, found, &status);

    if (code != MPI_SUCCESS || !*found) {
        return code;
    }
    /* only this thread receives on this communicator: a plain probe is as good as a matched one */
    code = PMPI_Recv(told, sizeof(*told), MPI_BYTE, status.MPI_SOURCE, tag, c->wire,
                     MPI_STATUS_IGNORE);
    if (code == MPI_SUCCESS) {
        note_answer(c, c->node_of[status.MPI_SOURCE], (double)told->answer * 1e-9);
    }
    return code;
}

/*
 * A root that sends to the wrong process delays the ranks of the node that have arrived, until that
 * process arrives. So it waits longer where guesses of the leader are wrong, and for no more than
 * its patience where they are right. A wrong guess costs more than a right one saves.
 */
void hitop_meet_compare(struct hitop_comm *c, int rank)
{
    struct meet *m = &c->meet;
    int *likely = &m->nodes[c->node_of[rank]].likely;

    if (*likely != rank) {
        m->waits = m->waits * growth < longest_wait ? m->waits * growth : longest_wait;
    } else {
        m->waits = m->waits * decay > 1 ? m->waits * decay : 1;
    }
    *likely = rank;
}

/* Did the root send to this leader's node before, so that this announcement is a pending one? */
static int is_owed(const struct hitop_comm *c, const struct told *told)
{
    return told->seq < c->seq || c->meet.nodes[c->node_of[told->rank]].sent == c->seq;
}

/* A pending announcement has come. */
static void settle(struct hitop_comm *c, int rank)
{
    struct meet *m = &c->meet;
    const int node = c->node_of[rank];

    m->nodes[node].owed--;
    m->nowed--;
    if (m->nodes[node].likely == rank) {
        c->stats.counts[HITOP_COUNT_PUSH_HITS]++;
    } else {
        c->stats.counts[HITOP_COUNT_PUSH_MISSES]++;
    }
    hitop_meet_compare(c, rank);
}

int hitop_meet_take(struct hitop_comm *c, struct meet_ready *ready, int *found)
{
    struct told told;
    int code;

    *found = c->meet.nearly > 0 && find_early(c, ready);
    if (*found) {
        return MPI_SUCCESS;
    }
    while ((code = receive(c, &told, found)) == MPI_SUCCESS && *found) {
        if (told.seq > c->seq) {
            keep_early(c, &told);
        } else if (is_owed(c, &told)) {
            settle(c, (int)told.rank);
        } else {
            *ready = (struct meet_ready){.rank = (int)told.rank, .late = told.late};
            return MPI_SUCCESS;
        }
    }
    *found = 0;
    return code;
}

/* For the watchdog. */
static void tell_owed(const void *meet, FILE *line)
{
    const struct meet *m = meet;

    fprintf(line, "before the communicator goes, %d announcements are still to come and %s",
            m->nowed, m->post.leaving ? "some to leave" : "none to leave");
}

void hitop_meet_free(struct hitop_comm *c)
{
    struct meet *m = &c->meet;
    unsigned round = 0;
    int code = MPI_SUCCESS;

    watchdog_awaits(c, tell_owed, m);
    while (c->mode == HITOP_COMM_READY && code == MPI_SUCCESS &&
           (post_is_busy(&m->post) || m->nowed > 0)) {
        struct told told;
        int found;

        code = receive(c, &told, &found);
        if (code == MPI_SUCCESS && found) {
            settle(c, (int)told.rank);
        }
        hitop_wait_relax(&c->wait, &round);
    }
    /* MPI may still read messages whose sends are not complete: keep those */
    while (m->post.spare) {
        struct letter *next = m->post.spare->next;

        free(m->post.spare);
        m->post.spare = next;
    }
    free(m->early);
    free(m->nodes);
    *m = (struct meet){0};
}

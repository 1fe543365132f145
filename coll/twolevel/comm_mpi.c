/* SPDX-License-Identifier: BSD-3-Clause */
/* comm_mpi.c - the life of the state of a communicator for two-level collectives. */
#include <config.h>

#include "coll/twolevel/stats_mpi.h"

static struct attribute_reserve reserve;

void hitop_comm_reserve(void)
{
    hitop_attribute_fill(&reserve, sizeof(struct hitop_comm));
}

static struct attribute *create_state(MPI_Comm comm)
{
    int is_poor;
    struct hitop_comm *c = hitop_attribute_memory(&reserve, sizeof(*c), &is_poor);

    if (!c) { /* the others will want to agree with us */
        hitop_trouble_abort(comm, "out of memory");
        return NULL;
    }
    c->user = comm;
    c->wire = MPI_COMM_NULL;
    c->leaders = MPI_COMM_NULL;
    c->is_poor = is_poor;
    if (!hitop_attribute_group(comm, &c->rank, &c->size)) {
        c->mode = HITOP_COMM_PASS;
    }
    return &c->attribute;
}

static void release_state(struct attribute *state)
{
    hitop_stats_end((struct hitop_comm *)state);
    hitop_comm_release((struct hitop_comm *)state);
    hitop_compare_log_free(&((struct hitop_comm *)state)->compared);
}

struct hitop_comm *hitop_comm_find(MPI_Comm comm)
{
    static struct attribute_kind kind =
        ATTRIBUTE_KIND(ATTRIBUTE_TWOLEVEL, create_state, release_state);

    return (struct hitop_comm *)hitop_attribute_of(&kind, comm);
}

void hitop_comm_count(struct hitop_comm *c, MPI_Comm comm)
{
    if (!c->agreed) {
        hitop_comm_agree(c, comm);
    }
    if (c->mode == HITOP_COMM_COUNTING && c->counted++ >= c->settings.lazy) {
        hitop_comm_prepare(c, comm);
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * domains_mpi.c - which ranks of a node share a cache, and the memory in which they stage long
 * broadcasts.
 */
#include <config.h>

#include "coll/twolevel/comm_state_mpi.h"
#include "hierarchy/job/binding.h"
#include "hierarchy/job/processors.h"

#include <pthread.h>

/* What a rank says that is not bound inside one domain. */
#define NOWHERE UINT64_MAX

/*
 * Where this process is bound: the last-level cache that its processors share, else their NUMA
 * node. To look takes milliseconds, so that once for each binding must do.
 */
static uint64_t find_bound(void)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static struct processors asked;
    static int domain = HITOP_UNBOUND;
    const struct processors allowed = processors_allowed();
    int found;

    (void)pthread_mutex_lock(&mutex);
    if (!processors_are_same(&asked, &allowed)) {
        struct binding here;
        hitop_binding_find(&here);
        asked = allowed;
        domain = here.place.l3 != HITOP_UNBOUND ? here.place.l3 : here.place.numa;
    }
    found = domain;
    (void)pthread_mutex_unlock(&mutex);
    return found == HITOP_UNBOUND ? NOWHERE : (uint64_t)found;
}

static uint64_t own_domain(const struct hitop_comm *c)
{
    if (c->settings.domains >= HITOP_DOMAINS_OF) {
        return (uint64_t)(c->local / c->settings.domains);
    }
    return c->is_bound ? find_bound() : NOWHERE;
}

/* The domain of this rank among its node's. */
struct domain {
    int number; /* in the order of their first ranks, from 1; 0 unless everybody is in one of several */
    int first, members;
};

/* Out of what all ranks of the node have said. */
static struct domain find_domain(const uint64_t *said, int nlocal, int local)
{
    struct domain mine = {0};
    int count = 0;

    for (int r = 0; r < nlocal; r++) {
        int first = 0;

        while (said[first] != said[r]) {
            first++;
        }
        count += first == r;
        if (said[r] == said[local]) {
            mine.number = mine.members == 0 ? count : mine.number;
            mine.first = first;
            mine.members++;
        }
        if (said[r] == NOWHERE) {
            return (struct domain){0};
        }
    }
    return count > 1 ? mine : (struct domain){0};
}

/*
 * Memory for a domain, in which its first rank is the first to write. Not of the last half, as
 * others need that more.
 */
static uint64_t take(const struct hitop_comm *c, const struct hitop_node_layout *layout,
                     int members)
{
    uint64_t place = 0;

    if (members >= HITOP_DOMAIN_LEAST &&
        hitop_arena_taken(c->arena) <= (size_t)c->settings.arena / 2) {
        place =
            hitop_arena_take(c->arena, hitop_node_domain_bytes(layout), (unsigned)members, NULL);
    }
    if (place != 0) {
        hitop_node_format_domain(hitop_arena_at(c->arena, place), layout);
    }
    return place;
}

void hitop_comm_share_domains(struct hitop_comm *c, MPI_Comm node,
                              const struct hitop_node_layout *layout, struct hitop_trouble *t)
{
    uint64_t *said = c->said;
    struct domain mine;

    if (c->nlocal <= HITOP_DOMAIN_LEAST || c->settings.domains == HITOP_DOMAINS_NONE) {
        return;
    }
    said[c->local] = own_domain(c);
    hitop_trouble_note_mpi(
        t, PMPI_Allgather(MPI_IN_PLACE, 1, MPI_UINT64_T, said, 1, MPI_UINT64_T, node),
        "MPI_Allgather failed");
    mine = find_domain(said, c->nlocal, c->local);
    if (mine.number == 0) { /* for all or for none */
        return;
    }
    said[c->local] = mine.first == c->local ? take(c, layout, mine.members) : 0;
    hitop_trouble_note_mpi(
        t, PMPI_Allgather(MPI_IN_PLACE, 1, MPI_UINT64_T, said, 1, MPI_UINT64_T, node),
        "MPI_Allgather failed");
    c->mirror = said[mine.first];
    hitop_node_join_domain(&c->shared, mine.number,
                           c->mirror ? hitop_arena_at(c->arena, c->mirror) : NULL);
}

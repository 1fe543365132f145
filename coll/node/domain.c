/* SPDX-License-Identifier: BSD-3-Clause */
/* domain.c - the mirror of a node's ring that the processes of a domain share. */
#include <config.h>

#include "coll/node/domain.h"
#include "coll/node/spill.h"

/* Bytes before the mirror. */
enum { HEAD = PAGE };

_Static_assert(sizeof(struct hitop_domain) <= HEAD, "the mirror begins with a page");

/* Copies that a piece of the mirror may take: the first process may just have begun. */
enum { PATIENCE = 2 };

size_t hitop_node_domain_bytes(const struct hitop_node_layout *layout)
{
    return HEAD + layout->ring_bytes;
}

void hitop_node_format_domain(void *memory, const struct hitop_node_layout *layout)
{
    struct hitop_domain *domain = memory;

    memset(memory, 0, hitop_node_domain_bytes(layout)); /* pages come from where we run */
    atomic_init(&domain->claimed, layout->first);
    atomic_init(&domain->filled, 0);
    atomic_init(&domain->ended, layout->first);
    for (int i = 0; i < HITOP_NODE_SLOTS; i++) {
        atomic_init(&domain->kept[i], 0);
    }
}

void hitop_node_join_domain(struct hitop_node *node, int number, void *memory)
{
    node->domain = number;
    node->shared_domain = memory;
    node->mirror = memory ? (unsigned char *)memory + HEAD : NULL;
}

enum hitop_domain_role hitop_domain_role_in(const struct hitop_node *node,
                                            const struct hitop_node_slot *slot)
{
    struct hitop_domain *domain = node->shared_domain;
    _Atomic uint64_t *kept;
    uint64_t claimed;

    if (!domain || slot->u.staged.domain == 0 || slot->u.staged.domain == (uint32_t)node->domain) {
        return HITOP_DOMAIN_NONE;
    }
    kept = &domain->kept[node->seq % HITOP_NODE_SLOTS];
    claimed = atomic_load_explicit(&domain->claimed, memory_order_acquire);
    while (claimed < node->seq) {
        if (atomic_load_explicit(&domain->ended, memory_order_acquire) < claimed) {
            return HITOP_DOMAIN_NONE; /* somebody mirrors an older one, and others have given up on it */
        }
        if (atomic_compare_exchange_weak_explicit(&domain->claimed, &claimed, node->seq,
                                                  memory_order_acq_rel, memory_order_acquire)) {
            atomic_store_explicit(kept, node->seq, memory_order_relaxed);
            return HITOP_DOMAIN_FIRST;
        }
    }
    return claimed == node->seq || atomic_load_explicit(kept, memory_order_relaxed) == node->seq
               ? HITOP_DOMAIN_LATER
               : HITOP_DOMAIN_NONE;
}

void hitop_domain_mirror(struct hitop_node *node, uint64_t from, uint64_t to)
{
    while (from < to) {
        const size_t index = (size_t)(from % node->ring_bytes);
        const size_t left = node->ring_bytes - index;
        const size_t n = to - from < left ? (size_t)(to - from) : left;

        memcpy(node->mirror + index, node->ring + index, n);
        hitop_wait_charge(n);
        from += n;
    }
    atomic_store_explicit(&node->shared_domain->filled, to, memory_order_release);
    hitop_wait_ring(&node->wait);
}

void hitop_domain_end(struct hitop_node *node)
{
    atomic_store_explicit(&node->shared_domain->ended, node->seq, memory_order_release);
    hitop_wait_ring(&node->wait);
}

uint64_t hitop_domain_await(struct hitop_node *node, const struct hitop_node_slot *slot,
                            uint64_t at, int *from_mirror)
{
    const struct hitop_domain *domain = node->shared_domain;
    uint64_t fill, since = 0;
    unsigned round = 0;

    while ((fill = atomic_load_explicit(&domain->filled, memory_order_acquire)) <= at) {
        const int has_ended =
            atomic_load_explicit(&domain->ended, memory_order_acquire) >= node->seq;

        if (has_ended || round >= node->wait.spins) {
            fill = atomic_load_explicit(&slot->u.staged.fill, memory_order_acquire);
            if (fill > at &&
                (has_ended || hitop_spill_is_due(&since, (size_t)(fill - at), PATIENCE))) {
                *from_mirror = 0;
                return fill;
            }
        }
        hitop_wait_relax(&node->wait, &round);
    }
    *from_mirror = 1;
    return fill;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_DOMAIN_H
#define HITOP_NODE_DOMAIN_H

/*
 * domain.h - a long broadcast crosses into each part of a machine once.
 *
 * Idea:   processes that share a cache, or the memory of a NUMA node, have a mirror of the node's ring. The first of
 *         them to come to a message that another part's process writes copies it from the ring to the same offsets of
 *         the mirror, fragment by fragment; the others copy from there. All wait for the writer alone: who comes while
 *         nobody mirrors does it, and who finds data in the ring that do not appear in the mirror within the time of
 *         a copy or two takes them from the ring.
 * Cost:   one copy more for the first of each part; the ring's lines move between parts once, not once a reader.
 * Needs:  memory as large as the ring for each part that has at least HITOP_DOMAIN_LEAST processes. It has the ring's
 *         offsets, so that it needs no discipline of its own: a byte of the ring is overwritten once all have consumed it,
 *         wherever they have found it, and only then is its mirror.
 * Source: Jain et al., Framework for scalable intra-node collective operations using shared memory, SC 2018, for leaders
 *         of caches; that whoever comes first leads is Hitop's.
 */

#include "coll/node/node_inside.h"

/*
 * At the beginning of a domain's memory; the mirror follows. Operations are claimed in their order, each only after the
 * one before is mirrored, so that one offset tells of all: an operation that nobody could claim in time has no mirror.
 */
struct hitop_domain {
    _Alignas(LINE) _Atomic uint64_t claimed; /* the last operation that a member mirrors, or has */
    _Alignas(LINE) _Atomic uint64_t filled;  /* the ring's offset up to which the mirror is there */
    _Atomic uint64_t ended; /* of claimed operations the last one that is mirrored */
    _Alignas(LINE) _Atomic uint64_t kept[HITOP_NODE_SLOTS]; /* operations that were claimed */
};

/* What a process is to its domain in one operation. */
enum hitop_domain_role {
    HITOP_DOMAIN_NONE,  /* it copies from the ring */
    HITOP_DOMAIN_FIRST, /* it mirrors */
    HITOP_DOMAIN_LATER, /* it copies from the mirror */
};

/* Of the staged message in `slot`, which is there in part at least. */
enum hitop_domain_role hitop_domain_role_in(const struct hitop_node *node,
                                            const struct hitop_node_slot *slot);

/* Who mirrors: bytes of the ring from offset `from` up to `to`; and, once, no more of this operation. */
void hitop_domain_mirror(struct hitop_node *node, uint64_t from, uint64_t to);
void hitop_domain_end(struct hitop_node *node);

/*
 * Who comes later: wait for bytes of the message from the ring's offset `at` on. Returns up to where there are some, or
 * further, and whether *from_mirror or from where the writer has put them.
 */
uint64_t hitop_domain_await(struct hitop_node *node, const struct hitop_node_slot *slot,
                            uint64_t at, int *from_mirror);

#endif /* HITOP_NODE_DOMAIN_H */

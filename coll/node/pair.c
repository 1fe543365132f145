/* SPDX-License-Identifier: BSD-3-Clause */
/* pair.c - see pair.h. */
#include <config.h>

#include "coll/node/pair.h"

#include "coll/node/node_await.h"

/* Wait for a block that is expected in a lane; its tag, LINED or DEPOSITED. */
static uint64_t await_deposit(struct hitop_node *node, const struct hitop_node_sources *s)
{
    unsigned round = 0;
    const uint64_t tag = hitop_node_await_tag(node, s, s->deposit, &round);

    return hitop_node_told(node, s->deposit) != 0 ? DEPOSITED : tag;
}

static uint64_t await(struct hitop_node *node, const struct hitop_node_sources *s, size_t most,
                      size_t bytes)
{
    return bytes <= most ? hitop_node_await(node, s, bytes) : await_deposit(node, s);
}

size_t hitop_pair_take(struct hitop_node *node, const _Atomic uint64_t *deposit, size_t most,
                       size_t bytes, void *block, size_t capacity)
{
    const struct hitop_node_sources s = hitop_node_sources_of(node, deposit);
    const uint64_t tag = await(node, &s, most, bytes);
    int note;

    return tag == DEPOSITED ? SIZE_MAX : hitop_node_take(node, &s, tag, block, capacity, &note);
}

size_t hitop_pair_length(struct hitop_node *node, const _Atomic uint64_t *deposit, size_t most,
                         size_t bytes)
{
    const struct hitop_node_sources s = hitop_node_sources_of(node, deposit);
    const uint64_t tag = await(node, &s, most, bytes);

    return tag == DEPOSITED ? SIZE_MAX : hitop_node_length(node, &s, tag);
}

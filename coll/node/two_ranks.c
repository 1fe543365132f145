/* SPDX-License-Identifier: BSD-3-Clause */
/* two_ranks.c - the two-rank fast path; see two_ranks.h. */
#include <config.h>

#include "coll/node/two_ranks.h"

static uint64_t await(struct hitop_node *node, const struct hitop_node_sources *s, size_t most,
                      size_t bytes)
{
    return bytes <= most ? hitop_node_await(node, s, bytes) : hitop_node_await_posted(node, s);
}

size_t hitop_two_ranks_read(struct hitop_node *node, const _Atomic uint64_t *posted, size_t most,
                            size_t bytes, void *block, size_t capacity)
{
    const struct hitop_node_sources s = hitop_node_sources_of(node, posted);
    const uint64_t tag = await(node, &s, most, bytes);
    int note;

    return tag == POSTED ? SIZE_MAX : hitop_node_receive(node, &s, tag, block, capacity, &note);
}

size_t hitop_two_ranks_length(struct hitop_node *node, const _Atomic uint64_t *posted, size_t most,
                              size_t bytes)
{
    const struct hitop_node_sources s = hitop_node_sources_of(node, posted);
    const uint64_t tag = await(node, &s, most, bytes);

    return tag == POSTED ? SIZE_MAX : hitop_node_length(node, &s, tag);
}

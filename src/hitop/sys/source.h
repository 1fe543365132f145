/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_SYS_SOURCE_H
#define HITOP_SYS_SOURCE_H

/**
 * @file sys/source.h
 * @brief What a new source of groups implements. Stable within a minor release only.
 */

#include "hitop/source.h"

HITOP_BEGIN_DECLS

/** Which part of a machine a source speaks about, from the outside inwards. */
enum hitop_layer {
    HITOP_LAYER_SITE,    /**< above networks: domains, regions */
    HITOP_LAYER_NETWORK, /**< between sites and hosts: clusters, racks, switches */
    HITOP_LAYER_HOST,    /**< the host itself */
    HITOP_LAYER_INSIDE,  /**< packages, NUMA nodes, caches */
    HITOP_NLAYERS
};

/** Opaque: the groups of every rank, from the outside inwards. */
struct hitop_paths;

/**
 * Put @p rank into a group inside the groups it is in already. Ranks share a group when level, name
 * and all outer groups are equal. Failures are remembered and reported by the core.
 *
 * @param level       a string constant
 * @param name        copied; may be ""
 * @param confidence  how far to trust it, from 0 to 1
 */
HITOP_API void hitop_paths_push(struct hitop_paths *paths, int rank, const char *level,
                                const char *name, double confidence);

/** A source is stateless. Within a layer, the first one that names any group is the only one heard. */
struct hitop_source {
    const char *name;    /**< unique; equals the file name without "source_" */
    const char *summary; /**< one line for help texts */
    enum hitop_layer layer;

    /** Push groups for the ranks it knows something about. Depends on its arguments only. */
    enum hitop_status (*classify)(const struct hitop_place *place, int nranks,
                                  const struct hitop_grouping *how, struct hitop_paths *paths,
                                  struct hitop_diag *diag);
};

/** NULL-terminated table of all compiled-in sources. */
HITOP_API const struct hitop_source *const *hitop_sources(void);

HITOP_END_DECLS

#endif /* HITOP_SYS_SOURCE_H */

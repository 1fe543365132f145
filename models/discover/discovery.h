/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DISCOVERY_H
#define DISCOVERY_H

/**
 * @file discovery.h
 * @brief Groups of hosts from the latency between them.
 *
 * Hosts with the same innermost common group have the same latency to each other; hosts of a group
 * inside it are nearer to each other by a clear step. A few hosts measure all others, so that far
 * fewer than all pairs are needed; groups that are known before, e.g. from names, are confirmed,
 * split or merged, which needs fewer still.
 *
 * @code
 * status = hitop_host_groups_of(h, &known, &diag);                       // rank 0
 * status = hitop_discover(&transport, known, &options, &found, &diag);   // all ranks
 * status = hitop_host_groups_apply(h, &found.groups, &refined, &diag);   // rank 0
 * @endcode
 */

#include "hitop/hierarchy.h"
#include "hitop/sys/transport.h"

struct hitop_host_group {
    int parent;        /**< the group around it, which stands before it; -1 for the first one */
    int is_fixed;      /**< 1: a source knows it; may be split, but not dissolved */
    double seconds;    /**< one-way time of a small message between its members; 0: unknown */
    double confidence; /**< that these hosts belong together, 0 to 1 */
};

/** Nested groups of hosts 0..nhosts-1; group 0 holds all of them. */
struct hitop_host_groups {
    int nhosts, ngroups;
    struct hitop_host_group *group;
    int *innermost; /**< per host: the innermost group */
    int npairs;     /**< different pairs measured to find them; 0: none */
};

/**
 * The groups above the hosts of a hierarchy. Hosts count in the order of their first ranks. Groups
 * of confidence 1 are fixed.
 *
 * @param out  to be released with hitop_host_groups_clear(); empty on failure
 */
HITOP_MUST_CHECK enum hitop_status hitop_host_groups_of(const struct hitop_hierarchy *h,
                                                        struct hitop_host_groups *out,
                                                        struct hitop_diag *diag);

void hitop_host_groups_clear(struct hitop_host_groups *groups);

/**
 * Copy the hierarchy @p h with other groups above its hosts. The hosts keep what is inside them.
 *
 * Where a group holds the same hosts as one of @p h, it keeps level, name and attributes. A group
 * with a known latency gets the attribute `latency_us` and, unless it is fixed, `confidence` and
 * `source` (measured). The first group also gets `measured_pairs`.
 *
 * @param out  receives the new hierarchy; set to NULL on failure
 */
HITOP_MUST_CHECK enum hitop_status hitop_host_groups_apply(const struct hitop_hierarchy *h,
                                                           const struct hitop_host_groups *groups,
                                                           struct hitop_hierarchy **out,
                                                           struct hitop_diag *diag);

struct hitop_discover_options {
    double step;   /**< groups are distinguished when their latencies differ by this factor, > 1 */
    double budget; /**< seconds for all measurements together */
    int max_samples; /**< per visit to a pair */
    int parallel;    /**< 0: one pair at a time; 1: more where a test allows it */
    unsigned long long seed;

    const char *const *host; /**< names for messages, or NULL */

    /** Called by rank 0 after each batch of measurements; may be NULL. */
    void (*progress)(void *data, int npairs, int nhosts);

    /** Called by rank 0 to warn the user of bad links and open decisions; may be NULL. */
    void (*warn)(void *data, const char *message);
    void *data;
};

/** Values for a first try. */
void hitop_discover_defaults(struct hitop_discover_options *options);

struct hitop_discovery {
    struct hitop_host_groups groups;
    int nopen; /**< decisions that noise or the budget left open; each was warned about */
    int nodd;  /**< measured pairs that do not fit the groups; likewise */
};

/**
 * Find the groups. Rank i of the transport stands for host i. All processes call it.
 *
 * At most 4 n ceil(log2(n)) + n pairs of n hosts are measured to find the groups, and at most n
 * more to check them.
 *
 * @param known  groups to start from, at rank 0; or NULL
 * @param out    receives the groups at rank 0; to be released with hitop_discovery_clear(); empty
 *               on other ranks and on failure
 * @retval HITOP_ERR_INVALID  an option is out of range, or @p known has another number of hosts or
 *                            groups that are not nested; found by rank 0; the others return
 *                            HITOP_ERR_MPI
 * @retval HITOP_ERR_MPI      communication failed; any failure is one of all ranks
 */
HITOP_MUST_CHECK enum hitop_status hitop_discover(const struct hitop_transport *transport,
                                                  const struct hitop_host_groups *known,
                                                  const struct hitop_discover_options *options,
                                                  struct hitop_discovery *out,
                                                  struct hitop_diag *diag);

void hitop_discovery_clear(struct hitop_discovery *discovery);

#endif /* DISCOVERY_H */

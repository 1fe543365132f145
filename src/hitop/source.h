/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_SOURCE_H
#define HITOP_SOURCE_H

/**
 * @file source.h
 * @brief Make a hierarchy from facts about ranks.
 *
 * Sources (hitop/sys/source.h) name the groups of each host, from the outside inwards; hosts with
 * equal outer groups share them. The result depends on the facts and the files only.
 *
 * @code
 * struct hitop_place place[2] = {HITOP_PLACE_INIT("alpha01.site1.org"),
 *                                HITOP_PLACE_INIT("beta01.site2.org")};
 * struct hitop_grouping how = {0};
 * status = hitop_hierarchy_group(place, 2, &how, &h, &diag);
 * @endcode
 */

#include "hitop/hierarchy.h"

HITOP_BEGIN_DECLS

struct hitop_source;

/** The rank may run on several parts, there are no parts, or the number is unknown. */
#define HITOP_UNBOUND (-1)

/** A fact about a host, for one source. */
struct hitop_fact {
    const char *source; /**< name of the source */
    const char *text;   /**< one line, not empty */
};

/** Kinds of parts of a host that ranks share, outermost first. */
enum {
    HITOP_PART_PACKAGE,
    HITOP_PART_DIE,    /**< of a package */
    HITOP_PART_GROUP4, /**< the next outer groups */
    HITOP_PART_GROUP3, /**< the next outer groups */
    HITOP_PART_GROUP2, /**< the groups around the innermost ones */
    HITOP_PART_GROUP,  /**< the innermost groups of hwloc */
    HITOP_PART_NUMA,   /**< NUMA nodes */
    HITOP_PART_L3,     /**< last-level caches */
    HITOP_NPARTS
};

/** The place of one rank. Borrowed. */
struct hitop_place {
    const char *host;       /**< name of the host, not empty */
    int part[HITOP_NPARTS]; /**< by kind: number of the only part the rank may run on, or
                               HITOP_UNBOUND */
    int nfacts;
    const struct hitop_fact *fact; /**< [nfacts], about its host; NULL when there are none */
};

/** A place with only a host name. */
#define HITOP_PLACE_INIT(host_name)                                                                \
    {                                                                                              \
        (host_name), {HITOP_UNBOUND, HITOP_UNBOUND, HITOP_UNBOUND, HITOP_UNBOUND,                  \
                      HITOP_UNBOUND, HITOP_UNBOUND, HITOP_UNBOUND, HITOP_UNBOUND},                 \
            0, NULL                                                                                \
    }

/** A file for a source to read. */
struct hitop_source_file {
    const char *source; /**< name of the source */
    const char *path;
};

/** How to group. All zero is the default. Everything is borrowed. */
struct hitop_grouping {
    const char *const *prefixes; /**< beginnings of host names that make a cluster, in any case */
    int nprefixes;               /**< the longest one that matches a name counts */
    int prefix_length;   /**< number of characters that name a cluster; 0: words and numbers */
    int block;           /**< consecutive numbers in a block inside each group; 0: no blocks */
    const char *split;   /**< POSIX extended regular expression in any case, matched against whole
                            names; each (...) names a group, outermost first; or NULL */
    int ignore_domain;   /**< 1: domains make no level */
    int ignore_hardware; /**< 1: hosts with different hardware make no groups */
    int keep_chains;     /**< 1: keep groups that have a single member */

    const struct hitop_source *const *more; /**< sources beside the built-in ones, or NULL */
    const struct hitop_source_file *files;  /**< files that the user named */
    int nfiles;
    int read_usual_files;    /**< 1: read files at their usual paths on this machine */
    const char *const *only; /**< names of the sources to use, if not all */
    int nonly;

    void (*warn)(void *data, const char *message); /**< or NULL */
    void *warn_data;

    /** Called for hosts in files that no place is on, for some of them several times; or NULL. */
    void (*absent)(void *data, const char *host);
    void *absent_data;
};

/**
 * Group ranks by all sources.
 *
 * Groups with one member, including the root, are omitted, unless keep_chains is set; hosts are
 * kept if any host has two ranks. Each group has the attributes `source` and `confidence` (0 to 1).
 *
 * @param place   facts about ranks 0..nranks-1
 * @param out     receives the hierarchy, owned by the caller; set to NULL on failure
 * @retval HITOP_ERR_INVALID   no ranks, an empty host name or prefix, a negative number, a wrong
 *                             expression
 * @retval HITOP_ERR_NOTFOUND  no source of that name; the message lists the valid names
 * @retval HITOP_ERR_IO        a file that the user named cannot be read
 * @retval HITOP_ERR_FORMAT    its content is wrong; the message names file and line
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_hierarchy_group(const struct hitop_place *place, int nranks, const struct hitop_grouping *how,
                      struct hitop_hierarchy **out, struct hitop_diag *diag);

HITOP_END_DECLS

#endif /* HITOP_SOURCE_H */

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_SYS_SOURCE_H
#define HITOP_SYS_SOURCE_H

/**
 * @file sys/source.h
 * @brief Interface of a source of groups. Stable within a minor release only.
 */

#include "hitop/source.h"

HITOP_BEGIN_DECLS

/** The part of a machine that a source describes, from the outside inwards. */
enum hitop_layer {
    HITOP_LAYER_SITE,     /**< above networks: domains, regions */
    HITOP_LAYER_NETWORK,  /**< between sites and hosts: clusters, racks, switches */
    HITOP_LAYER_HARDWARE, /**< hosts of one kind within their network */
    HITOP_LAYER_HOST,     /**< the host itself */
    HITOP_LAYER_INSIDE,   /**< packages, NUMA nodes, caches */
    HITOP_NLAYERS
};

/** Opaque: the groups of each place, from the outside inwards. */
struct hitop_paths;

struct hitop_hosts;
struct host_match;

/** The input of a source. Everything is borrowed. */
struct hitop_source_input {
    const struct hitop_place *place; /**< one per host; HITOP_LAYER_INSIDE: one per rank */
    int nplaces;
    const char *file; /**< the file to read, or NULL for a source that takes none */
    const struct hitop_grouping *how;
    const struct host_match *match; /**< private */
};

/**
 * Put place @p index into a group inside its present groups. Places share a group if
 * source, level, name and all outer groups are equal. Does nothing if another source of the
 * layer has already pushed groups for the place. The caller of the source reports failures.
 *
 * @param level       copied, e.g. "rack"
 * @param name        copied; may be ""
 * @param confidence  reliability, from 0 to 1
 */
HITOP_API void hitop_paths_push(struct hitop_paths *paths, int index, const char *level,
                                const char *name, double confidence);

/**
 * The source knows place @p index, but has no group for it: there is no warning that the file lacks
 * it.
 */
HITOP_API void hitop_paths_know(struct hitop_paths *paths, int index);

/** 1 if another source of the same layer has already pushed groups for place @p index. */
HITOP_API int hitop_paths_is_taken(const struct hitop_paths *paths, int index);

/**
 * The place that a file means by a name, or -1 if the job has no such host or more than one. An
 * exact match counts first. Otherwise case does not matter: a short name matches the host with that
 * short name, and a full name matches a host whose name is its first part. For sources of
 * #HITOP_LAYER_NETWORK.
 */
HITOP_API int hitop_source_find(const struct hitop_source_input *in, const char *name);

/** The fact about the host of @p place for source @p source; "" if there is none. */
HITOP_API const char *hitop_place_fact(const struct hitop_place *place, const char *source);

/** Report a warning to the user, without a final dot. Does nothing without a receiver in @p how. */
HITOP_API void hitop_source_warn(const struct hitop_grouping *how, const char *fmt, ...)
    HITOP_PRINTF(2, 3);

/**
 * Report a host that the file names and that no place is on, e.g. for lists of all hosts of a file.
 */
HITOP_API void hitop_source_absent(const struct hitop_grouping *how, const char *host);

/**
 * A source is stateless. Within a layer, sources are ordered by request of the user, then by trust,
 * then by their place in the table; for each place the first one that pushes groups counts.
 */
struct hitop_source {
    const char *name;    /**< unique; equals the file name without "source_" */
    const char *summary; /**< one line for help texts */
    enum hitop_layer layer;
    double trust; /**< 1 for files of administrators or the user, 0.6 names, 0.3 addresses */

    /**
     * 1: groups of equal name are one group at all sites; domains may contain them but not split
     * them.
     */
    int spans_sites;

    /**
     * Long option whose argument is the file to read, e.g. "csv", or NULL. A source with an option
     * is used only with a file.
     */
    const char *option;
    const char *argument; /**< name of the argument for help texts, e.g. "FILE" */

    /** Default paths of the file on the machine itself, NULL-terminated; or NULL. */
    const char *const *usual_files;

    /**
     * Runs on each host of a job and collects a fact about it, one line, e.g. from the
     * environment; leaves "" if there is none. May be NULL.
     */
    void (*collect)(char *out, size_t length);

    /**
     * The hosts in a file, in the order of ranks, one entry per rank. Tools use it if neither a job
     * nor another option gives hosts. May be NULL.
     *
     * @retval HITOP_ERR_IO, HITOP_ERR_FORMAT  as classify()
     */
    enum hitop_status (*list_hosts)(const char *file, struct hitop_hosts *out,
                                    struct hitop_diag *diag);

    /** 1 if the options request this source; NULL: it is requested by its file. */
    int (*is_requested)(const struct hitop_grouping *how);

    /**
     * Push groups for the known places. Depends on its input and the file only.
     *
     * @retval HITOP_ERR_IO      the file cannot be read
     * @retval HITOP_ERR_FORMAT  the file is wrong; the message begins with "file:line: "
     */
    enum hitop_status (*classify)(const struct hitop_source_input *in, struct hitop_paths *paths,
                                  struct hitop_diag *diag);
};

/** NULL-terminated table of the sources that read no files. */
HITOP_API const struct hitop_source *const *hitop_sources(void);

/** NULL-terminated table of the sources that read files; they are in libhitop_sources. */
HITOP_API const struct hitop_source *const *hitop_file_sources(void);

HITOP_END_DECLS

#endif /* HITOP_SYS_SOURCE_H */

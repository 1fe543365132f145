/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_DOT_H
#define HITOP_DOT_H

/**
 * @file dot.h
 * @brief Read, check and write hierarchies as Graphviz files.
 *
 * There is one node statement per group, one for all leaves that differ in their ranks only, and
 * one edge from each of them to its parent. Nodes have CPM's attributes `type` (0 leaf, 1 group)
 * and `model_data` (host name of a leaf), and those of this library: `rank` on leaves, such as 5 or
 * "0-63"; `level` and `name` on groups. All other attributes are kept and written back. These
 * functions are in libhitop_dot.
 *
 * @code
 * struct hitop_hierarchy *h = NULL; status = hitop_dot_read("cluster.dot", NULL, &h, &diag);
 * @endcode
 */

#include "hitop/hierarchy.h"

#include <stdio.h>

HITOP_BEGIN_DECLS

/** The hosts of a running job, for files whose leaves have no rank. */
struct hitop_dot_job {
    const char *const *host; /**< host name of each rank; borrowed */
    int nranks;
};

/**
 * Read a hierarchy.
 *
 * Edges may all point from child to parent or all from parent to child. The attribute `rank` gives
 * the ranks of leaves; if no leaf has it, the k-th leaf that names a host is the k-th rank on
 * that host in @p job, or, without a job, leaves are numbered in the order of the file.
 *
 * @param path  file name, or "-" for standard input
 * @param job   hosts of the job, or NULL
 * @param out   receives the hierarchy, owned by the caller; set to NULL on failure
 * @retval HITOP_ERR_IO      the file cannot be read
 * @retval HITOP_ERR_FORMAT  not a hierarchy; the message names the file and the line or the node
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_dot_read(const char *path,
                                                            const struct hitop_dot_job *job,
                                                            struct hitop_hierarchy **out,
                                                            struct hitop_diag *diag);

/**
 * As hitop_dot_read(), from @p length bytes of @p text; @p name stands for the file in messages.
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_dot_parse(const char *name, const char *text, size_t length, const struct hitop_dot_job *job,
                struct hitop_hierarchy **out, struct hitop_diag *diag);

/**
 * Check an edited hierarchy: report all errors, and warnings about content that hitop_dot_parse()
 * accepts but that is probably wrong.
 *
 * @param found  called for each finding with one line such as "a.dot:12: warning: node \"9\": ...",
 *        in the order of the lines of the file; the text is valid during the call
 * @retval HITOP_OK          hitop_dot_parse() accepts it; there may be warnings
 * @retval HITOP_ERR_FORMAT  it does not; every error was found()
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_dot_check(const char *name, const char *text, size_t length,
                void (*found)(void *data, const char *finding), void *data,
                struct hitop_diag *diag);

/** Attributes to write in addition to, or instead of, those of the hierarchy. */
struct hitop_dot_overlay {
    /**
     * Give the @p index-th extra attribute of @p node (0, 1, ...): set key and value and return 1,
     * or return 0 if there are no more. Repeated calls must have the same result. It is called
     * for the first one of leaves that share a statement. Keys of one node differ; the strings must
     * be valid until the next call. In `label`, a backslash and an n begin a new line.
     */
    int (*attr)(void *data, int node, int index, const char **key, const char **value);
    void *data; /**< passed to attr() */
};

/**
 * Write @p h; the same hierarchy gives the same bytes. The caller flushes the stream and checks it
 * for errors.
 *
 * @param overlay  extra attributes, or NULL
 * @retval HITOP_ERR_NOMEM  an allocation failed; the file is incomplete
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_dot_write(const struct hitop_hierarchy *h, const struct hitop_dot_overlay *overlay, FILE *to,
                struct hitop_diag *diag);

HITOP_END_DECLS

#endif /* HITOP_DOT_H */

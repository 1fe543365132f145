/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MPI_RULES_H
#define MPI_RULES_H

/* mpi_rules.h - load the rules of an MPI library: a text, see doc/mpi-defaults.md. */

#include "coll/defaults/mpi_types.h"

/*
 * Load the rules of a library: "openmpi-4.1", "mpich-4.0.3" as mpich-4.0, or a file if the name
 * contains '/'.
 *
 * HITOP_ERR_NOTFOUND: the message lists the names. HITOP_ERR_IO, HITOP_ERR_FORMAT: as for
 * hitop_mpi_parse(). *out is NULL on failure; release with hitop_mpi_free().
 */
HITOP_MUST_CHECK enum hitop_status hitop_mpi_load(const char *name, struct hitop_mpi **out,
                                                  struct hitop_diag *diag);

/*
 * Load rules from the text of a file. HITOP_ERR_FORMAT: the message has `name`, the line and what
 * is valid.
 */
HITOP_MUST_CHECK enum hitop_status hitop_mpi_parse(const char *text, const char *name,
                                                   struct hitop_mpi **out, struct hitop_diag *diag);

/* Release rules. NULL is allowed. */
void hitop_mpi_free(struct hitop_mpi *mpi);

/* The name of the index-th library that is built in, or NULL past the last. */
const char *hitop_mpi_name_at(size_t index);

/* The index-th algorithm of all operations in the order of the text, or NULL past the last. */
const struct hitop_mpi_algorithm *hitop_mpi_algorithm_at(const struct hitop_mpi *mpi, size_t index);

#endif /* MPI_RULES_H */

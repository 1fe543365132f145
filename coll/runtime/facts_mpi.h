/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_FACTS_MPI_H
#define HITOP_FACTS_MPI_H

/*
 * facts_mpi.h - differences between MPI libraries and versions that decide what is compiled.
 *
 * Each macro is 0 or 1. tests/support/mpi-facts.sh has the differences that scripts must know.
 */

#include <mpi.h>

/* Functions with large counts, MPI_<Name>_c(). Open MPI 5.0 has none and reports version 3.1. */
#define HITOP_MPI_LARGE_COUNTS (MPI_VERSION >= 4)

/* Sessions. Open MPI 5.0 has them, although it reports version 3.1. */
#ifdef OMPI_MAJOR_VERSION
#define HITOP_MPI_SESSIONS (MPI_VERSION >= 4 || OMPI_MAJOR_VERSION >= 5)
#else
#define HITOP_MPI_SESSIONS (MPI_VERSION >= 4)
#endif

/* The symbols of the Fortran bindings are known, and they do not all call MPI_<Name>() of C. */
#if defined(OPEN_MPI) || defined(MPICH)
#define HITOP_MPI_FORTRAN 1
#else
#define HITOP_MPI_FORTRAN 0
#endif

/*
 * Open MPI reports MPI_IN_PLACE and missing displacements where they are wrong, but not a missing
 * buffer; MPICH reports the missing buffer only.
 */
#ifdef OPEN_MPI
#define HITOP_MPI_REPORTS_MISSING_BUFFERS 0
#else
#define HITOP_MPI_REPORTS_MISSING_BUFFERS 1
#endif

#endif /* HITOP_FACTS_MPI_H */

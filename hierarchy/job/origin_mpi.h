/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ORIGIN_MPI_H
#define ORIGIN_MPI_H

/* origin_mpi.h - what files say of their origin: the MPI library and the date. */

#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The first line of MPI_Get_library_version(); out has MPI_MAX_LIBRARY_VERSION_STRING bytes. */
static inline void hitop_mpi_library(char *out)
{
    int length = 0;

    out[0] = '\0';
    (void)MPI_Get_library_version(out, &length);
    out[strcspn(out, "\n")] = '\0';
}

/* ISO 8601, UTC; SOURCE_DATE_EPOCH counts where it is set. "" in a simulation. */
static inline void hitop_mpi_date(char *out, size_t length)
{
#ifdef SMPI_H
    (void)length;
    out[0] = '\0';
#else
    const char *fixed = getenv("SOURCE_DATE_EPOCH");
    const time_t now = fixed ? (time_t)strtoll(fixed, NULL, 10) : time(NULL);
    struct tm utc;

    out[0] = '\0';
    if (gmtime_r(&now, &utc)) {
        (void)strftime(out, length, "%Y-%m-%dT%H:%M:%SZ", &utc);
    }
#endif
}

#endif /* ORIGIN_MPI_H */

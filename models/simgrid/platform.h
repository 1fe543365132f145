/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PLATFORM_H
#define PLATFORM_H

/*
 * platform.h - a platform file of SimGrid as a hierarchy and a model.
 *
 * Formula: T(m) = latency f(m) + m / (bandwidth g(m)), with the sum of the latencies and the least
 *          bandwidth of the links between two hosts. f and g are 1, or the factors of <config>. A
 *          <config> with smpi/lat-factor or smpi/bw-factor describes SMPI, which puts 16 bytes
 *          before each message.
 * Source:  SimGrid 3.32, src/surf/xml/simgrid.dtd, src/kernel/routing.
 */

#include "hitop/model.h"

/* What to make of a platform. */
struct platform_request {
    const char *path;           /* "-": standard input */
    int ranks_per_host;         /* 0: one for each core of a host */
    const char *tool, *command; /* for the provenance */
};

/*
 * Make the model of a platform: ranks in the order of hosts in the file, groups from its zones.
 * *assumed receives the factors in words, *spread the largest relative difference of a route from
 * the class that describes it.
 *
 * HITOP_ERR_IO, HITOP_ERR_FORMAT: as the file; the message begins with its name and line.
 * HITOP_ERR_UNSUPPORTED: this build has no XML parser.
 */
HITOP_MUST_CHECK enum hitop_status hitop_platform_model(const struct platform_request *request,
                                                        struct hitop_model **out, char assumed[160],
                                                        double *spread, struct hitop_diag *diag);

#endif /* PLATFORM_H */

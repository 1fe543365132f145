/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PLACES_LIST_H
#define PLACES_LIST_H

/* places_list.h - tools about hosts that are listed: nobody is asked, no MPI is needed. */

#include "tools/common/places_mpi.h"

/* Do the work with the place of every rank; returns the exit status. */
int places_run_on_list(const struct tool *tool, const struct places_request *request,
                       const struct places_work *work);

#endif /* PLACES_LIST_H */

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DISABLED_H
#define DISABLED_H

/* disabled.h - HITOP_DISABLE: operations that the user wants the MPI library to serve. */

#include "hitop/operation.h"

/* One bit for each operation, 1u << enum hitop_operation_id. */
#define DISABLED_ALL ((1u << HITOP_NOPERATIONS) - 1)

/*
 * Read the environment: nothing or "0" is no operation, "1" all of them, else a list such as "bcast,reduce".
 * Of a wrong name the message tells the valid ones, and all operations are disabled.
 */
HITOP_MUST_CHECK enum hitop_status hitop_disabled_read(unsigned *out, struct hitop_diag *diag);

#endif /* DISABLED_H */

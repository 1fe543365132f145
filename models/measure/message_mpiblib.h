/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MESSAGE_MPIBLIB_H
#define MESSAGE_MPIBLIB_H

/* message_mpiblib.h - the sizes that MPIBlib would measure. */

#include "hitop/precision.h"

/* As hitop_message_set_walk(), of a set that is in range. */
enum hitop_status message_mpiblib_walk(
    const struct hitop_message_set *set,
    enum hitop_status (*time)(void *data, size_t bytes, double *seconds, struct hitop_diag *diag),
    void *data, struct hitop_message *out, size_t *n, struct hitop_diag *diag);

#endif /* MESSAGE_MPIBLIB_H */

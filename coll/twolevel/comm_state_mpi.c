/* SPDX-License-Identifier: BSD-3-Clause */
/* comm_state_mpi.c - the name of a communicator, reports about it, memory for its operations. */
#include <config.h>

#include "coll/twolevel/comm_state_mpi.h"

#include "coll/runtime/message.h"
#include "hitop/version.h"

#include <stdlib.h>

void hitop_comm_name(const struct hitop_comm *c, char *name)
{
    int length;

    name[0] = '\0';
    (void)PMPI_Comm_get_name(c->user, name, &length);
    if (name[0] == '\0') {
        (void)snprintf(name, MPI_MAX_OBJECT_NAME, "communicator %u of rank %u",
                       (unsigned)c->attribute.order, (unsigned)(c->attribute.order >> 32));
    }
}

void hitop_comm_report(const struct hitop_comm *c, const char *what, const char *why)
{
    if (c->settings.verbose) {
        hitop_message("hitop %s: communicator of %d ranks: %s%s\n", hitop_version(), c->size, what,
                      why);
    }
}

void *hitop_comm_memory(const struct hitop_comm *c, size_t bytes)
{
    void *memory = malloc(bytes);

    if (!memory) {
        hitop_failure_abort(c->wire, "out of memory");
    }
    return memory;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* comm_state_mpi.c - name a communicator, report about it, allocate and wait in its operations. */
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
        hitop_message("hitop %s: communicator of %d rank%s: %s%s\n", hitop_version(), c->size,
                      c->size == 1 ? "" : "s", what, why);
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

int hitop_comm_progress(struct hitop_comm *c, int (*step)(void *what, int *moved, int *busy),
                        void (*print)(const void *what, FILE *line), void *what)
{
    int code = MPI_SUCCESS, busy = 1;
    unsigned round = 0;

    watchdog_awaits(c, print, what);
    while (busy && code == MPI_SUCCESS) {
        int moved = 0;

        code = step(what, &moved, &busy);
        if (moved) {
            round = 0;
        } else if (busy) {
            hitop_wait_relax(&c->wait, &round);
        }
    }
    return code;
}

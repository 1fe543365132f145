/* SPDX-License-Identifier: BSD-3-Clause */
/* memory_elements_mpi.c - the buffers of a reduction: elements, as their type spreads them. */
#include <config.h>

#include "coll/runtime/memory_elements_mpi.h"

#include "coll/runtime/types_mpi.h"

#include <stdint.h>
#include <stdlib.h>

/* Elements of the type that is combined. */
struct elements {
    MPI_Datatype type;
    size_t size;
    MPI_Count extent, true_lb, true_extent;
    int plain;
};

static struct exec_memory typed(const struct elements *e, void *base)
{
    return (struct exec_memory){.base = base,
                                .type = e->type,
                                .unit = e->size,
                                .extent = (MPI_Aint)e->extent,
                                .plain = e->plain};
}

/* Room for so many packed bytes of elements, as the type spreads them. */
static int typed_scratch(struct memory *m, const struct elements *e, enum hitop_buffer buffer,
                         size_t bytes)
{
    const MPI_Count n = (MPI_Count)(bytes / e->size);
    const MPI_Count last = n > 0 ? (n - 1) * e->extent : 0;
    const MPI_Count low = e->true_lb + (last < 0 ? last : 0);
    const MPI_Count high = e->true_lb + e->true_extent + (last > 0 ? last : 0);

    m->exec[buffer] = typed(e, NULL);
    if (n == 0) {
        return MPI_SUCCESS;
    }
    m->copies[buffer] = calloc((size_t)(high - low), 1); /* a user's operation may look at gaps */
    m->exec[buffer].base = (void *)((uintptr_t)m->copies[buffer] - (uintptr_t)low);
    return m->copies[buffer] ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

/* One memory for both is not what the plan expects: what is brought moves away. */
static int copy_brought(struct memory *m, const struct elements *e, size_t bytes, MPI_Comm wire)
{
    const void *base = m->exec[HITOP_BUFFER_SEND].base;
    int code = typed_scratch(m, e, HITOP_BUFFER_SEND, bytes);

    if (code == MPI_SUCCESS) {
        code = exec_memory_copy(&m->exec[HITOP_BUFFER_SEND], 0, base, bytes, wire);
    }
    return code;
}

int memory_open_elements(struct memory *m, const struct call *call,
                         const struct hitop_coll_args *args, int in_place, size_t work,
                         MPI_Comm wire)
{
    const struct hitop_operation *operation = &hitop_operations()[call->operation];
    const int same = call->send.buffer == MPI_IN_PLACE;
    struct elements e = {.type = call->recv.type, .size = args->unit};
    MPI_Count lb = 0;
    int code = PMPI_Type_get_extent_x(e.type, &lb, &e.extent);

    if (code == MPI_SUCCESS) {
        code = PMPI_Type_get_true_extent_x(e.type, &e.true_lb, &e.true_extent);
    }
    e.plain = hitop_type_is_contiguous(e.type);
    m->exec[HITOP_BUFFER_SEND] = typed(&e, same ? call->recv.buffer : call->send.buffer);
    m->exec[HITOP_BUFFER_RECV] = typed(&e, call->recv.buffer);
    if (code == MPI_SUCCESS && same && !in_place) {
        code = copy_brought(m, &e, hitop_coll_brings(operation, args), wire);
    }
    if (code == MPI_SUCCESS && call->operation == HITOP_EXSCAN && args->rank == 0) {
        /* there it is not significant */
        code = typed_scratch(m, &e, HITOP_BUFFER_RECV, hitop_coll_takes(operation, args));
    }
    if (code == MPI_SUCCESS) {
        code = typed_scratch(m, &e, HITOP_BUFFER_WORK, work);
    }
    return code;
}

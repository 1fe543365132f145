/* SPDX-License-Identifier: BSD-3-Clause */
/* check_side_mpi.c - see check_side_mpi.h. */
#include <config.h>

#include "tools/check/check_side_mpi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNTOUCHED = 0x5a };

void check_out_of_memory(void)
{
    fputs("check_collective: out of memory\n", stderr);
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(EXIT_FAILURE);
}

void *check_get(size_t n, size_t bytes)
{
    void *memory = calloc(n + 1, bytes);

    if (!memory) {
        check_out_of_memory();
    }
    return memory;
}

struct check_side check_side_make(const struct check_type *type, int gaps, int n,
                                  const size_t *starts, size_t bytes)
{
    struct check_side s = {
        .n = n, .type = type->type, .size = type->elements->unit, .extent = type->extent};
    int end = 0;

    s.counts = check_get((size_t)n, sizeof(*s.counts));
    s.displs = check_get((size_t)n, sizeof(*s.displs));
    s.starts = check_get((size_t)n + 1, sizeof(*s.starts));
    for (int i = 0; i < n; i++) {
        s.starts[i] = starts ? starts[i] : (size_t)i * bytes;
        s.counts[i] = (int)((starts ? starts[i + 1] - starts[i] : bytes) / s.size);
        s.displs[i] = end + (gaps && n > 1 ? 1 + i % 3 : 0);
        end = s.displs[i] + s.counts[i];
    }
    s.bytes = ((size_t)end + 1) * (size_t)s.extent;
    s.memory = check_get(s.bytes, 1);
    memset(s.memory, UNTOUCHED, s.bytes);
    s.arg = s.memory;
    return s;
}

void check_side_free(struct check_side *s)
{
    free(s->memory);
    free(s->counts);
    free(s->displs);
    free(s->starts);
}

void check_side_put_piece(const struct check_side *s, unsigned char *memory, int i,
                          const unsigned char *packed)
{
    const int bytes = s->counts[i] * (int)s->size;
    int position = 0;

    MPI_Unpack(packed, bytes, &position, memory + s->displs[i] * s->extent, s->counts[i], s->type,
               MPI_COMM_SELF);
}

void check_side_put(const struct check_side *s, unsigned char *memory, const unsigned char *packed)
{
    for (int i = 0; i < s->n; i++) {
        check_side_put_piece(s, memory, i, packed + s->starts[i]);
    }
}

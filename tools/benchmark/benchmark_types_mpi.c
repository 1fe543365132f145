/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_types_mpi.c - see benchmark_types_mpi.h. */
#include <config.h>

#include "tools/benchmark/benchmark_types_mpi.h"

#include "hitop/text.h"

#include <string.h>

/* Handles of MPI need not be constants. */
#define TYPE(name, c, mpi)                                                                         \
    static MPI_Datatype type_##name(void)                                                          \
    {                                                                                              \
        return mpi;                                                                                \
    }                                                                                              \
    static void put_##name(void *element, long value)                                              \
    {                                                                                              \
        const c x = (c)value;                                                                      \
        memcpy(element, &x, sizeof(x));                                                            \
    }                                                                                              \
    static int is_##name(const void *element, long value)                                          \
    {                                                                                              \
        c x;                                                                                       \
        memcpy(&x, element, sizeof(x));                                                            \
        return x == (c)value;                                                                      \
    }

TYPE(byte, unsigned char, MPI_BYTE)
TYPE(char, signed char, MPI_CHAR)
TYPE(int, int, MPI_INT)
TYPE(long, long, MPI_LONG)
TYPE(float, float, MPI_FLOAT)
TYPE(double, double, MPI_DOUBLE)

static const struct benchmark_type types[] = {
    {"byte", sizeof(char), 0, type_byte, put_byte, is_byte},
    {"char", sizeof(char), 0, type_char, put_char, is_char},
    {"int", sizeof(int), 1, type_int, put_int, is_int},
    {"long", sizeof(long), 1, type_long, put_long, is_long},
    {"float", sizeof(float), 1, type_float, put_float, is_float},
    {"double", sizeof(double), 1, type_double, put_double, is_double},
};

enum hitop_status benchmark_type_find(const char *name, const struct benchmark_kind *kind,
                                      const struct benchmark_type **out, struct hitop_diag *diag)
{
    char valid[128] = "";

    if (!name) {
        name = kind->flags & KIND_SUMS ? "float" : "byte";
    }
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        if (kind->flags & KIND_SUMS && !types[i].has_sum) {
            continue;
        }
        if (strcmp(types[i].name, name) == 0) {
            *out = &types[i];
            return HITOP_OK;
        }
        hitop_text_list_name(valid, sizeof(valid), types[i].name);
    }
    return hitop_fail(diag, HITOP_ERR_NOTFOUND, "'%.40s' is no type for %s; valid: %s", name,
                      kind->name, valid);
}

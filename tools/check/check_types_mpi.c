/* SPDX-License-Identifier: BSD-3-Clause */
/* check_types_mpi.c - datatypes with and without gaps, ordered or not, and operations on them. */
#include <config.h>

#include "tools/check/check_types_mpi.h"

#include <stdint.h>
#include <string.h>

/* Bytes for MPI_BXOR. */
static void make_char(int rank, size_t index, void *element)
{
    const unsigned char c = (unsigned char)((size_t)(rank + 1) * 37 + index * 11);

    memcpy(element, &c, sizeof(c));
}

static void make_int(int rank, size_t index, void *element)
{
    const int32_t i = (int32_t)(index * 17 % 100003) - 1000 * rank;

    memcpy(element, &i, sizeof(i));
}

/* Sums of small whole numbers do not depend on their order. */
static void make_double(int rank, size_t index, void *element)
{
    const double d = (double)(rank + 1) * 3 + (double)(index % 1009);

    memcpy(element, &d, sizeof(d));
}

/* right = left OPERATOR right, for elements at any address. */
#define COMBINE(name, type, OPERATOR)                                                              \
    static void name(const void *left, void *right)                                                \
    {                                                                                              \
        type a, b;                                                                                 \
                                                                                                   \
        memcpy(&a, left, sizeof(a));                                                               \
        memcpy(&b, right, sizeof(b));                                                              \
        b = (type)(a OPERATOR b);                                                                  \
        memcpy(right, &b, sizeof(b));                                                              \
    }

COMBINE(xor_chars, unsigned char, ^)
COMBINE(add_ints, int32_t, +)
COMBINE(add_doubles, double, +)

/* A value and where it was found. */
struct found {
    double value;
    int32_t where;
};

enum { FOUND = sizeof(double) + sizeof(int32_t) };

static void make_found(int rank, size_t index, void *element)
{
    const struct found f = {(double)((size_t)(rank * 7) + index * 5) / 3, rank};
    const struct found g = {(double)((rank * 7 + (int)(index % 5)) % 11), rank};

    memcpy(element, index % 2 ? &f : &g, FOUND);
}

static void take_larger(const void *left, void *right)
{
    struct found a, b;

    memcpy(&a, left, FOUND);
    memcpy(&b, right, FOUND);
    if (a.value > b.value || (a.value == b.value && a.where < b.where)) {
        memcpy(right, left, FOUND);
    }
}

/* The map x -> a x + b; composing maps keeps the order. */
struct map {
    uint32_t a, b;
};

static void make_map(int rank, size_t index, void *element)
{
    const struct map m = {(uint32_t)(rank * 2 + 1) + (uint32_t)index * 6,
                          (uint32_t)rank * 1009 + (uint32_t)index + 1};

    memcpy(element, &m, sizeof(m));
}

static struct map compose(struct map left, struct map right)
{
    return (struct map){left.a * right.a, left.a * right.b + left.b};
}

static void compose_packed(const void *left, void *right)
{
    struct map a, b;

    memcpy(&a, left, sizeof(a));
    memcpy(&b, right, sizeof(b));
    b = compose(a, b);
    memcpy(right, &b, sizeof(b));
}

/* A map in user memory: the indices of its numbers a and b, and the numbers of an element. */
struct form {
    int a, b, stride;
};

static void compose_all(const void *in, void *inout, int n, struct form form)
{
    const uint32_t *left = in;
    uint32_t *right = inout;

    for (int i = 0; i < n; i++, left += form.stride, right += form.stride) {
        const struct map m = compose((struct map){left[form.a], left[form.b]},
                                     (struct map){right[form.a], right[form.b]});
        right[form.a] = m.a;
        right[form.b] = m.b;
    }
}

static void compose_maps(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    compose_all(in, inout, *n, (struct form){0, 1, 2});
}

static void compose_gaps(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    compose_all(in, inout, *n, (struct form){0, 2, 4});
}

static void compose_permuted(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    compose_all(in, inout, *n, (struct form){1, 0, 2});
}

static const struct case_elements chars = {1, make_char, xor_chars};
static const struct case_elements ints = {sizeof(int32_t), make_int, add_ints};
static const struct case_elements doubles = {sizeof(double), make_double, add_doubles};
static const struct case_elements pairs = {FOUND, make_found, take_larger};
static const struct case_elements maps = {sizeof(struct map), make_map, compose_packed};

static const char *const names[] = {"char", "int",    "double",  "pair",
                                    "map",  "vector", "indexed", NULL};

const char *check_types_name(size_t index)
{
    return names[index];
}

static MPI_Op user_op(MPI_User_function *function)
{
    MPI_Op op;

    MPI_Op_create(function, 0, &op);
    return op;
}

/* Two numbers, each with a gap behind it; the extent is four numbers. */
static MPI_Datatype with_gaps(void)
{
    MPI_Datatype vector, type;

    MPI_Type_vector(2, 1, 2, MPI_UINT32_T, &vector);
    MPI_Type_create_resized(vector, 0, 4 * (MPI_Aint)sizeof(uint32_t), &type);
    MPI_Type_free(&vector);
    return type;
}

/* Two numbers, the second one in memory first. */
static MPI_Datatype permuted(void)
{
    const int lengths[] = {1, 1}, places[] = {1, 0};
    MPI_Datatype type;

    MPI_Type_indexed(2, lengths, places, MPI_UINT32_T, &type);
    return type;
}

static MPI_Datatype contiguous(void)
{
    MPI_Datatype type;

    MPI_Type_contiguous(2, MPI_UINT32_T, &type);
    return type;
}

void check_types_make(struct check_type types[CHECK_NTYPES])
{
    const struct check_type all[CHECK_NTYPES] = {
        {"char", MPI_UNSIGNED_CHAR, MPI_BXOR, 0, &chars, 0},
        {"int", MPI_INT32_T, MPI_SUM, 0, &ints, 0},
        {"double", MPI_DOUBLE, MPI_SUM, 0, &doubles, 0},
        {"pair", MPI_DOUBLE_INT, MPI_MAXLOC, 0, &pairs, 0},
        {"map", contiguous(), user_op(compose_maps), 1, &maps, 0},
        {"vector", with_gaps(), user_op(compose_gaps), 1, &maps, 0},
        {"indexed", permuted(), user_op(compose_permuted), 1, &maps, 0},
    };

    memcpy(types, all, sizeof(all));
    for (int i = 0; i < CHECK_NTYPES; i++) {
        MPI_Aint lb;
        if (types[i].ordered) {
            MPI_Type_commit(&types[i].type);
        }
        MPI_Type_get_extent(types[i].type, &lb, &types[i].extent);
    }
}

void check_types_free(struct check_type types[CHECK_NTYPES])
{
    for (int i = 0; i < CHECK_NTYPES; i++) {
        if (types[i].ordered) {
            MPI_Type_free(&types[i].type);
            MPI_Op_free(&types[i].op);
        }
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_data_mpi.c - see benchmark_data_mpi.h. */
#include <config.h>

#include "tools/benchmark/benchmark_data_mpi.h"

#include "models/clock/arrival.h"

#include "hitop/text.h"

#include <stdlib.h>
#include <string.h>

enum { LINE = 64, PAGE = 4096, SMALL = 97 };

/* Pages at which a hot message may begin. */
enum { FIRSTS = 64 };

/*
 * The value of element `index` of block `block` of `sender`; never 0. The elements of a timed call
 * have the value of the first one.
 */
static long content(long turn, int sender, int block, int index)
{
    return 1 + (turn * 37 + sender * 11L + block * 5L + index * 7L) % SMALL;
}

static size_t whole_pages(size_t bytes)
{
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

size_t benchmark_data_place(const struct benchmark_kind *kind, int ranks, size_t longest)
{
    return whole_pages(longest * benchmark_blocks(kind->gives, ranks)) +
           whole_pages(longest * benchmark_blocks(kind->gets, ranks)) + PAGE;
}

enum hitop_status benchmark_data_init(struct benchmark_data *d, size_t place, size_t last_level,
                                      size_t memory, struct hitop_diag *diag)
{
    size_t walk = benchmark_cache_stays(d->cache) ? 0 : 2 * last_level;

    d->region = walk < memory ? walk : memory;
    d->room = place > d->region ? place : d->region;
    d->room += d->cache == CACHE_HOT ? FIRSTS * PAGE : 0;
    if (posix_memalign((void **)&d->pool, PAGE, d->room) != 0) {
        d->pool = NULL;
    }
    d->counts = calloc((size_t)d->size, sizeof(*d->counts));
    d->displs = calloc((size_t)d->size, sizeof(*d->displs));
    d->cooler = d->cache == CACHE_COLD ? malloc(walk) : NULL;
    if (!d->pool || !d->counts || !d->displs || (d->cache == CACHE_COLD && !d->cooler)) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "no memory for messages in %zu bytes", d->room);
    }
    memset(d->pool, 0, d->room);
    return HITOP_OK;
}

void benchmark_data_fini(struct benchmark_data *d)
{
    free(d->pool);
    free(d->counts);
    free(d->displs);
    free(d->cooler);
    d->pool = d->cooler = NULL;
    d->counts = d->displs = NULL;
}

/* Call touch() for one element of each line of a block and for the last one; sum of results. */
static unsigned long long each(const struct benchmark_data *d, unsigned char *block, long value,
                               unsigned long long (*touch)(const struct benchmark_type *,
                                                           unsigned char *, long))
{
    const size_t element = d->type->bytes;
    unsigned long long sum = 0;

    if (d->bytes == 0) {
        return 0;
    }
    for (size_t i = 0; i + element < d->bytes; i += LINE) {
        sum += touch(d->type, block + i, value);
    }
    return sum + touch(d->type, block + d->bytes - element, value);
}

static unsigned long long put(const struct benchmark_type *type, unsigned char *element, long value)
{
    type->put(element, value);
    return 0;
}

static unsigned long long look(const struct benchmark_type *type, unsigned char *element,
                               long value)
{
    const int wrong = !type->is(element, value);

    type->put(element, 0);
    return (unsigned long long)wrong;
}

static void write_place(struct benchmark_data *d, size_t place, long turn, int root)
{
    const int gives = !(d->kind->flags & KIND_ROOT_GIVES) || d->rank == root;
    const size_t n = gives ? benchmark_blocks(d->kind->gives, d->size) : 0;

    for (size_t b = 0; b < n; b++) {
        (void)each(d, d->pool + d->first + place * d->stride + b * d->bytes,
                   content(turn, d->rank, (int)b, 0), put);
    }
}

void benchmark_data_lay_out(struct benchmark_data *d, const struct benchmark_kind *kind,
                            const struct benchmark_type *type, size_t bytes, int count,
                            MPI_Datatype unit)
{
    const size_t gives = bytes * benchmark_blocks(kind->gives, d->size);
    const size_t gets = bytes * benchmark_blocks(kind->gets, d->size);
    const size_t aligned = (gives + LINE - 1) / LINE * LINE;

    d->first = d->cache == CACHE_HOT
                   ? hitop_pattern_drawn(d->seed, d->moves++, d->rank) % FIRSTS * PAGE
                   : 0;
    d->kind = kind;
    d->type = type;
    d->bytes = bytes;
    d->call.count = count;
    d->call.type = unit;
    d->call.block = bytes;
    d->call.rank = d->rank;
    d->call.size = d->size;
    d->call.counts = d->counts;
    d->call.displs = d->displs;
    d->out_at = benchmark_cache_stays(d->cache) ? whole_pages(gives) : aligned;
    d->stride = d->out_at + (gets + LINE - 1) / LINE * LINE + LINE;
    d->nplaces = d->region < d->stride ? 1 : d->region / d->stride;
    for (int r = 0; r < d->size; r++) {
        d->counts[r] = count;
        d->displs[r] = d->kind->flags & KIND_COUNTS ? r * count : 0;
    }
}

void benchmark_data_become(struct benchmark_data *d, const struct benchmark_kind *kind,
                           const struct benchmark_type *type, size_t bytes, int count,
                           MPI_Datatype unit)
{
    benchmark_data_lay_out(d, kind, type, bytes, count, unit);
    for (size_t p = 0; p < d->nplaces && d->cache != CACHE_HOT; p++) {
        write_place(d, p, (long)p, d->rank); /* any rank may become the root */
    }
}

/* Let a call use a place; returns the place. */
static unsigned char *set_call(struct benchmark_data *d, size_t place, long turn, int root)
{
    unsigned char *at = d->pool + d->first + place * d->stride;

    d->call.root = root;
    d->call.in = at;
    d->call.out = at + d->out_at;
    d->turn = turn;
    return at;
}

void benchmark_data_prepare(struct benchmark_data *d, long turn, int root)
{
    const size_t place = (size_t)turn % d->nplaces;

    (void)set_call(d, place, turn, root);
    if (d->cache == CACHE_HOT) {
        write_place(d, 0, turn, root);
    } else {
        d->turn = (long)place;
        if (d->cooler) {
            memset(d->cooler, (int)turn, d->region);
        }
    }
}

/* The value of an element of block b of the result; 0: the rank receives nothing. */
static long expected(const struct benchmark_data *d, int b, int index)
{
    const int mine = d->kind->gives == BLOCKS_EACH ? d->rank : 0;
    long sum = 0;

    if (d->kind->sender) {
        const int sender = d->kind->sender(d->rank, d->size, b);
        return sender < 0 ? 0 : content(d->turn, sender, 0, index);
    }
    if (d->kind->flags & KIND_SUMS) {
        for (int r = 0; r < d->size; r++) {
            sum += content(d->turn, r, 0, index);
        }
        return sum;
    }
    return content(d->turn, d->kind->flags & KIND_ROOT_GIVES ? d->call.root : b, mine, index);
}

/* 1: the result is what this rank sends, as at the root of a broadcast. */
static int keeps(const struct benchmark_data *d)
{
    return d->call.root == d->rank && d->kind->operation && d->kind->gives == BLOCKS_ONE &&
           d->kind->flags & KIND_ROOT_GIVES;
}

/* The blocks of the result of this rank. */
static size_t received(const struct benchmark_data *d)
{
    const int gets = !(d->kind->flags & KIND_ROOT_GETS) || d->rank == d->call.root;

    return gets ? benchmark_blocks(d->kind->gets, d->size) : 0;
}

void benchmark_data_look(struct benchmark_data *d)
{
    const size_t n = d->check && !keeps(d) ? received(d) : 0;
    unsigned char *out = d->call.out;

    for (size_t b = 0; b < n; b++) {
        const long value = expected(d, (int)b, 0);
        d->wrong += value ? each(d, out + b * d->bytes, value, look) : 0;
    }
}

/*
 * A whole call. The elements of a block repeat every SMALL elements, so that pieces of that length
 * are written and compared.
 */

static size_t piece_at(const struct benchmark_data *d, size_t offset)
{
    const size_t piece = SMALL * d->type->bytes;

    return d->bytes - offset < piece ? d->bytes - offset : piece;
}

void benchmark_data_prepare_whole(struct benchmark_data *d, long turn, int root)
{
    const size_t gives = benchmark_blocks(d->kind->gives, d->size);
    unsigned char piece[SMALL * sizeof(double)], *in = set_call(d, 0, turn, root);

    for (size_t b = 0; b < gives; b++) {
        for (int i = 0; i < SMALL; i++) {
            d->type->put(piece + (size_t)i * d->type->bytes, content(turn, d->rank, (int)b, i));
        }
        for (size_t at = 0; at < d->bytes; at += piece_at(d, at)) {
            memcpy(in + b * d->bytes + at, piece, piece_at(d, at));
        }
    }
    memset(d->call.out, 0, d->bytes * benchmark_blocks(d->kind->gets, d->size));
}

/* The wrong elements of some; most often there are none. */
static unsigned long long differing(const struct benchmark_data *d, const unsigned char *found,
                                    const unsigned char *wanted, size_t bytes)
{
    const size_t element = d->type->bytes;
    unsigned long long n = 0;

    if (memcmp(found, wanted, bytes) == 0) {
        return 0;
    }
    for (size_t at = 0; at < bytes; at += element) {
        n += memcmp(found + at, wanted + at, element) != 0;
    }
    return n;
}

void benchmark_data_compare(struct benchmark_data *d)
{
    const size_t n = received(d);
    const unsigned char *found = keeps(d) ? d->call.in : d->call.out;
    unsigned char piece[SMALL * sizeof(double)];

    for (size_t b = 0; b < n; b++) {
        const int is_sent = expected(d, (int)b, 0) != 0;
        for (int i = 0; i < SMALL && is_sent; i++) {
            d->type->put(piece + (size_t)i * d->type->bytes, expected(d, (int)b, i));
        }
        for (size_t at = 0; at < d->bytes && is_sent; at += piece_at(d, at)) {
            d->wrong += differing(d, found + b * d->bytes + at, piece, piece_at(d, at));
        }
    }
}

/* A function returns the handle, because handles of MPI may not be constants. */
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

/* SPDX-License-Identifier: BSD-3-Clause */
/* node_random.c - see node_random.h. */
#include <config.h>

#include "tests/coll/node/node_random.h"
#include "tests/support/scramble.h"

#include "coll/node/node.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_RANKS = 16, ALL_RANKS = -1, BEHIND = 16, UNTOUCHED = 0xa5 };

/* An operation of one rank. */
struct step {
    const struct node_random *trial;
    struct hitop_node *node;
    unsigned k, random;
    int root, in_place;
    int misled;                    /* one rank uses another length */
    int overrun;                   /* bytes behind the blocks that were overwritten */
    size_t bytes;                  /* of each rank's block, unless lengths differ */
    size_t starts[MOST_RANKS + 1]; /* of the blocks */
    unsigned char *from, *to;      /* room for blocks of all */
};

/* Mostly short; some at the thresholds of other algorithms; some longer than a small ring. */
static size_t length_of(const struct node_random *t, unsigned r)
{
    static const size_t edges[] = {1,   48,  49,   56,   57,   120,  121,  256,   257,   511,
                                   512, 513, 2047, 2048, 2049, 4096, 4097, 16384, 32768, 65537};
    const size_t ring = t->layout.outbox_bytes;
    size_t n = 1 + scramble(r) % (r % 4 == 0 ? 700u : r % 4 == 1 ? 100u : 5000u);

    if (r % 8 == 3) {
        n = edges[scramble(r) % (sizeof(edges) / sizeof(edges[0]))];
    } else if (r % 16 == 6) {
        n = ring / 2 - 1 + scramble(r) % 3;
    } else if (r % 16 == 14) {
        n = 1 + scramble(r) % (3 * ring);
    }
    return n < t->longest ? n : t->longest;
}

static unsigned char byte_of(unsigned k, int from, int to, size_t i)
{
    return (unsigned char)(k * 31 + (unsigned)from * 17 + (unsigned)to * 5 + i * 7 + i / 251);
}

static void fill(unsigned char *data, size_t bytes, unsigned k, int from, int to)
{
    for (size_t i = 0; i < bytes; i++) {
        data[i] = byte_of(k, from, to, i);
    }
}

static int differs(const unsigned char *data, size_t bytes, unsigned k, int from, int to)
{
    for (size_t i = 0; i < bytes; i++) {
        if (data[i] != byte_of(k, from, to, i)) {
            return 1;
        }
    }
    return 0;
}

/* Chains of x -> a x + b: the order of operands matters, their grouping does not. */
struct chain {
    unsigned a, b;
};

static void compose(void *context, const void *earlier, void *later, size_t bytes)
{
    const struct chain *first = earlier;
    struct chain *second = later;

    (void)context;
    for (size_t i = 0; i < bytes / sizeof(*first); i++) {
        second[i].b = first[i].a * second[i].b + first[i].b;
        second[i].a = first[i].a * second[i].a;
    }
}

/* The order of two operands does not matter. */
static void add(void *context, const void *earlier, void *later, size_t bytes)
{
    const struct chain *first = earlier;
    struct chain *second = later;

    (void)context;
    for (size_t i = 0; i < bytes / sizeof(*first); i++) {
        second[i].a += first[i].a;
        second[i].b += first[i].b;
    }
}

static struct chain chain_of(unsigned k, int rank, size_t i)
{
    const unsigned r = k * 77 + (unsigned)rank * 1001 + (unsigned)i;

    /* two chains commute if (a - 1) / b is equal in both */
    return (struct chain){.a = r * 2 + 1, .b = scramble(r)};
}

static int sum(struct step *s, int takes)
{
    const int is_alike = s->k % 3 == 0;
    const struct hitop_combine combine = {
        .run = is_alike ? add : compose, .unit = sizeof(struct chain), .is_alike = is_alike};
    const size_t n = s->bytes / sizeof(struct chain) + 1, bytes = n * sizeof(struct chain);
    struct chain *mine = (struct chain *)(s->in_place ? s->to : s->from);
    const struct chain *got = (const struct chain *)s->to;
    int wrong = 0;

    for (size_t i = 0; i < n; i++) {
        mine[i] = chain_of(s->k, s->node->me, i);
    }
    wrong += s->root == ALL_RANKS
                 ? hitop_node_allreduce(s->node, mine, s->to, bytes, &combine)
                 : hitop_node_reduce(s->node, mine, s->to, bytes, s->root, &combine);
    for (size_t i = 0; takes && i < n; i++) {
        struct chain expected = chain_of(s->k, s->node->nranks - 1, i);
        for (int r = s->node->nranks - 2; r >= 0; r--) {
            const struct chain earlier = chain_of(s->k, r, i);
            combine.run(NULL, &earlier, &expected, sizeof(expected));
        }
        wrong += got[i].a != expected.a || got[i].b != expected.b;
    }
    return wrong;
}

/* In half of the operations the blocks have different lengths; some are empty. */
static struct hitop_node_blocks blocks(struct step *s, unsigned char *base)
{
    const int uneven = s->random % 2 == 0;

    s->starts[0] = 0;
    for (int r = 0; r < s->node->nranks; r++) {
        const unsigned random = scramble(s->random + (unsigned)r);
        const size_t bytes = !uneven ? s->bytes : random % 5 == 0 ? 0 : length_of(s->trial, random);
        s->starts[r + 1] = s->starts[r] + bytes;
    }
    return (struct hitop_node_blocks){
        .base = base, .each = s->bytes, .starts = uneven ? s->starts : NULL};
}

static int gather(struct step *s)
{
    const struct hitop_node_blocks to = blocks(s, s->to);
    const int me = s->node->me, takes = s->root == ALL_RANKS || me == s->root;
    const size_t bytes = s->starts[me + 1] - s->starts[me];
    unsigned char *mine = s->in_place && takes ? s->to + s->starts[me] : s->from;
    int wrong = 0;

    fill(mine, bytes, s->k, me, 0);
    memset(s->to + s->starts[s->node->nranks], UNTOUCHED, BEHIND);
    wrong += s->root == ALL_RANKS ? hitop_node_allgather(s->node, mine, bytes, &to)
                                  : hitop_node_gather(s->node, mine, bytes, &to, s->root);
    for (size_t i = 0; i < BEHIND; i++) {
        s->overrun += s->to[s->starts[s->node->nranks] + i] != UNTOUCHED;
    }
    for (int r = 0; takes && r < s->node->nranks; r++) {
        wrong += differs(s->to + s->starts[r], s->starts[r + 1] - s->starts[r], s->k, r, 0);
    }
    return wrong;
}

static int scatter(struct step *s)
{
    const struct hitop_node_blocks from = blocks(s, s->from);
    const int me = s->node->me;
    const size_t bytes = s->starts[me + 1] - s->starts[me];
    unsigned char *mine = s->in_place && me == s->root ? s->from + s->starts[me] : s->to;
    int wrong;

    for (int r = 0; me == s->root && r < s->node->nranks; r++) {
        fill(s->from + s->starts[r], s->starts[r + 1] - s->starts[r], s->k, s->root, r);
    }
    wrong = hitop_node_scatter(s->node, &from, mine, bytes, s->root);
    return wrong + differs(mine, bytes, s->k, s->root, me);
}

static int alltoall(struct step *s)
{
    unsigned char *from = s->in_place ? s->to : s->from;
    int wrong;

    for (int r = 0; r < s->node->nranks; r++) {
        fill(from + (size_t)r * s->bytes, s->bytes, s->k, s->node->me, r);
    }
    wrong = hitop_node_alltoall(s->node, from, s->to, s->bytes, s->in_place);
    for (int r = 0; r < s->node->nranks; r++) {
        wrong += differs(s->to + (size_t)r * s->bytes, s->bytes, s->k, r, s->node->me);
    }
    return wrong;
}

static int bcast(struct step *s)
{
    int note;

    if (s->node->me == s->root) {
        fill(s->from, s->bytes, s->k, s->root, 0);
        hitop_node_post(s->node, s->from, s->bytes, 0);
        return 0;
    }
    return (hitop_node_read(s->node, s->to, s->bytes, &note) != s->bytes) +
           differs(s->to, s->bytes, s->k, s->root, 0);
}

static int barrier(struct step *s)
{
    int wrong = 0;

    atomic_store(&s->trial->came[s->node->me], s->k + 1);
    hitop_node_barrier(s->node);
    for (int r = 0; r < s->node->nranks; r++) {
        wrong += atomic_load(&s->trial->came[r]) <= s->k;
    }
    return wrong;
}

static int run_kind(struct step *s, enum node_random_kind kind)
{
    switch (kind) {
    case TRIAL_BCAST:
        return bcast(s);
    case TRIAL_REDUCE:
        return sum(s, s->node->me == s->root);
    case TRIAL_ALLREDUCE:
        return sum(s, 1);
    case TRIAL_GATHER:
    case TRIAL_ALLGATHER:
        return gather(s);
    case TRIAL_SCATTER:
        return scatter(s);
    case TRIAL_ALLTOALL:
        return alltoall(s);
    default:
        return barrier(s);
    }
}

static int run(struct step *s, enum node_random_kind kind)
{
    const int has_no_root = kind == TRIAL_ALLREDUCE || kind == TRIAL_ALLGATHER;
    int wrong;

    s->root = has_no_root            ? ALL_RANKS
              : s->trial->fixed_root ? 0
                                     : (int)(scramble(s->random + 3) % (unsigned)s->node->nranks);
    hitop_node_begin(s->node);
    if (!s->trial->fixed_root && (kind == TRIAL_REDUCE || kind == TRIAL_GATHER) &&
        s->random / 8 % 2 == 0) {
        s->root = hitop_node_comes_last(s->node) ? s->node->me : HITOP_NODE_LAST;
    }
    wrong = run_kind(s, kind);
    return s->overrun + (s->misled ? 0 : wrong); /* it is not specified which rank notices */
}

/* The kernel's calls before it refuses them. */
static _Thread_local int calls_left;

static ptrdiff_t read_a_while(int pid, void *to, uint64_t from, size_t bytes)
{
    return calls_left-- > 0 ? hitop_cma_kernel.read(pid, to, from, bytes) : -1;
}

static ptrdiff_t write_a_while(int pid, uint64_t to, const void *from, size_t bytes)
{
    return calls_left-- > 0 ? hitop_cma_kernel.write(pid, to, from, bytes) : -1;
}

static const struct hitop_cma_calls a_while = {read_a_while, write_a_while};

/* Blocks that do not fit into a small outbox count as long. */
static struct hitop_thresholds scale(const struct node_random *t, const struct hitop_node *node)
{
    struct hitop_thresholds scaled = *node->thresholds;

    scaled.gather_cma_from = scaled.scatter_cma_from = t->layout.outbox_bytes / 2 + 1;
    scaled.allgather_direct_from = scaled.alltoall_direct_from = t->layout.outbox_bytes / 4 + 1;
    scaled.reduce_direct_from = scaled.allreduce_direct_from = t->layout.outbox_bytes / 4;
    scaled.spill_to = node->wait.alone ? 0 : (size_t)t->layout.nranks * t->layout.outbox_bytes / 4;
    scaled.patience = 1;
    if (t->part > 0) {
        scaled.reduce_part[0] = scaled.allreduce_part[0] = (struct hitop_piece){SIZE_MAX, t->part};
    }
    return scaled;
}

int node_random_run(const struct node_random *t, void *memory, int me)
{
    const struct hitop_wait wait = {.spins = hitop_wait_spins(0),
                                    .alone = t->layout.nplaces == HITOP_NODE_FEW_PLACES};
    const size_t room = (size_t)t->layout.nranks * (t->longest + BEHIND);
    struct hitop_node node;
    struct hitop_thresholds thresholds;
    struct step s = {.trial = t, .node = &node, .from = malloc(room), .to = malloc(room)};
    int wrong = !s.from || !s.to;

    hitop_node_attach(&node, memory, &t->layout, me, &wait);
    node.cma.calls = t->odd == TRIAL_ALL_ODD || me == t->odd ? &a_while : &hitop_cma_kernel;
    node.arena = t->arena;
    thresholds = scale(t, &node);
    node.thresholds = &thresholds;
    calls_left = 2 * (t->layout.nranks - 1) + t->calls; /* after those of the proof */
    hitop_node_prove(&node, t->has_cma);
    for (unsigned k = 0; s.from && s.to && k < t->operations; k++) {
        enum node_random_kind kind;
        unsigned random = scramble(k + 1);

        do { /* the next kind that the test asks for */
            random = scramble(random + 1);
            kind = (enum node_random_kind)(random % TRIAL_KINDS);
        } while (!(t->kinds >> kind & 1));
        s.k = k;
        s.random = scramble(random + 2);
        s.in_place = s.random / 4 % 2 != 0;
        s.bytes = length_of(t, scramble(s.random + 5));
        s.misled = t->misled && k % 2 != 0;
        s.overrun = 0;
        if (s.misled && k / 2 % (unsigned)node.nranks == (unsigned)me) {
            s.bytes = s.bytes / 3 + 1;
        }
        if (scramble(k * 7u + (unsigned)me) % 97 == 0) {
            (void)usleep(200); /* a late rank */
        }
        wrong += run(&s, kind);
    }
    free(s.to);
    free(s.from);
    return wrong;
}

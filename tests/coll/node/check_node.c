/* SPDX-License-Identifier: BSD-3-Clause */
/* check_node.c - every rank gets every byte of every broadcast on a node, whichever rank writes. */
#include <config.h>

#include "coll/node/node.h"

#include "tests/support/test_main.h"

#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BIGGEST = 300000 };

/*
 * Everything about operation k is computed from k, so that all ranks agree without communication.
 */
static uint64_t scramble(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static size_t size_of_operation(uint64_t k, size_t ring)
{
    const size_t edges[] = {1,
                            HITOP_NODE_INLINE - 1,
                            HITOP_NODE_INLINE,
                            HITOP_NODE_INLINE + 1,
                            HITOP_NODE_LINED - 1,
                            HITOP_NODE_LINED,
                            HITOP_NODE_LINED + 1,
                            55,
                            57,
                            1023,
                            1024,
                            1025,
                            HITOP_NODE_SHORT - 1,
                            HITOP_NODE_SHORT,
                            HITOP_NODE_SHORT + 1,
                            64,
                            4095,
                            4096,
                            4097,
                            16383,
                            16384,
                            16385,
                            ring - 1,
                            ring,
                            ring + 1,
                            3 * ring + 17};
    const size_t n = sizeof(edges) / sizeof(edges[0]);
    const uint64_t r = scramble(k);

    if (r % 4 == 0) {
        return edges[r / 4 % n] <= BIGGEST ? edges[r / 4 % n] : BIGGEST;
    }
    return 1 + (size_t)(scramble(r) % (r % 4 == 1 ? 100u : r % 4 == 2 ? 2500u : 20000u));
}

static void fill_pattern(unsigned char *data, size_t bytes, uint64_t k)
{
    for (size_t i = 0; i < bytes; i++) {
        data[i] = (unsigned char)((k * 31 + i * 7 + i / 251) & 0xff);
    }
}

struct trial {
    struct hitop_node_layout layout;
    int operations;
    int rotate; /* 1: another writer each time; 0: always rank 0 */
    int truncate;
    int compete; /* 1: the first rank to arrive writes */
    int pieces;  /* 1: every other message is written in pieces, out of order */
    int alone;   /* 1: every rank has its own processor */
};

/* Write a message in thirds, the second one first. */
static void print_pieces(struct hitop_node *node, const void *message, size_t bytes, int note)
{
    const unsigned char *data = message;
    const size_t third = bytes / 3 + 1;
    struct hitop_node_writer writer;

    hitop_node_open(&writer, bytes, note);
    for (size_t i = 1; i < 4; i++) {
        const size_t from = i % 3 * third, to = from + third < bytes ? from + third : bytes;
        unsigned round = 0;

        for (size_t at = from; at < to; hitop_wait_relax(&node->wait, &round)) {
            at += hitop_node_write_piece(node, &writer, data + at, at, to - at);
        }
    }
}

/* One rank of a test run; returns the number of errors. `led` counts the ranks that have led. */
static int take_part(const struct trial *t, void *memory, int me, _Atomic int *led)
{
    const struct hitop_wait wait = {.spins = hitop_wait_spins(0), .alone = t->alone};
    unsigned char *expected = malloc(BIGGEST), *got = malloc(BIGGEST + 1);
    struct hitop_node node;
    int wrong = 0, note = 0;

    hitop_node_attach(&node, memory, &t->layout, me, &wait);
    for (int k = 0; k < t->operations && expected && got; k++) {
        const uint64_t r = scramble((uint64_t)k + 77);
        const int writer = t->rotate ? (int)(r % (uint64_t)t->layout.nranks) : 0;
        const size_t bytes = size_of_operation((uint64_t)k, t->layout.ring_bytes);
        const size_t capacity = t->truncate ? bytes / 2 : bytes;

        fill_pattern(expected, bytes, (uint64_t)k);
        if (r % 61 == (uint64_t)me) {
            (void)usleep((useconds_t)(r % 300)); /* a late rank */
        }
        hitop_node_begin(&node);
        if (t->compete ? hitop_node_claim(&node) : me == writer) {
            atomic_fetch_add(led, 1);
            (t->pieces && r % 2 ? print_pieces : hitop_node_post)(&node, expected, bytes,
                                                                  (int)(k % 2));
            continue;
        }
        memset(got, 0xee, capacity + 1);
        wrong += hitop_node_read(&node, got, capacity, &note) != bytes;
        wrong += note != k % 2;
        wrong += memcmp(got, expected, capacity) != 0;
        wrong += got[capacity] != 0xee;
    }
    wrong += !expected || !got;
    free(got);
    free(expected);
    return wrong;
}

static void run_trial(const struct trial *t)
{
    const size_t bytes = hitop_node_segment_bytes(&t->layout);
    const size_t all = bytes + sizeof(_Atomic int);
    unsigned char *memory =
        mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    _Atomic int *led = (_Atomic int *)(void *)(memory + bytes);
    pid_t child[16];

    ck_assert_ptr_ne(memory, MAP_FAILED);
    hitop_node_format(memory, &t->layout);
    for (int me = 0; me < t->layout.nranks; me++) {
        child[me] = fork();
        ck_assert_int_ge(child[me], 0);
        if (child[me] == 0) {
            (void)alarm(50); /* a hang must fail the test, not the machine */
            _exit(take_part(t, memory, me, led) ? 1 : 0);
        }
    }
    for (int me = 0; me < t->layout.nranks; me++) {
        int status = -1;
        ck_assert_int_eq(waitpid(child[me], &status, 0), child[me]);
        ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "process %d: status %d", me,
                      status);
    }
    ck_assert_int_eq(atomic_load(led), t->operations);
    ck_assert_int_eq(munmap(memory, all), 0);
}

START_TEST(delivers_from_rotating_writers)
{
    static const int sizes[] = {2, 3, 5, 8};
    const struct trial t = {.layout = {.nranks = sizes[_i],
                                       .ring_bytes = HITOP_NODE_RING,
                                       .nplaces = HITOP_NODE_MANY_PLACES},
                            .operations = 1500,
                            .rotate = 1};

    run_trial(&t);
}
END_TEST

START_TEST(delivers_through_a_ring_smaller_than_the_message)
{
    const struct trial t = {
        .layout = {.nranks = 3, .ring_bytes = 8192, .nplaces = HITOP_NODE_FEW_PLACES},
        .operations = 400,
        .rotate = _i};

    run_trial(&t);
}
END_TEST

START_TEST(goes_round_many_times)
{
    const struct trial t = {
        .layout = {.nranks = 2 + _i % 2, .ring_bytes = 16384, .nplaces = HITOP_NODE_FEW_PLACES},
        .operations = 400,
        .rotate = _i / 2 % 2,
        .pieces = _i / 4,
        .alone = 1};

    run_trial(&t);
}
END_TEST

START_TEST(counts_operations_beyond_32_bits)
{
    const struct trial t = {.layout = {.nranks = 2,
                                       .ring_bytes = 8192,
                                       .nplaces = HITOP_NODE_FEW_PLACES,
                                       .first = (UINT64_C(1) << 40) - 200},
                            .operations = 500,
                            .rotate = 1};

    run_trial(&t);
}
END_TEST

START_TEST(lets_one_process_lead)
{
    const struct trial t = {.layout = {.nranks = 4,
                                       .ring_bytes = 8192,
                                       .nplaces = HITOP_NODE_FEW_PLACES,
                                       .first = (UINT64_C(1) << 40) - 200},
                            .operations = 2000,
                            .compete = 1};

    run_trial(&t);
}
END_TEST

START_TEST(skips_what_the_reader_has_no_room_for)
{
    const struct trial t = {
        .layout = {.nranks = 2, .ring_bytes = 65536, .nplaces = HITOP_NODE_FEW_PLACES},
        .operations = 5000,
        .rotate = _i,
        .truncate = 1};

    run_trial(&t);
}
END_TEST

START_TEST(takes_pieces_in_any_order)
{
    const struct trial t = {.layout = {.nranks = 3,
                                       .ring_bytes = _i % 2 ? 4096 : HITOP_NODE_RING,
                                       .nplaces = HITOP_NODE_FEW_PLACES},
                            .operations = 400,
                            .rotate = 1,
                            .truncate = _i / 2,
                            .pieces = 1};

    run_trial(&t);
}
END_TEST

/* Two ranks in one process; their ring is that of `layout`. */
struct two {
    void *memory;
    struct hitop_node root, reader;
};

static struct two open_two(const struct hitop_node_layout *layout, const struct hitop_wait *wait)
{
    struct two p = {.memory = aligned_alloc(4096, hitop_node_segment_bytes(layout))};

    ck_assert_ptr_nonnull(p.memory);
    hitop_node_format(p.memory, layout);
    hitop_node_attach(&p.root, p.memory, layout, 0, wait);
    hitop_node_attach(&p.reader, p.memory, layout, 1, wait);
    return p;
}

START_TEST(lets_the_writer_run_ahead_by_the_slots_and_no_further)
{
    const struct hitop_node_layout layout = {.nranks = 2,
                                             .ring_bytes = 4096,
                                             .nplaces = _i ? HITOP_NODE_MANY_PLACES
                                                           : HITOP_NODE_FEW_PLACES};
    const struct hitop_wait wait = {.spins = 1};
    struct two p = open_two(&layout, &wait);
    struct hitop_node_writer w;
    char byte = 0;
    int note;

    for (int k = 0; k < (_i ? HITOP_NODE_SLOTS : HITOP_NODE_FEW_SLOTS); k++) {
        hitop_node_begin(&p.root);
        hitop_node_open(&w, 1, 0);
        byte = (char)k;
        ck_assert_uint_eq(hitop_node_write(&p.root, &w, &byte, 1), 1);
    }
    hitop_node_begin(&p.root);
    hitop_node_open(&w, 1, 1);
    ck_assert_uint_eq(hitop_node_write(&p.root, &w, &byte, 1), 0);
    hitop_node_begin(&p.reader);
    ck_assert_uint_eq(hitop_node_read(&p.reader, &byte, 1, &note), 1);
    ck_assert_int_eq(byte, 0);
    ck_assert_uint_eq(hitop_node_write(&p.root, &w, "x", 1), 1);
    free(p.memory);
}
END_TEST

/* Send a message of `bytes` from one rank to the other. */
static void send(struct hitop_node *from, struct hitop_node *to, size_t bytes)
{
    unsigned char sent[2 * HITOP_NODE_SHORT], got[2 * HITOP_NODE_SHORT];
    int note;

    fill_pattern(sent, bytes, from->seq);
    hitop_node_begin(from);
    hitop_node_begin(to);
    hitop_node_post(from, sent, bytes, 0);
    ck_assert_uint_eq(hitop_node_read(to, got, bytes, &note), bytes);
    ck_assert_mem_eq(got, sent, bytes);
    ck_assert_uint_eq(from->slot.last, to->slot.last);
    ck_assert_uint_eq(from->line.last, to->line.last);
    ck_assert_uint_eq(from->cell.last, to->cell.last);
}

/*
 * With two ranks, the reader of a short message writes the next one into the same lines; a writer
 * that writes again takes the next lines.
 */
START_TEST(answers_where_the_last_message_was)
{
    static const size_t length[] = {8, HITOP_NODE_LINED, HITOP_NODE_SHORT, HITOP_NODE_SHORT + 1};
    const size_t bytes = length[_i];
    const int is_lined = bytes == HITOP_NODE_LINED, is_short = bytes == HITOP_NODE_SHORT;
    const int is_answered = bytes <= HITOP_NODE_SHORT;
    const struct hitop_node_layout layout = {
        .nranks = 2, .ring_bytes = 65536, .nplaces = HITOP_NODE_FEW_PLACES, .first = 5};
    const struct hitop_wait wait = {.spins = 1};
    struct two p = open_two(&layout, &wait);
    uint64_t slot, line, cell;

    send(&p.root, &p.reader, bytes);
    slot = p.root.slot.last;
    line = p.root.line.last;
    cell = p.root.cell.last;
    for (int k = 0; k < 3 * HITOP_NODE_SLOTS; k++) {
        const int is_new =
            k % 3 == 0 || !is_answered; /* from 0, from 1, from 0, from 0, from 1, ... */

        send(k % 3 == 1 ? &p.reader : &p.root, k % 3 == 1 ? &p.root : &p.reader, bytes);
        slot += !is_lined && is_new;
        line += is_lined && is_new;
        cell += is_short && is_new;
        ck_assert_uint_eq(p.root.slot.last, slot);
        ck_assert_uint_eq(p.root.line.last, line);
        ck_assert_uint_eq(p.root.cell.last, cell);
    }
    free(p.memory);
}
END_TEST

/*
 * Two writers that alternate begin at the first byte of the ring each time; one that writes again
 * continues behind its last message.
 */
START_TEST(answers_begin_at_the_start_of_the_ring)
{
    const struct hitop_node_layout layout = {
        .nranks = 2, .ring_bytes = 65536, .nplaces = HITOP_NODE_FEW_PLACES};
    const struct hitop_wait wait = {.spins = 1, .alone = 1};
    const size_t bytes = 5000, taken = 5056;
    struct two p = open_two(&layout, &wait);

    for (unsigned k = 0; k < 24; k++) {
        send(k % 2 ? &p.root : &p.reader, k % 2 ? &p.reader : &p.root, bytes);
        ck_assert_uint_eq(p.root.offset, p.reader.offset);
        ck_assert_uint_eq(p.root.offset, k * layout.ring_bytes + taken);
    }
    for (unsigned k = 2; k < 40; k++) {
        send(&p.root, &p.reader, bytes);
        ck_assert_uint_eq(p.root.offset % layout.ring_bytes, k * taken % layout.ring_bytes);
    }
    free(p.memory);
}
END_TEST

/*
 * A reader polls where a message of the length of its buffer would arrive; these have any other
 * length.
 */
START_TEST(reads_messages_of_lengths_that_it_does_not_expect)
{
    static const size_t length[] = {1,
                                    HITOP_NODE_INLINE,
                                    HITOP_NODE_INLINE + 1,
                                    HITOP_NODE_LINED,
                                    HITOP_NODE_LINED + 1,
                                    HITOP_NODE_SHORT,
                                    HITOP_NODE_SHORT + 1};
    enum { LENGTHS = sizeof(length) / sizeof(length[0]) };
    const struct hitop_node_layout layout = {
        .nranks = 2, .ring_bytes = 65536, .nplaces = HITOP_NODE_FEW_PLACES};
    const struct hitop_wait wait = {.spins = _i ? 1000u : 0u};
    struct two p = open_two(&layout, &wait);
    unsigned char sent[HITOP_NODE_SHORT + 1], got[HITOP_NODE_SHORT + 2];
    int note;

    for (int k = 0; k < 4 * LENGTHS * LENGTHS; k++) {
        const size_t total = length[k / 4 % LENGTHS], room = length[k / 4 / LENGTHS];
        const size_t least = total < room ? total : room;

        fill_pattern(sent, total, (uint64_t)k);
        memset(got, 0xee, sizeof(got));
        hitop_node_begin(&p.root);
        (k % 4 < 2 ? hitop_node_post : print_pieces)(&p.root, sent, total, k % 2);
        hitop_node_begin(&p.reader);
        ck_assert_int_eq(hitop_node_is_published(&p.reader), 1);
        ck_assert_uint_eq(hitop_node_read(&p.reader, got, room, &note), total);
        ck_assert_int_eq(note, k % 2);
        ck_assert_mem_eq(got, sent, least);
        ck_assert_uint_eq(got[least], 0xee);
    }
    free(p.memory);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, delivers_from_rotating_writers, 0, 4);
    tcase_add_loop_test(tc, delivers_through_a_ring_smaller_than_the_message, 0, 2);
    tcase_add_loop_test(tc, goes_round_many_times, 0, 8);
    tcase_add_test(tc, counts_operations_beyond_32_bits);
    tcase_add_test(tc, lets_one_process_lead);
    tcase_add_loop_test(tc, skips_what_the_reader_has_no_room_for, 0, 2);
    tcase_add_loop_test(tc, takes_pieces_in_any_order, 0, 4);
    tcase_add_loop_test(tc, reads_messages_of_lengths_that_it_does_not_expect, 0, 2);
    tcase_add_loop_test(tc, answers_where_the_last_message_was, 0, 4);
    tcase_add_loop_test(tc, lets_the_writer_run_ahead_by_the_slots_and_no_further, 0, 2);
    tcase_add_test(tc, answers_begin_at_the_start_of_the_ring);
}

TEST_MAIN("node", add_tests)

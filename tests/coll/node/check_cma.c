/* SPDX-License-Identifier: BSD-3-Clause */
/* check_cma.c - ranks copy from each other's memory if all of them may; otherwise none does. */
#include <config.h>

#include "coll/node/cma.h"

#include "tests/support/test_main.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NRANKS = 4 };

static ptrdiff_t read_here(int pid, void *to, uint64_t from, size_t bytes)
{
    (void)pid;
    memcpy(to, (const void *)(uintptr_t)from, bytes);
    return (ptrdiff_t)bytes;
}

static ptrdiff_t write_here(int pid, uint64_t to, const void *from, size_t bytes)
{
    (void)pid;
    memcpy((void *)(uintptr_t)to, from, bytes);
    return (ptrdiff_t)bytes;
}

static ptrdiff_t may_not_read(int pid, void *to, uint64_t from, size_t bytes)
{
    (void)pid, (void)to, (void)from, (void)bytes;
    errno = EPERM;
    return -1;
}

static ptrdiff_t may_not_write(int pid, uint64_t to, const void *from, size_t bytes)
{
    (void)pid, (void)to, (void)from, (void)bytes;
    errno = ENOSYS;
    return -1;
}

/* The same PID is another process. */
static ptrdiff_t read_another(int pid, void *to, uint64_t from, size_t bytes)
{
    (void)pid, (void)from;
    memset(to, 0x55, bytes);
    return (ptrdiff_t)bytes;
}

static int strange_writes;

static ptrdiff_t write_another(int pid, uint64_t to, const void *from, size_t bytes)
{
    (void)pid, (void)to, (void)from;
    strange_writes++;
    return (ptrdiff_t)bytes;
}

/* Each call copies one byte. */
static ptrdiff_t read_little(int pid, void *to, uint64_t from, size_t bytes)
{
    return read_here(pid, to, from, bytes > 0);
}

static ptrdiff_t write_little(int pid, uint64_t to, const void *from, size_t bytes)
{
    return write_here(pid, to, from, bytes > 0);
}

static const struct hitop_cma_calls here = {read_here, write_here};
static const struct hitop_cma_calls little = {read_little, write_little};

struct member {
    pthread_t thread;
    int me, allowed;
    struct hitop_cma cma;
    void *peers;
};

static void *prove(void *argument)
{
    struct member *m = argument;
    struct hitop_wait wait = {.spins = hitop_wait_spins(0)};

    hitop_cma_prove(&m->cma, m->peers, NRANKS, m->me, m->allowed, &wait);
    return NULL;
}

/*
 * All members run hitop_cma_prove(), member 2 with the calls `odd`; returns how many found that CMA
 * works.
 */
static int prove_all(struct member *member, const struct hitop_cma_calls *odd, int allowed)
{
    void *peers = aligned_alloc(128, hitop_cma_bytes(NRANKS));
    int works = 0;

    ck_assert_ptr_nonnull(peers);
    memset(peers, 0, hitop_cma_bytes(NRANKS));
    for (int i = 0; i < NRANKS; i++) {
        member[i] = (struct member){.me = i, .allowed = i != 2 || allowed, .peers = peers};
        member[i].cma.calls = i == 2 ? odd : &here;
        ck_assert_int_eq(pthread_create(&member[i].thread, NULL, prove, &member[i]), 0);
    }
    for (int i = 0; i < NRANKS; i++) {
        ck_assert_int_eq(pthread_join(member[i].thread, NULL), 0);
        works += member[i].cma.works;
    }
    return works;
}

START_TEST(works_where_all_ranks_may_read_and_write)
{
    struct member member[NRANKS];
    char from[] = "some bytes", to[sizeof(from)] = "";

    ck_assert_int_eq(prove_all(member, &little, 1), NRANKS);
    ck_assert_int_eq(hitop_cma_read(&member[2].cma, 0, to, (uint64_t)(uintptr_t)from, sizeof(from)),
                     1);
    ck_assert_str_eq(to, from);
    memset(to, 0, sizeof(to));
    ck_assert_int_eq(
        hitop_cma_write(&member[2].cma, 0, (uint64_t)(uintptr_t)to, from, sizeof(from)), 1);
    ck_assert_str_eq(to, from);
    free(member[0].peers);
}
END_TEST

START_TEST(is_left_alone_by_all_when_one_may_not)
{
    static const struct hitop_cma_calls odd[] = {{may_not_read, write_here},
                                                 {read_here, may_not_write}};
    struct member member[NRANKS];

    ck_assert_int_eq(prove_all(member, &odd[_i], 1), 0);
    free(member[0].peers);
}
END_TEST

START_TEST(is_left_alone_by_all_when_one_does_not_want_to)
{
    struct member member[NRANKS];

    ck_assert_int_eq(prove_all(member, &here, 0), 0);
    free(member[0].peers);
}
END_TEST

START_TEST(writes_nothing_into_a_process_that_is_another)
{
    static const struct hitop_cma_calls elsewhere = {read_another, write_another};
    struct member member[NRANKS];

    ck_assert_int_eq(prove_all(member, &elsewhere, 1), 0);
    ck_assert_int_eq(strange_writes, 0);
    free(member[0].peers);
}
END_TEST

START_TEST(reports_a_copy_that_fails)
{
    static const struct hitop_cma_calls never = {may_not_read, may_not_write};
    struct member member[NRANKS];
    char byte = 0;

    ck_assert_int_eq(prove_all(member, &here, 1), NRANKS);
    member[0].cma.calls = &never; /* permission is withdrawn */
    ck_assert_int_eq(hitop_cma_read(&member[0].cma, 1, &byte, 1, 1), 0);
    ck_assert_int_eq(hitop_cma_write(&member[0].cma, 1, 1, &byte, 1), 0);
    free(member[0].peers);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, works_where_all_ranks_may_read_and_write);
    tcase_add_loop_test(tc, is_left_alone_by_all_when_one_may_not, 0, 2);
    tcase_add_test(tc, is_left_alone_by_all_when_one_does_not_want_to);
    tcase_add_test(tc, writes_nothing_into_a_process_that_is_another);
    tcase_add_test(tc, reports_a_copy_that_fails);
}

TEST_MAIN("cma", add_tests)

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_wait.c - a rank that waits long sleeps until the eventcount changes; no rank sleeps where
 * nothing would wake it.
 */
#include <config.h>

#include "coll/node/wait.h"

#include "tests/support/test_main.h"

#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LOOKS = 200 };

struct shared {
    struct hitop_eventcount eventcount;
    _Alignas(128) _Atomic int word;
};

static int progressed, yields;
/* ns: the clock advances only by yields, by `turn` each; 0: the real clock */
static uint64_t now, turn;

/* Replacements of functions of the C library. */
int clock_gettime(clockid_t clock, struct timespec *t)
{
    if (now == 0) {
        return (int)syscall(SYS_clock_gettime, clock, t);
    }
    t->tv_sec = (time_t)(now / 1000000000);
    t->tv_nsec = (long)(now % 1000000000);
    return 0;
}

int sched_yield(void)
{
    yields++;
    now += now > 0 ? turn : 0;
    return (int)syscall(SYS_sched_yield);
}

static void progress(void *context)
{
    (void)context;
    progressed++;
}

static struct shared *map_shared(void)
{
    struct shared *s =
        mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    ck_assert_ptr_ne(s, MAP_FAILED);
    return s;
}

/* Wait for the word to become `value`. */
static void await(struct hitop_wait *wait, struct shared *s, int value)
{
    unsigned round = 0;

    while (atomic_load_explicit(&s->word, memory_order_acquire) != value) {
        hitop_wait_relax(wait, &round);
    }
}

START_TEST(sleeps_until_it_is_notified)
{
    struct shared *s = map_shared();
    struct hitop_wait mine = {.spins = 5};
    int status = -1;
    pid_t child;

    hitop_wait_attach(&mine, &s->eventcount);
    if (atomic_load(&s->eventcount.is_unsafe)) {
        return; /* this kernel has no membarrier */
    }
    child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        struct hitop_wait wait = {
            .spins = 5, .mode = _i ? HITOP_WAIT_FUTEX : HITOP_WAIT_AUTO, .progress = progress};
        struct rusage used;
        hitop_wait_attach(&wait, &s->eventcount);
        await(&wait, s, 1);
        hitop_wait_notify(&wait); /* awake again */
        (void)getrusage(RUSAGE_SELF, &used);
        /* a rank that yields uses all of the processor time; one that naps uses little */
        _exit(used.ru_utime.tv_sec * 1000000 + used.ru_utime.tv_usec +
                              used.ru_stime.tv_sec * 1000000 + used.ru_stime.tv_usec >
                          60000 ||
                      progressed < 10
                  ? 1
                  : 0);
    }
    while (atomic_load(&s->eventcount.sleepers) == 0) {
        (void)usleep(1000);
    }
    (void)usleep(120000);
    hitop_wait_notify(&mine); /* the word is unchanged, so the sleeper is still there */
    ck_assert_uint_eq(atomic_load(&s->eventcount.events), 1);
    atomic_store_explicit(&s->word, 1, memory_order_release);
    hitop_wait_notify(&mine); /* not counted if a nap has ended meanwhile */
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    ck_assert_uint_eq(atomic_load(&s->eventcount.sleepers), 0);
    ck_assert_int_eq(munmap(s, sizeof(*s)), 0);
}
END_TEST

/* No rank sleeps where the eventcount is unsafe, or where it shall spin, however long the wait. */
START_TEST(never_sleeps_when_it_must_not)
{
    static const enum hitop_wait_mode modes[] = {HITOP_WAIT_FUTEX, HITOP_WAIT_SPIN};
    struct shared *s = map_shared();
    struct hitop_wait wait = {.spins = 1, .mode = modes[_i]};
    unsigned round = 0;

    hitop_wait_attach(&wait, &s->eventcount);
    atomic_store(&s->eventcount.is_unsafe, wait.mode == HITOP_WAIT_FUTEX);
    for (int i = 0; i < LOOKS; i++) {
        hitop_wait_relax(&wait, &round);
        wait.since = 0;
    }
    ck_assert_uint_eq(atomic_load(&s->eventcount.sleepers), 0);
    ck_assert_int_eq(munmap(s, sizeof(*s)), 0);
}
END_TEST

/*
 * A message changes no eventcount: a rank that shares its processor naps unless it shall spin; one
 * with its own processor naps only if it shall.
 */
START_TEST(naps_while_it_waits_for_a_message)
{
    static const struct {
        int alone, naps;
        enum hitop_wait_mode mode;
    } cases[] = {{1, 0, HITOP_WAIT_AUTO}, {0, 1, HITOP_WAIT_AUTO},  {1, 0, HITOP_WAIT_SPIN},
                 {0, 0, HITOP_WAIT_SPIN}, {1, 1, HITOP_WAIT_FUTEX}, {0, 1, HITOP_WAIT_FUTEX}};
    struct hitop_wait wait = {.spins = 1, .alone = cases[_i].alone, .mode = cases[_i].mode};
    const uint64_t start = hitop_wait_clock();
    struct rusage before, after;
    unsigned round = 0;

    (void)getrusage(RUSAGE_THREAD, &before);
    do { /* many polls, and long enough: yields are slow on a busy machine */
        hitop_wait_relax(&wait, &round);
        (void)getrusage(RUSAGE_THREAD, &after);
    } while (after.ru_nvcsw == before.ru_nvcsw &&
             (round < LOOKS || hitop_wait_clock() - start < 20000000));
    ck_assert_int_eq(after.ru_nvcsw > before.ru_nvcsw, cases[_i].naps);
}
END_TEST

/* After its spins a waiting rank yields once in each poll. */
START_TEST(yields_once_in_a_look)
{
    struct shared *s = map_shared();
    struct hitop_wait wait = {
        .spins = 3, .mode = HITOP_WAIT_SPIN, .eventcount = _i ? &s->eventcount : NULL};
    unsigned round = 0;

    yields = 0;
    for (int i = 0; i < 3 + 40; i++) {
        hitop_wait_relax(&wait, &round);
    }
    ck_assert_int_eq(yields, 40);
    ck_assert_int_eq(munmap(s, sizeof(*s)), 0);
}
END_TEST

/*
 * A rank sleeps after 5 ms; while it waits for a message, also once a yield takes more than 500 us:
 * then another process has computed.
 */
START_TEST(sleeps_when_it_is_time)
{
    static const struct {
        int alone, has_eventcount;
        enum hitop_wait_mode mode;
        uint64_t turn;
        /* the yield that takes 600 us, and the number of yields before the rank sleeps */
        int long_one, yields;
    } cases[] = {{0, 0, HITOP_WAIT_AUTO, 1000, 0, 5001},  {0, 0, HITOP_WAIT_AUTO, 100000, 0, 51},
                 {0, 0, HITOP_WAIT_AUTO, 1000, 7, 7},     {0, 0, HITOP_WAIT_FUTEX, 1000, 7, 16},
                 {1, 0, HITOP_WAIT_FUTEX, 1000, 0, 16},   {1, 0, HITOP_WAIT_AUTO, 1000, 7, 10000},
                 {0, 0, HITOP_WAIT_SPIN, 1000, 7, 10000}, {0, 1, HITOP_WAIT_AUTO, 100000, 7, 48},
                 {1, 1, HITOP_WAIT_AUTO, 100000, 0, 64},  {0, 1, HITOP_WAIT_FUTEX, 1000, 0, 16}};
    struct shared *s = map_shared();
    struct hitop_wait wait = {.spins = 1,
                              .alone = cases[_i].alone,
                              .mode = cases[_i].mode,
                              .eventcount = cases[_i].has_eventcount ? &s->eventcount : NULL};
    unsigned round = 0;

    yields = 0;
    now = 1000;
    while (!wait.is_long && yields < 10000) {
        turn = yields + 1 == cases[_i].long_one ? 600000 : cases[_i].turn;
        hitop_wait_relax(&wait, &round);
    }
    now = 0;
    ck_assert_int_eq(yields, cases[_i].yields);
    ck_assert_int_eq(munmap(s, sizeof(*s)), 0);
}
END_TEST

START_TEST(looks_at_mpi_now_and_then)
{
    struct hitop_wait wait = {.spins = 3};

    for (unsigned round = 0; round < 40; round++) {
        ck_assert_int_eq(hitop_wait_moves_mpi(&wait, round),
                         round >= 3 && (round - 3) % HITOP_WAIT_YIELDS_PER_PROGRESS ==
                                           HITOP_WAIT_YIELDS_PER_PROGRESS - 1);
    }
    wait.is_long = 1; /* each poll is after a nap then */
    ck_assert(!hitop_wait_moves_mpi(&wait, 2));
    ck_assert(hitop_wait_moves_mpi(&wait, 4));
}
END_TEST

START_TEST(moves_mpi_while_it_waits)
{
    struct hitop_wait wait = {.spins = 3, .mode = HITOP_WAIT_SPIN, .progress = progress};
    unsigned round = 0;

    progressed = 0;
    for (int i = 0; i < 3; i++) {
        hitop_wait_relax(&wait, &round);
    }
    ck_assert_int_eq(progressed, 0);
    for (int i = 0; i < 16; i++) {
        hitop_wait_relax(&wait, &round);
    }
    ck_assert_int_eq(progressed, 2);
}
END_TEST

static int shown, shown_again;

static void show(struct hitop_wait *wait, int again)
{
    (void)wait;
    shown++;
    shown_again += again;
}

START_TEST(shows_a_wait_that_lasts)
{
    struct hitop_wait wait = {.spins = 3, .watch = show};

    shown = shown_again = 0;
    for (int waits = 1; waits <= 2; waits++) {
        unsigned round = 0;
        for (unsigned i = 0; i < wait.spins + 3 * HITOP_WAIT_LOOKS_PER_WATCH; i++) {
            ck_assert_int_eq(shown - 3 * (waits - 1),
                             i < wait.spins ? 0 : (i - wait.spins) / HITOP_WAIT_LOOKS_PER_WATCH);
            hitop_wait_relax(&wait, &round);
        }
    }
    ck_assert_int_eq(shown, 6);
    ck_assert_int_eq(shown_again, 4);
}
END_TEST

START_TEST(spins_where_it_has_a_processor)
{
    ck_assert_uint_eq(hitop_wait_spins(0), 0);
    ck_assert_uint_gt(hitop_wait_spins(1), 10);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, spins_where_it_has_a_processor);
    tcase_add_loop_test(tc, sleeps_until_it_is_notified, 0, 2);
    tcase_add_loop_test(tc, never_sleeps_when_it_must_not, 0, 2);
    tcase_add_loop_test(tc, naps_while_it_waits_for_a_message, 0, 6);
    tcase_add_loop_test(tc, yields_once_in_a_look, 0, 2);
    tcase_add_loop_test(tc, sleeps_when_it_is_time, 0, 10);
    tcase_add_test(tc, looks_at_mpi_now_and_then);
    tcase_add_test(tc, moves_mpi_while_it_waits);
    tcase_add_test(tc, shows_a_wait_that_lasts);
}

TEST_MAIN("wait", add_tests)

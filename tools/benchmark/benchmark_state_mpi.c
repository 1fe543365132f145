/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_state_mpi.c - see benchmark_state_mpi.h. */
#include <config.h>

#include "tools/benchmark/benchmark_state_mpi.h"

#include "models/clock/line_hop.h"
#include "models/clock/pace.h"
#include "models/transport/transport_impl_mpi.h"

#include <math.h>
#include <time.h>

/* Checks before the first measurement, some time apart, that find the full speed of a processor. */
enum { FIRST_LOOKS = 20 };

static const struct timespec pause_at_first = {.tv_nsec = 5000000},
                             pause_between = {.tv_nsec = 20000000};

/*
 * A processor is slowed by more than this factor if the other thread of its core is busy; otherwise
 * its speed varies by less than 1 %.
 */
static const double slowed = 1.05;

/* Pieces of work in a look, about 10 ms for all ranks of a host, and the fewest of a rank. */
enum { ALL_PIECES = 4000, FEWEST_PIECES = 10 };

static int pieces_of(int ranks)
{
    const int each = ALL_PIECES / ranks;

    return each > BENCHMARK_PACE_MOST ? BENCHMARK_PACE_MOST
           : each < FEWEST_PIECES     ? FEWEST_PIECES
                                      : each;
}

static int is_as_wanted(const struct benchmark_state *s)
{
    return (s->hop == 0 || line_hop_is_same(s->hop, s->hop_now)) &&
           (!s->full_speed || !s->is_slowed);
}

/*
 * 1: the processor of some rank is slowed. Ranks of a host compute one after the other, because
 * they may be threads of one core.
 */
static int find_slowed(struct benchmark_state *s, const struct benchmark_team *team)
{
    const struct hitop_clock clock = hitop_clock_monotonic();
    int rank, size, mine = 0, any = 0;
    MPI_Request all;

    (void)PMPI_Comm_rank(s->host, &rank);
    (void)PMPI_Comm_size(s->host, &size);
    for (int i = 0; i < size; i++) {
        (void)PMPI_Barrier(s->host);
        if (i == rank) {
            const double pace = hitop_benchmark_pace(&clock, pieces_of(size));
            s->fastest = fmin(s->fastest, pace);
            mine = pace > slowed * s->fastest;
        }
    }
    (void)PMPI_Iallreduce(&mine, &any, 1, MPI_INT, MPI_MAX, team->comm, &all);
    (void)hitop_wait_quietly(&all, 1);
    return any;
}

static void look(struct benchmark_state *s, const struct benchmark_team *team)
{
    s->looks++;
    if (s->hop > 0) {
        s->hop_now = hitop_line_hops_now(&s->hops);
    }
    if (s->full_speed) {
        s->is_slowed = find_slowed(s, team);
        s->nslowed += s->is_slowed;
    }
    if (isfinite(s->hop_now)) { /* NaN if other programs used the processors */
        s->seen[0] = fmin(s->seen[0], s->hop_now);
        s->seen[1] = fmax(s->seen[1], s->hop_now);
    }
}

void benchmark_state_open(struct benchmark_state *s, const struct benchmark_request *r,
                          const struct benchmark_team *team)
{
    *s = (struct benchmark_state){.hop = r->line_hop,
                                  .full_speed = r->full_speed,
                                  .hop_now = NAN,
                                  .fastest = HUGE_VAL,
                                  .patience = r->state_wait,
                                  .seen = {HUGE_VAL, 0},
                                  .host = MPI_COMM_NULL};
    if (benchmark_state_is_any(s)) {
        return;
    }
    if (s->hop > 0) {
        hitop_line_hops_open(&s->hops, team->comm);
    }
    if (s->full_speed) {
        (void)PMPI_Comm_split_type(team->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &s->host);
    }
    look(s, team);
    for (int i = 1; i < FIRST_LOOKS && s->full_speed; i++) {
        (void)nanosleep(&pause_at_first, NULL);
        look(s, team);
    }
    if (s->hop > 0 && s->seen[1] == 0) {
        hitop_line_hops_close(&s->hops);
        s->hop = 0;
    }
    s->looks = s->nslowed = 0;
}

void benchmark_state_close(struct benchmark_state *s)
{
    if (s->hop > 0) {
        hitop_line_hops_close(&s->hops);
    }
    if (s->full_speed) {
        (void)PMPI_Comm_free(&s->host);
    }
}

enum hitop_status benchmark_state_await(struct benchmark_state *s,
                                        const struct benchmark_team *team, int *is_there,
                                        struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    int goes_on = 1;

    while (!is_as_wanted(s) && goes_on && status == HITOP_OK) {
        const double begin = MPI_Wtime();
        goes_on = s->patience > 0 && !benchmark_team_is_over(team);
        status = benchmark_team_agree(team, &goes_on, 1, diag);
        if (goes_on) {
            (void)nanosleep(&pause_between, NULL);
            look(s, team);
            s->patience -= MPI_Wtime() - begin;
        }
    }
    *is_there = is_as_wanted(s);
    return status;
}

int benchmark_state_holds(struct benchmark_state *s, const struct benchmark_team *team,
                          double begin)
{
    if (benchmark_state_is_any(s)) {
        return 1;
    }
    look(s, team);
    if (!is_as_wanted(s)) {
        s->patience -= MPI_Wtime() - begin;
    }
    return is_as_wanted(s);
}

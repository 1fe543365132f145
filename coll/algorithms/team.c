/* SPDX-License-Identifier: BSD-3-Clause */
/* team.c - from ranks to places and back. */
#include <config.h>

#include "coll/algorithms/team.h"

static struct team make_team(const struct hitop_coll_args *args, int first, int pairs, int odd)
{
    const int number = (args->rank - first + args->size) % args->size;
    struct team team = {.nranks = args->size,
                        .shift = first,
                        .size = args->size - pairs,
                        .pairs = pairs,
                        .odd = odd,
                        .partner = HITOP_NO_RANK};

    team.me = hitop_team_place(&team, args->rank);
    if (number < 2 * pairs) {
        team.surplus = number % 2 != odd;
        team.partner = ((number ^ 1) + first) % args->size;
    }
    return team;
}

struct team hitop_team_of_all(const struct hitop_coll_args *args, int first)
{
    return make_team(args, first, 0, 0);
}

static int count_surplus(const struct hitop_coll_args *args)
{
    int power = 1;

    while (power <= args->size / 2) {
        power *= 2;
    }
    return args->size - power;
}

struct team hitop_team_of_power(const struct hitop_coll_args *args, int first)
{
    return make_team(args, first, count_surplus(args), 0);
}

struct team hitop_team_of_power_odd(const struct hitop_coll_args *args, int first)
{
    return make_team(args, first, count_surplus(args), 1);
}

struct team hitop_team_mirrored(struct team team)
{
    for (int rest = team.size; rest > 1; rest /= 2) {
        team.bits++;
    }
    team.me = hitop_team_number(&team, team.me);
    return team;
}

int hitop_team_number(const struct team *team, int place)
{
    int number = 0;

    if (team->bits == 0) {
        return place;
    }
    for (int b = 0; b < team->bits; b++) {
        number = number << 1 | (place >> b & 1);
    }
    return number;
}

int hitop_team_place(const struct team *team, int rank)
{
    const int n = (rank - team->shift + team->nranks) % team->nranks;

    return hitop_team_number(team, n < 2 * team->pairs ? n / 2 : n - team->pairs);
}

int hitop_team_rank(const struct team *team, int place)
{
    const int number = hitop_team_number(team, place);
    const int n = number < team->pairs ? 2 * number + team->odd : number + team->pairs;

    return (n + team->shift) % team->nranks;
}

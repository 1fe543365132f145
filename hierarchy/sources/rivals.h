/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RIVALS_H
#define RIVALS_H

/*
 * rivals.h - sources that describe the same hosts and contradict each other.
 *
 * Two sources agree as long as their groups nest: one may know switches, the other racks of several
 * switches. They contradict each other where groups cross, or where both speak of one level and
 * divide the hosts differently.
 */

#include "hierarchy/tree/paths.h"

/* A source that has spoken. */
struct rival {
    const char *title;        /* for messages: its file, or its name */
    struct path_claim *claim; /* per place */
};

/*
 * Warn of the first place about which the two contradict each other; the first is the one that is
 * heard.
 */
void compare_groups(const struct rival *first, const struct rival *second,
                    const struct hitop_source_input *in);

#endif /* RIVALS_H */

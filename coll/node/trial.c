/* SPDX-License-Identifier: BSD-3-Clause */
/* trial.c - see trial.h. */
#include <config.h>

#include "coll/node/trial.h"

#include "coll/node/pull_bcast.h"

#include <stdlib.h>

enum knowledge { UNKNOWN, NO, YES };

/* Of this process. Threads may try at the same time; each of their trials is as good as another. */
static _Atomic int learned = UNKNOWN;

/* Reason for a way in which a writer has to stay until its readers have come. */
static const double enough = 0.85;

int hitop_trial_judge(double ring, double kernel)
{
    return kernel < enough * ring;
}

static unsigned char hear(struct hitop_node *node)
{
    unsigned char byte = 0;
    int note;

    hitop_node_begin(node);
    (void)hitop_node_read(node, &byte, 1, &note);
    return byte;
}

static void say(struct hitop_node *node, unsigned char byte)
{
    hitop_node_begin(node);
    hitop_node_put_copy(node, &byte, 1, 0);
}

/* Each hears what the other says. */
static unsigned char exchange(struct hitop_node *node, unsigned char mine)
{
    unsigned char theirs;

    if (node->me == 0) {
        say(node, mine);
        return hear(node);
    }
    theirs = hear(node);
    say(node, mine);
    return theirs;
}

/* A message from process 0, freshly written, and the other one's answer: ns, of process 0. */
static double send_one(struct hitop_node *node, unsigned char *buffer, int by_kernel)
{
    uint64_t start;
    int note;

    if (node->me != 0) {
        hitop_node_begin(node);
        (void)hitop_node_read(node, buffer, HITOP_TRIAL_BYTES, &note);
        say(node, 0);
        return 0;
    }
    memset(buffer, (int)node->seq, HITOP_TRIAL_BYTES);
    start = hitop_wait_clock();
    hitop_node_begin(node);
    if (by_kernel) {
        hitop_pull_bcast_write(node, buffer, HITOP_TRIAL_BYTES, 0);
    } else {
        hitop_node_put_copy(node, buffer, HITOP_TRIAL_BYTES, 0);
    }
    (void)hear(node);
    return (double)(hitop_wait_clock() - start);
}

/* How it is copied through the ring depends on how far the other process is. */
static void look(struct hitop_node *node)
{
    for (int i = 0; i < HITOP_DISTANCE_LOOKS; i++) {
        (void)exchange(node, 0);
        (void)hitop_distance_look(node);
    }
}

static int try_both(struct hitop_node *node, unsigned char *buffer)
{
    double best[2] = {1e300, 1e300};
    unsigned char verdict, theirs;

    look(node);
    for (int i = 0; i < 2 * HITOP_TRIAL_ROUNDS; i++) {
        const double ns = send_one(node, buffer, i % 2);
        best[i % 2] = ns < best[i % 2] ? ns : best[i % 2];
    }
    verdict = hitop_trial_judge(best[0], best[1]) != 0;
    theirs = exchange(node, verdict);
    return node->me == 0 ? verdict : theirs;
}

int hitop_trial_kernel_pays(struct hitop_node *node)
{
    const int known = atomic_load(&learned);
    const int others = exchange(node, (unsigned char)known);
    unsigned char *buffer;
    int pays = 0;

    if (known != UNKNOWN && others != UNKNOWN) {
        return known == YES && others == YES;
    }
    buffer = malloc(HITOP_TRIAL_BYTES);
    if (exchange(node, buffer != NULL) && buffer) {
        pays = try_both(node, buffer);
        atomic_store(&learned, pays ? YES : NO);
    }
    free(buffer);
    return pays;
}

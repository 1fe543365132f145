/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_TRIAL_H
#define HITOP_NODE_TRIAL_H

/*
 * trial.h - whether on this machine the kernel brings long messages much sooner than shared memory does.
 *
 * Idea:   through the ring a message is copied twice, each time by one process, by the kernel once, by both. Which takes less
 *         time depends on processors and kernel, by up to half of it either way, and nothing that a machine says of itself tells.
 *         So two processes that each have a processor try both, before their first long message, and remember it for all
 *         communicators: messages of HITOP_TRIAL_BYTES go one way, a byte comes back, the shortest time counts.
 * Cost:   about 2 ms and two buffers of HITOP_TRIAL_BYTES, once in a process; a short message each way for other communicators.
 * Needs:  two processes, and that pull.h works.
 * Source: measured, broadcasts of 1 and 8 MiB between two processors, us, through the ring and by the kernel: on an AMD EPYC 32
 *         to 55 and 52, 415 and 440; on an Intel Xeon 54 and 42, 630 and 373 (bench/RESULTS.md).
 */

#include "coll/node/node.h"

enum { HITOP_TRIAL_BYTES = 1024 * 1024, HITOP_TRIAL_ROUNDS = 5 };

/* Both processes of a node call it, after hitop_node_prove() and at the same point of their operations; the same in both. */
int hitop_trial_kernel_pays(struct hitop_node *node);

/* Is what messages through the ring and by the kernel take, in any unit, good reason for the latter? */
int hitop_trial_judge(double ring, double kernel);

#endif /* HITOP_NODE_TRIAL_H */

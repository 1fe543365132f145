/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MACHINE_H
#define MACHINE_H

/*
 * machine.h - a number for the running kernel.
 *
 * Containers and namespaces of one kernel may be separate hosts, but they share its processors and
 * clocks.
 */

#include <stdint.h>

/* A random UUID that Linux makes at each boot, as one line: random(4). */
#define MACHINE_BOOT_ID "/proc/sys/kernel/random/boot_id"

/* The 64-bit number of the machine of this process; 0 if it has none. */
uint64_t hitop_machine_number(void);

#endif /* MACHINE_H */

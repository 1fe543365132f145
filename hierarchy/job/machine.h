/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MACHINE_H
#define MACHINE_H

/*
 * machine.h - a number for the running kernel. Containers and namespaces on it are separate hosts,
 * but share its processors and clocks.
 */

#include <stdint.h>

/* A line of hexadecimal numbers with dashes: random(4) of Linux. */
#define MACHINE_BOOT_ID "/proc/sys/kernel/random/boot_id"

/* The 64-bit number of the machine of this process; 0 if it has none. */
uint64_t hitop_machine_number(void);

#endif /* MACHINE_H */

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MACHINE_H
#define MACHINE_H

/* machine.h - one kernel since its start: containers and namespaces are hosts of their own, but share its processors and clocks. */

#include <stdint.h>

/* A line of hexadecimal numbers with dashes, by Linux's random(4). */
#define MACHINE_BOOT_ID "/proc/sys/kernel/random/boot_id"

/* The number of the machine that this process runs on, one of 2^64; 0 where it has none. */
uint64_t hitop_machine_number(void);

#endif /* MACHINE_H */

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARDWARE_H
#define HARDWARE_H

/* hardware.h - describe the hardware of a host in one line, for source "hardware". */

#include <stddef.h>

struct hwloc_topology;

/*
 * Describe this host, e.g.
 *
 *     "cpu=AMD EPYC 7763;packages=2;cores=128;pus=256;l3=16x32MiB;memory=515398MiB;gpus=4"
 *
 * Unknown values are left out; "" if all are unknown. The line describes the whole host, also parts
 * that this process may not use.
 */
void hitop_hardware_collect(char *out, size_t length);

/* Describe a topology. "gpus" is known only if the topology was loaded with PCI devices. */
void hitop_hardware_describe(struct hwloc_topology *topology, char *out, size_t length);

#endif /* HARDWARE_H */

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAPACITY_H
#define CAPACITY_H

/* capacity.h - what the attribute "capacity" of a group may be; beyond it is a slip of the pen. */

#define CAPACITY_MIN 1e-6
#define CAPACITY_MAX 1e9

#endif /* CAPACITY_H */

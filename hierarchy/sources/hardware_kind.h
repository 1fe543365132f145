/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARDWARE_KIND_H
#define HARDWARE_KIND_H

/* hardware_kind.h - kinds of hosts, named after the properties in which they differ. */

/* In the order in which a name lists them. */
enum {
    HARDWARE_CORES,
    HARDWARE_MEMORY,
    HARDWARE_GPUS,
    HARDWARE_CPU,
    HARDWARE_PACKAGES,
    HARDWARE_PUS,
    HARDWARE_L3,
    HARDWARE_PROPERTIES
};

enum { HARDWARE_TEXT = 64 };

struct hardware_kind {
    char property[HARDWARE_PROPERTIES][HARDWARE_TEXT]; /* readable text; "" if unknown */
    char name[HARDWARE_PROPERTIES * HARDWARE_TEXT];
    int is_complete; /* 1: all properties in the name are known */
};

/*
 * Read a fact as hardware.h describes it. Keys may be missing; unknown keys and wrong numbers count
 * as missing.
 *
 * Memory is rounded upwards to eighths of a power of two, because an operating system reports a few
 * percent less than is installed: 503 and 504 GiB are both 512 GiB.
 */
void hitop_hardware_kind_read(const char *fact, struct hardware_kind *kind);

/*
 * Name n kinds. Returns 1 if two of them have different known values of a property; the names then
 * distinguish all values of such properties. Returns 0 otherwise; the names are not valid then.
 *
 * order  scratch space for n pointers
 */
int hitop_hardware_kind_name(struct hardware_kind *kind, int n, const struct hardware_kind **order);

#endif /* HARDWARE_KIND_H */

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef STATUS_KIB_H
#define STATUS_KIB_H

/*
 * status_kib.h - what the kernel says of this process: memory of its own ("RssAnon:"), shared
 * ("RssShmem:").
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* KiB; 0 where it does not say. */
static inline long status_kib(const char *what)
{
    FILE *status = fopen("/proc/self/status", "r");
    char line[256];
    long kib = 0;

    while (status && fgets(line, sizeof(line), status)) {
        if (strncmp(line, what, strlen(what)) == 0) {
            kib = strtol(line + strlen(what), NULL, 10);
        }
    }
    if (status) {
        (void)fclose(status);
    }
    return kib;
}

#endif /* STATUS_KIB_H */

/* SPDX-License-Identifier: BSD-3-Clause */
/* machine.c - see machine.h. */
#include <config.h>

#include "hierarchy/job/machine.h"

#include <stdio.h>

uint64_t hitop_machine_number(void)
{
    FILE *file = fopen(MACHINE_BOOT_ID, "r");
    uint64_t number = 0;
    int c;

    while (file && (c = fgetc(file)) != EOF) {
        number = number * 1099511628211u + (unsigned char)c;
    }
    if (file) {
        (void)fclose(file);
    }
    return number;
}

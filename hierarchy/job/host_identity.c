/* SPDX-License-Identifier: BSD-3-Clause */
/* host_identity.c - identities that Linux gives to boots and to installations. */
#include <config.h>

#include "hierarchy/job/host_identity.h"

#include "hierarchy/job/machine.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 64 };

/* The one word of a file if it is a number in hexadecimal, perhaps with dashes; else "". */
static void read_id(const char *path, char id[LONGEST])
{
    FILE *from = fopen(path, "r");

    id[0] = '\0';
    if (!from) {
        return;
    }
    if (!fgets(id, LONGEST, from)) {
        id[0] = '\0';
    }
    (void)fclose(from);
    id[strcspn(id, "\n")] = '\0';
    if (id[strspn(id, "0123456789abcdefABCDEF-")] != '\0') { /* such as "uninitialized" */
        id[0] = '\0';
    }
}

void hitop_host_identity_collect(char *out, size_t length)
{
    char boot[LONGEST], machine[LONGEST];

    read_id(MACHINE_BOOT_ID, boot);
    read_id("/etc/machine-id", machine);
    out[0] = '\0';
    if (boot[0] || machine[0]) {
        (void)snprintf(out, length, "boot=%s;machine=%s", boot, machine);
    }
}

int hitop_host_identity_agrees(const char *x, const char *y)
{
    return x[0] && strcmp(x, y) == 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* host_identity.c - read the identities of a boot and of an installation of Linux. */
#include <config.h>

#include "hierarchy/job/host_identity.h"

#include "hierarchy/job/machine.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 64 };

/* Read a file with one hexadecimal number, which may have dashes; "" for other contents. */
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

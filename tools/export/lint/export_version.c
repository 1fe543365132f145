/* SPDX-License-Identifier: BSD-3-Clause */
/* export_version.c - versions of libraries. */
#include <config.h>

#include "tools/export/lint/export_version.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

int export_parse_version(const char *text, struct export_version *out)
{
    int number[3] = {-1, -1, -1}, n = 0;

    while (n < 3 && isdigit((unsigned char)*text)) {
        char *end;
        const long value = strtol(text, &end, 10);
        if (value > 9999) {
            return 0;
        }
        number[n++] = (int)value;
        if (*end == '\0') {
            *out = (struct export_version){number[0], number[1], number[2]};
            return n >= 2;
        }
        if (*end != '.') {
            return 0;
        }
        text = end + 1;
    }
    return 0;
}

static int compare_numbers(int a, int b)
{
    return a < 0 || b < 0 ? 0 : (a > b) - (a < b);
}

int export_compare(struct export_version a, struct export_version b)
{
    const int major = compare_numbers(a.major, b.major), minor = compare_numbers(a.minor, b.minor);

    return major ? major : minor ? minor : compare_numbers(a.patch, b.patch);
}

void export_version_text(struct export_version version, char *out, size_t length)
{
    if (version.patch >= 0) {
        (void)snprintf(out, length, "%d.%d.%d", version.major, version.minor, version.patch);
    } else {
        (void)snprintf(out, length, "%d.%d", version.major, version.minor);
    }
}

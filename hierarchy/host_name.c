/* SPDX-License-Identifier: BSD-3-Clause */
/* host_name.c - where the words and numbers of a host name begin and end. */
#include <config.h>

#include "host_name.h"

#include <ctype.h>
#include <string.h>

static int is_digit(char c)
{
    return isdigit((unsigned char)c);
}

int host_name_is_address(const char *host)
{
    int dots = 0;

    for (const char *p = host; *p; p++) {
        const int at_edge = p == host || p[1] == '\0' || p[1] == '.';
        if (*p == '.' ? at_edge : !is_digit(*p)) {
            return 0;
        }
        dots += *p == '.';
    }
    return dots == 3;
}

const char *host_name_domain(const char *host)
{
    const char *dot = host_name_is_address(host) ? NULL : strchr(host, '.');

    return dot ? dot + 1 : "";
}

size_t host_name_short_length(const char *host)
{
    static const char *const interfaces[] = {"ib", "eth", "opa", "hsn", "bond"};
    const size_t whole = host_name_is_address(host) ? strlen(host) : strcspn(host, ".");
    size_t word, dash = whole;

    while (dash > 0 && is_digit(host[dash - 1])) {
        dash--;
    }
    word = dash;
    while (word > 0 && host[word - 1] != '-') {
        word--;
    }
    for (size_t i = 0; i < sizeof(interfaces) / sizeof(interfaces[0]) && word > 1; i++) {
        if (dash < whole && dash - word == strlen(interfaces[i]) &&
            strncmp(host + word, interfaces[i], dash - word) == 0) {
            return word - 1;
        }
    }
    return whole;
}

int host_name_split(const char *host, size_t length, struct host_name_part *part)
{
    size_t at = 0;
    int n = 0;

    while (n < HOST_NAME_PARTS) {
        part[n].begin = at;
        while (at < length && !is_digit(host[at])) {
            at++;
        }
        part[n].digits = at;
        while (at < length && is_digit(host[at])) {
            at++;
        }
        if (at == part[n].digits) {
            break;
        }
        part[n++].end = at;
    }
    return n;
}

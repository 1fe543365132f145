/* SPDX-License-Identifier: BSD-3-Clause */
/* host_name.c - find the domain, the interface or the address in a host name. */
#include <config.h>

#include "hierarchy/names/host_name.h"

#include "hierarchy/text/digit.h"

#include <string.h>
#include <strings.h>

char hitop_host_name_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

int hitop_host_name_is_ipv6(const char *host)
{
    const char *colon = strchr(host, ':');

    return colon && strchr(colon + 1, ':') != NULL;
}

int hitop_host_name_is_address(const char *host)
{
    int dots = 0;

    for (const char *p = host; *p; p++) {
        const int at_edge = p == host || p[1] == '\0' || p[1] == '.';
        if (*p == '.' ? at_edge : !is_digit(*p)) {
            return hitop_host_name_is_ipv6(host);
        }
        dots += *p == '.';
    }
    return dots == 3;
}

/* Read an octet without leading zeros; returns the text behind it, or NULL. */
static const char *behind_octet(const char *text, int *value)
{
    int n = 0;

    *value = 0;
    for (; n < 3 && is_digit(text[n]); n++) {
        *value = 10 * *value + text[n] - '0';
    }
    return n > 0 && *value < 256 && !is_digit(text[n]) && (text[0] != '0' || n == 1) ? text + n
                                                                                     : NULL;
}

/* Private networks (RFC 1918) and those of carriers (RFC 6598). */
static int is_private(const int *octet)
{
    return octet[0] == 10 || (octet[0] == 172 && octet[1] >= 16 && octet[1] < 32) ||
           (octet[0] == 192 && octet[1] == 168) ||
           (octet[0] == 100 && octet[1] >= 64 && octet[1] < 128);
}

/* Prefixes that clouds put in front of addresses, public ones too. */
static int is_address_word(const char *host, size_t length)
{
    return (length == 3 && strncasecmp(host, "ip-", 3) == 0) ||
           (length == 4 && strncasecmp(host, "ec2-", 4) == 0);
}

const char *hitop_host_name_octets(const char *host)
{
    const char *first = host, *at;
    int octet[4];

    if (hitop_host_name_is_address(host)) {
        return hitop_host_name_is_ipv6(host) ? NULL : host;
    }
    while (*first && *first != '.' && (!is_digit(*first) || first == host || first[-1] != '-')) {
        first++;
    }
    at = first;
    for (int i = 0; i < 4; i++) {
        at = behind_octet(at, &octet[i]);
        if (!at || (i < 3 && *at++ != '-')) {
            return NULL;
        }
    }
    return (*at == '\0' || *at == '.') &&
                   (is_private(octet) || is_address_word(host, (size_t)(first - host)))
               ? first
               : NULL;
}

/* 1 for "ib0", "hsn", ...; 0 for ib01, which is more likely the name of a host. */
static int is_interface(const char *text, size_t length)
{
    static const char *const interfaces[] = {"ib", "ipoib", "opa", "hsn", "roce", "eth", "bond"};
    const size_t whole = length;

    while (length > 0 && is_digit(text[length - 1])) {
        length--;
    }
    if (whole > length + 2 || (whole == length + 2 && text[length] == '0')) {
        return 0;
    }
    for (size_t i = 0; i < sizeof(interfaces) / sizeof(interfaces[0]); i++) {
        if (length == strlen(interfaces[i]) && strncasecmp(text, interfaces[i], length) == 0) {
            return 1;
        }
    }
    return 0;
}

const char *hitop_host_name_domain(const char *host)
{
    const char *dot = hitop_host_name_is_address(host) ? NULL : strchr(host, '.');

    if (dot && is_interface(dot + 1, strcspn(dot + 1, "."))) {
        dot = strchr(dot + 1, '.');
    }
    return dot ? dot + 1 : "";
}

size_t hitop_host_name_brief_length(const char *host)
{
    return hitop_host_name_is_address(host) ? strlen(host) : strcspn(host, ".");
}

size_t hitop_host_name_short_length(const char *host)
{
    const size_t whole = hitop_host_name_brief_length(host);
    size_t word = whole;

    while (word > 0 && host[word - 1] != '-' && host[word - 1] != '_') {
        word--;
    }
    if (word > 1 && is_interface(host + word, whole - word) && strcspn(host, "0123456789") < word) {
        return word - 1;
    }
    return whole;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HOST_NAME_H
#define HOST_NAME_H

/* host_name.h - a host name taken apart into what sources group by. */

#include <stddef.h>

enum { HOST_NAME_PARTS = 32 };

/* Letters or separators followed by digits: positions in the name. */
struct host_name_part {
    size_t begin, digits, end;
};

/* 1 for a dotted IPv4 address. */
int host_name_is_address(const char *host);

/* What follows the first dot, "" without one or for an address. */
const char *host_name_domain(const char *host);

/* Length of the name without its domain and without the name of a network interface ("-ib0"). */
size_t host_name_short_length(const char *host);

/*
 * Split the first length characters into at most HOST_NAME_PARTS parts; returns their number.
 * Letters that no digits follow are not a part.
 */
int host_name_split(const char *host, size_t length, struct host_name_part *part);

#endif /* HOST_NAME_H */

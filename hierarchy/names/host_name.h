/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HOST_NAME_H
#define HOST_NAME_H

/* host_name.h - the parts of a host name: domain, interface, address. Case does not matter. */

#include <stddef.h>

/* 1 for a dotted IPv4 address and for an IPv6 address. */
int hitop_host_name_is_address(const char *host);

/* 1 for an IPv6 address: any text with two colons. */
int hitop_host_name_is_ipv6(const char *host);

/*
 * The first of the four octets in an IPv4 address, or in a name with an address, such as
 * ip-10-0-1-21; NULL if there is none. Octets are separated by dots or dashes.
 */
const char *hitop_host_name_octets(const char *host);

/*
 * The text behind the first dot, or behind the second dot if the text between them is an interface:
 * n1.hsn0.example.org. "" for a name without a domain and for an address.
 */
const char *hitop_host_name_domain(const char *host);

/*
 * Length of the name without its domain and without the name of a network interface ("-ib0"). If
 * the interface has the only number, it is part of the name.
 */
size_t hitop_host_name_short_length(const char *host);

/* Length up to the first dot; the whole length of an address. */
size_t hitop_host_name_brief_length(const char *host);

/* The lower case of an ASCII letter in any locale; other bytes are unchanged. */
char hitop_host_name_lower(char c);

#endif /* HOST_NAME_H */

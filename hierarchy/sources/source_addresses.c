/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * source_addresses.c - groups by the IP addresses of hosts.
 *
 * Idea:   hosts that share the first 8, 16 or 24 bits of an IPv4 address, or the first 64 bits of
 *         an IPv6 address, are probably in one subnet.
 * Use:    hosts that are listed by address, or whose names contain their address (ip-10-0-1-21 in
 *         clouds).
 * Needs:  nothing. Octets that are equal everywhere make groups of one member, which are dropped.
 */
#include <config.h>

#include "hitop/sys/source.h"

#include "hierarchy/names/host_name.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

static const double confidence = 0.3;

/* "10", "10.1", "10.1.4". */
static void push_octets(struct hitop_paths *paths, int index, const char *octets)
{
    char name[64] = "";
    size_t used = 0;

    for (int separators = 0; used < sizeof(name) - 1; used++) {
        const char c = octets[used] == '-' ? '.' : octets[used];
        if (c == '.') {
            name[used] = '\0';
            hitop_paths_push(paths, index, "subnet", name, confidence);
            if (++separators == 3) {
                return;
            }
        }
        name[used] = c;
    }
}

/* Push the /64 network; brackets around the address and an interface behind '%' are allowed. */
static void push_prefix(struct hitop_paths *paths, int index, const char *host)
{
    const char *begin = host + (host[0] == '[');
    const size_t length = strcspn(begin, "]%");
    unsigned char bits[sizeof(struct in6_addr)];
    char text[INET6_ADDRSTRLEN], name[INET6_ADDRSTRLEN + 4];

    if (length >= sizeof(text)) {
        return;
    }
    memcpy(text, begin, length);
    text[length] = '\0';
    if (inet_pton(AF_INET6, text, bits) == 1) {
        memset(bits + 8, 0, sizeof(bits) - 8);
        if (inet_ntop(AF_INET6, bits, text, sizeof(text))) {
            (void)snprintf(name, sizeof(name), "%s/64", text);
            hitop_paths_push(paths, index, "subnet", name, confidence);
        }
    }
}

static enum hitop_status addresses_classify(const struct hitop_source_input *in,
                                            struct hitop_paths *paths, struct hitop_diag *diag)
{
    (void)diag;
    for (int i = 0; i < in->nplaces; i++) {
        const char *host = in->place[i].host, *octets = hitop_host_name_octets(host);
        if (octets) {
            push_octets(paths, i, octets);
        } else if (hitop_host_name_is_ipv6(host)) {
            push_prefix(paths, i, host);
        }
    }
    return HITOP_OK;
}

const struct hitop_source hitop_source_addresses = {
    .name = "addresses",
    .summary = "networks of IP addresses, also of those in host names",
    .layer = HITOP_LAYER_NETWORK,
    .trust = 0.3,
    .classify = addresses_classify,
};

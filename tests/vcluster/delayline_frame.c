/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * delayline_frame.c - what the delay line reads in a frame's headers.
 *
 * The address of a port's card is 02:56:43:00:hi:lo with the number of the port, so that nothing
 * is learned and nothing is broadcast. Limits count TCP payload alone: a program then sees the
 * bandwidth that the description promises, whatever the size of the segments.
 */
#include <config.h>

#include "tests/vcluster/delayline.h"

#include <linux/virtio_net.h>
#include <net/ethernet.h>
#include <netinet/ip.h>
#include <netinet/tcp.h>
#include <string.h>

enum { PREFIX = sizeof(struct virtio_net_hdr) };

int dl_frame_destination(const struct dl_frame *frame)
{
    static const unsigned char ours[] = {0x02, 0x56, 0x43, 0x00};
    const unsigned char *address = frame->data + PREFIX;

    if (frame->length < PREFIX + sizeof(struct ether_header) ||
        memcmp(address, ours, sizeof ours) != 0) {
        return -1;
    }
    return address[4] << 8 | address[5];
}

size_t dl_frame_load(const struct dl_frame *frame)
{
    const size_t whole = frame->length - PREFIX;
    const unsigned char *ethernet = frame->data + PREFIX;
    const size_t ip_at = sizeof(struct ether_header);
    struct iphdr ip;
    struct tcphdr tcp;

    if (whole < ip_at + sizeof ip + sizeof tcp || ethernet[12] != 0x08 || ethernet[13] != 0x00) {
        return whole;
    }
    memcpy(&ip, ethernet + ip_at, sizeof ip);
    if (ip.protocol != IPPROTO_TCP || whole < ip_at + ip.ihl * 4U + sizeof tcp) {
        return whole;
    }
    memcpy(&tcp, ethernet + ip_at + ip.ihl * 4U, sizeof tcp);
    const size_t headers = ip_at + ip.ihl * 4U + tcp.doff * 4U;

    return whole > headers ? whole - headers : 0;
}

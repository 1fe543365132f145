/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * delayline_port.c - one network interface, taken over by a packet socket.
 *
 * Frames arrive in a ring shared with the kernel: its size does not depend on net.core.rmem_max,
 * which is too small for this by default and which an ordinary user cannot raise. The kernel
 * stamps each frame, so the time until the delay line looks at it does not add to its latency.
 * Large TCP segments pass unsplit and without checksum, described by a struct virtio_net_hdr.
 */
#include <config.h>

#include "tests/vcluster/delayline.h"

#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <linux/virtio_net.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    PREFIX = sizeof(struct virtio_net_hdr),
    BLOCK = 131072,
    FRAME = 18432, /* holds gso_max_size 16384, set by vc-world.bash, and the headers around it */
    FRAMES_PER_BLOCK = BLOCK / FRAME,
    MOST_BLOCKS = 128,
    LEAST_BLOCKS = 32,
    BUDGET = 1024, /* blocks of all ports together, 128 MiB, where LEAST_BLOCKS allows it */
};

static bool set_option(int fd, int option, const void *value, socklen_t length)
{
    return setsockopt(fd, SOL_PACKET, option, value, length) == 0;
}

static bool set_flag(int fd, int option, int value)
{
    return set_option(fd, option, &value, sizeof value);
}

static unsigned share(int ports)
{
    const unsigned blocks = BUDGET / (unsigned)ports;

    return blocks > MOST_BLOCKS ? MOST_BLOCKS : blocks < LEAST_BLOCKS ? LEAST_BLOCKS : blocks;
}

bool dl_port_open(struct dl_port *port, const char *interface, int ports)
{
    const unsigned blocks = share(ports);
    const struct tpacket_req ring = {BLOCK, blocks, FRAME, blocks * FRAMES_PER_BLOCK};
    struct sockaddr_ll address = {.sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL)};
    struct packet_mreq all = {.mr_type = PACKET_MR_PROMISC};

    address.sll_ifindex = (int)if_nametoindex(interface);
    all.mr_ifindex = address.sll_ifindex;
    port->fd = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (address.sll_ifindex == 0 || port->fd < 0 ||
        !set_flag(port->fd, PACKET_VERSION, TPACKET_V2) ||
        !set_flag(port->fd, PACKET_VNET_HDR, 1) || !set_flag(port->fd, PACKET_IGNORE_OUTGOING, 1) ||
        !set_flag(port->fd, PACKET_QDISC_BYPASS, 1) ||
        !set_option(port->fd, PACKET_ADD_MEMBERSHIP, &all, sizeof all) ||
        !set_option(port->fd, PACKET_RX_RING, &ring, sizeof ring)) {
        goto fail;
    }
    port->frames = ring.tp_frame_nr;
    port->ring =
        mmap(NULL, (size_t)BLOCK * blocks, PROT_READ | PROT_WRITE, MAP_SHARED, port->fd, 0);
    if (port->ring == MAP_FAILED ||
        bind(port->fd, (struct sockaddr *)&address, sizeof address) != 0) {
        goto fail;
    }
    return true;
fail:
    perror(interface);
    return false;
}

/* Time of a wall-clock stamp on the monotonic clock; a stamp that makes no sense counts as now. */
static int64_t monotonic(int64_t stamp)
{
    struct timespec mono;
    struct timespec wall;
    int64_t age;

    clock_gettime(CLOCK_REALTIME, &wall);
    clock_gettime(CLOCK_MONOTONIC, &mono);
    age = wall.tv_sec * INT64_C(1000000000) + wall.tv_nsec - stamp;
    if (age < 0 || age > INT64_C(1000000000)) {
        age = 0; /* the wall clock was set */
    }
    return mono.tv_sec * INT64_C(1000000000) + mono.tv_nsec - age;
}

struct dl_frame *dl_port_take(struct dl_port *port)
{
    const size_t place = (size_t)(port->next / FRAMES_PER_BLOCK) * BLOCK +
                         (size_t)(port->next % FRAMES_PER_BLOCK) * FRAME;
    struct tpacket2_hdr *slot = (struct tpacket2_hdr *)(void *)(port->ring + place);
    struct dl_frame *frame = NULL;

    if ((*(volatile uint32_t *)&slot->tp_status & TP_STATUS_USER) == 0) {
        return NULL;
    }
    atomic_thread_fence(memory_order_acquire);
    if (slot->tp_snaplen == slot->tp_len) {
        frame = malloc(sizeof *frame + PREFIX + slot->tp_snaplen);
    }
    if (frame != NULL) {
        frame->when = monotonic(slot->tp_sec * INT64_C(1000000000) + slot->tp_nsec);
        frame->length = PREFIX + slot->tp_snaplen;
        memcpy(frame->data, (unsigned char *)slot + slot->tp_mac - PREFIX, frame->length);
    } else {
        port->lost++;
    }
    atomic_thread_fence(memory_order_release);
    *(volatile uint32_t *)&slot->tp_status = TP_STATUS_KERNEL;
    port->next = (port->next + 1) % port->frames;
    return frame;
}

bool dl_port_send(struct dl_port *port, const struct dl_frame *frame)
{
    return write(port->fd, frame->data, frame->length) == (ssize_t)frame->length;
}

uint64_t dl_port_lost(struct dl_port *port)
{
    struct tpacket_stats seen = {0};
    socklen_t length = sizeof seen;

    if (getsockopt(port->fd, SOL_PACKET, PACKET_STATISTICS, &seen, &length) == 0) {
        port->lost += seen.tp_drops; /* reading clears the kernel's count */
    }
    return port->lost;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * delayline.h - the parts of the delay line, which is the network of a virtual cluster.
 *
 * Every host's card is one port. A frame that arrives walks through the queues on its way (the
 * sender's card, the line between the two sites, the receiver's card) and leaves when its last
 * byte is due. All times are nanoseconds of CLOCK_MONOTONIC.
 */
#ifndef DELAYLINE_H
#define DELAYLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DL_MAX_PORTS = 128, DL_NAME = 64 };

/* Where a frame stands; each stage but the last is one queue. */
enum dl_stage { DL_CARD_OUT, DL_LINE, DL_CARD_IN, DL_LEAVE };

struct dl_frame {
    int64_t when;   /* the head reaches the stage's queue; at DL_LEAVE, the frame is due */
    int64_t tail;   /* the last byte is through the queues passed so far */
    uint64_t order; /* of arrival: first in, first out among equal times */
    enum dl_stage stage;
    int from, to;         /* ports */
    size_t load;          /* bytes that the limits count: TCP payload, headers are free */
    size_t length;        /* of data */
    unsigned char data[]; /* struct virtio_net_hdr, then the Ethernet frame */
};

/* A rate limit: first come, first served, no burst. */
struct dl_queue {
    double ns_per_byte; /* 0 = unlimited */
    int64_t free;       /* when the last byte accepted so far is through */
};

/* The frames under way, the one with the least (when, order) first. */
struct dl_heap {
    struct dl_frame **frame;
    size_t count, capacity;
};

/* One host's card: a packet socket on its veth, frames arrive in a ring shared with the kernel. */
struct dl_port {
    int fd;
    unsigned char *ring;
    unsigned frames; /* in the ring */
    unsigned next;   /* of them to look at */
    uint64_t lost;   /* frames that found the ring full */
};

struct dl_net {
    int ports, sites;
    char site_name[DL_MAX_PORTS][DL_NAME];
    int site[DL_MAX_PORTS]; /* of a port */
    struct dl_port port[DL_MAX_PORTS];
    struct dl_queue card_out[DL_MAX_PORTS], card_in[DL_MAX_PORTS];
    struct dl_queue line[DL_MAX_PORTS][DL_MAX_PORTS]; /* [from site][to site], each way its own */
    int64_t latency[DL_MAX_PORTS][DL_MAX_PORTS];      /* [from site][to site] */
    uint64_t overflows;                               /* frames refused by a full queue */
    struct dl_heap heap;
};

/* delayline_plan.c: fills sites, limits and latencies; false after a message on stderr. */
bool dl_plan_read(struct dl_net *net, const char *path);

/* delayline_heap.c: false when memory is exhausted; dl_heap_pop needs count > 0. */
bool dl_heap_push(struct dl_heap *heap, struct dl_frame *frame);
struct dl_frame *dl_heap_pop(struct dl_heap *heap);

/* delayline_path.c: takes a frame through its stage's queue; false when that is full. */
bool dl_path_advance(struct dl_net *net, struct dl_frame *frame);

/*
 * delayline_port.c: dl_port_open makes one of `ports` rings; dl_port_take returns a frame with
 * from, when, length and data set, which the caller frees; NULL when none waits.
 */
bool dl_port_open(struct dl_port *port, const char *interface, int ports);
struct dl_frame *dl_port_take(struct dl_port *port);
bool dl_port_send(struct dl_port *port, const struct dl_frame *frame);
uint64_t dl_port_lost(struct dl_port *port);

/* delayline_frame.c: the port a frame is addressed to, or -1; the payload bytes limits count. */
int dl_frame_destination(const struct dl_frame *frame);
size_t dl_frame_load(const struct dl_frame *frame);

#endif /* DELAYLINE_H */

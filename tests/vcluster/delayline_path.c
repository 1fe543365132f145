/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * delayline_path.c - when a frame is through the queues on its way.
 *
 * Queues are passed head first (cut-through): the head enters the next queue as soon as its turn
 * comes in this one, so that a lone message of m bytes needs latency + m / (least rate) instead of
 * a sum over the queues. Each queue takes frames in the order in which their heads reach it;
 * simultaneous flows through one card or one line thereby share it.
 *
 *     sender's card  ->  line between the sites  -> latency ->  receiver's card  ->  leave
 */
#include <config.h>

#include "tests/vcluster/delayline.h"

/* A queue refuses what would wait longer; only a sender that ignores all flow control gets here. */
static const int64_t longest_wait = 2000000000;

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static struct dl_queue *queue_of(struct dl_net *net, const struct dl_frame *frame)
{
    switch (frame->stage) {
    case DL_CARD_OUT:
        return &net->card_out[frame->from];
    case DL_LINE:
        return &net->line[net->site[frame->from]][net->site[frame->to]];
    default:
        return &net->card_in[frame->to];
    }
}

bool dl_path_advance(struct dl_net *net, struct dl_frame *frame)
{
    struct dl_queue *queue = queue_of(net, frame);

    if (queue->ns_per_byte > 0) {
        const int64_t start = later(frame->when, queue->free);

        if (start - frame->when > longest_wait) {
            return false;
        }
        queue->free = start + (int64_t)((double)frame->load * queue->ns_per_byte);
        frame->when = start;
        frame->tail = later(frame->tail, queue->free);
    }
    if (frame->stage == DL_LINE) {
        const int64_t latency = net->latency[net->site[frame->from]][net->site[frame->to]];

        frame->when += latency;
        frame->tail += latency;
    }
    frame->stage++;
    if (frame->stage == DL_LEAVE) {
        frame->when = frame->tail;
    }
    return true;
}

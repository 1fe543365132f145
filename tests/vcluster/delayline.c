/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * delayline.c - the network of a virtual cluster: holds every frame until it is due.
 *
 *   delayline [-s SPIN_US] [-v] PLAN
 *
 * Host number n of the plan is reached by interface v<n>. "ready" is printed when frames are taken.
 * The last SPIN_US (60) before a frame is due are spent looking at the clock, because a sleeping
 * process wakes up too late. SIGTERM ends it; lost frames, with -v punctuality too, are then
 * reported on stderr.
 */
#include <config.h>

#include "tests/vcluster/delayline.h"

#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static struct dl_net net;
static volatile sig_atomic_t stopped;

static struct {
    uint64_t frames, punctual; /* punctual: not more than 5 us late */
    int64_t worst;
} sent;

static void stop(int signal_number)
{
    (void)signal_number;
    stopped = 1;
}

static int64_t now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static void keep(struct dl_frame *frame)
{
    if (!dl_heap_push(&net.heap, frame)) {
        net.overflows++;
        free(frame);
    }
}

static void receive(void)
{
    static uint64_t order;
    struct dl_frame *frame;

    for (int port = 0; port < net.ports; port++) {
        while ((frame = dl_port_take(&net.port[port])) != NULL) {
            frame->from = port;
            frame->to = dl_frame_destination(frame);
            if (frame->to < 0 || frame->to >= net.ports) {
                free(frame); /* no such port */
                continue;
            }
            frame->stage = DL_CARD_OUT;
            frame->tail = frame->when;
            frame->order = order++;
            frame->load = dl_frame_load(frame);
            keep(frame);
        }
    }
}

static void deliver(struct dl_frame *frame, int64_t time)
{
    const int64_t late = time - frame->when;

    if (!dl_port_send(&net.port[frame->to], frame)) {
        net.overflows++;
    }
    sent.frames++;
    sent.punctual += late <= 5000;
    sent.worst = late > sent.worst ? late : sent.worst;
    free(frame);
}

/* Moves on all whose time has come; returns the time until the next one, -1 without one. */
static int64_t forward(int64_t ahead)
{
    while (net.heap.count > 0) {
        const struct dl_frame *first = net.heap.frame[0];
        const int64_t time = now();
        const int64_t early = first->stage == DL_LEAVE ? 0 : ahead;
        struct dl_frame *frame;

        if (first->when > time + early) {
            return first->when - time;
        }
        frame = dl_heap_pop(&net.heap);
        if (frame->stage == DL_LEAVE) {
            deliver(frame, time);
        } else if (dl_path_advance(&net, frame)) {
            keep(frame);
        } else {
            net.overflows++;
            free(frame);
        }
    }
    return -1;
}

static void run(int64_t spin)
{
    struct pollfd polled[DL_MAX_PORTS];
    sigset_t none;

    sigemptyset(&none);
    for (int port = 0; port < net.ports; port++) {
        polled[port] = (struct pollfd){.fd = net.port[port].fd, .events = POLLIN};
    }
    while (!stopped) {
        int64_t wait;

        receive();
        wait = forward(spin);
        if (wait < 0) {
            ppoll(polled, (nfds_t)net.ports, NULL, &none);
        } else if (wait > spin) {
            const int64_t nap = wait - spin;
            const struct timespec limit = {nap / 1000000000, nap % 1000000000};

            ppoll(polled, (nfds_t)net.ports, &limit, &none);
        }
    }
}

static void report(bool verbose)
{
    uint64_t lost = net.overflows;

    for (int port = 0; port < net.ports; port++) {
        lost += dl_port_lost(&net.port[port]);
    }
    if (lost > 0) {
        fprintf(stderr, "delayline: %" PRIu64 " of %" PRIu64 " frames were lost\n", lost,
                lost + sent.frames);
    }
    if (verbose) {
        fprintf(stderr, "delayline: %" PRIu64 " frames, %.2f %% at most 5 us late, worst %.0f us\n",
                sent.frames, 100.0 * (double)sent.punctual / (double)(sent.frames + !sent.frames),
                (double)sent.worst / 1e3);
    }
}

/* Signals are open only while ppoll waits, so that none is missed just before it. */
static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = stop};
    sigset_t term;

    sigaction(SIGTERM, &action, NULL);
    sigemptyset(&term);
    sigaddset(&term, SIGTERM);
    sigprocmask(SIG_BLOCK, &term, NULL);
    signal(SIGINT, SIG_IGN); /* Ctrl-C is for the command; the cluster goes when that is gone */
    signal(SIGPIPE, SIG_IGN);
}

int main(int argc, char **argv)
{
    int64_t spin = 60000;
    bool verbose = false;
    int option;

    while ((option = getopt(argc, argv, "s:v")) != -1) {
        switch (option) {
        case 's':
            spin = (int64_t)(strtod(optarg, NULL) * 1e3);
            break;
        case 'v':
            verbose = true;
            break;
        default:
            return 2;
        }
    }
    if (optind + 1 != argc || spin < 0) {
        fprintf(stderr, "usage: delayline [-s SPIN_US] [-v] PLAN\n");
        return 2;
    }
    if (!dl_plan_read(&net, argv[optind])) {
        return 1;
    }
    for (int port = 0; port < net.ports; port++) {
        char interface[16];

        snprintf(interface, sizeof interface, "v%d", port);
        if (!dl_port_open(&net.port[port], interface, net.ports)) {
            return 1;
        }
    }
    catch_signals();
    prctl(PR_SET_TIMERSLACK, 1); /* ns */
    puts("ready");
    fflush(stdout);
    fclose(stdout);
    run(spin);
    report(verbose);
    return 0;
}

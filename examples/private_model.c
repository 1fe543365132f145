/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * private_model.c - a formula that Hitop does not have: latency, bandwidth, and what a rendezvous
 * adds.
 *
 * Formula:  T(m) = alpha + beta m, and handshake more from m > knee on.
 * Units:    alpha, handshake in seconds, beta in seconds per byte, knee in bytes.
 * Use:      networks whose long messages wait for an answer before they leave.
 */
#include "private.h"

#include <stdio.h>

enum { ALPHA, BETA, KNEE, HANDSHAKE, NPARAMS };

/* Name, help, default, smallest, largest, unit. Model files use these names. */
static const struct hitop_param params[NPARAMS] = {
    [ALPHA] = {"alpha", "latency", 1e-6, 0, 1000, "s"},
    [BETA] = {"beta", "seconds per byte", 1e-10, 0, 1, "s/B"},
    [KNEE] = {"knee", "largest message that leaves at once", 4096, 0, 1e12, "B"},
    [HANDSHAKE] = {"handshake", "what longer ones wait for", 0, 0, 1000, "s"},
};

static double knee_p2p(const struct hitop_terms *t, size_t bytes)
{
    const double m = (double)bytes;

    return t->link[ALPHA] + t->link[BETA] * m + (m > t->link[KNEE] ? t->link[HANDSHAKE] : 0);
}

/* The sender is free when its bytes have left: all but the latency. */
static double knee_occupancy(const struct hitop_terms *t, size_t bytes)
{
    return knee_p2p(t, bytes) - t->link[ALPHA];
}

static void knee_label(const struct hitop_terms *t, char *out, size_t length)
{
    snprintf(out, length, "%.3g us, knee at %.0f B", 1e6 * t->link[ALPHA], t->link[KNEE]);
}

const struct hitop_model_type private_model_knee = {
    .name = "knee",
    .summary = "T(m) = alpha + beta m (+ handshake beyond knee)",
    .params = params,
    .nparams = NPARAMS,
    .p2p = knee_p2p,
    .occupancy = knee_occupancy,
    .grows = 1,
    .label = knee_label,
};

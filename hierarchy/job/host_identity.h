/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HOST_IDENTITY_H
#define HOST_IDENTITY_H

/* host_identity.h - what tells a host from others besides its name. */

#include <stddef.h>

/* The source under which hosts tell it; no source of groups listens. */
#define HOST_IDENTITY "identity"

/*
 * The identities of this boot of the kernel and of this installation, "boot=...;machine=...", as
 * far as they can be read; "" when neither can. Containers share the first with their host, cloned
 * images the second.
 */
void hitop_host_identity_collect(char *out, size_t length);

/* 1 when both are known and equal, in every part that either knows. */
int hitop_host_identity_agrees(const char *x, const char *y);

#endif /* HOST_IDENTITY_H */

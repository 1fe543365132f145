/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HOST_IDENTITY_H
#define HOST_IDENTITY_H

/* host_identity.h - the identity of a host besides its name. */

#include <stddef.h>

/* The fact with the identity; no source of groups uses it. */
#define HOST_IDENTITY "identity"

/*
 * The identities of this boot of the kernel and of this installation, "boot=...;machine=..."; "" if
 * neither can be read. Containers have the first one of their host, cloned images the second one of
 * the original.
 */
void hitop_host_identity_collect(char *out, size_t length);

/* 1 if both are known and equal. */
int hitop_host_identity_agrees(const char *x, const char *y);

#endif /* HOST_IDENTITY_H */

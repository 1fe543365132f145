/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HOST_IDENTITY_H
#define HOST_IDENTITY_H

/* host_identity.h - the identity of a host, independent of its name. */

#include <stddef.h>

/* The name of the fact that holds the identity. No source makes groups of it. */
#define HOST_IDENTITY "identity"

/*
 * Write "boot=...;machine=...": the id of this boot of the kernel, and the id of this installation;
 * "" if neither can be read. Containers have the boot id of their host; cloned images have the
 * machine id of the original.
 */
void hitop_host_identity_collect(char *out, size_t length);

/* 1 if two identities are known and equal. */
int hitop_host_identity_agrees(const char *x, const char *y);

#endif /* HOST_IDENTITY_H */

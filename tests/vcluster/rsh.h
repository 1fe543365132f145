/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rsh.h - what vc-rsh asks of vc-rshd.
 *
 * One message of a SOCK_SEQPACKET socket: "HOST\0COMMAND\0" together with the descriptors of
 * standard input, output and error. The answer is the command's exit status as an int.
 */
#ifndef RSH_H
#define RSH_H

#define RSH_SOCKET "/run/vc/rsh.socket"

enum { RSH_MESSAGE = 131072, RSH_DESCRIPTORS = 3 };

#endif /* RSH_H */

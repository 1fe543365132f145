/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MESSAGE_H
#define MESSAGE_H

/*
 * message.h - lines for the user on standard error.
 *
 * Many ranks write there at the same time. Each line goes out in one write, so that lines of
 * different ranks do not mix: fprintf() to an unbuffered stream writes pieces of 128 bytes since
 * glibc 2.37. Pure: no MPI.
 */

/* Write a line, with its newline, as printf() formats it. */
void hitop_message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Write a text that is complete. */
void hitop_message_text(const char *text);

#endif /* MESSAGE_H */

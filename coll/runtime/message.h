/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MESSAGE_H
#define MESSAGE_H

/*
 * message.h - lines for the user on standard error.
 *
 * Many ranks write there at the same time. Each line is one write, so that lines of different ranks
 * do not mix: fprintf() to an unbuffered stream writes pieces of 128 bytes since glibc 2.37. Pure:
 * no MPI.
 */

/* Format a line, with its newline, like printf(), and write it. */
void hitop_message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Write a complete text. */
void hitop_message_text(const char *text);

#endif /* MESSAGE_H */

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef APART_H
#define APART_H

/* apart.h - tries in processes of their own, so that each has a peak of memory of its own. */

#include "hitop/status.h"

/* Leave with the message unless all is well. */
void apart_must(int is_good, const struct hitop_diag *diag);

/* Processor seconds since *start, which becomes the present; other programs do not affect them. */
double apart_elapsed(double *start);
double apart_now(void);

/* In a try: the MiB it has now, from which its peak then starts. */
double apart_forget_peak(void);

/*
 * Let try() fill a result of length bytes in a process of its own; returns its peak in MiB. Leaves
 * when the try did, which has said why.
 */
double apart_try(void (*try)(const void *what, void *result), const void *what, void *result,
                 size_t length);

#endif /* APART_H */

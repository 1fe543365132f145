/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef QUICK_H
#define QUICK_H

/*
 * quick.h - for what every call of a collective goes through, which has a hundred nanoseconds for everything.
 *
 * PER_THREAD: a variable of each thread. In a shared library a look at one is usually a call of the dynamic linker; those as
 * few and as small as ours have room where the thread begins, at a distance that is known once the library is loaded, also
 * when that is late. Where ranks are simulated the program is loaded once for each rank, for which there is no room.
 *
 * RARELY: a function that few calls come to, for which the others make no detour.
 */

#if defined(__GNUC__) && !defined(HITOP_SMPI)
#define PER_THREAD _Thread_local __attribute__((tls_model("initial-exec")))
#else
#define PER_THREAD _Thread_local
#endif

#if defined(__GNUC__)
#define RARELY __attribute__((cold))
#else
#define RARELY
#endif

#endif /* QUICK_H */

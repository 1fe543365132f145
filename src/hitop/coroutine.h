/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_COROUTINE_H
#define HITOP_COROUTINE_H

/**
 * @file coroutine.h
 * @brief Long predictions and choices in slices, for programs that must not wait for them.
 *
 * A coroutine is a computation that its caller resumes for a number of steps at a time. The
 * functions of hitop/choice.h, hitop/plan.h and hitop/sched.h count their steps and return to the
 * caller when those of a slice are used up; a step takes about a tenth of a microsecond. Steps
 * are counted, not timed: equal computations stop at equal places. The C library returns megabytes
 * to the kernel in one piece, so a rare slice takes milliseconds.
 *
 * The computation has a thread of its own, which runs only while the caller waits in
 * hitop_coroutine_resume(). The two never run at the same time, so they need no locks between them.
 */

#include "hitop/status.h"

#include <stddef.h>

HITOP_BEGIN_DECLS

struct hitop_coroutine;

/**
 * A computation run(@p self), which begins with the first hitop_coroutine_resume(). Signals of the
 * process do not interrupt it. Release with hitop_coroutine_free(); NULL when out of memory or
 * threads.
 */
HITOP_API struct hitop_coroutine *hitop_coroutine_new(void (*run)(void *self), void *self);

/** Run the computation for about @p steps steps. Returns 1 if it is complete, else 0. */
HITOP_API int hitop_coroutine_resume(struct hitop_coroutine *coroutine, size_t steps);

/**
 * Cancel the computation if it is not complete: hitop_coroutine_yield() returns 1 from then on, the
 * functions of this library that count steps fail, and this function returns when run() has
 * returned. NULL is allowed.
 */
HITOP_API void hitop_coroutine_free(struct hitop_coroutine *coroutine);

/**
 * Called by a computation after @p steps steps of work: returns at once if the slice has more
 * steps, else when it is resumed. Returns 1 if the computation is cancelled and should end, else 0;
 * outside of a coroutine always 0.
 */
HITOP_API int hitop_coroutine_yield(size_t steps);

HITOP_END_DECLS

#endif /* HITOP_COROUTINE_H */

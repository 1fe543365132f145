/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SEARCH_H
#define SEARCH_H

/*
 * search.h - rank 0's searches for choices, in slices: off the critical path of the program.
 *
 * A search predicts many algorithms, which takes up to seconds for hundreds of ranks. Each call
 * without a choice gives it a slice, and the MPI library serves the call. Searches run one after
 * another, so that there is one thread, however many keys a program has. Pure: no MPI.
 */

#include "coll/runtime/cache.h"
#include "hitop/sys/coll.h"

/* Steps (hitop/coroutine.h) in the first call of a key, and in each later one: 1 and 0.2 ms. */
enum { SEARCH_FIRST = 8192, SEARCH_SLICE = 1536 };

/* What a search does: decide(self, key, args, answer) writes its answer of so many bytes. */
struct search_work {
    void (*decide)(const void *self, const struct choice_key *key,
                   const struct hitop_coll_args *args, void *answer);
    const void *self; /* borrowed while there are searches */
    size_t answer_bytes;
    int size; /* ranks */
};

/* A list of searches, the oldest first, begins as NULL. */
struct search;

/*
 * Queue a search for `key` unless there is one or the list is full, and run the oldest one for
 * about `steps` steps. Returns the answer of a complete search for this key, which the caller
 * frees, or NULL. If there is no memory or thread for a search, it is made at once. The answer of a
 * search whose key is not asked for again is dropped when the list is full.
 */
void *hitop_search_run(struct search **list, const struct search_work *work,
                       const struct choice_key *key, const struct hitop_coll_args *args,
                       size_t steps);

/* Run the oldest search that is not complete, if there is one. */
void hitop_search_continue(struct search *list, size_t steps);

/* Cancel all searches; the list becomes empty. */
void hitop_search_clear(struct search **list);

#endif /* SEARCH_H */

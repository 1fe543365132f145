/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SAME_HOST_H
#define SAME_HOST_H

/*
 * same_host.h - one name per host, settled between what hosts are called and who shares memory.
 *
 * Names lie in both directions: one host may answer to several names, and containers or cloned
 * images may share one. Sharing memory decides.
 */

#include "hitop/status.h"

#include "text_pool.h"

/*
 * Settle host[], one name per rank; rank r shares memory with all ranks of equal group[r]. Within a
 * group the smallest name counts. When several groups have one name, all but the first get "#2",
 * "#3", ... behind it. New names go to text. warning receives one line when names had to change,
 * else "".
 */
enum hitop_status same_host_settle(const char **host, const int *group, int nranks,
                                   struct text_pool *text, struct hitop_diag *warning);

#endif /* SAME_HOST_H */

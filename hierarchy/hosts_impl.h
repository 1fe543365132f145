/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HOSTS_IMPL_H
#define HOSTS_IMPL_H

/* hosts_impl.h - a host list while it grows. */

#include "hitop/hosts.h"
#include "text_pool.h"

struct host_list {
    struct hitop_hosts *hosts;
    struct text_pool *text;
    int max;
    const char *entry; /* the one at hand, for messages */
    struct hitop_diag *diag;
};

/* Empty out and begin to fill it; on failure, here or later, release it with hitop_hosts_clear(). */
enum hitop_status host_list_begin(struct host_list *l, struct hitop_hosts *out,
                                  struct hitop_diag *diag);

/* Add one entry: "name:N" N times, "name" count times. The entry is destroyed. */
enum hitop_status host_list_add(struct host_list *l, char *entry, int count);

#endif /* HOSTS_IMPL_H */

/* SPDX-License-Identifier: BSD-3-Clause */
/* progress.c - when a line of progress is due. */
#include <config.h>

#include "tools/common/progress.h"

#include <time.h>
#include <unistd.h>

int progress_is_due(int is_asked_for)
{
    static time_t last;
    const int is_often = is_asked_for || isatty(STDERR_FILENO);
    const time_t now = time(NULL);

    if (last == 0 && !is_often) {
        last = now;
    }
    if (now - last < (is_often ? 1 : PROGRESS_INTERVAL)) {
        return 0;
    }
    last = now;
    return 1;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* job_thresholds.c - see job_thresholds.h. */
#include <config.h>

#include "coll/twolevel/job_thresholds.h"

#include "coll/runtime/job_files.h"
#include "coll/runtime/message.h"

#include <stdatomic.h>
#include <stdlib.h>

static _Atomic int told;

int hitop_job_thresholds(int nranks, int alone, struct hitop_thresholds *row,
                         struct hitop_thresholds *with_kernel)
{
    const struct hitop_thresholds *other = hitop_thresholds_with_kernel(nranks, alone);
    char *path = hitop_job_path("HITOP_THRESHOLDS");
    struct hitop_diag diag = HITOP_DIAG_INIT;

    *row = *hitop_thresholds_for(nranks, alone);
    if (other) {
        *with_kernel = *other;
    }
    if (path &&
        (hitop_job_path_check(path, &diag) != HITOP_OK ||
         hitop_thresholds_read(path, nranks, alone, row, &diag) != HITOP_OK ||
         (other && hitop_thresholds_read(path, nranks, alone, with_kernel, &diag) != HITOP_OK)) &&
        !atomic_exchange(&told, 1)) {
        hitop_message("hitop: HITOP_THRESHOLDS: %s; going on without the file\n", diag.message);
    }
    free(path);
    return other != NULL;
}

char *hitop_job_thresholds_text(const struct hitop_thresholds *row)
{
    char *text = NULL;
    size_t length;
    FILE *line = open_memstream(&text, &length);

    if (!line) {
        return NULL;
    }
    hitop_thresholds_put(row, ", ", line);
    if (fclose(line) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* job_model.c - HITOP_MODEL, or what names tell. */
#include <config.h>

#include "coll/runtime/job_model.h"

#include "coll/predict/placement.h"
#include "coll/runtime/job_path.h"
#include "coll/runtime/message.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static _Atomic int told;

int hitop_job_model_told(void)
{
    return atomic_load(&told);
}

void hitop_job_model_tell(void)
{
    atomic_store(&told, 1);
}

enum hitop_status hitop_job_model(const char *const *hosts, int nhosts, int crowded,
                                  struct hitop_model **out, int *measured, struct hitop_diag *diag)
{
    char *path = job_path("HITOP_MODEL");
    struct hitop_model *file = NULL;
    enum hitop_status status = HITOP_ERR_NOTFOUND;

    *out = NULL;
    if (path) {
        struct hitop_diag wrong = HITOP_DIAG_INIT;
        status = job_path_check(path, &wrong);
        if (status == HITOP_OK) {
            status = hitop_model_read(path, &file, &wrong);
        }
        if (status == HITOP_OK) {
            status = hitop_placement_from_model(file, hosts, nhosts, out, &wrong);
        }
        if (status != HITOP_OK && !atomic_exchange(&told, 1)) {
            /* errors of the file itself begin with its name */
            const int named = strncmp(wrong.message, path, strlen(path)) == 0;
            hitop_message("hitop: HITOP_MODEL=%s%s%s; going by host names\n", named ? "" : path,
                          named ? "" : ": ", wrong.message);
        }
        hitop_model_free(file);
        free(path);
    }
    *measured = status == HITOP_OK;
    if (status != HITOP_OK) {
        status = hitop_placement_from_names(hosts, nhosts, crowded, out, diag);
    }
    return status;
}

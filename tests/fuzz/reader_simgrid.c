/* SPDX-License-Identifier: BSD-3-Clause */
/* reader_simgrid.c - platforms of SimGrid: what is accepted is a model that can be written. */
#include <config.h>

#include "models/simgrid/platform.h"

#include "tests/fuzz/reader.h"

#include <stdlib.h>

static enum hitop_status write_model(const void *object, FILE *to)
{
    return hitop_model_write(object, to, NULL);
}

static void read_simgrid(const struct fuzz_reader *reader, const char *text, size_t length)
{
    const char *path = fuzz_file(text, length);
    const struct platform_request request = {.path = path, .ranks_per_host = 1};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_model *model = NULL;
    char assumed[160];
    double spread;

    (void)reader;
    if (fuzz_is_costly(text, length)) {
        return;
    }
    if (hitop_platform_model(&request, &model, assumed, &spread, &diag) == HITOP_OK) {
        size_t written;
        free(fuzz_written(write_model, model, &written));
    } else {
        fuzz_check_refusal(&diag, path, model);
    }
    hitop_model_free(model);
}

extern const struct fuzz_reader hitop_reader_simgrid;
const struct fuzz_reader hitop_reader_simgrid = {
    .name = "simgrid", .seeds = {"simgrid/*.xml"}, .read = read_simgrid};

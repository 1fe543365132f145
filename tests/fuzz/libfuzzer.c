/* SPDX-License-Identifier: BSD-3-Clause */
/* libfuzzer.c - libFuzzer's bytes go to the reader that HITOP_FUZZ_READER names. */
#include <config.h>

#include "tests/fuzz/reader.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct fuzz_reader *reader;

    if (!reader) {
        const char *name = getenv("HITOP_FUZZ_READER");
        reader = name ? fuzz_find_reader(name) : NULL;
        if (!reader) {
            fprintf(stderr, "HITOP_FUZZ_READER: '%s' is no reader\n", name ? name : "");
            exit(EXIT_FAILURE);
        }
    }
    reader->read(reader, (const char *)data, size);
    return 0;
}

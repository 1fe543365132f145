/* SPDX-License-Identifier: BSD-3-Clause */
/* reader_mpi_rules.c - rules of MPI libraries: what is accepted answers calls. */
#include <config.h>

#include "coll/defaults/mpi_choice.h"

#include "tests/fuzz/reader.h"

#include <stdlib.h>
#include <string.h>

static void ask(const struct hitop_mpi *mpi)
{
    for (const struct hitop_operation *o = hitop_operations(); o->name; o++) {
        for (int ranks = 1; ranks < 40; ranks += 6) {
            const struct hitop_call call = {.operation = o,
                                            .size = ranks,
                                            .bytes = (size_t)ranks << ranks % 30,
                                            .hosts = ranks % 3,
                                            .ordered = ranks % 2};
            struct hitop_mpi_choice choice;
            if (hitop_mpi_choose(mpi, &call, &choice, NULL) == HITOP_OK &&
                (choice.algorithm->operation != o ||
                 hitop_mpi_plan(mpi, &call, &choice).fidelity > HITOP_MPI_LEVELS)) {
                fuzz_fail("%s: line %d answers %s of %d ranks", choice.file, choice.line, o->name,
                          ranks);
            }
        }
    }
}

static void read_mpi_rules(const struct fuzz_reader *reader, const char *text, size_t length)
{
    const char *path = fuzz_file(text, length);
    struct hitop_mpi *mpi;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    (void)reader;
    if (hitop_mpi_load(path, &mpi, &diag) == HITOP_OK) {
        ask(mpi);
    } else {
        fuzz_check_refusal(&diag, path, mpi);
    }
    hitop_mpi_free(mpi);
}

extern const struct fuzz_reader hitop_reader_mpi_rules;
const struct fuzz_reader hitop_reader_mpi_rules = {.name = "mpi_rules", .read = read_mpi_rules};

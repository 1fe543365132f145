/* SPDX-License-Identifier: BSD-3-Clause */
/* reader_tuning.c - tuning files of MPI libraries, each text as every kind of them. */
#include <config.h>

#include "tools/export/lint/lint.h"

#include "tests/fuzz/reader.h"

#include <stdlib.h>
#include <string.h>

/* What is in force for some jobs and sizes; returns 0 if that fails. */
static int print_in_force(const struct lint_kind *kind, const char *text, size_t length,
                          const struct lint *lint)
{
    char *report = NULL;
    size_t n = 0;
    int is_good = 1;
    FILE *to = open_memstream(&report, &n);
    struct hitop_diag diag = HITOP_DIAG_INIT;

    if (!to) {
        fuzz_fail("out of memory");
    }
    for (int i = 0; i < 3; i++) {
        const struct lint_query query = {.bytes = (size_t)i * 5000,
                                         .hosts = 1 + i,
                                         .ranks_per_host = 4 - i,
                                         .version = {4 + i, 1, -1}};
        is_good &= kind->in_force(text, length, lint, &query, to, &diag) == HITOP_OK;
    }
    is_good &= fclose(to) == 0;
    free(report);
    return is_good;
}

static void check_as(const struct lint_kind *kind, const char *text, size_t length)
{
    char *report = NULL;
    size_t n = 0;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct lint lint = {.name = "file", .software = kind->software, .keeps_rules = 1};
    enum hitop_status status;
    FILE *to = open_memstream(&report, &n);
    int is_printed = 1;

    if (!to) {
        fuzz_fail("out of memory");
    }
    status = kind->check(text, length, &lint, &diag);
    if (status == HITOP_OK && kind->in_force) {
        is_printed = print_in_force(kind, text, length, &lint);
    }
    lint_print(&lint, to);
    if (fclose(to) != 0 || !is_printed || (status != HITOP_OK && !diag.message[0]) ||
        (lint.found > 0) != (n > 0)) {
        fuzz_fail("%s: status %d, '%s', %d findings, %zu bytes", kind->name, (int)status,
                  diag.message, lint.found, n);
    }
    lint_fini(&lint);
    free(report);
}

/* A text has no zero bytes when it is checked. */
static void read_tuning(const struct fuzz_reader *reader, const char *bytes, size_t length)
{
    static const char *const names[] = {"openmpi-tuned",
                                        "openmpi-tuned-json",
                                        "openmpi-params",
                                        "openmpi-han",
                                        "mpich-csel",
                                        "mpich-coords",
                                        "ucc",
                                        "intel"};
    char *text = fuzz_string(bytes, length);

    (void)reader;
    (void)lint_kind_of(NULL, text, NULL);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const struct lint_kind *kind = lint_kind_of(names[i], text, NULL);
        if (!kind) {
            fuzz_fail("there is no kind %s", names[i]);
        }
        check_as(kind, text, strlen(text));
    }
    free(text);
}

extern const struct fuzz_reader hitop_reader_tuning;
const struct fuzz_reader hitop_reader_tuning = {
    .name = "tuning",
    .seeds = {"tuning/bad/*", "tuning/good/*"},
    .read = read_tuning,
};

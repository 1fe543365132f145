/* SPDX-License-Identifier: BSD-3-Clause */
/* journal_example.c - a journal of batches that differ by their numbers. */
#include <config.h>

#include "tests/models/journal/journal_example.h"
#include "tests/support/test_main.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const hosts[] = {"n1", "n1", "n2.site-a.example", "n2.site-a.example"};
const struct hitop_journal_header journal_example_header = {.configuration =
                                                                "sizes=0,1024 eps=0.0125 seed=7",
                                                            .hosts = hosts,
                                                            .nranks = 4,
                                                            .mpi = "Some MPI 4.1.4",
                                                            .tool = "check_journal",
                                                            .seed = 7};

static const double samples[] = {2.3849999999999997e-06, 0.1, 1.0 / 3, -4.9406564584124654e-324,
                                 1.7976931348623157e308};

struct hitop_batch journal_batch_of(int number)
{
    return (struct hitop_batch){.part = number % 2 ? "links" : "triples",
                                .link = number,
                                .what = (enum hitop_experiment)(number % (HITOP_FAN + 1)),
                                .bytes = number == 3 ? INT64_MAX : 17u * (size_t)number,
                                .take = number % 3,
                                .block = 2 * number,
                                .batch = 1 + number,
                                .n = 1 + number % 5,
                                .samples = samples};
}

char journal_path[] = "check_journal.XXXXXX";

void journal_make_file(void)
{
    int fd;

    (void)strcpy(journal_path, "check_journal.XXXXXX");
    fd = mkstemp(journal_path);
    ck_assert_int_ge(fd, 0);
    (void)close(fd);
}

void journal_remove_file(void)
{
    (void)unlink(journal_path);
}

void journal_put_text(const char *text, size_t length)
{
    FILE *f = fopen(journal_path, "w");

    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(text, 1, length, f), length);
    ck_assert_int_eq(fclose(f), 0);
}

size_t journal_get_text(char *text)
{
    FILE *f = fopen(journal_path, "r");
    size_t length;

    ck_assert_ptr_nonnull(f);
    length = fread(text, 1, JOURNAL_MAX_TEXT - 1, f);
    text[length] = '\0';
    (void)fclose(f);
    return length;
}

void journal_write_batches(int n)
{
    struct hitop_journal *journal = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    ck_assert_msg(hitop_journal_create(journal_path, &journal_example_header, &journal, &diag) ==
                      HITOP_OK,
                  "%s", diag.message);
    for (int i = 0; i < n; i++) {
        const struct hitop_batch batch = journal_batch_of(i);
        ck_assert_int_eq(hitop_journal_append(journal, &batch, NULL), HITOP_OK);
        ck_assert_int_eq(hitop_journal_flush(journal, NULL), HITOP_OK);
    }
    ck_assert_int_eq(hitop_journal_close(journal, NULL), HITOP_OK);
}

/* Expects the batches as journal_batch_of() counts them. */
enum hitop_status journal_take(void *data, const struct hitop_batch *batch, struct hitop_diag *diag)
{
    int *taken = data;
    const struct hitop_batch was = journal_batch_of(*taken);

    ck_assert_str_eq(batch->part, was.part);
    ck_assert_int_eq(batch->link, was.link);
    ck_assert_int_eq(batch->what, was.what);
    ck_assert_uint_eq(batch->bytes, was.bytes);
    ck_assert_int_eq(batch->take, was.take);
    ck_assert_int_eq(batch->block, was.block);
    ck_assert_int_eq(batch->batch, was.batch);
    ck_assert_int_eq(batch->n, was.n);
    ck_assert_mem_eq(batch->samples, samples, (size_t)was.n * sizeof(*samples));
    if (++*taken == JOURNAL_MAX_TAKEN) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "link %d is not among 63", batch->link);
    }
    return HITOP_OK;
}

enum hitop_status journal_resume(const struct hitop_journal_header *of, int anyway, int *taken,
                                 struct hitop_journal **journal, struct hitop_diag *diag)
{
    const struct hitop_journal_taker taker = {.take = journal_take, .data = taken};

    *taken = 0;
    return hitop_journal_resume(journal_path, of, anyway, &taker, journal, diag);
}

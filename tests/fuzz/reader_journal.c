/* SPDX-License-Identifier: BSD-3-Clause */
/* reader_journal.c - journals: what is accepted goes on, and survives being written. */
#include <config.h>

#include "models/journal/journal_file.h"

#include "tests/fuzz/reader.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define CHECKSUM ",\"crc32\":\""

static const char *const hosts[] = {"a"};
static const struct hitop_journal_header header = {
    .configuration = "", .hosts = hosts, .nranks = 1, .mpi = "", .tool = ""};

/* Files in memory beside that of the text. */
enum { COPY, COPY_OF_COPY, NFILES };

static int descriptor_of[NFILES] = {-1, -1};

/* An empty file. */
static const char *scratch(int which)
{
    static char path[NFILES][64];

    if (descriptor_of[which] < 0) {
        descriptor_of[which] = memfd_create("fuzz", MFD_CLOEXEC);
        (void)snprintf(path[which], sizeof(path[which]), "/proc/self/fd/%d", descriptor_of[which]);
    }
    if (descriptor_of[which] < 0 || ftruncate(descriptor_of[which], 0) != 0) {
        fuzz_fail("no file in memory");
    }
    return path[which];
}

static char *contents(int which, size_t *length)
{
    struct stat about;
    char *text;

    if (fstat(descriptor_of[which], &about) != 0) {
        fuzz_fail("no size");
    }
    *length = (size_t)about.st_size;
    text = malloc(*length + 1);
    if (!text || pread(descriptor_of[which], text, *length, 0) != (ssize_t)*length) {
        fuzz_fail("cannot be read");
    }
    return text;
}

/* Copies records, and counts them. */
struct record_copy {
    struct hitop_journal *to;
    long n;
};

static enum hitop_status copy_batch(void *data, const struct hitop_batch *batch,
                                    struct hitop_diag *diag)
{
    struct record_copy *c = data;

    (void)diag;
    c->n++;
    if (hitop_journal_append(c->to, batch, diag) != HITOP_OK) {
        fuzz_fail("what was read cannot be written: %s", diag->message);
    }
    return HITOP_OK;
}

static enum hitop_status copy_finding(void *data, const struct hitop_finding *finding,
                                      struct hitop_diag *diag)
{
    struct record_copy *c = data;

    c->n++;
    if (hitop_journal_append_finding(c->to, finding, diag) != HITOP_OK) {
        fuzz_fail("what was read cannot be written: %s", diag->message);
    }
    return HITOP_OK;
}

/* Copy the records of a journal; -1 when it is refused. */
static long copy(const char *path, int to)
{
    struct record_copy record_copy = {0};
    const struct hitop_journal_taker visitor = {
        .take = copy_batch, .find = copy_finding, .data = &record_copy};
    struct hitop_journal *journal = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    enum hitop_status status;

    if (hitop_journal_create(scratch(to), &header, &record_copy.to, &diag) != HITOP_OK) {
        fuzz_fail("%s", diag.message);
    }
    status = hitop_journal_resume(path, &header, 1, &visitor, &journal, &diag);
    if (status != HITOP_OK) {
        fuzz_check_refusal(&diag, path, journal);
    }
    if (hitop_journal_close(journal, &diag) != HITOP_OK ||
        hitop_journal_close(record_copy.to, &diag) != HITOP_OK) {
        fuzz_fail("%s", diag.message);
    }
    return status == HITOP_OK ? record_copy.n : -1;
}

static void read_text(const char *text, size_t length)
{
    const char *path = fuzz_file(text, length);
    const long n = copy(path, COPY);
    char copy_path[64], *first, *second;
    size_t first_length, second_length;

    if (n < 0) {
        return;
    }
    if (copy(path, COPY) != n) {
        fuzz_fail("reads differently the second time");
    }
    (void)snprintf(copy_path, sizeof(copy_path), "/proc/self/fd/%d", descriptor_of[COPY]);
    if (copy(copy_path, COPY_OF_COPY) != n) {
        fuzz_fail("what was written has other batches");
    }
    first = contents(COPY, &first_length);
    second = contents(COPY_OF_COPY, &second_length);
    if (first_length != second_length || memcmp(first, second, first_length) != 0) {
        fuzz_fail("what was written reads differently:\n%.*s", (int)first_length, first);
    }
    free(second);
    free(first);
}

/* Append a line with the checksum it should have, so that more than checksums are looked at. */
static size_t put_sealed(char *out, const char *line, size_t length)
{
    const char *old = memmem(line, length, CHECKSUM, strlen(CHECKSUM));
    const size_t kept = old                                     ? (size_t)(old - line)
                        : length > 0 && line[length - 1] == '}' ? length - 1
                                                                : length;
    unsigned long sum = crc32_z(0, (const unsigned char *)line, kept);

    sum = crc32_z(sum, (const unsigned char *)"}", 1);
    memcpy(out, line, kept);
    return kept + (size_t)sprintf(out + kept, CHECKSUM "%08lx\"}\n", sum);
}

static void read_journal(const struct fuzz_reader *reader, const char *text, size_t length)
{
    enum { MORE = sizeof(CHECKSUM "00000000\"}\n") };
    char *sealed = malloc(MORE * (length + 1));
    size_t n = 0;

    (void)reader;
    read_text(text, length);
    for (size_t begin = 0; sealed && begin < length;) {
        const char *end = memchr(text + begin, '\n', length - begin);
        const size_t line_length = end ? (size_t)(end - text) - begin : length - begin;
        n += put_sealed(sealed + n, text + begin, line_length);
        begin += line_length + 1;
    }
    read_text(sealed ? sealed : "", n);
    free(sealed);
}

extern const struct fuzz_reader hitop_reader_journal;
const struct fuzz_reader hitop_reader_journal = {.name = "journal", .read = read_journal};

/* SPDX-License-Identifier: BSD-3-Clause */
/* readers.c - the list of readers, with what they share. */
#include <config.h>

#include "tests/fuzz/reader.h"

#include "hitop/sys/source.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define HITOP_ENTRY(symbol) extern const struct fuzz_reader symbol;
#include "reader_registry.inc"
#undef HITOP_ENTRY

static const struct fuzz_reader *const listed[] = {
#define HITOP_ENTRY(symbol) &symbol,
#include "reader_registry.inc"
#undef HITOP_ENTRY
};

const struct fuzz_reader *fuzz_readers(int *count)
{
    static struct fuzz_reader all[FUZZ_MAX_READERS];
    static char bad[FUZZ_MAX_READERS][64];
    const struct hitop_source *const *source = hitop_file_sources();
    int n = 0;

    for (size_t i = 0; i < sizeof(listed) / sizeof(listed[0]); i++) {
        all[n++] = *listed[i];
    }
    for (; *source && n < FUZZ_MAX_READERS; source++, n++) {
        (void)snprintf(bad[n], sizeof(bad[n]), "sources/bad/%s.*", (*source)->option);
        all[n] = (struct fuzz_reader){.name = (*source)->name,
                                      .seeds = {"sources/*.*", bad[n]},
                                      .read = fuzz_read_source,
                                      .source = *source};
    }
    *count = n;
    return all;
}

const struct fuzz_reader *fuzz_find_reader(const char *name)
{
    int n;
    const struct fuzz_reader *reader = fuzz_readers(&n);

    for (int i = 0; i < n; i++) {
        if (strcmp(reader[i].name, name) == 0) {
            return &reader[i];
        }
    }
    return NULL;
}

void fuzz_fail(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fputs("wrong: ", stderr);
    (void)vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    abort();
}

void fuzz_check_refusal(const struct hitop_diag *diag, const char *beginning, const void *object)
{
    if (object) {
        fuzz_fail("refused, but there is something");
    }
    if (strncmp(diag->message, beginning, strlen(beginning)) != 0) {
        fuzz_fail("'%s' does not begin with '%s'", diag->message, beginning);
    }
    if (!diag->message[0] || strpbrk(diag->message, "\r\n")) {
        fuzz_fail("'%s' is not one line", diag->message);
    }
}

const char *fuzz_file(const char *text, size_t length)
{
    static int descriptor = -1;
    static char path[64];

    if (descriptor < 0) {
        descriptor = memfd_create("fuzz", MFD_CLOEXEC);
        (void)snprintf(path, sizeof(path), "/proc/self/fd/%d", descriptor);
    }
    if (descriptor < 0 || ftruncate(descriptor, 0) != 0 ||
        pwrite(descriptor, text, length, 0) != (ssize_t)length) {
        fuzz_fail("no file in memory");
    }
    return path;
}

char *fuzz_string(const char *text, size_t length)
{
    char *string = strndup(text, length);

    return string ? string : (fuzz_fail("out of memory"), NULL);
}

int fuzz_is_costly(const char *text, size_t length)
{
    enum { SOME = 4, MANY = 9 };

    for (size_t i = 0, digits = 0; i <= length; i++) {
        if (i < length && text[i] >= '0' && text[i] <= '9') {
            digits += digits > 0 || text[i] != '0';
        } else {
            if (digits > SOME && digits <= MANY) {
                return 1;
            }
            digits = 0;
        }
    }
    return 0;
}

int fuzz_is_long_list(const char *text, size_t length, double many)
{
    double product = 1, number = 0;

    for (size_t i = 0; i < length && product <= many; i++) {
        if (text[i] >= '0' && text[i] <= '9') {
            number = 10 * number + (text[i] - '0');
        } else {
            product = text[i] == '\n' ? 1 : product * (number > 1 ? number : 1);
            number = 0;
        }
    }
    return product * (number > 1 ? number : 1) > many;
}

char *fuzz_written(enum hitop_status (*write)(const void *object, FILE *to), const void *object,
                   size_t *length)
{
    char *text = NULL;
    FILE *to = open_memstream(&text, length);

    if (!to || write(object, to) != HITOP_OK || fclose(to) != 0) {
        fuzz_fail("cannot be written");
    }
    return text;
}

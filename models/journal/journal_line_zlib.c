/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * journal_line_zlib.c - a line of a journal: a record with the CRC-32 of its text as last member.
 *
 *     {"part":"links",...,"samples":[2.385e-06]}                      the record
 *     {"part":"links",...,"samples":[2.385e-06],"crc32":"5c2f91a7"}   the line
 */
#include <config.h>

#include "models/journal/journal_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define TAIL_FORMAT ",\"" JOURNAL_CHECKSUM "\":\"%08lx\"}"

enum { TAIL_LENGTH = sizeof(",\"" JOURNAL_CHECKSUM "\":\"00000000\"}") - 1 };

/* Write the member with the checksum of the record, i.e. including its closing brace. */
static void write_tail(const char *record, size_t length_without_brace, char *tail)
{
    unsigned long sum = crc32_z(0, (const unsigned char *)record, length_without_brace);

    sum = crc32_z(sum, (const unsigned char *)"}", 1);
    (void)snprintf(tail, TAIL_LENGTH + 1, TAIL_FORMAT, sum);
}

char *hitop_journal_seal(const char *record, size_t *length)
{
    const size_t begin = strlen(record) - 1;
    char *line = malloc(begin + TAIL_LENGTH + 2);

    if (line) {
        memcpy(line, record, begin);
        write_tail(record, begin, line + begin);
        memcpy(line + begin + TAIL_LENGTH, "\n", 2);
        *length = begin + TAIL_LENGTH + 1;
    }
    return line;
}

int hitop_journal_is_sealed(const char *line, size_t length)
{
    char tail[TAIL_LENGTH + 1];

    if (length < TAIL_LENGTH) {
        return 0;
    }
    write_tail(line, length - TAIL_LENGTH, tail);
    return memcmp(line + length - TAIL_LENGTH, tail, TAIL_LENGTH) == 0;
}

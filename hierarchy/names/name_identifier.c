/* SPDX-License-Identifier: BSD-3-Clause */
/* name_identifier.c - find UUIDs, hardware addresses and identifiers of containers and pods. */
#include <config.h>

#include "hierarchy/names/name_identifier.h"

#include "hierarchy/names/name_parts.h"

#include <string.h>

static const char hexadecimal[] = "0123456789abcdef";
static const char decimal[] = "0123456789";
/* The alphabet of Kubernetes: no vowels, and no digits that look like one. */
static const char consonants[] = "bcdfghjklmnpqrstvwxz2456789";

/* Shortest text that is certainly the identifier of a container. */
enum { CONTAINER_ID = 12 };

/* Lengths of hexadecimal fields with '-' between them. */
static const size_t uuid[] = {8, 4, 4, 4, 12, 0};
static const size_t hardware_address[] = {2, 2, 2, 2, 2, 2, 0};

static size_t span(const char *text, size_t length, const char *alphabet)
{
    size_t n = 0;

    while (n < length && strchr(alphabet, text[n])) {
        n++;
    }
    return n;
}

/* 1 if there are letters and digits. */
static int is_mixed(const char *text, size_t length)
{
    const size_t digits = span(text, length, decimal);

    return digits > 0 ? digits < length : span(text, length, "abcdefghijklmnopqrstuvwxyz") < length;
}

static size_t field_length(const char *text, size_t length)
{
    size_t n = 0;

    while (n < length && !hitop_name_is_separator(text[n])) {
        n++;
    }
    return n;
}

static int is_dashed(const char *text, size_t length, const size_t *field)
{
    size_t at = 0;

    for (; *field > 0; field++) {
        if (length < at + *field || span(text + at, *field, hexadecimal) != *field ||
            (field[1] > 0 && (length == at + *field || text[at + *field] != '-'))) {
            return 0;
        }
        at += *field + 1;
    }
    return at == length + 1 && strcspn(text, "abcdef") < length;
}

/* A hash of the template of a pod or machine, then a few random characters at the end. */
static int is_hash_and_suffix(const char *text, size_t hash, size_t length)
{
    const char *suffix = text + hash + 1;
    const size_t rest = length > hash ? length - hash - 1 : 0;

    if (rest < 4 || rest > 5 || field_length(suffix, rest) != rest || !is_mixed(text, hash)) {
        return 0;
    }
    return (hash == 8 && span(text, hash, hexadecimal) == hash) ||
           (hash >= 8 && hash <= 10 && span(text, hash, consonants) == hash &&
            span(suffix, rest, consonants) == rest);
}

size_t hitop_name_identifier_find(const char *text, size_t length)
{
    size_t field;

    for (size_t at = 0; at < length; at += field + 1) {
        const char *begin = text + at;
        const size_t rest = length - at;

        field = field_length(begin, rest);
        if (field > 0 &&
            (is_dashed(begin, rest, uuid) || is_dashed(begin, rest, hardware_address) ||
             is_hash_and_suffix(begin, field, rest) ||
             (field >= CONTAINER_ID && span(begin, field, hexadecimal) == field &&
              is_mixed(begin, field)))) {
            return at;
        }
    }
    return length;
}

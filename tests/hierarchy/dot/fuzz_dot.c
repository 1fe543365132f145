/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_dot.c - damaged hierarchy files are refused with one line or read into something sound.
 *
 * Good files are damaged at random and parsed. Whatever is accepted must survive being written and
 * read again; whatever is refused must say why. HITOP_TEST_SEED and HITOP_TEST_RUNS change the run.
 */
#include <config.h>

#include "hitop/dot.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TEXT = 8192 };

static uint64_t state;

/* xorshift64*: a number in 0..bound-1. */
static size_t draw(size_t bound)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (size_t)((state * 0x2545f4914f6cdd1dull) >> 33) % bound;
}

static size_t load(const char *name, char *text)
{
    const char *dir = getenv("srcdir");
    char path[1024];
    FILE *file;
    size_t length;

    (void)snprintf(path, sizeof(path), "%s/../testdata/hierarchy/%s", dir ? dir : ".", name);
    file = fopen(path, "r");
    if (!file) {
        fprintf(stderr, "%s: cannot open\n", path);
        exit(EXIT_FAILURE);
    }
    length = fread(text, 1, MAX_TEXT / 2, file);
    (void)fclose(file);
    return length;
}

/* Replace size bytes at a place by other text. */
static size_t splice(char *text, size_t length, size_t at, size_t size, const char *with, size_t n)
{
    if (length - size + n > MAX_TEXT) {
        return length;
    }
    memmove(text + at + n, text + at + size, length - at - size);
    memcpy(text + at, with, n);
    return length - size + n;
}

/* Pieces that mean something in DOT, so that some damage gets past the scanner. */
static const char *const pieces[] = {
    "->",
    ";",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "\\",
    "/*",
    "*/",
    "//",
    "\n#",
    "type=0",
    "type=1",
    "rank=0",
    "rank=1",
    "0",
    "1",
    "14",
    "rank=-1",
    "rank=\"0-7\"",
    "rank=\"1, 3-6/3\"",
    "-4",
    "/2",
    "=",
    ",",
    "<",
    ">",
    "&lt;",
    "node [type=0]",
    "subgraph s {",
    "strict ",
    "digraph G {",
    "graph",
    "model_data=\"\\\\\"",
    "edge",
    ":",
    "--",
    "\xff\xfe",
    "label=\"\\N\\\"\"",
    "name=\"a\\\\\"",
    "+ \"x\"",
};

static size_t damage(char *text, size_t length)
{
    const size_t at = length > 0 ? draw(length) : 0;
    const size_t size = length > 0 ? draw(length - at < 40 ? length - at + 1 : 40) : 0;
    const char *piece = pieces[draw(sizeof(pieces) / sizeof(pieces[0]))];
    char copy[64];

    switch (draw(6)) {
    case 0: /* cut out */
        return splice(text, length, at, size, "", 0);
    case 1: /* cut off */
        return draw(4) ? length : at;
    case 2: /* one byte */
        copy[0] = (char)draw(256);
        return splice(text, length, at, length > at, copy, 1);
    case 3: /* twice */
        memcpy(copy, text + at, size);
        return splice(text, length, at, 0, copy, size);
    case 4:
        return splice(text, length, at, size, piece, strlen(piece));
    default:
        return splice(text, length, at, 0, piece, strlen(piece));
    }
}

static char *write_text(const struct hitop_hierarchy *h, size_t *length)
{
    char *text = NULL;
    FILE *to = open_memstream(&text, length);

    if (!to || hitop_dot_write(h, NULL, to, NULL) != HITOP_OK || fclose(to) != 0) {
        abort();
    }
    return text;
}

/* NULL when all is well. */
static const char *check_accepted(const struct hitop_hierarchy *h)
{
    struct hitop_hierarchy *again = NULL;
    size_t first_length = 0, second_length = 0;
    char *first = write_text(h, &first_length);
    char *second = NULL;
    const char *wrong = NULL;

    if (hitop_dot_parse("again", first, first_length, NULL, &again, NULL) != HITOP_OK) {
        wrong = "what was written cannot be read";
    } else {
        second = write_text(again, &second_length);
        if (first_length != second_length || memcmp(first, second, first_length) != 0) {
            wrong = "what was written reads differently";
        }
    }
    hitop_hierarchy_free(again);
    free(second);
    free(first);
    return wrong;
}

static const char *check_refused(const struct hitop_hierarchy *h, const struct hitop_diag *diag)
{
    static const char good[] = "digraph { a [type=0, model_data=x]; a->b; b [type=1]; }";
    struct hitop_hierarchy *next = NULL;

    if (hitop_dot_parse("good", good, sizeof(good) - 1, NULL, &next, NULL) != HITOP_OK) {
        return "what was refused spoils the next text";
    }
    hitop_hierarchy_free(next);
    if (h) {
        return "refused, but there is a hierarchy";
    }
    if (strncmp(diag->message, "f:", 2) != 0 || strchr(diag->message, '\n')) {
        return "refused, but not with one line that names the file";
    }
    return NULL;
}

int main(void)
{
    static const char *const names[] = {"cpm.dot", "two-sites.dot"};
    const char *seed = getenv("HITOP_TEST_SEED"), *wanted = getenv("HITOP_TEST_RUNS");
    const long runs = wanted ? strtol(wanted, NULL, 10) : 5000;
    long accepted = 0;
    static char text[MAX_TEXT];

    state = seed ? strtoull(seed, NULL, 10) | 1 : 20385;
    printf("seed %llu\n", (unsigned long long)state);
    for (long run = 0; run < runs; run++) {
        struct hitop_hierarchy *h = NULL;
        struct hitop_diag diag = HITOP_DIAG_INIT;
        const char *wrong;
        size_t length = load(names[run % 2], text);

        for (size_t n = 1 + draw(4); n > 0; n--) {
            length = damage(text, length);
        }
        if (hitop_dot_parse("f", text, length, NULL, &h, &diag) == HITOP_OK) {
            accepted++;
            wrong = check_accepted(h);
        } else {
            wrong = check_refused(h, &diag);
        }
        hitop_hierarchy_free(h);
        if (wrong) {
            printf("run %ld: %s: %s\n%.*s\n", run, wrong, diag.message, (int)length, text);
            return EXIT_FAILURE;
        }
    }
    printf("%ld damaged files, %ld still good\n", runs, accepted);
    /* damage that is always noticed, or never, tests nothing */
    return accepted > 0 && accepted < runs ? EXIT_SUCCESS : EXIT_FAILURE;
}

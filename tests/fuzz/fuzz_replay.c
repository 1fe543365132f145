/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_replay.c - every reader reads its seeds, whole and damaged, without libFuzzer.
 *
 * usage: fuzz_replay                  all readers; HITOP_TEST_SEED and HITOP_TEST_RUNS change the
 * damage fuzz_replay --list [READER]  the readers, or the seeds of one of them fuzz_replay READER
 * FILE...   these files
 */
#include <config.h>

#include "tests/fuzz/reader.h"
#include "tests/support/damage.h"

#include <glob.h>

enum { MAX_TEXT = 65536 };

static const char *source_dir(void)
{
    const char *dir = getenv("srcdir");

    return dir ? dir : ".";
}

/* The files that a reader begins with; to be released by globfree(). */
static void list_seeds(const struct fuzz_reader *reader, glob_t *files)
{
    char pattern[1024];
    int flags = GLOB_DOOFFS;

    *files = (glob_t){.gl_offs = 0};
    (void)snprintf(pattern, sizeof(pattern), "%s/../testdata/fuzz/%s/*", source_dir(),
                   reader->name);
    (void)glob(pattern, flags, NULL, files);
    for (int i = 0; i < FUZZ_MAX_SEEDS && reader->seeds[i]; i++) {
        (void)snprintf(pattern, sizeof(pattern), "%s/../testdata/%s", source_dir(),
                       reader->seeds[i]);
        (void)glob(pattern, flags | GLOB_APPEND, NULL, files);
    }
    if (files->gl_pathc == 0) {
        fprintf(stderr, "%s: no seeds\n", reader->name);
        exit(EXIT_FAILURE);
    }
}

static size_t load(const char *path, char *text)
{
    FILE *file = fopen(path, "r");
    size_t length;

    if (!file) {
        fprintf(stderr, "%s: cannot open\n", path);
        exit(EXIT_FAILURE);
    }
    length = fread(text, 1, MAX_TEXT, file);
    (void)fclose(file);
    return length;
}

/* In memory of its own, so that sanitizers and valgrind see a step beyond the end. */
static void read_exactly(const struct fuzz_reader *reader, const char *text, size_t length)
{
    char *copy = malloc(length > 0 ? length : 1);

    if (!copy) {
        fuzz_fail("out of memory");
    }
    memcpy(copy, text, length);
    reader->read(reader, copy, length);
    free(copy);
}

/* What readers take apart at. */
static const char *const pieces[] = {"\"", "'", "\\", ",", ";", ":",  ".",  "=",    "-",    "+",
                                     "[",  "]", "{",  "}", "(", ")",  "<",  ">",    "#",    "/",
                                     "\n", " ", "\t", "0", "1", "-1", "n1", "\xff", "[1-3]"};

static void replay(const struct fuzz_reader *reader, uint64_t *state, long runs)
{
    static char whole[MAX_TEXT], text[MAX_TEXT];
    glob_t files;

    list_seeds(reader, &files);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        const size_t length = load(files.gl_pathv[i], whole);

        read_exactly(reader, whole, length);
        for (long run = 0; run < runs; run++) {
            struct damage_text damaged = {text, length, MAX_TEXT};
            memcpy(text, whole, length);
            for (int times = 1 + draw(state, 4); times > 0; times--) {
                damage(state, &damaged, pieces, (int)(sizeof(pieces) / sizeof(pieces[0])));
            }
            read_exactly(reader, damaged.text, damaged.length);
        }
    }
    printf("%s: %zu seeds\n", reader->name, files.gl_pathc);
    globfree(&files);
}

static int print_list(const char *name)
{
    const struct fuzz_reader *reader = name ? fuzz_find_reader(name) : NULL;
    glob_t files;
    int n;

    if (!name) {
        reader = fuzz_readers(&n);
        for (int i = 0; i < n; i++) {
            puts(reader[i].name);
        }
    } else if (reader) {
        list_seeds(reader, &files);
        for (size_t i = 0; i < files.gl_pathc; i++) {
            puts(files.gl_pathv[i]);
        }
        globfree(&files);
    }
    return name && !reader ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    const char *wanted = getenv("HITOP_TEST_RUNS");
    const long runs = wanted ? strtol(wanted, NULL, 10) : 25;
    static char text[MAX_TEXT];
    const struct fuzz_reader *reader;
    uint64_t state;
    int n;

    if (argc > 1 && strcmp(argv[1], "--list") == 0) {
        return print_list(argv[2]);
    }
    if (argc > 1) {
        reader = fuzz_find_reader(argv[1]);
        for (int i = 2; reader && i < argc; i++) {
            read_exactly(reader, text, load(argv[i], text));
        }
        return reader ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    state = draw_seed();
    reader = fuzz_readers(&n);
    for (int i = 0; i < n; i++) {
        replay(&reader[i], &state, runs);
    }
    return EXIT_SUCCESS;
}

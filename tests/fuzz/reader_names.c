/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reader_names.c - host names, and what hosts say about themselves.
 *
 * Each line is a host. Behind a bar it says the same to every source that listens: "n1|switch.node
 * s1.n1".
 */
#include <config.h>

#include "hitop/dot.h"
#include "hitop/sys/source.h"

#include "tests/fuzz/reader.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_HOSTS = 30, MAX_SOURCES = 32 };

/* The facts of one host. */
struct said {
    struct hitop_fact fact[MAX_SOURCES];
    int n;
};

static void say(struct said *said, const char *text)
{
    const struct hitop_source *const *source = hitop_sources();

    said->n = 0;
    for (; text && text[0] && *source && said->n < MAX_SOURCES; source++) {
        if ((*source)->collect || strcmp((*source)->name, "hardware") == 0) {
            said->fact[said->n++] = (struct hitop_fact){(*source)->name, text};
        }
    }
}

static enum hitop_status write_dot(const void *object, FILE *to)
{
    return hitop_dot_write(object, NULL, to, NULL);
}

static void check_hierarchy(const struct hitop_hierarchy *h, int nplaces)
{
    struct hitop_hierarchy *again = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    size_t length = 0;
    char *text = fuzz_written(write_dot, h, &length);

    if (hitop_hierarchy_nranks(h) != nplaces) {
        fuzz_fail("%d ranks, not %d", hitop_hierarchy_nranks(h), nplaces);
    }
    if (hitop_dot_parse("f", text, length, NULL, &again, &diag) != HITOP_OK) {
        fuzz_fail("what was written cannot be read: %s\n%s", diag.message, text);
    }
    if (hitop_hierarchy_nnodes(again) != hitop_hierarchy_nnodes(h)) {
        fuzz_fail("what was written reads differently:\n%s", text);
    }
    for (int node = 0; node < hitop_hierarchy_nnodes(h); node++) {
        if (strcmp(hitop_hierarchy_name(h, node), hitop_hierarchy_name(again, node)) != 0 ||
            strcmp(hitop_hierarchy_level(h, node), hitop_hierarchy_level(again, node)) != 0) {
            fuzz_fail("'%s' is read as '%s'", hitop_hierarchy_name(h, node),
                      hitop_hierarchy_name(again, node));
        }
    }
    hitop_hierarchy_free(again);
    free(text);
}

static void group(const struct hitop_place *place, int nplaces, const struct hitop_grouping *how)
{
    struct hitop_hierarchy *h = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    if (hitop_hierarchy_group(place, nplaces, how, &h, &diag) == HITOP_OK) {
        check_hierarchy(h, nplaces);
    } else {
        fuzz_fail("refused: %s", diag.message);
    }
    hitop_hierarchy_free(h);
}

static void read_names(const struct fuzz_reader *reader, const char *text, size_t length)
{
    static struct said said[MAX_HOSTS];
    static const char *const prefixes[] = {"n", "node1", "c-"};
    static const struct hitop_grouping ways[] = {
        {.prefixes = prefixes, .nprefixes = 3},
        {.prefix_length = 3, .keep_chains = 1},
        {.block = 4, .ignore_domain = 1},
    };
    struct hitop_place place[MAX_HOSTS];
    char *copy = fuzz_string(text, length), *rest = NULL;
    int n = 0;

    (void)reader;
    for (char *name = strtok_r(copy, "\n", &rest); name && n < MAX_HOSTS;
         name = strtok_r(NULL, "\n", &rest)) {
        char *fact = strchr(name, '|');

        if (fact) {
            *fact++ = '\0';
        }
        if (name[0]) {
            say(&said[n], fact);
            place[n] = (struct hitop_place)HITOP_PLACE_INIT(name);
            place[n].fact = said[n].fact;
            place[n].nfacts = said[n].n;
            n++;
        }
    }
    for (size_t i = 0; n > 0 && i < sizeof(ways) / sizeof(ways[0]); i++) {
        group(place, n, &ways[i]);
    }
    free(copy);
}

extern const struct fuzz_reader hitop_reader_names;
const struct fuzz_reader hitop_reader_names = {
    .name = "names", .seeds = {"hierarchy/host-names.txt"}, .read = read_names};

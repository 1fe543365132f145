/* SPDX-License-Identifier: BSD-3-Clause */
/* reader_inside.c - what hosts are like inside: hwloc's XML, which begins with '<', or its words.
 */
#include <config.h>

#include "hierarchy/hwloc/inside.h"

#include "tests/fuzz/reader.h"

#include <stdlib.h>
#include <string.h>

/* hwloc 2.9 loses the memory of some descriptions that it refuses; the leak checker looks this up.
 */
HITOP_API const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
    return "leak:libhwloc\n";
}

/* hwloc takes a bit for every processor up to the one with the largest number. */
static int has_large_index(const char *text)
{
    static const char index[] = "os_index";

    for (const char *p = text; (p = strstr(p, index)); p += sizeof(index) - 1) {
        const char *digits = p + strcspn(p, "0123456789");
        if (strspn(digits, "0123456789") > 4) {
            return 1;
        }
    }
    return 0;
}

/*
 * XML goes to a child first, which crashes where hwloc does; libFuzzer would take that for its own
 * crash, so that only fuzz_replay reads XML. Words with a '/' are the name of a file.
 */
static int is_skipped(const char *text, size_t length, int is_xml)
{
    const double many = 300; /* processors */

    return is_xml
               ? has_large_index(text) || getenv("HITOP_FUZZ_READER")
               : fuzz_is_long_list(text, length, many) || strchr(text, '/') || strstr(text, ".xml");
}

static void read_inside(const struct fuzz_reader *reader, const char *text, size_t length)
{
    struct inside inside = {.ncores = 0};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const int is_xml = length > 0 && text[0] == '<';
    const char *path = is_xml ? fuzz_file(text, length) : NULL;
    char *string = fuzz_string(text, length);

    (void)reader;
    if (is_skipped(string, strlen(string), is_xml)) {
        free(string);
        return;
    }
    if (hitop_inside_read(is_xml ? path : string, &inside, &diag) != HITOP_OK) {
        fuzz_check_refusal(&diag, is_xml ? path : "", inside.core);
    } else if (inside.ncores < 1) {
        fuzz_fail("accepted, but there is no core");
    }
    for (int i = 0; i < inside.ncores; i++) {
        const struct hitop_place *core = &inside.core[i];
        for (int k = 0; k < HITOP_NPARTS; k++) {
            if (core->part[k] < HITOP_UNBOUND) {
                fuzz_fail("core %d is nowhere", i);
            }
        }
    }
    hitop_inside_clear(&inside);
    free(string);
}

extern const struct fuzz_reader hitop_reader_inside;
const struct fuzz_reader hitop_reader_inside = {
    .name = "inside", .seeds = {"hwloc/*.xml", "hwloc/bad/*.xml"}, .read = read_inside};

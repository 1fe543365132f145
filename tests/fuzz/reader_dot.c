/* SPDX-License-Identifier: BSD-3-Clause */
/* reader_dot.c - hierarchy files: the reader, the review and the writer agree. */
#include <config.h>

#include "hitop/dot.h"
#include "hitop/edit.h"

#include "tests/fuzz/reader.h"

#include <stdlib.h>
#include <string.h>

static enum hitop_status write_dot(const void *object, FILE *to)
{
    return hitop_dot_write(object, NULL, to, NULL);
}

static void refuse_difference(void *data, const char *line)
{
    (void)data;
    fuzz_fail("differs from itself: %s", line);
}

/* A hierarchy differs neither from itself as it was read again nor from both together. */
static void check_alike(const struct hitop_hierarchy *h, const struct hitop_hierarchy *again)
{
    const struct hitop_part part[] = {{h, "f"}, {again, "again"}};
    struct hitop_hierarchy *merged = NULL;

    if (hitop_hierarchy_merge(part, 2, refuse_difference, NULL, &merged, NULL) != HITOP_OK ||
        hitop_hierarchy_diff(h, again, refuse_difference, NULL, NULL) != HITOP_OK ||
        hitop_hierarchy_diff(h, merged, refuse_difference, NULL, NULL) != HITOP_OK) {
        fuzz_fail("cannot be merged or compared with itself");
    }
    hitop_hierarchy_free(merged);
}

static void check_written(const struct hitop_hierarchy *h)
{
    struct hitop_hierarchy *again = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    size_t first_length = 0, second_length = 0;
    char *first = fuzz_written(write_dot, h, &first_length), *second;

    if (hitop_dot_parse("f", first, first_length, NULL, &again, &diag) != HITOP_OK) {
        fuzz_fail("what was written cannot be read: %s\n%s", diag.message, first);
    }
    second = fuzz_written(write_dot, again, &second_length);
    if (first_length != second_length || memcmp(first, second, first_length) != 0) {
        fuzz_fail("what was written reads differently:\n%s\n%s", first, second);
    }
    check_alike(h, again);
    hitop_hierarchy_free(again);
    free(second);
    free(first);
}

/* "f:3: error: ..." or "f: error: ..." */
static void count_finding(void *data, const char *finding)
{
    static const char error[] = ": error: ";
    const size_t line = finding[0] && finding[1] == ':' ? strspn(finding + 2, "0123456789") : 0;
    int *nerrors = data;

    if (strncmp(finding, "f:", 2) != 0 || strpbrk(finding, "\r\n")) {
        fuzz_fail("finding '%s'", finding);
    }
    *nerrors += strncmp(finding + 1 + (line > 0 ? line + 1 : 0), error, sizeof(error) - 1) == 0;
}

/* Whatever was read before, a good text is good. */
static void check_next(void)
{
    static const char good[] = "digraph { a [type=0, model_data=x]; a->b; b [type=1]; }";
    struct hitop_hierarchy *h = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    if (hitop_dot_parse("good", good, sizeof(good) - 1, NULL, &h, &diag) != HITOP_OK) {
        fuzz_fail("spoils the next text: %s", diag.message);
    }
    hitop_hierarchy_free(h);
}

static void read_dot(const struct fuzz_reader *reader, const char *text, size_t length)
{
    static const char *const host[] = {"a", "b", "a", "c"};
    static const struct hitop_dot_job job = {host, 4};
    struct hitop_hierarchy *h = NULL, *of_job = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT, why = HITOP_DIAG_INIT;
    enum hitop_status status;
    int nerrors = 0;

    (void)reader;
    if (fuzz_is_costly(text, length)) {
        return;
    }
    status = hitop_dot_parse("f", text, length, NULL, &h, &diag);
    if (status != HITOP_OK) {
        fuzz_check_refusal(&diag, "f:", h);
        check_next();
    }
    if (hitop_dot_check("f", text, length, count_finding, &nerrors, &why) != status ||
        (nerrors > 0) != (status != HITOP_OK)) {
        fuzz_fail("the review disagrees: '%s', not '%s'", why.message, diag.message);
    }
    if (status == HITOP_OK) {
        check_written(h);
    }
    if (hitop_dot_parse("f", text, length, &job, &of_job, &diag) != HITOP_OK) {
        fuzz_check_refusal(&diag, "f:", of_job);
    }
    hitop_hierarchy_free(of_job);
    hitop_hierarchy_free(h);
}

extern const struct fuzz_reader hitop_reader_dot;
const struct fuzz_reader hitop_reader_dot = {
    .name = "dot", .seeds = {"hierarchy/*.dot", "golden/*.dot", "bad/*.dot"}, .read = read_dot};

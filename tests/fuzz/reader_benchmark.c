/* SPDX-License-Identifier: BSD-3-Clause */
/* reader_benchmark.c - results of benchmarks: what is accepted makes a page that is well-formed. */
#include <config.h>

#include "tools/report/report.h"

#include "tests/fuzz/reader.h"
#include "tests/support/balanced.h"

#include <stdlib.h>

enum { MANY_POINTS = 64 }; /* fits of more take long and teach nothing */

static enum hitop_status write_page(const void *object, FILE *to)
{
    return report_write(object, REPORT_HTML, 1, to, NULL);
}

static int count_points(const struct results *report)
{
    int n = 0;

    for (int i = 0; i < report->ncurves; i++) {
        n += report->curves[i].npoints;
    }
    return n;
}

static void read_benchmark(const struct fuzz_reader *reader, const char *text, size_t length)
{
    struct results *report = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    (void)reader;
    if (hitop_results_parse("f", text, length, &report, &diag) != HITOP_OK) {
        fuzz_check_refusal(&diag, "f:", report);
        return;
    }
    if (count_points(report) <= MANY_POINTS) {
        size_t written;
        char *page;
        const char *wrong;
        if (hitop_results_fit(report, &diag) != HITOP_OK) {
            fuzz_fail("cannot be fitted: %s", diag.message);
        }
        page = fuzz_written(write_page, report, &written);
        wrong = find_imbalance(page);
        if (wrong) {
            fuzz_fail("%s", wrong);
        }
        free(page);
    }
    hitop_results_free(report);
}

extern const struct fuzz_reader hitop_reader_benchmark;
const struct fuzz_reader hitop_reader_benchmark = {
    .name = "benchmark", .seeds = {"bad/benchmark-*.json"}, .read = read_benchmark};

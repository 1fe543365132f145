/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_imb_options.c - options by the names that they have in the Intel MPI Benchmarks. */
#include <config.h>

#include "tools/benchmark/benchmark_options.h"

#include "hitop/text.h"

#include <string.h>

void benchmark_imb_options(int argc, char **argv)
{
    static char names[][16] = {"--npmin", "--msglog", "--msgsize",   "--msglen",    "--iter",
                               "--time",  "--mem",    "--off_cache", "--root_shift"};

    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
            if (strcmp(argv[i], names[k] + 1) == 0) {
                argv[i] = names[k];
                break;
            }
        }
    }
}

/* "3:10", or "10" for "0:10". */
static enum hitop_status take_msglog(struct benchmark_request *r, const char *text,
                                     struct hitop_diag *diag)
{
    const size_t length = strcspn(text, ":");
    char word[8] = "";
    int low = 0, high;
    enum hitop_status status = HITOP_OK;

    if (text[length] == ':') {
        memcpy(word, text, length < sizeof(word) ? length : sizeof(word) - 1);
        status = hitop_text_int(word, 0, 62, &low, diag);
        text += length + 1;
    }
    if (status == HITOP_OK) {
        status = hitop_text_int(text, low, 62, &high, diag);
    }
    if (status == HITOP_OK) {
        r->sizes.min = (size_t)1 << low;
        r->sizes.max = (size_t)1 << high;
        r->sizes.range_given = 1;
        r->sizes.zero_too = 1;
    }
    return status;
}

/* "1000,40,100": the first number counts. */
static enum hitop_status take_iter(struct benchmark_request *r, const char *text,
                                   struct hitop_diag *diag)
{
    const size_t length = strcspn(text, ",");
    char word[16] = "";
    int n;
    enum hitop_status status;

    memcpy(word, text, length < sizeof(word) ? length : sizeof(word) - 1);
    status = hitop_text_int(word, 1, 1000000, &n, diag);
    if (status == HITOP_OK) {
        r->rule.min_samples = r->rule.max_samples = n;
    }
    return status;
}

enum hitop_status benchmark_imb_take(struct benchmark_request *r, int letter, const char *argument,
                                     struct hitop_diag *diag)
{
    enum hitop_status status;
    double gigabytes;

    switch (letter) {
    case O_NPMIN:
        return hitop_text_int(argument, 1, 1 << 30, &r->least_ranks, diag);
    case O_MSGLOG:
        return take_msglog(r, argument, diag);
    case O_ITER:
        return take_iter(r, argument, diag);
    case O_TIME:
        return hitop_text_double(argument, 1e-6, 1e6, &r->budget, diag);
    case O_MEM:
        status = hitop_text_double(argument, 1e-6, 1e6, &gigabytes, diag);
        r->memory = status == HITOP_OK ? (size_t)(gigabytes * (1 << 30)) : r->memory;
        return status;
    case O_OFF_CACHE:
        r->cache = CACHE_STREAM;
        return HITOP_OK;
    default:
        if (strcmp(argument, "on") != 0 && strcmp(argument, "off") != 0) {
            return hitop_fail(diag, HITOP_ERR_INVALID, "'%.40s' must be on or off", argument);
        }
        r->root = strcmp(argument, "on") == 0 ? ROOT_ROTATES : 0;
        return HITOP_OK;
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* info_options.c - the options of model_info, and what they must not say together. */
#include <config.h>

#include "info_options.h"

#include "hitop/text.h"

#include <getopt.h>
#include <limits.h>
#include <string.h>

enum { OPT_FORMAT = 256, OPT_WORST };

static const struct tool_option options[] = {
    {'M', "max-size", "SIZE", "message whose second half tells the bandwidth (1MiB)"},
    {OPT_WORST, "worst", "N", "lines of each list of what is worst (5)"},
    {OPT_FORMAT, "format", "text|csv|json",
     "text: a summary; csv, json: every number of the model (text)"},
    {'o', "output", "FILE", "write there instead of standard output"},
};

const struct tool info_tool = {
    .name = "model_info",
    .synopsis = "MODEL [OPTION]...",
    .summary = "Tell what is in a model file. MODEL - is standard input.",
    .options = options,
    .noptions = sizeof(options) / sizeof(options[0]),
    .epilogue =
        "A size is a number of bytes; k, m, g, KiB, MiB, GiB are powers of 1024, kB, MB, GB\n"
        "powers of 1000.\n"
        "Exit status: 0 done, 1 failed, 2 wrong usage, 3 bad input file.\n",
};

/* Index of a word in a list that ends with NULL. */
static enum hitop_status choose(const char *text, const char *const *words, int *out,
                                struct hitop_diag *diag)
{
    char list[128] = "";

    for (int i = 0; words[i]; i++) {
        if (strcmp(text, words[i]) == 0) {
            *out = i;
            return HITOP_OK;
        }
        hitop_text_list_name(list, sizeof(list), words[i]);
    }
    return hitop_fail(diag, HITOP_ERR_INVALID, "'%s' is none of %s", text, list);
}

static enum hitop_status choose_format(const char *text, enum info_format *out,
                                       struct hitop_diag *diag)
{
    static const char *const words[] = {"text", "csv", "json", NULL};
    int index = 0;
    const enum hitop_status status = choose(text, words, &index, diag);

    *out = (enum info_format)index;
    return status;
}

/* Take one option; the status tells whether its argument is right. */
static enum hitop_status take(int letter, const char *arg, struct info_settings *s,
                              struct hitop_diag *diag)
{
    struct info_request *r = &s->request;

    switch (letter) {
    case 'M':
        return sizes_set_max(&r->sizes, arg, diag);
    case OPT_WORST:
        return hitop_text_int(arg, 0, INT_MAX, &r->worst, diag);
    case OPT_FORMAT:
        return choose_format(arg, &r->format, diag);
    default:
        s->output = arg;
        return HITOP_OK;
    }
}

static const char *option_name(int letter)
{
    for (size_t i = 0; i < info_tool.noptions; i++) {
        if (options[i].letter == letter) {
            return options[i].name;
        }
    }
    return "?";
}

static int check(const struct info_settings *s)
{
    if (!s->request.path) {
        tool_error(&info_tool, "a model file is missing; see %s --help", info_tool.name);
        return TOOL_USAGE;
    }
    if (s->request.sizes.max == 0) {
        tool_error(&info_tool, "--max-size: a message of 0 bytes tells no bandwidth");
        return TOOL_USAGE;
    }
    return TOOL_DONE;
}

int info_parse(int argc, char **argv, struct info_settings *s)
{
    int letter;

    while ((letter = tool_next_option(&info_tool, argc, argv)) != -1) {
        struct hitop_diag diag = HITOP_DIAG_INIT;
        if (letter == '?') {
            return TOOL_USAGE;
        }
        if (take(letter, optarg, s, &diag) != HITOP_OK) {
            char name[64];
            (void)snprintf(name, sizeof(name), "--%s", option_name(letter));
            return tool_bad_option(&info_tool, name, &diag);
        }
    }
    if (optind < argc) {
        s->request.path = argv[optind++];
    }
    if (optind < argc) {
        tool_error(&info_tool, "unexpected argument '%s'; see %s --help", argv[optind],
                   info_tool.name);
        return TOOL_USAGE;
    }
    return check(s);
}

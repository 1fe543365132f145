/* SPDX-License-Identifier: BSD-3-Clause */
/* tool.c - option parsing, help and messages of all tools. */
#include <config.h>

#include "tools/common/tool.h"

#include "tools/common/take.h"

#include "hitop/cpm.h"
#include "hitop/output.h"

#include <getopt.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/*
 * (getopt_long), in parentheses, is the C library's function. SimGrid has a macro of that name,
 * which keeps the state of each rank and so cannot start anew. The C library's state suffices,
 * because the simulation does not interrupt a rank while it reads its options.
 */

enum { MAX_OPTIONS = 64, HELP_COLUMN = 30 };

/* Fill getopt's tables from ours. The optstring begins with ':' so that getopt stays silent. */
static void make_tables(const struct tool *tool, struct option *longs, char *shorts)
{
    size_t n = 0;

    *shorts++ = ':';
    *shorts++ = 'h';
    *shorts++ = 'V';
    for (; n < tool->noptions && n < MAX_OPTIONS - 3; n++) {
        const struct tool_option *o = &tool->options[n];
        longs[n] = (struct option){.name = o->name,
                                   .has_arg = o->argument ? required_argument : no_argument,
                                   .val = o->letter};
        if (o->letter < 256) {
            *shorts++ = (char)o->letter;
            if (o->argument) {
                *shorts++ = ':';
            }
        }
    }
    *shorts = '\0';
    longs[n] = (struct option){.name = "help", .val = 'h'};
    longs[n + 1] = (struct option){.name = "version", .val = 'V'};
    longs[n + 2] = (struct option){0};
}

static void print_option(const struct tool_option *o)
{
    char left[128];
    int width;

    if (o->letter < 256) {
        width = snprintf(left, sizeof(left), "  -%c, --%s", o->letter, o->name);
    } else {
        width = snprintf(left, sizeof(left), "      --%s", o->name);
    }
    if (o->argument && width > 0 && (size_t)width < sizeof(left)) {
        width += snprintf(left + width, sizeof(left) - (size_t)width, " %s", o->argument);
    }
    printf("%-*s", HELP_COLUMN, left);
    if (width >= HELP_COLUMN) {
        printf("\n%*s", HELP_COLUMN, "");
    }
    for (const char *p = o->help; *p; p++) {
        if (*p == '\n') {
            printf("\n%*s", HELP_COLUMN, "");
        } else {
            putchar(*p);
        }
    }
    putchar('\n');
}

static void print_help(const struct tool *tool)
{
    static const struct tool_option common[] = {
        {'h', "help", NULL, "print this help and exit"},
        {'V', "version", NULL, "print the version and exit"},
    };

    printf("Usage: %s %s\n%s\n\n", tool->name, tool->synopsis, tool->summary);
    for (size_t i = 0; i < tool->noptions; i++) {
        print_option(&tool->options[i]);
    }
    print_option(&common[0]);
    print_option(&common[1]);
    if (tool->epilogue) {
        printf("\n%s", tool->epilogue);
    }
}

/*
 * A handler of SIGPIPE. A reader that closes the pipe of standard output, as head does, does not
 * end the tool, which still writes other files. Programs that a tool starts do not inherit a
 * handler; they would inherit SIG_IGN.
 */
static void go_on(int signal_number)
{
    (void)signal_number;
}

static void survive_closed_pipes(void)
{
    struct sigaction action = {.sa_handler = go_on, .sa_flags = SA_RESTART};

    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGPIPE, &action, NULL);
}

int tool_help_or_version(const struct tool *tool, int argc, char **argv)
{
    struct option longs[MAX_OPTIONS];
    char shorts[2 * MAX_OPTIONS + 4];
    int asked = 0;
    int c;

    survive_closed_pipes();
    make_tables(tool, longs, shorts);
    opterr = 0;
    while ((c = (getopt_long)(argc, argv, shorts, longs, NULL)) != -1) {
        if (c == 'h') {
            asked = 1;
            print_help(tool);
            break;
        }
        if (c == 'V') {
            asked = 1;
            printf("%s (%s)\n", tool->name, PACKAGE_STRING);
            break;
        }
    }
    optind = 1;
    return asked;
}

int tool_next_option(const struct tool *tool, int argc, char **argv)
{
    struct option longs[MAX_OPTIONS];
    char shorts[2 * MAX_OPTIONS + 4];
    const int before = optind;
    int c;

    make_tables(tool, longs, shorts);
    opterr = 0;
    c = (getopt_long)(argc, argv, shorts, longs, NULL);
    if (c == ':') {
        tool_error(tool, "option '%s' needs an argument; see %s --help", argv[optind - 1],
                   tool->name);
        return '?';
    }
    if (c == '?') {
        tool_error(tool, "unknown or ambiguous option '%s'; see %s --help",
                   argv[before < argc ? before : argc - 1], tool->name);
    }
    return c;
}

const char *tool_option_name(const struct tool *tool, int letter)
{
    for (size_t i = 0; i < tool->noptions; i++) {
        if (tool->options[i].letter == letter) {
            return tool->options[i].name;
        }
    }
    return "?";
}

static enum hitop_status store(const struct tool_value *v, const char *argument, void *at,
                               struct hitop_diag *diag)
{
    switch (v->kind) {
    case TOOL_STORE_FLAG:
        *(int *)at = 1;
        return HITOP_OK;
    case TOOL_STORE_TEXT:
        *(const char **)at = argument;
        return HITOP_OK;
    case TOOL_STORE_INT:
        return hitop_text_int(argument, (int)v->least, (int)v->most, at, diag);
    case TOOL_STORE_REAL:
        return hitop_text_double(argument, v->least, v->most, at, diag);
    case TOOL_STORE_TIME:
        return take_time(argument, at, diag);
    case TOOL_STORE_DURATION:
        return hitop_text_seconds(argument, at, diag);
    case TOOL_STORE_SIZE:
        return hitop_text_size(argument, at, diag);
    case TOOL_STORE_SEED:
        return take_seed(argument, at, diag);
    case TOOL_STORE_WORD:
        break;
    }
    return take_word(argument, v->words, at, diag);
}

static const struct tool_value *find_value(const struct tool *tool, int letter)
{
    for (size_t i = 0; i < tool->nvalues; i++) {
        if (tool->values[i].letter == letter) {
            return &tool->values[i];
        }
    }
    return NULL;
}

/* A name of CPM on the command line or in a file. */
static const struct tool *reporter;

static void note(void *self, const char *line)
{
    (void)self;
    tool_error(reporter, "%s", line);
}

int tool_take_options(const struct tool *tool, int argc, char **argv,
                      enum hitop_status (*take)(void *data, int letter, const char *argument,
                                                struct hitop_diag *diag),
                      void *data)
{
    int letter;

    if (!tool->quiet) {
        reporter = tool;
        hitop_cpm_watch(note, NULL);
    }
    while ((letter = tool_next_option(tool, argc, argv)) != -1) {
        struct hitop_diag diag = HITOP_DIAG_INIT;
        const struct tool_value *value = find_value(tool, letter);
        enum hitop_status status;
        char name[64];
        if (letter == '?') {
            return TOOL_USAGE;
        }
        status = value ? store(value, optarg, (char *)data + value->at, &diag)
                       : take(data, letter, optarg, &diag);
        if (status != HITOP_OK) {
            (void)snprintf(name, sizeof(name), "--%s", tool_option_name(tool, letter));
            return tool_bad_option(tool, name, &diag);
        }
    }
    return TOOL_DONE;
}

int tool_no_operands(const struct tool *tool, int argc, char **argv)
{
    if (optind == argc) {
        return TOOL_DONE;
    }
    tool_error(tool, "unexpected argument '%s'; see %s --help", argv[optind], tool->name);
    return TOOL_USAGE;
}

void tool_error(const struct tool *tool, const char *fmt, ...)
{
    char message[1024], line[1200];
    va_list args;

    if (tool->quiet) {
        return;
    }
    va_start(args, fmt);
    (void)vsnprintf(message, sizeof(message), fmt, args);
    va_end(args);
    (void)snprintf(line, sizeof(line), "%.128s: %s\n", tool->name, message);
    /* One write for each line, so that lines of ranks do not mix: fprintf() to stderr writes pieces
     * of 128 bytes since glibc 2.37. */
    (void)fputs(line, stderr);
}

int tool_bad_option(const struct tool *tool, const char *option, const struct hitop_diag *diag)
{
    tool_error(tool, "%s: %s", option, diag->message);
    return TOOL_USAGE;
}

int tool_fail(const struct tool *tool, enum hitop_status status, const struct hitop_diag *diag)
{
    tool_error(tool, "%s", diag->message[0] ? diag->message : hitop_status_str(status));
    switch (status) {
    case HITOP_ERR_FORMAT:
        return TOOL_BAD_INPUT;
    case HITOP_ERR_INVALID:
    case HITOP_ERR_NOTFOUND:
        return TOOL_USAGE;
    default:
        return TOOL_FAILED;
    }
}

int tool_finish(const struct tool *tool)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_output *output = NULL;
    enum hitop_status status = hitop_output_open("-", &output, &diag);

    if (status == HITOP_OK) {
        status = hitop_output_end(output, HITOP_OK, &diag);
    }
    return status == HITOP_OK ? TOOL_DONE : tool_fail(tool, status, &diag);
}

char *tool_command_line(const struct tool *tool, int argc, char **argv)
{
    size_t length = strlen(tool->name) + 1;
    char *text, *end;

    for (int i = 1; i < argc; i++) {
        length += strlen(argv[i]) + 1;
    }
    text = malloc(length);
    if (!text) {
        return NULL;
    }
    end = stpcpy(text, tool->name);
    for (int i = 1; i < argc; i++) {
        *end++ = ' ';
        end = stpcpy(end, argv[i]);
    }
    return text;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TOOL_H
#define TOOL_H

/*
 * tool.h - what all command-line tools share: one option table from which both parsing and --help
 * come, messages that begin with the tool's name, and the exit statuses.
 *
 * -h, --help, -V and --version belong to every tool and are not listed in its table.
 */

#include "hitop/status.h"

#include <stddef.h>
#include <stdio.h>

enum tool_exit {
    TOOL_DONE = 0,
    TOOL_FAILED = 1,    /* the task failed */
    TOOL_USAGE = 2,     /* wrong option or argument */
    TOOL_BAD_INPUT = 3, /* an input file is missing, unreadable or wrong */
    TOOL_UNTRUSTED = 4, /* done, but the result is not reliable */
};

struct tool_option {
    int letter;           /* short form, or a value above 255 where there is none */
    const char *name;     /* long form */
    const char *argument; /* name of the argument for the help text, or NULL */
    const char *help;     /* one line, or several separated by '\n' */
};

/* How tool_take_options() stores the argument of an option. */
enum tool_kind {
    TOOL_STORE_FLAG, /* int, 1 */
    TOOL_STORE_TEXT,
    TOOL_STORE_INT,
    TOOL_STORE_REAL,
    TOOL_STORE_TIME,     /* seconds, more than 0 */
    TOOL_STORE_DURATION, /* seconds */
    TOOL_STORE_SIZE,
    TOOL_STORE_SEED,
    TOOL_STORE_WORD /* int, the index in words */
};

struct tool_value {
    int letter;
    enum tool_kind kind;
    size_t at;                /* offset in the settings of the tool */
    double least, most;       /* limits of TOOL_STORE_INT and TOOL_STORE_REAL */
    const char *const *words; /* of TOOL_STORE_WORD; NULL at the end */
};

/* The first members of a tool_value. */
#define TOOL_VALUE(option, how, type, member)                                                      \
    .letter = (option), .kind = TOOL_STORE_##how, .at = offsetof(type, member)

struct tool {
    const char *name;
    const char *synopsis; /* what follows the name in the usage line */
    const char *summary;  /* one or two lines */
    const struct tool_option *options;
    size_t noptions;
    const struct tool_value *values; /* options that need no function */
    size_t nvalues;
    const char *epilogue; /* last lines of the help text, or NULL */
    int quiet;            /* 1 on all ranks but one, so that a message appears once */
};

/*
 * The first call of every tool, without MPI. Print help or version to stdout and return 1 if the
 * arguments ask for it. Afterwards a closed pipe does not end the tool.
 */
int tool_help_or_version(const struct tool *tool, int argc, char **argv);

/*
 * Next option as getopt_long() gives it: its letter with the argument in optarg, -1 at the end, or
 * '?' after a usage error was reported.
 */
int tool_next_option(const struct tool *tool, int argc, char **argv);

/*
 * Store the arguments of the tool's values in data, and give all other options to take(), which is
 * NULL if there are none. A message reports the option and the reason if an argument is refused.
 * Returns TOOL_DONE, with operands from argv[optind] on, or TOOL_USAGE after a message.
 */
int tool_take_options(const struct tool *tool, int argc, char **argv,
                      enum hitop_status (*take)(void *data, int letter, const char *argument,
                                                struct hitop_diag *diag),
                      void *data);

/* The long form of an option in the tool's table; "?": the table does not have it. */
const char *tool_option_name(const struct tool *tool, int letter);

/* TOOL_DONE if there are no operands from argv[optind] on, or TOOL_USAGE after a message. */
int tool_no_operands(const struct tool *tool, int argc, char **argv);

/* Print "name: message" to stderr unless the tool is quiet. */
void tool_error(const struct tool *tool, const char *fmt, ...) HITOP_PRINTF(2, 3);

/* Report that an option's value is wrong, with the library's reason; returns TOOL_USAGE. */
int tool_bad_option(const struct tool *tool, const char *option, const struct hitop_diag *diag);

/* Report a failure of the library and return its exit status. */
int tool_fail(const struct tool *tool, enum hitop_status status, const struct hitop_diag *diag);

/*
 * Flush stdout. Returns TOOL_DONE, also if its reader has closed the pipe; TOOL_FAILED after a
 * message if it cannot be written.
 */
int tool_finish(const struct tool *tool);

/*
 * Have write() write data to a file, which appears complete or not at all; path "-" is standard
 * output. Returns TOOL_DONE, or another exit status after a message.
 */
int tool_write_file(const struct tool *tool, const char *path,
                    enum hitop_status (*write)(const void *data, FILE *to, struct hitop_diag *diag),
                    const void *data);

/* A file and the option that names it, e.g. "-o"; path NULL: no file. */
struct tool_file {
    const char *option, *path;
};

/* TOOL_DONE, or TOOL_USAGE after a message if an output is the same file as an input. */
int tool_keep_inputs(const struct tool *tool, const struct tool_file *output, size_t noutputs,
                     const struct tool_file *input, size_t ninputs);

/* The command line in one string, without the folder of the program, for free(); or NULL. */
char *tool_command_line(const struct tool *tool, int argc, char **argv);

#endif /* TOOL_H */

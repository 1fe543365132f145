/* SPDX-License-Identifier: BSD-3-Clause */
/* export_tuning.c - write a model as a file that MPI libraries, launchers or simulators read. */
#include <config.h>

#include "tools/common/model_input.h"
#include "tools/export/export.h"
#include "tools/export/export_check.h"
#include "tools/export/export_installed.h"
#include "tools/export/export_validation.h"
#include "tools/export/verify.h"

#include "hitop/input.h"
#include "hitop/text.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_JOBS = 32 };
enum {
    OPT_FORMAT = 256,
    OPT_FOR,
    OPT_JOB,
    OPT_RULES,
    OPT_HAN_RULES,
    OPT_VALIDATION,
    OPT_VERIFY,
    OPT_LAUNCHES,
    OPT_POINTS,
    OPT_TIME_LIMIT,
    OPT_CHECK,
    OPT_SIZES,
    OPT_LIST
};

static const struct tool_option options[] = {
    {'i', "input", "FILE", "model of the machine, or - for standard input"},
    {OPT_FORMAT, "format", "NAME", "form of the file; see --list"},
    {'o', "output", "FILE", "write to FILE instead of standard output"},
    {OPT_FOR, "for", "VERSION",
     "version of the library that reads the file, such as 5.0.7 (default: the\ninstalled one, or "
     "the newest known one)"},
    {OPT_JOB, "job", "NODESxRANKS",
     "the first NODES hosts of the model with RANKS ranks on each (default:\nthe ranks of the "
     "model); rules may be for several jobs"},
    {OPT_RULES, "rules", "FILE",
     "the rules of coll/tuned that openmpi-params puts in force, and with which\nopenmpi-han "
     "compares"},
    {OPT_HAN_RULES, "han-rules", "FILE", "the rules of coll/han that openmpi-params puts in force"},
    {OPT_VALIDATION, "validation", "FILE",
     "write a rule only if it gains more than the error that validate_model\nmeasured for its "
     "operation, as its --format json reports"},
    {OPT_VERIFY, "verify", "COMMAND",
     "measure the rules first, without and with the file in turns, by launches\nsuch as 'mpirun "
     "-n 8', and leave out those that are not faster"},
    {OPT_LAUNCHES, "launches", "N", "launches without the file, and as many with it (3)"},
    {OPT_POINTS, "points", "N", "sizes of rules to measure, at least one for each operation (6)"},
    {OPT_TIME_LIMIT, "time-limit", "TIME", "end a launch that takes longer (10min)"},
    {OPT_CHECK, "check", "FILE",
     "check a tuning file by the rules of the libraries that read it, and print\nwhat they ignore "
     "or fail at"},
    {OPT_SIZES, "sizes", "LIST",
     "with --check and --job: print what of the file is in force for messages of\nthese sizes"},
    {'O', "operation", "OP", "with --sizes: for this operation (default: for all)"},
    {OPT_LIST, "list", NULL, "print the formats, then exit"},
};

/* The command line. */
struct settings {
    const char *model, *output, *rules, *han_rules;
    const char *validation_path;
    const struct export_validation *validation; /* read from there */
    const char *check, *sizes, *operation, *format_name;
    const struct export_format *format;
    const char *version; /* as given, or NULL */
    int nodes[MAX_JOBS], ranks_per_host[MAX_JOBS];
    int njobs; /* 0: that of the model */
    int list;
    struct verify_settings verify;
};

static const struct tool_value values[] = {
    {TOOL_VALUE('i', TEXT, struct settings, model)},
    {TOOL_VALUE('o', TEXT, struct settings, output)},
    {TOOL_VALUE(OPT_FOR, TEXT, struct settings, version)},
    {TOOL_VALUE(OPT_RULES, TEXT, struct settings, rules)},
    {TOOL_VALUE(OPT_HAN_RULES, TEXT, struct settings, han_rules)},
    {TOOL_VALUE(OPT_VALIDATION, TEXT, struct settings, validation_path)},
    {TOOL_VALUE(OPT_VERIFY, TEXT, struct settings, verify.command)},
    {TOOL_VALUE(OPT_LAUNCHES, INT, struct settings, verify.launches), .least = 2,
     .most = VERIFY_LAUNCHES},
    {TOOL_VALUE(OPT_POINTS, INT, struct settings, verify.points), .least = 1,
     .most = VERIFY_POINTS},
    {TOOL_VALUE(OPT_TIME_LIMIT, TIME, struct settings, verify.time_limit)},
    {TOOL_VALUE(OPT_CHECK, TEXT, struct settings, check)},
    {TOOL_VALUE(OPT_SIZES, TEXT, struct settings, sizes)},
    {TOOL_VALUE('O', TEXT, struct settings, operation)},
    {TOOL_VALUE(OPT_FORMAT, TEXT, struct settings, format_name)},
    {TOOL_VALUE(OPT_LIST, FLAG, struct settings, list)},
};

static const struct tool export_tool = {
    .name = "export_tuning",
    .synopsis = "-i MODEL --format NAME [OPTION]... | --check FILE",
    .summary =
        "Write the model of a machine as a file that other programs read: tuning files of MPI\n"
        "libraries, placements of ranks, platforms of simulators.",
    .options = options,
    .noptions = sizeof(options) / sizeof(options[0]),
    .values = values,
    .nvalues = sizeof(values) / sizeof(values[0]),
};

#define HITOP_ENTRY(name) extern const struct export_format name;
#include "format_registry.inc"
#undef HITOP_ENTRY

const struct export_format *const *export_formats(void)
{
#define HITOP_ENTRY(name) &name,
    static const struct export_format *const all[] = {
#include "format_registry.inc"
        NULL};
#undef HITOP_ENTRY

    return all;
}

static enum hitop_status find_format(const char *name, const struct export_format **out,
                                     struct hitop_diag *diag)
{
    char list[512] = "", meant[64];
    const char *nearest = NULL;

    for (const struct export_format *const *f = export_formats(); *f; f++) {
        if (strcmp((*f)->name, name) == 0) {
            *out = *f;
            return HITOP_OK;
        }
        hitop_text_list_name(list, sizeof(list), (*f)->name);
        nearest = hitop_text_nearer(name, (*f)->name, nearest);
    }
    hitop_text_meant(nearest, meant, sizeof(meant));
    return hitop_fail(diag, HITOP_ERR_NOTFOUND, "no format '%s'%s; valid: %s", name, meant, list);
}

/* Parse "NODESxRANKS". */
static enum hitop_status parse_job(struct settings *s, const char *text, struct hitop_diag *diag)
{
    char nodes[16];
    const size_t length = strcspn(text, "x");
    struct hitop_diag why = HITOP_DIAG_INIT;

    if (s->njobs == MAX_JOBS) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "at most %d jobs", MAX_JOBS);
    }
    if (text[length] == 'x' && length < sizeof(nodes)) {
        (void)snprintf(nodes, sizeof(nodes), "%.*s", (int)length, text);
        if (hitop_text_int(nodes, 1, HITOP_RANKS_MAX, &s->nodes[s->njobs], &why) == HITOP_OK &&
            hitop_text_int(text + length + 1, 1, HITOP_RANKS_MAX, &s->ranks_per_host[s->njobs],
                           &why) == HITOP_OK) {
            s->njobs++;
            return HITOP_OK;
        }
    }
    return hitop_fail(diag, HITOP_ERR_INVALID,
                      "'%s' is not NODESxRANKS, the numbers of hosts and of ranks on each, such as "
                      "8x4",
                      text);
}

static enum hitop_status take(void *data, int letter, const char *arg, struct hitop_diag *diag)
{
    (void)letter; /* the only option that is no plain value */
    return parse_job(data, arg, diag);
}

static void list_formats(void)
{
    char oldest[48], newest[48];

    for (const struct export_format *const *f = export_formats(); *f; f++) {
        printf("%-20s%s", (*f)->name, (*f)->summary);
        if ((*f)->software) {
            export_version_text((*f)->oldest, oldest, sizeof(oldest));
            export_version_text((*f)->newest, newest, sizeof(newest));
            printf(" (%s to %s)", oldest, newest);
        }
        putchar('\n');
    }
}

enum { MAX_NOTE = 256 };

/* The version of the library that is installed here, where the format knows it, or the newest one.
 */
static struct export_version find_installed(const struct export_format *f, char *note)
{
    struct export_version found = f->newest;
    const char *program = f->software ? export_installed(f->software, &found) : NULL;
    const int is_known =
        program && export_compare(found, f->oldest) >= 0 && export_compare(found, f->newest) <= 0;
    char installed[48], newest[48];

    export_version_text(found, installed, sizeof(installed));
    export_version_text(f->newest, newest, sizeof(newest));
    if (!f->software) {
        note[0] = '\0';
    } else if (is_known) {
        (void)snprintf(note, MAX_NOTE, "for %s %s, that of %s", f->software, installed, program);
    } else if (program) {
        (void)snprintf(note, MAX_NOTE, "for %s %s, the newest one that %s knows; that of %s is %s",
                       f->software, newest, f->name, program, installed);
    } else {
        (void)snprintf(note, MAX_NOTE, "for %s %s, the newest known one; none was found here",
                       f->software, newest);
    }
    return is_known ? found : f->newest;
}

/* The version of --for, or that of find_installed() with a note. */
static enum hitop_status find_version(const struct settings *s, struct export_version *out,
                                      char *note, struct hitop_diag *diag)
{
    const struct export_format *f = s->format;
    char oldest[48], newest[48];

    if (!s->version) {
        *out = find_installed(f, note);
        return HITOP_OK;
    }
    if (!f->software) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "%s is for no library with versions", f->name);
    }
    if (!export_parse_version(s->version, out)) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "'%s' is not a version such as 5.0 or 5.0.7",
                          s->version);
    }
    if (export_compare(*out, f->oldest) < 0 || export_compare(*out, f->newest) > 0) {
        export_version_text(f->oldest, oldest, sizeof(oldest));
        export_version_text(f->newest, newest, sizeof(newest));
        return hitop_fail(diag, HITOP_ERR_INVALID, "%s: %s is for %s %s to %s", s->version, f->name,
                          f->software, oldest, newest);
    }
    return HITOP_OK;
}

/* What tool_write_file() hands to write_format(). */
struct content {
    const struct export_format *format;
    const struct export_request *request;
};

static enum hitop_status write_format(const void *data, FILE *to, struct hitop_diag *diag)
{
    const struct content *content = data;

    return content->format->write(content->request, to, diag);
}

/* Find the rules of a format that has some, and measure them if that is asked for. */
static int find_rules(const struct settings *s, struct export_request *request,
                      struct export_rules *rules)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    enum hitop_status status;
    int result;

    if (!s->format->find) {
        return TOOL_DONE;
    }
    status = s->format->find(request, rules, &diag);
    if (status != HITOP_OK) {
        if (status == HITOP_ERR_INVALID) {
            return tool_bad_option(&export_tool, "--rules", &diag);
        }
        tool_error(&export_tool, "%s: %s", s->output, diag.message);
        return TOOL_FAILED;
    }
    request->found = rules;
    if (!s->verify.command) {
        return TOOL_DONE;
    }
    result = verify_rules(&export_tool, &s->verify, s->format, request, rules, s->output);
    request->is_verified = 1;
    return result;
}

/* Write the file for some jobs. */
static int export_jobs(const struct settings *s, const struct export_job *jobs, int njobs,
                       struct export_version version)
{
    int *order = export_order(hitop_model_hierarchy(jobs->model));
    struct export_request request = {.jobs = jobs,
                                     .njobs = njobs,
                                     .model = jobs->model,
                                     .rules = s->rules,
                                     .han_rules = s->han_rules,
                                     .validation = s->validation,
                                     .source = hitop_input_name(s->model),
                                     .version = version,
                                     .order = order};
    const struct content content = {s->format, &request};
    struct export_rules rules = {0};
    int result = TOOL_FAILED, written;

    if (order) {
        result = find_rules(s, &request, &rules);
        if (result == TOOL_DONE || result == TOOL_UNTRUSTED) {
            written = tool_write_file(&export_tool, s->output, write_format, &content);
            result = written == TOOL_DONE ? result : written;
        }
    } else {
        tool_error(&export_tool, "out of memory");
    }
    export_rules_free(&rules);
    free(order);
    return result;
}

static int by_ranks(const void *a, const void *b)
{
    const struct export_job *x = a, *y = b;

    return hitop_model_nranks(x->model) - hitop_model_nranks(y->model);
}

/* Files know jobs by their numbers of ranks only. */
static enum hitop_status sort_jobs(struct export_job *jobs, int njobs, struct hitop_diag *diag)
{
    qsort(jobs, (size_t)njobs, sizeof(*jobs), by_ranks);
    for (int j = 1; j < njobs; j++) {
        if (by_ranks(&jobs[j - 1], &jobs[j]) == 0) {
            return hitop_fail(
                diag, HITOP_ERR_INVALID,
                "%dx%d and %dx%d have %d ranks each, which the file cannot distinguish",
                jobs[j - 1].hosts, jobs[j - 1].ranks_per_host, jobs[j].hosts,
                jobs[j].ranks_per_host, hitop_model_nranks(jobs[j].model));
        }
    }
    return HITOP_OK;
}

static int export_model(const struct settings *s, const struct hitop_model *model,
                        struct export_version version)
{
    struct export_job jobs[MAX_JOBS] = {{0}};
    const int njobs = s->njobs > 0 ? s->njobs : 1;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    enum hitop_status status = HITOP_OK;
    int result;

    for (int j = 0; j < njobs && status == HITOP_OK; j++) {
        status = export_job_init(&jobs[j], model, s->nodes[j], s->ranks_per_host[j], &diag);
        if (status == HITOP_OK && s->format->one_per_host) {
            const int hosts = jobs[j].hosts;
            export_job_fini(&jobs[j]);
            status = export_job_init(&jobs[j], model, hosts, 1, &diag);
        }
    }
    if (status == HITOP_OK) {
        status = sort_jobs(jobs, njobs, &diag);
    }
    if (status == HITOP_OK) {
        result = export_jobs(s, jobs, njobs, version);
    } else if (status == HITOP_ERR_INVALID) {
        result = tool_bad_option(&export_tool, "--job", &diag);
    } else {
        result = tool_fail(&export_tool, status, &diag);
    }
    for (int j = 0; j < njobs; j++) {
        export_job_fini(&jobs[j]);
    }
    return result;
}

/* Refuse files that the format does not use. */
static int check_files(const struct settings *s)
{
    const struct export_format *f = s->format;

    if (f->takes_rules == 2 && !s->rules) {
        tool_error(&export_tool, "%s needs --rules FILE", f->name);
        return TOOL_USAGE;
    }
    if ((s->rules && !f->takes_rules) || (s->han_rules && !f->takes_han_rules) ||
        (s->validation_path && !f->find)) {
        tool_error(&export_tool, "%s takes no %s", f->name,
                   s->rules && !f->takes_rules           ? "--rules"
                   : s->han_rules && !f->takes_han_rules ? "--han-rules"
                                                         : "--validation");
        return TOOL_USAGE;
    }
    return TOOL_DONE;
}

static int run(const struct settings *s)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_model *model = NULL;
    struct export_version version;
    enum hitop_status status;
    char note[MAX_NOTE] = "";
    int result;

    if (find_version(s, &version, note, &diag) != HITOP_OK) {
        return tool_bad_option(&export_tool, "--for", &diag);
    }
    if (s->njobs > 1 && !s->format->takes_jobs) {
        tool_error(&export_tool, "--job: %s is for one job", s->format->name);
        return TOOL_USAGE;
    }
    if (s->verify.command && s->njobs > 1) {
        tool_error(&export_tool, "--verify is for one job, the one that its command starts");
        return TOOL_USAGE;
    }
    result = s->verify.command ? verify_check(&export_tool, &s->verify, s->format, s->output)
                               : TOOL_DONE;
    if (result != TOOL_DONE) {
        return result;
    }
    status = tool_model_read(s->model, 0, &model, &diag);
    if (status != HITOP_OK) {
        (void)tool_fail(&export_tool, status, &diag);
        return TOOL_BAD_INPUT;
    }
    result = export_model(s, model, version);
    if (note[0] && result == TOOL_DONE) {
        fprintf(stderr, "%s: %s; see --for\n", export_tool.name, note);
    }
    hitop_model_free(model);
    return result;
}

/* Run with the errors of --validation, if they are given. */
static int run_with_validation(struct settings *s)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct export_validation *validation = NULL;
    int result;

    if (check_files(s) != TOOL_DONE) {
        return TOOL_USAGE;
    }
    if (s->validation_path && validation_read(s->validation_path, &validation, &diag) != HITOP_OK) {
        tool_error(&export_tool, "%s", diag.message);
        return TOOL_BAD_INPUT;
    }
    s->validation = validation;
    result = run(s);
    validation_free(validation);
    return result;
}

static int check(const struct settings *s)
{
    const struct export_check what = {.file = s->check,
                                      .format = s->format_name,
                                      .version = s->version,
                                      .sizes = s->sizes,
                                      .operation = s->operation,
                                      .nodes = s->nodes,
                                      .ranks_per_host = s->ranks_per_host,
                                      .njobs = s->njobs};

    if (s->model || s->verify.command || s->rules || s->han_rules || s->validation_path ||
        strcmp(s->output, "-") != 0) {
        tool_error(&export_tool,
                   "--check goes without -i, -o, --rules, --han-rules, --validation and --verify");
        return TOOL_USAGE;
    }
    return export_check(&export_tool, &what);
}

/* Complete the settings of --verify, which are 0 where their options are not given. */
static int complete_verify(struct verify_settings *v)
{
    if (!v->command && (v->launches > 0 || v->points > 0 || v->time_limit > 0)) {
        tool_error(&export_tool, "--launches, --points and --time-limit go with --verify");
        return TOOL_USAGE;
    }
    v->launches = v->launches > 0 ? v->launches : 3;
    v->points = v->points > 0 ? v->points : 6;
    v->time_limit = v->time_limit > 0 ? v->time_limit : 600;
    return TOOL_DONE;
}

/* The output must replace no file that the options read or name. */
static int keep_inputs(const struct settings *s)
{
    const struct tool_file output = {"-o", s->output};
    const struct tool_file input[] = {{"-i", s->model},
                                      {"--validation", s->validation_path},
                                      {"--rules", s->rules},
                                      {"--han-rules", s->han_rules}};

    return tool_keep_inputs(&export_tool, &output, 1, input, sizeof(input) / sizeof(input[0]));
}

HITOP_API int main(int argc, char **argv)
{
    struct settings s = {.output = "-"};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int result;

    if (tool_help_or_version(&export_tool, argc, argv)) {
        return tool_finish(&export_tool);
    }
    result = tool_take_options(&export_tool, argc, argv, take, &s);
    if (result == TOOL_DONE) {
        result = tool_no_operands(&export_tool, argc, argv);
    }
    if (result != TOOL_DONE) {
        return result;
    }
    if (s.list) {
        list_formats();
        return tool_finish(&export_tool);
    }
    if (complete_verify(&s.verify) != TOOL_DONE) {
        return TOOL_USAGE;
    }
    if (s.check) {
        return check(&s);
    }
    if (s.sizes || s.operation) {
        tool_error(&export_tool, "--sizes and --operation go with --check");
        return TOOL_USAGE;
    }
    if (!s.model || !s.format_name) {
        tool_error(&export_tool,
                   "-i MODEL and --format NAME are required; see export_tuning --help");
        return TOOL_USAGE;
    }
    if (find_format(s.format_name, &s.format, &diag) != HITOP_OK) {
        return tool_bad_option(&export_tool, "--format", &diag);
    }
    result = keep_inputs(&s);
    result = result == TOOL_DONE ? run_with_validation(&s) : result;
    return result == TOOL_DONE ? tool_finish(&export_tool) : result;
}

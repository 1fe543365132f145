/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * verify_rules.c - measure rules by launches of benchmark_collective without and with their file.
 *
 * The file is beside the output while launches read it, so that all hosts that share the folder see
 * it, and is removed afterwards. Launches alternate, so that a slow change of the machine affects
 * both kinds alike.
 */
#include <config.h>

#include "tools/export/verify.h"

#include "hitop/output.h"
#include "hitop/text.h"
#include "models/results/results.h"
#include "tools/common/signals.h"
#include "tools/export/launch.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wordexp.h>

/* Room for "reduce_scatter_block:1048576,". */
enum { POINT_TEXT = 64, ARGUMENTS = 16 };

static const char benchmark_name[] = "benchmark_collective";

/* What is measured. */
struct verification {
    const struct verify_settings *settings;
    const struct export_format *format;
    const struct export_request *request;
    const struct export_rules *rules;
    struct verify_points points;
    char *file; /* the candidate, its whole name */
    char benchmark[PATH_MAX + 32];
    char list[VERIFY_POINTS * POINT_TEXT];
    wordexp_t words;
    char **argument; /* of a launch; borrows the others */
};

/* Split a command as a shell would, without commands in it. */
static enum hitop_status split(const char *command, wordexp_t *words, struct hitop_diag *diag)
{
    const char *why;

    *words = (wordexp_t){0};
    switch (wordexp(command, words, WRDE_NOCMD | WRDE_UNDEF)) {
    case 0:
        if (words->we_wordc > 0 && words->we_wordv[0][0]) {
            return HITOP_OK;
        }
        wordfree(words);
        return hitop_fail(diag, HITOP_ERR_INVALID, "the command has no words");
    case WRDE_BADCHAR:
        why = "one of |&;<>(){} or a new line without quotes";
        break;
    case WRDE_BADVAL:
        why = "a variable that is not set";
        break;
    case WRDE_CMDSUB:
        why = "a command in the command";
        break;
    case WRDE_SYNTAX:
        why = "a quote or brace without its end";
        break;
    default:
        return hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    return hitop_fail(diag, HITOP_ERR_INVALID, "'%.200s' has %s", command, why);
}

/*
 * Find benchmark_collective beside this program. The programs of a build tree are in .libs, and the
 * scripts that run them with its libraries in the folder above.
 */
static enum hitop_status find_benchmark(char *path, size_t room, struct hitop_diag *diag)
{
    static const char build[] = "/.libs";
    char self[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
    char *slash;

    self[length > 0 ? length : 0] = '\0';
    slash = strrchr(self, '/');
    if (!slash) {
        return hitop_fail(diag, HITOP_ERR_NOTFOUND, "the folder of this program is not known");
    }
    *slash = '\0';
    if ((size_t)(slash - self) > strlen(build) && strcmp(slash - strlen(build), build) == 0) {
        slash[-(ptrdiff_t)strlen(build)] = '\0';
    }
    (void)snprintf(path, room, "%s/%s", self, benchmark_name);
    if (access(path, X_OK) != 0) {
        return hitop_fail(diag, HITOP_ERR_NOTFOUND, "no program %.400s", path);
    }
    return HITOP_OK;
}

static int is_file(const char *path)
{
    struct stat st;

    return strcmp(path, "-") != 0 && (stat(path, &st) != 0 || S_ISREG(st.st_mode));
}

int verify_check(const struct tool *tool, const struct verify_settings *settings,
                 const struct export_format *format, const char *output)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    char path[PATH_MAX + 32];
    wordexp_t words;

    if (!format->variables) {
        tool_error(tool,
                   "--verify: no variables put a file of %s in force; it is for openmpi-tuned, "
                   "openmpi-tuned-json, openmpi-han and mpich-csel",
                   format->name);
        return TOOL_USAGE;
    }
    if (!is_file(output)) {
        tool_error(tool, "--verify needs -o FILE, in a folder that all hosts of the job share");
        return TOOL_USAGE;
    }
    if (split(settings->command, &words, &diag) != HITOP_OK) {
        return tool_bad_option(tool, "--verify", &diag);
    }
    wordfree(&words);
    if (find_benchmark(path, sizeof(path), &diag) != HITOP_OK) {
        tool_error(tool, "--verify: %s", diag.message);
        return TOOL_FAILED;
    }
    if (hitop_output_check(output, &diag) != HITOP_OK) {
        tool_error(tool, "%s", diag.message);
        return TOOL_FAILED;
    }
    return TOOL_DONE;
}

/* Write the candidate beside the output, for all to read as the output will be. */
static enum hitop_status write_candidate(struct verification *v, const char *output,
                                         struct hitop_diag *diag)
{
    char path[PATH_MAX];
    const mode_t mask = umask(0);
    enum hitop_status status;
    FILE *to;
    int fd;

    (void)umask(mask);
    if (snprintf(path, sizeof(path), "%s.XXXXXX", output) >= (int)sizeof(path) ||
        (fd = mkstemp(path)) < 0) {
        return hitop_fail(diag, HITOP_ERR_IO, "%s: cannot create a file beside it: %s", output,
                          strerror(errno));
    }
    v->file = realpath(path, NULL);
    (void)fchmod(fd, 0666 & ~mask);
    to = fdopen(fd, "w");
    if (!to || !v->file) {
        (void)unlink(path);
        (void)(to ? fclose(to) : close(fd));
        return hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    status = v->format->write(v->request, to, diag);
    if (fclose(to) != 0 && status == HITOP_OK) {
        status = hitop_fail(diag, HITOP_ERR_IO, "%s: cannot write: %s", path, strerror(errno));
    }
    return status;
}

/* The words of the command, and what benchmark_collective gets. */
static enum hitop_status make_arguments(struct verification *v, struct hitop_diag *diag)
{
    static char own[][16] = {"--npmin", "1000000000", "--type", "double", "-f", "json", "-q"};
    static char points[] = "--points";
    size_t n = 0, used = 0;

    for (int p = 0; p < v->points.count; p++) {
        const struct verify_point *point = &v->points.point[p];
        used +=
            (size_t)snprintf(v->list + used, sizeof(v->list) - used, "%s%s:%zu", p > 0 ? "," : "",
                             v->rules->rule[point->rule].operation->name, point->bytes);
    }
    v->argument = calloc(v->words.we_wordc + ARGUMENTS, sizeof(*v->argument));
    if (!v->argument) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    for (; n < v->words.we_wordc; n++) {
        v->argument[n] = v->words.we_wordv[n];
    }
    v->argument[n++] = v->benchmark;
    v->argument[n++] = points;
    v->argument[n++] = v->list;
    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
        v->argument[n++] = own[i];
    }
    return HITOP_OK;
}

/* Put the file in force for the launches that follow, or out of force. */
static enum hitop_status set_environment(const struct verification *v, int with,
                                         struct hitop_diag *diag)
{
    const int major = v->request->version.major;
    int failed = 0;

    for (const struct export_variable *e = v->format->variables; e->name; e++) {
        if (with && major >= e->oldest && major <= e->newest) {
            failed |= setenv(e->name, e->value ? e->value : v->file, 1) != 0;
        } else if (major >= e->oldest && major <= e->newest) {
            (void)unsetenv(e->name);
        }
    }
    return failed ? hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory") : HITOP_OK;
}

/* The time of an operation at a size, and its curve; NULL: there is none. */
static const struct results_point *find_point(const struct results *results,
                                              const struct hitop_operation *operation, size_t bytes,
                                              const struct results_curve **curve)
{
    const struct results_point *point = NULL;
    const struct hitop_operation *its;

    for (int i = 0; i < results->ncurves && !point; i++) {
        *curve = &results->curves[i];
        if (hitop_operation_find((*curve)->operation, &its, NULL) == HITOP_OK && its == operation) {
            point = hitop_results_find_point(*curve, bytes);
        }
    }
    return point;
}

/* Whether a launch had the ranks, or the hosts where only these count, that a rule is for. */
static enum hitop_status check_job(const struct verification *v, const struct export_rule *rule,
                                   const struct results_curve *curve, struct hitop_diag *diag)
{
    const int ranks = hitop_model_nranks(rule->job->model);

    if (curve->ranks == ranks || (v->format->one_per_host && curve->hosts == ranks)) {
        return HITOP_OK;
    }
    return hitop_fail(diag, HITOP_ERR_INVALID,
                      "had %d rank%s on %d host%s; the rules are for %d %s", curve->ranks,
                      curve->ranks == 1 ? "" : "s", curve->hosts, curve->hosts == 1 ? "" : "s",
                      ranks, v->format->one_per_host ? "hosts" : "ranks");
}

/* Keep the times of a launch. */
static enum hitop_status keep_times(struct verification *v, const struct results *results, int with,
                                    int launch, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    for (int p = 0; p < v->points.count && status == HITOP_OK; p++) {
        struct verify_point *point = &v->points.point[p];
        const struct export_rule *rule = &v->rules->rule[point->rule];
        const struct results_curve *curve = NULL;
        const struct results_point *at = find_point(results, rule->operation, point->bytes, &curve);
        char size[32];
        if (at && at->time.median > 0) {
            point->seconds[with][launch] = at->time.median;
            status = check_job(v, rule, curve, diag);
        } else {
            hitop_text_format_size(point->bytes, size, sizeof(size));
            status = hitop_fail(diag, HITOP_ERR_FORMAT, "has no time of %s at %s",
                                rule->operation->name, size);
        }
    }
    return status;
}

/* Read what a launch has printed; a launcher may print lines before. */
static enum hitop_status read_times(struct verification *v, char *text, size_t length, int with,
                                    int launch, struct hitop_diag *diag)
{
    const char *begin = memchr(text, '{', length);
    struct hitop_diag why = HITOP_DIAG_INIT;
    struct results *results = NULL;
    enum hitop_status status;

    if (!begin) {
        return hitop_fail(diag, HITOP_ERR_FORMAT, "printed no results of %s", benchmark_name);
    }
    if (hitop_results_parse("its output", begin, length - (size_t)(begin - text), &results, &why) !=
        HITOP_OK) {
        return hitop_fail(diag, HITOP_ERR_FORMAT, "printed no results of %s: %.300s",
                          benchmark_name, why.message);
    }
    status = keep_times(v, results, with, launch, diag);
    hitop_results_free(results);
    return status;
}

static enum hitop_status launch_once(struct verification *v, int with, int launch,
                                     struct hitop_diag *diag)
{
    const int number = 2 * launch + with + 1, all = 2 * v->settings->launches;
    const char *kind = with ? "with" : "without";
    struct hitop_diag why = HITOP_DIAG_INIT;
    enum hitop_status status = set_environment(v, with, &why);
    char *text = NULL;
    size_t length = 0;

    if (status == HITOP_OK && isatty(STDERR_FILENO)) {
        fprintf(stderr, "launch %d of %d, %s the file\n", number, all, kind);
    }
    if (status == HITOP_OK) {
        status = launch_program(v->argument, v->settings->time_limit, &text, &length, &why);
    }
    if (status == HITOP_OK) {
        status = read_times(v, text, length, with, launch, &why);
    }
    free(text);
    return status == HITOP_OK ? HITOP_OK
                              : hitop_fail(diag, status, "launch %d of %d, %s the file, %.420s",
                                           number, all, kind, why.message);
}

static enum hitop_status launch_all(struct verification *v, const char *output,
                                    struct hitop_diag *diag)
{
    enum hitop_status status = split(v->settings->command, &v->words, diag);

    if (status != HITOP_OK) {
        return status;
    }
    status = find_benchmark(v->benchmark, sizeof(v->benchmark), diag);
    if (status == HITOP_OK) {
        status = make_arguments(v, diag);
    }
    if (status == HITOP_OK) {
        status = write_candidate(v, output, diag);
    }
    for (int i = 0; i < 2 * v->settings->launches && status == HITOP_OK; i++) {
        status = launch_once(v, i % 2, i / 2, diag);
    }
    if (v->file) {
        (void)unlink(v->file);
    }
    free(v->file);
    free(v->argument);
    wordfree(&v->words);
    return status;
}

/* Judge, print, and drop. */
static int decide(const struct tool *tool, struct verification *v, struct export_rules *rules)
{
    int *is_dropped = calloc(rules->count + 1, sizeof(*is_dropped));
    int ndropped, result;

    if (!is_dropped) {
        tool_error(tool, "out of memory");
        return TOOL_FAILED;
    }
    verify_judge(&v->points, v->settings->launches);
    ndropped = verify_decide(rules, &v->points, v->settings->launches, is_dropped);
    verify_put_table(rules, &v->points, is_dropped, stdout);
    export_rules_drop(rules, is_dropped);
    free(is_dropped);
    result = tool_finish(tool);
    return result == TOOL_DONE && ndropped > 0 ? TOOL_UNTRUSTED : result;
}

int verify_rules(const struct tool *tool, const struct verify_settings *settings,
                 const struct export_format *format, const struct export_request *request,
                 struct export_rules *rules, const char *output)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct verification *v = calloc(1, sizeof(*v));
    int result = TOOL_FAILED;

    if (!v) {
        tool_error(tool, "out of memory");
        return TOOL_FAILED;
    }
    v->settings = settings;
    v->format = format;
    v->request = request;
    v->rules = rules;
    verify_choose(rules, settings->points, &v->points);
    signals_catch();
    if (v->points.count > 0 && launch_all(v, output, &diag) != HITOP_OK) {
        tool_error(tool, "--verify: %s", diag.message);
    } else {
        result = decide(tool, v, rules);
    }
    free(v);
    return result;
}

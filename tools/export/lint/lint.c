/* SPDX-License-Identifier: BSD-3-Clause */
/* lint.c - messages about tuning files, and the rules that they have. */
#include <config.h>

#include "tools/export/lint/lint.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Whether versions `from` to `to` include one of the check. */
static int concerns(const struct lint *lint, const char *from, const char *to)
{
    struct export_version limit;

    if (!lint->has_version) {
        return 1;
    }
    if (from && lint->newest.major >= 0 && export_parse_version(from, &limit) &&
        export_compare(lint->newest, limit) < 0) {
        return 0;
    }
    return !(to && export_parse_version(to, &limit) && export_compare(lint->oldest, limit) > 0);
}

/* Whether no version is between two, such as "4.1.8" and "5.0". */
static int are_neighbours(const char *before, const char *after)
{
    static const char *const pairs[][2] = {
        {"4.1.8", "5.0"}, {"5.0.10", "6.0"}, {"4.0", "4.1"}, {"4.1", "4.2"},
        {"4.2", "4.3"},   {"4.3", "5.0"},    {"6.0", "6.1"},
    };

    for (size_t i = 0; before && after && i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        if (strcmp(pairs[i][0], before) == 0 && strcmp(pairs[i][1], after) == 0) {
            return 1;
        }
    }
    return 0;
}

/* Add versions to a message. */
static int add_range(struct lint_finding *f, const char *from, const char *to)
{
    for (int i = 0; i < f->nranges; i++) {
        struct lint_range *r = &f->range[i];
        if ((!r->from && !r->to) || ((!r->from == !from && (!from || strcmp(r->from, from) == 0)) &&
                                     (!r->to == !to && (!to || strcmp(r->to, to) == 0)))) {
            return 1;
        }
        if (are_neighbours(r->to, from)) {
            r->to = to;
            return 1;
        }
        if (are_neighbours(to, r->from)) {
            r->from = from;
            return 1;
        }
    }
    if (f->nranges == LINT_MAX_RANGES) {
        return 0;
    }
    f->range[f->nranges++] = (struct lint_range){from, to};
    return 1;
}

/* Keep a message; without memory it is lost. */
static void add_finding(struct lint *lint, int line, char *text, const char *from, const char *to)
{
    for (int i = 0; i < lint->found; i++) {
        struct lint_finding *f = &lint->finding[i];
        if (f->line == line && strcmp(f->text, text) == 0 && add_range(f, from, to)) {
            free(text);
            return;
        }
    }
    if (lint->found == lint->room) {
        const int room = 2 * lint->room + 16;
        struct lint_finding *more = realloc(lint->finding, (size_t)room * sizeof(*more));
        if (!more) {
            free(text);
            return;
        }
        lint->finding = more;
        lint->room = room;
    }
    lint->finding[lint->found++] =
        (struct lint_finding){.line = line, .text = text, .range = {{from, to}}, .nranges = 1};
}

void lint_find(struct lint *lint, int line, const char *from, const char *to, const char *format,
               ...)
{
    va_list args, again;
    char *text;
    int length;

    if (!concerns(lint, from, to)) {
        return;
    }
    va_start(args, format);
    va_copy(again, args);
    length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text) {
        (void)vsnprintf(text, (size_t)length + 1, format, again);
        add_finding(lint, line, text, from, to);
    }
    va_end(again);
}

void lint_keep(struct lint *lint, const struct lint_rule *rule)
{
    if (!lint->keeps_rules) {
        return;
    }
    if (lint->nrules == lint->rules_room) {
        const size_t room = 2 * lint->rules_room + 64;
        struct lint_rule *more = realloc(lint->rule, room * sizeof(*more));
        if (!more) {
            return;
        }
        lint->rule = more;
        lint->rules_room = room;
    }
    lint->rule[lint->nrules++] = *rule;
}

void lint_says(struct lint *lint, int line, const char *oldest)
{
    if (!lint->has_version && export_parse_version(oldest, &lint->oldest)) {
        lint->has_version = 1;
        lint->newest = (struct export_version){-1, -1, -1};
        lint->says_line = line;
    }
}

void lint_says_comment(struct lint *lint, const char *text)
{
    char mark[64], version[16];
    int line = 1;

    (void)snprintf(mark, sizeof(mark), "# For %s ", lint->software);
    for (; *text && !lint->has_version; text += *text == '\n', line++) {
        const size_t n = strlen(mark);
        if (strncmp(text, mark, n) == 0) {
            (void)snprintf(version, sizeof(version), "%.*s", (int)strspn(text + n, "0123456789."),
                           text + n);
            lint_says(lint, line, version);
            lint->newest = lint->oldest;
        }
        text += strcspn(text, "\n");
    }
}

static void print_range(const struct lint_range *r, FILE *to)
{
    if (r->from && r->to) {
        fprintf(to, " %s to %s", r->from, r->to);
    } else {
        fprintf(to, " %s %s", r->from ? "from" : "up to", r->from ? r->from : r->to);
    }
}

void lint_print(const struct lint *lint, FILE *to)
{
    for (int i = 0; i < lint->found; i++) {
        const struct lint_finding *f = &lint->finding[i];
        fprintf(to, "%s:%d: %s (%s", lint->name, f->line, f->text, lint->software);
        if (!f->range[0].from && !f->range[0].to) {
            fputs(", all versions", to);
        } else {
            for (int r = 0; r < f->nranges; r++) {
                fputs(r > 0 ? "," : "", to);
                print_range(&f->range[r], to);
            }
        }
        fputs(")\n", to);
    }
}

void lint_fini(struct lint *lint)
{
    for (int i = 0; i < lint->found; i++) {
        free(lint->finding[i].text);
    }
    free(lint->finding);
    free(lint->rule);
}

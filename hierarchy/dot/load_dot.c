/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * load_dot.c - text into a cgraph graph, with cgraph's complaints caught.
 *
 * cgraph keeps its error state and its scanner in globals. This file sets what it needs before a
 * parse and puts it back afterwards; the caller sees to it that only one thread is in here. It does
 * not check its own allocations, so that running out of memory during a parse ends the program.
 */
#include <config.h>

#include "hierarchy/dot/dot_impl.h"
#include "hierarchy/dot/dot_lex.h"

#include "hitop/input.h"

#include <graphviz/cgraph.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first error of the parse at hand; the callback has no argument to carry it. */
static char caught[512];

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

void hitop_dot_lock(void)
{
    (void)pthread_mutex_lock(&one_at_a_time);
}

void hitop_dot_unlock(void)
{
    (void)pthread_mutex_unlock(&one_at_a_time);
}

/* cgraph says "Error" or "Warning" first, then what it is about: the first error is kept. */
static int catch_message(char *text)
{
    static int is_warning;
    const size_t used = strlen(caught);

    if (strcmp(text, "Error") == 0 || strcmp(text, "Warning") == 0) {
        is_warning = text[0] == 'W';
    }
    if (!is_warning && !strchr(caught, '\n')) {
        (void)snprintf(caught + used, sizeof(caught) - used, "%s", text);
    }
    return 0;
}

struct dot_shown hitop_dot_show(const char *text)
{
    struct dot_shown shown;

    (void)snprintf(shown.text, sizeof(shown.text), "%s", text);
    for (char *p = shown.text; *p; p++) {
        *p = (unsigned char)*p < ' ' || *p == 0x7f ? '?' : *p;
    }
    return shown;
}

struct reader {
    const char *text;
    size_t left;
};

static int read_text(void *channel, char *buffer, int size)
{
    struct reader *r = channel;
    const size_t bytes = r->left < (size_t)size ? r->left : (size_t)size;

    memcpy(buffer, r->text, bytes);
    r->text += bytes;
    r->left -= bytes;
    return (int)bytes;
}

/* "Error: syntax error in line 3 near ';'" becomes "file:3: syntax error near ';'". */
static enum hitop_status explain(const char *name, struct hitop_diag *diag)
{
    static const char where[] = " in line ";
    char *said = caught;
    char *at = strstr(said, where);
    char *rest = at;
    long line = 0;

    said += strncmp(said, "Error: ", 7) == 0 ? 7 : 0;
    said += said[0] == ' ' ? 1 : 0;
    for (char *p = said; *p; p++) {
        *p = (unsigned char)*p < ' ' || (unsigned char)*p >= 0x7f ? ' ' : *p;
    }
    for (size_t n = strlen(said); n > 0 && said[n - 1] == ' '; n--) {
        said[n - 1] = '\0';
    }
    if (!at) {
        return hitop_fail(diag, HITOP_ERR_FORMAT, "%s: %s", name, said);
    }
    line = strtol(at + strlen(where), &rest, 10);
    *at = '\0';
    return hitop_fail(diag, HITOP_ERR_FORMAT, "%s:%ld: %s%s", name, line, said,
                      *rest ? rest : " at the end of the file");
}

/*
 * A text that ends within a word leaves cgraph's scanner there, waiting in the next text for the rest. Such
 * a text is refused before cgraph sees it.
 */
static enum hitop_status check_words(const char *name, const char *text, size_t length,
                                     struct hitop_diag *diag)
{
    struct dot_lexer lexer = {.at = text, .end = text + length, .line = 1};
    enum hitop_status status = HITOP_OK;

    while (status == HITOP_OK && hitop_dot_lex(&lexer) != DOT_END) {
        if (lexer.is_unfinished) {
            const char first = *lexer.begin;
            status = hitop_fail(diag, HITOP_ERR_FORMAT, "%s:%d: %s", name, lexer.first_line,
                                first == '"'   ? "a quote that is not closed"
                                : first == '<' ? "'<' without its '>'"
                                               : "'/*' without its '*/'");
        }
    }
    if (status == HITOP_OK && lexer.at < lexer.end && *lexer.at == '@') {
        status =
            hitop_fail(diag, HITOP_ERR_FORMAT,
                       "%s:%d: '@' outside of quotes, where it ends a graph", name, lexer.line);
    }
    if (lexer.out_of_memory) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", name);
    }
    hitop_dot_lex_end(&lexer);
    return status;
}

static enum hitop_status check_graph(const char *name, Agraph_t *g, struct hitop_diag *diag)
{
    Agraph_t *sub = agfstsubg(g);
    const char *format = agget(g, (char[]){"format"});
    const char *version = agget(g, (char[]){"version"});

    if (!agisdirected(g)) {
        return hitop_fail(diag, HITOP_ERR_FORMAT,
                          "%s: an undirected graph; a hierarchy is a digraph with '->' edges",
                          name);
    }
    if (agisstrict(g)) {
        return hitop_fail(diag, HITOP_ERR_FORMAT,
                          "%s: a strict graph, which hides edges given twice; remove 'strict'",
                          name);
    }
    if (sub) {
        const int has_name = agnameof(sub)[0] != '%';
        return hitop_fail(
            diag, HITOP_ERR_FORMAT,
            "%s: subgraph %s%s%s: groups are nodes with edges, not subgraphs or {...}", name,
            has_name ? "\"" : "{", has_name ? hitop_dot_show(agnameof(sub)).text : "...",
            has_name ? "\"" : "}");
    }
    if (format && strcmp(format, DOT_DRAWING_FORMAT) == 0) {
        return hitop_fail(
            diag, HITOP_ERR_FORMAT,
            "%s: a drawing, which leaves things out; take the file it was made from, or "
            "make one without --depth and --max-leaves",
            name);
    }
    if (format && version && strcmp(format, DOT_FORMAT) == 0 && strcmp(version, DOT_VERSION) != 0) {
        return hitop_fail(diag, HITOP_ERR_FORMAT,
                          "%s: version \"%s\" of the format is not known; this is version %s", name,
                          hitop_dot_show(version).text, DOT_VERSION);
    }
    return HITOP_OK;
}

static Agraph_t *read_one(struct reader *reader)
{
    Agiodisc_t io = {.afread = read_text, .putstr = AgIoDisc.putstr, .flush = AgIoDisc.flush};
    Agdisc_t disc = {.mem = &AgMemDisc, .id = &AgIdDisc, .io = &io};

    return agread(reader, &disc);
}

/* Why there is no graph where one was expected. */
static enum hitop_status explain_nothing(const char *name, struct hitop_diag *diag)
{
    if (caught[0]) {
        return explain(name, diag);
    }
    return hitop_fail(diag, HITOP_ERR_FORMAT, "%s: empty: expected \"digraph NAME { ... }\"", name);
}

/* One graph and nothing after it. */
static enum hitop_status parse(const char *name, struct reader *reader, Agraph_t **out,
                               struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    Agraph_t *g = read_one(reader);
    Agraph_t *second = NULL;

    if (!g) {
        return explain_nothing(name, diag);
    }
    second = read_one(reader);
    if (second) {
        status = hitop_fail(diag, HITOP_ERR_FORMAT, "%s: more than one graph", name);
        (void)agclose(second);
        while ((second = read_one(reader))) { /* to the end of the text */
            (void)agclose(second);
        }
    } else if (caught[0]) {
        status = explain(name, diag);
    }
    if (status != HITOP_OK) {
        (void)agclose(g);
        return status;
    }
    *out = g;
    return HITOP_OK;
}

enum hitop_status hitop_dot_load(const char *name, const char *text, size_t length, Agraph_t **out,
                                 struct hitop_diag *diag)
{
    struct reader reader = {.text = text, .left = length};
    enum hitop_status status = hitop_input_check_text(name, text, length, diag);
    agusererrf old_catcher;
    agerrlevel_t old_level;

    *out = NULL;
    if (status == HITOP_OK) {
        status = check_words(name, text, length, diag);
    }
    if (status != HITOP_OK) {
        return status;
    }
    caught[0] = '\0';
    old_catcher = agseterrf(catch_message);
    old_level = agseterr(AGWARN);
    agsetfile(NULL);
    agreadline(1);
    status = parse(name, &reader, out, diag);
    if (status == HITOP_OK) {
        status = check_graph(name, *out, diag);
    }
    if (status != HITOP_OK && *out) {
        (void)agclose(*out);
        *out = NULL;
    }
    (void)agseterr(old_level);
    (void)agseterrf(old_catcher);
    return status;
}

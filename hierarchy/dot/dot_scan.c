/* SPDX-License-Identifier: BSD-3-Clause */
/* dot_scan.c - find the statements of a DOT text. */
#include <config.h>

#include "hierarchy/dot/dot_scan.h"

#include "hierarchy/dot/dot_lex.h"
#include "hierarchy/text/text_pool.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A growing text, always terminated. */
struct remark {
    char *text;
    size_t length;
};

/* A node and "", or the ends of an edge. Strings are in the scanner's pool. */
struct pair {
    const char *id[2];
};

struct pairs {
    struct pair *pair;
    int count, max;
};

struct scanner {
    struct dot_lexer lexer;
    enum dot_word word; /* the one at hand, which is no comment */
    int is_in_brackets; /* where comments belong to the statement wherever they are */

    /* of the statement that was read last, until the next one begins */
    int is_held, line, has_attrs;
    enum dot_statement_kind kind;
    struct pairs held;
    struct remark remark, next_remark;

    struct pairs side[2]; /* of an arrow, which may have several nodes: "a, b -> c" */
    struct text_pool text;
    int out_of_memory;
    void (*report)(void *data, const struct dot_statement *statement);
    void *data;
};

/* Lines of comments become lines of an attribute, without the blanks and stars around them. */
static void add_remark(struct scanner *s, struct remark *r, const char *text)
{
    static const char blanks[] = " \t\r\n*";
    char *larger = realloc(r->text, r->length + 2 * strlen(text) + 3);
    char *to;

    if (!larger) {
        s->out_of_memory = 1;
        return;
    }
    r->text = larger;
    to = larger + r->length;
    for (const char *line = text + strspn(text, blanks); *line; line += strspn(line, blanks)) {
        const size_t n = strcspn(line, "\n");
        size_t used = n;

        while (used > 0 && strchr(blanks, line[used - 1])) {
            used--;
        }
        if (to > larger && used > 0) {
            *to++ = '\\';
            *to++ = 'n';
        }
        for (size_t i = 0; i < used; i++) {
            if (line[i] == '\\') { /* which means something to Graphviz, and nothing in a comment */
                *to++ = '\\';
            }
            *to++ = line[i];
        }
        line += n;
    }
    *to = '\0';
    r->length = (size_t)(to - larger);
}

/* To the next word that is no comment. A comment on the line of the last statement belongs to that. */
static void next(struct scanner *s)
{
    const int line = s->lexer.line;

    while ((s->word = hitop_dot_lex(&s->lexer)) == DOT_COMMENT) {
        const int is_same = s->is_held && (s->is_in_brackets || s->lexer.first_line == line);
        add_remark(s, is_same ? &s->remark : &s->next_remark, s->lexer.text);
    }
}

static int is_keyword(const struct scanner *s, const char *keyword)
{
    return s->word == DOT_ATOM && !s->lexer.is_quoted && strcasecmp(s->lexer.text, keyword) == 0;
}

/* The statement is over, and so are comments about it. */
static void release(struct scanner *s)
{
    const struct remark empty = {s->remark.text, 0};

    for (int i = 0; s->is_held && i < s->held.count; i++) {
        const struct dot_statement statement = {
            .kind = s->kind,
            .line = s->line,
            .has_attrs = s->has_attrs,
            .id = {s->held.pair[i].id[0], s->held.pair[i].id[1]},
            .comment = i == 0 && s->remark.length > 0 ? s->remark.text : ""};
        s->report(s->data, &statement);
    }
    s->is_held = 0;
    s->remark = s->next_remark;
    s->next_remark = empty;
}

static void add_pair(struct scanner *s, struct pairs *pairs, const char *first, const char *second)
{
    if (pairs->count == pairs->max) {
        const int max = 2 * pairs->max + 4;
        struct pair *larger = reallocarray(pairs->pair, (size_t)max, sizeof(*larger));

        if (!larger) {
            s->out_of_memory = 1;
            return;
        }
        pairs->pair = larger;
        pairs->max = max;
    }
    pairs->pair[pairs->count++] = (struct pair){{first, second}};
}

/* A statement begins: the one before it is over. */
static void begin(struct scanner *s)
{
    release(s);
    s->is_held = 1;
    s->line = s->lexer.first_line;
    s->has_attrs = 0;
    s->kind = DOT_STATES_OTHER;
    s->held.count = 0;
}

/* An atom, with what '+' joins to it; its text in the pool. */
static const char *read_atom(struct scanner *s)
{
    struct remark whole = {0};
    const char *kept;
    int more;

    do {
        const size_t n = s->word == DOT_ATOM ? strlen(s->lexer.text) : 0;
        char *larger = realloc(whole.text, whole.length + n + 1);

        if (!larger) {
            s->out_of_memory = 1;
            break;
        }
        whole.text = larger;
        memcpy(larger + whole.length, n > 0 ? s->lexer.text : "", n);
        whole.length += n;
        larger[whole.length] = '\0';
        next(s);
        more = s->word == (enum dot_word)'+';
        if (more) {
            next(s);
        }
    } while (more && s->word == DOT_ATOM);
    kept = hitop_text_pool_keep(&s->text, whole.text);
    s->out_of_memory |= !kept;
    free(whole.text);
    return kept ? kept : "";
}

/* Nodes with commas between them; ports do not matter. */
static void read_nodes(struct scanner *s, struct pairs *nodes)
{
    nodes->count = 0;
    while (s->word == DOT_ATOM) {
        add_pair(s, nodes, read_atom(s), "");
        while (s->word == (enum dot_word)':') {
            next(s);
            (void)read_atom(s);
        }
        if (s->word != (enum dot_word)',') {
            return;
        }
        next(s);
    }
}

static void read_edges(struct scanner *s)
{
    s->kind = DOT_STATES_EDGE;
    s->held.count = 0;
    while (s->word == DOT_EDGE) {
        const struct pairs tails = s->side[0];

        next(s);
        read_nodes(s, &s->side[1]);
        for (int i = 0; i < tails.count; i++) {
            for (int k = 0; k < s->side[1].count; k++) {
                add_pair(s, &s->held, tails.pair[i].id[0], s->side[1].pair[k].id[0]);
            }
        }
        s->side[0] = s->side[1];
        s->side[1] = tails;
    }
}

static void skip_brackets(struct scanner *s)
{
    while (s->word == (enum dot_word)'[') {
        s->is_in_brackets = s->has_attrs = 1;
        while (s->word != (enum dot_word)']' && s->word != DOT_END) {
            next(s);
        }
        s->is_in_brackets = 0;
        next(s);
    }
}

static void read_statement(struct scanner *s)
{
    begin(s);
    if (is_keyword(s, "graph") || is_keyword(s, "node") || is_keyword(s, "edge")) {
        next(s);
    } else {
        read_nodes(s, &s->side[0]);
        if (s->word == (enum dot_word)'=') { /* of the graph */
            next(s);
            (void)read_atom(s);
        } else if (s->word == DOT_EDGE) {
            read_edges(s);
        } else {
            s->kind = DOT_STATES_NODE;
            for (int i = 0; i < s->side[0].count; i++) {
                add_pair(s, &s->held, s->side[0].pair[i].id[0], "");
            }
        }
    }
    if (s->kind == DOT_STATES_OTHER) {
        add_pair(s, &s->held, "", "");
    }
    skip_brackets(s);
    if (s->word == (enum dot_word)';') {
        next(s);
    }
}

/* A brace: what is said about it is said about the graph. */
static void read_brace(struct scanner *s)
{
    begin(s);
    add_pair(s, &s->held, "", "");
    next(s);
}

int hitop_dot_scan(const char *text, size_t length,
                   void (*report)(void *data, const struct dot_statement *statement), void *data)
{
    struct scanner s = {
        .lexer = {.at = text, .end = text + length, .line = 1}, .report = report, .data = data};

    next(&s);
    while (s.word != (enum dot_word)'{' && s.word != DOT_END) {
        next(&s);
    }
    read_brace(&s);
    while (s.word == DOT_ATOM && !is_keyword(&s, "subgraph")) {
        read_statement(&s);
    }
    read_brace(&s);
    read_brace(&s); /* what stands below the last one */
    release(&s);
    s.out_of_memory |= s.lexer.out_of_memory;
    hitop_dot_lex_end(&s.lexer);
    free(s.held.pair);
    free(s.side[0].pair);
    free(s.side[1].pair);
    free(s.remark.text);
    free(s.next_remark.text);
    hitop_text_pool_clear(&s.text);
    return !s.out_of_memory;
}

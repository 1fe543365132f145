/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dot_parse.c - parse DOT.
 *
 * The grammar is Graphviz's without subgraphs: lists of nodes with commas, chains of edges, ports,
 * and defaults for the nodes and edges that follow.
 */
#include <config.h>

#include "hierarchy/dot/dot_graph.h"

#include "hierarchy/dot/dot_impl.h"
#include "hierarchy/dot/dot_lex.h"

#include "hitop/input.h"
#include "src/grow.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A node in an edge or in a list of nodes. */
struct end {
    int node;
    const char *port; /* or NULL */
    int set;          /* index of its list in a chain of edges */
};

/* A comment, and what it is about. */
struct remark {
    enum hitop_attr_of of;
    int index;
    const char *text;
};

struct parser {
    const char *file;
    struct hitop_diag *diag;
    enum hitop_status status;
    struct dot_graph *g;
    struct dot_lexer lexer;
    enum dot_token token; /* the current one, no comment */

    /* the current statement */
    struct remark about;
    int is_open;        /* comments on its last line still belong to it */
    int is_in_brackets; /* all comments belong to it */
    struct dot_buffer comment, next_comment;

    struct end *end;
    int attrs; /* its attributes */
    struct remark *remark;
    int nends, max_ends, nremarks, max_remarks;
};

/* Fail unless something has failed before. */
#define REFUSE(p, ...)                                                                             \
    ((p)->status == HITOP_OK ? stop(p, hitop_fail((p)->diag, HITOP_ERR_FORMAT, __VA_ARGS__))       \
                             : (void)0)

/* End the parsing with this status. */
static void stop(struct parser *p, enum hitop_status status)
{
    p->status = status;
    p->token = DOT_END;
    p->lexer.at = p->lexer.end;
}

static void lack_memory(struct parser *p)
{
    if (p->status == HITOP_OK) {
        stop(p, hitop_fail(p->diag, HITOP_ERR_NOMEM, "%s: out of memory", p->file));
    }
}

static void refuse_token(struct parser *p)
{
    const struct dot_lexer *l = &p->lexer;
    char near[64];
    size_t n = (size_t)(l->at - l->begin);

    if (p->status != HITOP_OK) {
        return;
    }
    if (p->token == DOT_END) {
        REFUSE(p, "%s:%d: syntax error at the end of the file", p->file, l->line);
        return;
    }
    n = n < sizeof(near) ? n : sizeof(near) - 1;
    memcpy(near, l->begin, n);
    near[l->is_quoted ? 1 : n] = '\0';
    near[0] = near[0] == '<' && l->is_quoted ? '>' : near[0];
    for (char *c = near; *c; c++) {
        *c = *c < ' ' || *c > '~' ? ' ' : *c;
    }
    REFUSE(p, "%s:%d: syntax error near '%s'", p->file, l->line, near);
}

/*
 * Go to the next token that is no comment. A comment in the brackets or on the last line of a
 * statement belongs to that statement, any other one to the next statement.
 */
static void next(struct parser *p)
{
    struct dot_lexer *l = &p->lexer;
    const int line = l->line;

    do {
        p->token = hitop_dot_lex(l);
        if (p->token == DOT_COMMENT && !l->is_unfinished) {
            const int is_same = p->is_open && (p->is_in_brackets || l->first_line == line);
            hitop_dot_lex_comment(is_same ? &p->comment : &p->next_comment, l->text.text);
        }
    } while (p->token == DOT_COMMENT && !l->is_unfinished);
    if (l->text.out_of_memory || p->comment.out_of_memory || p->next_comment.out_of_memory) {
        lack_memory(p);
    } else if (l->is_unfinished) {
        REFUSE(p, "%s:%d: %s", p->file, l->first_line,
               *l->begin == '"'   ? "a quote that is not closed"
               : *l->begin == '<' ? "'<' without its '>'"
                                  : "'/*' without its '*/'");
    } else if (p->token == DOT_END && l->at < l->end && p->status == HITOP_OK) {
        REFUSE(p, "%s:%d: '@' outside of quotes, where it ends a graph", p->file, l->line);
    }
}

static int is_char(const struct parser *p, char c)
{
    return p->token == (enum dot_token)(unsigned char)c;
}

/* Go behind a character that has to be there. */
static void expect(struct parser *p, char c)
{
    if (is_char(p, c)) {
        next(p);
    } else {
        refuse_token(p);
    }
}

static int is_keyword(const struct parser *p, const char *keyword)
{
    return p->token == DOT_ATOM && !p->lexer.is_quoted &&
           strcasecmp(p->lexer.text.text, keyword) == 0;
}

static int is_atom(const struct parser *p)
{
    static const char *const keywords[] = {"node",    "edge",     "graph",
                                           "digraph", "subgraph", "strict"};

    for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++) {
        if (is_keyword(p, keywords[i])) {
            return 0;
        }
    }
    return p->token == DOT_ATOM;
}

/* An atom; '+' joins quoted ones. */
static struct dot_value read_atom(struct parser *p)
{
    struct dot_value value = {"", 0};
    int is_quoted = p->lexer.is_quoted;

    if (!is_atom(p)) {
        refuse_token(p);
        return value;
    }
    value = (struct dot_value){hitop_storage_text(&p->g->text, p->lexer.text.text),
                               *p->lexer.begin == '<'};
    next(p);
    while (is_quoted && is_char(p, '+')) {
        next(p);
        if (p->token != DOT_ATOM || !p->lexer.is_quoted) {
            refuse_token(p);
            break;
        }
        value.text = hitop_storage_print(&p->g->text, "%s%s", value.text, p->lexer.text.text);
        value.is_html = 0;
        next(p);
    }
    return value;
}

/* ":port" or ":port:compass" behind a node; NULL where there is none. */
static const char *read_port(struct parser *p)
{
    const char *port = NULL;

    for (int i = 0; i < 2 && is_char(p, ':'); i++) {
        next(p);
        port = port ? hitop_storage_print(&p->g->text, "%s:%s", port, read_atom(p).text)
                    : read_atom(p).text;
    }
    return port;
}

/* Nodes with commas between them. */
static void read_nodes(struct parser *p, struct dot_value id, int set)
{
    for (;;) {
        const int node = hitop_dot_graph_node(p->g, id);
        const char *port = read_port(p);

        if (node < 0 || !HITOP_GROW(p->end, p->nends, p->max_ends)) {
            lack_memory(p);
            return;
        }
        p->end[p->nends++] = (struct end){node, port, set};
        if (!is_char(p, ',')) {
            return;
        }
        next(p);
        id = read_atom(p);
    }
}

/* Lists in brackets. Returns 1 when there is one. */
static int read_attrs(struct parser *p)
{
    int has_attrs = 0;

    while (is_char(p, '[')) {
        p->is_in_brackets = has_attrs = 1;
        next(p);
        while (!is_char(p, ']') && p->status == HITOP_OK) {
            const char *key = read_atom(p).text;

            expect(p, '=');
            hitop_dot_graph_set(p->g, &p->attrs, key, read_atom(p));
            if (is_char(p, ';') || is_char(p, ',')) {
                next(p);
            }
        }
        p->is_in_brackets = 0;
        expect(p, ']');
    }
    return has_attrs;
}

/* Copy the attributes of the statement to another list. */
static void assign(struct parser *p, int *attrs)
{
    for (int i = p->attrs; i != DOT_NONE; i = p->g->attr[i].next) {
        hitop_dot_graph_set(p->g, attrs, p->g->keys.text[p->g->attr[i].key], p->g->attr[i].value);
    }
}

static void describe_nodes(struct parser *p, int line, int has_attrs)
{
    for (int i = 0; i < p->nends; i++) {
        struct dot_node *n = &p->g->node[p->end[i].node];

        if (has_attrs && n->has_attrs) {
            n->again = line;
        } else if (has_attrs || !n->line) {
            n->line = line;
            n->has_attrs = has_attrs;
        }
        assign(p, &p->g->node[p->end[i].node].attrs);
    }
    p->about = (struct remark){HITOP_ATTR_OF_NODE, p->end[0].node, NULL};
}

static void add_edge(struct parser *p, const struct end *tail, const struct end *head, int line)
{
    struct dot_edge *e = hitop_dot_graph_edge(p->g, tail->node, head->node, line);

    if (!e) {
        lack_memory(p);
        return;
    }
    if (tail->port) {
        hitop_dot_graph_set(p->g, &e->attrs, "tailport", (struct dot_value){tail->port, 0});
    }
    if (head->port) {
        hitop_dot_graph_set(p->g, &e->attrs, "headport", (struct dot_value){head->port, 0});
    }
    assign(p, &e->attrs);
    e->key = hitop_dot_graph_text(p->g, p->attrs, "key");
}

/* Connect every node of a list with every node of the next list. */
static void add_edges(struct parser *p, int line)
{
    int next_set = 0;

    p->about = (struct remark){HITOP_ATTR_OF_EDGE, p->g->nedges, NULL};
    for (int i = 0; i < p->nends; i++) {
        while (next_set < p->nends && p->end[next_set].set <= p->end[i].set) {
            next_set++;
        }
        for (int k = next_set;
             k < p->nends && p->end[k].set == p->end[i].set + 1 && p->status == HITOP_OK; k++) {
            add_edge(p, &p->end[i], &p->end[k], line);
        }
    }
}

/* Record the comments of the last statement and begin the next one. */
static void begin_statement(struct parser *p)
{
    struct dot_buffer done;

    if (p->comment.length > 0) {
        if (!hitop_dot_buffer_put(&p->comment, '\0') ||
            !HITOP_GROW(p->remark, p->nremarks, p->max_remarks)) {
            lack_memory(p);
            return;
        }
        p->remark[p->nremarks] = p->about;
        p->remark[p->nremarks++].text = hitop_storage_text(&p->g->text, p->comment.text);
    }
    done = p->comment;
    done.length = 0;
    p->comment = p->next_comment;
    p->next_comment = done;
    p->about = (struct remark){HITOP_ATTR_OF_GRAPH, 0, NULL};
    p->is_open = 1;
    p->nends = 0;
    p->attrs = DOT_NONE;
}

static void refuse_subgraph(struct parser *p)
{
    const char *name = NULL;

    if (is_keyword(p, "subgraph")) {
        next(p);
        name = is_atom(p) ? read_atom(p).text : NULL;
    }
    REFUSE(p, "%s: subgraph %s%s%s: groups are nodes with edges, not subgraphs or {...}", p->file,
           name ? "\"" : "{", name ? hitop_dot_show(name).text : "...", name ? "\"" : "}");
}

static int is_subgraph(const struct parser *p)
{
    return is_char(p, '{') || is_keyword(p, "subgraph");
}

/* Attributes of the graph, of all nodes or of all edges that come after. */
static void read_defaults(struct parser *p)
{
    const enum hitop_attr_of of = is_keyword(p, "graph")  ? HITOP_ATTR_OF_GRAPH
                                  : is_keyword(p, "node") ? HITOP_ATTR_OF_NODE
                                                          : HITOP_ATTR_OF_EDGE;

    next(p);
    if (!read_attrs(p)) {
        refuse_token(p);
    }
    assign(p, &p->g->attrs[of]);
}

static void read_statement(struct parser *p)
{
    const int line = p->lexer.first_line;
    struct dot_value first;
    int nsets = 1, has_attrs;

    begin_statement(p);
    if (is_subgraph(p)) {
        refuse_subgraph(p);
    } else if (is_keyword(p, "graph") || is_keyword(p, "node") || is_keyword(p, "edge")) {
        read_defaults(p);
    } else {
        first = read_atom(p);
        if (is_char(p, '=')) {
            next(p);
            hitop_dot_graph_set(p->g, &p->g->attrs[HITOP_ATTR_OF_GRAPH], first.text, read_atom(p));
        } else if (p->status == HITOP_OK) {
            read_nodes(p, first, 0);
            while (p->token == DOT_EDGE) {
                next(p);
                if (is_subgraph(p)) {
                    refuse_subgraph(p);
                } else {
                    read_nodes(p, read_atom(p), nsets++);
                }
            }
            has_attrs = read_attrs(p);
            if (p->status == HITOP_OK && nsets > 1) {
                add_edges(p, line);
            } else if (p->status == HITOP_OK) {
                describe_nodes(p, line, has_attrs);
            }
        }
    }
    if (is_char(p, ';')) {
        next(p);
    }
}

/* "digraph name {" */
static void read_head(struct parser *p)
{
    const int is_strict = is_keyword(p, "strict");

    if (p->token == DOT_END && p->status == HITOP_OK) {
        REFUSE(p, "%s: empty: expected \"digraph NAME { ... }\"", p->file);
    }
    if (is_strict) {
        next(p);
    }
    if (is_keyword(p, "graph")) {
        REFUSE(p, "%s: an undirected graph; a hierarchy is a digraph with '->' edges", p->file);
    } else if (!is_keyword(p, "digraph")) {
        refuse_token(p);
    } else if (is_strict) {
        REFUSE(p, "%s: a strict graph, which hides edges given twice; remove 'strict'", p->file);
    }
    next(p);
    if (is_atom(p)) {
        p->g->name = read_atom(p).text;
    }
    if (!is_char(p, '{')) {
        refuse_token(p);
    }
}

/* The graph and nothing after it. Comments at its braces are comments about it. */
static void read_graph(struct parser *p)
{
    next(p);
    read_head(p);
    begin_statement(p);
    next(p);
    while (!is_char(p, '}') && p->status == HITOP_OK) {
        read_statement(p);
    }
    begin_statement(p);
    expect(p, '}');
    if (is_keyword(p, "strict") || is_keyword(p, "graph") || is_keyword(p, "digraph")) {
        REFUSE(p, "%s: more than one graph", p->file);
    } else if (p->token != DOT_END) {
        refuse_token(p);
    }
    begin_statement(p); /* comments below the last brace */
    begin_statement(p);
}

/* Append a comment to the attribute "comment" of its owner. */
static void add_remark(struct dot_graph *g, const struct remark *r)
{
    int *attrs = r->of == HITOP_ATTR_OF_NODE   ? &g->node[r->index].attrs
                 : r->of == HITOP_ATTR_OF_EDGE ? &g->edge[r->index].attrs
                                               : &g->attrs[HITOP_ATTR_OF_GRAPH];
    const char *old = hitop_dot_graph_text(g, *attrs, "comment");
    const char *both = hitop_storage_print(&g->text, "%s%s%s", old, old[0] ? "\\n" : "", r->text);

    hitop_dot_graph_set(g, attrs, "comment", (struct dot_value){both, 0});
}

/* Refuse drawings and unknown versions by the attributes of the graph. */
static void check_format(struct parser *p)
{
    const int attrs = p->g->attrs[HITOP_ATTR_OF_GRAPH];
    const char *format = hitop_dot_graph_text(p->g, attrs, "format");
    const struct dot_value *version = hitop_dot_graph_find(p->g, attrs, "version");

    if (strcmp(format, DOT_DRAWING_FORMAT) == 0) {
        REFUSE(p,
               "%s: a drawing, which leaves things out; use the file it was made from, or "
               "make one without --depth and --max-leaves",
               p->file);
    } else if (version && strcmp(format, DOT_FORMAT) == 0 &&
               strcmp(version->text, DOT_VERSION) != 0) {
        REFUSE(p, "%s: version \"%s\" of the format is not known; this is version %s", p->file,
               hitop_dot_show(version->text).text, DOT_VERSION);
    }
}

enum hitop_status hitop_dot_graph_parse(struct dot_graph *g, const char *file, const char *text,
                                        size_t length, struct hitop_diag *diag)
{
    struct parser p = {.file = file, .diag = diag, .g = g};

    *g = (struct dot_graph){.attrs = {DOT_NONE, DOT_NONE, DOT_NONE}};
    p.lexer = (struct dot_lexer){.at = text, .end = text + length, .line = 1};
    p.status = hitop_input_check_text(file, text, length, diag);
    if (p.status == HITOP_OK) {
        read_graph(&p);
    }
    for (int i = 0; i < p.nremarks && p.status == HITOP_OK; i++) {
        add_remark(g, &p.remark[i]);
    }
    if (g->text.out_of_memory) {
        lack_memory(&p);
    }
    check_format(&p);
    hitop_dot_lex_end(&p.lexer);
    free(p.comment.text);
    free(p.next_comment.text);
    free(p.end);
    free(p.remark);
    return p.status;
}

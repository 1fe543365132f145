/* SPDX-License-Identifier: BSD-3-Clause */
/* dot_lex.c - split a DOT text into tokens as Graphviz does. */
#include <config.h>

#include "hierarchy/dot/dot_lex.h"

#include "hierarchy/text/digit.h"

#include "src/grow.h"

#include <stdlib.h>
#include <string.h>

int hitop_dot_buffer_put(struct dot_buffer *b, char c)
{
    if (b->out_of_memory || !HITOP_GROW(b->text, b->length, b->max)) {
        b->out_of_memory = 1;
        return 0;
    }
    b->text[b->length++] = c;
    return 1;
}

/* Append the next character to the token. */
static char append(struct dot_lexer *l)
{
    const char c = *l->at++;

    l->line += c == '\n';
    (void)hitop_dot_buffer_put(&l->text, c);
    return c;
}

static char peek(const struct dot_lexer *l, size_t ahead)
{
    return (size_t)(l->end - l->at) > ahead ? l->at[ahead] : '\0';
}

static int is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

static int begins_number(const struct dot_lexer *l)
{
    const size_t sign = peek(l, 0) == '-';
    const size_t dot = peek(l, sign) == '.';

    return is_digit(peek(l, sign + dot));
}

static void lex_number(struct dot_lexer *l)
{
    int dots = 0;

    do {
        dots += append(l) == '.';
    } while (is_digit(peek(l, 0)) || (peek(l, 0) == '.' && dots == 0));
}

static void lex_name(struct dot_lexer *l)
{
    while (is_letter(peek(l, 0)) || is_digit(peek(l, 0))) {
        (void)append(l);
    }
}

/* \" is a quote and a backslash at the end of a line joins two lines; the rest stays as it is. */
static void lex_string(struct dot_lexer *l)
{
    l->is_quoted = 1;
    l->at++;
    while (l->at < l->end && *l->at != '"') {
        const char after = peek(l, 1);

        if (*l->at == '\\' && after == '\n') {
            l->at += 2;
            l->line++;
        } else if (*l->at == '\\' && after == '"') {
            l->at++;
            (void)append(l);
        } else {
            if (*l->at == '\\' && after == '\\') {
                (void)append(l);
            }
            (void)append(l);
        }
    }
    l->is_unfinished = l->at == l->end;
    l->at += l->at < l->end;
}

static void lex_html(struct dot_lexer *l)
{
    int depth = 1;

    l->is_quoted = 1;
    l->at++;
    while (l->at < l->end && depth > 0) {
        depth += *l->at == '<';
        depth -= *l->at == '>';
        if (depth > 0) {
            (void)append(l);
        }
        l->at += depth == 0;
    }
    l->is_unfinished = depth > 0;
}

static void lex_comment_line(struct dot_lexer *l)
{
    l->at += *l->at == '#' ? 1 : 2;
    while (l->at < l->end && *l->at != '\n') {
        (void)append(l);
    }
}

static void lex_comment_block(struct dot_lexer *l)
{
    l->at += 2;
    while (l->at < l->end && !(*l->at == '*' && peek(l, 1) == '/')) {
        (void)append(l);
    }
    l->is_unfinished = l->at == l->end;
    l->at += l->is_unfinished ? 0 : 2;
}

static enum dot_token lex_token(struct dot_lexer *l)
{
    const char c = *l->at, after = peek(l, 1);

    if (c == '"') {
        lex_string(l);
    } else if (c == '<') {
        lex_html(l);
    } else if (is_letter(c)) {
        lex_name(l);
    } else if (begins_number(l)) {
        lex_number(l);
    } else if (c == '#' || (c == '/' && after == '/')) {
        lex_comment_line(l);
        return DOT_COMMENT;
    } else if (c == '/' && after == '*') {
        lex_comment_block(l);
        return DOT_COMMENT;
    } else if (c == '-' && (after == '>' || after == '-')) {
        l->at += 2;
        return after == '>' ? DOT_EDGE : (enum dot_token)'-';
    } else {
        l->at++;
        return (enum dot_token)(unsigned char)c;
    }
    return DOT_ATOM;
}

static void skip_blanks(struct dot_lexer *l)
{
    while (l->at < l->end) {
        if (strchr(" \t\r\n", *l->at) && *l->at) {
            l->line += *l->at++ == '\n';
        } else if (l->end - l->at >= 3 && memcmp(l->at, "\xef\xbb\xbf", 3) == 0 &&
                   !is_letter(peek(l, 3)) && !is_digit(peek(l, 3))) { /* a byte order mark */
            l->at += 3;
        } else {
            return;
        }
    }
}

enum dot_token hitop_dot_lex(struct dot_lexer *l)
{
    enum dot_token token;

    skip_blanks(l);
    l->text.length = 0;
    l->is_quoted = l->is_unfinished = 0;
    l->first_line = l->line;
    l->begin = l->at;
    if (l->at == l->end || *l->at == '@' || !*l->at) { /* '@' ends a text, too */
        return DOT_END;
    }
    token = lex_token(l);
    return hitop_dot_buffer_put(&l->text, '\0') ? token : DOT_END;
}

void hitop_dot_lex_end(struct dot_lexer *l)
{
    free(l->text.text);
    l->text = (struct dot_buffer){0};
}

void hitop_dot_lex_comment(struct dot_buffer *to, const char *text)
{
    static const char blanks[] = " \t\r\n*";
    size_t n;

    for (const char *line = text + strspn(text, blanks); *line;
         line += n, line += strspn(line, blanks)) {
        size_t used = n = strcspn(line, "\n");

        while (used > 0 && strchr(blanks, line[used - 1])) {
            used--;
        }
        for (int i = 0; to->length > 0 && used > 0 && i < 2; i++) {
            (void)hitop_dot_buffer_put(to, "\\n"[i]);
        }
        for (size_t i = 0; i < used; i++) {
            if (line[i] == '\\') { /* Graphviz would read it as an escape */
                (void)hitop_dot_buffer_put(to, '\\');
            }
            (void)hitop_dot_buffer_put(to, line[i]);
        }
    }
}

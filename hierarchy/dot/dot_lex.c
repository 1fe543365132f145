/* SPDX-License-Identifier: BSD-3-Clause */
/* dot_lex.c - take a DOT text apart into words, as cgraph does. */
#include <config.h>

#include "hierarchy/dot/dot_lex.h"

#include "hierarchy/text/digit.h"

#include <stdlib.h>
#include <string.h>

static void put(struct dot_lexer *l, char c)
{
    if (l->length == l->size) {
        char *larger = l->out_of_memory ? NULL : realloc(l->text, 2 * l->size + 64);

        if (!larger) {
            l->out_of_memory = 1;
            return;
        }
        l->text = larger;
        l->size = 2 * l->size + 64;
    }
    l->text[l->length++] = c;
}

/* The next character, which becomes part of the word. */
static char take(struct dot_lexer *l)
{
    const char c = *l->at++;

    l->line += c == '\n';
    put(l, c);
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
        dots += take(l) == '.';
    } while (is_digit(peek(l, 0)) || (peek(l, 0) == '.' && dots == 0));
}

static void lex_name(struct dot_lexer *l)
{
    while (is_letter(peek(l, 0)) || is_digit(peek(l, 0))) {
        (void)take(l);
    }
}

/* \" is a quote, a backslash at the end of a line joins it with the next; nothing else is changed. */
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
            (void)take(l);
        } else {
            if (*l->at == '\\' && after == '\\') {
                (void)take(l);
            }
            (void)take(l);
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
            (void)take(l);
        }
        l->at += depth == 0;
    }
    l->is_unfinished = depth > 0;
}

static void lex_comment_line(struct dot_lexer *l)
{
    l->at += *l->at == '#' ? 1 : 2;
    while (l->at < l->end && *l->at != '\n') {
        (void)take(l);
    }
}

static void lex_comment_block(struct dot_lexer *l)
{
    l->at += 2;
    while (l->at < l->end && !(*l->at == '*' && peek(l, 1) == '/')) {
        (void)take(l);
    }
    l->is_unfinished = l->at == l->end;
    l->at += l->is_unfinished ? 0 : 2;
}

static enum dot_word lex_word(struct dot_lexer *l)
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
        return DOT_EDGE;
    } else {
        l->at++;
        return (enum dot_word)(unsigned char)c;
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

enum dot_word hitop_dot_lex(struct dot_lexer *l)
{
    enum dot_word word;

    skip_blanks(l);
    l->length = 0;
    l->is_quoted = l->is_unfinished = 0;
    l->first_line = l->line;
    l->begin = l->at;
    if (l->at == l->end || *l->at == '@' || !*l->at) { /* '@' is how cgraph spells the end */
        return DOT_END;
    }
    word = lex_word(l);
    put(l, '\0');
    return l->out_of_memory ? DOT_END : word;
}

void hitop_dot_lex_end(struct dot_lexer *l)
{
    free(l->text);
    l->text = NULL;
}

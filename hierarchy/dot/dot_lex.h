/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DOT_LEX_H
#define DOT_LEX_H

/* dot_lex.h - the tokens of a DOT text, with their lines. */

#include <stddef.h>

/* Kinds of tokens; punctuation is its own character. */
enum dot_token {
    DOT_END = 0,
    DOT_ATOM = 'a',    /* name, number, "string" or <text> */
    DOT_EDGE = 'e',    /* -> */
    DOT_COMMENT = '#', /* of any of the three kinds */
};

/* A growing text. All zero is empty. */
struct dot_buffer {
    char *text;
    int length, max;
    int out_of_memory; /* sticky */
};

/* Append a character; returns 0 when out of memory. */
int hitop_dot_buffer_put(struct dot_buffer *b, char c);

/* The caller sets at, end and line; all other members are zero at first. */
struct dot_lexer {
    const char *at, *end;
    int line; /* of at */

    /* the current token */
    const char *begin;      /* where it begins in the text */
    struct dot_buffer text; /* of an atom or a comment, with '\0'; valid until the next token */
    int first_line;
    int is_quoted;     /* 1: "string" or <text>, which is no keyword */
    int is_unfinished; /* 1: the text ends inside the token */
};

enum dot_token hitop_dot_lex(struct dot_lexer *lexer);

void hitop_dot_lex_end(struct dot_lexer *lexer);

/*
 * Append the text of a comment to that of an attribute, line by line, without the blanks and stars
 * around lines.
 */
void hitop_dot_lex_comment(struct dot_buffer *to, const char *text);

#endif /* DOT_LEX_H */

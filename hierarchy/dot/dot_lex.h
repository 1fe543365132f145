/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DOT_LEX_H
#define DOT_LEX_H

/*
 * dot_lex.h - the words of a DOT text, with their lines.
 *
 * For what cgraph does not tell: where something stands, and what comments say. It never refuses; a text
 * that ends within a word just ends.
 */

#include <stddef.h>

/* What a word is; punctuation is its own character. */
enum dot_word {
    DOT_END = 0,
    DOT_ATOM = 'a',    /* name, number, "string" or <text> */
    DOT_EDGE = '>',    /* -> or -- */
    DOT_COMMENT = '#', /* of either of the three kinds */
};

/* Set at, end and line; the rest is 0 at first. */
struct dot_lexer {
    const char *at, *end;
    int line; /* of at */

    /* the word at hand */
    const char *begin; /* where it stands in the text */
    char *text;        /* what an atom or comment says; valid until the next word */
    int first_line;
    int is_quoted;     /* an atom that is no keyword whatever it says */
    int is_unfinished; /* the text ends before the word does */

    size_t length, size; /* of text */
    int out_of_memory;   /* sticky; words have no text then */
};

enum dot_word hitop_dot_lex(struct dot_lexer *lexer);

void hitop_dot_lex_end(struct dot_lexer *lexer);

#endif /* DOT_LEX_H */

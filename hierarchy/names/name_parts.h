/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef NAME_PARTS_H
#define NAME_PARTS_H

/*
 * name_parts.h - a host name as the words and numbers that people read in it.
 *
 * della-r1c2n16 has the word "della" and the numbers "r1", "c2", "n16". A number is its digits with
 * the letters in front of them. Letters behind digits are parts of their own where no digits follow
 * them.
 */

#include <stddef.h>

enum { NAME_PARTS = 32 };

enum name_part_kind {
    NAME_WORD,   /* letters between separators */
    NAME_NUMBER, /* digits, with letters in front or without */
    NAME_LETTERS /* letters that follow digits, before a separator or at the end */
};

/* Positions in the name. */
struct name_part {
    enum name_part_kind kind;
    size_t begin, digits, end; /* digits: where they begin; end where there are none */
    int starts_field;          /* 1 behind a separator and at the beginning */
    int place;                 /* 0, or the greater the farther inside: "row" before "rack" */
    const char *level;         /* "rack", ... for places; constant */
};

/* Neither a letter nor a digit. Bytes of other alphabets count as letters. */
int hitop_name_is_separator(char c);

/*
 * Split the first length characters of a name in lower case; returns the number of parts. A place
 * is a number or, where it is called by a letter (rack-a, rowb), a word.
 */
int hitop_name_parts_split(const char *name, size_t length, struct name_part *part);

#endif /* NAME_PARTS_H */

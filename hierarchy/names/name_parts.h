/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef NAME_PARTS_H
#define NAME_PARTS_H

/*
 * name_parts.h - the words and numbers of a host name.
 *
 * della-r1c2n16 has the word "della" and the numbers "r1", "c2", "n16". A number includes the
 * letters in front of its digits. Letters behind digits are a separate part if no digits follow.
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
    size_t begin, digits, end; /* digits: begin of the digits, or end */
    int starts_field;          /* 1: at the beginning or behind a separator */
    int place;                 /* 0: no place; larger for inner places: 3 for "row", 4 for "rack" */
    const char *level;         /* "rack", ... for places; constant */
};

/* 1 for a character that is neither letter nor digit. Bytes that are not ASCII count as letters. */
int hitop_name_is_separator(char c);

/*
 * Split the first length characters of a name in lower case; returns the number of parts. A place
 * with a number (rack-1) is of kind NAME_NUMBER, a place with a letter (rack-a, rowb) NAME_WORD.
 */
int hitop_name_parts_split(const char *name, size_t length, struct name_part *part);

#endif /* NAME_PARTS_H */

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef NAME_EVIDENCE_H
#define NAME_EVIDENCE_H

/*
 * name_evidence.h - what pieces of names that stand behind the same text have in common.
 *
 * The signature of a piece is the piece with one digit as good as another: all hosts of c01n1 to
 * c99n9 have one.
 */

#include <stddef.h>

/* A name of a set. */
struct set_name {
    char *text;     /* lower case, without domain and interface; lent */
    size_t length;  /* of what people can read; all of it at first */
    int has_random; /* 1: something was taken out that tells hosts apart and nothing else */
};

/* A piece that might be made up. */
struct name_piece {
    struct set_name *name;
    size_t begin, length;
};

/* About pieces of one length. */
struct name_evidence {
    int n;
    int shapes;      /* ways in which runs of digits and of letters take turns */
    int begins;      /* bit 0: some begin with a letter; bit 1: with a digit */
    int signatures;  /* different ones */
    int same;        /* 1: some are equal */
    int letters;     /* with letters */
    int restless;    /* with digits and letters in turn, three times at least */
    int hexadecimal; /* 1: all are */
};

const char *hitop_name_piece_text(const struct name_piece *p);

/* 1 when letters follow digits in none of them. */
int hitop_name_pieces_are_plain(const struct name_piece *p, int n);

/* Those of one length behind the same text come together. */
void hitop_name_pieces_sort(struct name_piece *p, int n);

/* How many of n sorted pieces belong together with the first one. n at least 1. */
int hitop_name_pieces_count(const struct name_piece *p, int n);

/* About sorted pieces that belong together. */
struct name_evidence hitop_name_evidence_collect(const struct name_piece *p, int n);

#endif /* NAME_EVIDENCE_H */

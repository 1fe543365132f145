/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef NAME_EVIDENCE_H
#define NAME_EVIDENCE_H

/*
 * name_evidence.h - statistics about pieces of names that follow the same text.
 *
 * The signature of a piece is the piece with all digits replaced by 0: c01n1 to c99n9 have one
 * signature.
 */

#include <stddef.h>

/* A name of a set. */
struct set_name {
    char *text;     /* lower case, without domain and interface; lent */
    size_t length;  /* without removed random text */
    int has_random; /* 1: random text was removed, which only distinguishes hosts */
};

/* A piece that may be random. */
struct name_piece {
    struct set_name *name;
    size_t begin, length;
};

/* Statistics of pieces of one length. */
struct name_evidence {
    int n;
    int shapes;      /* number of different sequences of runs of digits and letters */
    int begins;      /* bit 0: some begin with a letter; bit 1: with a digit */
    int signatures;  /* number of different ones */
    int same;        /* 1: some pieces are equal */
    int letters;     /* number of pieces with letters */
    int restless;    /* number of pieces with at least three runs of digits and letters */
    int hexadecimal; /* 1: all are */
};

const char *hitop_name_piece_text(const struct name_piece *p);

/* 1 if in no piece letters follow digits. */
int hitop_name_pieces_are_plain(const struct name_piece *p, int n);

/* Sort: pieces of one length that follow the same text are contiguous. */
void hitop_name_pieces_sort(struct name_piece *p, int n);

/*
 * Number of sorted pieces that follow the same text as the first one and have its length. n at
 * least 1.
 */
int hitop_name_pieces_count(const struct name_piece *p, int n);

/* The statistics of n such pieces. */
struct name_evidence hitop_name_evidence_collect(const struct name_piece *p, int n);

#endif /* NAME_EVIDENCE_H */

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * word.c - compare names without regard to case and separators, and find the name nearest to a
 * misspelled one.
 *
 * Idea:  the distance of two words is the optimal string alignment distance: the number of letters
 *        that are missing, additional or wrong, or exchanged with their neighbour.
 */
#include <config.h>

#include "hitop/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 64 };

static int min3(int a, int b, int c)
{
    const int ab = a < b ? a : b;

    return ab < c ? ab : c;
}

int hitop_text_distance(const char *a, const char *b, int limit)
{
    const int n = (int)strnlen(a, LONGEST + 1), m = (int)strnlen(b, LONGEST + 1);
    int row[3][LONGEST + 1]; /* [0] is the current row, then those before it */

    if (n > LONGEST || m > LONGEST || abs(n - m) > limit) {
        return limit + 1;
    }
    for (int k = 0; k <= m; k++) {
        row[0][k] = k;
    }
    for (int i = 1; i <= n; i++) {
        memcpy(row[2], row[1], sizeof(row[2]));
        memcpy(row[1], row[0], sizeof(row[1]));
        row[0][0] = i;
        for (int k = 1; k <= m; k++) {
            row[0][k] =
                min3(row[1][k] + 1, row[0][k - 1] + 1, row[1][k - 1] + (a[i - 1] != b[k - 1]));
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1] &&
                row[2][k - 2] + 1 < row[0][k]) {
                row[0][k] = row[2][k - 2] + 1;
            }
        }
    }
    return row[0][m] <= limit ? row[0][m] : limit + 1;
}

void hitop_text_plain_name(const char *name, char *out, size_t length)
{
    size_t n = 0;

    for (; *name && n + 1 < length; name++) {
        if (!strchr("-_ ", *name)) {
            out[n++] = (char)tolower((unsigned char)*name);
        }
    }
    out[n] = '\0';
}

int hitop_text_same_name(const char *a, const char *b)
{
    char x[LONGEST + 2], y[LONGEST + 2];

    hitop_text_plain_name(a, x, sizeof(x));
    hitop_text_plain_name(b, y, sizeof(y));
    return strcmp(x, y) == 0;
}

/* The largest distance of a suggestion: a third of the letters, at least one. */
static int limit_of(const char *plain)
{
    const int third = (int)strlen(plain) / 3;

    return third > 1 ? third : 1;
}

const char *hitop_text_nearer(const char *word, const char *name, const char *best)
{
    char w[LONGEST + 2], n[LONGEST + 2], b[LONGEST + 2];
    int distance;

    hitop_text_plain_name(word, w, sizeof(w));
    hitop_text_plain_name(name, n, sizeof(n));
    distance = hitop_text_distance(w, n, limit_of(n));
    if (distance > limit_of(n)) {
        return best;
    }
    hitop_text_plain_name(best ? best : "", b, sizeof(b));
    return !best || distance < hitop_text_distance(w, b, limit_of(b)) ? name : best;
}

void hitop_text_meant(const char *name, char *out, size_t length)
{
    const char *const parts[] = {" (did you mean ", name, "?)"};

    out[0] = '\0';
    for (size_t i = 0; name && i < 3; i++) {
        strncat(out, parts[i], length - strlen(out) - 1);
    }
}

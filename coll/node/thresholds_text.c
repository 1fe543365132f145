/* SPDX-License-Identifier: BSD-3-Clause */
/* thresholds_text.c - settings of thresholds.h as people read and write them. */
#include <config.h>

#include "coll/node/thresholds.h"

#include "hitop/text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/*
 * The way from a size on, or never; up to one, or any; pieces of one length, or of several by the length of the message;
 * a number. Lengths and the least sizes are `least`, or more.
 */
enum kind { FROM, UP_TO, STEP, PIECES, COUNT };

#define ROW(name, kind, member, least)                                                             \
    {                                                                                              \
        name, kind, offsetof(struct hitop_thresholds, member), least                               \
    }

static const struct setting {
    const char *name;
    enum kind kind;
    size_t at, least;
} settings[] = {
    ROW("barrier-lines-to", COUNT, barrier_lines_to, 0),
    ROW("fragment", PIECES, fragment, 1024),
    ROW("pull-from", FROM, pull_from, 1024),
    ROW("pull-row-from", FROM, pull_row_from, 1024),
    ROW("chunk", PIECES, chunk, 16384), /* some millions of which can be counted */
    ROW("mirror-from", FROM, mirror_from, 1024),
    ROW("patience", COUNT, patience, 1),
    ROW("gather-step", STEP, gather_step, 1024),
    ROW("scatter-step", STEP, scatter_step, 1024),
    ROW("gather-hand-from", FROM, gather_hand_from, 1024),
    ROW("scatter-hand-from", FROM, scatter_hand_from, 1024),
    ROW("hand-chunk", PIECES, hand_chunk, 16384),
    ROW("leave-to", UP_TO, leave_to, 0),
    ROW("allgather-direct-from", FROM, allgather_direct_from, 1024),
    ROW("alltoall-direct-from", FROM, alltoall_direct_from, 1024),
    ROW("reduce-part", PIECES, reduce_part, 1024),
    ROW("allreduce-part", PIECES, allreduce_part, 1024),
    ROW("share-from", FROM, share_from, 1024),
    ROW("reduce-direct-from", FROM, reduce_direct_from, 1024),
    ROW("allreduce-direct-from", FROM, allreduce_direct_from, 1024),
};

enum { NSETTINGS = sizeof(settings) / sizeof(settings[0]), SIZE_TEXT = 32 };

/* Lengths of pieces are multiples of this, so that every element and every cache line is in one of them. */
enum { PIECE_UNIT = 1024, PIECE_MOST = 1 << 30, COUNT_MOST = 1000000 };

static void *member(struct hitop_thresholds *row, int n)
{
    return (char *)row + settings[n].at;
}

static const void *value_of(const struct hitop_thresholds *row, int n)
{
    return (const char *)row + settings[n].at;
}

const char *hitop_thresholds_name(int n)
{
    return n >= 0 && n < NSETTINGS ? settings[n].name : NULL;
}

/* SIZE_MAX has a word. */
static void put_size(size_t bytes, const char *all, FILE *to)
{
    char text[SIZE_TEXT];

    if (bytes == SIZE_MAX) {
        (void)fputs(all, to);
    } else {
        hitop_text_format_size(bytes, text, sizeof(text));
        (void)fputs(text, to);
    }
}

static void put_pieces(const struct hitop_piece *list, FILE *to)
{
    for (int i = 0; i == 0 || list[i - 1].up_to != SIZE_MAX; i++) {
        (void)fputs(i ? " " : "", to);
        put_size(list[i].up_to, "any", to);
        (void)fputc(':', to);
        put_size(list[i].bytes, "any", to);
    }
}

void hitop_thresholds_put_one(const struct hitop_thresholds *row, int n, FILE *to)
{
    const void *value = value_of(row, n);
    int count;
    size_t bytes;

    fprintf(to, "%s ", settings[n].name);
    switch (settings[n].kind) {
    case PIECES:
        put_pieces(value, to);
        break;
    case COUNT:
        memcpy(&count, value, sizeof(count));
        fprintf(to, "%d", count);
        break;
    default:
        memcpy(&bytes, value, sizeof(bytes));
        put_size(bytes, settings[n].kind == FROM ? "never" : "any", to);
        break;
    }
}

void hitop_thresholds_put(const struct hitop_thresholds *row, const char *between, FILE *to)
{
    for (int n = 0; n < NSETTINGS; n++) {
        (void)fputs(n ? between : "", to);
        hitop_thresholds_put_one(row, n, to);
    }
}

static enum hitop_status read_size(const char *text, const char *all, size_t least, size_t *out,
                                   struct hitop_diag *diag)
{
    char size[SIZE_TEXT];

    if (strcmp(text, all) == 0) {
        *out = SIZE_MAX;
        return HITOP_OK;
    }
    if (hitop_text_size(text, out, NULL) == HITOP_OK && *out >= least) {
        return HITOP_OK;
    }
    hitop_text_format_size(least, size, sizeof(size));
    return hitop_fail(diag, HITOP_ERR_FORMAT, "'%.64s': neither a size from %s on nor '%s'", text,
                      size, all);
}

static enum hitop_status read_length(const char *text, size_t least, size_t *out,
                                     struct hitop_diag *diag)
{
    char size[SIZE_TEXT];

    if (hitop_text_size(text, out, NULL) == HITOP_OK && *out >= least && *out <= PIECE_MOST &&
        *out % PIECE_UNIT == 0) {
        return HITOP_OK;
    }
    hitop_text_format_size(least, size, sizeof(size));
    return hitop_fail(diag, HITOP_ERR_FORMAT, "'%.64s': not a multiple of 1KiB in %s..1GiB", text,
                      size);
}

/* UP_TO:LENGTH, of which the last UP_TO is any. */
static enum hitop_status read_pieces(char *text, size_t least, struct hitop_piece *out,
                                     struct hitop_diag *diag)
{
    struct hitop_piece list[HITOP_PIECES] = {{0, 0}};
    char *rest = NULL, *word = strtok_r(text, " \t", &rest);
    size_t end = 0;

    for (int i = 0; word && end != SIZE_MAX; i++, word = strtok_r(NULL, " \t", &rest)) {
        char *length = strchr(word, ':');
        enum hitop_status status;

        if (i == HITOP_PIECES) {
            return hitop_fail(diag, HITOP_ERR_FORMAT, "more than %d pieces", HITOP_PIECES);
        }
        if (!length) {
            return hitop_fail(diag, HITOP_ERR_FORMAT, "'%.64s': not UP_TO:LENGTH", word);
        }
        *length++ = '\0';
        status = read_size(word, "any", end + 1, &list[i].up_to, diag);
        if (status == HITOP_OK) {
            status = read_length(length, least, &list[i].bytes, diag);
        }
        if (status != HITOP_OK) {
            return status;
        }
        end = list[i].up_to;
    }
    if (end != SIZE_MAX || word) {
        return hitop_fail(diag, HITOP_ERR_FORMAT,
                          word ? "'%.64s' behind pieces for 'any'" : "the last piece is for 'any'",
                          word);
    }
    memcpy(out, list, sizeof(list));
    return HITOP_OK;
}

enum hitop_status hitop_thresholds_set(struct hitop_thresholds *row, int n, char *value,
                                       struct hitop_diag *diag)
{
    const struct setting *s = &settings[n];
    size_t *size = member(row, n);

    switch (s->kind) {
    case PIECES:
        return read_pieces(value, s->least, member(row, n), diag);
    case COUNT:
        return hitop_text_int(value, (int)s->least, COUNT_MOST, member(row, n), diag);
    case STEP:
        return read_length(value, s->least, size, diag);
    case UP_TO:
        return read_size(value, "any", s->least, size, diag);
    default:
        return read_size(value, "never", s->least, size, diag);
    }
}

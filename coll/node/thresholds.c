/* SPDX-License-Identifier: BSD-3-Clause */
/* thresholds.c - the table of thresholds, and the parser and printer of files that replace it. */
#include <config.h>

#include "coll/node/thresholds.h"

#include "hitop/input.h"
#include "hitop/text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define KIB(n) ((size_t)(n)*1024)
#define ANY SIZE_MAX

/*
 * ROW_OF: members that are equal in all rows. SHARED_ROW_OF: the same for all rows of ranks that
 * share processors. Members without a value are 0.
 */
#define ROW_OF(most)                                                                               \
    .nranks = (most), .gather_step = KIB(32),                                                      \
    .chunk = {{KIB(128), KIB(64)}, {KIB(256), KIB(128)}, {ANY, KIB(256)}}
#define SHARED_ROW_OF(most)                                                                        \
    ROW_OF(most), .cma_from = ANY, .cma_row_from = KIB(1), .patience = 8, .scatter_step = KIB(64), \
                  .allgather_direct_from = ANY,                                                    \
                  .reduce_part = {{KIB(256), KIB(16)}, {ANY, KIB(32)}}, .reduce_direct_from = ANY, \
                  .allreduce_direct_from = ANY

/* More than four such ranks: with more ranks, shorter blocks use a CMA exchange. */
#define MANY_SHARED(most, alltoall)                                                                \
    SHARED_ROW_OF(most), .fragment = {{KIB(192), KIB(16)}, {ANY, KIB(32)}},                        \
                         .gather_cma_from = KIB(128) + 1, .scatter_cma_from = KIB(256),            \
                         .spill_to = KIB(4096), .rendezvous_chunk = {{ANY, KIB(1024)}},            \
                         .alltoall_direct_from = (alltoall), .allreduce_part = {{ANY, KIB(128)}},  \
                         .share_from = KIB(4) + 1

/* The first row that fits is used. */
static const struct hitop_thresholds table[] = {
    {ROW_OF(2), .alone = 1, .barrier_lines_to = 8,
     .fragment = {{KIB(4), KIB(2)}, {KIB(16), KIB(8)}, {KIB(192), KIB(16)}, {ANY, KIB(32)}},
     .cma_from = KIB(1024), .cma_row_from = KIB(2048), .patience = 1, .gather_cma_from = KIB(1024),
     .scatter_step = KIB(16), .scatter_cma_from = KIB(1024),
     .rendezvous_chunk = {{KIB(128), KIB(64)}, {KIB(256), KIB(128)}, {ANY, KIB(256)}},
     .allgather_direct_from = ANY, .alltoall_direct_from = ANY,
     .reduce_part = {{KIB(64), KIB(8)}, {KIB(256), KIB(16)}, {ANY, KIB(32)}},
     .allreduce_part =
         {{KIB(64), KIB(64)}, {KIB(128), KIB(128)}, {KIB(256), KIB(256)}, {ANY, KIB(128)}},
     .share_from = ANY, .reduce_direct_from = ANY, .allreduce_direct_from = KIB(512)},
    {SHARED_ROW_OF(2), .fragment = {{KIB(16), KIB(4)}, {KIB(192), KIB(16)}, {ANY, KIB(32)}},
     .gather_cma_from = KIB(128) + 1, .scatter_cma_from = KIB(128) + 1, .spill_to = KIB(1024),
     .rendezvous_chunk = {{KIB(128), KIB(64)}, {KIB(256), KIB(128)}, {ANY, KIB(256)}},
     .alltoall_direct_from = ANY, .allreduce_part = {{KIB(512), KIB(64)}, {ANY, KIB(128)}},
     .share_from = ANY},
    {ROW_OF(INT_MAX), .alone = 1, .barrier_lines_to = 8,
     .fragment = {{KIB(192), KIB(16)}, {ANY, KIB(32)}}, .cma_from = ANY, .cma_row_from = KIB(1),
     .patience = 1, .gather_cma_from = KIB(128) + 1, .scatter_step = KIB(16),
     .scatter_cma_from = KIB(16),
     .rendezvous_chunk = {{KIB(128), KIB(64)}, {KIB(256), KIB(128)}, {ANY, KIB(256)}},
     .allgather_direct_from = KIB(64) + 1, .alltoall_direct_from = KIB(64) + 1,
     .reduce_part = {{KIB(256), KIB(16)}, {ANY, KIB(32)}}, .allreduce_part = {{ANY, KIB(128)}},
     .share_from = KIB(4) + 1, .reduce_direct_from = KIB(512), .allreduce_direct_from = KIB(1024)},
    {SHARED_ROW_OF(4), .fragment = {{KIB(192), KIB(16)}, {ANY, KIB(32)}},
     .gather_cma_from = KIB(256) + 1, .scatter_cma_from = KIB(256), .spill_to = KIB(4096),
     .rendezvous_chunk = {{KIB(128), KIB(64)}, {KIB(256), KIB(128)}, {ANY, KIB(256)}},
     .alltoall_direct_from = KIB(64) + 1, .allreduce_part = {{ANY, KIB(128)}},
     .share_from = KIB(4) + 1},
    {MANY_SHARED(8, KIB(64) + 1)},
    {MANY_SHARED(INT_MAX, KIB(16))},
};

const struct hitop_thresholds *hitop_thresholds_for(int nranks, int alone)
{
    const struct hitop_thresholds *row = table;

    while (nranks > row->nranks || !alone != !row->alone) {
        row++;
    }
    return row;
}

/*
 * A file of thresholds: sections for numbers of ranks, a setting per line.
 *
 * The whole file is parsed, including sections for other numbers of ranks, so that every run
 * reports an error in it.
 */

/* The state of the parser, and what is wanted. */
struct reading {
    int nranks, alone;
    int most[2];                     /* ranks of the last section of either kind; 0: none */
    int in_section;                  /* a section has begun */
    struct hitop_thresholds ignored; /* settings of sections for other ranks */
    struct hitop_thresholds *row, *to;
    int found;
    unsigned seen; /* a bit for each setting of the section */
};

/* ranks N|any alone|shared */
static enum hitop_status read_heading(struct reading *r, char *words, struct hitop_diag *diag)
{
    char *rest = NULL, *number = strtok_r(words, " \t", &rest),
         *kind = strtok_r(NULL, " \t", &rest);
    int most = INT_MAX, alone;

    if (!kind || strtok_r(NULL, " \t", &rest) ||
        (strcmp(kind, "alone") != 0 && strcmp(kind, "shared") != 0)) {
        return hitop_fail(diag, HITOP_ERR_FORMAT,
                          "not 'ranks NUMBER alone' or 'ranks NUMBER shared'");
    }
    if (strcmp(number, "any") != 0 &&
        hitop_text_int(number, 2, INT_MAX - 1, &most, NULL) != HITOP_OK) {
        return hitop_fail(diag, HITOP_ERR_FORMAT,
                          "ranks '%.64s': neither an integer from 2 on nor 'any'", number);
    }
    alone = strcmp(kind, "alone") == 0;
    if (most <= r->most[alone]) {
        return hitop_fail(diag, HITOP_ERR_FORMAT,
                          "ranks %.64s %s: an earlier section has as many or more", number, kind);
    }
    r->most[alone] = most;
    r->in_section = 1;
    r->seen = 0;
    r->to = &r->ignored;
    if (!r->found && !r->alone == !alone && r->nranks <= most) {
        r->found = 1;
        r->to = r->row;
    }
    return HITOP_OK;
}

/* Names in older files and their present names, or "": the setting is ignored. */
static const char *const former[][2] = {{"pull-from", "cma-from"},         /* old name */
                                        {"pull-row-from", "cma-row-from"}, /* old name */
                                        {"chunk", "cma-chunk"},
                                        {"gather-hand-from", "gather-cma-from"},   /* old name */
                                        {"leave-to", "spill-to"},                  /* old name */
                                        {"scatter-hand-from", "scatter-cma-from"}, /* old name */
                                        {"hand-chunk", "rendezvous-chunk"},        /* old name */
                                        {"mirror-from", ""}};

static enum hitop_status read_setting(struct reading *r, const char *name, char *value,
                                      struct hitop_diag *diag)
{
    char valid[400] = "ranks";
    int n = 0;

    for (size_t i = 0; i < sizeof(former) / sizeof(former[0]); i++) {
        if (strcmp(name, former[i][0]) == 0) {
            name = former[i][1];
        }
    }
    if (!name[0]) {
        return HITOP_OK;
    }
    while (hitop_thresholds_name(n) && strcmp(name, hitop_thresholds_name(n)) != 0) {
        hitop_text_list_name(valid, sizeof(valid), hitop_thresholds_name(n++));
    }
    if (!hitop_thresholds_name(n)) {
        return hitop_fail(diag, HITOP_ERR_FORMAT, "'%.64s' is no setting; valid: %s", name, valid);
    }
    if (!r->in_section) {
        return hitop_fail(diag, HITOP_ERR_FORMAT, "'%s' before the first 'ranks'", name);
    }
    if (r->seen & 1u << n) {
        return hitop_fail(diag, HITOP_ERR_FORMAT, "'%s' stands there twice", name);
    }
    r->seen |= 1u << n;
    return hitop_thresholds_set(r->to, n, value, diag);
}

/* NAME VALUE, without comments and surrounding blanks */
static enum hitop_status read_line(struct reading *r, char *line, struct hitop_diag *diag)
{
    char *value = line + strcspn(line, " \t");

    if (*value) {
        *value++ = '\0';
        value += strspn(value, " \t");
    }
    return strcmp(line, "ranks") == 0 ? read_heading(r, value, diag)
                                      : read_setting(r, line, value, diag);
}

static enum hitop_status read_lines(struct reading *r, char *text, const char *name,
                                    struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    char *next = text;

    for (int number = 1; next && status == HITOP_OK; number++) {
        struct hitop_diag why = HITOP_DIAG_INIT;
        char *line = next + strspn(next, " \t");
        size_t length;

        next = strchr(line, '\n');
        if (next) {
            *next++ = '\0';
        }
        line[strcspn(line, "#\r")] = '\0';
        for (length = strlen(line); length > 0 && strchr(" \t", line[length - 1]); length--) {
            line[length - 1] = '\0';
        }
        if (length > 0 && read_line(r, line, &why) != HITOP_OK) {
            status =
                hitop_fail(diag, HITOP_ERR_FORMAT, "%s: line %d: %s", name, number, why.message);
        }
    }
    return status;
}

enum hitop_status hitop_thresholds_read(const char *path, int nranks, int alone,
                                        struct hitop_thresholds *row, struct hitop_diag *diag)
{
    const char *name = hitop_input_name(path);
    const struct hitop_thresholds before = *row;
    struct reading r = {.nranks = nranks, .alone = alone, .row = row};
    char *text = NULL;
    size_t length;
    enum hitop_status status = hitop_input_read_text(path, &text, &length, diag);

    if (status == HITOP_OK) {
        status = read_lines(&r, text, name, diag);
    }
    if (status != HITOP_OK) {
        *row = before;
    }
    free(text);
    return status;
}

/* The settings of thresholds.h in files. */

/*
 * FROM: the smallest size, or "never"; UP_TO: the largest size, or "any"; STEP: one length; PIECES:
 * lengths by the length of the message; COUNT: a number. Lengths and smallest sizes are at least
 * `least`.
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
    ROW("cma-from", FROM, cma_from, 1024),
    ROW("cma-row-from", FROM, cma_row_from, 1024),
    ROW("cma-chunk", PIECES, chunk, 16384),
    ROW("patience", COUNT, patience, 1),
    ROW("gather-step", STEP, gather_step, 1024),
    ROW("scatter-step", STEP, scatter_step, 1024),
    ROW("gather-cma-from", FROM, gather_cma_from, 1024),
    ROW("scatter-cma-from", FROM, scatter_cma_from, 1024),
    ROW("rendezvous-chunk", PIECES, rendezvous_chunk, 16384),
    ROW("spill-to", UP_TO, spill_to, 0),
    ROW("allgather-direct-from", FROM, allgather_direct_from, 1024),
    ROW("alltoall-direct-from", FROM, alltoall_direct_from, 1024),
    ROW("reduce-part", PIECES, reduce_part, 1024),
    ROW("allreduce-part", PIECES, allreduce_part, 1024),
    ROW("share-from", FROM, share_from, 1024),
    ROW("reduce-direct-from", FROM, reduce_direct_from, 1024),
    ROW("allreduce-direct-from", FROM, allreduce_direct_from, 1024),
};

enum { NSETTINGS = sizeof(settings) / sizeof(settings[0]), SIZE_TEXT = 32 };

/*
 * Lengths of pieces are multiples of PIECE_UNIT, so that no element and no cache line is divided.
 */
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

/* Print a size; SIZE_MAX as the word `all`. */
static void print_size(size_t bytes, const char *all, FILE *to)
{
    char text[SIZE_TEXT];

    if (bytes == SIZE_MAX) {
        (void)fputs(all, to);
    } else {
        hitop_text_format_size(bytes, text, sizeof(text));
        (void)fputs(text, to);
    }
}

static void print_pieces(const struct hitop_piece *list, FILE *to)
{
    for (int i = 0; i == 0 || list[i - 1].up_to != SIZE_MAX; i++) {
        (void)fputs(i ? " " : "", to);
        print_size(list[i].up_to, "any", to);
        (void)fputc(':', to);
        print_size(list[i].bytes, "any", to);
    }
}

void hitop_thresholds_print_one(const struct hitop_thresholds *row, int n, FILE *to)
{
    const void *value = value_of(row, n);
    int count;
    size_t bytes;

    fprintf(to, "%s ", settings[n].name);
    switch (settings[n].kind) {
    case PIECES:
        print_pieces(value, to);
        break;
    case COUNT:
        memcpy(&count, value, sizeof(count));
        fprintf(to, "%d", count);
        break;
    default:
        memcpy(&bytes, value, sizeof(bytes));
        print_size(bytes, settings[n].kind == FROM ? "never" : "any", to);
        break;
    }
}

void hitop_thresholds_print(const struct hitop_thresholds *row, const char *between, FILE *to)
{
    for (int n = 0; n < NSETTINGS; n++) {
        (void)fputs(n ? between : "", to);
        hitop_thresholds_print_one(row, n, to);
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

/* UP_TO:LENGTH ..., the last UP_TO is "any". */
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

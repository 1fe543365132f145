/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * warnings.c - merge the warnings of several launches.
 *
 * Idea:  launches of one set-up mostly have the same warnings with different numbers. Such warnings
 *        become one, with the smallest and the largest number.
 */
#include <config.h>

#include "models/clock/line_hop.h"
#include "models/results/merge_impl.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The length of the number at a place in a text; 0: no number, or digits within a word. */
static size_t number_at(const char *text, const char *at)
{
    char *end;

    if (!isdigit((unsigned char)*at) ||
        (at > text && (isalnum((unsigned char)at[-1]) || at[-1] == '_'))) {
        return 0;
    }
    (void)strtod(at, &end);
    return (size_t)(end - at);
}

/* Whether two texts are equal except for numbers. */
static int are_alike(const char *a, const char *b)
{
    const char *x = a, *y = b;

    while (*x || *y) {
        const size_t n = number_at(a, x), m = number_at(b, y);
        if (n == 0 && m == 0 && *x == *y) {
            x++;
            y++;
        } else if (n > 0 && m > 0) {
            x += n;
            y += m;
        } else {
            return 0;
        }
    }
    return 1;
}

/* How many of the first n warnings are equal to a text except for numbers. */
static int count_alike(const struct results *r, int n, const char *text)
{
    int alike = 0;

    for (int i = 0; i < n; i++) {
        alike += are_alike(r->warnings[i], text);
    }
    return alike;
}

/* Find the warning equal to a text except for numbers, with `before` such ones before; or NULL. */
static const char *find_alike(const struct results *r, const char *text, int before)
{
    for (int i = 0; i < r->nwarnings; i++) {
        if (are_alike(r->warnings[i], text) && before-- == 0) {
            return r->warnings[i];
        }
    }
    return NULL;
}

/* The texts of one warning in n launches, of which nsaying have it; NULL: a launch does not. */
struct saying {
    const char *text[RESULTS_MAX_LAUNCHES];
    int n, nsaying;
};

/* Print the numbers at one place of all texts as one number or a range; advances all places. */
static void put_numbers(FILE *to, const struct saying *s, int one, const char **at)
{
    const char *least = at[one], *most = at[one];
    size_t lengths[2] = {number_at(s->text[one], least), number_at(s->text[one], most)};

    for (int i = 0; i < s->n; i++) {
        const size_t length = s->text[i] ? number_at(s->text[i], at[i]) : 0;
        if (!s->text[i]) {
            continue;
        }
        if (strtod(at[i], NULL) < strtod(least, NULL)) {
            least = at[i];
            lengths[0] = length;
        }
        if (strtod(at[i], NULL) > strtod(most, NULL)) {
            most = at[i];
            lengths[1] = length;
        }
        at[i] += length;
    }
    fprintf(to, "%.*s", (int)lengths[0], least);
    if (strtod(most, NULL) > strtod(least, NULL)) {
        fprintf(to, " to %.*s", (int)lengths[1], most);
    }
}

/* Print all texts, which differ only in numbers, as one. */
static void put_saying(FILE *to, const struct saying *s)
{
    const char *at[RESULTS_MAX_LAUNCHES];
    int one = 0;

    while (!s->text[one]) {
        one++;
    }
    memcpy(at, s->text, sizeof(at));
    while (*at[one]) {
        if (number_at(s->text[one], at[one]) > 0) {
            put_numbers(to, s, one, at);
        } else {
            putc(*at[one], to);
            for (int i = 0; i < s->n; i++) {
                at[i] += s->text[i] ? 1 : 0;
            }
        }
    }
}

/* Add a warning with the names of the launches that have it, unless all have it. */
static enum hitop_status add_saying(struct results *r, const struct results_input *in,
                                    const struct saying *s, struct hitop_diag *diag)
{
    char *text = NULL;
    size_t length;
    FILE *memory = open_memstream(&text, &length);
    const char *join = "";
    enum hitop_status status;

    if (!memory) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "launches: out of memory");
    }
    for (int i = 0; i < s->n && s->nsaying < s->n; i++) {
        if (s->text[i]) {
            fprintf(memory, "%s%s", join, in[i].name);
            join = ", ";
        }
    }
    fputs(*join ? ": " : "", memory);
    put_saying(memory, s);
    status = fclose(memory) == 0 ? hitop_results_warn(r, diag, "%s", text)
                                 : hitop_fail(diag, HITOP_ERR_NOMEM, "launches: out of memory");
    free(text);
    return status;
}

/* Whether a warning is about cache lines and the report already has one for all launches. */
static int is_said_of_all(const struct results *r, int nsaid, const char *text)
{
    const size_t n = strlen(LINE_HOP_WARNING);

    for (int i = 0; i < nsaid && strncmp(text, LINE_HOP_WARNING, n) == 0; i++) {
        if (strncmp(r->warnings[i], LINE_HOP_WARNING, n) == 0) {
            return 1;
        }
    }
    return 0;
}

enum hitop_status hitop_results_merge_warnings(struct results *r, const struct results_input *in,
                                               struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    const int nsaid = r->nwarnings;

    for (int i = 0; i < r->nlaunches; i++) {
        const struct results *launch = r->launches[i];
        for (int w = 0; w < launch->nwarnings && status == HITOP_OK; w++) {
            const int before = count_alike(launch, w, launch->warnings[w]);
            struct saying s = {.n = r->nlaunches};
            int is_said = is_said_of_all(r, nsaid, launch->warnings[w]);
            for (int k = 0; k < r->nlaunches; k++) {
                s.text[k] = find_alike(r->launches[k], launch->warnings[w], before);
                s.nsaying += s.text[k] != NULL;
                is_said |= k < i && s.text[k];
            }
            if (!is_said) {
                status = add_saying(r, in, &s, diag);
            }
        }
    }
    return status;
}

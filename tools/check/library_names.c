/* SPDX-License-Identifier: BSD-3-Clause */
/* library_names.c - find the prefix and the suffix that a library adds to MPI's names. */
#include <config.h>

#include "tools/check/library_names.h"

#include "hitop/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Names that are made of an operation's name: those of the operation, and those of other functions
 * of MPI, which have other arguments.
 */
static const struct name_pattern {
    const char *before;
    int is_small; /* 1: "bcast", 0: "Bcast" */
    const char *after;
    int is_other;
} patterns[] = {
    {"", 0, "", 0},           {"", 1, "", 0},           {"I", 1, "", 1},
    {"i", 1, "", 1},          {"Neighbor_", 1, "", 1},  {"neighbor_", 1, "", 1},
    {"Ineighbor_", 1, "", 1}, {"ineighbor_", 1, "", 1}, {"", 0, "_init", 1},
    {"", 1, "_init", 1},      {"", 0, "_local", 1},     {"", 1, "_local", 1},
};

enum { NPATTERNS = sizeof(patterns) / sizeof(patterns[0]) };

/* The longest name of MPI in a function's name. */
struct found_name {
    size_t at, length; /* length 0: none */
    enum hitop_operation_id operation;
    int is_other;
};

static void write_name(enum hitop_operation_id operation, int is_small, char *out, size_t length)
{
    (void)snprintf(out, length, "%s", hitop_operations()[operation].name);
    if (!is_small) {
        out[0] = (char)toupper((unsigned char)out[0]);
    }
}

/* 1: these letters are a word: myBcast and my_bcast have one, mybcast and Bcasts have none. */
static int is_word(const char *function, const char *at, size_t length)
{
    return !islower((unsigned char)at[length]) &&
           (at == function || isupper((unsigned char)*at) || !isalpha((unsigned char)at[-1]));
}

static void find_pattern(const char *function, enum hitop_operation_id operation,
                         const struct name_pattern *pattern, struct found_name *found)
{
    char name[32], word[64];
    size_t length;

    write_name(operation, pattern->is_small, name, sizeof(name));
    (void)snprintf(word, sizeof(word), "%s%s%s", pattern->before, name, pattern->after);
    length = strlen(word);
    for (const char *at = strstr(function, word); at && length > found->length;
         at = strstr(at + 1, word)) {
        if (is_word(function, at, length)) {
            *found =
                (struct found_name){(size_t)(at - function), length, operation, pattern->is_other};
        }
    }
}

static struct found_name find_name(const char *function)
{
    struct found_name found = {0};

    for (int i = 0; i < HITOP_NOPERATIONS; i++) {
        for (int p = 0; p < NPATTERNS; p++) {
            find_pattern(function, (enum hitop_operation_id)i, &patterns[p], &found);
        }
    }
    return found;
}

static int ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), of_end = strlen(end);

    return length >= of_end && strcmp(text + length - of_end, end) == 0;
}

static int has_capital(const char *function)
{
    for (const char *c = function; *c; c++) {
        if (isupper((unsigned char)*c)) {
            return 1;
        }
    }
    return 0;
}

/*
 * 1: a function with other arguments: of Fortran (mpi_bcast_, mpi_bcast__, MPI_Bcast_f,
 * MPI_Bcast_f08), or of MPI 4 with large counts (MPI_Bcast_c).
 */
static int has_other_arguments(const char *function, const char *suffix)
{
    return (!has_capital(function) && ends_with(suffix, "_")) || strcmp(suffix, "_c") == 0 ||
           strcmp(suffix, "_f") == 0 || strncmp(suffix, "_f08", 4) == 0;
}

void library_forms_add(struct library_forms *forms, const char *function)
{
    const struct found_name found = find_name(function);
    const char *suffix = function + found.at + found.length;
    struct library_form form = {.operations = 1u << found.operation,
                                .has_capital = has_capital(function)};
    int i = 0;

    if (found.length == 0 || found.is_other || found.at >= sizeof(form.prefix) ||
        strlen(suffix) >= sizeof(form.suffix)) {
        return;
    }
    if (has_other_arguments(function, suffix)) {
        forms->nother++;
        return;
    }
    memcpy(form.prefix, function, found.at);
    (void)snprintf(form.suffix, sizeof(form.suffix), "%s", suffix);
    while (i < forms->n && (strcmp(forms->form[i].prefix, form.prefix) != 0 ||
                            strcmp(forms->form[i].suffix, form.suffix) != 0)) {
        i++;
    }
    if (i < forms->n) {
        forms->form[i].operations |= form.operations;
        forms->form[i].has_capital |= form.has_capital;
    } else if (i < LIBRARY_FORMS) {
        forms->form[forms->n++] = form;
    } else {
        forms->nmore++;
    }
}

void library_forms_drop_small(struct library_forms *forms)
{
    int n = 0;

    for (int i = 0; i < forms->n; i++) {
        if (forms->form[i].has_capital) {
            forms->form[n++] = forms->form[i];
        }
    }
    forms->n = n;
}

void library_form_name(const struct library_form *form, enum hitop_operation_id operation,
                       int is_small, char out[LIBRARY_NAME])
{
    char name[32];

    write_name(operation, is_small, name, sizeof(name));
    (void)snprintf(out, LIBRARY_NAME, "%s%s%s", form->prefix, name, form->suffix);
}

/* Write "my_* (bcast, reduce)", with the number of operations if there are more than three. */
static void list_form(const struct library_form *form, char *out, size_t length)
{
    const int n = __builtin_popcount(form->operations);
    char names[64] = "";

    for (int i = 0; i < HITOP_NOPERATIONS && n <= 3; i++) {
        if (form->operations & 1u << i) {
            hitop_text_list_name(names, sizeof(names), hitop_operations()[i].name);
        }
    }
    if (n > 3) {
        (void)snprintf(names, sizeof(names), "%d operations", n);
    }
    (void)snprintf(out, length, "%s*%s (%s)", form->prefix, form->suffix, names);
}

/* The form with more operations first. */
static int by_operations(const void *a, const void *b)
{
    const struct library_form *x = a, *y = b;

    return __builtin_popcount(y->operations) - __builtin_popcount(x->operations);
}

void library_forms_list(const struct library_forms *forms, char *out, size_t length)
{
    static const char more[] = "...";
    struct library_forms sorted = *forms;
    char text[LIBRARY_NAME + 64];
    int i = 0;

    out[0] = '\0';
    qsort(sorted.form, (size_t)sorted.n, sizeof(sorted.form[0]), by_operations);
    for (; i < sorted.n; i++) {
        list_form(&sorted.form[i], text, sizeof(text));
        if (strlen(out) + strlen(text) + sizeof(more) + 4 > length) {
            break;
        }
        hitop_text_list_name(out, length, text);
    }
    if (i < sorted.n || forms->nmore > 0) {
        hitop_text_list_name(out, length, more);
    }
}

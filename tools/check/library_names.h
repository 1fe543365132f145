/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LIBRARY_NAMES_H
#define LIBRARY_NAMES_H

/*
 * library_names.h - how a library names its collectives: MPI's name between a prefix and a suffix,
 * e.g. my_Bcast, my_bcast, MPI_Bcast_fast.
 */

#include "hitop/operation.h"

#include <stddef.h>

enum { LIBRARY_AFFIX = 64, LIBRARY_FORMS = 8, LIBRARY_NAME = 2 * LIBRARY_AFFIX + 32 };

/* What the options --library, --prefix and --suffix say. */
struct library_request {
    const char *file;            /* NULL: no library */
    const char *prefix, *suffix; /* both NULL: found in the library; one NULL: empty */
};

/*
 * A form of names, and the operations that have such a name: bit i for operation i. Without a
 * capital letter in any name the functions may be those of Fortran, which have other arguments.
 */
struct library_form {
    char prefix[LIBRARY_AFFIX], suffix[LIBRARY_AFFIX];
    unsigned operations;
    int has_capital;
};

/*
 * All forms that a library's functions have; nmore: others, for which there is no room; nother:
 * functions that seem to have other arguments.
 */
struct library_forms {
    struct library_form form[LIBRARY_FORMS];
    int n, nmore, nother;
};

/*
 * Add the form of a function's name, if the name contains that of a collective. The longest name of
 * MPI counts, so that my_Ireduce_scatter and my_Reduce_local are none of the collectives. Names of
 * Fortran's functions (all letters small and "_" at the end, or suffixes "_f", "_f08...") and of
 * those with large counts (suffix "_c") are only counted.
 */
void library_forms_add(struct library_forms *forms, const char *function);

/* Remove forms without a capital letter. */
void library_forms_drop_small(struct library_forms *forms);

/* Write the name of an operation in this form; is_small: 1: my_bcast, 0: my_Bcast. */
void library_form_name(const struct library_form *form, enum hitop_operation_id operation,
                       int is_small, char out[LIBRARY_NAME]);

/*
 * Write "my_* (bcast, reduce), MPI_*_fast (bcast)", those of most operations first; "..." replaces
 * what does not fit.
 */
void library_forms_list(const struct library_forms *forms, char *out, size_t length);

#endif /* LIBRARY_NAMES_H */

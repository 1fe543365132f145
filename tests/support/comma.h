/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef COMMA_H
#define COMMA_H

/* Programs in whose language a decimal point is a comma. */

#include <locale.h>
#include <stddef.h>

/* Take on a locale with a decimal comma; 0 where the system has none. */
static inline int comma_begin(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "es_ES.UTF-8", "it_IT.UTF-8",
                                        "pl_PL.UTF-8", "ru_RU.UTF-8", "pt_BR.UTF-8", "de_DE"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (setlocale(LC_ALL, names[i])) {
            return localeconv()->decimal_point[0] == ',';
        }
    }
    return 0;
}

static inline void comma_end(void)
{
    (void)setlocale(LC_ALL, "C");
}

#endif /* COMMA_H */

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CHOICE_SCREEN_H
#define CHOICE_SCREEN_H

/* choice_screen.h - a choice among very many ranks. */

#include "hitop/choice.h"

/* More ranks than these are not planned for all ways. */
enum { CHOICE_MANY = 2048 };

/* As hitop_choice_rank(), for more than CHOICE_MANY ranks. Only the most promising ways are predicted. */
enum hitop_status choice_screen(const struct hitop_choice_basis *basis,
                                const struct hitop_call *call, struct hitop_candidate *out,
                                size_t *fastest, struct hitop_diag *diag);

#endif /* CHOICE_SCREEN_H */

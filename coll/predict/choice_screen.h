/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CHOICE_SCREEN_H
#define CHOICE_SCREEN_H

/* choice_screen.h - a choice among very many ranks. */

#include "hitop/choice.h"

/* More ranks than these are not planned for all ways. */
enum { CHOICE_MANY = 512 };

/* Predict the most promising of all ways among more than CHOICE_MANY ranks; the others get a reason. */
enum hitop_status choice_screen(const struct hitop_choice_basis *basis,
                                const struct hitop_call *call, struct hitop_candidate *out,
                                struct hitop_diag *diag);

#endif /* CHOICE_SCREEN_H */

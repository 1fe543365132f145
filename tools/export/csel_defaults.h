/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CSEL_DEFAULTS_H
#define CSEL_DEFAULTS_H

/*
 * csel_defaults.h - what MPICH 4.0 to 4.3 chooses for each collective of one level, which a file of
 * choices must repeat, because it replaces all of them.
 *
 * A choice is conditions with what follows in braces, and '@' with the name of an algorithm behind
 * "MPIR_<Collective>_".
 */

#include "hitop/operation.h"

struct csel_default {
    const char *collective;
    const char *intra; /* of intracommunicators; of all, if inter is NULL */
    const char *inter;
    int operation; /* index in hitop_operations(), or -1: never a rule */
    /* Around rules: '*' stands for them, '!' for the default; or NULL. */
    const char *around;
    int by_total; /* 1: sizes are those of all blocks together */
};

/*
 * All 44; the last one has no collective. From 4.1 on "dissemination" of barrier is
 * "k_dissemination" with the parameter "k=2".
 */
const struct csel_default *csel_defaults(void);

#endif /* CSEL_DEFAULTS_H */

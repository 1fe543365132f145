/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef COMPANY_H
#define COMPANY_H

/* company.h - how many links ran at once, in words. */

#include "hitop/quality.h"

#include <stdio.h>

void company_put(FILE *to, const char *what, const struct hitop_company *company);

#endif /* COMPANY_H */

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JOURNAL_FINDING_JSON_H
#define JOURNAL_FINDING_JSON_H

/* journal_finding_json.h - findings as members of a record. */

#include "models/journal/journal_impl.h"

#include "src/reader_json.h"

/* The member that only findings have: their kind. */
#define JOURNAL_FINDING "found"

/* The record of a finding, NULL without memory; and the other way round, where r learns what is
 * wrong. */
json_t *hitop_journal_finding_value(const struct hitop_finding *finding);
void hitop_journal_read_finding(struct reader *r, json_t *object, struct hitop_finding *out);

#endif /* JOURNAL_FINDING_JSON_H */

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EXPORT_VERSION_H
#define EXPORT_VERSION_H

/* export_version.h - versions of libraries. */

#include <stddef.h>

/* 5.0.7; a number that is not given is -1. */
struct export_version {
    int major, minor, patch;
};

/* Parse MAJOR.MINOR or MAJOR.MINOR.PATCH; returns 0 if the text is something else. */
int export_parse_version(const char *text, struct export_version *out);

/* Negative, 0 or positive, as `a` is older than, equal to or newer than `b`; -1 is any number. */
int export_compare(struct export_version a, struct export_version b);

/* Write "5.0" or "5.0.7"; 48 bytes suffice. */
void export_version_text(struct export_version version, char *out, size_t length);

#endif /* EXPORT_VERSION_H */

/* SPDX-License-Identifier: BSD-3-Clause */
/* text.c - the one place where text becomes a number. */
#include <config.h>

#include "hitop/text.h"

#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Read a number at the start of text; NULL when there is none or it overflows. */
static const char *read_number(const char *text, double *out)
{
    const locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    char *end = NULL;

    /* strtod also takes blanks, "inf", "nan" and hexadecimal numbers; people who type those made
     * a mistake */
    if (c_locale == (locale_t)0 || !(isdigit((unsigned char)text[0]) || strchr("+-.", text[0])) ||
        strpbrk(text, "xX")) {
        if (c_locale != (locale_t)0) {
            freelocale(c_locale);
        }
        return NULL;
    }
    errno = 0;
    *out = strtod_l(text, &end, c_locale);
    freelocale(c_locale);
    return end == text || !isfinite(*out) ? NULL : end;
}

enum hitop_status hitop_text_int(const char *text, int min, int max, int *out,
                                 struct hitop_diag *diag)
{
    char *end = NULL;
    long value;

    errno = 0;
    value = isdigit((unsigned char)text[0]) || (text[0] == '-' && isdigit((unsigned char)text[1]))
                ? strtol(text, &end, 10)
                : 0;
    if (!end || *end || errno || value < min || value > max) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "'%s' is not an integer in %d..%d", text, min,
                          max);
    }
    *out = (int)value;
    return HITOP_OK;
}

enum hitop_status hitop_text_double(const char *text, double min, double max, double *out,
                                    struct hitop_diag *diag)
{
    double value = 0;
    const char *end = text[0] ? read_number(text, &value) : NULL;

    if (!end || *end) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "'%s' is not a number", text);
    }
    if (!(value >= min && value <= max)) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "'%s' is outside [%g, %g]", text, min, max);
    }
    *out = value;
    return HITOP_OK;
}

enum hitop_status hitop_text_ratio(const char *text, double min, double max, double *out,
                                   struct hitop_diag *diag)
{
    double above = 0, below = 1;
    const char *end = text[0] ? read_number(text, &above) : NULL;

    if (end && *end == '/') {
        end = end[1] ? read_number(end + 1, &below) : NULL;
    }
    if (!end || *end) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "'%.64s' is neither a number nor a fraction such as 1/3", text);
    }
    if (!(above / below >= min && above / below <= max)) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "'%.64s' is outside [%g, %g]", text, min, max);
    }
    *out = above / below;
    return HITOP_OK;
}

struct unit {
    const char *name;
    double factor;
};

static const struct unit *find_unit(const struct unit *units, const char *name)
{
    for (; units->name; units++) {
        if (strcmp(units->name, name) == 0) {
            return units;
        }
    }
    return NULL;
}

enum hitop_status hitop_text_size(const char *text, size_t *out, struct hitop_diag *diag)
{
    static const struct unit units[] = {
        {"", 1},         {"B", 1},      {"k", 0x1p10}, {"K", 0x1p10},   {"m", 0x1p20},
        {"M", 0x1p20},   {"g", 0x1p30}, {"G", 0x1p30}, {"KiB", 0x1p10}, {"MiB", 0x1p20},
        {"GiB", 0x1p30}, {"kB", 1e3},   {"MB", 1e6},   {"GB", 1e9},     {NULL, 0},
    };
    const struct unit *unit;
    unsigned long long count;
    char *end = NULL;

    if (!isdigit((unsigned char)text[0])) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "'%s' is not a size: a non-negative integer, then k, m, g, KiB, MiB, "
                          "GiB, kB, MB, GB or nothing",
                          text);
    }
    errno = 0;
    count = strtoull(text, &end, 10);
    unit = find_unit(units, end);
    if (!unit) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "'%s' has no known unit: k, m, g, KiB, MiB, GiB, kB, MB, GB or nothing",
                          text);
    }
    /* PTRDIFF_MAX: no object is larger, and differences of sizes stay representable */
    if (errno == ERANGE ||
        count > (unsigned long long)PTRDIFF_MAX / (unsigned long long)unit->factor) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "'%s' is larger than any message can be", text);
    }
    *out = (size_t)(count * (unsigned long long)unit->factor);
    return HITOP_OK;
}

enum hitop_status hitop_text_seconds(const char *text, double *out, struct hitop_diag *diag)
{
    static const struct unit units[] = {
        {"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"min", 60}, {NULL, 0},
    };
    double value = 0;
    const char *end = text[0] ? read_number(text, &value) : NULL;
    const struct unit *unit = end ? find_unit(units, end) : NULL;

    if (!end || value < 0 || (!unit && (*end || value != 0))) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "'%s' is not a time: a non-negative number, then ns, us, ms, s or min",
                          text);
    }
    *out = unit ? value * unit->factor : 0;
    return HITOP_OK;
}

void hitop_text_format_size(size_t bytes, char *out, size_t length)
{
    static const char *const names[] = {"", "KiB", "MiB", "GiB"};
    size_t i = 0;

    while (i + 1 < sizeof(names) / sizeof(names[0]) && bytes && bytes % 1024 == 0) {
        bytes /= 1024;
        i++;
    }
    (void)snprintf(out, length, "%zu%s", bytes, names[i]);
}

void hitop_text_format_number(double value, int digits, char *out, size_t length)
{
    const locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const locale_t before = c_locale != (locale_t)0 ? uselocale(c_locale) : (locale_t)0;

    (void)snprintf(out, length, "%.*g", digits, value);
    if (c_locale != (locale_t)0) {
        (void)uselocale(before);
        freelocale(c_locale);
    }
}

/* Three digits and the smallest unit that needs no more of them. */
static void format_scaled(double value, const struct unit *units, size_t nunits, char *out,
                          size_t length)
{
    size_t i = 0;

    /* what would be rounded to 1000 belongs to the next unit */
    while (i + 1 < nunits && value >= 999.5 * units[i].factor) {
        i++;
    }
    (void)snprintf(out, length, "%.3g %s", value / units[i].factor, units[i].name);
}

void hitop_text_format_seconds(double seconds, char *out, size_t length)
{
    static const struct unit units[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}};

    format_scaled(seconds, units, sizeof(units) / sizeof(units[0]), out, length);
}

void hitop_text_format_rate(double bytes_per_second, char *out, size_t length)
{
    static const struct unit units[] = {{"B/s", 1}, {"kB/s", 1e3}, {"MB/s", 1e6}, {"GB/s", 1e9}};

    format_scaled(bytes_per_second, units, sizeof(units) / sizeof(units[0]), out, length);
}

void hitop_text_list_name(char *list, size_t length, const char *name)
{
    const size_t used = strlen(list);

    (void)snprintf(list + used, length - used, "%s%s", used ? ", " : "", name);
}

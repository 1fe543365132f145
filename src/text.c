/* SPDX-License-Identifier: BSD-3-Clause */
/* text.c - convert text to numbers, and numbers to text. */
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
#include <strings.h>

/* Read a number at the start of text; NULL when there is none or it overflows. */
static const char *read_number(const char *text, double *out)
{
    const locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    char *end = NULL;

    /*
     * strtod() also accepts blanks, "inf", "nan" and hexadecimal numbers, which are errors here
     */
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

/*
 * Convert a unit to small letters, and shorten "byte" and "bytes" at its end to "b": "kb" for
 * "kBytes". Text that is too long is cut.
 */
static void plain_unit(const char *text, char *out, size_t length)
{
    size_t n = 0;

    while (text[n] && n + 1 < length) {
        out[n] = (char)tolower((unsigned char)text[n]);
        n++;
    }
    out[n] = '\0';
    if (n > 4 && strcmp(out + n - 5, "bytes") == 0) {
        out[n - 4] = '\0';
    } else if (n > 3 && strcmp(out + n - 4, "byte") == 0) {
        out[n - 3] = '\0';
    }
}

static const struct unit size_units[] = {
    {"", 1},       {"B", 1},        {"k", 0x1p10},   {"m", 0x1p20},   {"g", 0x1p30},
    {"t", 0x1p40}, {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"TiB", 0x1p40},
    {"kB", 1e3},   {"MB", 1e6},     {"GB", 1e9},     {"TB", 1e12},    {NULL, 0},
};

static const char valid_units[] = "k, m, g, t, KiB, MiB, GiB, TiB, kB, MB, GB, TB, B or nothing";

/* Find the unit at the end of a size; NULL after a message that lists the valid units. */
static const struct unit *read_size_unit(const char *text, const char *end, struct hitop_diag *diag)
{
    char plain[16], meant[64];
    const char *nearest = NULL;

    if (end[0] == ' ' && end[1]) {
        end++;
    }
    plain_unit(end, plain, sizeof(plain));
    for (const struct unit *u = size_units; u->name; u++) {
        if (strcasecmp(u->name, plain) == 0) {
            return u;
        }
        nearest = u->name[0] && u->name[1] ? hitop_text_nearer(plain, u->name, nearest) : nearest;
    }
    hitop_text_meant(nearest, meant, sizeof(meant));
    (void)hitop_fail(diag, HITOP_ERR_INVALID, "'%.64s' has no known unit%s: %s", text, meant,
                     valid_units);
    return NULL;
}

/*
 * Read a fraction such as ".25"; *bytes is this fraction of the unit. Returns 0 if that is not a
 * whole number or has too many digits, else 1.
 */
static int read_fraction(const char *at, double factor, unsigned long long *bytes)
{
    unsigned long long digits = 0, power = 1;

    for (at++; isdigit((unsigned char)*at); at++) {
        if (power < 1000000) {
            digits = 10 * digits + (unsigned)(*at - '0');
            power *= 10;
        } else if (*at != '0') {
            return 0;
        }
    }
    digits *= (unsigned long long)factor; /* below 10^6 * 2^40 */
    *bytes = digits / power;
    return digits % power == 0;
}

enum hitop_status hitop_text_size(const char *text, size_t *out, struct hitop_diag *diag)
{
    const struct unit *unit;
    unsigned long long count, more = 0, factor;
    char *end = NULL, *point;

    if (!isdigit((unsigned char)text[0])) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "'%.64s' is not a size: a non-negative number, then %s", text,
                          valid_units);
    }
    errno = 0;
    count = strtoull(text, &end, 10);
    point = *end == '.' && isdigit((unsigned char)end[1]) ? end : NULL;
    unit = read_size_unit(text, point ? point + 1 + strspn(point + 1, "0123456789") : end, diag);
    if (!unit) {
        return HITOP_ERR_INVALID;
    }
    factor = (unsigned long long)unit->factor;
    if (point && !read_fraction(point, unit->factor, &more)) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "'%.64s' is not a whole number of bytes", text);
    }
    /* PTRDIFF_MAX: no object is larger, and differences of sizes stay representable */
    if (errno == ERANGE || count > ((unsigned long long)PTRDIFF_MAX - more) / factor) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "'%.64s' is larger than any message can be",
                          text);
    }
    *out = (size_t)(count * factor + more);
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

enum hitop_status hitop_text_rate(const char *text, double *out, struct hitop_diag *diag)
{
    static const struct unit units[] = {
        {"B/s", 1},           {"kB/s", 1e3},       {"MB/s", 1e6},       {"GB/s", 1e9},
        {"TB/s", 1e12},       {"KiB/s", 0x1p10},   {"MiB/s", 0x1p20},   {"GiB/s", 0x1p30},
        {"TiB/s", 0x1p40},    {"kbit/s", 1e3 / 8}, {"Mbit/s", 1e6 / 8}, {"Gbit/s", 1e9 / 8},
        {"Tbit/s", 1e12 / 8}, {NULL, 0},
    };
    double value = 0;
    const char *end = text[0] ? read_number(text, &value) : NULL;
    const struct unit *unit = end ? find_unit(units, end + (end[0] == ' ')) : NULL;

    if (!unit || !(value > 0) || !isfinite(value * unit->factor)) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "'%.64s' is not a rate: a positive number, then B/s, kB/s, MB/s, GB/s, "
                          "TB/s, KiB/s, MiB/s, GiB/s, TiB/s, kbit/s, Mbit/s, Gbit/s or Tbit/s",
                          text);
    }
    *out = value * unit->factor;
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

/* Write three digits and the smallest unit for which three digits are enough. */
static void format_scaled(double value, const struct unit *units, size_t nunits, char *out,
                          size_t length)
{
    size_t i = 0;

    /* a value that would be rounded to 1000 has the next unit */
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

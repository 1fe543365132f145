/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * platform_units.c - numbers of platform files: "50us", "1.25GBps", "0-3,7", "0:1;65536:0.9".
 *
 * Source: SimGrid 3.32, src/surf/xml/surfxml_sax_cb.cpp: units of time from ps to w(eeks); rates in
 * bps and Bps with prefixes of 1000 (k, M, G, ...) and of 1024 (Ki, Mi, Gi, ...).
 */
#include <config.h>

#include "models/simgrid/platform_impl.h"

#include "hitop/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A number that is not negative, and what follows it; NULL if there is none. */
static const char *take_number(const char *text, double *value)
{
    char digits[64];
    size_t n = strspn(text, "0123456789.");

    if ((text[n] == 'e' || text[n] == 'E') && n > 0) {
        const size_t sign = text[n + 1] == '-' || text[n + 1] == '+';
        const size_t more = strspn(text + n + 1 + sign, "0123456789");
        n += more > 0 ? 1 + sign + more : 0;
    }
    if (n == 0 || n >= sizeof(digits)) {
        return NULL;
    }
    memcpy(digits, text, n);
    digits[n] = '\0';
    return hitop_text_double(digits, 0, 1e300, value, NULL) == HITOP_OK ? text + n : NULL;
}

int hitop_platform_time(const char *text, double *seconds)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"", 1},  {"ps", 1e-12}, {"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3},
                 {"s", 1}, {"m", 60},     {"h", 3600},  {"d", 86400}, {"w", 604800}};
    double value;
    const char *unit = take_number(text, &value);

    for (size_t i = 0; unit && i < sizeof(units) / sizeof(units[0]); i++) {
        if (strcmp(unit, units[i].name) == 0) {
            *seconds = value * units[i].seconds;
            return *seconds <= 1000;
        }
    }
    return 0;
}

int hitop_platform_rate(const char *text, double *bytes_per_second)
{
    static const char prefixes[] = "kMGTPEZY";
    double value;
    const char *unit = take_number(text, &value), *prefix;
    int power = 0, base = 1000;

    if (!unit) {
        return 0;
    }
    prefix = *unit ? strchr(prefixes, *unit == 'K' ? 'k' : *unit) : NULL;
    if (prefix) {
        power = (int)(prefix - prefixes) + 1;
        unit++;
        if (*unit == 'i') {
            base = 1024;
            unit++;
        }
    }
    value *= pow(base, power);
    if (strcmp(unit, "bps") == 0) {
        value /= 8;
    } else if (strcmp(unit, "Bps") != 0 && (*unit || prefix)) {
        return 0;
    }
    *bytes_per_second = value;
    return value >= 1 && value <= 1e18;
}

int hitop_platform_factors(const char *text, struct factors *out)
{
    *out = (struct factors){.n = 0};
    for (;;) {
        double first, value;
        const char *end = take_number(text, &first);
        if (!end || out->n == PLATFORM_MAX_FACTORS) {
            return 0;
        }
        if (*end == ':') {
            end = take_number(end + 1, &value);
        } else { /* one number for all sizes */
            value = first;
            first = 0;
            if (out->n > 0 || (end && *end)) {
                return 0;
            }
        }
        if (!end || !(value > 0 && value <= 1e9) ||
            !(first <= 1e12 && (out->n == 0 || first > out->above[out->n - 1]))) {
            return 0;
        }
        out->above[out->n] = first;
        out->value[out->n++] = value;
        if (*end == '\0') {
            return 1;
        }
        if (*end != ';') {
            return 0;
        }
        text = end + 1;
    }
}

int hitop_platform_radical(const char *text, int (*visit)(void *data, int number), void *data)
{
    for (;;) {
        char *end;
        long first, last;
        if (*text < '0' || *text > '9') {
            return 0;
        }
        first = last = strtol(text, &end, 10);
        if (*end == '-') {
            text = end + 1;
            if (*text < '0' || *text > '9') {
                return 0;
            }
            last = strtol(text, &end, 10);
        }
        if (first > last || last > 1000000000 || last - first >= PLATFORM_MAX_HOSTS) {
            return 0;
        }
        for (long number = first; number <= last; number++) {
            if (!visit(data, (int)number)) {
                return 0;
            }
        }
        if (*end == '\0') {
            return 1;
        }
        if (*end != ',') {
            return 0;
        }
        text = end + 1;
    }
}

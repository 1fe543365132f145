/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * source_hardware.c - groups of hosts with different hardware in one cluster.
 *
 * Idea:   hosts that share all groups of the network are compared by their hardware. If properties
 *         differ, they form groups named after these: "64 cores, 256 GiB". If none differs, there
 *         is no level.
 * Use:    clusters with hosts of several generations; jobs with hosts of several partitions.
 * Needs:  facts "hardware", see hardware.h. A missing property counts as that of the other hosts if
 *         these agree, and as unknown if they do not.
 */
#include <config.h>

#include "hierarchy/sources/hardware_kind.h"
#include "hierarchy/tree/group_impl.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct property {
    const char *key;
    const char *one, *several; /* words for a number of things, or NULL */
    const char *what;          /* for hosts with an unknown value */
    int is_headline; /* 1: shown if it differs; 0: shown only if names would be equal otherwise */
} properties[HARDWARE_PROPERTIES] = {
    [HARDWARE_CORES] = {"cores", "core", "cores", "cores", 1},
    [HARDWARE_MEMORY] = {"memory", NULL, NULL, "memory", 1},
    [HARDWARE_GPUS] = {"gpus", "GPU", "GPUs", "GPUs", 1},
    [HARDWARE_CPU] = {"cpu", NULL, NULL, "processor", 0},
    [HARDWARE_PACKAGES] = {"packages", "package", "packages", "packages", 0},
    [HARDWARE_PUS] = {"pus", "thread", "threads", "threads", 0},
    [HARDWARE_L3] = {"l3", NULL, NULL, "L3", 0},
};

static int read_number(const char *text, uint64_t *out, const char **rest)
{
    char *end = NULL;

    if (text[0] < '0' || text[0] > '9') {
        return 0;
    }
    errno = 0;
    *out = strtoull(text, &end, 10);
    *rest = end;
    return errno == 0;
}

static void read_count(const char *text, const struct property *thing, char *out)
{
    const char *rest = NULL;
    uint64_t n = 0;

    if (!read_number(text, &n, &rest) || rest[0]) {
        return;
    }
    if (n == 0) {
        (void)snprintf(out, HARDWARE_TEXT, "no %s", thing->one);
    } else {
        (void)snprintf(out, HARDWARE_TEXT, "%llu %s", (unsigned long long)n,
                       n == 1 ? thing->one : thing->several);
    }
}

/* Round up to an eighth of a power of two, in MiB. */
static uint64_t round_memory(uint64_t mebibytes)
{
    uint64_t power = 8;

    while (power <= mebibytes / 2) {
        power *= 2;
    }
    return (mebibytes + power / 8 - 1) / (power / 8) * (power / 8);
}

static void read_memory(const char *text, char *out)
{
    const char *unit = NULL;
    uint64_t n = 0;

    if (!read_number(text, &n, &unit) || n == 0 || n > UINT64_MAX / 4096) {
        return;
    }
    if (strcmp(unit, "GiB") == 0) {
        n *= 1024;
    } else if (strcmp(unit, "MiB") != 0) {
        return;
    }
    n = round_memory(n);
    if (n < 1024) {
        (void)snprintf(out, HARDWARE_TEXT, "%llu MiB", (unsigned long long)n);
    } else {
        (void)snprintf(out, HARDWARE_TEXT, "%.10g GiB", (double)n / 1024);
    }
}

/* 1 for words that distinguish no processors: "CPU", "Processor", "64-Core". */
static int is_filler(const char *word, size_t length)
{
    static const char *const fillers[] = {"CPU", "Processor", "processor"};

    for (size_t i = 0; i < sizeof(fillers) / sizeof(fillers[0]); i++) {
        if (length == strlen(fillers[i]) && memcmp(word, fillers[i], length) == 0) {
            return 1;
        }
    }
    return length > 5 && word[0] >= '0' && word[0] <= '9' &&
           memcmp(word + length - 5, "-Core", 5) == 0;
}

/* Copy a name without "(R)", "(TM)" and fillers, which firmware versions write differently. */
static void read_cpu(const char *text, char *out)
{
    static const char *const marks[] = {"(R)", "(r)", "(TM)", "(tm)"};
    size_t used = 0;

    while (*text) {
        const size_t length = strcspn(text, " ");
        const size_t begin = used;

        if (length > 0 && !is_filler(text, length)) {
            if (used > 0 && used < HARDWARE_TEXT - 1) {
                out[used++] = ' ';
            }
            for (size_t i = 0; i < length && used < HARDWARE_TEXT - 1; i++) {
                size_t skip = 0;
                for (size_t k = 0; k < sizeof(marks) / sizeof(marks[0]); k++) {
                    if (strncmp(text + i, marks[k], strlen(marks[k])) == 0) {
                        skip = strlen(marks[k]);
                    }
                }
                if (skip > 0) {
                    i += skip - 1;
                } else {
                    out[used++] = text[i];
                }
            }
            if (begin > 0 && used == begin + 1) { /* nothing but marks */
                used = begin;
            }
        }
        text += length;
        text += *text == ' ';
    }
    out[used] = '\0';
}

static void read_property(const char *key, const char *value, struct hardware_kind *kind)
{
    for (int p = 0; p < HARDWARE_PROPERTIES; p++) {
        char *out = kind->property[p];

        if (strcmp(key, properties[p].key) != 0) {
            continue;
        }
        if (properties[p].one) {
            read_count(value, &properties[p], out);
        } else if (p == HARDWARE_MEMORY) {
            read_memory(value, out);
        } else if (p == HARDWARE_CPU) {
            read_cpu(value, out);
        } else if (value[0]) {
            (void)snprintf(out, HARDWARE_TEXT, "L3 %.59s", value);
        }
    }
}

void hitop_hardware_kind_read(const char *fact, struct hardware_kind *kind)
{
    *kind = (struct hardware_kind){.is_complete = 0};
    while (*fact) {
        const size_t length = strcspn(fact, ";");
        const size_t key = strcspn(fact, "=;");
        char text[2 * HARDWARE_TEXT];

        if (key < length && length < sizeof(text)) {
            memcpy(text, fact, length);
            text[length] = text[key] = '\0';
            read_property(text, text + key + 1, kind);
        }
        fact += length;
        fact += *fact == ';';
    }
}

/* ---- Short names of kinds ---- */

/* 1 if two kinds have different values of a property. */
static int differs(const struct hardware_kind *kind, int n, int property)
{
    const char *first = "";

    for (int i = 0; i < n; i++) {
        const char *own = kind[i].property[property];
        if (own[0] && first[0] && strcmp(own, first) != 0) {
            return 1;
        }
        first = first[0] ? first : own;
    }
    return 0;
}

static void append(char *name, const char *text)
{
    const size_t used = strlen(name), left = sizeof(((struct hardware_kind *)0)->name) - used;

    (void)snprintf(name + used, left, used > 0 ? ", %s" : "%s", text);
}

/* Compose the name of a kind from a set of properties, one bit each. */
static void compose(struct hardware_kind *kind, unsigned shown)
{
    int ntold = 0, nshown = 0;

    kind->name[0] = '\0';
    for (int p = 0; p < HARDWARE_PROPERTIES; p++) {
        if (!(shown & 1u << p)) {
            continue;
        }
        nshown++;
        if (kind->property[p][0]) {
            append(kind->name, kind->property[p]);
            ntold++;
        } else {
            char unknown[HARDWARE_TEXT];
            (void)snprintf(unknown, sizeof(unknown), "unknown %s", properties[p].what);
            append(kind->name, unknown);
        }
    }
    if (nshown > 0 && ntold == 0) {
        memcpy(kind->name, "unknown", sizeof("unknown"));
    }
    kind->is_complete = ntold == nshown;
}

static int by_name(const void *a, const void *b)
{
    const struct hardware_kind *const *x = a, *const *y = b;

    return strcmp((*x)->name, (*y)->name);
}

/* Number of different names with a set of properties; order has room for n. */
static int count_names(struct hardware_kind *kind, int n, unsigned shown,
                       const struct hardware_kind **order)
{
    int count = 1;

    for (int i = 0; i < n; i++) {
        compose(&kind[i], shown);
        order[i] = &kind[i];
    }
    qsort(order, (size_t)n, sizeof(*order), by_name);
    for (int i = 1; i < n; i++) {
        count += by_name(&order[i - 1], &order[i]) != 0;
    }
    return count;
}

int hitop_hardware_kind_name(struct hardware_kind *kind, int n, const struct hardware_kind **order)
{
    unsigned differing = 0, shown = 0;
    int count;

    for (int p = 0; p < HARDWARE_PROPERTIES; p++) {
        differing |= (unsigned)differs(kind, n, p) << p;
        shown |= properties[p].is_headline ? differing & 1u << p : 0;
    }
    count = count_names(kind, n, shown, order);
    for (int p = 0; p < HARDWARE_PROPERTIES; p++) {
        const unsigned more = shown | (differing & 1u << p);
        const int finer = count_names(kind, n, more, order);
        if (finer > count) {
            shown = more;
            count = finer;
        }
    }
    (void)count_names(kind, n, shown, order);
    return differing != 0;
}

static const double complete = 1, incomplete = 0.5;

struct member {
    const struct hitop_paths *paths;
    const char *fact;
    int place;
    int kind; /* index in the cluster's kinds */
};

static int compare_networks(const struct member *x, const struct member *y)
{
    return hitop_compare_paths(x->paths, x->place, y->place);
}

static int by_network_then_fact(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    int order = compare_networks(x, y);

    if (!order) {
        order = strcmp(x->fact, y->fact);
    }
    return order ? order : (x->place > y->place) - (x->place < y->place);
}

/* Push the kinds of one cluster; hosts with equal facts are contiguous. */
static void push_kinds(struct member *member, int n, struct hardware_kind *kind,
                       const struct hardware_kind **order, struct hitop_paths *paths)
{
    int nkinds = 0;

    for (int i = 0; i < n; i++) {
        if (i == 0 || strcmp(member[i].fact, member[i - 1].fact) != 0) {
            hitop_hardware_kind_read(member[i].fact, &kind[nkinds++]);
        }
        member[i].kind = nkinds - 1;
    }
    if (!hitop_hardware_kind_name(kind, nkinds, order)) {
        return;
    }
    for (int i = 0; i < n; i++) {
        const struct hardware_kind *own = &kind[member[i].kind];
        hitop_paths_push(paths, member[i].place, "hardware", own->name,
                         own->is_complete ? complete : incomplete);
    }
}

static enum hitop_status hardware_classify(const struct hitop_source_input *in,
                                           struct hitop_paths *paths, struct hitop_diag *diag)
{
    const int n = in->nplaces;
    struct storage scratch = {0};
    struct member *member;
    struct hardware_kind *kind;
    const struct hardware_kind **order;
    enum hitop_status status;
    int any = 0;

    (void)diag;
    for (int i = 0; i < n && !any && !in->how->ignore_hardware; i++) {
        any = hitop_place_fact(&in->place[i], "hardware")[0] != '\0';
    }
    if (any && STORAGE_ARRAY(&scratch, member, n) && STORAGE_ARRAY(&scratch, kind, n) &&
        STORAGE_ARRAY(&scratch, order, n)) {
        for (int i = 0; i < n; i++) {
            member[i] = (struct member){paths, hitop_place_fact(&in->place[i], "hardware"), i, 0};
        }
        qsort(member, (size_t)n, sizeof(*member), by_network_then_fact);
        /* pushing changes the paths that are compared, so that the end is found first */
        for (int begin = 0, end; begin < n; begin = end) {
            for (end = begin + 1; end < n && compare_networks(&member[begin], &member[end]) == 0;
                 end++) {
            }
            push_kinds(member + begin, end - begin, kind, order, paths);
        }
    }
    status = storage_status(&scratch);
    hitop_storage_clear(&scratch);
    return status;
}

const struct hitop_source hitop_source_hardware = {
    .name = "hardware",
    .summary = "processors, caches, memory and accelerators that differ within a cluster",
    .layer = HITOP_LAYER_HARDWARE,
    .trust = 1,
    .classify = hardware_classify,
};

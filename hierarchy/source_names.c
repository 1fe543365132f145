/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * source_names.c - what the people who named the hosts had in mind.
 *
 * Idea:   prefixes given by the user win; then, on request, the first characters of a name; else the
 *         words and numbers of a name: the word before the first number is a class of hosts, every
 *         number but the last one counts racks, chassis and the like, the last one counts hosts.
 *         Characters are never compared one by one: node10 and node12 are no closer than node10
 *         and node9.
 * Use:    when nothing better than names is known.
 * Needs:  nothing. Numbers that are alike everywhere make groups of one member, which are dropped.
 */
#include <config.h>

#include "hitop/sys/source.h"
#include "host_name.h"

#include <stdlib.h>
#include <string.h>

static const double given = 1, by_words = 0.6, by_length = 0.5, by_address = 0.3;

/* The longest prefix that host begins with, or NULL. */
static const char *find_prefix(const struct hitop_grouping *how, const char *host)
{
    const char *best = NULL;

    for (int i = 0; i < how->nprefixes; i++) {
        const char *prefix = how->prefixes[i];
        if (strncmp(host, prefix, strlen(prefix)) == 0 &&
            (!best || strlen(prefix) > strlen(best))) {
            best = prefix;
        }
    }
    return best;
}

static int is_separator(char c)
{
    return c == '-' || c == '_' || c == '.';
}

/* Words that name a place above the host wherever they stand in its name, or NULL. */
static const char *place_word(const char *host, struct host_name_part part)
{
    static const char *const words[] = {"row",   "cell",    "island",  "pod",    "su",
                                        "group", "cabinet", "chassis", "switch", "rack"};
    const char *end = host + part.digits;
    const char *begin = host + part.begin;

    while (end > begin && is_separator(end[-1])) {
        end--;
    }
    while (begin < end && is_separator(*begin)) {
        begin++;
    }
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if ((size_t)(end - begin) == strlen(words[i]) &&
            strncmp(begin, words[i], strlen(words[i])) == 0) {
            return words[i];
        }
    }
    return NULL;
}

/* Append a part to a group's name; "-dy" and "-st" say how a host was started, not where it is. */
static void append_part(char *name, const char *host, struct host_name_part part)
{
    const char *text = host + part.begin;
    const char *end = host + part.end;

    if (strncmp(text, "-dy-", 4) == 0 || strncmp(text, "-st-", 4) == 0) {
        text += 3;
    }
    while (!name[0] && text < end && is_separator(*text)) {
        text++;
    }
    strncat(name, text, (size_t)(end - text));
}

/* Parts that name a place come first; the order is kept otherwise. */
static void put_places_first(const char *host, struct host_name_part *part, int nparts)
{
    int nplaces = 0;

    for (int i = 0; i < nparts; i++) {
        const struct host_name_part p = part[i];
        if (place_word(host, p)) {
            memmove(part + nplaces + 1, part + nplaces, (size_t)(i - nplaces) * sizeof(*part));
            part[nplaces++] = p;
        }
    }
}

static enum hitop_status push_words(struct hitop_paths *paths, int index, const char *host)
{
    const size_t length = host_name_short_length(host);
    struct host_name_part part[HOST_NAME_PARTS];
    const int nparts = host_name_split(host, length, part);
    size_t class_length = nparts > 0 ? part[0].digits : 0;
    char *name = calloc(length + 1, 1);

    if (!name) {
        return HITOP_ERR_NOMEM;
    }
    while (class_length > 0 && is_separator(host[class_length - 1])) {
        class_length--;
    }
    if (class_length > 0) {
        memcpy(name, host, class_length);
        hitop_paths_push(paths, index, "cluster", name, by_words);
        name[0] = '\0';
    }
    put_places_first(host, part, nparts);
    for (int i = 0; i < nparts - 1; i++) {
        const char *level = place_word(host, part[i]);
        append_part(name, host, part[i]);
        hitop_paths_push(paths, index, level ? level : "group", name, by_words);
    }
    free(name);
    return HITOP_OK;
}

/* Networks of an address, "10", "10.1", "10.1.4". */
static void push_address(struct hitop_paths *paths, int index, const char *host)
{
    char name[64] = "";

    for (const char *dot = strchr(host, '.'); dot; dot = strchr(dot + 1, '.')) {
        const size_t length = (size_t)(dot - host);
        if (length < sizeof(name)) {
            memcpy(name, host, length);
            name[length] = '\0';
            hitop_paths_push(paths, index, "subnet", name, by_address);
        }
    }
}

static enum hitop_status push_start(struct hitop_paths *paths, int index, const char *host,
                                    int prefix_length)
{
    const size_t length = host_name_short_length(host);
    char *name = strndup(host, length < (size_t)prefix_length ? length : (size_t)prefix_length);

    if (!name) {
        return HITOP_ERR_NOMEM;
    }
    hitop_paths_push(paths, index, "cluster", name, by_length);
    free(name);
    return HITOP_OK;
}

static enum hitop_status names_classify(const struct hitop_source_input *in,
                                        struct hitop_paths *paths, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    (void)diag;
    for (int index = 0; index < in->nplaces && status == HITOP_OK; index++) {
        const char *host = in->place[index].host;
        const char *prefix = find_prefix(in->how, host);

        if (prefix) {
            hitop_paths_push(paths, index, "cluster", prefix, given);
        } else if (in->how->prefix_length > 0) {
            status = push_start(paths, index, host, in->how->prefix_length);
        } else if (host_name_is_address(host)) {
            push_address(paths, index, host);
        } else {
            status = push_words(paths, index, host);
        }
    }
    return status;
}

const struct hitop_source hitop_source_names = {
    .name = "names",
    .summary = "words and numbers of host names, or prefixes given by the user",
    .layer = HITOP_LAYER_NETWORK,
    .trust = 0.6,
    .classify = names_classify,
};

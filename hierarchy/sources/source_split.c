/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * source_split.c - groups that a regular expression of the user finds in host names.
 *
 * Idea:   a POSIX extended regular expression; the text of each (...) is the name of a group, from
 *         the outside inwards. Case does not matter.
 * Use:    generate_hierarchy --split '^(r[0-9]+)(c[0-9]+)' for names that the other sources do not
 *         understand.
 * Needs:  an expression with at least one (...). It is matched against the whole name, with the
 *         domain. The next source groups names that do not match.
 */
#include <config.h>

#include "hitop/sys/source.h"

#include "hierarchy/names/host_blocks.h"
#include "hierarchy/names/host_name.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

static const double confidence = 1;

struct splitting {
    regex_t regex;
    regmatch_t *match;        /* [0]: the whole name; [i]: the i-th (...) */
    char *host, *name, *path; /* buffers: the host in lower case, one group, all groups */
    struct host_blocks blocks;
};

static enum hitop_status compile(const char *text, regex_t *regex, struct hitop_diag *diag)
{
    const int fault = regcomp(regex, text, REG_EXTENDED | REG_ICASE);
    char why[128];

    if (fault) {
        (void)regerror(fault, regex, why, sizeof(why));
        return hitop_fail(diag, HITOP_ERR_INVALID, "split: '%.200s' is no regular expression: %s",
                          text, why);
    }
    if (regex->re_nsub == 0) {
        regfree(regex);
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "split: '%.200s' has no (...) to name a level by", text);
    }
    return HITOP_OK;
}

static void split_host(struct splitting *s, struct hitop_paths *paths, int index, const char *host)
{
    size_t used = 0;

    for (size_t i = 0; i <= strlen(host); i++) {
        s->host[i] = hitop_host_name_lower(host[i]);
    }
    if (regexec(&s->regex, s->host, s->regex.re_nsub + 1, s->match, 0) != 0) {
        return;
    }
    for (size_t i = 1; i <= s->regex.re_nsub; i++) {
        const regmatch_t *m = &s->match[i];
        const size_t length = m->rm_so < 0 ? 0 : (size_t)(m->rm_eo - m->rm_so);
        if (length > 0) { /* 0: this (...) matched nothing */
            memcpy(s->name, s->host + m->rm_so, length);
            s->name[length] = '\0';
            hitop_paths_push(paths, index, "group", s->name, confidence);
            s->path[used++] = '.';
            memcpy(s->path + used, s->name, length);
            used += length;
        }
    }
    s->path[used] = '\0';
    if (used > 0) {
        hitop_host_blocks_add_host(&s->blocks, index, host, s->path + 1);
    }
}

static size_t longest_host(const struct hitop_source_input *in)
{
    size_t longest = 0;

    for (int i = 0; i < in->nplaces; i++) {
        const size_t length = strlen(in->place[i].host);
        longest = length > longest ? length : longest;
    }
    return longest;
}

static enum hitop_status split_classify(const struct hitop_source_input *in,
                                        struct hitop_paths *paths, struct hitop_diag *diag)
{
    const size_t longest = longest_host(in);
    struct storage scratch = {0};
    struct splitting s = {.match = NULL};
    enum hitop_status status;

    if (!in->how->split) {
        return HITOP_OK;
    }
    status = compile(in->how->split, &s.regex, diag);
    if (status != HITOP_OK) {
        return status;
    }
    hitop_host_blocks_begin(&s.blocks, in->how);
    /* (...) may be nested, so that a path can be longer than the host */
    if (STORAGE_ARRAY(&scratch, s.match, s.regex.re_nsub) &&
        STORAGE_ARRAY(&scratch, s.host, longest) && STORAGE_ARRAY(&scratch, s.name, longest) &&
        STORAGE_ARRAY(&scratch, s.path, (s.regex.re_nsub + 1) * (longest + 2))) {
        for (int i = 0; i < in->nplaces; i++) {
            if (!hitop_paths_is_taken(paths, i)) {
                split_host(&s, paths, i, in->place[i].host);
            }
        }
    }
    status = storage_status(&scratch);
    if (hitop_host_blocks_end(&s.blocks, paths) != HITOP_OK) {
        status = HITOP_ERR_NOMEM;
    }
    hitop_storage_clear(&scratch);
    regfree(&s.regex);
    return status;
}

static int split_is_requested(const struct hitop_grouping *how)
{
    return how->split != NULL;
}

const struct hitop_source hitop_source_split = {
    .name = "split",
    .summary = "what an expression of the user finds in host names",
    .layer = HITOP_LAYER_NETWORK,
    .trust = 1,
    .is_requested = split_is_requested,
    .classify = split_classify,
};

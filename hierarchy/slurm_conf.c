/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slurm_conf.c - topology.conf, and what "scontrol show topology" prints, become switches or blocks.
 *
 * Lines of Key=Value; case does not count in keys; '#' begins a comment; a line that ends with '\' goes
 * on in the next one.
 */
#include <config.h>

#include "slurm_topology.h"

#include "hitop/text.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { MAX_PAIRS = 8 };

struct pair {
    char *key, *value;
};

/* What may begin a line, and what may follow; the last of a list is NULL. */
static const struct statement {
    const char *key;
    const char *others[5];
} statements[] = {
    {"SwitchName", {"Switches", "Nodes", "LinkSpeed", "Level"}},
    {"BlockName", {"Nodes", "BlockSize", "BlockIndex"}},
    {"AggregatedBlock", {"Nodes", "BlockSize", "BlockIndex"}},
    {"BlockSizes", {NULL}},
};

enum { SWITCH, BLOCK, AGGREGATED, SIZES, NSTATEMENTS };

static const char blanks[] = " \t\r\f\v";

/* Take the next logical line out of *text, and count its lines; NULL at the end. */
static char *take_line(char **text, int *line)
{
    char *begin = *text, *to = *text;
    int goes_on = 1;

    if (!**text) {
        return NULL;
    }
    while (goes_on && **text) {
        char *from = *text;
        size_t length = strcspn(from, "\n");

        *text = from + length + (from[length] != '\0');
        ++*line;
        if (to > begin && to[-1] == ',') { /* a list that goes on may be indented */
            from += strspn(from, blanks);
        }
        length = strcspn(from, "#\n");
        while (length > 0 && strchr(blanks, from[length - 1])) {
            length--;
        }
        goes_on = length > 0 && from[length - 1] == '\\';
        length -= (size_t)goes_on;
        memmove(to, from, length);
        to += length;
    }
    *to = '\0';
    return begin;
}

/* The value at the start of *text, which moves behind it; NULL after a failure. */
static char *take_value(struct slurm_topology *t, int line, const char *key, char **text)
{
    char *value = *text + strspn(*text, blanks);
    const size_t length = strcspn(value, blanks);
    char *at;

    if (value > *text && memchr(value, '=', length)) { /* the next pair: this one has no value */
        **text = '\0';
        value = *text;
        ++*text;
        return value;
    }
    if (*value != '"') {
        *text = value + length + (value[length] != '\0');
        value[length] = '\0';
        return value;
    }
    at = ++value;
    at += strcspn(at, "\"");
    if (!*at || (at[1] && !strchr(blanks, at[1]))) {
        network_fail(t->net, line, "%s: a quote does not end where the value does", key);
        return NULL;
    }
    *at = '\0';
    *text = at + 1;
    return value;
}

/* The next Key=Value of a line; 0 at its end or after a failure. */
static int take_pair(struct slurm_topology *t, int line, char **text, struct pair *pair)
{
    char *at = *text + strspn(*text, blanks);
    char *end;

    if (!*at) {
        return 0;
    }
    pair->key = at;
    while (isalnum((unsigned char)*at) || *at == '_') {
        at++;
    }
    end = at;
    at += strspn(at, blanks);
    if (end == pair->key || *at != '=') {
        network_fail(t->net, line, "expected Key=Value at '%.40s'", pair->key);
        return 0;
    }
    *end = '\0';
    *text = at + 1;
    pair->value = take_value(t, line, pair->key, text);
    return pair->value != NULL;
}

/* The value of a key, or NULL. */
static const char *find(const struct pair *pair, int npairs, const char *key)
{
    for (int i = 0; i < npairs; i++) {
        if (strcasecmp(pair[i].key, key) == 0) {
            return pair[i].value;
        }
    }
    return NULL;
}

/* Every key is one of the statement's, and there once. */
static void check_keys(struct slurm_topology *t, int line, const struct statement *s,
                       const struct pair *pair, int npairs)
{
    char valid[128] = "";

    for (int k = 0; s->others[k]; k++) {
        hitop_text_list_name(valid, sizeof(valid), s->others[k]);
    }
    for (int i = 1; i < npairs; i++) {
        int k = 0;

        while (s->others[k] && strcasecmp(s->others[k], pair[i].key) != 0) {
            k++;
        }
        if (find(pair, i, pair[i].key)) {
            network_fail(t->net, line, "%.40s is given twice", pair[i].key);
        } else if (!s->others[k]) {
            network_fail(t->net, line, "'%.40s' is no key of a line that begins with %s; %s%s",
                         pair[i].key, s->key, valid[0] ? "there are " : "there is no other", valid);
        }
    }
}

static void add_sizes(struct slurm_topology *t, int line, char *list)
{
    char *rest = list, *size;

    while ((size = strsep(&rest, ","))) {
        slurm_add_size(t, line, size);
    }
}

static void take_statement(struct slurm_topology *t, int line, const struct pair *pair, int npairs)
{
    const char *size = find(pair, npairs, "BlockSize");
    const char *nodes = find(pair, npairs, "Nodes");
    int kind = 0;

    while (kind < NSTATEMENTS && strcasecmp(statements[kind].key, pair[0].key) != 0) {
        kind++;
    }
    if (kind == NSTATEMENTS) {
        network_fail(t->net, line,
                     "a line begins with SwitchName, BlockName or BlockSizes, not with '%.40s'",
                     pair[0].key);
        return;
    }
    check_keys(t, line, &statements[kind], pair, npairs);
    switch (kind) {
    case SWITCH:
        slurm_add_switch(t, line, pair[0].value, find(pair, npairs, "Switches"), nodes);
        break;
    case BLOCK:
        slurm_add_block(t, line, pair[0].value, nodes);
        break;
    case SIZES:
        add_sizes(t, line, pair[0].value);
        break;
    default: /* follows from sizes */
        break;
    }
    if (size) {
        slurm_add_size(t, line, size);
    }
}

void slurm_read_conf(struct slurm_topology *t, char *text)
{
    int before = 0, after = 0;
    char *at;

    while (network_status(t->net) == HITOP_OK && (at = take_line(&text, &after))) {
        const int line = before + 1;
        struct pair pair[MAX_PAIRS];
        int npairs = 0;

        before = after;
        while (npairs < MAX_PAIRS && take_pair(t, line, &at, &pair[npairs])) {
            npairs++;
        }
        if (npairs == MAX_PAIRS) {
            network_fail(t->net, line, "more than %d keys in a line", MAX_PAIRS - 1);
        }
        if (npairs > 0 && network_status(t->net) == HITOP_OK) {
            take_statement(t, line, pair, npairs);
        }
    }
    if (!t->rules.what) {
        network_fail(t->net, 0, "describes no switch and no block");
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slurm_conf.c - read topology.conf, or the output of "scontrol show topology".
 *
 *     SwitchName=s0 Switches=s[1-2] LinkSpeed=1     tree; Nodes=n[1-16] instead, or as well
 *     BlockName=b1 Nodes=n[1-18]                    block; BlockSizes=18,36 in a line of its own
 *     SwitchName=s0 Level=1 LinkSpeed=1 Nodes=n[1-32] Switches=s[1-2]     from scontrol
 *     BlockName=b1 BlockIndex=0 Nodes=n[1-18] BlockSize=18
 *     AggregatedBlock=b[1-2] BlockIndex=2 Nodes=n[1-36] BlockSize=36
 *     Include other.conf                            as in all of SLURM's files
 *
 * Case does not matter in keys; values may be quoted; '#' begins a comment; a line that ends with
 * '\' continues in the next one. The name of an included file is relative to the folder of the
 * including file, and has no blanks.
 *
 * Sources: topology.conf(5), slurm.conf(5); src/common/parse_config.c;
 * src/plugins/topology/{tree,block}.
 */
#include <config.h>

#include "hierarchy/sources/slurm_topology.h"

#include "hitop/input.h"
#include "hitop/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { MAX_PAIRS = 8, MAX_DEPTH = 8 };

struct pair {
    char *key, *value;
};

/* The first key of a line, and the keys that may follow, with NULL at the end. */
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

/*
 * Return the next logical line of *text, or NULL at the end. *text advances behind it; *line counts
 * lines of the file.
 */
static char *next_line(char **text, int *line)
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
        if (to > begin && to[-1] == ',') { /* the continuation of a list may be indented */
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

/* Read the value at *text, and advance *text; NULL after a failure. */
static char *read_value(struct slurm_topology *t, int line, const char *key, char **text)
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
        hitop_network_fail(&t->net, line, "%s: a quote does not end where the value does", key);
        return NULL;
    }
    *at = '\0';
    *text = at + 1;
    return value;
}

/* Read the next Key=Value of a line; 0 at its end or after a failure. */
static int read_pair(struct slurm_topology *t, int line, char **text, struct pair *pair)
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
        hitop_network_fail(&t->net, line, "expected Key=Value at '%.40s'", pair->key);
        return 0;
    }
    *end = '\0';
    *text = at + 1;
    pair->value = read_value(t, line, pair->key, text);
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

/* Check that all keys belong to the statement, and that each occurs once. */
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
            hitop_network_fail(&t->net, line, "%.40s is given twice", pair[i].key);
        } else if (!s->others[k]) {
            hitop_network_fail(&t->net, line,
                               "'%.40s' is no key of a line that begins with %s; %s%s", pair[i].key,
                               s->key, valid[0] ? "there are " : "there is no other", valid);
        }
    }
}

static void add_sizes(struct slurm_topology *t, int line, char *list)
{
    char *rest = list, *size;

    while ((size = strsep(&rest, ","))) {
        hitop_slurm_add_size(t, line, size);
    }
}

static void read_statement(struct slurm_topology *t, int line, const struct pair *pair, int npairs)
{
    const char *size = find(pair, npairs, "BlockSize");
    const char *nodes = find(pair, npairs, "Nodes");
    int kind = 0;

    while (kind < NSTATEMENTS && strcasecmp(statements[kind].key, pair[0].key) != 0) {
        kind++;
    }
    if (kind == NSTATEMENTS) {
        hitop_network_fail(
            &t->net, line,
            "a line begins with SwitchName, BlockName, BlockSizes or Include, not with '%.40s'",
            pair[0].key);
        return;
    }
    check_keys(t, line, &statements[kind], pair, npairs);
    switch (kind) {
    case SWITCH:
        hitop_slurm_add_switch(t, line, pair[0].value, find(pair, npairs, "Switches"), nodes);
        break;
    case BLOCK:
        hitop_slurm_add_block(t, line, pair[0].value, nodes);
        break;
    case SIZES:
        add_sizes(t, line, pair[0].value);
        break;
    default: /* aggregated blocks follow from the sizes */
        break;
    }
    if (size) {
        hitop_slurm_add_size(t, line, size);
    }
}

/* A file that is being read. */
struct conf {
    struct slurm_topology *t;
    const char *file;
    int base;  /* of its line numbers in the network */
    int depth; /* number of files that include it, directly or not */
};

static void read_lines(const struct conf *conf, char *text);

/* The name behind Include at the start of a line; NULL for other lines. */
static char *find_include(const struct conf *conf, int line, char *text)
{
    static const char word[] = "Include";
    char *name = text + strspn(text, blanks);
    size_t length;

    if (strncasecmp(name, word, strlen(word)) != 0 || !strchr(blanks, name[strlen(word)])) {
        return NULL;
    }
    name += strlen(word);
    name += strspn(name, blanks);
    length = strcspn(name, blanks);
    if (length == 0 || name[length + strspn(name + length, blanks)]) {
        hitop_network_fail(&conf->t->net, line, "behind Include stands the name of one file");
    } else if (strstr(name, "%c")) {
        hitop_network_fail(
            &conf->t->net, line,
            "Include %.100s: put the name of the cluster in place of %%c, which only "
            "SLURM knows",
            name);
    } else if (conf->depth == MAX_DEPTH) {
        hitop_network_fail(&conf->t->net, line,
                           "Include %.100s: more than %d files include each other", name,
                           MAX_DEPTH);
    }
    name[length] = '\0';
    return name;
}

static void include(const struct conf *conf, int line, const char *name)
{
    struct hitop_diag why = HITOP_DIAG_INIT;
    const char *slash = name[0] == '/' ? NULL : strrchr(conf->file, '/');
    char *path = NULL, *text = NULL;
    size_t length = 0;
    struct stat about;

    if (asprintf(&path, "%.*s%s", slash ? (int)(slash + 1 - conf->file) : 0, conf->file, name) <
        0) {
        hitop_network_fail(&conf->t->net, line, "Include: out of memory");
        return;
    }
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode)) {
        hitop_network_fail(&conf->t->net, line, "Include: %.200s is not a plain file", path);
    } else if (hitop_input_read_text(path, &text, &length, &why) != HITOP_OK) {
        hitop_network_fail(&conf->t->net, line, "Include: %.300s", why.message);
    } else {
        const struct conf inner = {
            conf->t, path, hitop_network_begin_file(&conf->t->net, path, text), conf->depth + 1};
        read_lines(&inner, text);
    }
    free(text);
    free(path);
}

static void read_lines(const struct conf *conf, char *text)
{
    struct network *net = &conf->t->net;
    int before = conf->base, after = conf->base;
    char *at;

    while (net->status == HITOP_OK && (at = next_line(&text, &after))) {
        const int line = before + 1;
        const char *included = find_include(conf, line, at);
        struct pair pair[MAX_PAIRS];
        int npairs = 0;

        before = after;
        if (included && net->status == HITOP_OK) {
            include(conf, line, included);
        }
        while (!included && npairs < MAX_PAIRS && read_pair(conf->t, line, &at, &pair[npairs])) {
            npairs++;
        }
        if (npairs == MAX_PAIRS) {
            hitop_network_fail(net, line, "more than %d keys in a line", MAX_PAIRS - 1);
        }
        if (npairs > 0 && net->status == HITOP_OK) {
            read_statement(conf->t, line, pair, npairs);
        }
    }
}

void hitop_slurm_read_conf(struct slurm_topology *t, char *text)
{
    const struct conf conf = {t, t->rules.file,
                              hitop_network_begin_file(&t->net, t->rules.file, text), 0};

    read_lines(&conf, text);
    if (!t->rules.what) {
        hitop_network_fail(&t->net, 0, "describes no switch and no block");
    }
}

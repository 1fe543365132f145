/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ibnet_read.c - the text that ibnetdiscover(8) prints.
 *
 *     switchguid=0x2c5eab0300b87b40(2c5eab0300b87b40)
 *     Switch  65 "S-2c5eab0300b87b40"        # "MF0;leaf01:MQM9701/U1" enhanced port 0 lid 73 lmc 0
 *     [1]     "H-e09d7303007a4bd8"[1](e09d7303007a4bd8)      # "node01 mlx5_0" lid 647 4xNDR
 *     [35]    "S-2c5eab0300c26280"[32]       # "MF0;spine02:MQM9701/U1" lid 236 4xNDR
 *
 * A block per switch, adapter ("Ca") and router ("Rt"), with a line for each port that has a link.
 */
#include <config.h>

#include "ibnet.h"
#include "line_reader.h"

#include <search.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    struct line_reader lines;
    struct ibnet *net;
    struct hsearch_data index; /* of node ids */
    int owner;                 /* node of the block at hand, or -1 */
    long nports;               /* of that node */
    struct hitop_diag *diag;
};

static const char blanks[] = " \t";

/* A number in brackets at *at, which moves behind it; -1 when there is none. */
static long take_port(const char **at)
{
    const size_t digits = **at == '[' ? strspn(*at + 1, "0123456789") : 0;
    long port;

    if (digits < 1 || digits > 4 || (*at)[1 + digits] != ']') {
        return -1;
    }
    port = strtol(*at + 1, NULL, 10);
    *at += digits + 2;
    return port;
}

/* Step over "[ext 5]" and "(2c5eab0300b87b40)", which may stand behind a port. */
static void skip_details(const char **at)
{
    static const char external[] = "[ext ";
    const char *close;

    if (strncmp(*at, external, strlen(external)) == 0 && (close = strchr(*at, ']'))) {
        *at = close + 1;
    }
    if (**at == '(' && (close = strchr(*at, ')'))) {
        *at = close + 1;
    }
}

/* An id in quotes at *at, which moves behind it; "" when there is none. */
static const char *take_id(const char **at, char *id, size_t size)
{
    size_t digits;

    id[0] = '\0';
    *at += strspn(*at, blanks);
    if ((*at)[0] != '"' || !strchr("SHR", (*at)[1]) || (*at)[1] == '\0' || (*at)[2] != '-') {
        return id;
    }
    digits = strspn(*at + 3, "0123456789abcdefABCDEF");
    if (digits >= 1 && digits <= 16 && (*at)[3 + digits] == '"') {
        (void)snprintf(id, size, "%.*s", (int)digits + 2, *at + 1);
        *at += digits + 4;
    }
    return id;
}

/* What stands in quotes behind '#', "" when there is nothing, NULL when it does not end. */
static char *take_description(char *at)
{
    char *comment = strchr(at, '#');
    char *open = comment ? strchr(comment, '"') : NULL;
    char *close = open ? strrchr(open, '"') : NULL;

    if (!open) {
        return at + strlen(at);
    }
    if (close == open) {
        return NULL;
    }
    *close = '\0';
    return open + 1;
}

/* Index of the node, a new one if need be; -1 when out of memory. */
static int find_node(struct reading *r, const char *id, const char *description)
{
    struct ibnet *net = r->net;
    ENTRY wanted = {.key = (char *)(uintptr_t)id}, *found = NULL;
    struct ibnet_node *node;

    if (hsearch_r(wanted, FIND, &found, &r->index)) {
        node = &net->node[(intptr_t)found->data];
    } else {
        node = &net->node[net->nnodes];
        *node = (struct ibnet_node){.id = text_pool_keep(&net->text, id),
                                    .kind = (enum ibnet_kind)id[0],
                                    .description = ""};
        wanted.key = (char *)(uintptr_t)node->id;
        wanted.data = (void *)(intptr_t)net->nnodes;
        if (!node->id || !hsearch_r(wanted, ENTER, &found, &r->index)) {
            return -1;
        }
        net->nnodes++;
    }
    if (!node->description[0] && description[0]) {
        node->description = text_pool_keep(&net->text, description);
    }
    return node->description ? (int)(node - net->node) : -1;
}

static enum hitop_status out_of_memory(const struct reading *r)
{
    return hitop_fail(r->diag, HITOP_ERR_NOMEM, "%s: out of memory", r->lines.file);
}

/* 'Switch 65 "S-..." # "description" ...'; at is behind the first word. */
static enum hitop_status begin_block(struct reading *r, char kind, char *line)
{
    const char *at = line + strspn(line, blanks);
    const size_t digits = strspn(at, "0123456789");
    struct ibnet_node *node;
    const char *description;
    char id[24];

    r->nports = digits >= 1 && digits <= 4 ? strtol(at, NULL, 10) : -1;
    at += digits;
    if (r->nports < 0 || take_id(&at, id, sizeof(id))[0] != kind) {
        return line_reader_refuse(
            &r->lines, r->diag,
            "behind the first word stand a number of ports and an id in quotes "
            "that begins with %c-",
            kind);
    }
    description = take_description(line + (at - line));
    if (!description) {
        return line_reader_refuse(&r->lines, r->diag, "the description of '%s' does not end", id);
    }
    r->owner = find_node(r, id, description);
    if (r->owner < 0) {
        return out_of_memory(r);
    }
    node = &r->net->node[r->owner];
    if (node->line > 0) {
        return line_reader_refuse(&r->lines, r->diag, "'%s' has a block in line %d already", id,
                                  node->line);
    }
    node->line = r->lines.line;
    return HITOP_OK;
}

/* '[1](guid) "H-..."[1](guid) # ...' */
static enum hitop_status take_link(struct reading *r, char *line)
{
    const char *at = line, *description;
    const long port = take_port(&at);
    char id[24];
    int peer;

    if (r->owner < 0) {
        return line_reader_refuse(&r->lines, r->diag, "a port, but no switch or adapter before it");
    }
    skip_details(&at);
    if (port < 0 || !take_id(&at, id, sizeof(id))[0] || take_port(&at) < 0) {
        return line_reader_refuse(&r->lines, r->diag,
                                  "a port is written [1] \"H-0123456789abcdef\"[1]");
    }
    if (port > r->nports) {
        return line_reader_refuse(&r->lines, r->diag, "port %ld of '%s', which has %ld", port,
                                  r->net->node[r->owner].id, r->nports);
    }
    description = take_description(line + (at - line));
    if (!description) {
        return line_reader_refuse(&r->lines, r->diag, "the description of '%s' does not end", id);
    }
    peer = find_node(r, id, description);
    if (peer < 0) {
        return out_of_memory(r);
    }
    r->net->link[r->net->nlinks++] = (struct ibnet_link){r->owner, peer};
    return HITOP_OK;
}

/* "devid=0xd2f2", "switchguid=0x2c5e(2c5e)" */
static int is_detail(const char *line)
{
    const size_t letters = strspn(line, "abcdefghijklmnopqrstuvwxyz");

    return letters > 0 && strncmp(line + letters, "=0x", 3) == 0;
}

static enum hitop_status take_line(struct reading *r, char *line)
{
    static const struct {
        const char *word;
        char kind;
    } blocks[] = {{"Switch", IBNET_SWITCH}, {"Ca", IBNET_ADAPTER}, {"Rt", IBNET_ROUTER}};

    line += strspn(line, blanks);
    for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
        const size_t length = strlen(blocks[i].word);
        if (strncmp(line, blocks[i].word, length) == 0 && line[length] &&
            strchr(blanks, line[length])) {
            return begin_block(r, blocks[i].kind, line + length);
        }
    }
    if (line[0] == '[') {
        return take_link(r, line);
    }
    if (!line[0] || line[0] == '#' || is_detail(line) || strncmp(line, "Chassis", 7) == 0 ||
        strncmp(line, "Non-Chassis", 11) == 0) {
        return HITOP_OK;
    }
    return line_reader_refuse(&r->lines, r->diag,
                              "'%.60s' is no line of the topology that ibnetdiscover prints", line);
}

/* Each line brings one node and one link at most. */
static enum hitop_status make_room(struct reading *r)
{
    size_t lines = 2;

    for (const char *p = r->lines.text; p < r->lines.end; p++) {
        lines += *p == '\n';
    }
    r->net->node = calloc(lines, sizeof(*r->net->node));
    r->net->link = calloc(lines, sizeof(*r->net->link));
    return r->net->node && r->net->link && hcreate_r(lines + lines / 2, &r->index)
               ? HITOP_OK
               : out_of_memory(r);
}

enum hitop_status ibnet_read(const char *file, struct ibnet *out, struct hitop_diag *diag)
{
    struct reading r = {.net = out, .owner = -1, .diag = diag};
    enum hitop_status status;
    char *line;

    *out = (struct ibnet){0};
    status = line_reader_open(&r.lines, file, diag);
    if (status == HITOP_OK) {
        status = make_room(&r);
    }
    while (status == HITOP_OK && (line = line_reader_next(&r.lines))) {
        status = take_line(&r, line);
    }
    if (status == HITOP_OK && out->nlinks == 0) {
        status = hitop_fail(diag, HITOP_ERR_FORMAT,
                            "%s: no link; it should hold the topology that "
                            "ibnetdiscover prints",
                            r.lines.file);
    }
    hdestroy_r(&r.index);
    line_reader_close(&r.lines);
    return status;
}

void ibnet_clear(struct ibnet *net)
{
    text_pool_clear(&net->text);
    free(net->link);
    free(net->node);
    *net = (struct ibnet){0};
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ibnet_read.c - read the output of ibnetdiscover(8).
 *
 *     switchguid=0x2c5eab0300b87b40(2c5eab0300b87b40)
 *     Switch  65 "S-2c5eab0300b87b40"        # "MF0;leaf01:MQM9701/U1" enhanced port 0 lid 73 lmc 0
 *     [1]     "H-e09d7303007a4bd8"[1](e09d7303007a4bd8)      # "node01 mlx5_0" lid 647 4xNDR
 *     [35]    "S-2c5eab0300c26280"[32]       # "MF0;spine02:MQM9701/U1" lid 236 4xNDR
 *
 * There is a block per switch, adapter ("Ca") and router ("Rt"), with a line for each port that has
 * a link. With -g there are lines about chassis, too, and "[ext 5]" behind ports; with -f and -m
 * lines have more fields.
 *
 * With -p there is a line per port, with the port at the other end if there is one:
 *
 *     CA   134  1 0x7cfe9003003b4bde 4x EDR - SW  1719 10 0x7cfe9003009ce5b0 ( 'o1 H-1' - 'l1' )
 *     SW  1719 36 0x7cfe9003009ce5b0 4x SDR                                    'l1'
 *
 * Lines of progress (-s), which begin with "DR path", may come first. Dumps with standard error
 * have lines about failed queries, which are counted.
 *
 * Sources: infiniband-diags/ibnetdiscover.c and libibnetdisc of rdma-core;
 * netloc_reader_ib_backend_general.pl of netloc; fixtures of infiniband_exporter and topograph.
 */
#include <config.h>

#include "hierarchy/sources/ibnet.h"
#include "hierarchy/text/line_reader.h"
#include "hierarchy/text/text_index.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    struct line_reader lines;
    struct ibnet *net;
    struct text_index index; /* of node ids */
    int owner;               /* node of the current block, or -1 */
    long nports;             /* of that node */
    struct hitop_diag *diag;
};

static const char blanks[] = " \t";

/* Read the number in brackets at *at, and advance *at; -1 if there is none. */
static long read_port(const char **at)
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

/* Skip "[ext 5]" and "(2c5eab0300b87b40)" behind a port. */
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

/* Read the id in quotes at *at, and advance *at; "" if there is none. */
static const char *read_id(const char **at, char *id, size_t size)
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

/* The quoted text behind '#'; "" if there is none, NULL if it does not end. */
static char *read_description(char *at)
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

/* Index of the node with this id, which may be new. */
static int find_node(struct reading *r, const char *id, const char *description)
{
    struct ibnet *net = r->net;
    int is_new;
    const int number = hitop_text_index_keep(&r->index, &net->text, id, &is_new);
    struct ibnet_node *node = &net->node[number < 0 ? 0 : number];

    if (number < 0) {
        net->text.out_of_memory = 1;
        return 0;
    }
    if (is_new) {
        *node = (struct ibnet_node){
            .id = r->index.text[number], .kind = (enum ibnet_kind)id[0], .description = ""};
        net->nnodes++;
    }
    if (!node->description[0]) {
        node->description = hitop_storage_text(&net->text, description);
    }
    return number;
}

/* 'Switch 65 "S-..." # "description" ...'; at is behind the first word. */
static enum hitop_status begin_block(struct reading *r, char kind, char *line)
{
    const char *at = line + strspn(line, blanks);
    const size_t digits = strspn(at, "0123456789");
    struct ibnet_node *node;
    const char *description;
    char id[24];

    if (*at == ':') {
        return hitop_line_reader_refuse(
            &r->lines, r->diag,
            "a list of nodes without cables, as ibnetdiscover -l prints it; "
            "leave out -l");
    }
    r->nports = digits >= 1 && digits <= 4 ? strtol(at, NULL, 10) : -1;
    at += digits;
    if (r->nports < 0 || read_id(&at, id, sizeof(id))[0] != kind) {
        return hitop_line_reader_refuse(
            &r->lines, r->diag,
            "behind the first word stand a number of ports and an id in quotes "
            "that begins with %c-",
            kind);
    }
    description = read_description(line + (at - line));
    if (!description) {
        return hitop_line_reader_refuse(&r->lines, r->diag, "the description of '%s' does not end",
                                        id);
    }
    r->owner = find_node(r, id, description);
    node = &r->net->node[r->owner];
    if (node->line > 0) {
        return hitop_line_reader_refuse(&r->lines, r->diag, "'%s' has a block in line %d already",
                                        id, node->line);
    }
    node->line = r->lines.line;
    return HITOP_OK;
}

/* '[1](guid) "H-..."[1](guid) # ...' */
static enum hitop_status read_link(struct reading *r, char *line)
{
    const char *at = line, *description;
    const long port = read_port(&at);
    char id[24];

    if (r->owner < 0) {
        return hitop_line_reader_refuse(&r->lines, r->diag,
                                        "a port, but no switch or adapter before it");
    }
    skip_details(&at);
    if (port < 0 || !read_id(&at, id, sizeof(id))[0] || read_port(&at) < 0) {
        return hitop_line_reader_refuse(&r->lines, r->diag,
                                        "a port is written [1] \"H-0123456789abcdef\"[1]");
    }
    if (port > r->nports) {
        return hitop_line_reader_refuse(&r->lines, r->diag, "port %ld of '%s', which has %ld", port,
                                        r->net->node[r->owner].id, r->nports);
    }
    description = read_description(line + (at - line));
    if (!description) {
        return hitop_line_reader_refuse(&r->lines, r->diag, "the description of '%s' does not end",
                                        id);
    }
    r->net->link[r->net->nlinks++] = (struct ibnet_link){r->owner, find_node(r, id, description)};
    return HITOP_OK;
}

/* The text between at and end without blanks around it. */
static char *trim(char *at, char *end)
{
    at += strspn(at, blanks);
    while (end > at && strchr(blanks, end[-1])) {
        end--;
    }
    *end = '\0';
    return at;
}

/*
 * Read one end of a cable in a ports report, 'SW 1719 10 0x7cfe9003009ce5b0'; returns its id, or ""
 * for other texts.
 */
static const char *read_end(char **at, char *id, size_t size)
{
    static const struct {
        const char *word;
        char kind;
    } kinds[] = {{"SW", IBNET_SWITCH}, {"CA", IBNET_ADAPTER}, {"RT", IBNET_ROUTER}};
    unsigned long long guid = 0;
    char word[3] = "";
    int used = 0;

    id[0] = '\0';
    if (sscanf(*at, " %2s %*5[0-9] %*3[0-9] 0x%16llx%n", word, &guid, &used) < 2 || used == 0 ||
        ((*at)[used] && !strchr(blanks, (*at)[used]))) {
        return id;
    }
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (strcmp(word, kinds[i].word) == 0) {
            (void)snprintf(id, size, "%c-%016llx", kinds[i].kind, guid);
            *at += used;
        }
    }
    return id;
}

/* Read both descriptions of "( 'o0001 HCA-1' - 'leaf01' )"; 0 for other texts. */
static int read_names(char *at, char **first, char **second)
{
    static const char between[] = "' - '";
    char *open = strchr(at, '\''), *middle = open ? strstr(open + 1, between) : NULL;
    char *close = middle ? strrchr(middle + strlen(between), '\'') : NULL;

    if (!close || at[strspn(at, blanks)] != '(') {
        return 0;
    }
    *first = trim(open + 1, middle);
    *second = trim(middle + strlen(between), close);
    return 1;
}

/* 1 for a line of a ports report. */
static int is_report(const char *line)
{
    return (strncmp(line, "SW", 2) == 0 || strncmp(line, "CA", 2) == 0 ||
            strncmp(line, "RT", 2) == 0) &&
           line[2] && strchr(blanks, line[2]);
}

static enum hitop_status read_report(struct reading *r, char *line)
{
    char from_id[24], to_id[24], *at = line, *dash, *first, *second;
    int from;

    read_end(&at, from_id, sizeof(from_id));
    dash = strchr(at, '-');
    if (from_id[0] && !(dash && is_report(dash + 1 + strspn(dash + 1, blanks)))) {
        return HITOP_OK; /* nothing at the other end */
    }
    if (from_id[0]) {
        at = dash + 1;
    }
    if (!from_id[0] || !read_end(&at, to_id, sizeof(to_id))[0] ||
        !read_names(at, &first, &second)) {
        return hitop_line_reader_refuse(
            &r->lines, r->diag,
            "a port is written CA 134 1 0x7cfe9003003b4bde 4x EDR - SW 1719 "
            "10 0x7cfe9003009ce5b0 ( 'node' - 'switch' )");
    }
    from = find_node(r, from_id, first);
    r->net->link[r->net->nlinks++] = (struct ibnet_link){from, find_node(r, to_id, second)};
    return HITOP_OK;
}

/*
 * 1 for lines of progress, and for errors of libraries: "ibwarn: ...", "src/query_smp.c:196; ... DR
 * path ..."
 */
static int is_message(struct reading *r, const char *line)
{
    static const char path[] = "DR path";
    const int is_error = strncmp(line, "ibwarn:", 7) == 0 ||
                         (strstr(line, path) && strncmp(line, path, strlen(path)) != 0);

    if (is_error && r->net->nerrors++ == 0) {
        r->net->error_line = r->lines.line;
    }
    return is_error || strncmp(line, path, strlen(path)) == 0;
}

/* "devid=0xd2f2", "switchguid=0x2c5e(2c5e)" */
static int is_detail(const char *line)
{
    const size_t letters = strspn(line, "abcdefghijklmnopqrstuvwxyz");

    return letters > 0 && strncmp(line + letters, "=0x", 3) == 0;
}

static enum hitop_status read_line(struct reading *r, char *line)
{
    static const struct {
        const char *word;
        char kind;
    } blocks[] = {{"Switch", IBNET_SWITCH}, {"Ca", IBNET_ADAPTER}, {"Rt", IBNET_ROUTER}};

    line += strspn(line, blanks);
    if (is_report(line)) {
        return read_report(r, line);
    }
    for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
        const size_t length = strlen(blocks[i].word);
        if (strncmp(line, blocks[i].word, length) == 0 && line[length] &&
            strchr(blanks, line[length])) {
            return begin_block(r, blocks[i].kind, line + length);
        }
    }
    if (line[0] == '[') {
        return read_link(r, line);
    }
    if (!line[0] || line[0] == '#' || is_detail(line) || strncmp(line, "Chassis", 7) == 0 ||
        strncmp(line, "Non-Chassis", 11) == 0 || strncmp(line, "Hostname: ", 10) == 0 ||
        is_message(r, line)) {
        return HITOP_OK;
    }
    return hitop_line_reader_refuse(
        &r->lines, r->diag, "'%.60s' is no line of the topology that ibnetdiscover prints", line);
}

enum hitop_status hitop_ibnet_read(const char *file, struct ibnet *out, struct hitop_diag *diag)
{
    struct reading r = {.net = out, .owner = -1, .diag = diag};
    enum hitop_status status = hitop_line_reader_open(&r.lines, file, diag);
    size_t nlines = 2;
    char *line;

    for (const char *p = r.lines.text; status == HITOP_OK && p < r.lines.end; p++) {
        nlines += *p == '\n';
    }
    if (status == HITOP_OK && (!STORAGE_ARRAY(&out->text, out->node, 2 * nlines) ||
                               !STORAGE_ARRAY(&out->text, out->link, nlines))) {
        status = HITOP_ERR_NOMEM;
    }
    while (status == HITOP_OK && (line = hitop_line_reader_next(&r.lines))) {
        status = read_line(&r, line);
    }
    if (status == HITOP_OK && out->nlinks == 0) {
        status = hitop_fail(diag, HITOP_ERR_FORMAT,
                            "%s: no link; it should hold the topology that "
                            "ibnetdiscover prints",
                            r.lines.file);
    }
    hitop_text_index_clear(&r.index);
    hitop_line_reader_close(&r.lines);
    return status == HITOP_OK ? storage_status(&out->text) : status;
}

/* ---- Unique titles of switches ---- */

/* A candidate for the title of a switch. */
struct candidate {
    const char *text;
    int sw;
};

static int by_text(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;

    return strcmp(x->text, y->text);
}

/* Use the candidates that are unique. */
static void use_unique(struct candidate *candidate, int n, const char **title)
{
    qsort(candidate, (size_t)n, sizeof(*candidate), by_text);
    for (int i = 0; i < n; i++) {
        if (candidate[i].text[0] && (i == 0 || by_text(&candidate[i - 1], &candidate[i]) != 0) &&
            (i + 1 == n || by_text(&candidate[i], &candidate[i + 1]) != 0)) {
            title[candidate[i].sw] = candidate[i].text;
        }
    }
}

/* The name in a description: leaf01 of "MF0;leaf01:MQM9701/U1" (managed switches). */
static const char *shorten(struct ibnet *net, const char *description)
{
    const char *semicolon = strchr(description, ';');
    const char *begin = semicolon ? semicolon + 1 : description;
    const size_t length = strcspn(begin, ":");

    return hitop_storage_print(&net->text, "%.*s", length < 127 ? (int)length : 127, begin);
}

const char **hitop_ibnet_title_switches(struct ibnet *net)
{
    struct candidate *whole, *brief;
    const char **title;
    int n = 0;

    if (!STORAGE_ARRAY(&net->text, title, net->nnodes) ||
        !STORAGE_ARRAY(&net->text, whole, net->nnodes) ||
        !STORAGE_ARRAY(&net->text, brief, net->nnodes)) {
        return NULL;
    }
    for (int i = 0; i < net->nnodes; i++) {
        const struct ibnet_node *node = &net->node[i];

        if (node->kind == IBNET_SWITCH) {
            title[n] = node->id;
            whole[n] = (struct candidate){node->description, n};
            brief[n] = (struct candidate){shorten(net, node->description), n};
            n++;
        }
    }
    use_unique(whole, n, title);
    use_unique(brief, n, title);
    return title;
}

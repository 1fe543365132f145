/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rankfile.c - read an Open MPI rankfile: "rank 3=node1 slot=1:0" or "rank 3=me@node1".
 *
 * Lines are in any order, one for every rank. The package of the slots is read if it is the same
 * for all of them: "1:0-3" is package 1, while "5" is a processor without a package.
 */
#include <config.h>

#include "hierarchy/hostlist/hosts_impl.h"
#include "hitop/source.h"
#include "hitop/text.h"

#include "src/grow.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

int hitop_rankfile_fits(const struct host_line *line)
{
    const char *second = line->nwords > 1 ? line->word[1] : "";
    const size_t digits = strspn(second, "0123456789");

    return strcasecmp(line->word[0], "rank") == 0 && digits > 0 && second[digits] == '=';
}

/*
 * The only package of slots such as "1:0-3" or "p0:1;0:2", or HITOP_UNBOUND. Returns 0 for other
 * texts.
 */
static int read_slots(const char *slots, int *package)
{
    const char *at = slots + strspn(slots, "pP");
    int is_first = 1;

    *package = HITOP_UNBOUND;
    if (!*at || at[strspn(at, "0123456789,-:;*")]) {
        return 0;
    }
    for (; *at; at += strspn(at, ";")) {
        const size_t length = strcspn(at, ";"), digits = strspn(at, "0123456789");
        char number[12] = "";
        int this = HITOP_UNBOUND;

        if (digits > 0 && digits < sizeof(number) && at[digits] == ':') {
            memcpy(number, at, digits);
            if (hitop_text_int(number, 0, 1000000, &this, NULL) != HITOP_OK) {
                return 0;
            }
        }
        *package = is_first || *package == this ? this : HITOP_UNBOUND;
        is_first = 0;
        at += length;
    }
    return 1;
}

static enum hitop_status read_line(struct host_file *f, const struct host_line *line,
                                   struct rank_line *out)
{
    char *equals = strchr(line->word[1], '=');

    *equals = '\0';
    *out = (struct rank_line){.host = equals + 1, .package = HITOP_UNBOUND, .number = line->number};
    if (hitop_text_int(line->word[1], 0, HITOP_HOSTS_MAX - 1, &out->rank, NULL) != HITOP_OK) {
        return hitop_fail(f->list.diag, HITOP_ERR_INVALID, "rank '%s' is not below 10 million",
                          line->word[1]);
    }
    if (out->host[0] == '+') {
        return hitop_fail(f->list.diag, HITOP_ERR_INVALID,
                          "rank %d: '%s' counts the hosts of a job; write the name of the host",
                          out->rank, out->host);
    }
    for (int i = 2; i < line->nwords; i++) {
        if (strncasecmp(line->word[i], "slot=", 5) != 0 ||
            !read_slots(line->word[i] + 5, &out->package)) {
            return hitop_fail(f->list.diag, HITOP_ERR_INVALID,
                              "rank %d: '%s' is not slot=PACKAGE:CORES or slot=PROCESSORS",
                              out->rank, line->word[i]);
        }
    }
    return HITOP_OK;
}

enum hitop_status hitop_rankfile_take(struct host_file *f, const struct host_line *line)
{
    struct rankfile *ranks = &f->ranks;

    if (!HITOP_GROW(ranks->line, ranks->n, ranks->max)) {
        return hitop_fail(f->list.diag, HITOP_ERR_NOMEM, "out of memory");
    }
    return read_line(f, line, &ranks->line[ranks->n++]);
}

static int by_rank(const void *a, const void *b)
{
    const struct rank_line *x = a, *y = b;

    return x->rank != y->rank ? (x->rank > y->rank ? 1 : -1)
                              : (x->number > y->number) - (x->number < y->number);
}

/* Check that sorted lines have the ranks 0 to n-1, each once. */
static enum hitop_status check_ranks(const struct host_file *f, int *number)
{
    const struct rank_line *line = f->ranks.line;

    for (int i = 0; i < f->ranks.n; i++) {
        if (i > 0 && line[i].rank == line[i - 1].rank) {
            *number = line[i].number;
            return hitop_fail(f->list.diag, HITOP_ERR_INVALID, "rank %d is in line %d already",
                              line[i].rank, line[i - 1].number);
        }
        if (line[i].rank != i) {
            *number = 0;
            return hitop_fail(f->list.diag, HITOP_ERR_INVALID,
                              "rank %d is missing; there is a rank %d in line %d", i, line[i].rank,
                              line[i].number);
        }
    }
    return HITOP_OK;
}

static enum hitop_status add_host(struct host_file *f, int rank, char *host)
{
    host = hitop_host_list_bare(host);
    if (strpbrk(host, ":[*") && !hitop_host_list_is_ipv6(host)) {
        return hitop_fail(f->list.diag, HITOP_ERR_INVALID,
                          "rank %d: '%s' is not the name of one host", rank, host);
    }
    return hitop_host_list_add(&f->list, host, 1);
}

enum hitop_status hitop_rankfile_finish(struct host_file *f, int *number)
{
    struct hitop_hosts *hosts = f->list.hosts;
    struct rankfile *ranks = &f->ranks;
    const int n = ranks->n;
    enum hitop_status status;

    if (n <= 0) {
        return HITOP_OK;
    }
    qsort(ranks->line, (size_t)n, sizeof(*ranks->line), by_rank);
    status = check_ranks(f, number);
    if (status == HITOP_OK) {
        if (!STORAGE_ARRAY(f->list.text, hosts->package, n)) {
            status = hitop_fail(f->list.diag, HITOP_ERR_NOMEM, "out of memory");
        }
    }
    for (int i = 0; i < n && status == HITOP_OK; i++) {
        *number = ranks->line[i].number;
        hosts->package[i] = ranks->line[i].package;
        status = add_host(f, i, ranks->line[i].host);
    }
    return status;
}

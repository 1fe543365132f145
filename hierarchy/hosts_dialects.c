/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hosts_dialects.c - what the lines of launchers' host files mean.
 *
 *     Open MPI    node1 slots=4 max_slots=8
 *     MPICH       node1:4 binding=user:0,1
 *     LSF         node1 4 node2 4            ($LSB_MCPU_HOSTS; bsub -hostfile has one host a line)
 *     Grid Engine node1 4 all.q@node1 0,0    ($PE_HOSTFILE)
 *     rankfile    rank 0=node1 slot=1:2      (rankfile.c)
 *     all others  node1, once for every rank ($PBS_NODEFILE), or node1:4
 *
 * Source: the manuals mpirun(1) of Open MPI 4.1, mpiexec of MPICH and Intel MPI, bsub(1) of LSF, sge_pe(5).
 */
#include <config.h>

#include "hitop/text.h"
#include "hosts_impl.h"

#include <stdlib.h>
#include <string.h>

static int is_number(const char *word)
{
    return word[0] && !word[strspn(word, "0123456789")];
}

/* 1 when the word is one of these keys, then '=' and a value. */
static int has_key(const char *word, const char *const *keys)
{
    for (; *keys; keys++) {
        const size_t length = strlen(*keys);
        if (strncmp(word, *keys, length) == 0 && word[length] == '=') {
            return 1;
        }
    }
    return 0;
}

static int any_has_key(const struct host_line *line, const char *const *keys)
{
    for (int i = 1; i < line->nwords; i++) {
        if (has_key(line->word[i], keys)) {
            return 1;
        }
    }
    return 0;
}

/* How often a host counts. */
static enum hitop_status read_count(struct host_list *l, const char *host, const char *word,
                                    const char *number, int *count)
{
    if (hitop_text_int(number, 1, HITOP_HOSTS_MAX, count, NULL) != HITOP_OK) {
        return hitop_fail(l->diag, HITOP_ERR_INVALID,
                          "host '%s': '%s' needs a number from 1 to 10 million", host, word);
    }
    return HITOP_OK;
}

/* Add a host whose count stands in a word of its own. */
static enum hitop_status add_counted(struct host_list *l, char *host, int count)
{
    if (strchr(host, ':') && !host_list_is_ipv6(host)) {
        return hitop_fail(l->diag, HITOP_ERR_INVALID, "host '%s': its number of ranks stands twice",
                          host);
    }
    return host_list_add(l, host, count);
}

static const char *const slot_keys[] = {"slots", "cpu", "count", NULL};
static const char *const max_keys[] = {"max_slots", "max-slots", "slots_max", "slots-max", NULL};
static const char *const user_keys[] = {"user", "username", "user_name", "user-name", NULL};
static const char *const binding_keys[] = {"binding", NULL};

static int openmpi_fits(const struct host_line *line)
{
    return any_has_key(line, slot_keys) || any_has_key(line, max_keys);
}

static enum hitop_status openmpi_take(struct host_file *f, const struct host_line *line)
{
    char *host = line->word[0];
    int count = 1, ignored = 0, is_counted = 0;
    enum hitop_status status = HITOP_OK;

    for (int i = 1; i < line->nwords && status == HITOP_OK; i++) {
        const char *word = line->word[i];

        if (has_key(word, slot_keys) || has_key(word, max_keys)) {
            const int is_max = has_key(word, max_keys);
            status =
                read_count(&f->list, host, word, strchr(word, '=') + 1, is_max ? &ignored : &count);
            is_counted = is_counted || !is_max;
        } else if (!has_key(word, user_keys)) {
            return hitop_fail(f->list.diag, HITOP_ERR_INVALID,
                              "host '%s': '%s' is neither slots=N nor max_slots=N", host, word);
        }
    }
    if (strchr(host, '@')) {
        host = strchr(host, '@') + 1;
    }
    if (status != HITOP_OK) {
        return status;
    }
    return is_counted ? add_counted(&f->list, host, count) : host_list_add(&f->list, host, count);
}

static int mpich_fits(const struct host_line *line)
{
    return any_has_key(line, binding_keys) && !openmpi_fits(line);
}

static enum hitop_status mpich_take(struct host_file *f, const struct host_line *line)
{
    for (int i = 1; i < line->nwords; i++) {
        if (!has_key(line->word[i], binding_keys) && !has_key(line->word[i], user_keys)) {
            return hitop_fail(f->list.diag, HITOP_ERR_INVALID,
                              "host '%s': '%s' is neither binding=... nor user=...", line->word[0],
                              line->word[i]);
        }
    }
    return host_list_add(&f->list, line->word[0], 1);
}

/* A queue has an '@'; else it is the processors by which such a line is known. */
static int grid_engine_fits(const struct host_line *line)
{
    const char *queue = line->nwords > 2 ? line->word[2] : "";
    const char *processors = line->nwords > 3 ? line->word[3] : "";

    return (line->nwords == 3 || line->nwords == 4) && is_number(line->word[1]) &&
           (strchr(queue, '@') || strcmp(processors, "UNDEFINED") == 0 ||
            strcmp(processors, "<NULL>") == 0 || strpbrk(processors, ",:"));
}

static enum hitop_status grid_engine_take(struct host_file *f, const struct host_line *line)
{
    int count = 0;
    const enum hitop_status status =
        read_count(&f->list, line->word[0], line->word[1], line->word[1], &count);

    return status == HITOP_OK ? add_counted(&f->list, line->word[0], count) : status;
}

static int lsf_fits(const struct host_line *line)
{
    return line->nwords > 1 && is_number(line->word[1]);
}

static enum hitop_status lsf_take(struct host_file *f, const struct host_line *line)
{
    enum hitop_status status = HITOP_OK;

    for (int i = 0; i < line->nwords && status == HITOP_OK; i += 2) {
        int count = 0;

        if (i + 1 == line->nwords) {
            return hitop_fail(f->list.diag, HITOP_ERR_INVALID,
                              "host '%s': no number of ranks behind it", line->word[i]);
        }
        status = read_count(&f->list, line->word[i], line->word[i + 1], line->word[i + 1], &count);
        if (status == HITOP_OK) {
            status = add_counted(&f->list, line->word[i], count);
        }
    }
    return status;
}

static int common_fits(const struct host_line *line)
{
    (void)line;
    return 1;
}

static const struct hosts_dialect rankfile = {"a rankfile", 1, rankfile_fits, rankfile_take};
static const struct hosts_dialect openmpi = {"an Open MPI host file", 0, openmpi_fits,
                                             openmpi_take};
static const struct hosts_dialect mpich = {"an MPICH host file", 0, mpich_fits, mpich_take};
static const struct hosts_dialect grid_engine = {"a Grid Engine host file", 1, grid_engine_fits,
                                                 grid_engine_take};
static const struct hosts_dialect lsf = {"an LSF host file", 0, lsf_fits, lsf_take};
static const struct hosts_dialect common = {NULL, 0, common_fits, openmpi_take};

const struct hosts_dialect *const *hosts_dialects(void)
{
    static const struct hosts_dialect *const dialects[] = {&rankfile,    &openmpi, &mpich,
                                                           &grid_engine, &lsf,     &common};

    return dialects;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hosts_dialects.c - parse the lines of launchers' host files. hosts.c has the form of entries.
 *
 *     Open MPI    node1 slots=4 max_slots=8   (slots, cpu, count; max_slots if slots is missing)
 *                 node1 user=me port=22 sockets=2 ...  (ignored)
 *                 ^node1                      excludes the host, before and after this line
 *                 +n0, +e:2                   count the hosts of a job: refused
 *     MPICH       node1:4 binding=user:0,1 ifhn=node1-ib
 *     LSF         node1 4 node2 4             ($LSB_MCPU_HOSTS; bsub -hostfile has one host a line)
 *                 node1 node1 node2           ($LSB_HOSTS: one line of all names)
 *                 node1 0,1 0 2       ($LSB_AFFINITY_HOSTFILE: a line for every rank with its
 *                                     processors, then NUMA nodes and memory policy or nothing)
 *                 { host: 1; cpu: {0-3} }   (explicit resources of jsrun: host numbers, refused)
 *     Grid Engine node1 4 all.q@node1 0,0     ($PE_HOSTFILE)
 *     SLURM       node[1-3],node7*2           (srun --distribution=arbitrary)
 *     rankfile    rank 0=node1 slot=1:2       (rankfile.c)
 *     all others  node1, once for every rank ($PBS_NODEFILE, $LSB_DJOB_HOSTFILE), or node1:4
 *
 * The first line of a file of LSF may be the login or batch node that runs no ranks
 * (hosts_settle.c).
 *
 * Source: the manuals mpirun(1) of Open MPI 4.1, mpiexec of MPICH and Intel MPI, bsub(1) and the
 * environment variables of LSF, sge_pe(5), srun(1), jsrun(1); hostfile_lex.l and hostfile.c of
 * PRRTE 3, args.c of Hydra.
 */
#include <config.h>

#include "hierarchy/hostlist/hosts_impl.h"
#include "hitop/text.h"

#include "src/grow.h"

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

/* Read the number of ranks of a host. */
static enum hitop_status read_count(struct host_list *l, const char *host, const char *word,
                                    const char *number, int *count)
{
    if (hitop_text_int(number, 1, HITOP_HOSTS_MAX, count, NULL) != HITOP_OK) {
        return hitop_fail(l->diag, HITOP_ERR_INVALID,
                          "host '%s': '%s' needs a number from 1 to 10 million", host, word);
    }
    return HITOP_OK;
}

/* Add a host whose number of ranks is a separate word. */
static enum hitop_status add_counted(struct host_list *l, char *host, int count)
{
    host = hitop_host_list_bare(host);
    if (strpbrk(host, ":*") && !hitop_host_list_is_ipv6(host)) {
        return hitop_fail(l->diag, HITOP_ERR_INVALID, "host '%s': its number of ranks stands twice",
                          host);
    }
    return hitop_host_list_add(l, host, count);
}

static const char *const slot_keys[] = {"slots", "cpu", "count", NULL};
static const char *const max_keys[] = {
    "max_slots", "max-slots", "slots_max", "slots-max", "max_cpu",   "max-cpu", "cpu_max",
    "cpu-max",   "max_count", "max-count", "count_max", "count-max", NULL};
static const char *const ignored_keys[] = {"user",
                                           "username",
                                           "user_name",
                                           "user-name",
                                           "port",
                                           "boards",
                                           "sockets",
                                           "sockets_per_board",
                                           "sockets-per-board",
                                           "cores",
                                           "cores_per_socket",
                                           "cores-per-socket",
                                           NULL};
static const char *const binding_keys[] = {"binding", "ifhn", "ifname", NULL};

static int openmpi_fits(const struct host_line *line)
{
    return any_has_key(line, slot_keys) || any_has_key(line, max_keys) || line->word[0][0] == '^';
}

static enum hitop_status exclude(struct host_file *f, char *host)
{
    enum hitop_status status = HITOP_OK;

    if (!f->exclude.text) {
        status = hitop_host_list_begin(&f->exclude, &f->excluded, f->list.diag);
    }
    return status == HITOP_OK ? hitop_host_list_add(&f->exclude, host, 1) : status;
}

/* Add a host; slots or most is -1 if it is not given. */
static enum hitop_status add_openmpi(struct host_file *f, char *host, int slots, int most)
{
    if (host[0] == '^') {
        return exclude(f, host + 1);
    }
    if (host[0] == '+') {
        return hitop_fail(f->list.diag, HITOP_ERR_INVALID,
                          "host '%s': counts the hosts of a job; write the name of the host", host);
    }
    if (slots > 0 || most > 0) {
        return add_counted(&f->list, host, slots > 0 ? slots : most);
    }
    return hitop_host_list_add_all(&f->list, host);
}

static enum hitop_status openmpi_take(struct host_file *f, const struct host_line *line)
{
    char *host = line->word[0];
    int slots = -1, most = -1;
    enum hitop_status status = HITOP_OK;

    for (int i = 1; i < line->nwords && status == HITOP_OK; i++) {
        const char *word = line->word[i];

        if (has_key(word, slot_keys) || has_key(word, max_keys)) {
            status = read_count(&f->list, host, word, strchr(word, '=') + 1,
                                has_key(word, max_keys) ? &most : &slots);
        } else if (!has_key(word, ignored_keys)) {
            f->list.entry = host;
            status = hitop_host_list_check(&f->list, host + (host[0] == '^'));
            if (status != HITOP_OK) {
                return status;
            }
            return hitop_fail(f->list.diag, HITOP_ERR_INVALID,
                              "host '%s': '%s' is neither slots=N nor max_slots=N", host, word);
        }
    }
    return status == HITOP_OK ? add_openmpi(f, host, slots, most) : status;
}

static int mpich_fits(const struct host_line *line)
{
    return any_has_key(line, binding_keys) && !openmpi_fits(line);
}

static enum hitop_status mpich_take(struct host_file *f, const struct host_line *line)
{
    for (int i = 1; i < line->nwords; i++) {
        if (!has_key(line->word[i], binding_keys) && !has_key(line->word[i], ignored_keys)) {
            return hitop_fail(f->list.diag, HITOP_ERR_INVALID,
                              "host '%s': '%s' is neither binding=... nor user=...", line->word[0],
                              line->word[i]);
        }
    }
    return hitop_host_list_add(&f->list, line->word[0], 1);
}

/* 1 for a line with a queue that has '@', or with processors as only Grid Engine writes them. */
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

/* Processors such as "0,1,4-7". */
static int is_processors(const char *word)
{
    return word[0] && !word[strspn(word, "0123456789,-")];
}

/* 1 for a line that only $LSB_AFFINITY_HOSTFILE can have. */
static int is_affinity(const struct host_line *line)
{
    const char *processors = line->nwords > 1 ? line->word[1] : "";

    for (int i = 1; i < line->nwords; i++) {
        if (!is_processors(line->word[i])) {
            return 0;
        }
    }
    return line->nwords == 4 || ((line->nwords == 2 || line->nwords == 3) &&
                                 (!is_number(processors) || strcmp(processors, "0") == 0));
}

static int lsf_fits(const struct host_line *line)
{
    return line->nwords > 1 && (is_number(line->word[1]) || is_affinity(line));
}

/* Record the first rank of a line "host N". */
static enum hitop_status record_line(struct host_file *f)
{
    if (!HITOP_GROW(f->first, f->nlines, f->max_lines)) {
        return hitop_fail(f->list.diag, HITOP_ERR_NOMEM, "out of memory");
    }
    f->first[f->nlines++] = f->list.hosts->nranks;
    return HITOP_OK;
}

void hitop_hosts_affinity_finish(struct host_file *f)
{
    char **host = f->list.hosts->host;

    for (int i = 0; i < f->nlines && f->is_affinity; i++) {
        host[i] = host[f->first[i]];
    }
    if (f->is_affinity) {
        f->list.hosts->nranks = f->nlines;
    }
}

static enum hitop_status lsf_take(struct host_file *f, const struct host_line *line)
{
    enum hitop_status status = line->nwords == 2 || is_affinity(line) ? record_line(f) : HITOP_OK;

    f->is_lsf = 1;
    if (status == HITOP_OK && (is_affinity(line) || (f->is_affinity && line->nwords == 2))) {
        f->is_affinity = 1;
        return add_counted(&f->list, line->word[0], 1);
    }
    if (status == HITOP_OK && f->is_affinity) {
        return hitop_fail(f->list.diag, HITOP_ERR_INVALID,
                          "host '%s': the file has processors of one rank in each line",
                          line->word[0]);
    }
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

/* 1 for a name, 0 for a key or a number. */
static int is_name(const char *word)
{
    return !word[strcspn(word, "=:*,/{}")] && !is_number(word) && strcmp(word, "UNDEFINED") != 0;
}

/* 1 for a list of names: not a key without '=', not a line of /etc/hosts. */
static int names_fit(const struct host_line *line)
{
    static const char *const keys[] = {"slots", "max_slots", "max-slots", "cpu", "count"};

    for (int i = 0; i < line->nwords; i++) {
        if (!is_name(line->word[i])) {
            return 0;
        }
        for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++) {
            if (strcmp(line->word[i], keys[k]) == 0) {
                return 0;
            }
        }
    }
    return line->nwords > 1;
}

static enum hitop_status names_take(struct host_file *f, const struct host_line *line)
{
    enum hitop_status status = HITOP_OK;

    f->is_lsf = 1;
    for (int i = 0; i < line->nwords && status == HITOP_OK; i++) {
        status = hitop_host_list_add(&f->list, line->word[i], 1);
    }
    return status;
}

/* "{ host: 1; cpu: {0-3} }", "0-3: { ... }", "cpu_index_using: logical" */
static int resources_fit(const struct host_line *line)
{
    static const char *const symbols[] = {
        "cpu_index_using",   "overlapping_rs",      "oversubscribe_cpu", "oversubscribe_gpu",
        "oversubscribe_mem", "launch_distribution", "skip_missing_cpu"};
    const size_t length = strcspn(line->word[0], ":");

    for (size_t k = 0; k < sizeof(symbols) / sizeof(symbols[0]); k++) {
        if (length == strlen(symbols[k]) && strncmp(line->word[0], symbols[k], length) == 0) {
            return 1;
        }
    }
    for (int i = 0; i < line->nwords; i++) {
        const char *brace = strchr(line->word[i], '{');
        if (brace &&
            (strncmp(brace, "{host", 5) == 0 ||
             (!brace[1] && i + 1 < line->nwords && strncmp(line->word[i + 1], "host", 4) == 0))) {
            return 1;
        }
    }
    return 0;
}

static enum hitop_status resources_take(struct host_file *f, const struct host_line *line)
{
    (void)line;
    return hitop_fail(
        f->list.diag, HITOP_ERR_INVALID,
        "an explicit resource file of jsrun counts hosts and does not name them; give "
        "a file with the names, such as $LSB_DJOB_HOSTFILE");
}

static int common_fits(const struct host_line *line)
{
    (void)line;
    return 1;
}

const struct hosts_dialect hitop_hosts_dialects[] = {
    {"a rankfile", 1, 0, hitop_rankfile_fits, hitop_rankfile_take},
    {"a file of jsrun", 1, 0, resources_fit, resources_take},
    {"an Open MPI host file", 0, 0, openmpi_fits, openmpi_take},
    {"an MPICH host file", 0, 0, mpich_fits, mpich_take},
    {"a Grid Engine host file", 1, 0, grid_engine_fits, grid_engine_take},
    {"an LSF host file", 0, 0, lsf_fits, lsf_take},
    {"all hosts in one line", 1, 1, names_fit, names_take},
    {NULL, 0, 0, common_fits, openmpi_take},
};

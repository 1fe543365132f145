/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_HOSTS_H
#define HITOP_HOSTS_H

/**
 * @file hosts.h
 * @brief Read and write lists of hosts.
 *
 * One entry per rank, in rank order. A host with two ranks occurs twice, or has ":2" after its name
 * or, in files, "slots=2". Brackets contain numbers, as in SLURM: n[08-10,12] is n08, n09, n10,
 * n12. "user@" before a name is dropped. An IPv6 address may be in brackets, as in
 * "[fd00::1]:2".
 *
 * Names that differ in case, or in a domain that one of them lacks, are names of one host, which
 * gets the longest of them; a short name that matches several full ones is kept. Both cases are
 * warnings.
 */

#include "hitop/status.h"

HITOP_BEGIN_DECLS

/** Owned by the caller; release with hitop_hosts_clear(). */
struct hitop_hosts {
    char **host; /**< name of each rank's host; equal names may share one string */
    int nranks;
    int *package; /**< number of the only package each rank may run on, or -1; NULL: unknown */
    void *owner;  /**< private */
    struct hitop_diag warning; /**< one line for the user about a list that was read, or "" */
};

/** Largest number of ranks of a list. */
#define HITOP_HOSTS_MAX 10000000

/**
 * Read a list separated by commas, e.g. "n[01-04]:2,login". An IPv6 address is one host, including
 * the part after its last ':'.
 *
 * @param out  filled on success, empty on failure
 * @retval HITOP_ERR_INVALID  an entry is wrong; the message quotes it
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_hosts_parse(const char *list, struct hitop_hosts *out, struct hitop_diag *diag);

/**
 * Read a host file of a launcher. '#' and "//" begin comments; "/" "*" and "*" "/" enclose them. A
 * line is a host, followed by ":N" or "slots=N" if it has N ranks ("binding=..." and "user=..." are
 * ignored), or "^host", which excludes it; or hosts and numbers in turns (LSF); or host and
 * processors of one rank (LSF's affinity); or host, number and queue (Grid Engine); or
 * "rank R=host slot=S" (rankfile), which also has the package. One line may contain all hosts.
 *
 * @param path  file name, or "-" for standard input
 * @retval HITOP_ERR_IO      the file cannot be read
 * @retval HITOP_ERR_FORMAT  an entry is wrong, or of another launcher; the message names file and
 *                           line
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_hosts_read(const char *path, struct hitop_hosts *out, struct hitop_diag *diag);

/**
 * The hosts of the present SLURM job, in the order of the ranks of srun, by the environment:
 * SLURM_JOB_NODELIST; SLURM_NTASKS with the layout of SLURM_TASKS_PER_NODE, or
 * SLURM_NTASKS_PER_NODE, or one rank each; SLURM_DISTRIBUTION (block, cyclic or plane; default
 * block). If SLURM_HOSTFILE is set, that file has the host of each rank. Contradictory variables
 * are a warning.
 *
 * @retval HITOP_ERR_NOTFOUND  the process is not in a SLURM job
 * @retval HITOP_ERR_INVALID   a variable is wrong; the message names it
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_hosts_read_slurm(struct hitop_hosts *out,
                                                                    struct hitop_diag *diag);

struct hitop_grouping;

/**
 * The hosts in the files of @p how, in the order of the files, with one rank each unless a file has
 * their number. Only files and sources of @p how are used.
 *
 * @retval HITOP_ERR_IO      a file cannot be read
 * @retval HITOP_ERR_FORMAT  its content is wrong, or the files name no host
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_hosts_of_files(const struct hitop_grouping *how,
                                                                  struct hitop_hosts *out,
                                                                  struct hitop_diag *diag);

/**
 * Write names as a list, in the same order: "r01n[01-16],login1"; k successive equal names are
 * "name:k", but an IPv6 address occurs k times. Reading the list gives the names again, unless a
 * name contains a character that is not allowed in lists; such a name is written unchanged. Sorted
 * names give the shortest lists.
 *
 * @param nhosts  0 or more; 0 gives ""
 * @param out     receives the text, which the caller frees; NULL on failure
 * @retval HITOP_ERR_NOMEM  an allocation failed
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_hosts_compress(const char *const *host, int nhosts, char **out, struct hitop_diag *diag);

/** Release the memory of a list; it is empty afterwards. */
HITOP_API void hitop_hosts_clear(struct hitop_hosts *hosts);

HITOP_END_DECLS

#endif /* HITOP_HOSTS_H */

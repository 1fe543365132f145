/* SPDX-License-Identifier: BSD-3-Clause */
/* reader_hosts_file.c - host files of launchers: there are hosts, or there is a reason. */
#include <config.h>

#include "hitop/hosts.h"

#include "tests/fuzz/reader.h"

static void read_hosts_file(const struct fuzz_reader *reader, const char *text, size_t length)
{
    const char *path = fuzz_file(text, length);
    struct hitop_hosts hosts = {0};
    struct hitop_diag diag = HITOP_DIAG_INIT;

    (void)reader;
    if (fuzz_is_costly(text, length) || fuzz_is_long_list(text, length, 1e6)) {
        return;
    }
    if (hitop_hosts_read(path, &hosts, &diag) != HITOP_OK) {
        fuzz_check_refusal(&diag, path, hosts.host);
    } else if (hosts.nranks < 1) {
        fuzz_fail("accepted, but there is no host");
    }
    for (int rank = 0; rank < hosts.nranks; rank++) {
        if (!hosts.host[rank][0] || (hosts.package && hosts.package[rank] < -1)) {
            fuzz_fail("rank %d runs on '%s'", rank, hosts.host[rank]);
        }
    }
    hitop_hosts_clear(&hosts);
}

extern const struct fuzz_reader hitop_reader_hosts_file;
const struct fuzz_reader hitop_reader_hosts_file = {.name = "hosts_file", .read = read_hosts_file};

/* SPDX-License-Identifier: BSD-3-Clause */
/* reader_hosts.c - lists of hosts: what is accepted survives being compressed. */
#include <config.h>

#include "hitop/hosts.h"

#include "tests/fuzz/reader.h"

#include <stdlib.h>
#include <string.h>

static void check_compressed(const struct hitop_hosts *hosts)
{
    struct hitop_hosts again = {0};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    char *text = NULL;

    if (hitop_hosts_compress((const char *const *)hosts->host, hosts->nranks, &text, &diag) !=
            HITOP_OK ||
        hitop_hosts_parse(text, &again, &diag) != HITOP_OK) {
        fuzz_fail("'%s' cannot be read: %s", text ? text : "", diag.message);
    }
    for (int rank = 0; rank < hosts->nranks && rank < again.nranks; rank++) {
        if (strcmp(hosts->host[rank], again.host[rank]) != 0) {
            fuzz_fail("'%s' has '%s', not '%s'", text, again.host[rank], hosts->host[rank]);
        }
    }
    if (hosts->nranks != again.nranks) {
        fuzz_fail("'%s' has %d hosts, not %d", text, again.nranks, hosts->nranks);
    }
    hitop_hosts_clear(&again);
    free(text);
}

static void read_hosts(const struct fuzz_reader *reader, const char *text, size_t length)
{
    struct hitop_hosts hosts = {0};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    char *list = fuzz_string(text, length);

    (void)reader;
    if (fuzz_is_costly(text, length) || fuzz_is_long_list(text, length, 1e6)) {
        free(list);
        return;
    }
    if (hitop_hosts_parse(list, &hosts, &diag) == HITOP_OK) {
        check_compressed(&hosts);
    } else {
        fuzz_check_refusal(&diag, "", hosts.host);
    }
    hitop_hosts_clear(&hosts);
    free(list);
}

extern const struct fuzz_reader hitop_reader_hosts;
const struct fuzz_reader hitop_reader_hosts = {.name = "hosts", .read = read_hosts};

/* SPDX-License-Identifier: BSD-3-Clause */
/* source_files.c - files for sources of groups. */
#include <config.h>

#include "hitop/hosts.h"

#include "tests/fuzz/reader.h"
#include "tests/hierarchy/sources/try_source.h"

#include <stdlib.h>

/* Of the seeds; other hosts count for nothing, however much is said about them. */
static const char hosts_of_seeds[] =
    "n[1-8],c[1-2]r[01-03]n[03-04],fat[1-2]-g0,login1,gpu[00-07],gb[01-04]n[02,17],node[01-08],"
    "node[1-4],nid[001000-001004],nid[00000-00005],nid[000001-000006],cn[01-08],a[01-04],b[01-04],"
    "dgx[1-4].example.org,lrdn[0111-0112,0211],w[1-9],host[1-4],a,b,c";

void fuzz_read_source(const struct fuzz_reader *reader, const char *text, size_t length)
{
    static struct hitop_hosts hosts;
    static struct hitop_place *place;
    struct try_source trial = {.source = reader->source, .path = fuzz_file("", 0)};
    const char *wrong;

    if (!place) {
        if (hitop_hosts_parse(hosts_of_seeds, &hosts, NULL) != HITOP_OK ||
            !(place = calloc((size_t)hosts.nranks, sizeof(*place)))) {
            fuzz_fail("no hosts");
        }
        for (int i = 0; i < hosts.nranks; i++) {
            place[i] = (struct hitop_place)HITOP_PLACE_INIT(hosts.host[i]);
        }
    }
    if (!fuzz_is_costly(text, length)) {
        trial.place = place;
        trial.nplaces = hosts.nranks;
        wrong = try_source(&trial, text, length);
        if (wrong) {
            fuzz_fail("%s: %s", wrong, trial.diag.message);
        }
    }
}

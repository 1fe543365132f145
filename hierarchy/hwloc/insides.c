/* SPDX-License-Identifier: BSD-3-Clause */
/* insides.c - bind the ranks of a list to the parts of described hosts. */
#include <config.h>

#include "hierarchy/hwloc/insides.h"

#include "hierarchy/hostlist/host_match.h"
#include "hierarchy/hostlist/hostlist.h"
#include "hierarchy/tree/group_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_HOSTS = 10000000 };

/* A host of the list. */
struct described_host {
    const struct insides_entry *entry; /* NULL: the host is not described */
    int nranks, next; /* nranks: number of ranks without a package; next: core of the next one */
};

enum hitop_status hitop_insides_add(struct insides *all, const char *argument,
                                    struct hitop_diag *diag)
{
    const size_t n = strcspn(argument, "= (/");
    const int has_hosts = argument[n] == '=';
    struct insides_entry *longer = realloc(all->entry, ((size_t)all->n + 1) * sizeof(*longer));
    struct insides_entry *mine;
    enum hitop_status status;

    if (!longer) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "describing hosts: out of memory");
    }
    all->entry = longer;
    for (int i = 0; i < all->n && !has_hosts; i++) {
        if (!longer[i].hosts) {
            return hitop_fail(diag, HITOP_ERR_INVALID,
                              "'%.200s' is the second description of all hosts; name the hosts of "
                              "one, as in n[1-4]=%.100s",
                              argument, argument);
        }
    }
    mine = &longer[all->n];
    *mine = (struct insides_entry){.hosts = NULL};
    status = hitop_inside_read(has_hosts ? argument + n + 1 : argument, &mine->inside, diag);
    if (status != HITOP_OK) {
        return status;
    }
    all->n++;
    mine->hosts = has_hosts ? strndup(argument, n) : NULL;
    return !has_hosts || mine->hosts
               ? HITOP_OK
               : hitop_fail(diag, HITOP_ERR_NOMEM, "describing hosts: out of memory");
}

void hitop_insides_clear(struct insides *all)
{
    for (int i = 0; i < all->n; i++) {
        hitop_inside_clear(&all->entry[i].inside);
        free(all->entry[i].hosts);
    }
    free(all->entry);
    *all = (struct insides){0};
}

/* The arguments of visit_name(), which gives an entry to each host that the entry names. */
struct naming {
    const struct host_match *match;
    struct described_host *host_entry;
    const struct insides_entry *entry;
    struct insides_report *report;
    struct hitop_diag *diag;
};

static enum hitop_status visit_name(void *data, const char *name)
{
    struct naming *n = data;
    const int host = hitop_host_match_find(n->match, name);

    if (host < 0) {
        if (!n->report->stranger) {
            (void)snprintf(n->report->name, sizeof(n->report->name), "%s", name);
            n->report->stranger = n->report->name;
        }
        return HITOP_OK;
    }
    if (n->host_entry[host].entry) {
        return hitop_fail(n->diag, HITOP_ERR_INVALID, "host '%.200s' is described twice", name);
    }
    n->host_entry[host].entry = n->entry;
    return HITOP_OK;
}

/* Find the entry that describes each host. */
static enum hitop_status match_entries(const struct insides *all, const struct host_table *table,
                                       struct described_host *host_entry,
                                       struct insides_report *report, struct hitop_diag *diag)
{
    struct host_match *match = hitop_host_match_new(table->host, table->nhosts);
    const struct insides_entry *others = NULL;
    enum hitop_status status = match ? HITOP_OK : HITOP_ERR_NOMEM;

    for (int i = 0; i < all->n && status == HITOP_OK; i++) {
        struct naming naming = {match, host_entry, &all->entry[i], report, diag};
        const struct hostlist_visitor visitor = {visit_name, &naming, "host", MOST_HOSTS};
        if (all->entry[i].hosts) {
            status = hitop_hostlist_expand(all->entry[i].hosts, &visitor, diag);
        } else {
            others = &all->entry[i];
        }
    }
    for (int i = 0; i < table->nhosts && status == HITOP_OK; i++) {
        host_entry[i].entry = host_entry[i].entry ? host_entry[i].entry : others;
    }
    hitop_host_match_free(match);
    return status;
}

static enum hitop_status place_rank(struct hitop_place *place, int rank,
                                    struct described_host *host_entry, struct hitop_diag *diag)
{
    const struct inside *inside = &host_entry->entry->inside;
    const int package = place->part[HITOP_PART_PACKAGE];
    const struct hitop_place *where = NULL;

    if (package >= inside->npackages) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "rank %d is on package %d of '%.200s', which has %d", rank, package,
                          place->host, inside->npackages);
    }
    if (package != HITOP_UNBOUND) {
        where = &inside->package[package];
        if (where->part[HITOP_PART_PACKAGE] == HITOP_UNBOUND) {
            return hitop_fail(diag, HITOP_ERR_INVALID,
                              "rank %d is on package %d of '%.200s', of which no processor may be "
                              "used",
                              rank, package, place->host);
        }
    } else if (host_entry->nranks <= inside->ncores) {
        where = &inside->core[host_entry->next++];
    }
    if (where) {
        memcpy(place->part, where->part, sizeof(place->part));
    }
    return HITOP_OK;
}

/* Count hosts with more ranks than cores. */
static void count_full(const struct host_table *table, const struct described_host *host_entry,
                       struct insides_report *report)
{
    for (int i = 0; i < table->nhosts; i++) {
        const struct insides_entry *entry = host_entry[i].entry;
        if (!entry || host_entry[i].nranks <= entry->inside.ncores) {
            continue;
        }
        if (report->nfull++ == 0) {
            report->full = table->host[i].host;
            report->nranks = host_entry[i].nranks;
            report->ncores = entry->inside.ncores;
        }
    }
}

enum hitop_status hitop_insides_lay_out(const struct insides *all, int hardware_only,
                                        struct hitop_place *place, int nplaces,
                                        struct insides_report *report, struct hitop_diag *diag)
{
    struct storage scratch = {0};
    struct host_table table;
    struct described_host *host_entry;
    enum hitop_status status = hitop_host_table_fill(&table, place, nplaces, &scratch);

    *report = (struct insides_report){0};
    if (status == HITOP_OK && STORAGE_ARRAY(&scratch, host_entry, table.nhosts)) {
        status = match_entries(all, &table, host_entry, report, diag);
    } else {
        status = HITOP_ERR_NOMEM;
    }
    for (int rank = 0; rank < nplaces && status == HITOP_OK; rank++) {
        host_entry[table.host_of[rank]].nranks +=
            place[rank].part[HITOP_PART_PACKAGE] == HITOP_UNBOUND;
    }
    for (int rank = 0; rank < nplaces && status == HITOP_OK; rank++) {
        struct described_host *mine = &host_entry[table.host_of[rank]];
        if (!mine->entry) {
            continue;
        }
        place[rank].fact = mine->entry->inside.fact;
        place[rank].nfacts = mine->entry->inside.nfacts;
        if (!hardware_only) {
            status = place_rank(&place[rank], rank, mine, diag);
        }
    }
    if (status == HITOP_OK && !hardware_only) {
        count_full(&table, host_entry, report);
    }
    hitop_storage_clear(&scratch);
    return status == HITOP_ERR_NOMEM ? hitop_fail(diag, status, "describing hosts: out of memory")
                                     : status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * prepare_mpi.c - make a communicator ready for two-level collectives, on all ranks or on none.
 *
 * Every step is a collective in which all ranks take part whatever happened to them before; failures are
 * remembered and agreed upon at the end, so that no rank is left waiting for another.
 */
#include <config.h>

#include "comm_mpi.h"
#include "placement.h"

#include "hitop/text.h"
#include "hitop/version.h"

#include <dlfcn.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A failure on this rank; the first one counts. */
struct trouble {
    int failed;
    struct hitop_diag diag;
};

static void note(struct trouble *t, const char *what)
{
    if (!t->failed) {
        t->failed = 1;
        (void)hitop_fail(&t->diag, HITOP_ERR_MPI, "%s", what);
    }
}

static void note_mpi(struct trouble *t, int code, const char *what)
{
    if (code != MPI_SUCCESS) {
        note(t, what);
    }
}

/* Ranks on this host, in the order of the communicator. HITOP_VNODE=k makes k of them a node. */
static MPI_Comm split_by_node(const struct hitop_comm *c, struct trouble *t)
{
    MPI_Comm host = MPI_COMM_NULL, node = MPI_COMM_NULL;
    const char *text = getenv("HITOP_VNODE");
    int per_node = 0, local = 0;

    note_mpi(t, PMPI_Comm_split_type(c->wire, MPI_COMM_TYPE_SHARED, c->rank, MPI_INFO_NULL, &host),
             "MPI_Comm_split_type failed");
    if (host == MPI_COMM_NULL || !text) {
        return host;
    }
    if (hitop_text_int(text, 1, INT_MAX, &per_node, NULL) != HITOP_OK) {
        note(t, "HITOP_VNODE is not a positive integer");
        per_node = INT_MAX;
    }
    note_mpi(t, PMPI_Comm_rank(host, &local), "MPI_Comm_rank failed");
    note_mpi(t, PMPI_Comm_split(host, local / per_node, c->rank, &node), "MPI_Comm_split failed");
    (void)PMPI_Comm_free(&host);
    return node;
}

/* Fill node_of, first_of, nnodes, node. */
static void map_nodes(struct hitop_comm *c, MPI_Comm node, struct trouble *t)
{
    int first = c->rank;

    note_mpi(t, PMPI_Comm_rank(node, &c->local), "MPI_Comm_rank failed");
    note_mpi(t, PMPI_Comm_size(node, &c->nlocal), "MPI_Comm_size failed");
    note_mpi(t, PMPI_Bcast(&first, 1, MPI_INT, 0, node), "MPI_Bcast failed");
    note_mpi(t, PMPI_Allgather(&first, 1, MPI_INT, c->node_of, 1, MPI_INT, c->wire),
             "MPI_Allgather failed");
    c->nnodes = 0;
    for (int r = 0; r < c->size; r++) { /* a node's first rank stands before its other ranks */
        if (c->node_of[r] == r) {
            c->first_of[c->nnodes] = r;
            c->node_of[r] = c->nnodes++;
        } else {
            c->node_of[r] = c->node_of[c->node_of[r]];
        }
    }
    c->node = c->node_of[c->rank];
}

/* Called while a rank waits in shared memory: move the messages of the whole process. */
static void move_mpi(void *context)
{
    const struct hitop_comm *c = context;
    int flag = 0;

    (void)PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, c->wire, &flag, MPI_STATUS_IGNORE);
}

/* Spin long only where every local rank has a processor to itself. */
static void choose_waiting(struct hitop_comm *c, MPI_Comm node, struct trouble *t)
{
    cpu_set_t allowed;

    CPU_ZERO(&allowed);
    (void)sched_getaffinity(0, sizeof(allowed), &allowed);
    note_mpi(t, PMPI_Allreduce(MPI_IN_PLACE, &allowed, sizeof(allowed), MPI_BYTE, MPI_BOR, node),
             "MPI_Allreduce failed");
    c->wait = (struct hitop_wait){.spins = CPU_COUNT(&allowed) < c->nlocal ? HITOP_WAIT_SPINS_SHARED
                                                                           : HITOP_WAIT_SPINS_ALONE,
                                  .progress = move_mpi,
                                  .context = c};
}

static size_t ring_bytes(struct trouble *t)
{
    const char *text = getenv("HITOP_RING");
    size_t bytes = HITOP_NODE_RING;

    if (text && (hitop_text_size(text, &bytes, NULL) != HITOP_OK || bytes < 4096 ||
                 bytes > ((size_t)1 << 30))) {
        note(t, "HITOP_RING is not a size in 4KiB..1GiB");
        bytes = HITOP_NODE_RING;
    }
    return bytes / 4096 * 4096;
}

/* The first rank of a node creates the segment, the others attach to it. */
static void share_memory(struct hitop_comm *c, MPI_Comm node, struct trouble *t)
{
    struct hitop_node_layout layout = {.nranks = c->nlocal,
                                       .ring_bytes = ring_bytes(t),
                                       .nplaces = c->wait.spins == HITOP_WAIT_SPINS_ALONE
                                                      ? HITOP_NODE_FEW_PLACES
                                                      : HITOP_NODE_MANY_PLACES};
    unsigned long long ring = layout.ring_bytes;
    char name[HITOP_SEGMENT_NAME] = "";
    struct hitop_diag diag = HITOP_DIAG_INIT;

    /* the first rank's environment counts, in case they differ */
    note_mpi(t, PMPI_Bcast(&ring, 1, MPI_UNSIGNED_LONG_LONG, 0, node), "MPI_Bcast failed");
    layout.ring_bytes = (size_t)ring;
    if (c->local == 0) {
        if (hitop_segment_create(hitop_node_segment_bytes(&layout), name, &c->segment, &diag) ==
            HITOP_OK) {
            hitop_node_format(c->segment.memory, &layout);
        } else {
            note(t, diag.message);
            name[0] = '\0';
        }
    }
    note_mpi(t, PMPI_Bcast(name, sizeof(name), MPI_CHAR, 0, node), "MPI_Bcast failed");
    if (c->local != 0 && name[0] &&
        hitop_segment_attach(name, hitop_node_segment_bytes(&layout), &c->segment, &diag) !=
            HITOP_OK) {
        note(t, diag.message);
    }
    note_mpi(t, PMPI_Barrier(node), "MPI_Barrier failed");
    if (c->local == 0 && name[0]) {
        hitop_segment_unlink(name);
    }
    if (c->segment.memory) {
        hitop_node_attach(&c->shared, c->segment.memory, &layout, c->local, &c->wait);
    } else {
        note(t, "no shared memory on this node");
    }
}

/* Rank 0: the model between the given hosts, as the text of a model file. */
static char *describe_nodes(const char *const *hosts, int nhosts, size_t *length, struct trouble *t)
{
    const char *path = getenv("HITOP_MODEL");
    struct hitop_model *file = NULL, *model = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    enum hitop_status status = HITOP_ERR_NOTFOUND;
    char *text = NULL;
    FILE *memory;

    if (path && path[0]) {
        status = hitop_model_read(path, &file, &diag);
        if (status == HITOP_OK) {
            status = hitop_placement_from_model(file, hosts, nhosts, &model, &diag);
        }
        if (status != HITOP_OK) {
            fprintf(stderr, "hitop: HITOP_MODEL=%s: %s; going by host names\n", path, diag.message);
        }
        hitop_model_free(file);
    }
    if (status != HITOP_OK) {
        status = hitop_placement_from_names(hosts, nhosts, &model, &diag);
    }
    memory = status == HITOP_OK ? open_memstream(&text, length) : NULL;
    if (memory) {
        status = hitop_model_write(model, memory, &diag);
        if (fclose(memory) != 0 || status != HITOP_OK) {
            free(text);
            text = NULL;
        }
    }
    if (!text) {
        note(t, diag.message[0] ? diag.message : "out of memory");
    }
    hitop_model_free(model);
    return text;
}

/* Bring the names of all nodes to rank 0, MPI_MAX_PROCESSOR_NAME bytes apart. */
static char *gather_hosts(struct hitop_comm *c, struct trouble *t)
{
    const size_t step = MPI_MAX_PROCESSOR_NAME;
    char mine[MPI_MAX_PROCESSOR_NAME] = "";
    MPI_Comm leaders = MPI_COMM_NULL;
    char *all = NULL;
    int length = 0;

    note_mpi(t, PMPI_Comm_split(c->wire, c->local == 0 ? 0 : MPI_UNDEFINED, c->rank, &leaders),
             "MPI_Comm_split failed");
    if (leaders == MPI_COMM_NULL) {
        return NULL;
    }
    note_mpi(t, PMPI_Get_processor_name(mine, &length), "MPI_Get_processor_name failed");
    if (c->rank == 0) {
        all = calloc((size_t)c->nnodes, step);
        if (!all) {
            note(t, "out of memory");
        }
    }
    if (c->rank != 0 || all) {
        note_mpi(t, PMPI_Gather(mine, (int)step, MPI_CHAR, all, (int)step, MPI_CHAR, 0, leaders),
                 "MPI_Gather failed");
    }
    (void)PMPI_Comm_free(&leaders);
    return all;
}

/* All ranks learn the model between the nodes from rank 0. */
static void share_model(struct hitop_comm *c, struct trouble *t)
{
    char *names = gather_hosts(c, t), *text = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_model *model = NULL;
    unsigned long long length = 0;

    if (names) {
        const char **hosts = calloc((size_t)c->nnodes, sizeof(*hosts));
        size_t bytes = 0;
        for (int k = 0; hosts && k < c->nnodes; k++) {
            hosts[k] = names + (size_t)k * MPI_MAX_PROCESSOR_NAME;
        }
        text = hosts ? describe_nodes(hosts, c->nnodes, &bytes, t) : NULL;
        length = text && bytes <= INT_MAX ? bytes : 0;
        free(hosts);
    }
    free(names);
    note_mpi(t, PMPI_Bcast(&length, 1, MPI_UNSIGNED_LONG_LONG, 0, c->wire), "MPI_Bcast failed");
    if (length == 0) {
        note(t, "rank 0 has no model of the nodes");
        free(text);
        return;
    }
    if (!text) {
        text = malloc((size_t)length);
    }
    if (!text) { /* cannot even take part in the broadcast */
        note(t, "out of memory");
        (void)PMPI_Abort(c->wire, 1);
        return;
    }
    note_mpi(t, PMPI_Bcast(text, (int)length, MPI_CHAR, 0, c->wire), "MPI_Bcast failed");
    if (hitop_model_parse("model of the nodes", text, (size_t)length, &model, &diag) != HITOP_OK ||
        hitop_route_create(model, &c->route, &diag) != HITOP_OK) {
        note(t, diag.message);
    }
    free(text);
}

/* Reasons of this process alone to stay away; all of them are agreed upon. */
static void check_process(struct trouble *t)
{
    const char *coll = getenv("HITOP_COLL");

    if (coll && strcmp(coll, "off") == 0) {
        note(t, "HITOP_COLL=off");
    } else if (coll && strcmp(coll, "on") != 0) {
        note(t, "HITOP_COLL is neither on nor off");
    } else if (!coll && (dlsym(RTLD_DEFAULT, "cuInit") || dlsym(RTLD_DEFAULT, "hipInit"))) {
        /* buffers may lie in device memory, which memcpy() cannot reach */
        note(t, "a GPU runtime is loaded; HITOP_COLL=on overrides");
    }
}

/* Two tags an operation; they may repeat when messages that old are long received. */
static int tag_range(void)
{
    int *bound = NULL, found = 0;

    if (PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &bound, &found) != MPI_SUCCESS || !found) {
        return 32767 / 2; /* what MPI guarantees */
    }
    return *bound / 2;
}

void hitop_comm_prepare(struct hitop_comm *c, MPI_Comm comm)
{
    struct trouble t = {0};
    MPI_Comm node = MPI_COMM_NULL;
    int ok;

    c->mode = HITOP_COMM_PASS;
    if (PMPI_Comm_dup(comm, &c->wire) != MPI_SUCCESS) {
        c->wire = MPI_COMM_NULL;
        return;
    }
    (void)PMPI_Comm_set_errhandler(c->wire, MPI_ERRORS_RETURN);
    c->tags = tag_range();
    check_process(&t);
    c->node_of = calloc((size_t)c->size, sizeof(*c->node_of));
    c->first_of = calloc((size_t)c->size, sizeof(*c->first_of));
    if (!c->node_of || !c->first_of) {
        note(&t, "out of memory");
    }
    ok = !t.failed;
    (void)PMPI_Allreduce(MPI_IN_PLACE, &ok, 1, MPI_INT, MPI_MIN, c->wire);
    if (ok) {
        node = split_by_node(c, &t);
        map_nodes(c, node, &t);
        choose_waiting(c, node, &t);
        if (c->nlocal > 1) {
            share_memory(c, node, &t);
        }
        if (c->nnodes > 1) {
            share_model(c, &t);
        }
        (void)PMPI_Comm_free(&node);
        ok = !t.failed;
        (void)PMPI_Allreduce(MPI_IN_PLACE, &ok, 1, MPI_INT, MPI_MIN, c->wire);
    }
    if (getenv("HITOP_VERBOSE") && (t.failed || c->rank == 0)) {
        fprintf(stderr, "hitop %s: communicator of %d ranks: %s%s\n", hitop_version(), c->size,
                ok         ? "ready"
                : t.failed ? "left to MPI: "
                           : "left to MPI because of another rank",
                t.failed ? t.diag.message : "");
    }
    if (!ok) {
        hitop_comm_release(c);
        return;
    }
    c->mode = HITOP_COMM_READY;
}

void hitop_comm_release(struct hitop_comm *c)
{
    hitop_segment_unmap(&c->segment);
    hitop_route_free(c->route);
    c->route = NULL;
    free(c->first_of);
    c->first_of = NULL;
    free(c->node_of);
    c->node_of = NULL;
    if (c->wire != MPI_COMM_NULL) {
        (void)PMPI_Comm_free(&c->wire);
    }
}

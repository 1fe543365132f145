/* SPDX-License-Identifier: BSD-3-Clause */
/* between_mpi.c - all ranks learn the model between the nodes from rank 0. */
#include <config.h>

#include "coll/runtime/job_files.h"
#include "coll/twolevel/comm_state_mpi.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The names of all nodes, MPI_MAX_PROCESSOR_NAME bytes apart. On rank 0 only. */
struct names {
    char *all;
    int *count, *start; /* [size] what each rank sends to `all` and where it goes */
    const char **host;  /* [nnodes] */
};

static void free_names(struct names *n)
{
    free(n->host);
    free(n->start);
    free(n->count);
    free(n->all);
}

static void allocate_names(const struct hitop_comm *c, struct names *n, struct hitop_trouble *t)
{
    const size_t size = (size_t)c->size, nnodes = (size_t)c->nnodes;

    n->all = calloc(nnodes, MPI_MAX_PROCESSOR_NAME);
    n->count = calloc(size, sizeof(*n->count));
    n->start = calloc(size, sizeof(*n->start));
    n->host = calloc(nnodes, sizeof(*n->host));
    if (!n->all || !n->count || !n->start || !n->host) {
        hitop_trouble_note(t, "out of memory");
        return;
    }
    for (int k = 0; k < c->nnodes; k++) { /* only the first rank of a node sends */
        n->count[c->first_of[k]] = MPI_MAX_PROCESSOR_NAME;
        n->start[c->first_of[k]] = k * MPI_MAX_PROCESSOR_NAME;
        n->host[k] = n->all + (size_t)k * MPI_MAX_PROCESSOR_NAME;
    }
}

static void gather_names(const struct hitop_comm *c, const struct names *n, struct hitop_trouble *t)
{
    char mine[MPI_MAX_PROCESSOR_NAME] = "";
    int length = 0;

    hitop_trouble_note_mpi(t, PMPI_Get_processor_name(mine, &length),
                           "MPI_Get_processor_name failed");
    hitop_trouble_note_mpi(t,
                           PMPI_Gatherv(mine, c->local == 0 ? MPI_MAX_PROCESSOR_NAME : 0, MPI_CHAR,
                                        n->all, n->count, n->start, MPI_CHAR, 0, c->wire),
                           "MPI_Gatherv failed");
}

/* The text of a model file for these hosts; NULL after trouble. */
static char *describe(const char *const *hosts, int nhosts, int crowded, size_t *length,
                      int *measured, struct hitop_trouble *t)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_model *model = NULL;
    char *text = NULL;
    FILE *memory = hitop_job_model(hosts, nhosts, crowded, &model, measured, &diag) == HITOP_OK
                       ? open_memstream(&text, length)
                       : NULL;

    if (memory) {
        const enum hitop_status status = hitop_model_write(model, memory, &diag);
        if (fclose(memory) != 0 || status != HITOP_OK || *length > INT_MAX) {
            free(text);
            text = NULL;
        }
    }
    if (!text) {
        hitop_trouble_note(t, diag.message[0] ? diag.message : "out of memory");
    }
    hitop_model_free(model);
    return text;
}

/* Rank 0 has `text`; afterwards all have a route. */
static void share_text(struct hitop_comm *c, char *text, size_t length, int measured,
                       struct hitop_trouble *t)
{
    unsigned long long facts[3] = {length, (unsigned long long)hitop_job_model_told(),
                                   (unsigned long long)measured};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_model *model = NULL;

    hitop_trouble_note_mpi(t, PMPI_Bcast(facts, 3, MPI_UNSIGNED_LONG_LONG, 0, c->wire),
                           "MPI_Bcast failed");
    if (facts[1]) {
        hitop_job_model_tell();
    }
    if (c->rank != 0) {
        length = (size_t)facts[0];
        text = malloc(length + 1);
    }
    if (!text) {
        hitop_trouble_note(t, "out of memory");
    }
    if (hitop_trouble_agree(t, c->wire) == HITOP_NO_TROUBLE) {
        hitop_trouble_note_mpi(t, PMPI_Bcast(text, (int)length, MPI_CHAR, 0, c->wire),
                               "MPI_Bcast failed");
        if (hitop_model_parse("model of the nodes", text, length, &model, &diag) != HITOP_OK ||
            hitop_route_create(model, &c->route, &diag) != HITOP_OK) {
            hitop_trouble_note(t, diag.message);
        } else if (facts[2]) {
            hitop_route_trust(c->route);
        }
        if (c->route && c->size > c->nnodes) {
            hitop_route_copies(c->route);
        }
    }
    free(text);
}

void hitop_comm_share_model(struct hitop_comm *c, struct hitop_trouble *t)
{
    struct names n = {0};
    char *text = NULL;
    size_t length = 0;
    int measured = 0;

    if (c->rank == 0) {
        allocate_names(c, &n, t);
    }
    if (hitop_trouble_agree(t, c->wire) == HITOP_NO_TROUBLE) {
        gather_names(c, &n, t);
        if (c->rank == 0) {
            text = describe(n.host, c->nnodes, !c->wait.alone, &length, &measured, t);
        }
        share_text(c, text, length, measured, t);
    }
    free_names(&n);
}

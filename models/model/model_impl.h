/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MODEL_IMPL_H
#define MODEL_IMPL_H

/* model_impl.h - what the files of the model object share. */

#include "models/model/memory.h"

#include "hitop/sys/model.h"

#include <float.h>

struct hitop_model {
    const struct hitop_model_type *type;
    struct hitop_hierarchy *hierarchy;
    struct memory memory; /* of all that follows */
    int nclasses, nprocessors;
    struct hitop_class *classes; /* by node, then by the places of the two members */
    struct hitop_processor *processors;
    int *class_of_node; /* [nodes] index of its first class, -1 where no two ranks meet */
    int *processor_of;  /* [ranks]; NULL: one class of processors at most */
    double *capacity;   /* [groups] concurrent messages, known or assumed; INFINITY: any number */
    int has_capacity;   /* 1: one of them is finite */
    int nunknown;       /* groups whose capacity is assumed */
    double shortest;    /* half of the shortest latency between hosts; INFINITY: no limit */
    size_t *eager;      /* [classes] largest eager message, measured or by the formula; or NULL */
    int *kind;          /* [ranks] kind of the rank (model_kinds.c); NULL: all alike */
    const double *collective; /* [ncollective_params], or NULL */
    struct hitop_provenance provenance;
    struct hitop_quality *quality; /* or NULL */
};

static inline enum hitop_status hitop_model_out_of_memory(struct hitop_diag *diag)
{
    return hitop_fail(diag, HITOP_ERR_NOMEM, "model: out of memory");
}

/* The checks of hitop_model_build(), part by part. */
enum hitop_status hitop_model_check_class(const struct hitop_model_type *type,
                                          const struct hitop_hierarchy *h,
                                          const struct hitop_class *class, struct hitop_diag *diag);
enum hitop_status hitop_model_check_processor(const struct hitop_model_type *type, int nranks,
                                              const struct hitop_processor *processor,
                                              struct hitop_diag *diag);
enum hitop_status hitop_model_check_collective(const struct hitop_model_type *type,
                                               const double *numbers, struct hitop_diag *diag);
enum hitop_status hitop_model_check_quality(const struct hitop_hierarchy *h,
                                            const struct hitop_quality *quality,
                                            struct hitop_diag *diag);

/* Check and sort the classes, and note the first one of each group. The model has its hierarchy. */
enum hitop_status hitop_model_adopt_classes(struct hitop_model *model,
                                            const struct hitop_model_parts *parts,
                                            struct hitop_diag *diag);

/*
 * Number the kinds of ranks: what prices depend on besides groups. The model has all parts but
 * quality and provenance.
 */
enum hitop_status hitop_model_find_kinds(struct hitop_model *model, struct hitop_diag *diag);

/* A group is priced when two of its ranks can meet in it. */
static inline int model_is_priced(const struct hitop_hierarchy *h, int node)
{
    int count;

    (void)hitop_hierarchy_children(h, node, &count);
    return count > 1;
}

/* 1: the class prices all links of its group; 0: only those between two members. */
static inline int model_is_whole(const struct hitop_class *c)
{
    return c->between[0] == c->between[1];
}

/* Place of a member among the members of its group, sorted by smallest rank. O(log members). */
int hitop_model_place_of(const struct hitop_hierarchy *h, int node, int member);

/* Fill in the capacities of groups, known and assumed. The model has its hierarchy. */
enum hitop_status hitop_model_find_capacities(struct hitop_model *model, struct hitop_diag *diag);

/* Whether the link out of a group is known to be shared. */
static inline int model_knows_link(const struct hitop_model *model, int node)
{
    const double capacity = hitop_hierarchy_capacity(model->hierarchy, node);

    return capacity > 0 && capacity <= DBL_MAX;
}

/*
 * The shared links that a message crosses: out of each group with a capacity that it leaves, into
 * each that it enters; see hitop_cost.crossings.
 */
int hitop_model_crossings(const void *self, int from, int to, size_t bytes,
                          struct hitop_crossing *out);

/*
 * Time of a message that is neither its latency nor the transfer of its bytes; see
 * hitop_cost.handshake.
 */
double hitop_model_handshake(const void *self, int from, int to, size_t bytes);

/*
 * 1: a link that is known to be shared separates the messages of a rank. It lies between the rank
 * and the group in which the rank meets the other one, and a message occupies it for at least `gap`
 * seconds, or for the transfer time of its bytes if that is less: a handshake is part of the gap,
 * but occupies no link.
 *
 * 0: the network card of the rank may separate them, too. This worst case is assumed where no link
 * is known to be shared.
 */
int hitop_model_link_parts(const struct hitop_model *model, int own, int other, size_t bytes,
                           double gap);

#endif /* MODEL_IMPL_H */

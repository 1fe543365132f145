/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MODEL_IMPL_H
#define MODEL_IMPL_H

/* model_impl.h - what the files of the model object share. */

#include "hitop/sys/model.h"

#include <float.h>

enum { MODEL_NTEXTS = 6 };

struct hitop_model {
    const struct hitop_model_type *type;
    struct hitop_hierarchy *hierarchy;
    int nclasses, nprocessors;
    struct hitop_class *classes; /* by node, then by the places of the two members */
    struct hitop_processor *processors;
    int *class_of_node; /* [nnodes] index of its first class, -1 where no two ranks meet */
    int *processor_of;  /* [nranks], or NULL where there is one class of processors at most */
    double *capacity;   /* [groups] messages at once, known or assumed; INFINITY: all have room */
    int has_capacity;   /* some of them is finite */
    int nunknown;       /* groups of which it is assumed */
    double shortest;    /* half of the shortest latency between hosts; INFINITY: there is none */
    size_t *
        eager; /* [nclasses] largest eager message, measured or by the formula; NULL: not known of all */
    int *kind; /* [nranks] what prices know of a rank besides its groups; NULL where nothing */
    double *numbers;    /* all that the classes point to */
    double *collective; /* [ncollective_params], or NULL */
    struct hitop_provenance provenance;
    struct hitop_time *times;        /* of all classes */
    char *dates;                     /* of all classes */
    struct hitop_quality *quality;   /* or NULL */
    struct hitop_verified *verified; /* of quality */
    char *text[MODEL_NTEXTS];        /* the strings of provenance */
};

/* Check one class of links, or of processors, as hitop_model_build() does. */
enum hitop_status hitop_model_check_class(const struct hitop_model_type *type,
                                          const struct hitop_hierarchy *h,
                                          const struct hitop_class *class, struct hitop_diag *diag);
enum hitop_status hitop_model_check_processor(const struct hitop_model_type *type, int nranks,
                                              const struct hitop_processor *processor,
                                              struct hitop_diag *diag);

enum hitop_status hitop_model_check_collective(const struct hitop_model_type *type,
                                               const double *numbers, struct hitop_diag *diag);

/* Check the times of a class as hitop_model_build() does; copy those of all classes, and dates. */
enum hitop_status hitop_model_check_times(const struct hitop_class *class, struct hitop_diag *diag);
enum hitop_status hitop_model_adopt_times(struct hitop_model *model, struct hitop_diag *diag);

/* Check what a measurement found out about itself, as hitop_model_build() does; copy it unless it is NULL. */
enum hitop_status hitop_model_check_quality(const struct hitop_hierarchy *h,
                                            const struct hitop_quality *quality,
                                            struct hitop_diag *diag);
enum hitop_status hitop_model_adopt_quality(struct hitop_model *model,
                                            const struct hitop_quality *given,
                                            struct hitop_diag *diag);

/* Check and sort the classes, and note where those of each group begin. The model has its hierarchy. */
enum hitop_status hitop_model_adopt_classes(struct hitop_model *model,
                                            const struct hitop_model_parts *parts,
                                            struct hitop_diag *diag);

/* Find out what prices depend on besides groups. All but the quality and provenance is there. */
enum hitop_status hitop_model_find_kinds(struct hitop_model *model, struct hitop_diag *diag);

/* A group is priced when two of its ranks can meet in it. */
static inline int model_is_priced(const struct hitop_hierarchy *h, int node)
{
    int count;

    (void)hitop_hierarchy_children(h, node, &count);
    return count > 1;
}

/* Whether a class prices all links of its group, or those between two members only. */
static inline int model_is_whole(const struct hitop_class *c)
{
    return c->between[0] == c->between[1];
}

/* Place of a member among the members of its group, which stand by smallest rank. O(log members). */
int hitop_model_place_of(const struct hitop_hierarchy *h, int node, int member);

/* Fill in the capacities of groups, known and assumed. The model has its hierarchy. */
enum hitop_status hitop_model_find_capacities(struct hitop_model *model, struct hitop_diag *diag);

/* Whether the way out of a group is known to be shared. */
static inline int model_knows_way(const struct hitop_model *model, int node)
{
    const double capacity = hitop_hierarchy_capacity(model->hierarchy, node);

    return capacity > 0 && capacity <= DBL_MAX;
}

/* The way out of each group with a capacity that a message leaves, the way into each that it enters; see
 * hitop_cost.crossings. */
int hitop_model_crossings(const void *self, int from, int to, size_t bytes,
                          struct hitop_crossing *out);

/* What of the time of a message is neither its latency nor that of its bytes; see hitop_cost.handshake. */
double hitop_model_handshake(const void *self, int from, int to, size_t bytes);

/*
 * 1 where one of the ways that are known to be shared, between a rank and the group in which it
 * meets another one, takes a message for at least `gap` seconds, or for as long as its bytes
 * keep the link of the two ranks, if that is less: a handshake is part of the gap, but keeps no link. What parts
 * messages of the rank there is that way, and no card of its own. Of a way of which nothing is known the worst is
 * assumed: there is a card, too.
 */
int hitop_model_way_parts(const struct hitop_model *model, int own, int other, size_t bytes,
                          double gap);

#endif /* MODEL_IMPL_H */

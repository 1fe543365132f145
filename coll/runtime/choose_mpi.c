/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * choose_mpi.c - rank 0 chooses, all ranks plan.
 *
 * Prices are floating-point numbers, which two ranks may round differently. So only rank 0 compares
 * them, and sends its choice: an algorithm, and the tree that it built.
 */
#include <config.h>

#include "coll/runtime/plans_mpi.h"

#include "hitop/collectives_mpi.h"
#include "hitop/sys/coll.h"
#include "hitop/sys/tree.h"

#include <stdlib.h>
#include <string.h>

/* A choice in a message. */
struct message {
    double params[HITOP_CHOICE_PARAMS], tree_params[HITOP_CHOICE_PARAMS];
    int algorithm; /* its index, or one of the numbers below */
    int has_tree;  /* 1: `tree` is set */
    /* parents, then ranks: parents before children, children in the order of service */
    int tree[];
};

enum { LEAVE = -1, OPEN = -2 }; /* leave the call to MPI; rank 0 still searches */

static size_t message_bytes(const struct plans *p)
{
    return sizeof(struct message) + 2 * (size_t)p->size * sizeof(int);
}

/* The input of rank 0's choice. */
struct question {
    const struct plans *p;
    const struct choice_key *key;
    const struct hitop_coll_args *args;
};

/*
 * The call that rank 0 predicts. The blocks of an alltoallv are rank 0's own, so it uses their
 * mean.
 */
static struct hitop_call call_of(const struct question *q)
{
    const struct hitop_coll_args *a = q->args;
    struct hitop_call call = {.operation = &hitop_operations()[q->key->operation],
                              .size = a->size,
                              .root = a->root,
                              .bytes = q->key->exact ? a->bytes : q->key->bytes,
                              .unit = a->unit,
                              .ordered = a->ordered,
                              .hosts = q->p->hosts,
                              .ranks_per_host = q->p->ranks_per_host};

    if (a->starts) {
        call.bytes = a->starts[a->size] / (size_t)a->size / a->unit * a->unit;
        call.starts = a->recv_starts ? NULL : a->starts;
    }
    return call;
}

/* The choice of a rule, or the one predicted to be fastest; type NULL where MPI serves the call. */
static struct hitop_choice ask(const struct question *q)
{
    const struct hitop_choice_basis basis = {.cost = &q->p->cost,
                                             .rules = q->p->rules,
                                             .irregular =
                                                 q->p->is_irregular ? &q->p->irregular : NULL};
    const struct hitop_call call = call_of(q);
    struct hitop_choice choice;

    if (hitop_choose(&basis, &call, &choice, NULL) != HITOP_OK) {
        choice = (struct hitop_choice){.algorithm = {NULL, NULL}};
    } else if (choice.line > 0) {
        (void)hitop_choice_pieces(&choice, &call, basis.irregular);
    }
    return choice;
}

/* Can this choice serve the call? Sets *tree if it has one. */
static int serves(const struct question *q, const struct hitop_choice *choice,
                  struct hitop_tree **tree)
{
    const struct hitop_call call = call_of(q);
    const struct hitop_plan_args plan = hitop_choice_plan_args(choice, &call, &q->p->cost);
    struct hitop_coll_args args = *q->args;

    *tree = NULL;
    if (!choice->algorithm.type || hitop_plan_tree(&plan, tree, NULL) != HITOP_OK) {
        return 0;
    }
    args.tree = *tree;
    if (hitop_coll_applies(choice->algorithm.type, &args, NULL) != HITOP_OK) {
        hitop_tree_free(*tree);
        *tree = NULL;
        return 0;
    }
    return 1;
}

/*
 * Write the parents, and an order with parents before children, children in the order of service.
 */
static void write_tree(const struct hitop_tree *tree, int *parent, int *order)
{
    const int n = hitop_tree_size(tree);
    int end = 1;

    order[0] = hitop_tree_root(tree);
    for (int i = 0; i < n; i++) {
        int count;
        const int *child = hitop_tree_children(tree, order[i], &count);
        parent[order[i]] = hitop_tree_parent(tree, order[i]);
        memcpy(&order[end], child, (size_t)count * sizeof(*child));
        end += count;
    }
}

/* Write a choice and its tree, which this function frees; type NULL: leave the call to MPI. */
static void write_choice(const struct question *q, const struct hitop_choice *choice,
                         struct hitop_tree *tree, struct message *message)
{
    const struct hitop_operation *operation = &hitop_operations()[q->key->operation];

    message->algorithm = LEAVE;
    for (size_t i = 0; choice->algorithm.type && i < hitop_algorithm_count(operation); i++) {
        const struct hitop_algorithm algorithm = hitop_algorithm_at(operation, i);
        if (algorithm.type == choice->algorithm.type && algorithm.tree == choice->algorithm.tree) {
            message->algorithm = (int)i;
        }
    }
    memcpy(message->params, choice->params, sizeof(message->params));
    memcpy(message->tree_params, choice->tree_params, sizeof(message->tree_params));
    message->has_tree = tree != NULL;
    if (tree) {
        write_tree(tree, message->tree, message->tree + q->p->size);
    }
    hitop_tree_free(tree);
}

/* The choice in a message that is not OPEN. */
static struct hitop_choice choice_in(const struct choice_key *key, const struct message *message)
{
    struct hitop_choice choice = {.algorithm = {NULL, NULL}};

    if (message->algorithm != LEAVE) {
        choice.algorithm =
            hitop_algorithm_at(&hitop_operations()[key->operation], (size_t)message->algorithm);
        memcpy(choice.params, message->params, sizeof(message->params));
        memcpy(choice.tree_params, message->tree_params, sizeof(message->tree_params));
    }
    return choice;
}

/*
 * Rank 0: write the algorithm that is named for the operation, if it serves the call, or the choice
 * of an earlier run. Returns 0 if there is neither.
 */
static int write_known(const struct question *q, struct message *message)
{
    struct hitop_choice choice = q->p->named.choice[q->key->operation];
    const struct hitop_choice *known = hitop_known_find(&q->p->known, q->key);
    const struct hitop_call call = call_of(q);
    struct hitop_tree *tree;

    if (choice.algorithm.type && q->p->is_irregular) {
        (void)hitop_choice_pieces(&choice, &call, &q->p->irregular);
    }
    if (!serves(q, &choice, &tree)) {
        choice.algorithm.type = NULL;
        if (!known || (known->algorithm.type && !serves(q, known, &tree))) {
            return 0;
        }
        choice = *known;
    }
    write_choice(q, &choice, tree, message);
    return 1;
}

/* Rank 0: choose by the rules of the user or by prediction, and write the choice. */
static void decide(const void *self, const struct choice_key *key,
                   const struct hitop_coll_args *args, void *answer)
{
    const struct question q = {.p = self, .key = key, .args = args};
    struct hitop_choice choice = ask(&q);
    struct hitop_tree *tree;

    if (!serves(&q, &choice, &tree)) {
        choice.algorithm.type = NULL;
    }
    write_choice(&q, &choice, tree, answer);
}

/* Rank 0: the message for all ranks, perhaps without a choice; NULL when out of memory. */
static struct message *ask_for(struct plans *p, const struct choice_key *key,
                               const struct hitop_coll_args *args, size_t steps)
{
    const struct question q = {.p = p, .key = key, .args = args};
    const struct search_work work = {
        .decide = decide, .self = p, .answer_bytes = message_bytes(p), .size = p->size};
    struct message *message = calloc(1, message_bytes(p)), *found;

    if (!message || write_known(&q, message)) {
        return message;
    }
    if (p->named.when == NAMED_NOW) {
        decide(p, key, args, message);
    } else if ((found = hitop_search_run(&p->searches, &work, key, args, steps))) {
        free(message);
        message = found;
    } else {
        message->algorithm = OPEN;
    }
    if (message->algorithm != OPEN) {
        const struct hitop_choice choice = choice_in(key, message);
        hitop_known_add(&p->known, key, &choice);
    }
    return message;
}

/* Set `choice` as a message says. Returns 0 when out of memory. */
static int read_choice(const struct plans *p, const struct message *message, struct choice *choice)
{
    if (message->algorithm == OPEN) {
        choice->waits += choice->waits == 0;
        return 1;
    }
    choice->waits = 0;
    choice->what = choice_in(&choice->key, message);
    return !message->has_tree ||
           hitop_tree_make("choice", p->size, choice->key.root, message->tree,
                           message->tree + p->size, &choice->tree, NULL) == HITOP_OK;
}

/* Rank 0 sends its choice, or that it has none yet. */
static void agree(struct plans *p, struct choice *choice, const struct hitop_coll_args *args,
                  size_t steps)
{
    struct message *message =
        p->rank == 0 ? ask_for(p, &choice->key, args, steps) : calloc(1, message_bytes(p));
    int is_read = 0;

    if (message &&
        PMPI_Bcast(message, (int)message_bytes(p), MPI_BYTE, 0, p->wire) == MPI_SUCCESS) {
        is_read = read_choice(p, message, choice);
    }
    free(message);
    if (!is_read) {
        hitop_failure_abort(p->wire, "no memory for a choice");
    }
}

struct choice *hitop_plans_choose(struct plans *p, const struct choice_key *key,
                                  const struct hitop_coll_args *args)
{
    struct choice choice = {.key = *key}, *added;

    agree(p, &choice, args, SEARCH_FIRST);
    added = hitop_cache_add_choice(&p->cache, &choice);
    if (!added) {
        hitop_failure_abort(p->wire, "no memory for a choice");
    }
    return added;
}

/*
 * Calls in which rank 0 broadcasts its choice, or that it has none: the 2nd, 4th, 8th and each
 * 16th, because the broadcast takes time, too. All ranks count them alike.
 */
static int is_due(unsigned waits)
{
    return (waits & (waits - 1)) == 0 || waits % 16 == 0;
}

void hitop_plans_go_on(struct plans *p, struct choice *choice, const struct hitop_coll_args *args)
{
    if (is_due(++choice->waits)) {
        agree(p, choice, args, SEARCH_SLICE);
    } else if (p->rank == 0) {
        hitop_search_continue(p->searches, SEARCH_SLICE);
    }
}

const struct hitop_sched *hitop_plans_plan(struct plans *p, const struct choice *choice,
                                           const struct hitop_coll_args *args)
{
    const struct plan_key key = {.choice = choice,
                                 .bytes = args->bytes,
                                 .starts = args->starts,
                                 .recv_starts = args->recv_starts};
    const struct hitop_sched *found = hitop_cache_find_plan(&p->cache, &key);
    struct hitop_coll_args complete = *args;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_sched *sched;
    enum hitop_status status;

    if (found) {
        return found;
    }
    complete.params = choice->what.params;
    status = hitop_coll_type_plan(choice->what.algorithm.type, &complete, &sched, &diag);
    if (status == HITOP_ERR_UNSUPPORTED) {
        return NULL;
    }
    if (status == HITOP_OK) {
        found = hitop_cache_add_plan(&p->cache, &key, sched);
    }
    if (!found) {
        hitop_failure_abort(p->wire, diag.message[0] ? diag.message : "no memory for a plan");
    }
    return found;
}

/*
 * Read the info, or name one algorithm where `what` is not NULL. The arguments are the same on all
 * ranks, so that all of them drop the same earlier choices.
 */
static enum hitop_status change(MPI_Comm comm, MPI_Info info, const char *what, const char *value,
                                struct hitop_diag *diag)
{
    struct plans *p = hitop_plans_ready(comm);
    struct named named = {.counts = NAMED_COUNTS_PROPAGATED};
    enum hitop_status status;

    if (p) {
        named = p->named;
    }
    status = what ? hitop_named_set(&named, what, value, diag)
                  : hitop_plans_read_info(&named, info, diag);
    if (status == HITOP_OK && p) {
        hitop_cache_clear(&p->cache);
        hitop_search_clear(&p->searches);
        hitop_plans_set_named(p, &named);
    }
    return status;
}

enum hitop_status hitop_coll_set(MPI_Comm comm, const char *operation, const char *algorithm,
                                 struct hitop_diag *diag)
{
    return change(comm, MPI_INFO_NULL, operation, algorithm, diag);
}

enum hitop_status hitop_coll_set_info(MPI_Comm comm, MPI_Info info, struct hitop_diag *diag)
{
    return change(comm, info, NULL, NULL, diag);
}

/* The sizes are NULL where none is known. */
static enum hitop_status set_cost(MPI_Comm comm, const struct hitop_cost *cost,
                                  const struct hitop_irregular *irregular, struct hitop_diag *diag)
{
    struct plans *p = hitop_plans_ready(comm);

    if (!p) {
        return HITOP_OK;
    }
    hitop_cache_clear(&p->cache);
    hitop_search_clear(&p->searches);
    hitop_known_close(&p->known); /* which is for another cost */
    if (p->rank == 0 && (!cost || cost->nranks < p->size)) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "prices for %d ranks, of %d",
                          cost ? cost->nranks : 0, p->size);
    }
    if (p->rank == 0) {
        p->cost = *cost;
        p->is_irregular = irregular != NULL;
        p->irregular = irregular ? *irregular : p->irregular;
    }
    return HITOP_OK;
}

enum hitop_status hitop_coll_set_cost(MPI_Comm comm, const struct hitop_cost *cost,
                                      struct hitop_diag *diag)
{
    return set_cost(comm, cost, NULL, diag);
}

enum hitop_status hitop_coll_set_model(MPI_Comm comm, const struct hitop_model *model,
                                       struct hitop_diag *diag)
{
    struct hitop_irregular irregular;
    struct hitop_cost cost;
    int is_irregular;

    if (!model) {
        return set_cost(comm, NULL, NULL, diag);
    }
    cost = hitop_model_cost(model);
    is_irregular = hitop_irregular_of(model, &irregular);
    return set_cost(comm, &cost, is_irregular ? &irregular : NULL, diag);
}

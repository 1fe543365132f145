/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_SYS_COLL_H
#define HITOP_SYS_COLL_H

/**
 * @file sys/coll.h
 * @brief Interface of a collective algorithm. Stable within a minor release only.
 */

#include "hitop/coll.h"

HITOP_BEGIN_DECLS

/** Requirements of an algorithm. Arguments without them are refused before plan() is called. */
enum hitop_coll_need {
    HITOP_NEED_TREE = 1u << 0,          /**< args->tree must be set */
    HITOP_NEED_POW2 = 1u << 1,          /**< the number of ranks is a power of two */
    HITOP_NEED_EVEN = 1u << 2,          /**< the number of ranks is even */
    HITOP_NEED_ALIKE = 1u << 3,         /**< blocks have equal lengths */
    HITOP_NEED_ANY_ORDER = 1u << 4,     /**< operands commute */
    HITOP_NEED_TREE_IN_ORDER = 1u << 5, /**< operands commute or hitop_tree_in_order() */
};

/** What segments of an algorithm cut; a segment as long as that changes nothing. */
enum hitop_coll_cut {
    HITOP_CUT_ALL,   /**< the message, or all blocks that a rank has */
    HITOP_CUT_HALF,  /**< half of the message */
    HITOP_CUT_SHARE, /**< the share of a rank: a part of the message, or a block */
};

/**
 * What an algorithm over args->tree passes along each edge, in one direction. Each rank receives
 * from all its children before it sends upwards, and from its parent before it sends downwards.
 */
enum hitop_coll_pass {
    HITOP_PASS_NONE,    /**< unknown, or nothing */
    HITOP_PASS_EMPTY,   /**< an empty message */
    HITOP_PASS_MESSAGE, /**< the message, in segments of args->params[0] bytes */
    HITOP_PASS_ALL,     /**< all blocks, in segments of args->params[0] bytes */
    HITOP_PASS_BLOCKS   /**< the blocks of the ranks of a subtree, at once */
};

struct hitop_coll_type {
    const char *name;    /**< "<operation>_<algorithm>", equal to the file name */
    const char *summary; /**< one line for help texts */
    const char *family;  /**< of the operations that it serves (struct hitop_operation) */
    unsigned needs;      /**< OR of enum hitop_coll_need */

    /**
     * 1: input and output of a rank may be the same memory (MPI_IN_PLACE): a part of the input is
     * not read after output has been written there.
     */
    int in_place;

    /**
     * 1: ranks other than the root use only those args->starts that belong to ranks below them in
     * the tree, and need not receive the others.
     */
    int below;
    int by_name; /**< 1: is used where it is named, and never chosen by prediction */
    const struct hitop_param *params;
    size_t nparams;
    enum hitop_coll_cut cut;

    /**
     * Of an algorithm that passes data up args->tree and then down the same tree, and does nothing
     * else: what it passes. Its times are then predicted from the tree, without a plan.
     */
    enum hitop_coll_pass up, down;

    /**
     * Of an algorithm around a ring of all ranks in their order, and of nothing else: how often the
     * shares of all ranks, which are blocks or equal parts of the message, travel around. In each
     * of size - 1 steps of a turn a rank sends one to the next rank.
     */
    int turns;

    /**
     * Append the steps of rank args->rank; hitop_sched_fail() if that is impossible. Depends on its
     * arguments only. args->params is never NULL.
     */
    void (*plan)(const struct hitop_coll_args *args, struct hitop_sched *sched);
};

/** NULL-terminated table of all compiled-in collectives. */
HITOP_API const struct hitop_coll_type *const *hitop_coll_types(void);

/** Find an algorithm by name. @retval HITOP_ERR_NOTFOUND  the message lists the valid names */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_coll_type_find(const char *name, const struct hitop_coll_type **out, struct hitop_diag *diag);

/** As hitop_coll_plan(), with an algorithm instead of its name. */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_coll_type_plan(const struct hitop_coll_type *type, const struct hitop_coll_args *args,
                     struct hitop_sched **out, struct hitop_diag *diag);

/**
 * Whether @p type can serve @p args; args->rank is not used, and a tree of NULL is not checked.
 *
 * @retval HITOP_ERR_UNSUPPORTED  it cannot; the message says why
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_coll_applies(const struct hitop_coll_type *type,
                                                                const struct hitop_coll_args *args,
                                                                struct hitop_diag *diag);

/**
 * The checks of hitop_coll_type_plan(), without a plan. Without args->tree only those of
 * hitop_coll_applies() and of args->params.
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_coll_check(const struct hitop_coll_type *type,
                                                              const struct hitop_coll_args *args,
                                                              struct hitop_diag *diag);

/* Helpers for plans. */

/** Offset of block @p i among all blocks; @p i may be args->size: the end of all blocks. */
static inline size_t hitop_block_start(const struct hitop_coll_args *args, int i)
{
    return args->starts ? args->starts[i] : (size_t)i * args->bytes;
}

/** Length of @p count blocks from block @p first on. */
static inline size_t hitop_block_bytes(const struct hitop_coll_args *args, int first, int count)
{
    return hitop_block_start(args, first + count) - hitop_block_start(args, first);
}

/** Bytes of an element, which no step divides. */
static inline size_t hitop_unit(const struct hitop_coll_args *args)
{
    return args->unit > 0 ? args->unit : 1;
}

/** The most segments of a message: a limit against mistakes, as a plan needs memory for each. */
#define HITOP_COLL_SEGMENTS_MAX ((size_t)1 << 20)

/** Bytes of all segments of @p bytes but the last, by args->params[0]: whole elements; 0: none. */
static inline size_t hitop_segment_bytes(const struct hitop_coll_args *args, size_t bytes)
{
    const size_t unit = hitop_unit(args), wanted = (size_t)args->params[0];
    const size_t longest = wanted > 0 ? ((wanted - 1) / unit + 1) * unit : bytes;

    return longest < bytes ? longest : bytes;
}

/**
 * Offset of part @p i if @p bytes are divided into @p parts of whole elements of @p unit bytes, of
 * which the first ones are longer by one element; @p i may be @p parts: the end of the last one.
 */
static inline size_t hitop_part_start(size_t bytes, size_t unit, int parts, int i)
{
    const size_t n = (size_t)parts, k = (size_t)i;
    const size_t elements = bytes / unit, longer = elements % n;

    return (elements / n * k + (k < longer ? k : longer)) * unit;
}

HITOP_END_DECLS

#endif /* HITOP_SYS_COLL_H */

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * csel_defaults.c - default choices of MPICH.
 *
 * Source: MPICH 4.0 to 4.3, maint/tuning/coll/mpir/generic.json. Branches for communicators with
 * several ranks on a node, which compositions serve before, are those of other communicators here.
 */
#include <config.h>

#include "tools/export/csel_defaults.h"

#include <stddef.h>

#define BLOCKS(large, small)                                                                       \
    "comm_size=pow2{total_msg_size<524288{" large "}total_msg_size=any{@" small "ring}}"           \
    "comm_size=any{total_msg_size<81920{@" small "brucks}total_msg_size=any{@" small "ring}}"
#define IF_BUILT_IN(name, other)                                                                   \
    "is_op_built_in=yes{count<pow2{@" other "}count=any{@" name "}}is_op_built_in=no{@" other "}"
#define SCATTERED(name)                                                                            \
    "is_commutative=yes{total_msg_size<524288{@" name                                              \
    "recursive_halving}total_msg_size=any{@" name "pairwise}}is_commutative=no{"
#define UNORDERED(name)                                                                            \
    "comm_size=pow2{@" name "noncommutative}comm_size=any{@" name "recursive_doubling}"
#define INPLACE(name, other) "is_sendbuf_inplace=yes{@" name "}is_sendbuf_inplace=no{" other "}"
#define LONG_OR_SHORT(shorter, longer)                                                             \
    "total_msg_size<2048{@" shorter "}total_msg_size=any{@" longer "}"

static const char reduced[] = "is_op_built_in=yes{count<pow2{!}count=any{*}}is_op_built_in=no{!}";
static const char commuting[] = "is_commutative=yes{*}is_commutative=no{!}";
static const char elsewhere[] = "is_sendbuf_inplace=yes{!}is_sendbuf_inplace=no{*}";

/* The same for all communicators. */
#define PLAIN(collective, choice)                                                                  \
    {                                                                                              \
        collective, choice, NULL, -1, NULL, 0                                                      \
    }
#define BOTH(collective, intra, inter)                                                             \
    {                                                                                              \
        collective, intra, inter, -1, NULL, 0                                                      \
    }

static const struct csel_default all[] = {
    {"bcast",
     "comm_size<8{@intra_binomial}"
     "comm_size=pow2{avg_msg_size<=12288{@intra_binomial}"
     "avg_msg_size<=524288{@intra_scatter_recursive_doubling_allgather}"
     "avg_msg_size=any{@intra_scatter_ring_allgather}}"
     "comm_size=any{avg_msg_size<=12288{@intra_binomial}"
     "avg_msg_size=any{@intra_scatter_ring_allgather}}",
     "@inter_remote_send_local_bcast", HITOP_BCAST, "*", 0},
    {"allreduce",
     "avg_msg_size<=8{@intra_recursive_doubling}avg_msg_size=any{" IF_BUILT_IN(
         "intra_reduce_scatter_allgather", "intra_recursive_doubling") "}",
     "@inter_reduce_exchange_bcast", HITOP_ALLREDUCE, reduced, 0},
    {"allgather", BLOCKS("@intra_recursive_doubling", "intra_"), "@inter_local_gather_remote_bcast",
     HITOP_ALLGATHER, "*", 1},
    {"allgatherv", BLOCKS("@intra_recursive_doubling", "intra_"),
     "@inter_remote_gather_local_bcast", HITOP_ALLGATHERV, "*", 1},
    {"reduce",
     "avg_msg_size<=2048{@intra_binomial}avg_msg_size=any{" IF_BUILT_IN(
         "intra_reduce_scatter_gather", "intra_binomial") "}",
     "@inter_local_reduce_remote_send", HITOP_REDUCE, reduced, 0},
    {"reduce_scatter",
     SCATTERED("intra_") "is_block_regular=yes{" UNORDERED(
         "intra_") "}is_block_regular=no{@intra_recursive_doubling}}",
     "@inter_remote_reduce_local_scatter", HITOP_REDUCE_SCATTER, commuting, 1},
    {"reduce_scatter_block", SCATTERED("intra_") UNORDERED("intra_") "}",
     "@inter_remote_reduce_local_scatter", HITOP_REDUCE_SCATTER_BLOCK, commuting, 1},
    {"alltoall",
     INPLACE("intra_pairwise_sendrecv_replace",
             "comm_size<8{avg_msg_size<=32768{@intra_scattered}avg_msg_size=any{@intra_pairwise}}"
             "comm_size=any{avg_msg_size<=256{@intra_brucks}avg_msg_size<=32768{@intra_scattered}"
             "avg_msg_size=any{@intra_pairwise}}"),
     "@inter_pairwise_exchange", HITOP_ALLTOALL, elsewhere, 0},
    BOTH("gather", "@intra_binomial",
         LONG_OR_SHORT("inter_local_gather_remote_send", "inter_linear")),
    BOTH("scatter", "@intra_binomial",
         LONG_OR_SHORT("inter_remote_send_local_scatter", "inter_linear")),
    PLAIN("gatherv", "@allcomm_linear"),
    PLAIN("scatterv", "@allcomm_linear"),
    PLAIN("scan", "is_node_consecutive=yes{@intra_smp}is_node_consecutive=no{"
                  "@intra_recursive_doubling}"),
    PLAIN("exscan", "@intra_recursive_doubling"),
    BOTH("barrier", "comm_hierarchy=parent{@intra_smp}comm_hierarchy=any{@intra_dissemination}",
         "@inter_bcast"),
    BOTH("alltoallv", INPLACE("intra_pairwise_sendrecv_replace", "@intra_scattered"),
         "@inter_pairwise_exchange"),
    BOTH("alltoallw", INPLACE("intra_pairwise_sendrecv_replace", "@intra_scattered"),
         "@inter_pairwise_exchange"),
    PLAIN("neighbor_allgather", "@allcomm_nb"),
    PLAIN("neighbor_allgatherv", "@allcomm_nb"),
    PLAIN("neighbor_alltoall", "@allcomm_nb"),
    PLAIN("neighbor_alltoallv", "@allcomm_nb"),
    PLAIN("neighbor_alltoallw", "@allcomm_nb"),
    BOTH("ibarrier", "@intra_sched_recursive_doubling", "@inter_sched_bcast"),
    BOTH("ibcast",
         "comm_hierarchy=parent{@intra_sched_smp}comm_hierarchy=any{"
         "comm_size<8{@intra_sched_binomial}"
         "comm_size=pow2{avg_msg_size<12288{@intra_sched_binomial}"
         "avg_msg_size<524288{@intra_sched_scatter_recursive_doubling_allgather}"
         "avg_msg_size=any{@intra_sched_scatter_ring_allgather}}"
         "comm_size=any{avg_msg_size<12288{@intra_sched_binomial}"
         "avg_msg_size=any{@intra_sched_scatter_ring_allgather}}}",
         "@inter_sched_flat"),
    BOTH("iallreduce",
         "avg_msg_size<=2048{@intra_sched_recursive_doubling}avg_msg_size=any{" IF_BUILT_IN(
             "intra_sched_reduce_scatter_allgather", "intra_sched_recursive_doubling") "}",
         "@inter_sched_remote_reduce_local_bcast"),
    BOTH("iallgather", BLOCKS("@intra_sched_recursive_doubling", "intra_sched_"),
         "@inter_sched_local_gather_remote_bcast"),
    BOTH("iallgatherv", BLOCKS("@intra_sched_recursive_doubling", "intra_sched_"),
         "@inter_sched_remote_gather_local_bcast"),
    BOTH("ireduce",
         "comm_hierarchy=parent{is_commutative=yes{@intra_sched_smp}"
         "is_commutative=no{@intra_sched_binomial}}comm_hierarchy=any{"
         "avg_msg_size<=2048{@intra_sched_binomial}avg_msg_size=any{" IF_BUILT_IN(
             "intra_sched_reduce_scatter_gather", "intra_sched_binomial") "}}",
         "@inter_sched_local_reduce_remote_send"),
    BOTH("ireduce_scatter",
         SCATTERED("intra_sched_") "is_block_regular=yes{" UNORDERED(
             "intra_sched_") "}is_block_regular=no{@intra_sched_recursive_doubling}}",
         "@inter_sched_remote_reduce_local_scatterv"),
    BOTH("ireduce_scatter_block", SCATTERED("intra_sched_") UNORDERED("intra_sched_") "}",
         "@inter_sched_remote_reduce_local_scatterv"),
    BOTH("igather", "@intra_sched_binomial",
         LONG_OR_SHORT("inter_sched_short", "inter_sched_long")),
    BOTH("iscatter", "@intra_sched_binomial",
         LONG_OR_SHORT("inter_sched_remote_send_local_scatter", "inter_sched_linear")),
    PLAIN("igatherv", "@allcomm_sched_linear"),
    PLAIN("iscatterv", "@allcomm_sched_linear"),
    PLAIN("iscan", "comm_hierarchy=parent{@intra_sched_smp}comm_hierarchy=any{"
                   "@intra_sched_recursive_doubling}"),
    PLAIN("iexscan", "@intra_sched_recursive_doubling"),
    BOTH("ialltoall",
         INPLACE("intra_sched_inplace",
                 "comm_size<8{avg_msg_size<=32768{@intra_sched_permuted_sendrecv}"
                 "avg_msg_size=any{@intra_sched_pairwise}}"
                 "comm_size=any{avg_msg_size<=2048{@intra_sched_brucks}"
                 "avg_msg_size<=32768{@intra_sched_permuted_sendrecv}"
                 "avg_msg_size=any{@intra_sched_pairwise}}"),
         "@inter_sched_pairwise_exchange"),
    BOTH("ialltoallv", INPLACE("intra_sched_inplace", "@intra_sched_blocked"),
         "@inter_sched_pairwise_exchange"),
    BOTH("ialltoallw", INPLACE("intra_sched_inplace", "@intra_sched_blocked"),
         "@inter_sched_pairwise_exchange"),
    PLAIN("ineighbor_allgather", "@allcomm_sched_linear"),
    PLAIN("ineighbor_allgatherv", "@allcomm_sched_linear"),
    PLAIN("ineighbor_alltoall", "@allcomm_sched_linear"),
    PLAIN("ineighbor_alltoallv", "@allcomm_sched_linear"),
    PLAIN("ineighbor_alltoallw", "@allcomm_sched_linear"),
    PLAIN(NULL, NULL),
};

const struct csel_default *csel_defaults(void)
{
    return all;
}

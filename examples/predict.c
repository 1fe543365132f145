/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * predict.c - ask a model file what messages and broadcasts would take. It needs neither MPI nor
 * the machine.
 *
 *     predict model.json [BYTES]
 *
 * prints the time of a message from rank 0 to the first rank it meets in each group around it, then
 * that of a broadcast by a tree that knows nothing of the machine, by one that is mapped by the
 * model, and by whichever is the fastest.
 */
#include <hitop/model.h>
#include <hitop/predict.h>
#include <hitop/text.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] = "usage: predict MODEL [BYTES]\n";

static int fail(const struct hitop_diag *diag)
{
    fprintf(stderr, "predict: %s\n", diag->message);
    return EXIT_FAILURE;
}

/* The first rank in group @p node that is not in its member @p inside, where we come from. */
static int neighbour(const struct hitop_hierarchy *h, int node, int inside)
{
    int count;
    const int *child = hitop_hierarchy_children(h, node, &count);

    for (int i = 0; i < count; i++) {
        if (child[i] != inside) {
            return hitop_hierarchy_first_rank(h, child[i]);
        }
    }
    return HITOP_NO_RANK; /* the group has one member */
}

/* From rank 0 outwards: each group around it is one more kind of link. */
static void print_messages(const struct hitop_model *model, size_t bytes)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(model);
    int inside = 0;

    printf("%-10s %-20s %8s %12s\n", "level", "group", "to_rank", "time_us");
    for (int node = hitop_hierarchy_parent(h, 0); node != HITOP_NO_NODE;
         node = hitop_hierarchy_parent(h, node)) {
        const int to = neighbour(h, node, inside);
        if (to != HITOP_NO_RANK) {
            printf("%-10s %-20s %8d %12.3f\n", hitop_hierarchy_level(h, node),
                   hitop_hierarchy_name(h, node), to, 1e6 * hitop_model_p2p(model, 0, to, bytes));
        }
        inside = node;
    }
}

static enum hitop_status print_broadcasts(const struct hitop_model *model, size_t bytes,
                                          struct hitop_diag *diag)
{
    static const char *const algorithm[] = {"binomial", "ecef", "auto"};
    const struct hitop_cost cost = hitop_model_cost(model);
    struct hitop_predict_args args = {.operation = "bcast", .bytes = bytes, .cost = &cost};
    enum hitop_status status = HITOP_OK;
    double seconds;

    args.size = hitop_model_nranks(model);
    printf("%-10s %12s\n", "bcast", "time_us");
    for (size_t i = 0; i < 3 && status == HITOP_OK; i++) {
        args.algorithm = algorithm[i];
        status = hitop_predict(&args, &seconds, diag);
        if (status == HITOP_OK) {
            printf("%-10s %12.3f\n", algorithm[i], 1e6 * seconds);
        }
    }
    return status;
}

/* -h or --help, alone. */
static int asks_for_help(int argc, char **argv)
{
    return argc == 2 && (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0);
}

int main(int argc, char **argv)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_model *model = NULL;
    enum hitop_status status;
    size_t bytes;

    if (asks_for_help(argc, argv)) {
        printf(
            "%sPredict messages and broadcasts of BYTES (64KiB) from a model file, without MPI.\n",
            usage);
        return EXIT_SUCCESS;
    }
    if (argc < 2 || argc > 3) {
        fputs(usage, stderr);
        return 2;
    }
    if (hitop_text_size(argc > 2 ? argv[2] : "64KiB", &bytes, &diag) != HITOP_OK) {
        (void)fail(&diag);
        return 2;
    }
    if (hitop_model_read(argv[1], &model, &diag) != HITOP_OK) {
        (void)fail(&diag);
        return 3;
    }
    printf("%d ranks, %zu bytes\n", hitop_model_nranks(model), bytes);
    print_messages(model, bytes);
    status = print_broadcasts(model, bytes, &diag);
    hitop_model_free(model);
    return status == HITOP_OK ? EXIT_SUCCESS : fail(&diag);
}

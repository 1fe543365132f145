/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measure_and_use.c - a program that measures the machine it runs on, and uses what it finds.
 *
 *     mpirun -n 4 measure_and_use [--rounds N] [--seconds S] [--tree flat|hosts]
 *
 * estimates a Hockney model of its ranks in S seconds, predicts broadcasts by it, chooses the
 * fastest algorithm for each size and broadcasts by it; every rank looks at every byte. Each
 * further round checks by a few messages whether the numbers still hold, and measures only what has
 * drifted, or is unclear: was not precise before. No file is read or written.
 */
#include <getopt.h>
#include <hitop/choice.h>
#include <hitop/collectives_mpi.h>
#include <hitop/measure_mpi.h>
#include <hitop/predict.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t sizes[] = {1024, 65536, 1 << 20};
enum { NSIZES = sizeof(sizes) / sizeof(sizes[0]), NCALLS = 21 };

static int rank, size;

struct request {
    int rounds, asks_for_help;
    double seconds;
    enum hitop_estimate_tree tree;
};

/* On rank 0, which alone is called: 0 to go on. */
static int show(void *data, const struct hitop_progress *progress)
{
    double *reported = data;

    if (progress->elapsed >= *reported + 1) { /* seconds */
        fprintf(stderr, "measure_and_use: %.0f s, pass %d, %d of %d medians settled\n",
                progress->elapsed, progress->block + 1, progress->finished, progress->njobs);
        *reported = progress->elapsed;
    }
    return 0;
}

/*
 * Measure. With an earlier model check it, and measure what has drifted. Each rank receives the
 * same model; *model is released by the caller.
 */
static enum hitop_status estimate(const struct request *request, const struct hitop_model *earlier,
                                  struct hitop_model **model, struct hitop_diag *diag)
{
    struct hitop_estimate_report report = HITOP_ESTIMATE_REPORT_INIT;
    struct hitop_estimate_options options;
    double reported = 0;
    enum hitop_status status;

    hitop_estimate_defaults(&options);
    options.type = "hockney";
    options.tree = request->tree;
    options.budget = request->seconds;
    options.earlier = earlier;
    options.progress = show;
    options.progress_data = &reported;
    status = hitop_estimate(MPI_COMM_WORLD, &options, model, &report, diag);
    if (status == HITOP_OK && rank == 0 && earlier) {
        printf(
            "checked: %d of %d classes of links hold, %d drifted, %d unclear; measured again: %d\n",
            report.nheld, report.nclasses, report.ndrifted, report.nunclear, report.nlinks);
    } else if (status == HITOP_OK && rank == 0) {
        printf("measured: %d rank%s, %d link%s, %d of %d medians not settled\n", size,
               size == 1 ? "" : "s", report.nlinks, report.nlinks == 1 ? "" : "s",
               report.nunsettled, report.nsizes);
    }
    return status;
}

/* What an algorithm would take; NaN where the model cannot say. */
static double predict(const struct hitop_cost *cost, const char *algorithm, size_t bytes)
{
    const struct hitop_predict_args args = {
        .operation = "bcast", .algorithm = algorithm, .size = size, .bytes = bytes, .cost = cost};
    double seconds;

    return hitop_predict(&args, &seconds, NULL) == HITOP_OK ? seconds : NAN;
}

/* Seconds that the slowest rank takes from a barrier through a broadcast to a next barrier. */
static double time_call(void *data, size_t bytes, int *wrong)
{
    double seconds;

    MPI_Barrier(MPI_COMM_WORLD);
    seconds = MPI_Wtime();
    if (data) {
        *wrong += hitop_bcast(data, (int)bytes, MPI_BYTE, 0, MPI_COMM_WORLD) != MPI_SUCCESS;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    seconds = MPI_Wtime() - seconds;
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return seconds;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/*
 * Broadcast from rank 0, once to make a plan and then NCALLS times; counts the bytes that are wrong
 * anywhere. *seconds receives the median of a call. A rank that leaves the first barrier late finds
 * its data there already, and would see almost no time; so a call is timed with a barrier after it,
 * and the time of barriers without a call is subtracted.
 */
static int broadcast(size_t bytes, double *seconds)
{
    double taken[NCALLS];
    unsigned char *data = malloc(bytes);
    int wrong = data == NULL;

    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (wrong > 0) {
        free(data);
        return wrong;
    }
    for (int call = -1; call < NCALLS; call++) {
        const double barriers = time_call(NULL, 0, &wrong);
        double both;

        for (size_t i = 0; i < bytes; i++) {
            data[i] = rank == 0 ? (unsigned char)(i % 251) : 0xff;
        }
        both = time_call(data, bytes, &wrong);
        if (call >= 0) {
            taken[call] = both - barriers;
        }
        for (size_t i = 0; i < bytes; i++) {
            wrong += data[i] != (unsigned char)(i % 251);
        }
    }
    free(data);
    qsort(taken, NCALLS, sizeof(taken[0]), compare);
    *seconds = taken[NCALLS / 2];
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return wrong;
}

/* An algorithm with its parameters, as hitop_coll_set() reads it: "chain:segment=16KiB". */
static void write_choice(const struct hitop_choice *choice, char *out, size_t length)
{
    char params[HITOP_CHOICE_TEXT];

    hitop_choice_format(choice, params, sizeof(params));
    for (char *blank = params; (blank = strchr(blank, ' ')) != NULL;) {
        *blank = ':';
    }
    (void)snprintf(out, length, "%s%s%s", hitop_algorithm_name(choice->algorithm),
                   params[0] ? ":" : "", params);
}

/* Choose by the model, which each rank has, so that all choose the same; then call. */
static enum hitop_status use(const struct hitop_cost *cost, size_t bytes, struct hitop_diag *diag)
{
    const struct hitop_choice_basis basis = {.cost = cost};
    struct hitop_call call = {.size = size, .bytes = bytes};
    char text[2 * HITOP_CHOICE_TEXT];
    struct hitop_choice choice;
    double seconds = 0;
    enum hitop_status status = hitop_operation_find("bcast", &call.operation, diag);

    if (status == HITOP_OK) {
        status = hitop_choose(&basis, &call, &choice, diag);
    }
    if (status == HITOP_OK) {
        write_choice(&choice, text, sizeof(text));
        status = hitop_coll_set(MPI_COMM_WORLD, "bcast", text, diag);
    }
    if (status == HITOP_OK && broadcast(bytes, &seconds) > 0) {
        status = hitop_fail(diag, HITOP_ERR_MPI, "what has come is not what was sent");
    }
    if (status == HITOP_OK && rank == 0) {
        printf("%10zu %12.1f %12.1f %12.1f %12.1f  %s\n", bytes, 1e6 * predict(cost, "flat", bytes),
               1e6 * predict(cost, "binomial", bytes), 1e6 * choice.seconds, 1e6 * seconds, text);
    }
    return status;
}

static enum hitop_status use_all(const struct hitop_cost *cost, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    if (size == 1) { /* there is no message to choose an algorithm for */
        return HITOP_OK;
    }
    if (rank == 0) {
        printf("%10s %12s %12s %12s %12s  %s\n", "size_B", "flat_us", "binomial_us", "chosen_us",
               "measured_us", "algorithm");
    }
    status = hitop_coll_set_cost(MPI_COMM_WORLD, cost, diag);
    for (int i = 0; i < NSIZES && status == HITOP_OK; i++) {
        status = use(cost, sizes[i], diag);
    }
    return status;
}

/* Measure, use, and repeat. *model receives the last model. */
static enum hitop_status run(const struct request *request, struct hitop_model **model,
                             struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    for (int round = 0; round < request->rounds && status == HITOP_OK; round++) {
        struct hitop_model *earlier = *model, *next = NULL;
        struct hitop_cost cost;

        status = estimate(request, earlier, &next, diag);
        if (status == HITOP_OK) {
            cost = hitop_model_cost(next);
            status = use_all(&cost, diag);
            *model = next; /* from which the communicator takes its prices now */
            hitop_model_free(earlier);
        }
    }
    return status;
}

/* Returns 0, or 2 for wrong options. */
static int read_options(int argc, char **argv, struct request *request)
{
    static const struct option options[] = {{"rounds", required_argument, NULL, 'r'},
                                            {"seconds", required_argument, NULL, 's'},
                                            {"tree", required_argument, NULL, 't'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    const long most = 1000000000;
    long rounds = request->rounds;
    char *end = NULL;
    int c;

    opterr = rank == 0;
    while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1) {
        if (c == 'r') {
            rounds = strtol(optarg, &end, 10);
        } else if (c == 's') {
            request->seconds = strtod(optarg, &end);
        } else if (c == 't' && strcmp(optarg, "hosts") == 0) {
            request->tree = HITOP_TREE_HOSTS;
        } else if (c == 'h') {
            request->asks_for_help = 1;
        } else if (c != 't' || strcmp(optarg, "flat") != 0) {
            return 2;
        }
        if (end && *end != '\0') {
            return 2;
        }
    }
    if (optind < argc || rounds < 1 || rounds > most) {
        return 2;
    }
    request->rounds = (int)rounds;
    return request->seconds >= 1e-9 && request->seconds <= (double)most ? 0 : 2;
}

int main(int argc, char **argv)
{
    struct request request = {.rounds = 1, .seconds = 5};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_model *model = NULL;
    int code;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    code = read_options(argc, argv, &request);
    if ((code != 0 || request.asks_for_help) && rank == 0) {
        fprintf(code != 0 ? stderr : stdout,
                "usage: mpirun -n RANKS measure_and_use [--rounds N] [--seconds S] [--tree "
                "flat|hosts]\n"
                "Measure a model of the ranks in S seconds (5), choose broadcasts by it and call "
                "them; N\n"
                "times (1), measuring only what has drifted. N and S: more than 0, up to 1e9.\n");
    } else if (code == 0 && !request.asks_for_help && run(&request, &model, &diag) != HITOP_OK) {
        code = EXIT_FAILURE;
        if (rank == 0) {
            fprintf(stderr, "measure_and_use: %s\n", diag.message);
        }
    }
    MPI_Finalize(); /* before the model goes, from which communicators take their prices */
    hitop_model_free(model);
    return code;
}

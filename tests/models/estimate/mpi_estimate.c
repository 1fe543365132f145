/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_estimate.c - a program measures models of its ranks: every type, flat and in groups, of parts
 * of its ranks, again after a drift; wrong options fail alike on all ranks, and the communicators
 * of the program carry no message meanwhile. For any number of ranks.
 */
#include <config.h>

#include "hitop/measure_mpi.h"
#include "tests/models/estimate/few_samples.h"
#include "tests/models/estimate/wrong_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, nfailures;

static void expect(int condition, const char *what)
{
    if (!condition && nfailures++ < 10) {
        fprintf(stderr, "rank %d of %d: %s\n", rank, size, what);
    }
}

/* Calls of MPI come by here: communicators of the program have none meanwhile, and none is left. */
static MPI_Comm programs[3];
static int nprograms, is_measuring, ncommunicators;

static void note(MPI_Comm comm)
{
    for (int i = 0; is_measuring && i < nprograms; i++) {
        expect(comm != programs[i], "a message on a communicator of the program");
    }
}

#pragma GCC visibility push(default) /* the headers of MPICH leave it hidden */

int MPI_Bcast(void *buffer, int n, MPI_Datatype type, int root, MPI_Comm comm)
{
    note(comm);
    return PMPI_Bcast(buffer, n, type, root, comm);
}

int MPI_Allreduce(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    note(comm);
    return PMPI_Allreduce(from, to, n, type, op, comm);
}

int MPI_Isend(const void *data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    note(comm);
    return PMPI_Isend(data, n, type, to, tag, comm, request);
}

int MPI_Send(const void *data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    note(comm);
    return PMPI_Send(data, n, type, to, tag, comm);
}

int MPI_Recv(void *data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status *status)
{
    note(comm);
    return PMPI_Recv(data, n, type, from, tag, comm, status);
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *out)
{
    ncommunicators += is_measuring;
    return PMPI_Comm_dup(comm, out);
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *out)
{
    const int code = PMPI_Comm_split(comm, color, key, out);

    ncommunicators += is_measuring && *out != MPI_COMM_NULL;
    return code;
}

int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *out)
{
    ncommunicators += is_measuring;
    return PMPI_Comm_split_type(comm, type, key, info, out);
}

int MPI_Comm_free(MPI_Comm *comm)
{
    ncommunicators -= is_measuring;
    return PMPI_Comm_free(comm);
}

#pragma GCC visibility pop

/* Few samples of few sizes, which any machine settles. Other ranks than the first pass none. */
static void ask(struct hitop_estimate_options *o, const char *type)
{
    few_samples(o, type, 0.2);
}

/* Measure; all ranks have the same status and message, also after a failure. */
static enum hitop_status estimate(MPI_Comm comm, const struct hitop_estimate_options *o,
                                  struct hitop_model **model, struct hitop_estimate_report *report,
                                  struct hitop_diag *diag)
{
    struct hitop_diag first;
    int own, root_status, me;
    enum hitop_status status;

    *diag = (struct hitop_diag)HITOP_DIAG_INIT;
    PMPI_Comm_rank(comm, &me);
    is_measuring = 1;
    status = hitop_estimate(comm, me == 0 ? o : NULL, model, report, diag);
    is_measuring = 0;
    expect(ncommunicators == 0, "communicators are left");
    expect((status == HITOP_OK) == (*model != NULL), "a model, and only with success");
    own = root_status = (int)status;
    first = *diag;
    PMPI_Bcast(&root_status, 1, MPI_INT, 0, comm);
    PMPI_Bcast(&first, sizeof(first), MPI_BYTE, 0, comm);
    expect(own == root_status, "another status than rank 0");
    expect(status == HITOP_OK || strcmp(first.message, diag->message) == 0, diag->message);
    return status;
}

/* The same numbers on all ranks. */
static void compare(MPI_Comm comm, const struct hitop_model *model)
{
    const int n = hitop_model_nranks(model);

    for (int to = 1; to < n; to++) {
        const double own = hitop_model_p2p(model, 0, to, 4096);
        double first = own;
        PMPI_Bcast(&first, 1, MPI_DOUBLE, 0, comm);
        expect(own > 0 && own == first, "other times than rank 0");
    }
}

static struct hitop_model *measured(MPI_Comm comm, const struct hitop_estimate_options *o,
                                    struct hitop_estimate_report *report)
{
    struct hitop_model *model;
    struct hitop_diag diag;

    expect(estimate(comm, o, &model, report, &diag) == HITOP_OK, diag.message);
    if (!model) {
        PMPI_Abort(MPI_COMM_WORLD, 1);
    }
    compare(comm, model);
    return model;
}

static void every_type_is_measured(void)
{
    struct hitop_estimate_options o;

    for (int i = 0; hitop_model_types()[i]; i++) {
        const struct hitop_model_type *type = hitop_model_types()[i];
        struct hitop_model *model;

        ask(&o, type->name);
        model = measured(MPI_COMM_WORLD, &o, NULL);
        expect(hitop_model_type_of(model) == type, "another type");
        expect(hitop_model_nranks(model) == size, "ranks");
        hitop_model_free(model);
    }
    ask(&o, "lmo");
    o.line = "ordinary";
    o.triples = -1;
    o.exact_thresholds = o.scatter_gather = 1;
    hitop_model_free(measured(MPI_COMM_WORLD, &o, NULL));
    ask(&o, "all");
    o.parallel = 0;
    hitop_model_free(measured(MPI_COMM_WORLD, &o, NULL));
}

/* Two groups of ranks, the lower and the upper half, on the host of a model of one host. */
static struct hitop_hierarchy *halves(const struct hitop_model *model, int nranks)
{
    struct hitop_hierarchy_builder *b = hitop_hierarchy_builder_new();
    const char *host = hitop_hierarchy_host(hitop_model_hierarchy(model), 0);
    const int root = hitop_hierarchy_builder_group(b, "root", "");
    const int group[] = {hitop_hierarchy_builder_group(b, "half", "low"),
                         hitop_hierarchy_builder_group(b, "half", "high")};
    struct hitop_hierarchy *h = NULL;

    hitop_hierarchy_builder_edge(b, group[0], root);
    hitop_hierarchy_builder_edge(b, group[1], root);
    for (int i = 0; i < nranks; i++) {
        hitop_hierarchy_builder_edge(b, hitop_hierarchy_builder_leaf(b, i, host),
                                     group[2 * i >= nranks]);
    }
    expect(hitop_hierarchy_builder_finish(b, &h, NULL) == HITOP_OK, "two halves");
    hitop_hierarchy_builder_free(b);
    return h;
}

/* Hosts may have no groups, as one host with one processor; the same options are right again. */
static void links_without_groups_are_measured_again(void)
{
    struct hitop_estimate_options o;
    struct hitop_model *model, *next;

    ask(&o, "hockney");
    o.tree = HITOP_TREE_HOSTS;
    o.links = "ring";
    model = measured(MPI_COMM_WORLD, &o, NULL);
    o.earlier = model;
    next = measured(MPI_COMM_WORLD, &o, NULL);
    expect(hitop_model_nclasses(next) == hitop_model_nclasses(model), "classes of a ring");
    hitop_model_free(next);
    hitop_model_free(model);
}

static void no_communicator_has_no_model(void)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_estimate_options o;
    struct hitop_model *model = NULL;

    ask(&o, "hockney");
    expect(hitop_estimate(MPI_COMM_NULL, &o, &model, NULL, &diag) == HITOP_ERR_INVALID && !model &&
               strstr(diag.message, "MPI_COMM_NULL"),
           diag.message);
}

static void groups_are_measured(void)
{
    struct hitop_estimate_report report = HITOP_ESTIMATE_REPORT_INIT;
    struct hitop_estimate_options o;
    struct hitop_model *flat, *model;
    struct hitop_hierarchy *h;
    struct hitop_diag diag;

    ask(&o, "hockney");
    flat = measured(MPI_COMM_WORLD, &o, &report);
    expect(report.nlinks == size * (size - 1) / 2, "links of all pairs");
    expect(hitop_model_nclasses(flat) == report.nlinks && !report.ended_early, "classes of pairs");
    o.links = "1";
    model = measured(MPI_COMM_WORLD, &o, &report);
    expect(hitop_model_nclasses(model) == (size > 1) && report.nlinks == (size > 1), "one pair");
    hitop_model_free(model);
    o.links = NULL;
    o.tree = HITOP_TREE_HOSTS;
    hitop_model_free(measured(MPI_COMM_WORLD, &o, &report));
    expect(report.nlinks < size || size == 1, "more links than hosts need");
    links_without_groups_are_measured_again();
    if (size >= 4) {
        h = halves(flat, size);
        o.tree = HITOP_TREE_GIVEN;
        o.hierarchy = h;
        model = measured(MPI_COMM_WORLD, &o, &report);
        expect(hitop_model_nclasses(model) == 3 && report.nlinks == 3, "three groups");
        hitop_model_free(model);
        hitop_hierarchy_free(h);
        o.hierarchy = h = halves(flat, size + 1);
        expect(estimate(MPI_COMM_WORLD, &o, &model, NULL, &diag) == HITOP_ERR_INVALID &&
                   strstr(diag.message, "options.hierarchy: it has"),
               diag.message);
        hitop_hierarchy_free(h);
    }
    hitop_model_free(flat);
}

/* The numbers of a model, so many times as large, without the times that it was fitted to. */
static struct hitop_model *scaled(const struct hitop_model *model, double factor, int converged)
{
    const int n = hitop_model_nclasses(model);
    struct hitop_class *classes = calloc((size_t)n + 1, sizeof(*classes));
    double(*params)[2] = calloc((size_t)n + 1, sizeof(*params));
    struct hitop_model_parts parts;
    struct hitop_model *out = NULL;

    hitop_model_parts_of(model, &parts);
    for (int i = 0; i < n; i++) {
        classes[i] = *hitop_model_class(model, i);
        params[i][0] = factor * classes[i].params[0];
        params[i][1] = factor * classes[i].params[1];
        classes[i].params = params[i];
        classes[i].lo = classes[i].hi = classes[i].se = NULL;
        classes[i].times = NULL;
        classes[i].ntimes = 0;
        classes[i].residual = 0.01;
        classes[i].converged = converged;
    }
    parts.classes = classes;
    if (hitop_model_build(&parts, &out, NULL)) {
        expect(0, "other numbers");
        PMPI_Abort(MPI_COMM_WORLD, 1);
    }
    free(classes);
    free(params);
    return out;
}

static void what_drifts_is_measured_again(void)
{
    enum { TRIES = 10 };
    struct hitop_estimate_report report = HITOP_ESTIMATE_REPORT_INIT;
    const int npairs = size * (size - 1) / 2;
    struct hitop_estimate_options o;
    struct hitop_model *model, *other, *next;

    ask(&o, "hockney");
    model = measured(MPI_COMM_WORLD, &o, NULL);
    other = scaled(model, 1, 1);
    o.type = "plogp"; /* that of the earlier model counts */
    o.earlier = other;
    o.tolerance = 100;
    next = measured(MPI_COMM_WORLD, &o, &report);
    for (int i = 1; i < TRIES && report.nheld < npairs; i++) { /* ranks may lack processors */
        hitop_model_free(next);
        next = measured(MPI_COMM_WORLD, &o, &report);
    }
    expect(report.nclasses == npairs && report.nheld == npairs && report.nlinks == 0, "all hold");
    compare(MPI_COMM_WORLD, next);
    expect(strcmp(hitop_model_type_of(next)->name, "hockney") == 0, "type of the earlier model");
    hitop_model_free(next);
    hitop_model_free(other);

    o.earlier = other = scaled(model, 1, 0);
    next = measured(MPI_COMM_WORLD, &o, &report);
    expect(report.nheld == 0 && report.nlinks == npairs, "numbers that never settled do not hold");
    expect(report.ndrifted + report.nunclear == npairs, "each has drifted, or is unclear");
    for (int i = 1; i < TRIES && report.nunclear < npairs; i++) {
        hitop_model_free(next);
        next = measured(MPI_COMM_WORLD, &o, &report);
    }
    expect(report.nunclear == npairs, "all are unclear");
    hitop_model_free(next);
    hitop_model_free(other);

    o.earlier = other =
        scaled(model, 1e3, 1); /* at most 1000 s, also where ranks lack processors */
    o.tolerance = 0.2;
    next = measured(MPI_COMM_WORLD, &o, &report);
    expect(report.ndrifted == npairs && report.nlinks == npairs && report.nheld == 0, "all drift");
    expect(report.nunclear == 0, "none unclear where all drift");
    expect(size == 1 ||
               hitop_model_p2p(next, 0, 1, 4096) < 0.1 * hitop_model_p2p(other, 0, 1, 4096),
           "numbers of the drift");
    hitop_model_free(next);
    hitop_model_free(other);
    hitop_model_free(model);
}

/* The groups of the earlier model count, not the option tree. */
static void groups_are_measured_again(void)
{
    struct hitop_estimate_report report = HITOP_ESTIMATE_REPORT_INIT;
    struct hitop_estimate_options o;
    struct hitop_model *flat, *model, *other, *next;
    struct hitop_hierarchy *h;

    if (size < 4) {
        return;
    }
    ask(&o, "hockney");
    flat = measured(MPI_COMM_WORLD, &o, NULL);
    o.hierarchy = h = halves(flat, size);
    o.tree = HITOP_TREE_GIVEN;
    model = measured(MPI_COMM_WORLD, &o, NULL);
    ask(&o, "hockney");
    o.earlier = other =
        scaled(model, 1e3, 1); /* at most 1000 s, also where ranks lack processors */
    o.links = "ring";
    next = measured(MPI_COMM_WORLD, &o, &report);
    expect(report.nclasses == 3 && report.ndrifted == 3, "three groups of the earlier model");
    hitop_model_free(next);
    o.links = NULL;
    next = measured(MPI_COMM_WORLD, &o, &report);
    expect(report.nlinks == 3, "a link for each group");
    hitop_model_free(next);
    hitop_model_free(other);
    hitop_model_free(model);
    hitop_model_free(flat);
    hitop_hierarchy_free(h);
}

/* Both halves of the ranks at once, in the other order; then groups that are no communicator. */
static void parts_of_ranks_are_measured(void)
{
    const int is_odd = rank % 2;
    struct hitop_estimate_options o;
    struct hitop_model *model = NULL;
    struct hitop_diag diag;
    MPI_Comm part, both, between;
    int n;

    PMPI_Comm_split(MPI_COMM_WORLD, is_odd, -rank, &part);
    PMPI_Comm_set_errhandler(part, MPI_ERRORS_RETURN);
    programs[nprograms++] = part;
    ask(&o, is_odd ? "loggp" : "auto");
    model = measured(part, &o, NULL);
    PMPI_Comm_size(part, &n);
    expect(hitop_model_nranks(model) == n, "ranks of the part");
    hitop_model_free(model);
    if (size > 1) {
        PMPI_Comm_dup(MPI_COMM_WORLD, &between); /* a receive of any message is pending there */
        PMPI_Intercomm_create(part, 0, between, (size - 1 - !is_odd) / 2 * 2 + !is_odd, 1, &both);
        expect(hitop_estimate(both, &o, &model, NULL, &diag) == HITOP_ERR_INVALID && !model,
               "an intercommunicator");
        PMPI_Comm_free(&both);
        PMPI_Comm_free(&between);
    }
    nprograms--;
    PMPI_Comm_free(&part);
}

static void wrong_options_fail_alike(void)
{
    const char *words = "";

    for (int i = 0; words; i++) {
        struct hitop_estimate_options o;
        struct hitop_model *model;
        struct hitop_diag diag;

        ask(&o, "hockney");
        words = wrong_options(i, &o);
        if (words) {
            expect(estimate(MPI_COMM_WORLD, &o, &model, NULL, &diag) == HITOP_ERR_INVALID, words);
            expect(strstr(diag.message, words) != NULL, diag.message);
        }
    }
}

/* Programs that were compiled with an earlier, or a later, version of the header. */
static void other_versions_of_options(void)
{
    struct {
        struct hitop_estimate_options o;
        unsigned char more[8];
    } later, earlier;
    struct hitop_estimate_report report = {.size = offsetof(struct hitop_estimate_report, nsizes)};
    const size_t end = offsetof(struct hitop_estimate_options, progress);
    struct hitop_model *model;
    struct hitop_diag diag;

    memset(&earlier, 0x5a, sizeof(earlier));
    hitop_estimate_defaults_of(&earlier.o, end);
    expect(earlier.o.size == end && ((unsigned char *)&earlier.o)[end] == 0x5a, "a larger struct");
    earlier.o.budget = 0.1;
    report.seconds = -1;
    hitop_model_free(measured(MPI_COMM_WORLD, &earlier.o, &report));
    expect(report.seconds == -1 && report.nlinks == size * (size - 1) / 2, "a larger report");
    memset(&later, 0x5a, sizeof(later));
    hitop_estimate_defaults_of(&later.o, sizeof(later));
    later.o.budget = 0.1;
    hitop_model_free(measured(MPI_COMM_WORLD, &later.o, NULL));
    later.more[7] = 1;
    expect(estimate(MPI_COMM_WORLD, &later.o, &model, NULL, &diag) == HITOP_ERR_INVALID,
           "an unknown option");
}

int main(int argc, char **argv)
{
    MPI_Request pending;
    int worst, nothing, is_here;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    programs[nprograms++] = MPI_COMM_WORLD;
    MPI_Irecv(&nothing, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &pending);
    no_communicator_has_no_model();
    wrong_options_fail_alike();
    other_versions_of_options();
    every_type_is_measured();
    groups_are_measured();
    what_drifts_is_measured_again();
    groups_are_measured_again();
    parts_of_ranks_are_measured();
    MPI_Test(&pending, &is_here, MPI_STATUS_IGNORE);
    expect(!is_here, "a message of the measurement");
    PMPI_Send(&rank, 1, MPI_INT, rank, 0, MPI_COMM_WORLD);
    MPI_Wait(&pending, MPI_STATUS_IGNORE);
    PMPI_Allreduce(&nfailures, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return worst > 0;
}

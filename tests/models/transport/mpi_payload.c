/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_payload.c - every experiment by every cache policy: whole messages arrive, from and at the
 * lines of the policy.
 *
 * The calls of the transport come by here: what is sent is written just before, and looked at when
 * it has been received. Needs three ranks.
 */
#include <config.h>

#include "models/fans/fan_mpi.h"
#include "models/transport/measure_mpi.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { RANKS = 3, LAST_LEVEL = 1 << 18, LINE = 64, FIRST_PAYLOAD = 64 };

static int rank, nfailures;
static enum hitop_cache policy;

static struct {
    unsigned char sent[RANKS], received[RANKS]; /* messages so far, to and from each rank */
    const char *before;                         /* the message before, its end in whole lines */
    size_t length;
    int n, nsame, nback;
    int ncooled; /* words that a partner has cooled its caches */
} seen;

static void expect(int condition, const char *what, long value)
{
    if (!condition) {
        fprintf(stderr, "rank %d, %s: %s: %ld\n", rank, hitop_cache_name(policy), what, value);
        nfailures++;
    }
}

/* Messages of experiments are longer than orders and answers. */
static int is_payload(int bytes, MPI_Datatype type)
{
    return type == MPI_BYTE && bytes >= FIRST_PAYLOAD;
}

static void note(const void *buffer, int bytes)
{
    const char *at = buffer;

    seen.n++;
    seen.nsame += at == seen.before;
    seen.nback += at < seen.before;
    if (policy != HITOP_CACHE_HOT && seen.n > 1 && at > seen.before) {
        expect((size_t)(at - seen.before) >= seen.length + LINE, "no line between messages",
               at - seen.before);
    }
    seen.before = at;
    seen.length = (size_t)bytes;
}

int MPI_Send(const void *buffer, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    if (is_payload(n, type)) {
        unsigned char *bytes = (unsigned char *)(uintptr_t)buffer;
        const unsigned char number = seen.sent[to]++;
        note(buffer, n);
        for (int i = 0; i < n; i++) {
            bytes[i] = (unsigned char)(number + 31 * rank + 7 * i);
        }
    }
    return PMPI_Send(buffer, n, type, to, tag, comm);
}

int MPI_Recv(void *buffer, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status *status)
{
    const int code = PMPI_Recv(buffer, n, type, from, tag, comm, status);

    if (is_payload(n, type)) {
        const unsigned char *bytes = buffer, number = seen.received[from]++;
        int nwrong = 0;
        note(buffer, n);
        for (int i = 0; i < n; i++) {
            nwrong += bytes[i] != (unsigned char)(number + 31 * from + 7 * i);
        }
        expect(nwrong == 0, "bytes are wrong", nwrong);
    }
    seen.ncooled += n == 0 && !buffer && type == MPI_BYTE;
    return code;
}

/* All experiments of rank 0 with the others. */
static void experiments(const struct hitop_transport *t)
{
    static const size_t sizes[] = {0, 64, 100001, 5000};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    enum hitop_status status = HITOP_OK;
    int nseries = 0;

    seen.ncooled = 0;
    for (int e = 0; rank == 0 && e < HITOP_NEXPERIMENTS; e++) {
        for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
            const struct hitop_series series = {
                .what = (enum hitop_experiment)e,
                .to = e == HITOP_REPLY_THIRD ? 2 : 1,
                .third = 2,
                .bytes = sizes[i],
                .batch = e == HITOP_SEND_CALL || e == HITOP_RECEIVE_CALL ? 1
                         : e == HITOP_GAP                                ? 4
                                                                         : 1 + !t->max_batch,
                .count = 2};
            double seconds[2];
            status = t->exchange(t->self, &series, seconds, &diag);
            expect(status == HITOP_OK, diag.message, (long)status);
            nseries += e == HITOP_FAN ? 2 : 1;
        }
    }
    if (rank == 0) {
        expect(policy == HITOP_CACHE_COLD ? seen.ncooled >= 2 * nseries : seen.ncooled == 0,
               "words of cooling", seen.ncooled); /* more where there are trials */
    }
    for (int to = 1; rank == 0 && to < RANKS; to++) {
        status = t->release(t->self, 0, to, &diag);
        expect(status == HITOP_OK, diag.message, (long)status);
    }
    if (rank > 0) {
        status = t->answer(t->self, 0, rank, &diag);
        expect(status == HITOP_OK, diag.message, (long)status);
    }
}

static void fans(struct hitop_payload *payload)
{
    static const size_t sizes[] = {64, 70000};
    const struct hitop_clock_options quick = {.exchanges = 4, .moments = 3, .span = 0.01};
    const struct hitop_clock monotonic = hitop_clock_monotonic();
    struct hitop_fan_request request = {.root = 1, .sizes = sizes, .nsizes = 2, .payload = payload};
    struct hitop_point scatter[2], gather[2];
    struct hitop_common_clock *clock = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int n = 0;
    enum hitop_status status =
        hitop_common_clock_create(MPI_COMM_WORLD, &monotonic, &quick, &clock, &diag);

    hitop_timing_defaults(&request.timing);
    request.timing.median.min_samples = request.timing.median.max_samples = 6;
    if (status == HITOP_OK) {
        status = hitop_fan_curves(clock, &request, scatter, gather, &n, &diag);
    }
    expect(status == HITOP_OK && n == 2, diag.message, (long)status);
    hitop_common_clock_free(clock);
}

static void try_policy(void)
{
    struct hitop_payload *payload = NULL;
    struct hitop_transport t;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    enum hitop_status status = hitop_payload_new(policy, LAST_LEVEL, &payload, &diag);

    if (status == HITOP_OK) {
        status = hitop_transport_mpi(MPI_COMM_WORLD, payload, &t, &diag);
    }
    if (status != HITOP_OK) {
        fprintf(stderr, "%s\n", diag.message);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    seen.n = seen.nsame = seen.nback = 0;
    experiments(&t);
    fans(payload);
    if (policy == HITOP_CACHE_HOT) { /* but where the buffer grows */
        expect(seen.nsame >= seen.n - 4, "messages in other buffers", seen.n - seen.nsame);
    } else {
        expect(seen.nsame == 0, "messages where the one before was", seen.nsame);
        expect(seen.nback > 0 && seen.nback < seen.n / 4, "walks", seen.nback);
    }
    t.close(t.self);
    hitop_payload_free(payload);
}

int main(int argc, char **argv)
{
    int size, worst;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != RANKS) {
        fprintf(stderr, "mpi_payload needs %d ranks, not %d\n", RANKS, size);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (policy = 0; policy < HITOP_NCACHES; policy++) {
        try_policy();
    }
    MPI_Allreduce(&nfailures, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return worst > 0;
}

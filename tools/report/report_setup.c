/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_setup.c - the set-up of a measurement, and descriptions of the operations.
 *
 * To describe another operation, add a row to `operations`.
 */
#include <config.h>

#include "tools/report/report_parts.h"

#include <math.h>
#include <string.h>

static const char message[] = "bytes of the message";
static const char block[] = "bytes of one block";

static const struct report_operation operations[] = {
    {"pingpong", "PingPong", "MPI_Send, MPI_Recv",
     "Rank 0 sends a message to rank 1, which sends it back. The time is half of the "
     "round trip; short ones are timed several at once, because clocks have steps.",
     message},
    {"pairs", "Pairs", "MPI_Send, MPI_Recv",
     "PingPong of each rank of the first half with one of the second half, all at once. The time "
     "is half of the round trip.",
     message},
    {"sendreceive", "SendReceive", "MPI_Sendrecv",
     "Each rank sends a message to the next rank of a ring and receives one from the rank before, "
     "at once.",
     message},
    {"exchange", "Exchange", "MPI_Isend, MPI_Recv",
     "Each rank sends a message to both neighbours in a ring and receives one from both.", message},
    {"broadcast", "Broadcast", "MPI_Bcast", "The message of the root goes to all ranks.", message},
    {"scatter", "Scatter", "MPI_Scatter",
     "The root has a block for each rank; each rank receives its own.", block},
    {"scatterv", "Scatterv", "MPI_Scatterv",
     "Scatter in which blocks have lengths and places of their own; here they are alike.", block},
    {"gather", "Gather", "MPI_Gather", "The root receives a block of each rank.", block},
    {"gatherv", "Gatherv", "MPI_Gatherv",
     "Gather in which blocks have lengths and places of their own; here they are alike.", block},
    {"allgather", "Allgather", "MPI_Allgather", "Each rank receives the blocks of all ranks.",
     block},
    {"allgatherv", "Allgatherv", "MPI_Allgatherv",
     "Allgather in which blocks have lengths and places of their own; here they are alike.", block},
    {"alltoall", "Alltoall", "MPI_Alltoall",
     "Each rank has a block for each rank; each receives those for it.", block},
    {"alltoallv", "Alltoallv", "MPI_Alltoallv",
     "Alltoall in which blocks have lengths and places of their own; here they are alike.", block},
    {"reduce", "Reduce", "MPI_Reduce",
     "The vectors of all ranks are combined element by element; the root receives the result.",
     "bytes of the vector"},
    {"allreduce", "Allreduce", "MPI_Allreduce",
     "The vectors of all ranks are combined element by element; all receive the result.",
     "bytes of the vector"},
    {"barrier", "Barrier", "MPI_Barrier", "No rank goes on before all have come.",
     "none: there is no message"},
};

struct report_operation report_operation_of(const char *name)
{
    for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++) {
        if (strcmp(operations[i].name, name) == 0) {
            return operations[i];
        }
    }
    return (struct report_operation){name, name, "", "", message};
}

/* The title of a member of the provenance. */
static const char *fact_title(const char *key)
{
    static const struct {
        const char *key, *title;
    } titles[] = {{"tool", "Tool"},
                  {"command", "Command line"},
                  {"mpi_library", "MPI library"},
                  {"hosts", "Hosts"},
                  {"binding", "Binding of ranks to processors"},
                  {"transport", "Transport"},
                  {"cache", "Caches"},
                  {"timing", "Timing method"},
                  {"date", "Date"},
                  {"seed", "Seed of the random order"},
                  {"confidence", "Confidence of intervals"},
                  {"note", "Note"},
                  {"ranks", "Ranks of the job"},
                  {"launches", "Launches"},
                  {"line_hop_first_ns", "Cache line from rank to rank on a host, at first, ns"},
                  {"line_hop_last_ns", "Cache line from rank to rank on a host, at last, ns"},
                  {"line_hop_wanted_ns", "Only times count while a cache line takes, ns"},
                  {"normalised_time_us", "Normalised time: scalar product of 1000 numbers, µs"},
                  {"normalised_times", "Normalised time by host, µs"},
                  {"library", "Library of the user"},
                  {"full_speed", "Only times at full speed count"},
                  {"clock_residual_us", "Difference of clocks at the end, µs"}};

    for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++) {
        if (strcmp(titles[i].key, key) == 0) {
            return titles[i].title;
        }
    }
    return key;
}

void write_facts(struct guide *guide)
{
    const struct results *r = guide->report;
    struct page *page = &guide->page;
    char text[32];

    for (int i = 0; i < r->nfacts; i++) {
        if (*r->facts[i].value) {
            page_item(page, fact_title(r->facts[i].key), r->facts[i].value);
        }
    }
    page_item(page, "Noise floor",
              isfinite(r->noise_floor) ? page_error(r->noise_floor, text)
                                       : "not measured; 1 % is assumed where points are weighed");
    page_items_end(page);
}

/* 1: curve i is the first one of its operation. */
static int is_first_of(const struct results *r, int i)
{
    for (int k = 0; k < i; k++) {
        if (strcmp(r->curves[k].operation, r->curves[i].operation) == 0) {
            return 0;
        }
    }
    return 1;
}

void write_operations(struct guide *guide)
{
    const struct results *r = guide->report;

    page_table(&guide->page, "Operations", "llll", "operation|call|what it does|size m");
    for (int i = 0; i < r->ncurves; i++) {
        const struct report_operation op = report_operation_of(r->curves[i].operation);
        if (is_first_of(r, i)) {
            page_cells(&guide->page, "%s|%s|%s|%s", op.title, op.call, op.does, op.size);
        }
    }
    page_table_end(&guide->page);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_setup.c - where the numbers of a guide come from and what they mean.
 *
 * To describe another operation: a row in `operations`.
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
                  {"date", "Date"},
                  {"seed", "Seed of the random order"},
                  {"confidence", "Confidence of intervals"},
                  {"note", "Note"},
                  {"ranks", "Ranks of the job"},
                  {"launches", "Launches"},
                  {"line_hop_first_ns", "Cache line from rank to rank on a host, at first, ns"},
                  {"line_hop_last_ns", "Cache line from rank to rank on a host, at last, ns"},
                  {"line_hop_wanted_ns", "Only times count while a cache line takes, ns"},
                  {"full_speed", "Only times at full speed count"},
                  {"clock_residual_us", "Difference of clocks at the end, µs"}};

    for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++) {
        if (strcmp(titles[i].key, key) == 0) {
            return titles[i].title;
        }
    }
    return key;
}

void write_setup(struct guide *guide)
{
    const struct results *r = guide->report;
    struct page *page = &guide->page;
    char text[32];

    page_put(page, PAGE_SECTION, "setup", "Machine, software and settings");
    for (int i = 0; i < r->nfacts; i++) {
        if (*r->facts[i].value) {
            page_item(page, fact_title(r->facts[i].key), r->facts[i].value);
        }
    }
    page_item(page, "Noise floor",
              isfinite(r->noise_floor) ? page_error(r->noise_floor, text)
                                       : "not measured; 1 % is assumed where points are weighed");
    page_items_end(page);
    page_text(
        page,
        "The noise floor is the relative difference, in the median over sizes, between %s. Smaller "
        "differences mean nothing, of two times or of a time and a formula.",
        r->nlaunches > 1 ? "two launches"
                         : "the first and the second half of the repetitions, where they are ten "
                           "or more");
}

/* 1: no earlier curve is of this operation. */
static int is_first_of(const struct results *r, int i)
{
    for (int k = 0; k < i; k++) {
        if (strcmp(r->curves[k].operation, r->curves[i].operation) == 0) {
            return 0;
        }
    }
    return 1;
}

static void write_operations(struct guide *guide)
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

/* The methods of timing that the results have. */
static void write_timings(struct guide *guide)
{
    static const struct {
        const char *name, *means;
    } methods[] = {
        {"round-time", "all ranks begin at a moment appointed on a common clock; a repetition "
                       "lasts from there to the end of the last rank, and does not count if a rank "
                       "was late"},
        {"after-barrier",
         "from the first rank's beginning to the end of the last rank, on a common clock, after a "
         "barrier, because appointments were not kept; the time holds what the barrier leaves "
         "ranks apart"},
        {"round-trip", "half of what a message there and back takes, by the clock of the rank that "
                       "sends first; short ones are "
                       "timed several at once"}};
    const struct results *r = guide->report;
    struct page *page = &guide->page;

    for (size_t m = 0; m < sizeof(methods) / sizeof(methods[0]); m++) {
        int used = 0;
        for (int i = 0; i < r->ncurves && !used; i++) {
            used = r->curves[i].timing && strcmp(r->curves[i].timing, methods[m].name) == 0;
        }
        if (used) {
            page_item(page, methods[m].name, methods[m].means);
        }
    }
    page_items_end(page);
}

/* Explains the columns of the tables of times. */
static void write_columns(struct guide *guide)
{
    struct page *page = &guide->page;

    page_words(page, "What columns of the tables mean:");
    page_item(
        page, "interval",
        guide->report->nlaunches > 1
            ? "of the launches' medians, see From launch to launch; a dash: there is none"
            : "where repetitions were taken in passes over all sizes, some time apart, it reaches "
              "as far as that of the passes' medians, however many repetitions there are in each: "
              "it may reach beyond nine of ten repetitions, because a short pass counts like a "
              "long one; a dash: repetitions or passes are too few for one, and chance may have "
              "made the time");
    page_item(page, "rejected", "repetitions that do not count, as a rank came late");
    page_item(page, "begun apart",
              "ranks began by so much later than others, in the median, where that is more "
              "than a tenth of the time, which includes some of it");
    page_item(page, "state",
              "converged: the interval is as narrow as was asked for; limit: time or "
              "repetitions were used up before it was");
    page_items_end(page);
}

void write_definitions(struct guide *guide)
{
    struct page *page = &guide->page;

    page_put(page, PAGE_SECTION, "definitions", "What is measured");
    write_operations(guide);
    page_put(page, PAGE_SUBSECTION, "Time", NULL);
    page_words(
        page,
        "The time of an operation is that of the whole of it: from when it begins until the last "
        "rank has finished. It is taken for each repetition; the tables show the median of all "
        "repetitions with its confidence interval, which is made of order statistics and holds for "
        "any distribution. P is the number of ranks, m the size in the table above. How it is "
        "timed:");
    write_timings(guide);
    write_columns(guide);
    page_put(page, PAGE_SUBSECTION, "Bandwidth", NULL);
    page_item(page, "One way", "the bytes that one rank sends, over the time.");
    page_item(
        page, "Both ways",
        "the bytes that one rank sends and those that it receives at the same time, over the time. "
        "For SendReceive it is twice the other one, for Exchange four times the size over the "
        "time; in a PingPong only one message is under way, and the two are the same. Ask of any "
        "figure of another tool which of the two it is.");
    page_items_end(page);
    page_words(page,
               "1 MB is 1,000,000 bytes, 1 KiB 1024 bytes, 1 MiB 1,048,576 bytes. Collectives have "
               "no bandwidth here: it would depend on which bytes are counted.");
    page_put(page, PAGE_SUBSECTION, "Formulas", NULL);
    page_words(page, "T(m) is fitted for each number of ranks: a constant, one straight line, or "
                     "straight lines for stretches of sizes where a protocol or an algorithm "
                     "changes. A parabola is fitted for comparison only: reports of the past took "
                     "such a change for curvature. T(m, P) is fitted to all numbers of ranks, with "
                     "the terms that the usual algorithms of the operation cost; terms that do not "
                     "help to predict are left out. Empty messages are a case of their own, for "
                     "which a library may do nothing: they are in the tables and not in the "
                     "formulas. Points weigh by their intervals, outliers less; no factor is "
                     "negative, but those of the parabola.");
    page_words(
        page, "A formula is judged by what its fit has not seen: each size but the smallest and "
              "the largest is left out once, a quarter of them at a time, and where there are "
              "three or more numbers of ranks each of them is. The tables do not count sizes "
              "next to a change: without them its place is not known, and the sentences above "
              "say how far off they are. An error is "
              "exp(|ln(formula/measured)|) − 1, so that twice and half the time are both 100 % "
              "off; the bias is exp(mean of ln(formula/measured)) − 1. Covered: how many of these "
              "points lie in the 95 % interval of the formula that is made without them, and how "
              "wide that is: fewer than nine of ten, and the formula knows less than its intervals "
              "say. A coefficient of determination (R²) is not shown: it is 0.99 for formulas "
              "that are wrong by 100 % for all short messages.");
}

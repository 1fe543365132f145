/* SPDX-License-Identifier: BSD-3-Clause */
/* check_journal.c - whatever happens to a journal, it returns the whole batches or says what is wrong. */
#include <config.h>

#include "hitop/journal.h"

#include "models/journal_impl.h"
#include "test_main.h"

#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

enum { MAX_TEXT = 1 << 16, MAX_TAKEN = 64 };

static const char *const hosts[] = {"n1", "n1", "n2.site-a.example", "n2.site-a.example"};
static const struct hitop_journal_header header = {.configuration =
                                                       "sizes=0,1024 eps=0.0125 seed=7",
                                                   .hosts = hosts,
                                                   .nranks = 4,
                                                   .mpi = "Some MPI 4.1.4",
                                                   .tool = "check_journal",
                                                   .seed = 7};

static const double samples[] = {2.3849999999999997e-06, 0.1, 1.0 / 3, -4.9406564584124654e-324,
                                 1.7976931348623157e308};

static struct hitop_batch batch_of(int number)
{
    return (struct hitop_batch){.part = number % 2 ? "links" : "triples",
                                .link = number,
                                .what = (enum hitop_experiment)(number % (HITOP_FAN + 1)),
                                .bytes = number == 3 ? INT64_MAX : 17u * (size_t)number,
                                .take = number % 3,
                                .block = 2 * number,
                                .batch = 1 + number,
                                .n = 1 + number % 5,
                                .samples = samples};
}

static char path[] = "check_journal.XXXXXX";

/* Each test runs in a process and a file of its own. */
static void make_file(void)
{
    const int fd = mkstemp(path);

    ck_assert_int_ge(fd, 0);
    (void)close(fd);
}

static void remove_file(void)
{
    (void)unlink(path);
}

static void put_text(const char *text, size_t length)
{
    FILE *f = fopen(path, "w");

    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(text, 1, length, f), length);
    ck_assert_int_eq(fclose(f), 0);
}

static size_t get_text(char *text)
{
    FILE *f = fopen(path, "r");
    size_t length;

    ck_assert_ptr_nonnull(f);
    length = fread(text, 1, MAX_TEXT - 1, f);
    text[length] = '\0';
    (void)fclose(f);
    return length;
}

static void write_batches(int n)
{
    struct hitop_journal *journal = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    ck_assert_msg(hitop_journal_create(path, &header, &journal, &diag) == HITOP_OK, "%s",
                  diag.message);
    for (int i = 0; i < n; i++) {
        const struct hitop_batch batch = batch_of(i);
        ck_assert_int_eq(hitop_journal_append(journal, &batch, NULL), HITOP_OK);
        ck_assert_int_eq(hitop_journal_flush(journal, NULL), HITOP_OK);
    }
    ck_assert_int_eq(hitop_journal_close(journal, NULL), HITOP_OK);
}

/* Expects the batches as batch_of() counts them. */
static enum hitop_status take(void *data, const struct hitop_batch *batch, struct hitop_diag *diag)
{
    int *taken = data;
    const struct hitop_batch was = batch_of(*taken);

    ck_assert_str_eq(batch->part, was.part);
    ck_assert_int_eq(batch->link, was.link);
    ck_assert_int_eq(batch->what, was.what);
    ck_assert_uint_eq(batch->bytes, was.bytes);
    ck_assert_int_eq(batch->take, was.take);
    ck_assert_int_eq(batch->block, was.block);
    ck_assert_int_eq(batch->batch, was.batch);
    ck_assert_int_eq(batch->n, was.n);
    ck_assert_mem_eq(batch->samples, samples, (size_t)was.n * sizeof(*samples));
    if (++*taken == MAX_TAKEN) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "link %d is not among 63", batch->link);
    }
    return HITOP_OK;
}

static enum hitop_status resume(const struct hitop_journal_header *of, int anyway, int *taken,
                                struct hitop_journal **journal, struct hitop_diag *diag)
{
    const struct hitop_journal_taker taker = {.take = take, .data = taken};

    *taken = 0;
    return hitop_journal_resume(path, of, anyway, &taker, journal, diag);
}

START_TEST(numbers_return_exactly)
{
    struct hitop_journal *journal = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int taken;

    make_file();
    write_batches(12);
    ck_assert_msg(resume(&header, 0, &taken, &journal, &diag) == HITOP_OK, "%s", diag.message);
    ck_assert_int_eq(taken, 12);
    ck_assert_int_eq(hitop_journal_close(journal, NULL), HITOP_OK);
    remove_file();
}
END_TEST

/* Killed at any moment: whole batches return, the torn one is gone for good, and the next ones follow. */
START_TEST(goes_on_after_a_tear_at_any_byte)
{
    static char whole[MAX_TEXT], after[MAX_TEXT];
    size_t length, lines_length = 0;
    int nlines = 0;

    make_file();
    write_batches(4);
    length = get_text(whole);
    for (size_t cut = 0; cut <= length; cut++) {
        struct hitop_journal *journal = NULL;
        struct hitop_diag diag = HITOP_DIAG_INIT;
        struct hitop_batch next;
        int taken;
        if (cut > 0 && whole[cut - 1] == '\n') {
            nlines++;
            lines_length = cut;
        }
        put_text(whole, cut);
        ck_assert_msg(resume(&header, 0, &taken, &journal, &diag) == HITOP_OK, "%zu: %s", cut,
                      diag.message);
        ck_assert_int_eq(taken, nlines > 0 ? nlines - 1 : 0);
        next = batch_of(taken);
        ck_assert_int_eq(hitop_journal_append(journal, &next, NULL), HITOP_OK);
        ck_assert_int_eq(hitop_journal_close(journal, NULL), HITOP_OK);
        (void)get_text(after);
        ck_assert_mem_eq(after, whole, lines_length);
        ck_assert_int_eq(resume(&header, 0, &taken, &journal, &diag), HITOP_OK);
        ck_assert_int_eq(taken, nlines > 0 ? nlines : 1);
        ck_assert_int_eq(hitop_journal_close(journal, NULL), HITOP_OK);
    }
    remove_file();
}
END_TEST

/* What a crash of the machine may leave: pages that never reached the disk. */
START_TEST(drops_a_last_line_of_zeros_or_with_another_checksum)
{
    static char text[MAX_TEXT];
    struct hitop_journal *journal = NULL;
    size_t length;
    int taken;

    make_file();
    write_batches(3);
    length = get_text(text);
    memset(text + length, 0, 5000);
    put_text(text, length + 5000);
    ck_assert_int_eq(resume(&header, 0, &taken, &journal, NULL), HITOP_OK);
    ck_assert_int_eq(taken, 3);
    ck_assert_int_eq(hitop_journal_close(journal, NULL), HITOP_OK);
    ck_assert_uint_eq(get_text(text), length);
    text[length - 30] = 0;
    put_text(text, length);
    ck_assert_int_eq(resume(&header, 0, &taken, &journal, NULL), HITOP_OK);
    ck_assert_int_eq(taken, 2);
    ck_assert_int_eq(hitop_journal_close(journal, NULL), HITOP_OK);
    remove_file();
}
END_TEST

/* Any byte in any line but the last, whose beginning must show. */
START_TEST(refuses_every_changed_byte)
{
    static char text[MAX_TEXT];
    size_t length, last;

    make_file();
    write_batches(2);
    length = get_text(text);
    text[length - 1] = '\0';
    last = (size_t)(strrchr(text, '\n') - text) + 1;
    text[length - 1] = '\n';
    for (size_t i = 0; i + 1 < last; i++) {
        const char was = text[i];
        for (int change = 1; change < 256; change *= 9) {
            struct hitop_journal *journal = NULL;
            struct hitop_diag diag = HITOP_DIAG_INIT;
            int taken;
            text[i] = (char)(was ^ change);
            put_text(text, length);
            ck_assert_msg(resume(&header, 1, &taken, &journal, &diag) == HITOP_ERR_FORMAT,
                          "byte %zu", i);
            ck_assert_ptr_null(journal);
            ck_assert_ptr_nonnull(strstr(diag.message, path));
        }
        text[i] = was;
    }
    remove_file();
}
END_TEST

/* A header and a record with a right checksum. */
static void put_records(const char *const *records, int n)
{
    FILE *f = fopen(path, "w");

    ck_assert_ptr_nonnull(f);
    for (int i = 0; i < n; i++) {
        size_t length = 0;
        char *line = journal_seal(records[i], &length);
        ck_assert_uint_eq(fwrite(line, 1, length, f), length);
        free(line);
    }
    ck_assert_int_eq(fclose(f), 0);
}

/* NULL is a second header. */
static void expect_refusal(const char *record, const char *reason)
{
    char *first = journal_header_record(&header);
    const char *const records[] = {first, record ? record : first};
    struct hitop_journal *journal = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    char where[64];
    int taken = 0;

    put_records(records, 2);
    ck_assert_int_eq(resume(&header, 0, &taken, &journal, &diag), HITOP_ERR_FORMAT);
    ck_assert_int_eq(taken, 0);
    (void)snprintf(where, sizeof(where), "%s:2:", path);
    ck_assert_msg(strncmp(diag.message, where, strlen(where)) == 0, "%s", diag.message);
    ck_assert_msg(strstr(diag.message, reason) != NULL, "'%s' does not say '%s'", diag.message,
                  reason);
    free(first);
}

#define RECORD(link, what, bytes, take, block, batch, samples)                                     \
    "{\"part\":\"links\",\"link\":" link ",\"experiment\":" what ",\"bytes\":" bytes               \
    ",\"take\":" take ",\"block\":" block ",\"batch\":" batch ",\"samples\":" samples "}"

START_TEST(refuses_records_that_cannot_be)
{
    static const char *const bad[][2] = {
        {RECORD("-1", "\"echo\"", "1", "0", "0", "1", "[1]"), "$.link: -1 is outside"},
        {RECORD("1.5", "\"echo\"", "1", "0", "0", "1", "[1]"), "$.link: must be an integer"},
        {RECORD("99999999999", "\"echo\"", "1", "0", "0", "1", "[1]"), "$.link: 99999999999"},
        {RECORD("0", "\"ping\"", "1", "0", "0", "1", "[1]"), "there are echo, reply, gap"},
        {RECORD("0", "3", "1", "0", "0", "1", "[1]"), "$.experiment: must be a string"},
        {RECORD("0", "\"echo\"", "-1", "0", "0", "1", "[1]"), "$.bytes: -1 is negative"},
        {RECORD("0", "\"echo\"", "99999999999999999999", "0", "0", "1", "[1]"), "too big integer"},
        {RECORD("0", "\"echo\"", "1", "-2", "0", "1", "[1]"), "$.take: -2 is outside"},
        {RECORD("0", "\"echo\"", "1", "0", "-3", "1", "[1]"), "$.block: -3 is outside"},
        {RECORD("0", "\"echo\"", "1", "0", "0", "0", "[1]"), "$.batch: 0 is outside"},
        {RECORD("0", "\"echo\"", "1", "0", "0", "1", "[]"), "$.samples: has 0 items"},
        {RECORD("0", "\"echo\"", "1", "0", "0", "1", "[NaN]"), "invalid token"},
        {RECORD("0", "\"echo\"", "1", "0", "0", "1", "[1e999]"), "real number overflow"},
        {RECORD("0", "\"echo\"", "1", "0", "0", "1", "[1,null]"), "$.samples[1]: must be a number"},
        {RECORD("0", "\"echo\"", "1", "0", "0", "1", "1"), "$.samples: must be an array"},
        {RECORD("0", "\"echo\"", "1", "0", "0", "1", "[1],\"n\":1"), "unknown member 'n'"},
        {RECORD("0", "\"echo\"", "1", "0", "0", "1", "[1],\"link\":1"), "duplicate object key"},
        {"{\"part\":\"\"}", "$.experiment: missing"},
        {"[1]", "expected"},
        {"{}", "expected"},
        {"\x01\xff\x7f{}", "expected near"},
    };

    make_file();
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        expect_refusal(bad[i][0], bad[i][1]);
    }
    expect_refusal(NULL, "unknown member 'format'");
    remove_file();
}
END_TEST

START_TEST(refuses_deep_nesting)
{
    enum { DEPTH = 20000 };
    static char record[DEPTH + 2];

    memset(record, '[', DEPTH);
    record[DEPTH] = '}';
    make_file();
    expect_refusal(record, "maximum parsing depth");
    remove_file();
}
END_TEST

/* What the last argument of hitop_journal_resume() says of a journal of header. */
static void expect_difference(const struct hitop_journal_header *now, const char *const *reasons)
{
    struct hitop_journal *journal = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int taken = 0;

    ck_assert_int_eq(resume(now, 0, &taken, &journal, &diag), HITOP_ERR_FORMAT);
    ck_assert_ptr_null(journal);
    for (; *reasons; reasons++) {
        ck_assert_msg(strstr(diag.message, *reasons) != NULL, "'%s' does not say '%s'",
                      diag.message, *reasons);
    }
    ck_assert_int_eq(resume(now, 1, &taken, &journal, &diag), HITOP_OK);
    ck_assert_int_eq(taken, 2);
    ck_assert_int_eq(hitop_journal_close(journal, NULL), HITOP_OK);
}

START_TEST(names_what_differs_from_the_run_before)
{
    const char *const moved[] = {"n1", "n1", "n2.site-a.example", "n3"};
    struct hitop_journal_header now = header;

    make_file();
    write_batches(2);
    now.configuration = "sizes=0,1024 eps=0.05 seed=7";
    expect_difference(
        &now, (const char *const[]){"$.configuration", "24 eps=0.0125 ", "24 eps=0.05 ", NULL});
    now = header;
    now.mpi = "Some MPI 5.0.0";
    expect_difference(&now, (const char *const[]){"$.mpi", header.mpi, now.mpi, NULL});
    now = header;
    now.hosts = moved;
    expect_difference(&now, (const char *const[]){"$.hosts[3]", hosts[3], moved[3], NULL});
    now.nranks = 3;
    expect_difference(&now, (const char *const[]){"$.hosts: 4 ranks", "3 in this run", NULL});
    now = header;
    now.tool = "another";
    now.seed = 8;
    now.configuration = "sizes=0,1024 eps=0.0125 seed=7, and more";
    expect_difference(&now, (const char *const[]){"5 seed=7, and more", NULL});
    remove_file();
}
END_TEST

START_TEST(takes_names_that_are_not_unicode)
{
    const char *const latin[] = {"k\xf6ln", "n2"};
    struct hitop_journal_header now = header;
    struct hitop_journal *journal = NULL;
    int taken;

    make_file();
    now.hosts = latin;
    now.nranks = 2;
    now.configuration = "a\nb\t\"c\"\x01";
    ck_assert_int_eq(hitop_journal_create(path, &now, &journal, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_journal_close(journal, NULL), HITOP_OK);
    ck_assert_int_eq(resume(&now, 0, &taken, &journal, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_journal_close(journal, NULL), HITOP_OK);
    remove_file();
}
END_TEST

START_TEST(refuses_headers_that_cannot_be)
{
    static const char *const bad[][2] = {
        {"{\"format\":\"hitop-model\",\"version\":1}", "must be 'hitop-journal'"},
        {"{\"format\":\"hitop-journal\",\"version\":2}", "$.version: 2 is outside [1, 1]"},
        {"{\"format\":\"hitop-journal\",\"version\":1,\"tool\":\"\",\"mpi\":\"\",\"seed\":-1,"
         "\"configuration\":\"\",\"hosts\":[\"a\"]}",
         "$.seed: -1 is negative"},
        {"{\"format\":\"hitop-journal\",\"version\":1,\"tool\":\"\",\"mpi\":\"\",\"seed\":1,"
         "\"configuration\":\"\",\"hosts\":[]}",
         "$.hosts: has no items"},
        {"{\"format\":\"hitop-journal\",\"version\":1,\"tool\":\"\",\"mpi\":\"\",\"seed\":1,"
         "\"configuration\":\"\",\"hosts\":[\"a\",4]}",
         "$.hosts[1]: must be a string"},
        {"[]", "expected"},
    };

    make_file();
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct hitop_journal *journal = NULL;
        struct hitop_diag diag = HITOP_DIAG_INIT;
        int taken = 0;
        put_records(&bad[i][0], 1);
        ck_assert_int_eq(resume(&header, 1, &taken, &journal, &diag), HITOP_ERR_FORMAT);
        ck_assert_ptr_null(journal);
        ck_assert_msg(strstr(diag.message, bad[i][1]) != NULL, "%s", diag.message);
    }
    remove_file();
}
END_TEST

/* A slip in the name of the file must not cost a file. */
START_TEST(leaves_other_files_alone)
{
    static const char *const texts[] = {"notes", "one\ntwo\n", "{\"format\":\"hitop-model\"",
                                        "\x7f\x45\x4c\x46\x02", "\n"};
    char after[MAX_TEXT];

    make_file();
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct hitop_journal *journal = NULL;
        struct hitop_diag diag = HITOP_DIAG_INIT;
        int taken = 0;
        put_text(texts[i], strlen(texts[i]));
        ck_assert_int_eq(resume(&header, 1, &taken, &journal, &diag), HITOP_ERR_FORMAT);
        ck_assert_ptr_nonnull(strstr(diag.message, ":1: not the header of a journal"));
        ck_assert_int_eq(hitop_journal_create(path, &header, &journal, &diag), HITOP_ERR_INVALID);
        ck_assert_ptr_null(journal);
        ck_assert_ptr_nonnull(strstr(diag.message, "--resume"));
        (void)get_text(after);
        ck_assert_str_eq(after, texts[i]);
    }
    remove_file();
}
END_TEST

START_TEST(has_one_writer)
{
    struct hitop_journal *journal = NULL, *second = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int taken = 0;

    make_file();
    ck_assert_int_eq(hitop_journal_create(path, &header, &journal, NULL), HITOP_OK);
    ck_assert_int_eq(resume(&header, 1, &taken, &second, &diag), HITOP_ERR_IO);
    ck_assert_ptr_null(second);
    ck_assert_ptr_nonnull(strstr(diag.message, "another run is writing"));
    ck_assert_int_eq(hitop_journal_create(path, &header, &second, &diag), HITOP_ERR_IO);
    ck_assert_int_eq(hitop_journal_close(journal, NULL), HITOP_OK);
    ck_assert_int_eq(resume(&header, 0, &taken, &second, &diag), HITOP_OK);
    ck_assert_int_eq(hitop_journal_close(second, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_journal_close(NULL, NULL), HITOP_OK);
    remove_file();
}
END_TEST

START_TEST(refuses_what_cannot_be_written)
{
    const double bad[] = {1, NAN, INFINITY};
    struct hitop_batch batch[9];
    struct hitop_journal_header none = header, late = header;
    struct hitop_journal *journal = NULL;
    char before[MAX_TEXT], after[MAX_TEXT];

    make_file();
    none.nranks = 0;
    late.seed = 1ull << 63;
    ck_assert_int_eq(hitop_journal_create(path, &none, &journal, NULL), HITOP_ERR_INVALID);
    ck_assert_int_eq(hitop_journal_create(path, &late, &journal, NULL), HITOP_ERR_INVALID);
    ck_assert_int_eq(hitop_journal_create(path, &header, &journal, NULL), HITOP_OK);
    for (int i = 0; i < 9; i++) {
        batch[i] = batch_of(4);
    }
    batch[0].link = -1;
    batch[1].take = -1;
    batch[2].block = -1;
    batch[3].batch = 0;
    batch[4].n = 0;
    batch[5].bytes = SIZE_MAX;
    batch[6].part = "";
    batch[7].what = HITOP_NEXPERIMENTS;
    batch[8].n = 2;
    batch[8].samples = bad;
    (void)get_text(before);
    for (int i = 0; i < 9; i++) {
        ck_assert_int_eq(hitop_journal_append(journal, &batch[i], NULL), HITOP_ERR_INVALID);
    }
    (void)get_text(after);
    ck_assert_str_eq(before, after);
    ck_assert_int_eq(hitop_journal_close(journal, NULL), HITOP_OK);
    remove_file();
}
END_TEST

/* No room for a line: it is taken back, and what was there before stays good. */
START_TEST(survives_a_full_disk)
{
    struct hitop_journal *journal = NULL;
    struct hitop_batch batch = batch_of(0);
    struct hitop_diag diag = HITOP_DIAG_INIT;
    char text[MAX_TEXT];
    struct rlimit limit;
    int taken = 0;

    make_file();
    write_batches(3);
    (void)signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(resume(&header, 0, &taken, &journal, NULL), HITOP_OK);
    limit = (struct rlimit){get_text(text) + 20, RLIM_INFINITY};
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    ck_assert_int_eq(hitop_journal_append(journal, &batch, &diag), HITOP_ERR_IO);
    ck_assert_ptr_nonnull(strstr(diag.message, path));
    ck_assert_int_eq(hitop_journal_close(journal, NULL), HITOP_OK);
    ck_assert_uint_eq(get_text(text), limit.rlim_cur - 20);
    ck_assert_int_eq(resume(&header, 0, &taken, &journal, NULL), HITOP_OK);
    ck_assert_int_eq(taken, 3);
    ck_assert_int_eq(hitop_journal_close(journal, NULL), HITOP_OK);
    remove_file();
}
END_TEST

START_TEST(says_when_there_is_no_such_file)
{
    struct hitop_journal *journal = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const struct hitop_journal_taker taker = {.take = take};

    ck_assert_int_eq(hitop_journal_resume("no/such", &header, 0, &taker, &journal, &diag),
                     HITOP_ERR_IO);
    ck_assert_int_eq(hitop_journal_create("no/such", &header, &journal, &diag), HITOP_ERR_IO);
    ck_assert_int_eq(hitop_journal_create("/dev/null", &header, &journal, &diag), HITOP_ERR_IO);
    ck_assert_ptr_nonnull(strstr(diag.message, "regular file"));
}
END_TEST

START_TEST(tells_where_a_batch_was_not_taken)
{
    struct hitop_journal *journal = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    char expected[128];
    int taken;

    make_file();
    write_batches(MAX_TAKEN);
    ck_assert_int_eq(resume(&header, 0, &taken, &journal, &diag), HITOP_ERR_INVALID);
    (void)snprintf(expected, sizeof(expected), "%s:65: link 63 is not among 63", path);
    ck_assert_str_eq(diag.message, expected);
    remove_file();
}
END_TEST

START_TEST(experiments_are_found_by_name)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    enum hitop_experiment what = HITOP_GAP;

    for (int i = 0; i <= HITOP_FAN; i++) {
        ck_assert_int_eq(
            hitop_experiment_find(hitop_experiment_name((enum hitop_experiment)i), &what, &diag),
            HITOP_OK);
        ck_assert_int_eq(what, i);
    }
    ck_assert_int_eq(hitop_experiment_find("ech", &what, &diag), HITOP_ERR_NOTFOUND);
    ck_assert_str_eq(diag.message,
                     "'ech' is no experiment; there are echo, reply, gap, send, receive, fan, "
                     "reply-third");
    ck_assert_ptr_null(hitop_experiment_name(HITOP_NEXPERIMENTS));
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, numbers_return_exactly);
    tcase_add_test(tc, goes_on_after_a_tear_at_any_byte);
    tcase_add_test(tc, drops_a_last_line_of_zeros_or_with_another_checksum);
    tcase_add_test(tc, refuses_every_changed_byte);
    tcase_add_test(tc, refuses_records_that_cannot_be);
    tcase_add_test(tc, refuses_deep_nesting);
    tcase_add_test(tc, names_what_differs_from_the_run_before);
    tcase_add_test(tc, takes_names_that_are_not_unicode);
    tcase_add_test(tc, refuses_headers_that_cannot_be);
    tcase_add_test(tc, leaves_other_files_alone);
    tcase_add_test(tc, has_one_writer);
    tcase_add_test(tc, refuses_what_cannot_be_written);
    tcase_add_test(tc, survives_a_full_disk);
    tcase_add_test(tc, says_when_there_is_no_such_file);
    tcase_add_test(tc, tells_where_a_batch_was_not_taken);
    tcase_add_test(tc, experiments_are_found_by_name);
}

TEST_MAIN("journal", add_tests)

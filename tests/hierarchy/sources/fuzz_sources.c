/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_sources.c - damaged files of other tools are refused with one line or give a sound
 * hierarchy.
 *
 * The files of testdata/sources, good and bad, are damaged at random and given to the sources that
 * read them; try_source.h says what must hold. HITOP_TEST_SEED and HITOP_TEST_RUNS change the run.
 */
#include <config.h>

#include "hitop/hosts.h"
#include "hitop/input.h"
#include "tests/hierarchy/sources/try_source.h"
#include "tests/support/damage.h"

#include <dirent.h>
#include <unistd.h>

enum { MAX_TEXT = 1 << 16, MAX_PLACES = 24, MAX_SOURCES = 64 };

/* A file to damage. */
struct seed {
    struct seed *next;
    char *text;
    size_t length;
    struct hitop_hosts hosts;
    struct hitop_place place[MAX_PLACES];
    struct try_source trial;
    char path[64];
};

/* What became of damaged files. */
struct record {
    struct seed *seeds, *next;
    long accepted, refused;
};

static char work[] = "/tmp/fuzz_sources.XXXXXX";

/* Pieces that mean something in one format or another. */
static const char *const pieces[] = {
    "=",        ",",          "[",
    "]",        "[1-9]",      "[1-999999999]",
    "[2-1]",    "[0",         "{",
    "}",        "\"",         "'",
    ":",        ": ",         "- ",
    "#",        "\\",         "\n",
    "\\\n",     "\n  ",       " ",
    "\t",       "\r\n",       "0",
    "1",        "-1",         "2",
    "x",        "&a ",        "*a",
    "!!",       "null",       "true",
    "()",       "4294967296", "\xff",
    "\x1b[",    ".",          "...",
    "|",        "n1",         "n2",
    "n3",       "n[1",        "x1000c0s0b0n0",
    "\xc3\xa9", "[]",         "{}",
    "\"id\": ", "\"n1\"",     "\"items\": ",
};

_Noreturn static void stop(const char *what, const char *why)
{
    printf("%s: %s\n", what, why);
    exit(EXIT_FAILURE);
}

/* Index of the source with an option of so many characters. */
static int find_source(const char *option, size_t length)
{
    const struct hitop_source *const *all = hitop_file_sources();

    for (int i = 0; all[i] && i < MAX_SOURCES; i++) {
        if (strlen(all[i]->option) == length && memcmp(all[i]->option, option, length) == 0) {
            return i;
        }
    }
    stop(option, "no source has this option");
}

/* Some of the hosts, from all parts of the list. */
static void choose_places(struct seed *s, const char *hosts)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int n;

    if (hitop_hosts_parse(hosts, &s->hosts, &diag) != HITOP_OK) {
        stop(hosts, diag.message);
    }
    n = s->hosts.nranks < MAX_PLACES ? s->hosts.nranks : MAX_PLACES;
    for (int i = 0; i < n; i++) {
        s->place[i] = (struct hitop_place)HITOP_PLACE_INIT(s->hosts.host[i * s->hosts.nranks / n]);
    }
    s->trial.place = s->place;
    s->trial.nplaces = n;
}

static void add_seed(struct record *record, int source, const char *path, const char *hosts)
{
    struct seed *s = calloc(1, sizeof(*s));
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const char *suffix = strrchr(path, '.');

    if (!s || hitop_input_read(path, &s->text, &s->length, &diag) != HITOP_OK) {
        stop(path, diag.message);
    }
    if (s->length > MAX_TEXT / 2) {
        stop(path, "too large for this test");
    }
    (void)snprintf(s->path, sizeof(s->path), "%s/f%.16s", work, suffix ? suffix : "");
    s->trial.source = hitop_file_sources()[source];
    s->trial.path = s->path;
    choose_places(s, hosts);
    s->next = record[source].seeds;
    record[source].seeds = s;
}

/* Every line of the table: golden file, option, file, hosts. */
static void add_good(struct record *record, const char *dir)
{
    char path[1200], line[1024], option[64], name[128], hosts[512];
    FILE *table;

    (void)snprintf(path, sizeof(path), "%s/cases", dir);
    table = fopen(path, "r");
    if (!table) {
        stop(path, "cannot open");
    }
    while (fgets(line, sizeof(line), table)) {
        if (line[0] != '#' && sscanf(line, "%*s %63s %127s %511s", option, name, hosts) == 3) {
            (void)snprintf(path, sizeof(path), "%s/%s", dir, name);
            add_seed(record, find_source(option, strlen(option)), path, hosts);
        }
    }
    (void)fclose(table);
}

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Every file that must be refused; its name begins with the option. */
static void add_bad(struct record *record, const char *dir)
{
    struct dirent **entry;
    char path[1200];
    int n;

    (void)snprintf(path, sizeof(path), "%s/bad", dir);
    n = scandir(path, &entry, is_shown, alphasort);
    if (n < 0) {
        stop(path, "cannot open");
    }
    for (int i = 0; i < n; i++) {
        const char *name = entry[i]->d_name;

        (void)snprintf(path, sizeof(path), "%s/bad/%.128s", dir, name);
        add_seed(record, find_source(name, strcspn(name, ".")), path, "n[1-8]");
        free(entry[i]);
    }
    free(entry);
}

/* Damage the next file of a source and have it read. */
static void run_once(struct record *r, uint64_t *state, long run)
{
    static char buffer[MAX_TEXT];
    struct seed *s = r->next ? r->next : r->seeds;
    struct damage_text text = {buffer, s->length, sizeof(buffer)};
    const char *wrong;

    r->next = s->next;
    memcpy(buffer, s->text, s->length);
    for (int n = 1 + draw(state, 4); n > 0; n--) {
        damage(state, &text, pieces, (int)(sizeof(pieces) / sizeof(pieces[0])));
    }
    wrong = try_source(&s->trial, text.text, text.length);
    r->accepted += s->trial.is_accepted;
    r->refused += !s->trial.is_accepted;
    if (wrong) {
        printf("run %ld, source %s: %s: %s\n%.*s\n", run, s->trial.source->name, wrong,
               s->trial.diag.message, (int)text.length, text.text);
        exit(EXIT_FAILURE);
    }
}

static void clear(struct record *r)
{
    for (struct seed *s = r->seeds, *next; s; s = next) {
        next = s->next;
        (void)unlink(s->path);
        hitop_hosts_clear(&s->hosts);
        free(s->text);
        free(s);
    }
}

int main(void)
{
    const struct hitop_source *const *all = hitop_file_sources();
    const char *srcdir = getenv("srcdir"), *wanted = getenv("HITOP_TEST_RUNS");
    const long runs = wanted ? strtol(wanted, NULL, 10) : 1000;
    static struct record record[MAX_SOURCES];
    uint64_t state = draw_seed();
    char dir[1024];

    (void)snprintf(dir, sizeof(dir), "%s/../testdata/sources", srcdir ? srcdir : ".");
    if (!mkdtemp(work)) {
        stop(work, "cannot be made");
    }
    add_good(record, dir);
    add_bad(record, dir);
    for (int i = 0; all[i]; i++) {
        struct record *r = &record[i];

        for (long run = 0; run < runs && r->seeds; run++) {
            run_once(r, &state, run);
        }
        printf("%s: %ld damaged files refused, %ld still good\n", all[i]->name, r->refused,
               r->accepted);
        /* damage that is always noticed, or never, tests nothing */
        if (r->accepted == 0 || r->refused == 0) {
            stop(all[i]->name, "some must be refused and some not; is a good file there?");
        }
        clear(r);
    }
    return rmdir(work) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

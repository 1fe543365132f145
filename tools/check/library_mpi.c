/* SPDX-License-Identifier: BSD-3-Clause */
/* library_mpi.c - load a library of collectives, on all ranks alike. */
#include <config.h>

#include "tools/check/library_mpi.h"

#include "hitop/text.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- the names of exported functions ---- */

/* What the dynamic section of a loaded library points to. */
struct symbols {
    const ElfW(Sym) * table;
    const char *names;
    const ElfW(Word) * hash; /* DT_HASH: its second word is the number of symbols */
    const uint32_t *gnu_hash;
};

/* Most dynamic linkers have turned offsets into addresses; some have not. */
static const void *address_of(const struct link_map *map, const ElfW(Dyn) * entry)
{
    const ElfW(Addr) p = entry->d_un.d_ptr;

    return (const void *)(p < map->l_addr ? map->l_addr + p : p);
}

static struct symbols find_symbols(const struct link_map *map)
{
    struct symbols s = {0};

    for (const ElfW(Dyn) *d = map->l_ld; d->d_tag != DT_NULL; d++) {
        switch (d->d_tag) {
        case DT_SYMTAB:
            s.table = address_of(map, d);
            break;
        case DT_STRTAB:
            s.names = address_of(map, d);
            break;
        case DT_HASH:
            s.hash = address_of(map, d);
            break;
        case DT_GNU_HASH:
            s.gnu_hash = address_of(map, d);
            break;
        default:
            break;
        }
    }
    return s;
}

/*
 * The number of symbols. DT_GNU_HASH does not have it: the last symbol ends the chain of the
 * highest bucket.
 */
static size_t count_symbols(const struct symbols *s)
{
    const uint32_t *g = s->gnu_hash;
    size_t last = 0;

    if (s->hash) {
        return s->hash[1];
    }
    if (g) {
        const uint32_t nbuckets = g[0], first = g[1], nwords = g[2];
        const uint32_t *buckets = g + 4 + nwords * (sizeof(ElfW(Addr)) / sizeof(*g));
        for (uint32_t i = 0; i < nbuckets; i++) {
            last = buckets[i] > last ? buckets[i] : last;
        }
        if (last < first) {
            return first;
        }
        while (!(buckets[nbuckets + last - first] & 1)) {
            last++;
        }
        last++;
    }
    return last;
}

static int is_function(const ElfW(Sym) * symbol)
{
    const int type = symbol->st_info & 0xf, binding = symbol->st_info >> 4;

    return symbol->st_shndx != SHN_UNDEF && (type == STT_FUNC || type == STT_GNU_IFUNC) &&
           (binding == STB_GLOBAL || binding == STB_WEAK);
}

/* Visit the names of all functions that the library itself exports, not those that it uses. */
static void each_function(void *handle, void (*visit)(void *data, const char *name), void *data)
{
    struct link_map *map = NULL;
    struct symbols s;
    size_t n;

    if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) {
        return;
    }
    s = find_symbols(map);
    n = s.table && s.names ? count_symbols(&s) : 0;
    for (size_t i = 1; i < n; i++) {
        if (is_function(&s.table[i])) {
            visit(data, s.names + s.table[i].st_name);
        }
    }
}

/* ---- the MPI library that it uses ---- */

enum { NAME = 64, MOST_MPIS = 4 };

struct loaded_mpis {
    char name[MOST_MPIS][NAME];
    int n;
};

static int add_loaded(struct dl_phdr_info *info, size_t size, void *data)
{
    struct loaded_mpis *mpis = data;
    const char *slash = strrchr(info->dlpi_name, '/'), *name = slash ? slash + 1 : info->dlpi_name;

    (void)size;
    if (mpis->n < MOST_MPIS &&
        (strncmp(name, "libmpi.so", 9) == 0 || strncmp(name, "libmpich.so", 11) == 0)) {
        (void)snprintf(mpis->name[mpis->n++], NAME, "%s", name);
    }
    return 0;
}

/* MPI libraries in this process, by the names of their files; those loaded first come first. */
static struct loaded_mpis find_mpis(void)
{
    struct loaded_mpis mpis = {.n = 0};

    (void)dl_iterate_phdr(add_loaded, &mpis);
    return mpis;
}

/* The MPI implementation by the name of its library, as in hitop-run. */
static const char *family_of(const char *mpi)
{
    return strncmp(mpi, "libmpich.so", 11) == 0 || strncmp(mpi, "libmpi.so.12", 12) == 0
               ? "MPICH"
               : "Open MPI";
}

/* ---- one rank ---- */

/* Exported functions: the forms of their names, and the first ones for a message. */
struct survey {
    struct library_forms forms;
    char first[128];
    int n;
};

static void add_to_survey(void *data, const char *name)
{
    struct survey *s = data;

    library_forms_add(&s->forms, name);
    if (s->n++ < 4) {
        hitop_text_list_name(s->first, sizeof(s->first), name);
    }
}

static enum hitop_status choose_form(const struct library_request *request,
                                     const struct survey *survey, struct library_form *out,
                                     struct hitop_diag *diag)
{
    struct library_forms forms;
    char list[320];

    if (request->prefix || request->suffix) {
        (void)snprintf(out->prefix, sizeof(out->prefix), "%s",
                       request->prefix ? request->prefix : "");
        (void)snprintf(out->suffix, sizeof(out->suffix), "%s",
                       request->suffix ? request->suffix : "");
        return HITOP_OK;
    }
    if (survey->forms.n == 0) {
        return hitop_fail(diag, HITOP_ERR_FORMAT,
                          "%.160s: no function has the name of a collective, such as my_Bcast or "
                          "MPI_Bcast_fast%s; exported: %s%s",
                          request->file,
                          survey->forms.nother > 0
                              ? "; those of Fortran (my_bcast_, my_Bcast_f) or with large counts "
                                "(my_Bcast_c) have other arguments"
                              : "",
                          survey->n > 0 ? survey->first : "no function",
                          survey->n > 4 ? ", ..." : "");
    }
    library_forms_list(&survey->forms, list, sizeof(list));
    forms = survey->forms;
    library_forms_drop_small(&forms);
    if (forms.n == 0) {
        return hitop_fail(diag, HITOP_ERR_FORMAT,
                          "%.120s: names in small letters alone may be those of Fortran, whose "
                          "arguments differ; functions of C with such names need --prefix or "
                          "--suffix: %s",
                          request->file, list);
    }
    if (forms.n > 1) {
        library_forms_list(&forms, list, sizeof(list));
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "%.120s: several forms of names, choose by --prefix or --suffix: %s",
                          request->file, list);
    }
    *out = forms.form[0];
    out->operations = 0;
    return HITOP_OK;
}

static void store(struct coll_functions *functions, enum hitop_operation_id operation,
                  void *address)
{
#define STORE(Name, name, OPERATION, ...)                                                          \
    case HITOP_##OPERATION:                                                                        \
        *(void **)&functions->name = address;                                                      \
        break;

    switch (operation) {
        COLLECTIVES(STORE)
    case HITOP_NOPERATIONS:
        break;
    }
#undef STORE
}

/* Store a function if it has the name of an operation; my_Bcast counts more than my_bcast. */
static void take_function(void *data, const char *name)
{
    struct library *l = data;
    char wanted[LIBRARY_NAME];

    for (int i = 0; i < 2 * HITOP_NOPERATIONS; i++) {
        const enum hitop_operation_id operation = (enum hitop_operation_id)(i / 2);
        const unsigned bit = 1u << operation;
        const int is_small = i % 2;
        library_form_name(&l->form, operation, is_small, wanted);
        if (strcmp(name, wanted) != 0 ||
            (is_small && l->form.operations & bit && !(l->small & bit))) {
            continue;
        }
        l->form.operations |= bit;
        l->small = is_small ? l->small | bit : l->small & ~bit;
        store(&l->functions, operation, dlsym(l->handle, name));
    }
}

static enum hitop_status load(const char *file, void **handle, struct hitop_diag *diag)
{
    const struct loaded_mpis before = find_mpis();
    struct loaded_mpis after;
    char here[PATH_MAX];

    (void)snprintf(here, sizeof(here), "./%s", file);
    *handle =
        dlopen(!strchr(file, '/') && access(here, F_OK) == 0 ? here : file, RTLD_NOW | RTLD_LOCAL);
    if (!*handle) {
        return hitop_fail(diag, HITOP_ERR_FORMAT, "%.400s", dlerror());
    }
    after = find_mpis();
    if (before.n > 0 && after.n > before.n) {
        const char *ours = before.name[0], *other = after.name[before.n];
        return hitop_fail(diag, HITOP_ERR_FORMAT,
                          "%.200s is built for %s (%s), but this program uses %s (%s)", file, other,
                          family_of(other), ours, family_of(ours));
    }
    return HITOP_OK;
}

static enum hitop_status open_here(const struct library_request *request, struct library *out,
                                   struct hitop_diag *diag)
{
    struct survey survey = {.n = 0};
    char list[320], example[LIBRARY_NAME];
    enum hitop_status status = load(request->file, &out->handle, diag);

    if (status != HITOP_OK) {
        return status;
    }
    each_function(out->handle, add_to_survey, &survey);
    status = choose_form(request, &survey, &out->form, diag);
    if (status != HITOP_OK) {
        return status;
    }
    each_function(out->handle, take_function, out);
    if (out->form.operations == 0) {
        library_form_name(&out->form, HITOP_BCAST, 0, example);
        library_forms_list(&survey.forms, list, sizeof(list));
        return hitop_fail(diag, HITOP_ERR_FORMAT,
                          "%.120s: no function has such a name as %s; names of this library: %s",
                          request->file, example, list[0] ? list : survey.first);
    }
    return HITOP_OK;
}

/* ---- all ranks ---- */

int library_request_check(const struct tool *tool, const struct library_request *r)
{
    const char *const affixes[] = {r->prefix, r->suffix};

    for (int i = 0; i < 2; i++) {
        const char *option = i == 0 ? "prefix" : "suffix";
        if (affixes[i] && !r->file) {
            tool_error(tool, "--%s needs --library", option);
            return TOOL_USAGE;
        }
        if (affixes[i] && strlen(affixes[i]) >= LIBRARY_AFFIX) {
            tool_error(tool, "--%s: '%.40s...' has more than %d characters", option, affixes[i],
                       LIBRARY_AFFIX - 1);
            return TOOL_USAGE;
        }
    }
    return TOOL_DONE;
}

/* The status of the first rank that failed, and its message; HITOP_OK: none failed. Collective. */
static enum hitop_status agree(enum hitop_status status, struct hitop_diag *diag, int *failed)
{
    int rank = 0, mine, common = (int)status;

    (void)PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mine = status == HITOP_OK ? INT_MAX : rank;
    (void)PMPI_Allreduce(&mine, failed, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (*failed == INT_MAX) {
        return HITOP_OK;
    }
    (void)PMPI_Bcast(&common, 1, MPI_INT, *failed, MPI_COMM_WORLD);
    (void)PMPI_Bcast(diag->message, sizeof(diag->message), MPI_CHAR, *failed, MPI_COMM_WORLD);
    return (enum hitop_status)common;
}

/* Compare the functions of this rank with those of rank 0. Collective. */
static enum hitop_status compare(const char *file, const struct library_form *form,
                                 struct hitop_diag *diag)
{
    struct library_form first = *form;

    (void)PMPI_Bcast(&first, (int)sizeof(first), MPI_BYTE, 0, MPI_COMM_WORLD);
    if (strcmp(first.prefix, form->prefix) != 0 || strcmp(first.suffix, form->suffix) != 0) {
        return hitop_fail(diag, HITOP_ERR_FORMAT,
                          "%.120s has functions named %s*%s here, but %s*%s on rank 0", file,
                          form->prefix, form->suffix, first.prefix, first.suffix);
    }
    return first.operations == form->operations
               ? HITOP_OK
               : hitop_fail(diag, HITOP_ERR_FORMAT,
                            "%.200s has other functions here than on rank 0", file);
}

int library_open(const struct tool *tool, const struct library_request *request,
                 struct library *out)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int failed = 0;
    enum hitop_status status;

    *out = (struct library){.handle = NULL};
    status = agree(open_here(request, out, &diag), &diag, &failed);
    if (status == HITOP_OK) {
        status = agree(compare(request->file, &out->form, &diag), &diag, &failed);
    }
    if (status == HITOP_OK) {
        return TOOL_DONE;
    }
    if (out->handle) {
        (void)dlclose(out->handle);
    }
    *out = (struct library){.handle = NULL};
    if (failed > 0) {
        tool_error(tool, "--library on rank %d: %s", failed, diag.message);
    } else {
        tool_error(tool, "--library: %s", diag.message);
    }
    return status == HITOP_ERR_INVALID ? TOOL_USAGE : TOOL_BAD_INPUT;
}

void library_function_name(const struct library *library, enum hitop_operation_id operation,
                           char out[LIBRARY_NAME])
{
    library_form_name(&library->form, operation, (library->small >> operation & 1u) != 0, out);
}

int library_lacks(const struct library *library, unsigned operations, char *out, size_t length)
{
    int n = 0;

    out[0] = '\0';
    for (int i = 0; i < HITOP_NOPERATIONS; i++) {
        if (operations & ~library->form.operations & 1u << i) {
            hitop_text_list_name(out, length, hitop_operations()[i].name);
            n++;
        }
    }
    return n;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fail_memory.c - to preload: one chosen allocation or mapping of libhitop_coll.so fails.
 *
 * Calls count that come from that library, and from libjansson on its behalf; those of MPI and of
 * the program do not.
 */
#include <config.h>

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/coll/intercept/fail_memory.h"

/* What glibc offers under these names whatever is preloaded. */
extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t n, size_t bytes);
extern void *__libc_realloc(void *memory, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t bytes);

enum { MOST = 2 };

static struct {
    uintptr_t begin, end;
} libraries[MOST];
static int nlibraries;
static long fails_at, seen; /* 0: no call fails */

static int note_library(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    (void)data;
    if (nlibraries == MOST ||
        (!strstr(info->dlpi_name, "libhitop_coll") && !strstr(info->dlpi_name, "libjansson"))) {
        return 0;
    }
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];

        if (p->p_type == PT_LOAD && (p->p_flags & PF_X)) {
            libraries[nlibraries].begin = info->dlpi_addr + p->p_vaddr;
            libraries[nlibraries++].end = info->dlpi_addr + p->p_vaddr + p->p_memsz;
            break;
        }
    }
    return 0;
}

void fail_memory_arm(long at)
{
    if (nlibraries == 0) {
        (void)dl_iterate_phdr(note_library, NULL);
    }
    seen = 0;
    fails_at = at;
}

long fail_memory_disarm(void)
{
    fails_at = 0;
    return seen;
}

static int fails(void *caller)
{
    const uintptr_t at = (uintptr_t)caller;
    int is_ours = 0;

    for (int i = 0; fails_at > 0 && i < nlibraries; i++) {
        is_ours |= at >= libraries[i].begin && at < libraries[i].end;
    }
    return is_ours && ++seen == fails_at;
}

#define FAILS() fails(__builtin_return_address(0))

/* The function of that name behind this library. */
#define FIND_NEXT(name, next)                                                                      \
    if (!(next)) {                                                                                 \
        *(void **)&(next) = dlsym(RTLD_NEXT, name);                                                \
    }

#pragma GCC visibility push(default)

static void *no_memory(void)
{
    errno = ENOMEM;
    return NULL;
}

void *malloc(size_t bytes)
{
    return FAILS() ? no_memory() : __libc_malloc(bytes);
}

void *calloc(size_t n, size_t bytes)
{
    return FAILS() ? no_memory() : __libc_calloc(n, bytes);
}

void *realloc(void *memory, size_t bytes)
{
    return FAILS() ? no_memory() : __libc_realloc(memory, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    return FAILS() ? no_memory() : __libc_memalign(alignment, bytes);
}

char *strdup(const char *text)
{
    const size_t bytes = strlen(text) + 1;
    char *copy = FAILS() ? no_memory() : __libc_malloc(bytes);

    return copy ? memcpy(copy, text, bytes) : NULL;
}

int asprintf(char **out, const char *format, ...)
{
    va_list values;
    int n = -1;

    if (FAILS()) {
        errno = ENOMEM;
        return -1;
    }
    va_start(values, format);
    n = vasprintf(out, format, values);
    va_end(values);
    return n;
}

FILE *open_memstream(char **text, size_t *length)
{
    static FILE *(*next)(char **, size_t *);

    FIND_NEXT("open_memstream", next)
    return FAILS() ? no_memory() : next(text, length);
}

void *mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset)
{
    static void *(*next)(void *, size_t, int, int, int, off_t);

    FIND_NEXT("mmap", next)
    if (FAILS()) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return next(at, bytes, protection, flags, fd, offset);
}

int ftruncate(int fd, off_t bytes)
{
    static int (*next)(int, off_t);

    FIND_NEXT("ftruncate", next)
    if (FAILS()) {
        errno = ENOSPC;
        return -1;
    }
    return next(fd, bytes);
}

int posix_fallocate(int fd, off_t offset, off_t bytes)
{
    static int (*next)(int, off_t, off_t);

    FIND_NEXT("posix_fallocate", next)
    return FAILS() ? ENOSPC : next(fd, offset, bytes);
}

#pragma GCC visibility pop

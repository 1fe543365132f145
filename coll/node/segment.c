/* SPDX-License-Identifier: BSD-3-Clause */
/* segment.c - shared memory in /dev/shm, without a name or with one that lives shortly. */
#include <config.h>

#include "segment.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

static const char in_proc[] = "/proc/";

static enum hitop_status map(int fd, size_t bytes, struct hitop_segment *out,
                             struct hitop_diag *diag)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

    if (memory == MAP_FAILED) {
        return hitop_fail(diag, HITOP_ERR_IO, "cannot map %zu bytes of shared memory: %s", bytes,
                          strerror(errno));
    }
    *out = (struct hitop_segment){.memory = memory, .bytes = bytes};
    return HITOP_OK;
}

/* The place tells which file it must be: elsewhere the same path may lead to another one. */
static int create_nameless(char place[HITOP_SEGMENT_PLACE], struct hitop_diag *diag)
{
    const int fd = open("/dev/shm", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    struct stat file;

    if (fd < 0 || fstat(fd, &file) != 0) {
        (void)hitop_fail(diag, HITOP_ERR_IO, "cannot create a file in /dev/shm: %s",
                         strerror(errno));
        if (fd >= 0) {
            (void)close(fd);
        }
        return -1;
    }
    (void)snprintf(place, HITOP_SEGMENT_PLACE, "%s%ld/fd/%d:%" PRIxMAX ":%" PRIxMAX, in_proc,
                   (long)getpid(), fd, (uintmax_t)file.st_dev, (uintmax_t)file.st_ino);
    return fd;
}

static int create_named(char place[HITOP_SEGMENT_PLACE], struct hitop_diag *diag)
{
    uint64_t random = 0;
    int fd;

    if (getrandom(&random, sizeof(random), 0) != (ssize_t)sizeof(random)) {
        (void)hitop_fail(diag, HITOP_ERR_IO, "no random numbers: %s", strerror(errno));
        return -1;
    }
    (void)snprintf(place, HITOP_SEGMENT_PLACE, "/hitop-%016" PRIx64, random);
    fd = shm_open(place, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (fd < 0) {
        (void)hitop_fail(diag, HITOP_ERR_IO, "cannot create shared memory %s: %s", place,
                         strerror(errno));
        place[0] = '\0';
    }
    return fd;
}

enum hitop_status hitop_segment_create(enum hitop_segment_kind kind, size_t bytes,
                                       char place[HITOP_SEGMENT_PLACE], struct hitop_segment *out,
                                       struct hitop_diag *diag)
{
    enum hitop_status status;
    int fd, error;

    *out = (struct hitop_segment){0};
    place[0] = '\0';
    fd = kind == HITOP_SEGMENT_NAMED ? create_named(place, diag) : create_nameless(place, diag);
    if (fd < 0) {
        return HITOP_ERR_IO;
    }
    do { /* a timer of the program may interrupt it */
        error = posix_fallocate(fd, 0, (off_t)bytes);
    } while (error == EINTR);
    if (error) {
        status = hitop_fail(diag, HITOP_ERR_IO, "cannot reserve %zu bytes in /dev/shm: %s", bytes,
                            strerror(error));
    } else {
        status = map(fd, bytes, out, diag);
    }
    out->door = fd + 1;
    if (status != HITOP_OK) {
        hitop_segment_close(out, place);
        place[0] = '\0';
    }
    return status;
}

/* Open the file of a nameless segment; -1 with errno when it is not that file. */
static int open_nameless(const char *place)
{
    char path[HITOP_SEGMENT_PLACE];
    uintmax_t device, inode;
    struct stat file;
    const char *colon = strchr(place, ':');
    int fd;

    if (!colon || sscanf(colon, ":%" SCNxMAX ":%" SCNxMAX, &device, &inode) != 2) {
        errno = EINVAL;
        return -1;
    }
    (void)snprintf(path, sizeof(path), "%.*s", (int)(colon - place), place);
    /* looked at before it is opened: opening may do something to a file that is not ours */
    if (stat(path, &file) != 0) {
        return -1;
    }
    if (!S_ISREG(file.st_mode) || file.st_dev != device || file.st_ino != inode) {
        errno = ENOENT;
        return -1;
    }
    fd = open(path, O_RDWR | O_CLOEXEC);
    return fd;
}

enum hitop_status hitop_segment_attach(const char *place, size_t bytes, struct hitop_segment *out,
                                       struct hitop_diag *diag)
{
    const int fd = strncmp(place, in_proc, strlen(in_proc)) == 0 ? open_nameless(place)
                                                                 : shm_open(place, O_RDWR, 0);
    enum hitop_status status;

    *out = (struct hitop_segment){0};
    if (fd < 0) {
        return hitop_fail(diag, HITOP_ERR_IO, "cannot open shared memory %s: %s", place,
                          strerror(errno));
    }
    status = map(fd, bytes, out, diag);
    (void)close(fd);
    return status;
}

void hitop_segment_close(struct hitop_segment *segment, const char *place)
{
    if (segment->door > 0) {
        (void)close(segment->door - 1);
        segment->door = 0;
        if (strncmp(place, in_proc, strlen(in_proc)) != 0) {
            (void)shm_unlink(place);
        }
    }
}

void hitop_segment_unmap(struct hitop_segment *segment)
{
    if (segment->memory) {
        (void)munmap(segment->memory, segment->bytes);
    }
    *segment = (struct hitop_segment){0};
}

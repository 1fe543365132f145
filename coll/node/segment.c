/* SPDX-License-Identifier: BSD-3-Clause */
/* segment.c - shared memory in /dev/shm, without a name or with one for a short time. */
#include <config.h>

#include "coll/node/segment.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static const char in_proc[] = "/proc/", in_shm[] = "/dev/shm";

/*
 * Move a descriptor off the numbers of the standard streams: where a program has closed these, its
 * other parts may still write to them, and must not write to the segment.
 */
static int keep_from_streams(int fd)
{
    int other;

    if (fd < 0 || fd > STDERR_FILENO) {
        return fd;
    }
    other = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    (void)close(fd);
    return other;
}

/* Map the file `fd`; closes it on failure. */
static enum hitop_status map(int fd, struct hitop_segment *out, struct hitop_diag *diag)
{
    struct stat file = {0};
    void *memory = MAP_FAILED;

    if (fstat(fd, &file) == 0) {
        memory = mmap(NULL, (size_t)file.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    }
    if (memory == MAP_FAILED) {
        const int error = errno;
        (void)close(fd);
        return hitop_fail(diag, HITOP_ERR_IO, "cannot map %jd bytes of shared memory: %s",
                          (intmax_t)file.st_size, strerror(error));
    }
    *out = (struct hitop_segment){.memory = memory,
                                  .bytes = (size_t)file.st_size,
                                  .fd = fd,
                                  .device = file.st_dev,
                                  .inode = file.st_ino};
    return HITOP_OK;
}

/* Make a random name; 0 if there are no random numbers. */
static int make_name(char name[HITOP_SEGMENT_PLACE])
{
    uint64_t random = 0;

    if (getrandom(&random, sizeof(random), 0) != (ssize_t)sizeof(random)) {
        return 0;
    }
    (void)snprintf(name, HITOP_SEGMENT_PLACE, "/hitop-%016" PRIx64, random);
    return 1;
}

/* Where /dev/shm does not support O_TMPFILE, the file gets a name that is removed at once. */
static int create_file(void)
{
    char name[HITOP_SEGMENT_PLACE];
    int fd = open(in_shm, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

    if (fd < 0 && make_name(name)) {
        fd = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
        if (fd >= 0) {
            (void)shm_unlink(name);
        }
    }
    return keep_from_streams(fd);
}

/* May a file have this length? Exceeding the limit raises SIGXFSZ, which ends the program. */
static int is_allowed(size_t bytes)
{
    struct rlimit limit;

    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || bytes <= limit.rlim_cur;
}

enum hitop_status hitop_segment_create(size_t bytes, struct hitop_segment *out,
                                       struct hitop_diag *diag)
{
    int fd;

    *out = (struct hitop_segment){0};
    if (!is_allowed(bytes)) {
        return hitop_fail(diag, HITOP_ERR_IO,
                          "%zu bytes of shared memory are more than a file may have (ulimit -f)",
                          bytes);
    }
    fd = create_file();
    if (fd < 0) {
        return hitop_fail(diag, HITOP_ERR_IO, "cannot create a file in /dev/shm: %s",
                          strerror(errno));
    }
    if (ftruncate(fd, (off_t)bytes) != 0) {
        const int error = errno;
        (void)close(fd);
        return hitop_fail(diag, HITOP_ERR_IO, "cannot make %zu bytes of shared memory: %s", bytes,
                          strerror(error));
    }
    return map(fd, out, diag);
}

/* Is the descriptor still the same file? */
static int is_open(const struct hitop_segment *segment)
{
    struct stat file;

    return segment->memory && fstat(segment->fd, &file) == 0 && file.st_dev == segment->device &&
           file.st_ino == segment->inode;
}

/*
 * Is `bytes` less than half of the free space? The program needs /dev/shm too and fails when it is
 * full, so the library never takes more than half of the rest.
 */
static int keeps_half_free(int fd, size_t bytes)
{
    struct statvfs file_system;

    return fstatvfs(fd, &file_system) != 0 || file_system.f_blocks == 0 || /* no limit */
           bytes / file_system.f_frsize < file_system.f_bavail / 2;
}

enum hitop_status hitop_segment_reserve(const struct hitop_segment *segment, size_t offset,
                                        size_t bytes, struct hitop_diag *diag)
{
    int error;

    if (!is_open(segment)) {
        return hitop_fail(diag, HITOP_ERR_IO, "the program closed the file of the shared memory");
    }
    if (!keeps_half_free(segment->fd, bytes)) {
        return hitop_fail(diag, HITOP_ERR_IO,
                          "%zu bytes are more than half of what is free in /dev/shm", bytes);
    }
    do { /* a timer of the program may interrupt the call */
        error = posix_fallocate(segment->fd, (off_t)offset, (off_t)bytes);
    } while (error == EINTR);
    return error ? hitop_fail(diag, HITOP_ERR_IO, "cannot reserve %zu bytes in /dev/shm: %s", bytes,
                              strerror(error))
                 : HITOP_OK;
}

enum hitop_status hitop_segment_show(const struct hitop_segment *segment,
                                     enum hitop_segment_kind kind, char place[HITOP_SEGMENT_PLACE],
                                     struct hitop_diag *diag)
{
    char own[32], path[HITOP_SEGMENT_PLACE + sizeof(in_shm)];

    place[0] = '\0';
    if (!is_open(segment)) {
        return hitop_fail(diag, HITOP_ERR_IO, "the program closed the file of the shared memory");
    }
    if (kind == HITOP_SEGMENT_NAMELESS) {
        /* the place identifies the file: for another process the same path may be another file */
        (void)snprintf(place, HITOP_SEGMENT_PLACE, "%s%ld/fd/%d:%" PRIxMAX ":%" PRIxMAX, in_proc,
                       (long)getpid(), segment->fd, (uintmax_t)segment->device,
                       (uintmax_t)segment->inode);
        return HITOP_OK;
    }
    (void)snprintf(own, sizeof(own), "/proc/self/fd/%d", segment->fd);
    if (!make_name(place)) {
        return hitop_fail(diag, HITOP_ERR_IO, "no random numbers: %s", strerror(errno));
    }
    (void)snprintf(path, sizeof(path), "%s%s", in_shm, place);
    if (linkat(AT_FDCWD, own, AT_FDCWD, path, AT_SYMLINK_FOLLOW) != 0) {
        place[0] = '\0';
        return hitop_fail(diag, HITOP_ERR_IO, "cannot name a file in /dev/shm: %s",
                          strerror(errno));
    }
    return HITOP_OK;
}

void hitop_segment_hide(const char *place)
{
    if (place[0] && strncmp(place, in_proc, strlen(in_proc)) != 0) {
        (void)shm_unlink(place);
    }
}

/* Open the file of a nameless segment; -1 with errno if it is not that file. */
static int open_nameless(const char *place)
{
    char path[HITOP_SEGMENT_PLACE];
    uintmax_t device, inode;
    struct stat file;
    const char *colon = strchr(place, ':');

    if (!colon || sscanf(colon, ":%" SCNxMAX ":%" SCNxMAX, &device, &inode) != 2) {
        errno = EINVAL;
        return -1;
    }
    (void)snprintf(path, sizeof(path), "%.*s", (int)(colon - place), place);
    /* checked before it is opened: opening a device or a FIFO can have side effects */
    if (stat(path, &file) != 0) {
        return -1;
    }
    if (!S_ISREG(file.st_mode) || file.st_dev != device || file.st_ino != inode) {
        errno = ENOENT;
        return -1;
    }
    return open(path, O_RDWR | O_CLOEXEC);
}

enum hitop_status hitop_segment_attach(const char *place, struct hitop_segment *out,
                                       struct hitop_diag *diag)
{
    const int fd = keep_from_streams(strncmp(place, in_proc, strlen(in_proc)) == 0
                                         ? open_nameless(place)
                                         : shm_open(place, O_RDWR, 0));

    *out = (struct hitop_segment){0};
    if (fd < 0) {
        return hitop_fail(diag, HITOP_ERR_IO, "cannot open shared memory %s: %s", place,
                          strerror(errno));
    }
    return map(fd, out, diag);
}

void hitop_segment_release(struct hitop_segment *segment)
{
    if (segment->memory) {
        (void)munmap(segment->memory, segment->bytes);
        if (is_open(segment)) {
            (void)close(segment->fd);
        }
    }
    *segment = (struct hitop_segment){0};
}

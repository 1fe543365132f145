/* SPDX-License-Identifier: BSD-3-Clause */
/* segment.c - POSIX shared memory with a random name and a short life in the name space. */
#include <config.h>

#include "segment.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

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

enum hitop_status hitop_segment_create(size_t bytes, char name[HITOP_SEGMENT_NAME],
                                       struct hitop_segment *out, struct hitop_diag *diag)
{
    enum hitop_status status;
    uint64_t random = 0;
    int fd, error;

    *out = (struct hitop_segment){0};
    if (getrandom(&random, sizeof(random), 0) != (ssize_t)sizeof(random)) {
        return hitop_fail(diag, HITOP_ERR_IO, "no random numbers: %s", strerror(errno));
    }
    (void)snprintf(name, HITOP_SEGMENT_NAME, "/hitop-%016" PRIx64, random);
    fd = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (fd < 0) {
        return hitop_fail(diag, HITOP_ERR_IO, "cannot create shared memory %s: %s", name,
                          strerror(errno));
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
    (void)close(fd);
    if (status != HITOP_OK) {
        hitop_segment_unlink(name);
    }
    return status;
}

enum hitop_status hitop_segment_attach(const char *name, size_t bytes, struct hitop_segment *out,
                                       struct hitop_diag *diag)
{
    const int fd = shm_open(name, O_RDWR, 0);
    enum hitop_status status;

    *out = (struct hitop_segment){0};
    if (fd < 0) {
        return hitop_fail(diag, HITOP_ERR_IO, "cannot open shared memory %s: %s", name,
                          strerror(errno));
    }
    status = map(fd, bytes, out, diag);
    (void)close(fd);
    return status;
}

void hitop_segment_unlink(const char *name)
{
    (void)shm_unlink(name);
}

void hitop_segment_unmap(struct hitop_segment *segment)
{
    if (segment->memory) {
        (void)munmap(segment->memory, segment->bytes);
    }
    *segment = (struct hitop_segment){0};
}

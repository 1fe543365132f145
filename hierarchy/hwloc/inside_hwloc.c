/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * inside_hwloc.c - read the topology of a host from a file or a description.
 *
 * A file is XML of hwloc 1 or 2 from "lstopo --of xml", also in a cgroup or with --restrict. It may
 * have parts without processors, nested groups, and memory at any part. A description is synthetic,
 * as "lstopo --input" accepts it.
 *
 * References: hwloc 2.9, doc/synthetic.doxy, include/hwloc.h, tests/hwloc/{xml,linux}.
 */
#include <config.h>

#include "hierarchy/hwloc/hardware.h"
#include "hierarchy/hwloc/inside.h"
#include "hierarchy/hwloc/levels_hwloc.h"
#include "hierarchy/job/binding.h"
#include "hitop/input.h"

#include <hwloc.h>

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    MOST_PROCESSORS = 4096, /* hwloc takes seconds for more */
    MOST_SECONDS = 60,
    HARDWARE_LENGTH = 512
};

static int is_file(const char *spec)
{
    const size_t length = strlen(spec);
    struct stat about;

    return strchr(spec, '/') || (length > 4 && strcmp(spec + length - 4, ".xml") == 0) ||
           stat(spec, &about) == 0;
}

/*
 * The number of processors of a description such as "core:8 pu:2": the product of all numbers. -1
 * if it is wrong; MOST_PROCESSORS + 1 if it is larger.
 */
static long count_processors(const char *words)
{
    long n = 1;
    int depth = 0; /* of brackets, which contain attributes and memory */

    for (const char *p = words; *p; p++) {
        const char before = p == words ? ' ' : p[-1];
        char *end = NULL;
        unsigned long number;

        depth += (*p == '(' || *p == '[') - (*p == ')' || *p == ']');
        if (depth > 0 || (*p != ':' && (isalnum((unsigned char)before) || *p < '0' || *p > '9'))) {
            continue;
        }
        p += *p == ':';
        if (*p < '0' || *p > '9') {
            return -1;
        }
        number = strtoul(p, &end, 0);
        if (number < 1 || number > MOST_PROCESSORS || n * (long)number > MOST_PROCESSORS) {
            return number < 1 ? -1 : MOST_PROCESSORS + 1;
        }
        n *= (long)number;
        p = end - 1;
    }
    return n;
}

static enum hitop_status load_words(hwloc_topology_t topology, const char *words,
                                    struct hitop_diag *diag)
{
    const long n = count_processors(words);

    if (n > MOST_PROCESSORS) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "'%.200s' has more than %d processors", words,
                          MOST_PROCESSORS);
    }
    if (n < 1 || hwloc_topology_set_synthetic(topology, words) != 0 ||
        hwloc_topology_load(topology) != 0) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "'%.200s' is neither a file nor a description such as "
                          "'package:2 l3:4 core:8 pu:1'",
                          words);
    }
    return HITOP_OK;
}

/* 1 if every processor of the host has a PU object. */
static int is_complete(hwloc_topology_t topology)
{
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    int is_good = set != NULL;

    for (hwloc_obj_t o = NULL;
         is_good && (o = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, o));) {
        is_good = o->cpuset && hwloc_bitmap_or(set, set, o->cpuset) == 0;
    }
    is_good = is_good && hwloc_bitmap_isequal(set, hwloc_get_root_obj(topology)->cpuset);
    hwloc_bitmap_free(set);
    return is_good;
}

/*
 * 0 for contradictions that hwloc accepts: objects that have processors outside of their parent, or
 * overlap. Objects without processors are correct: memory of GPUs and CXL, and packages that a
 * cgroup or "lstopo --restrict" excludes.
 */
static int is_sound(hwloc_topology_t topology)
{
    for (int depth = 0; depth < hwloc_topology_get_depth(topology); depth++) {
        for (hwloc_obj_t o = hwloc_get_obj_by_depth(topology, depth, 0); o; o = o->next_cousin) {
            if (!o->cpuset ||
                (o->parent && !hwloc_bitmap_isincluded(o->cpuset, o->parent->cpuset)) ||
                (o->prev_cousin && hwloc_bitmap_intersects(o->cpuset, o->prev_cousin->cpuset))) {
                return 0;
            }
        }
    }
    return is_complete(topology);
}

static int is_loaded(hwloc_topology_t topology, const char *text, size_t length)
{
    return length < INT_MAX && hwloc_topology_set_xmlbuffer(topology, text, (int)length + 1) == 0 &&
           hwloc_topology_load(topology) == 0;
}

/* Read to the end of a pipe; 1 if there was any output. */
static int says_something(int from)
{
    char text[256];
    int has_said = 0;

    for (;;) {
        const ssize_t n = read(from, text, sizeof(text));
        if (n == 0 || (n < 0 && errno != EINTR)) {
            return has_said;
        }
        has_said |= n > 0;
    }
}

/*
 * hwloc 2.9 crashes on some damaged files, for example without a complete_cpuset, and prints many
 * lines about others. Therefore a child process loads the file first. Returns 1 if the child exits
 * with 0 and prints nothing.
 */
static int is_harmless(hwloc_topology_t topology, const char *text, size_t length)
{
    int pipe_end[2], how = 0, has_said;
    pid_t child;

    if (pipe(pipe_end) != 0) {
        return 0;
    }
    child = fork();
    if (child == 0) {
        (void)alarm(MOST_SECONDS);
        _exit(dup2(pipe_end[1], STDERR_FILENO) < 0 || !is_loaded(topology, text, length));
    }
    (void)close(pipe_end[1]);
    has_said = says_something(pipe_end[0]);
    (void)close(pipe_end[0]);
    while (child > 0 && waitpid(child, &how, 0) < 0) {
        if (errno != EINTR) {
            return 0;
        }
    }
    return child > 0 && !has_said && WIFEXITED(how) && WEXITSTATUS(how) == 0;
}

/* The major version of hwloc that wrote the file if it is newer than this one; else 0. */
static long find_newer(const char *text)
{
    static const char tag[] = "<topology version=\"";
    const char *at = strstr(text, tag);
    const long version = at ? strtol(at + strlen(tag), NULL, 10) : 0;

    return version > (long)(hwloc_get_api_version() >> 16) ? version : 0;
}

static enum hitop_status load_file(hwloc_topology_t topology, const char *path,
                                   struct hitop_diag *diag)
{
    char *text = NULL;
    size_t length = 0;
    enum hitop_status status = hitop_input_read(path, &text, &length, diag);

    if (status != HITOP_OK) {
        return status;
    }
    if (find_newer(text) > 0) {
        status = hitop_fail(diag, HITOP_ERR_FORMAT,
                            "%s: written by hwloc %ld, of which hwloc %u reads no XML", path,
                            find_newer(text), hwloc_get_api_version() >> 16);
    } else if (!is_harmless(topology, text, length) || !is_loaded(topology, text, length)) {
        status = hitop_fail(diag, HITOP_ERR_FORMAT,
                            "%s: no topology in XML that hwloc reads; lstopo --of xml writes one, "
                            "of the same version or an older one",
                            path);
    } else if (!is_sound(topology)) {
        status = hitop_fail(diag, HITOP_ERR_FORMAT,
                            "%s: the cpusets of its objects contradict each other", path);
    }
    free(text);
    return status;
}

/*
 * List the places of all cores (or of all packages); *n is their number. NULL when out of memory.
 */
static struct hitop_place *place_all(hwloc_topology_t topology, const struct host_levels *levels,
                                     int is_core, struct storage *storage, int *n)
{
    const int most = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PACKAGE) +
                     hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE) +
                     hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU);
    struct hitop_place *place;
    hwloc_obj_t o = NULL;

    *n = 0;
    (void)STORAGE_ARRAY(storage, place, most);
    while (place && *n < most) {
        o = is_core ? hitop_host_levels_next_core(topology, o)
                    : hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PACKAGE, o);
        if (!o) {
            break;
        }
        (void)hitop_host_levels_place(topology, levels, o->cpuset, &place[(*n)++]);
    }
    return place;
}

static void add_fact(struct inside *inside, const char *source, const char *text)
{
    if (text[0]) {
        inside->fact[inside->nfacts++] =
            (struct hitop_fact){source, hitop_storage_text(&inside->storage, text)};
    }
}

static enum hitop_status inspect(hwloc_topology_t topology, const char *spec, struct inside *inside,
                                 struct hitop_diag *diag)
{
    char binding[BINDING_LEVELS], hardware[HARDWARE_LENGTH];
    struct host_levels levels;

    hitop_host_levels_find(topology, &levels);
    hitop_host_levels_print(&levels, binding, sizeof(binding));
    hitop_hardware_describe(topology, hardware, sizeof(hardware));
    add_fact(inside, "binding", binding);
    add_fact(inside, "hardware", hardware);
    inside->core = place_all(topology, &levels, 1, &inside->storage, &inside->ncores);
    inside->package = place_all(topology, &levels, 0, &inside->storage, &inside->npackages);
    if (inside->storage.out_of_memory) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "describing hosts: out of memory");
    }
    return inside->ncores > 0
               ? HITOP_OK
               : hitop_fail(diag, HITOP_ERR_FORMAT, "%s: a host without processors", spec);
}

enum hitop_status hitop_inside_read(const char *spec, struct inside *out, struct hitop_diag *diag)
{
    hwloc_topology_t topology = NULL;
    enum hitop_status status;

    *out = (struct inside){.ncores = 0};
    if (hwloc_topology_init(&topology) != 0) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "describing hosts: out of memory");
    }
    (void)hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
    (void)hwloc_topology_set_type_filter(topology, HWLOC_OBJ_PCI_DEVICE,
                                         HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
    status = is_file(spec) ? load_file(topology, spec, diag) : load_words(topology, spec, diag);
    if (status == HITOP_OK) {
        status = inspect(topology, spec, out, diag);
    }
    hwloc_topology_destroy(topology);
    if (status != HITOP_OK) {
        hitop_inside_clear(out);
    }
    return status;
}

void hitop_inside_clear(struct inside *inside)
{
    hitop_storage_clear(&inside->storage);
    *inside = (struct inside){.ncores = 0};
}

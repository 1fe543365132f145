/* SPDX-License-Identifier: BSD-3-Clause */
/* hardware_hwloc.c - describe the hardware of a host by hwloc. */
#include <config.h>

#include "hierarchy/hwloc/hardware.h"

#include <hwloc.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct line {
    char *text;
    size_t used, length;
};

/* Append "key=value" if all of it fits. */
static void append(struct line *line, const char *fmt, ...)
{
    const size_t begin = line->used, left = line->length - begin;
    va_list args;
    int n;

    va_start(args, fmt);
    n = vsnprintf(line->text + begin, left, fmt, args);
    va_end(args);
    if (n < 0 || (size_t)n + 1 >= left) {
        line->text[begin] = '\0';
        return;
    }
    line->used += (size_t)n;
    memcpy(line->text + line->used++, ";", 2);
}

static const char *info(hwloc_topology_t topology, const char *key)
{
    const hwloc_obj_t package = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
    const char *value = package ? hwloc_obj_get_info_by_name(package, key) : NULL;

    return value ? value : hwloc_obj_get_info_by_name(hwloc_get_root_obj(topology), key);
}

/* Append the name of the processor, with ',' in place of ';' and control characters. */
static void append_cpu(struct line *line, hwloc_topology_t topology)
{
    const char *model = info(topology, "CPUModel");
    const char *implementer = info(topology, "CPUImplementer"), *part = info(topology, "CPUPart");
    const size_t begin = line->used;

    if (model && model[0]) {
        append(line, "cpu=%s", model);
    } else if (implementer && part) {
        append(line, "cpu=%s %s", implementer, part);
    }
    for (size_t i = begin; i + 1 < line->used; i++) {
        if (line->text[i] == ';' || (unsigned char)line->text[i] < ' ') {
            line->text[i] = ',';
        }
    }
}

static void append_count(struct line *line, hwloc_topology_t topology, const char *key,
                         hwloc_obj_type_t type)
{
    const int n = hwloc_get_nbobjs_by_type(topology, type);

    if (n > 0) {
        append(line, "%s=%d", key, n);
    }
}

static void append_cache(struct line *line, hwloc_topology_t topology)
{
    const int n = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_L3CACHE);
    const hwloc_obj_t first = hwloc_get_obj_by_type(topology, HWLOC_OBJ_L3CACHE, 0);
    const unsigned long long kibibytes = first ? first->attr->cache.size >> 10 : 0;

    if (n > 0 && kibibytes > 0) {
        const int is_round = kibibytes % 1024 == 0;
        append(line, "l3=%dx%llu%s", n, is_round ? kibibytes / 1024 : kibibytes,
               is_round ? "MiB" : "KiB");
    }
}

/*
 * Count GPUs by PCI class: 3D controllers, other display controllers, processing accelerators. VGA
 * controllers are not counted: most often they belong to the management controller (BMC). Without
 * any PCI device, as in some virtual machines, the number is unknown.
 */
static void append_gpus(struct line *line, hwloc_topology_t topology)
{
    int ndevices = 0, ngpus = 0;

    for (hwloc_obj_t o = hwloc_get_next_pcidev(topology, NULL); o;
         o = hwloc_get_next_pcidev(topology, o)) {
        const unsigned class = o->attr->pcidev.class_id;
        ndevices++;
        ngpus += class == 0x0302 || class == 0x0380 || class == 0x1200;
    }
    if (ndevices > 0) {
        append(line, "gpus=%d", ngpus);
    }
}

/* 0 for a synthetic topology without memory in its description: hwloc adds memory to it. */
static int is_memory_known(hwloc_topology_t topology)
{
    const char *words =
        hwloc_obj_get_info_by_name(hwloc_get_root_obj(topology), "SyntheticDescription");

    return !words || strstr(words, "memory=") != NULL;
}

void hitop_hardware_describe(hwloc_topology_t topology, char *out, size_t length)
{
    struct line line = {out, 0, length};
    const unsigned long long mebibytes = hwloc_get_root_obj(topology)->total_memory >> 20;

    out[0] = '\0';
    append_cpu(&line, topology);
    append_count(&line, topology, "packages", HWLOC_OBJ_PACKAGE);
    append_count(&line, topology, "cores", HWLOC_OBJ_CORE);
    append_count(&line, topology, "pus", HWLOC_OBJ_PU);
    append_cache(&line, topology);
    if (mebibytes > 0 && is_memory_known(topology)) {
        append(&line, "memory=%lluMiB", mebibytes);
    }
    append_gpus(&line, topology);
    if (line.used > 0) {
        out[line.used - 1] = '\0';
    }
}

void hitop_hardware_collect(char *out, size_t length)
{
    hwloc_topology_t topology = NULL;

    out[0] = '\0';
    if (hwloc_topology_init(&topology) != 0) {
        return;
    }
    (void)hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
    (void)hwloc_topology_set_type_filter(topology, HWLOC_OBJ_PCI_DEVICE,
                                         HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
    if (hwloc_topology_load(topology) == 0) {
        hitop_hardware_describe(topology, out, length);
    }
    hwloc_topology_destroy(topology);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef COUNT_ENTRIES_H
#define COUNT_ENTRIES_H

/* count_entries.h - how many entries a folder has. */

#include <dirent.h>

/* Without . and ..; negative: the folder cannot be read. */
static inline int count_entries(const char *folder)
{
    DIR *dir = opendir(folder);
    int n = -2;

    while (dir && readdir(dir)) {
        n++;
    }
    if (dir) {
        (void)closedir(dir);
    }
    return n;
}

#endif /* COUNT_ENTRIES_H */

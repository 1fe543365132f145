/* SPDX-License-Identifier: BSD-3-Clause */
/* owngroup.c - owngroup COMMAND [ARG...]: runs a command as the first of a new process group. */
#include <config.h>

#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: owngroup COMMAND [ARG...]\n");
        return 2;
    }
    if (setpgid(0, 0) != 0) {
        perror("owngroup: setpgid");
    }
    execvp(argv[1], argv + 1);
    perror(argv[1]);
    return 127;
}

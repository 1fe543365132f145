/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nosetsid.c - nosetsid COMMAND [ARG...]: runs a command under which setsid(2) does nothing.
 *
 * With the kernel's autogroup (CONFIG_SCHED_AUTOGROUP) each session is a scheduling group of its
 * own, and sched_yield does not reach beyond it. The daemons of MPI launchers call setsid, so the
 * ranks of one "host" would never let those of another run on a machine with few processors. A
 * seccomp filter answers setsid with success instead; it needs no privilege.
 */
#include <config.h>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_setsid, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 0), /* return 0, run nothing */
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {sizeof code / sizeof code[0], code};

    if (argc < 2) {
        fprintf(stderr, "usage: nosetsid COMMAND [ARG...]\n");
        return 2;
    }
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program) !=
            0) {
        perror("nosetsid"); /* times get worse, nothing gets wrong */
    }
    execvp(argv[1], argv + 1);
    perror(argv[1]);
    return 127;
}

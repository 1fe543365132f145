/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rsh_server.c - vc-rshd, the one that starts vc-rsh's commands on the hosts of a virtual cluster.
 *
 * It runs outside the hosts, because a process cannot leave its host's process numbers by itself.
 * A command gets the server's environment. When its client goes away it is hung up, two seconds
 * later killed. "ready" is printed when requests are accepted.
 */
#include <config.h>

#include "tests/vcluster/rsh.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const namespaces[] = {"pid", "net", "uts", "ipc", "mnt"};
enum { NAMESPACES = sizeof namespaces / sizeof namespaces[0] };

/* The command's end shows as end of file on this pipe, which can be polled together with a socket.
 */
static int ended[2];

static char message[RSH_MESSAGE + 1];

/* Joins a host; its number of processes counts from the next fork on. */
static int enter(const char *host)
{
    char path[300];
    int fd[NAMESPACES];
    int pid;
    FILE *file;

    if (strchr(host, '/') != NULL) {
        errno = EINVAL;
        return -1;
    }
    snprintf(path, sizeof path, "/run/vc/hosts/%s/pid", host);
    file = fopen(path, "r");
    if (file == NULL) {
        return -1;
    }
    if (fscanf(file, "%d", &pid) != 1) {
        pid = -1;
    }
    fclose(file);
    for (int i = 0; i < NAMESPACES; i++) { /* all are opened before /proc changes */
        snprintf(path, sizeof path, "/proc/%d/ns/%s", pid, namespaces[i]);
        fd[i] = open(path, O_RDONLY | O_CLOEXEC);
        if (fd[i] < 0) {
            return -1;
        }
    }
    for (int i = 0; i < NAMESPACES; i++) {
        if (setns(fd[i], 0) != 0) {
            return -1;
        }
    }
    return 0;
}

static int receive(int client, int standard[RSH_DESCRIPTORS], const char **host,
                   const char **command)
{
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(RSH_DESCRIPTORS * sizeof(int))];
    } control = {0};
    struct iovec text = {message, RSH_MESSAGE};
    struct msghdr request = {.msg_iov = &text,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control.space};
    const ssize_t length = recvmsg(client, &request, MSG_CMSG_CLOEXEC);

    if (length <= 0 || request.msg_controllen < CMSG_LEN(RSH_DESCRIPTORS * sizeof(int)) ||
        control.header.cmsg_type != SCM_RIGHTS) {
        return -1;
    }
    memcpy(standard, CMSG_DATA(&control.header), RSH_DESCRIPTORS * sizeof(int));
    *host = message; /* a zero follows whatever was received */
    *command = message + strlen(message) + 1;
    return *command < message + length ? 0 : -1;
}

static pid_t start(const int standard[RSH_DESCRIPTORS], const char *command)
{
    const char *home = getenv("HOME");
    const pid_t pid = fork();

    if (pid != 0) {
        return pid;
    }
    setpgid(0, 0);
    signal(SIGCHLD, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    for (int i = 0; i < RSH_DESCRIPTORS; i++) {
        dup2(standard[i], i);
    }
    if (home == NULL || chdir(home) != 0) {
        (void)!chdir("/");
    }
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    perror("/bin/sh");
    _exit(127);
}

static void child_ended(int signal_number)
{
    (void)signal_number;
    (void)!write(ended[1], "", 1);
}

/* Waits for the command, or for the client to go away and then ends the command. */
static int supervise(int client, pid_t pid)
{
    struct pollfd polled[] = {{.fd = ended[0], .events = POLLIN}, {.fd = client, .events = POLLIN}};
    int patience = -1;
    int status;

    while (waitpid(pid, &status, WNOHANG) == 0) {
        const int events = poll(polled, 2, patience);

        if (events == 0) {
            kill(-pid, SIGKILL);
            patience = -1;
        } else if (events > 0 && polled[1].revents != 0) {
            kill(-pid, SIGHUP);
            polled[1].fd = -1;
            patience = 2000;
        }
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void serve(int client)
{
    int standard[RSH_DESCRIPTORS];
    const char *host;
    const char *command;
    int status = 255;
    pid_t pid = -1;

    if (receive(client, standard, &host, &command) != 0 || pipe2(ended, O_CLOEXEC) != 0) {
        _exit(1);
    }
    signal(SIGCHLD, child_ended);
    if (enter(host) != 0 || (pid = start(standard, command)) < 0) {
        dprintf(standard[2], "vc-rshd: cannot enter host %s: %s\n", host, strerror(errno));
    }
    for (int i = 0; i < RSH_DESCRIPTORS; i++) {
        close(standard[i]);
    }
    if (pid > 0) {
        status = supervise(client, pid);
    }
    (void)!send(client, &status, sizeof status, MSG_NOSIGNAL);
    _exit(0);
}

int main(void)
{
    const struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = RSH_SOCKET};
    const int server = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

    if (server < 0 || bind(server, (const struct sockaddr *)&address, sizeof address) != 0 ||
        listen(server, 256) != 0) {
        perror("vc-rshd: " RSH_SOCKET);
        return 1;
    }
    signal(SIGCHLD, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGINT, SIG_IGN); /* Ctrl-C is for mpirun, which ends its daemons itself */
    puts("ready");
    fflush(stdout);
    fclose(stdout);
    for (;;) {
        const int client = accept4(server, NULL, NULL, SOCK_CLOEXEC);

        if (client >= 0) {
            if (fork() == 0) {
                close(server);
                serve(client);
            }
            close(client);
        }
    }
}

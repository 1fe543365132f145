/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rsh_client.c - vc-rsh [SSH_OPTION...] HOST COMMAND..., a stand-in for ssh in a virtual cluster.
 *
 * The words of COMMAND are joined by blanks for a shell on HOST, as ssh does. Exit status is that
 * of the command; 255 when it could not be started.
 */
#include <config.h>

#include "tests/vcluster/rsh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static char message[RSH_MESSAGE];

static void fail(const char *what)
{
    perror(what);
    exit(255);
}

/* Index of HOST: the first word that is neither an option of ssh nor an option's value. */
static int host_index(int argc, char **argv)
{
    int i = 1;

    while (i < argc && argv[i][0] == '-') {
        const int valued = strlen(argv[i]) == 2 && strchr("BbcDEeFIiJLlmOopQRSWw", argv[i][1]);

        i += valued ? 2 : 1;
    }
    return i;
}

static size_t compose(int argc, char **argv, int host)
{
    const char *at = strchr(argv[host], '@'); /* user@host */
    size_t length = 0;

    for (int i = host; i < argc; i++) {
        const char *word = i == host && at != NULL ? at + 1 : argv[i];
        const size_t bytes = strlen(word) + 1;

        if (bytes > sizeof message - length) {
            fprintf(stderr, "vc-rsh: command is longer than %d bytes\n", RSH_MESSAGE);
            exit(255);
        }
        memcpy(message + length, word, bytes);
        length += bytes;
        if (i > host && i + 1 < argc) {
            message[length - 1] = ' ';
        }
    }
    return length;
}

static void send_request(int server, size_t length)
{
    const int standard[RSH_DESCRIPTORS] = {0, 1, 2};
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof standard)];
    } control = {0};
    struct iovec text = {message, length};
    struct msghdr request = {.msg_iov = &text,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control.space};

    control.header.cmsg_len = CMSG_LEN(sizeof standard);
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    memcpy(CMSG_DATA(&control.header), standard, sizeof standard);
    if (sendmsg(server, &request, 0) < 0) {
        fail("vc-rsh: sendmsg");
    }
}

int main(int argc, char **argv)
{
    const struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = RSH_SOCKET};
    const int host = host_index(argc, argv);
    int status;
    int server;

    if (host + 2 > argc) {
        fprintf(stderr, "usage: vc-rsh [SSH_OPTION...] HOST COMMAND...\n");
        return 255;
    }
    server = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (server < 0 || connect(server, (const struct sockaddr *)&address, sizeof address) != 0) {
        fail("vc-rsh: " RSH_SOCKET);
    }
    send_request(server, compose(argc, argv, host));
    if (recv(server, &status, sizeof status, 0) != sizeof status) {
        return 255;
    }
    return status;
}

// SPDX-License-Identifier: MIT
/*
 * wire.c: messages between libcudart and the simulated device; see wire.h.
 *
 * Sends with MSG_NOSIGNAL: a dead peer is a return value, not a signal that
 * ends the learner's program.
 */
#include "wire.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

const char *simwire_prefix(const struct simwire_header *header)
{
    if (header->magic != SIMWIRE_MAGIC)
        return "not a message of the simulated GPU";
    return header->version == SIMWIRE_VERSION
               ? NULL
               : "libcudart and simgpu-device are of different builds; "
                 "`make programs` builds both";
}

const char *simwire_check(const struct simwire_header *header)
{
    const char *why = simwire_prefix(header);
    if (why)
        return why;
    if (header->op >= N_SIMWIRE_OPS)
        return "no such operation";
    if (header->text > SIMWIRE_MAX_PAYLOAD ||
        header->data > SIMWIRE_MAX_PAYLOAD)
        return "the payload is too large";
    return NULL;
}

static bool send_pieces(int fd, struct iovec *piece, size_t n)
{
    while (n > 0) {
        struct msghdr message = {.msg_iov = piece, .msg_iovlen = n};
        ssize_t sent = sendmsg(fd, &message, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            return false;
        while (n > 0 && (size_t)sent >= piece->iov_len) {
            sent -= (ssize_t)piece->iov_len;
            piece++;
            n--;
        }
        if (n > 0) {
            piece->iov_base = (char *)piece->iov_base + sent;
            piece->iov_len -= (size_t)sent;
        }
    }
    return true;
}

bool simwire_send(int fd, struct simwire_header *header, const void *text,
                  const void *data)
{
    header->magic = SIMWIRE_MAGIC;
    header->version = SIMWIRE_VERSION;
    struct iovec piece[3] = {
        {.iov_base = header, .iov_len = sizeof *header},
        {.iov_base = (void *)text, .iov_len = header->text},
        {.iov_base = (void *)data, .iov_len = header->data},
    };
    return send_pieces(fd, piece, 3);
}

bool simwire_body(int fd, void *to, size_t n)
{
    char *at = to;
    while (n > 0) {
        ssize_t got = recv(fd, at, n, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        n -= (size_t)got;
    }
    return true;
}

bool simwire_head(int fd, struct simwire_header *header)
{
    return simwire_body(fd, header, SIMWIRE_PREFIX) &&
           !simwire_prefix(header) &&
           simwire_body(fd, (char *)header + SIMWIRE_PREFIX,
                        sizeof *header - SIMWIRE_PREFIX) &&
           !simwire_check(header);
}

/* Room for one descriptor, aligned as the operating system requires. */
union control {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
};

bool simwire_send_fd(int fd, int descriptor)
{
    union control control = {0};
    struct iovec byte = {.iov_base = "", .iov_len = 1};
    struct msghdr message = {.msg_iov = &byte, .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    control.header = (struct cmsghdr){.cmsg_level = SOL_SOCKET,
                                      .cmsg_type = SCM_RIGHTS,
                                      .cmsg_len = CMSG_LEN(sizeof(int))};
    memcpy(CMSG_DATA(&control.header), &descriptor, sizeof descriptor);
    ssize_t sent;
    while ((sent = sendmsg(fd, &message, MSG_NOSIGNAL)) < 0 && errno == EINTR)
        ;
    return sent == 1;
}

int simwire_take_fd(int fd)
{
    union control control = {0};
    char nothing;
    int descriptor = -1;
    struct iovec byte = {.iov_base = &nothing, .iov_len = 1};
    struct msghdr message = {.msg_iov = &byte, .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    ssize_t got;
    while ((got = recvmsg(fd, &message, MSG_CMSG_CLOEXEC)) < 0 &&
           errno == EINTR)
        ;
    const struct cmsghdr *first = got == 1 ? CMSG_FIRSTHDR(&message) : NULL;
    if (first && first->cmsg_level == SOL_SOCKET &&
        first->cmsg_type == SCM_RIGHTS &&
        first->cmsg_len == CMSG_LEN(sizeof(int)))
        memcpy(&descriptor, CMSG_DATA(first), sizeof descriptor);
    return descriptor;
}

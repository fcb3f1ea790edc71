// SPDX-License-Identifier: MIT
/*
 * wire.c: see wire.h.
 */
#include "wire.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>

#include "op/fill.h"

static const uint32_t magic = 0x4b425257; /* "WRBK" */

struct header {
    uint32_t magic;
    uint16_t version;
    uint16_t type;
    uint32_t token;
    uint32_t length;
};

_Static_assert(sizeof(struct header) == 16, "no padding on the wire");
_Static_assert(sizeof(struct wire_reply) <= WIRE_MAX, "a reply is one frame");
_Static_assert(sizeof(struct wire_load) <= WIRE_MAX, "a request is one frame");

double wire_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static enum wire_result send_all(int fd, const void *data, size_t n)
{
    const char *at = data;

    while (n > 0) {
        ssize_t sent = send(fd, at, n, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return WIRE_CLOSED;
        at += sent;
        n -= (size_t)sent;
    }
    return WIRE_OK;
}

enum wire_result wire_send(int fd, enum wire_type type, uint32_t token,
                           const void *payload, size_t length)
{
    struct header h = {magic, WIRE_VERSION, (uint16_t)type, token,
                       (uint32_t)length};

    if (length > WIRE_MAX)
        return WIRE_GARBAGE;
    enum wire_result result = send_all(fd, &h, sizeof h);
    return result == WIRE_OK ? send_all(fd, payload, length) : result;
}

/* Until fd can be read, the deadline passes, or a signal wakes us. */
static enum wire_result wait_readable(int fd, double deadline)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};

    for (;;) {
        double left = deadline - wire_now();
        if (deadline >= 0 && left <= 0)
            return WIRE_TIMEOUT;
        int ms = deadline < 0 ? -1 : (int)fmin(ceil(left * 1e3), 1e9);
        int n = poll(&p, 1, ms);
        if (n > 0)
            return WIRE_OK;
        if (n < 0 && errno != EINTR)
            return WIRE_CLOSED;
    }
}

static enum wire_result receive_all(int fd, double deadline, void *data,
                                    size_t n)
{
    char *at = data;

    while (n > 0) {
        enum wire_result result = wait_readable(fd, deadline);
        if (result != WIRE_OK)
            return result;
        ssize_t got = recv(fd, at, n, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return WIRE_CLOSED;
        at += got;
        n -= (size_t)got;
    }
    return WIRE_OK;
}

enum wire_result wire_receive(int fd, double deadline,
                              struct wire_frame *frame)
{
    struct header h;
    enum wire_result result = receive_all(fd, deadline, &h, sizeof h);

    if (result != WIRE_OK)
        return result;
    if (h.magic != magic || h.version != WIRE_VERSION || h.length > WIRE_MAX)
        return WIRE_GARBAGE;
    frame->type = h.type;
    frame->token = h.token;
    frame->length = h.length;
    return receive_all(fd, deadline, frame->payload, h.length);
}

/* One byte, and beside it room for a descriptor. */
struct parcel {
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(sizeof(int))];
    } beside;
    char byte;
    struct iovec part;
    struct msghdr message;
};

static void pack(struct parcel *p)
{
    *p = (struct parcel){.byte = 0};
    p->part = (struct iovec){&p->byte, 1};
    p->message = (struct msghdr){.msg_iov = &p->part, .msg_iovlen = 1,
                                 .msg_control = &p->beside,
                                 .msg_controllen = sizeof p->beside};
}

enum wire_result wire_send_file(int fd, int file)
{
    struct parcel p;
    struct cmsghdr *c;
    ssize_t sent;

    pack(&p);
    c = CMSG_FIRSTHDR(&p.message);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof file);
    memcpy(CMSG_DATA(c), &file, sizeof file);
    do
        sent = sendmsg(fd, &p.message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == 1 ? WIRE_OK : WIRE_CLOSED;
}

enum wire_result wire_receive_file(int fd, double deadline, int *file)
{
    enum wire_result result = wait_readable(fd, deadline);
    struct parcel p;
    struct cmsghdr *c;

    if (result != WIRE_OK)
        return result;
    pack(&p);
    if (recvmsg(fd, &p.message, MSG_CMSG_CLOEXEC) != 1)
        return WIRE_CLOSED;
    c = CMSG_FIRSTHDR(&p.message);
    if (!c || c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS ||
        c->cmsg_len != CMSG_LEN(sizeof *file))
        return WIRE_GARBAGE;
    memcpy(file, CMSG_DATA(c), sizeof *file);
    return WIRE_OK;
}

size_t wire_offset(const struct op *op, const struct op_shape *shape,
                   int buffer)
{
    const size_t page = 4096; /* each buffer can be mapped, or read, alone */
    size_t offset = 0;

    for (int i = 0; i < buffer; i++) {
        size_t bytes = op_bytes(op, i, shape);
        offset += (bytes + page - 1) / page * page;
    }
    return offset;
}

size_t wire_cut(uint64_t seed, uint32_t set, int buffer, size_t n, int *first)
{
    uint64_t draw = fill_seed(fill_seed(seed, (int)set), buffer);

    *first = (int)(draw >> 63);
    return n / 4 + draw % (n / 2 + 1); /* in the middle half */
}

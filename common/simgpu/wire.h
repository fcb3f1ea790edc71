// SPDX-License-Identifier: MIT
/*
 * wire.h: what libcudart and the simulated device say to each other.
 *
 *   simwire_check   is this header one we may act on?
 *   simwire_prefix  is its beginning, SIMWIRE_PREFIX bytes, of this build?
 *   simwire_send    header, then its payload in up to two pieces
 *   simwire_head    receives and checks a header
 *   simwire_body    receives the bytes that follow
 *   simwire_send_fd, simwire_take_fd   a descriptor, behind a reply
 *
 * A stream socket. The client sends one message (a header and a payload);
 * the device answers each with one, in order; only OP_NOTE wants no
 * answer. A reply repeats the operation and holds a
 * cudaError_t. Its text is what kernels printed (operations that wait only);
 * its data is the answer, or, with an error, a message in words. The device
 * trusts nothing: a header that fails simwire_check ends the connection. What
 * the two say to each other changes from build to build; the prefix does not,
 * so that each can tell the other's build before it waits for more.
 */
#ifndef SIMGPU_WIRE_H
#define SIMGPU_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SIMWIRE_MAGIC = 0x53575247, /* "GRWS" */
    SIMWIRE_LAYOUT = 2, /* raised where a message's shape or meaning changes */
    SIMWIRE_PREFIX = 8, /* bytes: magic, version, operation */
    /* Larger copies go in pieces, so that neither side buffers more. */
    SIMWIRE_MAX_PAYLOAD = 64 << 20,
    SIMWIRE_MAX_PARAM_BYTES = 32764, /* CUDA's limit since 12.1 */
    SIMWIRE_MAX_NAME = 4096,         /* a mangled name */
    /* Streams are numbered as they are made; 1 and 2 are the defaults. */
    SIMWIRE_FIRST_STREAM = 3,
    SIMWIRE_LEGACY = 1,
    SIMWIRE_PER_THREAD = 2,
    /* What tells streams apart that a program knows by one handle: threads'
     * own default streams, branches of a graph. */
    SIMWIRE_PART = 32, /* shift */
};
#define SIMWIRE_WAITED (1ull << 63)

/* Name, then what a and data mean; after the arrow, what the reply holds. */
#define SIMWIRE_OPS(X)                                                       \
    X(HELLO)    /* -> data: struct simwire_hello */                          \
    X(LOAD)     /* data: a fat binary -> a[0] module, a[1] PTX sm */          \
    X(KERNEL)   /* a[0] module, data: name -> a[0] kernel,                   \
                   data: struct simwire_kernel */                            \
    X(SYMBOL)   /* a[0] module, data: name -> a[0] address, a[1] bytes */    \
    X(ALLOC)    /* a[0] bytes, a[1] 1: by cudaMallocAsync -> a[0] address */ \
    X(FREE)     /* a[0] address, a[1] 1: by cudaFreeAsync */                 \
    X(WRITE)    /* a[0] to, data */                                          \
    X(READ)     /* a[0] from, a[1] bytes, a[2] to, of shared pages, or 0     \
                   -> data */                                                \
    X(COPY)     /* a[0] to, a[1] from, a[2] bytes */                         \
    X(FILL)     /* a[0] to, a[1] value, a[2] width, a[3] values */           \
    X(LOCATE)   /* a[0] address -> a[0] allocation, a[1] base, a[2] bytes */ \
    X(SHARE)    /* a[0] bytes, a[1] 1: pinned, 0: managed, 2: registered,    \
                   at a[2] of the client -> a[0] address */                  \
    X(MAP)      /* a[0] address in shared pages -> a[0] their start, a[1]    \
                   their bytes; then their descriptor (simwire_take_fd) */   \
    X(LAUNCH)   /* a[0] kernel, a[1] dynamic shared bytes,                   \
                   a[2] cooperative: how many blocks fit at once; else 0;    \
                   data: struct simwire_shape, parameters; answered before   \
                   it runs */                                                \
    X(SHARED)   /* a[0] kernel, a[1] most dynamic shared bytes */            \
    X(SYNC)     /* waits, for stream or all: text is what was printed;       \
                   a[0] 1 + event: for that */                               \
    X(TIME)     /* a[0] 1 + event, to be recorded, or 0                      \
                   -> a[0] the device's clock, ns */                         \
    X(WAIT)     /* a[0] event that the stream waits for */                   \
    X(STREAM)   /* a[0] 1: stream was made, 2: and waits not for the default \
                   stream, 0: it was destroyed */                            \
    X(HEAP)     /* a[0] bytes for malloc in kernels */                       \
    X(MEMORY)   /* -> a[0] free bytes */                                     \
    X(RESET)    /* as cudaDeviceReset: forgets a fault and all memory */     \
    X(NOTE)     /* a[0] error, data: "call\0detail": no reply */             \
    X(BYE)      /* the client is about to end */

enum simwire_op {
#define X(name) OP_##name,
    SIMWIRE_OPS(X)
#undef X
    N_SIMWIRE_OPS
};

/* A new operation changes it, too. */
enum { SIMWIRE_VERSION = SIMWIRE_LAYOUT << 8 | N_SIMWIRE_OPS };

struct simwire_header {
    uint32_t magic;
    uint16_t version;
    uint16_t op;    /* enum simwire_op */
    int32_t error;  /* reply: cudaError_t */
    uint32_t sticky; /* reply: error is a fault, and stays until OP_RESET */
    uint64_t stream; /* whose work it is: its number, 0: the host's own;
                        SIMWIRE_WAITED: the host waits for its end */
    uint64_t a[4];
    uint64_t text;  /* bytes of text that follow */
    uint64_t data;  /* bytes of data that follow the text */
};

/* OP_LAUNCH: stands before the parameters. */
struct simwire_shape {
    uint32_t grid[3], block[3];
};

struct simwire_hello {
    char gpu[32]; /* key of the model */
};

struct simwire_kernel {
    uint64_t static_shared, local_bytes, const_bytes, param_bytes;
    uint32_t max_threads; /* a block, by the kernel's launch bounds */
    uint32_t n_params;    /* struct simwire_param each, right after */
};

struct simwire_param {
    uint32_t offset, bytes;
};

/* NULL, or what is wrong with it. */
const char *simwire_check(const struct simwire_header *header);
const char *simwire_prefix(const struct simwire_header *header);

/* Fills in magic and version. false: the peer is gone. */
bool simwire_send(int fd, struct simwire_header *header, const void *text,
                  const void *data);
/* false: the peer is gone, or sent what is not ours. */
bool simwire_head(int fd, struct simwire_header *header);
bool simwire_body(int fd, void *to, size_t n);
/* With a byte of its own. simwire_take_fd: -1 where none came. */
bool simwire_send_fd(int fd, int descriptor);
int simwire_take_fd(int fd);

#endif

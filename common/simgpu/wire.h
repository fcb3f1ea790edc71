// SPDX-License-Identifier: MIT
/*
 * wire.h: the messages between libcudart and the simulated device.
 *
 *   simwire_check   is this header valid?
 *   simwire_prefix  are its first SIMWIRE_PREFIX bytes from this build?
 *   simwire_send    sends a header, then its payload in up to two pieces
 *   simwire_head    receives and checks a header
 *   simwire_body    receives the bytes that follow it
 *   simwire_send_fd, simwire_take_fd   a file descriptor, after a reply
 *
 * A stream socket. The client sends messages, a header and a payload each; the
 * device answers them one by one, in order, except OP_NOTE, which has no
 * answer. A reply repeats the operation and holds a cudaError_t. Its text is
 * what kernels printed (only for operations that wait); its data is the
 * result, or, with an error, the reason in words. The device trusts nothing: a
 * header that fails simwire_check ends the connection. The format may change
 * with every build, but the prefix never does, so that each side recognises
 * another build before it waits for more bytes.
 */
#ifndef SIMGPU_WIRE_H
#define SIMGPU_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SIMWIRE_MAGIC = 0x53575247, /* "GRWS" */
    SIMWIRE_LAYOUT = 10, /* raise it when a message's layout changes */
    SIMWIRE_PREFIX = 8, /* bytes: magic, version, operation */
    /* Larger copies are sent in pieces, so that neither side buffers more. */
    SIMWIRE_MAX_PAYLOAD = 64 << 20,
    SIMWIRE_MAX_PARAM_BYTES = 32764, /* CUDA's limit since 12.1 */
    SIMWIRE_MAX_NAME = 4096,         /* a mangled name */
    /* Streams are numbered in order of creation; 1 and 2 are the default
     * streams. */
    SIMWIRE_FIRST_STREAM = 3,
    SIMWIRE_LEGACY = 1,
    SIMWIRE_PER_THREAD = 2,
    /* Shift: the upper half of a number distinguishes streams that a program
     * names by one handle: per-thread default streams, branches of a graph. */
    SIMWIRE_PART = 32,
    SIMWIRE_THREAD = 52, /* of a branch: the part of its graph's stream */
};
/* In a stream number: the host waits for the work; a branch of a graph. */
#define SIMWIRE_WAITED (1ull << 63)
#define SIMWIRE_BRANCH (1ull << 62)
/* In the number of a graph's launch: the graph was launched before. */
#define SIMWIRE_REPLAY (1ull << 63)

/* A graph's memory has its address from the beginning, and lives from its
 * allocation node to its free node. */
enum simwire_alloc {
    SIMWIRE_ALLOC,
    SIMWIRE_ALLOC_ASYNC,
    SIMWIRE_ALLOC_ADDRESS, /* for a node: not alive yet */
    SIMWIRE_ALLOC_NODE,    /* such a node is executed */
};

enum simwire_note {
    SIMWIRE_FAILED,  /* a call */
    SIMWIRE_ACCUSED, /* a call, of a mistake that is no error: a finding */
    SIMWIRE_REFUSED, /* the latest launch: where it was made */
    SIMWIRE_ASKED,   /* the program asked for the thread's errors, or, if that
                        is 0, for all errors equal to this */
    SIMWIRE_WAITS,   /* a call has waited for a[1] ms; a[2] 1: the program has
                        no other thread, and no handler of signals */
    SIMWIRE_ALLOCATED, SIMWIRE_FREED, /* memory that begins at a[1] */
    SIMWIRE_CALLED, /* the latest OP_READ or OP_FILL whose reply accuses it */
};

/* In place of an error: a kernel runs that this call has to wait for. The
 * client asks again, and lets other threads ask meanwhile. */
enum { SIMWIRE_AGAIN = 0x7fffff00 };

enum simwire_host { HOST_NEW, HOST_TURN, HOST_DONE };

/* Name, then the meaning of a and data; after the arrow, the reply's. */
#define SIMWIRE_OPS(X)                                                       \
    X(HELLO)    /* a[0] 1: the program may make non-blocking streams         \
                   -> data: struct simwire_hello */                          \
    X(LOAD)     /* data: a fat binary -> a[0] module, a[1] PTX sm */          \
    X(KERNEL)   /* a[0] module, data: name -> a[0] kernel,                   \
                   data: struct simwire_kernel */                            \
    X(SYMBOL)   /* a[0] module, data: name -> a[0] address, a[1] bytes */    \
    X(ALLOC)    /* a[0] bytes, a[1] enum simwire_alloc, a[2] address of      \
                   SIMWIRE_ALLOC_NODE -> a[0] address */                     \
    X(FREE)     /* a[0] address, a[1] 1: by cudaFreeAsync */                 \
    X(WRITE)    /* a[0] to, data */                                          \
    X(READ)     /* a[0] from, a[1] bytes, a[2] to, if mapped; else 0; a[3] 1:\
                   it may be queued, 2: it is written there -> data, a[0] 1:  \
                   a finding, whose place SIMWIRE_CALLED tells */             \
    X(COPY)     /* a[0] to, a[1] from, a[2] bytes */                         \
    X(FILL)     /* a[0] to, a[1] value, a[2] width, a[3] values              \
                   -> a[0] 1: a finding, as above */                         \
    X(LOCATE)   /* a[0] address -> a[0] allocation, a[1] base, a[2] bytes */ \
    X(ALLOC_MAPPED) /* a[0] bytes, a[1] 0: managed, 1: pinned, 2: registered \
                   at the client's address a[2] -> a[0] address */           \
    X(MAP)      /* a[0] address in mapped pages -> a[0] their start, a[1]    \
                   their bytes; then their descriptor (simwire_take_fd) */   \
    X(LAUNCH)   /* a[0] kernel, a[1] dynamic shared bytes,                   \
                   a[2] cooperative: how many blocks fit at once; else 0;    \
                   a[3] of a node: number of its graph's launch, and         \
                   SIMWIRE_REPLAY if it was launched before; else 0;         \
                   data: struct simwire_shape, parameters; answered before   \
                   it runs */                                                \
    X(DYNAMIC_SHARED) /* a[0] kernel, a[1] most dynamic shared bytes */      \
    X(SYNC)     /* waits for the stream, or for all if it is 0;              \
                   a[0] 1 + event: waits for the event instead;              \
                   a[1] 1: only asks */                                      \
    X(TIME)     /* a[0] 1 + event to record, or 0                            \
                   -> a[0] the device's clock, ns; a[1] 1: when was it       \
                   recorded? */                                              \
    X(WAIT)     /* a[0] event that the stream waits for */                   \
    X(STREAM)   /* a[0] 0: the stream was destroyed, 1: created, 2: created  \
                   non-blocking */                                           \
    X(HEAP)     /* a[0] bytes for malloc in kernels */                       \
    X(MEMORY)   /* -> a[0] free bytes */                                     \
    X(RESET)    /* cudaDeviceReset: clears a fault, frees all memory */      \
    X(NOTE)     /* a[0] enum simwire_note, a[1] error, a[2] thread, a[3]     \
                   where in the program, or 0,                               \
                   data: "call\0detail\0caller\0other" (rt_caller): no reply */\
    X(HOST)     /* a host function. a[0] enum simwire_host, a[1] its ticket:  \
                   new -> a[0] ticket; is it its turn? it is done */         \
    X(BYE)      /* the client is about to end */

enum simwire_op {
#define X(name) OP_##name,
    SIMWIRE_OPS(X)
#undef X
    N_SIMWIRE_OPS
};

/* A new operation changes the version too. */
enum { SIMWIRE_VERSION = SIMWIRE_LAYOUT << 8 | N_SIMWIRE_OPS };

struct simwire_header {
    uint32_t magic;
    uint16_t version;
    uint16_t op;    /* enum simwire_op */
    int32_t error;  /* reply: cudaError_t */
    uint32_t sticky; /* reply: error is a fault, which stays until OP_RESET */
    uint64_t stream; /* that the work belongs to, and SIMWIRE_WAITED; 0: the
                        host's own work. Reply: 1: the work is queued */
    uint64_t a[4];
    uint64_t text;  /* bytes of text that follow */
    uint64_t data;  /* bytes of data that follow the text */
};

/* OP_LAUNCH: precedes the parameters. */
struct simwire_shape {
    uint32_t grid[3], block[3];
    uint32_t cluster[3];   /* blocks; 0: as the kernel says */
    uint32_t non_portable; /* 1: clusters of more than 8 blocks are allowed */
    uint32_t dependent;    /* 1: may begin before the stream's last kernel has
                              ended */
};

struct simwire_hello {
    char gpu[32]; /* key of the model */
    int32_t multiprocessors; /* that it has here */
};

struct simwire_kernel {
    uint64_t static_shared, local_bytes, const_bytes, param_bytes;
    uint32_t max_threads; /* per block, by the kernel's launch bounds */
    uint32_t n_params;    /* that many struct simwire_param follow */
    uint32_t cluster[3];  /* .reqnctapercluster; 0: none */
    uint32_t needs_cluster; /* .explicitcluster */
};

struct simwire_param {
    uint32_t offset, bytes;
};

/* NULL, or what is wrong. */
const char *simwire_check(const struct simwire_header *header);
const char *simwire_prefix(const struct simwire_header *header);

/* Fills in magic and version. false: the connection is lost. */
bool simwire_send(int fd, struct simwire_header *header, const void *text,
                  const void *data);
/* false: the connection is lost, or the header is invalid. */
bool simwire_head(int fd, struct simwire_header *header);
bool simwire_body(int fd, void *to, size_t n);
/* The descriptor travels with one byte. simwire_take_fd: -1 if none came. */
bool simwire_send_fd(int fd, int descriptor);
int simwire_take_fd(int fd);

#endif

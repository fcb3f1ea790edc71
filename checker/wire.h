// SPDX-License-Identifier: MIT
/*
 * wire.h: the private channel between check and a runner.
 *
 *   wire_send      one frame: a header, then up to WIRE_MAX bytes
 *   wire_receive   one frame, or why there is none
 *   wire_send_file, wire_receive_file   an open file, beside the frames
 *   wire_now       the clock of deadlines: seconds, monotonic
 *
 * Check sends a request, the runner one WIRE_REPLY with the request's token.
 * Tokens are random, so that a stage that writes to the channel blindly is
 * found out. Payloads are the structs below, of exactly their size. Arrays
 * travel in a memory file that both hold open: buffer i of a case stands at
 * wire_offset, in the operator's order. Inputs that several runners are to have
 * stand in one file more, sealed, which follows the request.
 *
 * For a grade on a GPU there are two runners (checker/runner/keep.c): one keeps
 * the arrays and never loads a stage, and one has the stage, and sees arrays
 * from the moment that it is to launch on them.
 */
#ifndef CHECKER_WIRE_H
#define CHECKER_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "op/op.h"

enum {
    WIRE_VERSION = 5,
    WIRE_MAX = 16384,       /* payload: a batch of samples fits */
    WIRE_MAX_SAMPLES = 1024,
    WIRE_POISON = 0xff,     /* every byte of the workspace before a launch */
    /* The runner's descriptors, above the standard three. */
    WIRE_FD_CHANNEL = 3,
    WIRE_FD_MEMORY = 4,
    WIRE_FD_DEVICE = 5,
    WIRE_HANDLE_BYTES = 64, /* of a cudaIpcMemHandle_t */
};

enum wire_type {
    WIRE_HELLO = 1, /* struct wire_hello  -> wire_device */
    WIRE_LOAD,      /* struct wire_load   -> wire_layout */
    WIRE_UPLOAD,    /* struct wire_upload -> nothing */
    WIRE_LAUNCH,    /* nothing            -> nothing */
    WIRE_DOWNLOAD,  /* nothing            -> wire_guards */
    WIRE_TIME,      /* struct wire_batch  -> wire_samples */
    /* To the keeper of arrays. */
    WIRE_KEEP,      /* struct wire_keep   -> wire_sets */
    WIRE_SOURCE,    /* struct wire_source -> nothing */
    WIRE_RENEW,     /* struct wire_renew  -> wire_sets */
    WIRE_COLLECT,   /* struct wire_collect -> wire_guards */
    /* To the runner with the stage, where another keeps the arrays. */
    WIRE_RUN,       /* struct wire_run    -> nothing */
    WIRE_RELEASE,   /* nothing            -> nothing */
    WIRE_REPLY,     /* struct wire_reply */
};

struct wire_hello {
    uint32_t simulated; /* which libcudart check expects */
    uint32_t keeper;    /* no other process may look into this one */
};

struct wire_load {
    char op[64];
    int32_t dim[OP_MAX_DIMS];
    int32_t ld[OP_MAX_BUFFERS];
    uint32_t off;  /* bit i: buffer i begins an element behind a boundary */
    uint32_t kept; /* the arrays: elsewhere; a layout has no addresses then */
    char stage[4096];
};

struct wire_keep {
    char op[64];
    int32_t dim[OP_MAX_DIMS];
    int32_t ld[OP_MAX_BUFFERS];
    uint64_t workspace_bytes;
};

/* Inputs, from the memory file. */
struct wire_source {
    uint32_t which; /* 0 or 1 */
};

/* Sets of arrays in memory that no stage has seen: inputs are source 0, or
 * where mixed is set parts of both sources (wire_cut); the rest is poison. */
struct wire_renew {
    uint64_t seed;
    uint64_t least_bytes; /* of memory that is shared, however few the sets */
    uint32_t sets, mixed;
};

/* One set, into the memory file. */
struct wire_collect {
    uint32_t set;
};

/* The launcher, once per set of arrays, and then the end of all work. */
struct wire_run {
    unsigned char handle[WIRE_HANDLE_BYTES];
    uint32_t sets;
    double scalar[OP_MAX_SCALARS];
};

/* What a launch is told beside its arrays, which are in the memory file, or,
 * if so said, in the file that follows. */
struct wire_upload {
    double scalar[OP_MAX_SCALARS];
    uint64_t follows;
};

/* One batch: poison, then `samples` launches. */
struct wire_batch {
    uint32_t samples; /* at most WIRE_MAX_SAMPLES where events is set */
    uint32_t events;  /* 0: back to back, without flush, events or samples */
};

/* What a request came to; check maps it to enum runner_status. */
enum wire_status {
    WIRE_DONE,
    WIRE_LAUNCH_FAILED,
    WIRE_DEVICE_FAILED,
    WIRE_SYMBOL_MISSING,
    WIRE_REFUSED,
    WIRE_STATUSES,
};

struct wire_device {
    char name[128];
    char pci[32];             /* "0000:01:00.0" */
    int32_t cc_major, cc_minor;
    int32_t sms;
    uint64_t memory_bytes, l2_bytes;
};

struct wire_layout {
    uint64_t address[OP_MAX_BUFFERS];
    uint64_t bytes[OP_MAX_BUFFERS];
    uint64_t workspace, workspace_bytes;
};

struct wire_guards {
    int32_t buffer;  /* whose guard changed; -1: none; n_buffers: the
                        workspace's */
    int64_t offset;  /* of the first such byte from the buffer's start */
};

struct wire_sets {
    unsigned char handle[WIRE_HANDLE_BYTES];
    uint64_t bytes; /* of one set */
};

struct wire_samples {
    uint32_t n;
    double seconds[WIRE_MAX_SAMPLES];
};

struct wire_reply {
    uint32_t status;     /* enum wire_status */
    char error_name[64]; /* "cudaErrorInvalidConfiguration" */
    char message[512];
    union {
        struct wire_device device;
        struct wire_layout layout;
        struct wire_guards guards;
        struct wire_samples samples;
        struct wire_sets sets;
    } u;
};

enum wire_result {
    WIRE_OK,
    WIRE_CLOSED,  /* the other side is gone, perhaps in the middle */
    WIRE_TIMEOUT,
    WIRE_GARBAGE, /* not a frame of ours */
};

struct wire_frame {
    uint16_t type;
    uint32_t token;
    uint32_t length;
    _Alignas(16) unsigned char payload[WIRE_MAX];
};

double wire_now(void);
enum wire_result wire_send(int fd, enum wire_type type, uint32_t token,
                           const void *payload, size_t length);
/* deadline: on wire_now's clock; negative: wait for ever. */
enum wire_result wire_receive(int fd, double deadline,
                              struct wire_frame *frame);
enum wire_result wire_send_file(int fd, int file);
/* *file: the receiver's, to be closed. */
enum wire_result wire_receive_file(int fd, double deadline, int *file);
/* Where buffer i stands in the memory file; i = op->n_buffers: its size. */
size_t wire_offset(const struct op *op, const struct op_shape *shape,
                   int buffer);

/* Where buffer i of a mixed set passes from one source to the other: its first
 * cut elements, of n, are from source *first. */
size_t wire_cut(uint64_t seed, uint32_t set, int buffer, size_t n, int *first);

#endif

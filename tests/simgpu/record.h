// SPDX-License-Identifier: MIT
/*
 * record.h: what the conformance program did with its engine, as a file, so
 * that another build of the engine can do it again (replay.c) and must give
 * the same results, bit by bit: one for a host without an operating system,
 * whose compiler and C library could not be their judges.
 *
 *   record_open, record_close   without record_open nothing is recorded
 *   record_*                    one event each, in their order
 *   record_digest               of results, where one NaN is like another
 *
 * The file is a sequence of struct event, each followed by its bytes.
 */
#ifndef RECORD_H
#define RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "simgpu/core/engine.h"

/* Of device memory. */
enum buffer { ROW_A, ROW_B, ROW_C, ROW_OUT, ROW_MASK, PROGRAM_IN, PROGRAM_OUT,
              GROUP_IN, GROUP_OUT,
              N_BUFFERS };

enum event_kind {
    EVENT_ENGINE,  /* a new engine; payload: its seed, 8 bytes */
    EVENT_BUFFER,  /* a buffer of so many bytes; payload: that number */
    EVENT_WRITE,   /* payload: what is written; none: what was the last time */
    EVENT_LAUNCH,  /* payload: struct launch_event, then the PTX */
    EVENT_RESULTS, /* payload: struct results_event */
    EVENT_TAP,     /* payload: the name of the row that ends here. Only of rows
                      that passed */
};

struct event {
    uint32_t kind, which; /* which: the buffer */
    uint64_t bytes;       /* of the payload */
};

enum { EVENT_PARAMS = 8 };
struct launch_event {
    uint32_t grid[3], block[3];
    uint32_t n_params, fault;
    uint32_t params[EVENT_PARAMS]; /* buffers, whose addresses are passed */
    uint64_t dynamic_shared, findings;
    struct engine_counters counters;
};

struct results_event {
    uint64_t bytes, digest;
    char field[8]; /* of union value: how each 8 bytes are read */
};

/* Stops the program if the file cannot be written. */
void record_open(const char *path);
void record_close(void);
bool record_wanted(void);
void record_engine(uint64_t seed);
void record_buffer(uint32_t which, uint64_t bytes);
void record_write(uint32_t which, const void *data, size_t n);
void record_launch(const struct launch_event *launch, const char *ptx);
void record_results(uint32_t which, const void *data, size_t n,
                    const char *field);
void record_tap(const char *name);

uint64_t record_digest(const void *data, size_t n, const char *field);

#endif

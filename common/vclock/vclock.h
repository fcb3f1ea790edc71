// SPDX-License-Identifier: MIT
/*
 * vclock.h: a CUDA runtime that simulates nothing but time.
 *
 *   clock.c     vc_*: the two clocks, the host's and the GPU's, and the queue
 *   kernel.c    a kernel: how long a trap makes it take
 *   memory.c    allocations, copies, sets
 *   runtime.c   streams, events, errors, the device's properties
 *
 * It is a libcudart of its own, found through the library path like the others.
 * It has only the calls that a timer needs: a program that uses another call
 * is not loaded, and the dynamic linker's message names that call.
 *
 * The host's clock advances by the cost of each call; the GPU's by the work in
 * its queue. Neither reads the machine's clock, so the same calls give the same
 * times everywhere. All streams share one queue. Only one thread may call.
 */
#ifndef VCLOCK_VCLOCK_H
#define VCLOCK_VCLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cuda_runtime_api.h>

#include "vclock/trap.h"

/* For the program stopwatch, which looks them up by name. */
uint64_t vclock_now(void);            /* ns since the start, on the host */
void vclock_sleep(uint64_t ns);
/* Launches the trap's kernel; us: its time before clocks and cache. */
cudaError_t vclock_kernel(const struct trap *trap, double us,
                          const void *input);
/* What the calls so far suggest about a wrong answer, the first such thing:
 * TRAP_MOVES_BETWEEN, or "CALL:ERROR", a call that failed. "-": nothing. */
const char *vclock_remark(void);

enum { VC_L2_BYTES = 50 << 20 };

/* All times in nanoseconds. */

/* The host is busy for so long. */
void vc_host(uint64_t ns);
/* Enqueues work that takes the host host_ns and the GPU gpu_ns. Returns the
 * time at which it will have ended. */
uint64_t vc_enqueue(uint64_t host_ns, uint64_t gpu_ns);
/* Enqueues an event; returns the time at which the GPU reaches it. */
uint64_t vc_record(uint64_t host_ns);
/* The host waits until that time, and wakes up. */
void vc_wait(uint64_t until);
void vc_wait_all(void);
bool vc_is_past(uint64_t time);

/* The n bytes at device address p, which only the library can read; NULL if no
 * allocation contains them all. */
const void *vc_bytes(const void *p, size_t n);
/* A copy or a set moved that many bytes through L2. */
void vc_through_l2(size_t bytes);
/* How many bytes copies and sets have moved so far, kernels not. */
uint64_t vc_moved(void);
/* Which share of an input is still in L2; from now on all of it is. */
double vc_l2_share(size_t bytes);
/* How long the GPU has worked since it was last idle for long. */
double vc_busy_ms(void);

/* Remembers the error; prints the first one on stderr. "Not ready" is an answer
 * and no error. */
cudaError_t vc_done(const char *call, cudaError_t error);
#define DONE(error) vc_done(__func__, error)

#endif

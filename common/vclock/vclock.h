// SPDX-License-Identifier: MIT
/*
 * vclock.h: a CUDA runtime of which only time is simulated.
 *
 *   clock.c     vc_*: the two clocks, the host's and the GPU's, and the queue
 *   memory.c    allocations, copies, sets
 *   runtime.c   streams, events, errors, the device's properties
 *
 * It is a libcudart of its own, found by library path like the others. It
 * knows the calls that a timer needs and no more: a program that asks for
 * another one is not loaded, and the linker names the call.
 *
 * The host's clock moves by what each call costs; the GPU's by the work in its
 * queue. Neither looks at the machine's clock, so the same calls give the same
 * times everywhere. All streams are one queue. One thread may call.
 */
#ifndef VCLOCK_VCLOCK_H
#define VCLOCK_VCLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cuda_runtime_api.h>

#include "vclock/trap.h"

/* For the program that plays the traps; it looks them up by name. */
uint64_t vclock_now(void);            /* ns since the start, on the host */
void vclock_sleep(uint64_t ns);
/* A launch of the trap's kernel that takes us before clocks and cache. */
cudaError_t vclock_kernel(const struct trap *trap, double us,
                          const void *input);

enum { VC_L2_BYTES = 50 << 20 };

/* All times in nanoseconds. */

/* The host is busy. */
void vc_host(uint64_t ns);
/* Work enters the queue, which takes the host host_ns and the GPU gpu_ns.
 * Returns when it will have ended. */
uint64_t vc_enqueue(uint64_t host_ns, uint64_t gpu_ns);
/* An event enters the queue; returns when the GPU reaches it. */
uint64_t vc_mark(uint64_t host_ns);
/* The host waits until then, and wakes up. */
void vc_wait(uint64_t until);
void vc_wait_all(void);
bool vc_is_past(uint64_t time);

/* What was set in the allocation that holds p can be read now. */
void vc_settle(const void *p);
/* A copy or a set moved that many bytes through L2. */
void vc_through_l2(size_t bytes);

/* Remembers the error, and says it once on stderr. */
cudaError_t vc_done(const char *call, cudaError_t error);
#define DONE(error) vc_done(__func__, error)

#endif

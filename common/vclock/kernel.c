// SPDX-License-Identifier: MIT
/*
 * kernel.c: a kernel whose time a trap decides.
 *
 *   vclock_kernel
 */
#include "vclock/vclock.h"

enum { LAUNCH_NS = 2200 }; /* cost of a launch on the host */

/* Wires that keep their value consume less power, so the clock can rise: the
 * same kernel is faster on an input whose words are all equal. */
static bool is_alike(const uint32_t *words, size_t n)
{
    enum { WORDS_COMPARED = 1024 };

    for (size_t i = 1; i < n && i < WORDS_COMPARED; i++)
        if (words[i] != words[0])
            return false;
    return true;
}

cudaError_t vclock_kernel(const struct trap *trap, double us,
                          const void *input)
{
    size_t bytes = (size_t)trap->input_bytes;
    double share = vc_l2_share(bytes);
    const uint32_t *words = vc_bytes(input, bytes);

    if (!words) /* the timer has freed it */
        return DONE(cudaErrorIllegalAddress);
    us *= share * trap->warm + (1 - share);
    if (is_alike(words, bytes / sizeof(uint32_t)))
        us *= trap->alike;
    us *= trap_ramp(trap, vc_busy_ms());
    vc_enqueue(LAUNCH_NS, (uint64_t)(us * 1e3));
    return cudaSuccess;
}

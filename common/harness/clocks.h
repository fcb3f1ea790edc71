// SPDX-License-Identifier: MIT
/*
 * clocks.h: does the GPU run as fast as it should? Asked of NVML, where the
 * driver brings it; loaded at run time, so that nothing needs it.
 *
 *   clocks_open, clocks_close   by PCI address, as the runtime prints it
 *   clocks_read                 now: take it while, or just after, it works
 *   clocks_trouble              what a reading means, NULL if all is well
 */
#ifndef HARNESS_CLOCKS_H
#define HARNESS_CLOCKS_H

#include <stdbool.h>
#include <stdint.h>

struct clocks;

struct clock_reading {
    unsigned sm_mhz, sm_max_mhz;
    uint64_t reasons; /* NVML's bits of why the clock is not higher */
};

/* NULL where there is no NVML, or it does not know the address. */
struct clocks *clocks_open(const char *pci);
void clocks_close(struct clocks *clocks);
bool clocks_read(struct clocks *clocks, struct clock_reading *reading);
const char *clocks_trouble(const struct clock_reading *reading);
/* The memory's peak rate in bytes per second, from its clock and bus; 0 if NVML
 * does not say. */
double clocks_bandwidth(struct clocks *clocks);

#endif

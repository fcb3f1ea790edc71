// SPDX-License-Identifier: MIT
/*
 * clocks.h: clocks from the issue of a load to the use of what it brings, as
 * tests/hardware/rates.cu measured them on an H200; used for every GPU.
 */
#ifndef SIMGPU_CLOCKS_H
#define SIMGPU_CLOCKS_H

enum {
    CLOCKS_CONSTANT = 104, /* beyond the first 2 KB; caches.cu */
    CLOCKS_L1 = 32, CLOCKS_L2 = 280, CLOCKS_MEMORY = 658, CLOCKS_SHARED = 23,
};

#endif

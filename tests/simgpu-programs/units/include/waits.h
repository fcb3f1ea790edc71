// SPDX-License-Identifier: MIT
/* waits.h: of bug/header_waits.cu: functions that are not inlined, in a folder
 * of the name that the toolkit's headers have. */
#ifndef WAITS_H
#define WAITS_H

static __device__ __noinline__ int look(const volatile int *flag)
{
    return *flag;
}

static __device__ __noinline__ void wait_for(const volatile int *flag)
{
    while (!look(flag))
        ;
}

#endif

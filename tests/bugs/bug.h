// SPDX-License-Identifier: MIT
/*
 * bug.h: common to the programs of this folder. Each NAME.cu is a kernel
 * with one bug, mended under MENDED, and a run() that launches it; run.sh puts
 * them into namespaces of their own in one program.
 *
 *   cells(n)     n words of zeros on the device
 *   unset(n)     n words that were never written
 *   pinned(n)    n words in pinned host memory: 0, 1, 2, ...
 *   stream(), event()
 *   launched()   waits; the report shows launches that failed
 */
#ifndef BUG_H
#define BUG_H

#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include "../simgpu-programs/check.h"
#include "mbarrier.h"
#include "bulk.h"
#include "tensor.h"

enum { LANES = 32, THREADS = 128, BLOCKS = 6, N = BLOCKS * THREADS };

static int *unset(size_t n)
{
    int *p;
    CUDA(cudaMalloc(&p, n * sizeof *p));
    return p;
}

static int *cells(size_t n)
{
    int *p = unset(n);
    CUDA(cudaMemset(p, 0, n * sizeof *p));
    return p;
}

/* Work of two such streams, or of one and the default one, is unordered. */
static cudaStream_t stream(void)
{
    cudaStream_t made;
    CUDA(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking));
    return made;
}

static cudaEvent_t event(void)
{
    cudaEvent_t made;
    CUDA(cudaEventCreateWithFlags(&made, cudaEventDisableTiming));
    return made;
}

static int *pinned(size_t n)
{
    int *p;
    CUDA(cudaMallocHost(&p, n * sizeof *p));
    for (size_t i = 0; i < n; i++)
        p[i] = (int)i;
    return p;
}

static void launched(void)
{
    cudaDeviceSynchronize();
}

#endif

// SPDX-License-Identifier: MIT
/* Chapter 15's few rows have parts of k only where all blocks run at a time:
 * one on a multiprocessor of an RTX 4090, whose memory on chip holds one. */
#include <stdio.h>

#include "15-gemm-async-pipeline/few.cu"

static int together(const void *kernel, int bytes)
{
    int each = 0, most = 0;

    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, FEW_THREADS,
                                                  bytes);
    cudaDeviceGetAttribute(&most, cudaDevAttrMultiProcessorCount, 0);
    return each * most;
}

int main(void)
{
    struct gemm_shape s = {16, 4096, 4096, 4096, 4096, 4096};
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaKernelNodeParams launch = {};
    size_t nodes = 1;
    float *any;
    int blocks, most;

    cudaMalloc(&any, 1 << 24);
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    gemm_f32(any, any, any, s, 1.0f, 0.0f, NULL, stream);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphGetNodes(graph, &node, &nodes);
    cudaGraphKernelNodeGetParams(node, &launch);
    blocks = launch.gridDim.x * launch.gridDim.y * launch.gridDim.z;
    most = together(launch.func, launch.sharedMemBytes);
    if (launch.gridDim.z < 2 || blocks > most)
        fprintf(stderr, "%u parts, %d blocks, of which %d run at a time\n",
                launch.gridDim.z, blocks, most);
    return launch.gridDim.z < 2 || blocks > most;
}

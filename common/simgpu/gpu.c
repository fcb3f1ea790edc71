// SPDX-License-Identifier: MIT
/*
 * gpu.c: the GPUs that the simulator can pose as, one row per model.
 *
 *   gpu_find, gpu_named, gpu_list, gpu_peak   see gpu.h
 *
 * A figure is the vendor's, by the source its row names; limits per
 * multiprocessor are the CUDA Programming Guide's "Technical Specifications
 * per Compute Capability". Peaks are at the datasheet's clock; one that it does
 * not give is the lanes per clock of gpu_rates.c at the boost clock. The first
 * row is the default. Groups of multiprocessors are those that the clusters say
 * which an H200 and an H100 hold of 16, 4 and 2 blocks, one on each of them.
 */
#include "gpu.h"

#include <string.h>

#define KIB ((size_t)1024)
#define MIB (1024 * KIB)
#define GIB ((uint64_t)1024 * MIB)

static const struct gpu_model models[] = {
    {.key = "h200", .name = "NVIDIA H200", .cc_major = 9, .cc_minor = 0,
     .sms = 132, .groups = {18, 18, 18, 16, 16, 16, 16, 14},
     .clock_khz = 1980000, .memory_clock_khz = 3201000, .bus_bits = 6144,
     .memory_bytes = 150109880320, /* cudaGetDeviceProperties says */
     .l2_bytes = 60 * MIB, /* as well */
     .max_threads_sm = 2048, .max_blocks_sm = 32, .registers_sm = 65536,
     .shared_sm = 228 * KIB, .shared_block = 48 * KIB,
     .shared_block_optin = 227 * KIB, .shared_reserved = 1 * KIB,
     .bandwidth = 4.8e12,
     .peak = {[GPU_PEAK_fp64] = 34e12, [GPU_PEAK_fp32] = 67e12,
              [GPU_PEAK_fp16] = 133.8e12, [GPU_PEAK_bf16] = 133.8e12,
              [GPU_PEAK_int8] = 133.8e12,
              [GPU_PEAK_fp64_tensor] = 67e12,
              [GPU_PEAK_tf32_tensor] = 494.7e12,
              [GPU_PEAK_fp16_tensor] = 989.4e12,
              [GPU_PEAK_bf16_tensor] = 989.4e12,
              [GPU_PEAK_fp8_tensor] = 1979e12,
              [GPU_PEAK_int8_tensor] = 1979e12},
     .schedulers = 4, .l1_bytes = 256 * KIB, .l1_with_shared = true,
     .source = "NVIDIA H200 datasheet (SXM); H100 white paper (SMs, L2)"},
    {.key = "h100", .name = "NVIDIA H100 80GB HBM3", .cc_major = 9,
     .cc_minor = 0, .sms = 132, .groups = {18, 18, 18, 18, 16, 16, 14, 14},
     .clock_khz = 1980000, .memory_clock_khz = 2619000, .bus_bits = 5120,
     .memory_bytes = 80 * GIB, .l2_bytes = 50 * MIB,
     .max_threads_sm = 2048, .max_blocks_sm = 32, .registers_sm = 65536,
     .shared_sm = 228 * KIB, .shared_block = 48 * KIB,
     .shared_block_optin = 227 * KIB, .shared_reserved = 1 * KIB,
     .bandwidth = 3.35e12,
     .peak = {[GPU_PEAK_fp64] = 34e12, [GPU_PEAK_fp32] = 67e12,
              [GPU_PEAK_fp16] = 133.8e12, [GPU_PEAK_bf16] = 133.8e12,
              [GPU_PEAK_int8] = 133.8e12,
              [GPU_PEAK_fp64_tensor] = 67e12,
              [GPU_PEAK_tf32_tensor] = 494.7e12,
              [GPU_PEAK_fp16_tensor] = 989.4e12,
              [GPU_PEAK_bf16_tensor] = 989.4e12,
              [GPU_PEAK_fp8_tensor] = 1979e12,
              [GPU_PEAK_int8_tensor] = 1979e12},
     .schedulers = 4, .l1_bytes = 256 * KIB, .l1_with_shared = true,
     .source = "NVIDIA H100 datasheet (SXM5) and white paper"},
    {.key = "a100", .name = "NVIDIA A100-SXM4-80GB", .cc_major = 8,
     .cc_minor = 0, .sms = 108, .clock_khz = 1410000,
     .memory_clock_khz = 1593000, .bus_bits = 5120,
     .memory_bytes = 80 * GIB, .l2_bytes = 40 * MIB,
     .max_threads_sm = 2048, .max_blocks_sm = 32, .registers_sm = 65536,
     .shared_sm = 164 * KIB, .shared_block = 48 * KIB,
     .shared_block_optin = 163 * KIB, .shared_reserved = 1 * KIB,
     .bandwidth = 2.039e12,
     .peak = {[GPU_PEAK_fp64] = 9.7e12, [GPU_PEAK_fp32] = 19.5e12,
              [GPU_PEAK_fp16] = 78e12, [GPU_PEAK_bf16] = 39e12,
              [GPU_PEAK_int8] = 77.97e12,
              [GPU_PEAK_fp64_tensor] = 19.5e12,
              [GPU_PEAK_tf32_tensor] = 156e12,
              [GPU_PEAK_fp16_tensor] = 312e12,
              [GPU_PEAK_bf16_tensor] = 312e12,
              [GPU_PEAK_int8_tensor] = 624e12},
     .schedulers = 4, .l1_bytes = 192 * KIB, .l1_with_shared = true,
     .source = "NVIDIA A100 datasheet (80 GB SXM) and white paper"},
    {.key = "t4", .name = "Tesla T4", .cc_major = 7, .cc_minor = 5,
     .sms = 40, .clock_khz = 1590000,
     .memory_clock_khz = 5001000, .bus_bits = 256,
     .memory_bytes = 15 * GIB, .l2_bytes = 4 * MIB,
     .max_threads_sm = 1024, .max_blocks_sm = 16, .registers_sm = 65536,
     .shared_sm = 64 * KIB, .shared_block = 48 * KIB,
     .shared_block_optin = 64 * KIB, .shared_reserved = 0,
     .bandwidth = 320e9,
     .peak = {[GPU_PEAK_fp64] = 0.254e12, [GPU_PEAK_fp32] = 8.1e12,
              [GPU_PEAK_fp16] = 16.3e12, [GPU_PEAK_int8] = 32.56e12,
              [GPU_PEAK_fp16_tensor] = 65e12,
              [GPU_PEAK_int8_tensor] = 130e12},
     .schedulers = 4, .l1_bytes = 96 * KIB, .l1_with_shared = true,
     .source = "NVIDIA T4 datasheet; Turing white paper (SMs, L2)"},
    {.key = "rtx4090", .name = "NVIDIA GeForce RTX 4090", .cc_major = 8,
     .cc_minor = 9, .sms = 128, .clock_khz = 2520000,
     .memory_clock_khz = 10501000, .bus_bits = 384,
     .memory_bytes = 24 * GIB, .l2_bytes = 72 * MIB,
     .max_threads_sm = 1536, .max_blocks_sm = 24, .registers_sm = 65536,
     .shared_sm = 100 * KIB, .shared_block = 48 * KIB,
     .shared_block_optin = 99 * KIB, .shared_reserved = 1 * KIB,
     .bandwidth = 1.008e12,
     .peak = {[GPU_PEAK_fp64] = 1.29e12, [GPU_PEAK_fp32] = 82.6e12,
              [GPU_PEAK_fp16] = 82.6e12, [GPU_PEAK_bf16] = 82.6e12,
              [GPU_PEAK_int8] = 165.2e12,
              [GPU_PEAK_tf32_tensor] = 82.6e12,
              [GPU_PEAK_fp16_tensor] = 165.2e12,
              [GPU_PEAK_bf16_tensor] = 165.2e12,
              [GPU_PEAK_fp8_tensor] = 330.3e12,
              [GPU_PEAK_int8_tensor] = 660.6e12},
     .schedulers = 4, .l1_bytes = 128 * KIB, .l1_with_shared = true,
     .source = "NVIDIA Ada GPU architecture white paper"},
    {.key = "p100", .name = "Tesla P100-PCIE-16GB", .cc_major = 6,
     .cc_minor = 0, .sms = 56, .clock_khz = 1303000,
     .memory_clock_khz = 715000, .bus_bits = 4096,
     .memory_bytes = 16 * GIB, .l2_bytes = 4 * MIB,
     .max_threads_sm = 2048, .max_blocks_sm = 32, .registers_sm = 65536,
     .shared_sm = 64 * KIB, .shared_block = 48 * KIB,
     .shared_block_optin = 48 * KIB, .shared_reserved = 0,
     .bandwidth = 732e9,
     .peak = {[GPU_PEAK_fp64] = 4.7e12, [GPU_PEAK_fp32] = 9.3e12,
              [GPU_PEAK_fp16] = 18.7e12},
     .schedulers = 2, .l1_bytes = 24 * KIB, .l1_with_shared = false,
     .source = "NVIDIA Tesla P100 PCIe datasheet; Pascal white paper"},
};

enum { N_MODELS = sizeof models / sizeof models[0] };

const struct gpu_model *gpu_find(const char *key)
{
    for (size_t i = 0; i < N_MODELS; i++)
        if (strcmp(models[i].key, key) == 0)
            return &models[i];
    return NULL;
}

const struct gpu_model *gpu_named(const char *name)
{
    const struct gpu_model *found = NULL;

    for (size_t i = 0; i < N_MODELS; i++)
        if (strstr(name, models[i].name) &&
            (!found || strlen(models[i].name) > strlen(found->name)))
            found = &models[i];
    return found;
}

static const char *peak_name(enum gpu_peak peak)
{
    static const char *const names[] = {
#define X(name) #name,
        GPU_PEAKS(X)
#undef X
    };
    return names[peak];
}

double gpu_peak(const struct gpu_model *gpu, const char *name)
{
    for (int i = 0; i < GPU_N_PEAKS; i++)
        if (strcmp(peak_name((enum gpu_peak)i), name) == 0)
            return gpu->peak[i];
    return 0.0;
}

size_t gpu_list(const struct gpu_model **list)
{
    *list = models;
    return N_MODELS;
}

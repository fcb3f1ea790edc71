// SPDX-License-Identifier: MIT
// mutant: the maps end at the last whole tile
// chapter: 17 tma
// expect: WRONG
// shape: M130 N131 K130
#include "op/gemm_hopper.cuh"

#define tensor_map(map, matrix, rows, columns, ...)                           \
    tensor_map(map, matrix, rows,                                             \
               (columns) > 64 ? (columns) / 64 * 64 : (columns), __VA_ARGS__)

#include "../solutions/17-gemm-hopper/tma.cu"

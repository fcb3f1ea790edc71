// SPDX-License-Identifier: MIT
// mutant: nobody asks where C begins
// chapter: 17 gemm
// expect: LAUNCH
    //> todo launch (about 19 lines)
    int device = 0, room = 1, tiles = tiles_of(shape);
    bool wide = (shape.N | shape.ldc) % CHUNK == 0;
    int on_chip = sizeof(struct on_chip);
    struct maps maps;
    cudaError_t error =
        map_boxes(&maps, A, B, shape, BM, BK, &workspace, stream);
    bool whole = beta == 0.0f && wide; // the copy engine stores whole chunks

    if (error == cudaSuccess && whole)
        error = tensor_map(&maps.c, C, shape.M, shape.N, shape.ldc, WGMMA_M,
                           &workspace, stream);
    if (error != cudaSuccess)
        return error;
    cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         on_chip);
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&room, cudaDevAttrMultiProcessorCount, device);
    gemm<<<min(tiles, room * BLOCKS), THREADS, on_chip, stream>>>(
        maps, C, shape, alpha, beta, wide, whole);
    //< todo

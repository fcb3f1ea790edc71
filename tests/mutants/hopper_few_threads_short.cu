// SPDX-License-Identifier: MIT
// mutant: wide tiles with the threads of narrow ones: half is not computed
// chapter: 17 few
// expect: WRONG|TIMEOUT|RACE|MEMORY
// shape: M640 N1792 K8
//> todo launch (about 28 lines)
    int device = 0, room = 1;
    bool wide = (size_t)C % 16 == 0 && (shape.N | shape.ldc) % CHUNK == 0;
    bool whole = beta == 0.0f && wide; // the copy engine stores whole chunks
    struct maps maps;

    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&room, cudaDevAttrMultiProcessorCount, device);

    int tiles = tiles_of<64, 128>(shape);
    bool few = tiles <= room; // then all of them run at a time
    int threads = 2 * GROUP;
    int on_chip = few ? sizeof(struct chip<64, 128, 6>)
                      : sizeof(struct chip<128, 256, 4>);
    auto kernel = few ? gemm<64, 128, 6> : gemm<128, 256, 4>;
    cudaError_t error = map_boxes(&maps, A, B, shape, few ? 64 : 128, BK,
                                  &workspace, stream);

    if (!few)
        tiles = tiles_of<128, 256>(shape);
    if (error == cudaSuccess && whole)
        error = tensor_map(&maps.c, C, shape.M, shape.N, shape.ldc, WGMMA_M,
                           &workspace, stream);
    if (error != cudaSuccess)
        return error;
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         on_chip);
    kernel<<<min(tiles, room * BLOCKS), threads, on_chip, stream>>>(
        maps, C, shape, alpha, beta, wide, whole);
//< todo

// SPDX-License-Identifier: MIT
// honest: small products in tiles of 128 x 128, five pairs of them on chip
// chapter: 17 few
// expect: PASS
//> todo launch (about 28 lines)
    int device = 0, room = 1;
    bool wide = (size_t)C % 16 == 0 && (shape.N | shape.ldc) % CHUNK == 0;
    bool whole = beta == 0.0f && wide; // the copy engine stores whole chunks
    struct maps maps;

    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&room, cudaDevAttrMultiProcessorCount, device);

    int tiles = tiles_of<128, 128>(shape);
    bool few = tiles <= room; // then all of them run at a time
    int threads = 3 * GROUP;
    int on_chip = few ? sizeof(struct chip<128, 128, 5>)
                      : sizeof(struct chip<128, 256, 4>);
    auto kernel = few ? gemm<128, 128, 5> : gemm<128, 256, 4>;
    cudaError_t error = map_boxes(&maps, A, B, shape, 128, BK,
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

// SPDX-License-Identifier: MIT
/*
 * boxes.cu: what the copy engine does with boxes of tensors, on a GPU or on the
 * simulated one: a line per map or copy, `name result`. The result of a map is
 * what cuTensorMapEncodeTiled returned; that of a copy is a hash of all the
 * memory that it may have changed, which held random words before, and of
 * whether the mbarrier saw all bytes that were expected.
 *
 *   boxes [FIRST LAST]   copies by number, or all
 *
 * Made for compute capability 9.0. tests/boxes/run.sh compares the simulated
 * GPU with boxes-h200.txt, which an H200 gave.
 */
#include <cuda.h>

#include "boxes.cuh"

static int asked_first = 0, asked_last = 1 << 30, number;

static bool wanted()
{
    int n = number++;
    return n >= asked_first && n <= asked_last;
}

// Copies ----------------------------------------------------------------------

static void run(const struct copy *c, const char *name)
{
    static uint32_t words[WORDS];
    CUtensorMap map;
    uint32_t *global, *tiles;
    struct where x = {.rank = c->rank, .op = c->op, .to = c->to,
                      .bytes = expected_bytes(c), .mask = c->mask,
                      .content = c->content};
    size_t bytes;

    if (!wanted())
        return;
    cuda(cudaMalloc(&global, GLOBAL_BYTES), "memory");
    cuda(cudaMalloc(&tiles, BLOCKS * (TILE_BYTES + 4)), "memory");
    for (int k = 0; k < GLOBAL_BYTES / 4; k++)
        words[k] = word_of(c->seed, k, c->content);
    cuda(cudaMemcpy(global, words, GLOBAL_BYTES, cudaMemcpyHostToDevice), name);
    for (int d = 0; d < RANKS; d++)
        x.at[d] = c->at[d];
    int error = encode_copy(&map, c, (char *)global + c->base);
    if (error) {
        printf("copy.%s map %d\n", name, error);
        return;
    }
    if (c->way == LOAD) {
        load<<<1, THREADS>>>(map, x, c->seed + 1, tiles);
        bytes = TILE_BYTES + 4;
    } else if (c->way == SPREAD) {
        spread<<<BLOCKS, THREADS>>>(map, x, c->seed + 1, tiles);
        bytes = BLOCKS * (TILE_BYTES + 4);
    } else {
        store<<<1, THREADS>>>(map, x, c->seed + 1);
        bytes = GLOBAL_BYTES;
    }
    cudaError_t status = cudaDeviceSynchronize();
    if (status != cudaSuccess) {
        printf("copy.%s %s\n", name, cudaGetErrorName(status));
        exit(1);
    }
    cuda(cudaMemcpy(words, c->way == STORE ? global : tiles, bytes,
                    cudaMemcpyDeviceToHost), name);
    print_copy(c, name, words, bytes);
    cuda(cudaFree(global), name);
    cuda(cudaFree(tiles), name);
}

// A copy of random shape. Not every type and swizzle fits a box: draws again.
static struct copy drawn(uint32_t seed, enum way way)
{
    static const int spans[] = {256, 32, 64, 128}, sizes[] = {
        1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
    uint32_t n = 0;
#define DRAW(most) (mix(mix(seed * 64 + n++) + 99) % (uint32_t)(most))
    for (;;) {
        struct copy c = {.way = way, .seed = seed};
        int span, size, count = 1;
        bool fits;

        c.type = (int)DRAW(13);
        c.rank = 1 + (int)DRAW(5);
        c.swizzle = (int)DRAW(4);
        c.fill = c.type >= 6 && DRAW(2);
        c.base = 16 * (int)DRAW(8);
        c.to = 128 * DRAW(9);
        c.mask = 1 + DRAW(15);
        size = sizes[c.type];
        span = spans[c.swizzle];
        c.box[0] = (uint32_t)(16 * (1 + DRAW(span / 16)) / size);
        for (int d = 0; d < RANKS; d++) {
            c.step[d] = d && way == LOAD && DRAW(4) == 0 ? 2 + DRAW(2) : 1;
            if (d)
                c.box[d] = (1 + DRAW(c.rank < 4 ? 12 : 4)) * c.step[d];
            c.extent[d] = 1 + DRAW(d ? 9 : 2 * c.box[0] + 9) + c.box[d] / 2;
            c.at[d] = (int)DRAW(c.extent[d] + c.box[d] / 2) - (int)c.box[d] / 2;
            if (way == STORE && c.at[d] < 0)
                c.at[d] = 0; // it may not begin before the tensor
            if (d && d < c.rank)
                count *= (int)(c.box[d] / c.step[d]);
        }
        // The first coordinate has to be at a multiple of 16 bytes.
        c.at[0] = c.at[0] * size & ~15;
        c.at[0] /= size;
        uint64_t row = (c.extent[0] * size + 15) / 16 * 16;
        for (int d = 0; d + 1 < c.rank; d++) {
            c.stride[d] = row + 16 * DRAW(3);
            row = c.stride[d] * c.extent[d + 1];
        }
        fits = c.box[0] * size >= 16 && c.box[0] <= 256 &&
               row + c.base <= GLOBAL_BYTES &&
               (size_t)count * 256 + c.to <= TILE_BYTES;
        if (fits)
            return c;
    }
#undef DRAW
}

static void drawn_copies()
{
    static const char *const names[] = {"load", "spread", "store"};
    static const int counts[] = {240, 40, 120};
    char name[64];

    for (int way = 0; way < 3; way++)
        for (int n = 0; n < counts[way]; n++) {
            struct copy c = drawn(1000 * (way + 1) + n, (enum way)way);
            snprintf(name, sizeof name, "%s_%d", names[way], n);
            run(&c, name);
        }
}

// A box within a matrix of 40 x 24, for every operation and type.
static void reductions()
{
    static const char *const types[] = {
        "u8", "u16", "u32", "s32", "u64", "s64", "f16", "f32", "f64", "bf16",
        "f32_ftz", "tf32", "tf32_ftz"};
    static const int sizes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
    char name[64];

    for (int op = 1; op < OPS; op++)
        for (int type = 0; type < 13; type++) {
            struct copy c = {.way = STORE, .type = type, .rank = 2,
                             .swizzle = 3 * (type % 2), .op = op,
                             .at = {0, 3}, .seed = 77u + op * 16 + type};
            if (!reduces(op, type))
                continue;
            c.content = type >= 6 ? TAME : RANDOM;
            c.extent[0] = (uint64_t)(64 / sizes[type] - 3), c.extent[1] = 10;
            c.stride[0] = 80;
            c.box[0] = (uint32_t)(64 / sizes[type]), c.box[1] = 9;
            c.step[0] = c.step[1] = 1;
            snprintf(name, sizeof name, "%s_%s", op_names[op], types[type]);
            run(&c, name);
        }
}

// Numbers of 32 bits that a type may not keep as they are.
static void numbers()
{
    static const char *const names[] = {"f32", "", "", "f32_ftz", "tf32",
                                        "tf32_ftz"};
    char name[64];

    for (int type = 7; type < 13; type++)
        for (int way = 0; way < 2; way++) {
            struct copy c = {.way = way ? STORE : LOAD, .type = type,
                             .rank = 1, .extent = {250}, .box = {256},
                             .step = {1}, .seed = 900u + type,
                             .content = SHARP};
            if (type == 8 || type == 9)
                continue;
            snprintf(name, sizeof name, "%s_%s", way ? "numbers_out" : "numbers",
                     names[type - 7]);
            run(&c, name);
        }
}

// Steps along a row, and steps of a store; what is refused: where a box may not
// begin.
static void others()
{
    static const struct { const char *name; enum way way; uint32_t step[2];
                          int at[2]; }
    cases[] = {{"load_steps", LOAD, {2, 1}, {4, 2}},
               {"load_row_steps", LOAD, {1, 2}, {4, 2}},
               {"store_steps", STORE, {2, 1}, {4, 2}},
               {"store_row_steps", STORE, {1, 3}, {4, 2}},
               {"load_at_12", LOAD, {1, 1}, {3, 2}},
               {"store_at_12", STORE, {1, 1}, {3, 2}},
               {"store_before_row", STORE, {1, 1}, {-4, 2}},
               {"store_before_column", STORE, {1, 1}, {4, -1}},
               {"store_far", STORE, {1, 1}, {4, 1000000}},
               {"load_far", LOAD, {1, 1}, {-1000000, 1000000}}};
    uint32_t n = 0;

    for (const auto &x : cases) {
        struct copy c = {.way = x.way, .type = 2, .rank = 2,
                         .extent = {30, 11}, .stride = {144}, .box = {16, 6},
                         .step = {x.step[0], x.step[1]},
                         .at = {x.at[0], x.at[1]}, .seed = 500 + n++};
        run(&c, x.name);
    }
}

// Maps ------------------------------------------------------------------------

static struct copy usual()
{
    struct copy c = {.way = LOAD, .type = 9, .rank = 3, .swizzle = 3,
                     .promotion = 3, .extent = {64, 32, 8, 1, 1}, .stride = {128, 4096},
                     .box = {64, 16, 2, 1, 1}, .step = {1, 1, 1, 1, 1}};
    return c;
}

static void map_line(const char *name, const struct copy *c, uint64_t at)
{
    CUtensorMap map;
    printf("map.%s %d\n", name, encode_copy(&map, c, (void *)at));
}

// Each differs from the usual one in what its name says.
static void maps()
{
    const uint64_t at = 0x7f0000000000ull;
#define MAP(name, address, ...)                                               \
    do {                                                                      \
        struct copy c = usual();                                              \
        __VA_ARGS__;                                                          \
        map_line(name, &c, address);                                          \
    } while (0)
    MAP("usual", at);
    MAP("address_null", 0);
    MAP("address_8", at + 8);
    MAP("address_16", at + 16);
    MAP("rank_0", at, c.rank = 0);
    MAP("rank_1", at, c.rank = 1);
    MAP("rank_2", at, c.rank = 2);
    MAP("rank_6", at, c.rank = 6);
    MAP("type_12", at, c.type = 12, c.box[0] = 32, c.stride[0] = 256);
    MAP("type_13", at, c.type = 13);
    MAP("type_16", at, c.type = 16);
    MAP("extent_0", at, c.extent[1] = 0);
    MAP("extent_last_0", at, c.extent[2] = 0);
    MAP("extent_2_32", at, c.extent[2] = 1ull << 32);
    MAP("extent_2_32_1", at, c.extent[2] = (1ull << 32) + 1);
    MAP("stride_0", at, c.stride[0] = 0);
    MAP("stride_8", at, c.stride[0] = 136);
    MAP("stride_16", at, c.stride[0] = 144);
    MAP("stride_below_row", at, c.stride[0] = 112);
    MAP("stride_16_below_row", at, c.stride[0] = 16);
    MAP("stride_below_plane", at, c.stride[1] = 2048);
    MAP("stride_not_multiple", at, c.stride[1] = 4112);
    MAP("stride_below_other", at, c.stride[1] = 64);
    MAP("stride_2_40", at, c.stride[1] = 1ull << 40);
    MAP("stride_2_40_less", at, c.stride[1] = (1ull << 40) - 16);
    MAP("box_0", at, c.box[1] = 0);
    MAP("box_256", at, c.box[1] = 256);
    MAP("box_257", at, c.box[1] = 257);
    MAP("box_beyond_extent", at, c.box[1] = 64);
    MAP("box_inner_8", at, c.box[0] = 4);
    MAP("box_inner_24", at, c.box[0] = 12);
    MAP("box_inner_32", at, c.box[0] = 16);
    MAP("box_inner_130", at, c.box[0] = 65);
    MAP("box_inner_144", at, c.box[0] = 72);
    MAP("box_inner_512", at, c.swizzle = 0, c.box[0] = 256);
    MAP("box_all_large", at, c.box[1] = 256, c.box[2] = 256);
    MAP("box_64_KiB", at, c.box[1] = 256, c.box[2] = 2);
    MAP("box_128_KiB", at, c.box[1] = 256, c.box[2] = 4);
    MAP("box_192_KiB", at, c.box[1] = 256, c.box[2] = 6);
    MAP("box_224_KiB", at, c.box[1] = 256, c.box[2] = 7);
    MAP("box_256_KiB", at, c.box[1] = 256, c.box[2] = 8);
    MAP("box_240_KiB", at, c.box[1] = 240, c.box[2] = 8);
    MAP("box_512_KiB", at, c.box[1] = 256, c.box[2] = 16);
    MAP("box_256_KiB_by_steps", at, c.box[1] = 256, c.box[2] = 8,
        c.step[1] = 2);
    MAP("swizzle_32_inner_64", at, c.swizzle = 1, c.box[0] = 32);
    MAP("swizzle_64_inner_128", at, c.swizzle = 2);
    MAP("swizzle_7", at, c.swizzle = 7);
    MAP("step_0", at, c.step[1] = 0);
    MAP("step_first_0", at, c.step[0] = 0);
    MAP("step_first_2", at, c.step[0] = 2);
    MAP("step_first_9", at, c.step[0] = 9);
    MAP("step_8", at, c.step[1] = 8);
    MAP("step_9", at, c.step[1] = 9);
    MAP("step_3", at, c.step[1] = 3);
    MAP("promotion_4", at, c.promotion = 4);
    MAP("fill_nan", at, c.fill = 1);
    MAP("fill_nan_s32", at, c.fill = 1, c.type = 3, c.box[0] = 32);
    MAP("fill_nan_u8", at, c.fill = 1, c.type = 0);
    MAP("fill_2", at, c.fill = 2);
    MAP("no_strides", at, c.rank = 1, c.extent[1] = 0, c.box[1] = 0);
    MAP("address_2_57", 1ull << 57);
#undef MAP
}

int main(int argc, char **argv)
{
    if (argc > 2) {
        asked_first = atoi(argv[1]);
        asked_last = atoi(argv[2]);
    }
    cuda(cudaFree(0), "device");
    if (asked_first == 0)
        maps();
    drawn_copies();
    numbers();
    reductions();
    others();
    return 0;
}

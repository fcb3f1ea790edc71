// SPDX-License-Identifier: MIT
/*
 * programs_tensor.c: copies of boxes of tensors, of every rank and in both
 * directions, and their reductions. The map is written by the kernel itself, in
 * the engine's own layout (tensor_map.h). What the copies do with swizzles,
 * edges and steps is held to an H200 by tests/boxes.
 */
#include "conformance.h"

#include <stddef.h>
#include <stdio.h>

#include "simgpu/tensor_map.h"

enum { TEXT = 4096, WORDS = 64 };

static uint32_t same(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    return x;
}

static uint32_t twice(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    return 2 * x;
}

#define CELLS                                                                  \
    ".shared .align 128 .b8 tile[512]; .shared .align 8 .b64 object;\n"        \
    ".global .align 64 .b8 map[128]; .global .align 16 .b8 far[256];\n"
/* As in programs_bulk.c; %l6: far. */
#define SETUP                                                                  \
    "mov.u32 %r2, tile; shl.b32 %r3, %t, 2; add.s32 %r3, %r2, %r3;\n"          \
    "add.s64 %l3, %in, %at; mov.u32 %r8, object; setp.eq.u32 %p4, %t, 0;\n"    \
    "createpolicy.cvt.L2.b64 %l9, 0x10f0; mov.u16 %h9, 1; mov.u64 %l6, far;\n" \
    "st.shared.u32 [%r3], %x; st.shared.u32 [%r3+256], 0;\n"                   \
    "add.s64 %l7, %l6, %at; st.global.u32 [%l7], %x; mov.u32 %r4, 0;\n"        \
    "@%p4 mbarrier.init.shared.b64 [%r8], 1; fence.mbarrier_init.release."     \
    "cluster;\nfence.proxy.async; sub.s64 %l4, %l3, %at;\n"                    \
    "mul.lo.u32 %r9, %r0, 256; cvt.u64.u32 %l5, %r9; mov.u64 %l8, map;\n"
#define COMPLETES ".mbarrier::complete_tx::bytes"

/* The 64 words as 4 rows of 16, of words; more dimensions are 1 wide. */
static const char *coordinates[] = {"{%r4}", "{%r4, %r4}", "{%r4, %r4, %r4}",
                                    "{%r4, %r4, %r4, %r4}",
                                    "{%r4, %r4, %r4, %r4, %r4}"};

static size_t write_map(char *to, size_t room, int rank, const char *address)
{
    int n = snprintf(to, room, "@!%%p4 bra M;\nst.global.u64 [%%l8], %llu;\n"
                     "st.global.u64 [%%l8+8], %s;\n"
                     "st.global.u8 [%%l8+%zu], %d;\n"
                     "st.global.u8 [%%l8+%zu], %d;\n",
                     (unsigned long long)TENSOR_MAP_MARK, address,
                     offsetof(struct tensor_map, type), MAP_U32,
                     offsetof(struct tensor_map, rank), rank);
    for (int d = 0; d < TENSOR_RANKS; d++) {
        int words = d == 0 ? rank == 1 ? 64 : 16 : d == 1 && rank > 1 ? 4 : 1;
        int stride = d == 0 || d >= rank ? 0 : d == 1 ? 64 : 256;
        n += snprintf(to + n, room - (size_t)n,
                      "st.global.u64 [%%l8+%zu], %d;\n"
                      "st.global.u64 [%%l8+%zu], %d;\n"
                      "mov.u16 %%h1, %d; st.global.u16 [%%l8+%zu], %%h1;\n"
                      "st.global.u8 [%%l8+%zu], 1;\n",
                      offsetof(struct tensor_map, extent) + 8 * (size_t)d,
                      words,
                      offsetof(struct tensor_map, stride) + 8 * (size_t)d,
                      stride, words,
                      offsetof(struct tensor_map, box) + 2 * (size_t)d,
                      offsetof(struct tensor_map, step) + (size_t)d);
    }
    n += snprintf(to + n, room - (size_t)n, "M: bar.sync 0;\n");
    return (size_t)n;
}

/* From the input to the second quarter. */
static void loads(int rank, const char *to, const char *tile, const char *more,
                  const char *operands)
{
    char body[TEXT], name[160];
    size_t n = (size_t)snprintf(body, sizeof body, "%s", SETUP);
    snprintf(name, sizeof name, "cp.async.bulk.tensor.%dd.%s.global%s%s%s",
             rank, to, tile, COMPLETES, more);
    n += write_map(body + n, sizeof body - n, rank, "%l4");
    snprintf(body + n, sizeof body - n,
             "@%%p4 prefetch.tensormap [%%l8];\n"
             "@%%p4 %s [%%r2+256], [%%l8, %s], [%%r8]%s;\n"
             "@%%p4 mbarrier.arrive.expect_tx.shared.b64 _, [%%r8], 256;\n"
             "W: mbarrier.try_wait.parity.shared.b64 %%p3, [%%r8], 0;\n"
             "@!%%p3 bra W;\nld.shared.u32 %%d, [%%r3+256];\n", name,
             coordinates[rank - 1], operands);
    program_run(&(struct program){name, 1, WORDS, CELLS, body, same, 0, 0});
}

/* From the first quarter to far. */
static void stores(int rank, const char *tile, const char *op, const char *more,
                   const char *operands,
                   uint32_t (*want)(uint32_t i, uint32_t x,
                                    const uint32_t *all))
{
    char body[TEXT], name[160];
    size_t n = (size_t)snprintf(body, sizeof body, "%s", SETUP);
    snprintf(name, sizeof name,
             "cp.%sasync.bulk.tensor.%dd.global.shared::cta%s%s.bulk_group%s",
             *op ? "reduce." : "", rank, op, tile, more);
    n += write_map(body + n, sizeof body - n, rank, "%l6");
    snprintf(body + n, sizeof body - n,
             "@%%p4 %s [%%l8, %s], [%%r2]%s;\n"
             "@%%p4 cp.async.bulk.commit_group;\n"
             "@%%p4 cp.async.bulk.wait_group 0;\nbar.sync 0;\n"
             "ld.global.u32 %%d, [%%l7];\n", name, coordinates[rank - 1],
             operands);
    program_run(&(struct program){name, 1, WORDS, CELLS, body, want, 0, 0});
}

static void prefetches(int rank, const char *tile, const char *more,
                       const char *operands)
{
    static const char *const scopes[] = {"cta", "cluster", "gpu", "sys"};
    char body[TEXT], name[160];
    size_t n = (size_t)snprintf(body, sizeof body, "%s", SETUP);
    snprintf(name, sizeof name,
             "cp.async.bulk.prefetch.tensor.%dd.L2.global%s%s", rank, tile,
             more);
    n += write_map(body + n, sizeof body - n, rank, "%l4");
    snprintf(body + n, sizeof body - n,
             "fence.proxy.tensormap::generic.release.%s;\n"
             "fence.proxy.tensormap::generic.acquire.%s [%%l8], 128;\n"
             "@%%p4 prefetch.param.tensormap [%%l8];\n"
             "@%%p4 prefetch.const.tensormap [%%l8];\n"
             "@%%p4 %s [%%l8, %s]%s;\nmov.u32 %%d, %%x;\n",
             scopes[rank % 4], scopes[rank % 4], name, coordinates[rank - 1],
             operands);
    program_run(&(struct program){name, 1, WORDS, CELLS, body, same, 0, 0});
}

/* x ^ x; and of inc: old >= x ? 0 : old + 1, with old = x. */
static uint32_t zero(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)x, (void)all;
    return 0;
}

/* old == 0 || old > x ? x : old - 1, with old = x. */
static uint32_t counts_down(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    return x ? x - 1 : 0;
}

void programs_tensor(void)
{
    static const struct { const char *op; uint32_t (*want)(
        uint32_t i, uint32_t x, const uint32_t *all); }
    ops[] = {{".add", twice}, {".min", same}, {".max", same},
             {".inc", zero}, {".dec", counts_down}, {".and", same},
             {".or", same}, {".xor", zero}};
    for (int rank = 1; rank <= TENSOR_RANKS; rank++) {
        loads(rank, "shared::cluster", "", "", "");
        loads(rank, "shared::cta", ".tile", ".L2::cache_hint", ", %l9");
        loads(rank, "shared::cluster", "", ".multicast::cluster", ", %h9");
        loads(rank, "shared::cluster", ".tile",
              ".multicast::cluster.L2::cache_hint", ", %h9, %l9");
        stores(rank, "", "", "", "", same);
        stores(rank, ".tile", "", ".L2::cache_hint", ", %l9", same);
        stores(rank, "", ".add", "", "", twice);
        prefetches(rank, "", "", "");
        prefetches(rank, ".tile", ".L2::cache_hint", ", %l9");
    }
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++)
        stores(2, ".tile", ops[k].op, ".L2::cache_hint", ", %l9",
               ops[k].want);
}

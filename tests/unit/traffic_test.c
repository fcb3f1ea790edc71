// SPDX-License-Identifier: MIT
/*
 * traffic_test.c: what the traffic observer sees of small kernels whose
 * traffic is known, and that looking changes nothing.
 */
#include "engine_sample.h"

#include "simgpu/core/state/form.h"

enum { THREADS = 64, WORDS = 1 << 16, BLOCKS = WORDS / THREADS };

/* y[i] = x[i] + x[i]: x is read twice, the second time from L1. */
static const char twice[] =
    PTX_HEAD ".visible .entry k(.param .u64 k_x, .param .u64 k_y) {\n"
    ".reg .b32 %r<8>; .reg .f32 %f<4>; .reg .b64 %rd<8>;\n"
    ".loc 1 3 0\n"
    "ld.param.u64 %rd1, [k_x]; ld.param.u64 %rd2, [k_y];\n"
    "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;\n"
    "mad.lo.s32 %r4, %r2, %r3, %r1; mul.wide.u32 %rd3, %r4, 4;\n"
    "add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3;\n"
    ".loc 1 4 0\n ld.global.f32 %f1, [%rd4];\n"
    ".loc 1 5 0\n ld.global.f32 %f2, [%rd4];\n"
    ".loc 1 6 0\n add.f32 %f3, %f1, %f2; st.global.f32 [%rd5], %f3;\n"
    "ret; }\n.file 1 \"k.cu\"\n";

struct bench {
    struct sample s;
    uint64_t params[2];
    struct launch launch;
};

static struct bench open_bench(const char *text, unsigned checks)
{
    static float x[WORDS];
    struct bench b = {.s = sample_open(text, checks)};
    for (int i = 0; i < WORDS; i++)
        x[i] = (float)i;
    b.params[0] = sample_array(&b.s, x, sizeof x);
    b.params[1] = sample_array(&b.s, x, sizeof x);
    b.launch = (struct launch){.grid = {BLOCKS, 1, 1},
                               .block = {THREADS, 1, 1}};
    return b;
}

static const struct launch_report *run(struct bench *b)
{
    b->launch.params = b->params;
    engine_report_free(&b->s.report);
    engine_launch(b->s.engine, b->s.kernel, &b->launch, &b->s.report);
    return &b->s.report;
}

static void counts_bytes_at_each_level(void **state)
{
    struct bench b = open_bench(twice, CHECK_ALL | CHECK_TRAFFIC);
    const struct launch_report *r = run(&b);
    const struct traffic *t = r->traffic;
    (void)state;
    assert_int_equal(r->fault, FAULT_NONE);
    assert_int_equal(r->n_findings, 0);
    assert_non_null(t);
    assert_int_equal(t->blocks, BLOCKS);
    assert_int_equal(t->l1_sectors, 2 * WORDS / 8);
    assert_int_equal(t->l1_hits, WORDS / 8);
    assert_int_equal(t->l2_read_sectors, WORDS / 8);
    assert_int_equal(t->l2_hits, 0);
    assert_int_equal(t->l2_write_sectors, WORDS / 8);
    assert_int_equal(t->n_arrays, 2);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(t->arrays[k].bytes, WORDS * 4);
        assert_int_equal(t->arrays[k].read_sectors +
                             t->arrays[k].write_sectors, WORDS / 8);
    }
    assert_int_equal(t->by_class[ISSUE_GLOBAL], 3 * WORDS / 32);
    assert_int_equal(t->by_class[ISSUE_FP32], WORDS / 32);
    assert_int_equal(t->instructions, r->counters.warp_instructions);
    sample_close(&b.s);
}

/* One word of each 64 bytes: two sectors come, and the second is not fetched
 * again. */
static void memory_gives_two_sectors_at_a_time(void **state)
{
    static const char apart[] =
        PTX_HEAD
        ".visible .entry k(.param .u64 k_x, .param .u64 k_y) {\n"
        ".reg .f32 %f<4>; .reg .b32 %r<4>; .reg .b64 %rd<8>;\n"
        "ld.param.u64 %rd1, [k_x]; ld.param.u64 %rd2, [k_y];\n"
        "mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 64;\n"
        "add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3;\n"
        "ld.global.f32 %f1, [%rd4]; ld.global.f32 %f2, [%rd4+32];\n"
        "ld.global.f32 %f3, [%rd5+32]; ret; }\n";
    struct bench b = open_bench(apart, CHECK_TRAFFIC);
    const struct traffic *t;
    (void)state;
    b.launch.grid[0] = 1;
    b.launch.block[0] = 32;
    t = run(&b)->traffic;
    assert_non_null(t);
    assert_int_equal(t->n_arrays, 2);
    for (int k = 0; k < 2; k++)
        assert_int_equal(t->arrays[k].read_sectors, 2 * 32);
    assert_int_equal(t->l2_read_sectors, 3 * 32);
    sample_close(&b.s);
}

static void looking_changes_nothing(void **state)
{
    static float with[WORDS], without[WORDS];
    struct bench a = open_bench(twice, CHECK_ALL);
    struct bench b = open_bench(twice, CHECK_ALL | CHECK_TRAFFIC);
    (void)state;
    run(&a);
    run(&b);
    assert_null(a.s.report.traffic);
    assert_memory_equal(&a.s.report.counters, &b.s.report.counters,
                        sizeof a.s.report.counters);
    engine_read(a.s.engine, without, a.params[1], sizeof without);
    engine_read(b.s.engine, with, b.params[1], sizeof with);
    assert_memory_equal(with, without, sizeof with);
    assert_true(with[5] == 10.0f);
    sample_close(&a.s);
    sample_close(&b.s);
}

static void a_sample_stands_for_all(void **state)
{
    struct bench b = open_bench(twice, CHECK_TRAFFIC);
    const struct traffic *t;
    (void)state;
    b.launch.sample = true;
    t = run(&b)->traffic;
    assert_int_equal(t->grid_blocks, BLOCKS);
    assert_true(t->blocks > 0 && t->blocks < BLOCKS / 8);
    assert_int_equal(t->l1_sectors, t->blocks * 2 * THREADS / 8);
    assert_int_equal(t->l1_hits, t->blocks * THREADS / 8);
    assert_int_equal(t->instructions % t->blocks, 0);
    sample_close(&b.s);
}

/* The busiest block of a launch: those of `twice` are equal. */
static void blocks_are_compared(void **state)
{
    struct bench b = open_bench(twice, CHECK_COUNTERS);
    const struct launch_report *r = run(&b);
    (void)state;
    assert_int_equal(r->busiest.warp_instructions * BLOCKS,
                     r->counters.warp_instructions);
    assert_int_equal(r->busiest.sectors, 3 * THREADS / 8);
    sample_close(&b.s);
}

/* Blocks of one warp take a number from k_x's first word until there are none
 * below 100000. */
static const char queue[] =
    PTX_HEAD ".visible .entry k(.param .u64 k_x, .param .u64 k_y) {\n"
    ".reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .pred %p<2>;\n"
    "ld.param.u64 %rd1, [k_x];\n"
    "L: atom.global.add.u32 %r1, [%rd1], 1;\n"
    "setp.lt.u32 %p1, %r1, 100000; @%p1 bra L;\n"
    "ret; }\n";

/* One after the other, the first block empties the queue. */
static void fair_blocks_share_a_queue(void **state)
{
    const struct launch_report *r;
    struct bench b = open_bench(queue, CHECK_TRAFFIC);
    uint32_t zero = 0;
    (void)state;
    b.launch.grid[0] = 64;
    b.launch.block[0] = 32;
    engine_write(b.s.engine, b.params[0], &zero, sizeof zero);
    r = run(&b);
    assert_true(r->busiest.warp_instructions >
                r->counters.warp_instructions * 9 / 10);
    engine_write(b.s.engine, b.params[0], &zero, sizeof zero);
    b.launch.fair = true;
    r = run(&b);
    assert_int_equal(r->fault, FAULT_NONE);
    assert_int_equal(r->traffic->blocks, 64);
    assert_true(r->busiest.warp_instructions <
                r->counters.warp_instructions / 32);
    sample_close(&b.s);
}

/* All run, in turns or not, as many at a time as there is room for. */
static void fair_blocks_all_run(void **state)
{
    struct bench b = open_bench(twice, CHECK_TRAFFIC);
    static float y[WORDS];
    (void)state;
    b.launch.fair = true;
    assert_int_equal(run(&b)->traffic->blocks, BLOCKS);
    engine_read(b.s.engine, y, b.params[1], sizeof y);
    for (int i = 0; i < WORDS; i++)
        assert_true(y[i] == 2.0f * (float)i);
    sample_close(&b.s);
}

/* By line, in order; the two loads differ in what L1 lacks. */
static void lines_of_the_source(void **state)
{
    struct bench b = open_bench(twice, CHECK_TRAFFIC);
    const struct traffic *t = run(&b)->traffic;
    (void)state;
    assert_int_equal(t->n_lines, 4);
    for (size_t k = 0; k < 4; k++) {
        assert_string_equal(t->lines[k].file, "k.cu");
        assert_int_equal(t->lines[k].line, 3 + (int)k);
    }
    assert_int_equal(t->lines[1].global_requests, WORDS / 32);
    assert_int_equal(t->lines[1].global_sectors, WORDS / 8);
    assert_int_equal(t->lines[1].l1_missed, WORDS / 8);
    assert_int_equal(t->lines[2].l1_missed, 0);
    assert_int_equal(t->lines[1].loads, WORDS / 32);
    assert_int_equal(t->lines[1].load_sectors, WORDS / 8);
    assert_int_equal(t->lines[1].store_sectors, 0);
    assert_int_equal(t->lines[3].load_sectors, 0);
    assert_int_equal(t->lines[3].stores, WORDS / 32);
    assert_int_equal(t->lines[3].store_sectors, WORDS / 8);
    assert_int_equal(t->lines[3].issued, 3 * WORDS / 32); /* with ret */
    assert_int_equal(t->lines[3].lanes, 3 * WORDS);
    sample_close(&b.s);
}

static void events_of_one_warp(void **state)
{
    struct bench b = open_bench(twice, CHECK_TRAFFIC);
    const struct traffic *t;
    (void)state;
    b.launch.trace_warp = 1;
    b.launch.trace_events = 2;
    t = run(&b)->traffic;
    assert_int_equal(t->n_events, 2); /* of three: no more were asked for */
    assert_int_equal(t->events[0].line, 4);
    assert_string_equal(t->events[0].op, "ld.global.f32");
    assert_int_equal(t->events[0].bytes, 4);
    assert_int_equal(t->events[0].mask, UINT32_MAX);
    assert_false(t->events[0].write);
    for (uint64_t l = 0; l < 32; l++)
        assert_int_equal(t->events[0].address[l],
                         b.params[0] + 4 * (WORDS / 2 + 32 + l));
    sample_close(&b.s);
}

static uint64_t waited; /* clocks of the latest warp's polls */
static uint64_t replays; /* its loads of constants take so many further turns */

/* One warp; body between the set-up of %rd4 (its word of x), %rd5 (of y) and
 * %r5 (its shared word) and the end. Returns its clocks alone. */
static uint64_t alone(const char *body)
{
    static char text[4096];
    snprintf(text, sizeof text,
             PTX_HEAD ".shared .align 16 .b8 tile[256];\n"
             ".const .align 4 .b8 table[256];\n"
             ".visible .entry k(.param .u64 k_x, .param .u64 k_y) {\n"
             ".reg .pred %%p<4>; .reg .b32 %%r<16>; .reg .f32 %%f<16>;\n"
             ".reg .b64 %%rd<16>;\n"
             "ld.param.u64 %%rd1, [k_x]; ld.param.u64 %%rd2, [k_y];\n"
             "mov.u32 %%r1, %%tid.x; mul.wide.u32 %%rd3, %%r1, 4;\n"
             "add.s64 %%rd4, %%rd1, %%rd3; add.s64 %%rd5, %%rd2, %%rd3;\n"
             "mov.u32 %%r4, tile; shl.b32 %%r5, %%r1, 2;\n"
             "add.s32 %%r5, %%r5, %%r4;\n%s\nst.global.f32 [%%rd5], %%f1;\n"
             "ret; }\n", body);
    struct bench b = open_bench(text, CHECK_TRAFFIC);
    b.launch.grid[0] = 1;
    b.launch.block[0] = 32;
    uint64_t clocks = run(&b)->traffic->alone_clocks;
    waited = b.s.report.traffic->alone_waited;
    replays = 0;
    for (size_t n = 0; n < b.s.report.traffic->n_lines; n++)
        replays += b.s.report.traffic->lines[n].constant_replays;
    sample_close(&b.s);
    return clocks;
}

#define LOAD(to, at) "ld.global.f32 %f" #to ", [%rd4+" #at "];\n"

static void loads_side_by_side_wait_once(void **state)
{
    uint64_t one = alone(LOAD(1, 0));
    uint64_t four = alone(LOAD(1, 0) LOAD(2, 1024) LOAD(3, 2048)
                          LOAD(4, 4096) "add.f32 %f1, %f1, %f2;"
                          "add.f32 %f1, %f1, %f3; add.f32 %f1, %f1, %f4;");
    /* The second one's address is what the first one brought. */
    uint64_t chain = alone("ld.global.u32 %r6, [%rd4];"
                           "and.b32 %r6, %r6, 0;"
                           "cvt.u64.u32 %rd6, %r6; add.s64 %rd7, %rd4, %rd6;"
                           "ld.global.f32 %f1, [%rd7+8192];");
    (void)state;
    assert_true(one > 600 && one < 800); /* device memory */
    assert_true(four < one + 100);
    assert_true(chain > 2 * one - 100);
}

/* A load that stands behind an instruction that waits does not wait with it:
 * ptxas moves it up. */
static void waiting_holds_up_no_load(void **state)
{
    uint64_t one = alone(LOAD(1, 0) "add.f32 %f1, %f1, %f1;");
    uint64_t two = alone(LOAD(2, 0) "add.f32 %f1, %f2, %f2;" LOAD(3, 8192)
                         "add.f32 %f1, %f1, %f3;" LOAD(4, 16384)
                         "add.f32 %f1, %f1, %f4;");
    (void)state;
    assert_true(two < one + 100);
}

/* A branch around so much, or around a branch, remains one: what stands behind
 * waits for what stands before. */
static void a_branch_around_branches_stays(void **state)
{
    static const char parts[] =
        "ld.global.f32 %%f2, [%%rd4];\n"
        "st.shared.f32 [%%r5], %%f2; setp.eq.s32 %%p1, %%r4, -1;\n"
        "@%%p1 bra DONE; %s DONE:\n"
        "ld.global.f32 %%f1, [%%rd4+8192];\n";
    char simple[512], nested[512];
    snprintf(simple, sizeof simple, parts, "add.s32 %r6, %r1, 1;");
    snprintf(nested, sizeof nested, parts,
             "setp.eq.s32 %p2, %r1, 99; @%p2 bra IN;"
             "add.s32 %r6, %r1, 1; IN:");
    (void)state;
    assert_true(alone(simple) < 900);
    assert_true(alone(nested) > 1200);
}

static void a_second_load_of_it_is_near(void **state)
{
    uint64_t far = alone(LOAD(1, 0) "bar.warp.sync -1;"
                         "ld.global.f32 %f1, [%rd4];");
    uint64_t farther = alone(LOAD(1, 0) "bar.warp.sync -1;"
                             "ld.global.f32 %f1, [%rd4+8192];");
    (void)state;
    assert_true(far + 100 < farther);
}

/* What is loaded anew each time comes from L2. */
static void a_volatile_load_passes_l1(void **state)
{
    uint64_t near = alone(LOAD(1, 0) "bar.warp.sync -1;"
                          "ld.global.f32 %f1, [%rd4];");
    uint64_t anew = alone(LOAD(1, 0) "bar.warp.sync -1;"
                          "ld.volatile.global.f32 %f1, [%rd4];");
    (void)state;
    assert_true(near + 100 < anew);
}

/* A loop that ends with its ninth turn; %r7 is 0. */
#define SPIN(asks)                                                             \
    "mov.u32 %r6, 0; L:\n ld.volatile.global.u32 %r7, [%rd1];"                 \
    "add.u32 %r6, %r6, 1; mov.u32 %r8, %r6;" asks                              \
    "setp.lt.u32 %p1, %r8, 9; @%p1 bra L; mov.f32 %f1, 0f00000000;"

/* Eight repetitions, each an access to L2 and a few clocks. Where nobody asks
 * for what a load brings, nobody waits for it. */
static void polls_are_told_from_work(void **state)
{
    uint64_t all = alone(SPIN("add.u32 %r8, %r8, %r7;")), idle;
    (void)state;
    assert_true(waited > 8 * 250 && waited < 8 * 350);
    assert_true(all - waited < 1000);
    idle = alone(SPIN(""));
    assert_true(idle < all / 2);
    assert_int_equal(waited, 0);
    alone("ld.volatile.global.f32 %f1, [%rd4];"
          "ld.volatile.global.f32 %f2, [%rd4+1024];");
    assert_int_equal(waited, 0);
}

/* The constant cache serves one address at a time, in two clocks. */
static void constants_far_apart_take_turns(void **state)
{
    uint64_t one = alone("ld.const.f32 %f1, [table];");
    uint64_t many = alone("mov.u64 %rd6, table; add.s64 %rd6, %rd6, %rd3;"
                          "ld.const.f32 %f1, [%rd6];");
    (void)state;
    assert_true(many >= one + 2 * 31);
    assert_int_equal(replays, 31);
}

/* Constants of the nearest 2 KB are there in 32 clocks, others in 104; 64 bytes
 * come together. One that the code names is an operand. */
static void constants_may_be_far(void **state)
{
#define FIRST "mov.u64 %rd6, table; ld.const.f32 %f1, [%rd6];"
#define NEXT(at) "mov.b32 %r6, %f1; and.b32 %r6, %r6, 0;"                      \
                 "cvt.u64.u32 %rd7, %r6; add.s64 %rd6, %rd6, %rd7;"            \
                 "ld.const.f32 %f2, [" at "]; st.global.f32 [%rd5+4096], %f2;"
    uint64_t first = alone(FIRST);
    uint64_t operand = alone(FIRST NEXT("table+60"));
    uint64_t near = alone(FIRST NEXT("%rd6+60"));
    uint64_t far = alone(FIRST NEXT("%rd6+64"));
    (void)state;
    assert_true(first > 100 && first < 140);
    assert_true(operand <= first + 30);
    assert_true(near >= first + 32 && near < first + 64);
    assert_true(far >= near + 60);
}

/* One word of each 4 KiB of an array: all lanes' lines, and no neighbours. */
static void lanes_all_over_an_array(void **state)
{
    static const char over[] =
        PTX_HEAD
        ".visible .entry k(.param .u64 k_x, .param .u64 k_y) {\n"
        ".reg .f32 %f<4>; .reg .b32 %r<4>; .reg .b64 %rd<8>;\n"
        "ld.param.u64 %rd1, [k_x]; ld.param.u64 %rd2, [k_y];\n"
        "mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4096;\n"
        "add.s64 %rd4, %rd1, %rd3; mul.wide.u32 %rd3, %r1, 4;\n"
        "add.s64 %rd5, %rd2, %rd3; ld.global.f32 %f1, [%rd4];\n"
        "ld.global.f32 %f2, [%rd5]; ret; }\n";
    struct bench b = open_bench(over, CHECK_TRAFFIC);
    const struct traffic *t;
    (void)state;
    b.launch.grid[0] = 1;
    b.launch.block[0] = 32;
    t = run(&b)->traffic;
    assert_int_equal(t->n_arrays, 2);
    assert_int_equal(t->arrays[0].requests, 1);
    assert_int_equal(t->arrays[0].spans, 31 * 32);
    assert_int_equal(t->arrays[0].last - t->arrays[0].first, 31 * 32);
    assert_int_equal(t->arrays[1].spans, 0);
    assert_int_equal(t->arrays[0].apart_sectors, 0); /* L2 holds more */
    assert_int_equal(t->l2_single_sectors, 32);
    sample_close(&b.s);
}

/* Reads 1 MiB past L1, twice. */
static double l2_hits(uint32_t blocks)
{
    static const char again[] =
        PTX_HEAD
        ".visible .entry k(.param .u64 k_x, .param .u64 k_y) {\n"
        ".reg .f32 %f<4>; .reg .b32 %r<9>; .reg .b64 %rd<8>;\n"
        ".reg .pred %p<2>;\n"
        "ld.param.u64 %rd1, [k_x]; mov.u32 %r1, %tid.x; mov.u32 %r2, 0;\n"
        "L: and.b32 %r3, %r2, 255; mad.lo.s32 %r4, %r3, 1024, %r1;\n"
        "mul.wide.u32 %rd3, %r4, 4; add.s64 %rd4, %rd1, %rd3;\n"
        "ld.global.cg.f32 %f1, [%rd4]; add.s32 %r2, %r2, 1;\n"
        "setp.lt.u32 %p1, %r2, 512; @%p1 bra L; ret; }\n";
    struct bench b = open_bench(again, CHECK_TRAFFIC);
    b.params[0] = sample_array(&b.s, NULL, 1 << 20);
    b.launch.sample = true;
    b.launch.grid[0] = blocks;
    b.launch.block[0] = 1024;
    const struct traffic *t = run(&b)->traffic;
    double hits = (double)t->l2_hits / (double)t->l2_read_sectors;
    sample_close(&b.s);
    return hits;
}

/* A single block has all of L2, one of many its share. */
static void few_blocks_share_l2(void **state)
{
    (void)state;
    assert_true(l2_hits(1) == 0.5);
    assert_true(l2_hits(132) < 0.1);
}

/* y[k] for k = a block's thread, +512, ...: all blocks go all over 4 KiB of an
 * array of 256, or each over a part. */
static uint64_t spans_of(const char *first)
{
    char text[1024];
    snprintf(text, sizeof text,
             PTX_HEAD
             ".visible .entry k(.param .u64 k_x, .param .u64 k_y) {\n"
             ".reg .f32 %%f<4>; .reg .b32 %%r<4>; .reg .b64 %%rd<8>;\n"
             "ld.param.u64 %%rd1, [k_x]; mov.u32 %%r1, %%tid.x;\n"
             "mov.u32 %%r2, %%ctaid.x; %s mul.wide.u32 %%rd3, %%r1, 4;\n"
             "add.s64 %%rd4, %%rd1, %%rd3; ld.global.f32 %%f1, [%%rd4];\n"
             "ld.global.f32 %%f2, [%%rd4+4096]; ret; }\n", first);
    struct bench b = open_bench(text, CHECK_TRAFFIC);
    b.launch.grid[0] = 4;
    b.launch.block[0] = 32;
    const struct traffic *t = run(&b)->traffic;
    assert_int_equal(t->n_arrays, 1);
    assert_int_equal(t->arrays[0].blocks, 4);
    uint64_t spans = t->arrays[0].block_spans;
    assert_int_equal(spans % 4, 0);
    sample_close(&b.s);
    return spans / 4;
}

static void blocks_all_over_an_array(void **state)
{
    (void)state;
    assert_int_equal(spans_of(""), 32);
    assert_int_equal(spans_of("mad.lo.s32 %r1, %r2, 4096, %r1;"), 32);
}

/* Conflicts keep the load/store unit busy. */
static void conflicts_take_time(void **state)
{
    uint64_t free_of = alone("st.shared.f32 [%r5], 0f00000000;"
                             "ld.shared.f32 %f1, [%r4];");
    uint64_t loads = alone(
        "st.shared.f32 [%r5], 0f00000000; ld.shared.f32 %f1, [%r4];"
        "ld.shared.f32 %f1, [%r4]; ld.shared.f32 %f1, [%r4];"
        "ld.shared.f32 %f1, [%r4]; ld.shared.f32 %f1, [%r4];");
    (void)state;
    assert_true(loads >= free_of + 4);
}

/* Four turns of a loop that ptxas unrolls wait once, and what stands behind the
 * loop waits for its last turns. */
static void turns_of_an_unrolled_loop_wait_together(void **state)
{
    static const char loop[] =
        "mov.u32 %%r6, 0; mov.f32 %%f1, 0f00000000; L: %s\n"
        "mul.wide.u32 %%rd6, %%r6, 4; add.s64 %%rd7, %%rd4, %%rd6;"
        "ld.global.f32 %%f2, [%%rd7]; add.f32 %%f1, %%f1, %%f2;"
        "add.s32 %%r6, %%r6, 1024; setp.lt.u32 %%p1, %%r6, %d;"
        "@%%p1 bra L;\n";
    char turns[512];
    uint64_t clocks[3];
    (void)state;
    for (int n = 0; n < 3; n++) { /* 8 turns, rolled; unrolled; 9 turns */
        snprintf(turns, sizeof turns, loop, n ? "" : ".pragma \"nounroll\";",
                 n < 2 ? 8192 : 9216);
        clocks[n] = alone(turns);
    }
    assert_true(clocks[0] > 8 * 600);
    assert_true(clocks[1] > 2 * 600 && clocks[1] < 2 * 750);
    assert_true(clocks[2] > 3 * 600 && clocks[2] < 3 * 750);
}

/* A thread of 32 registers has room for twelve words under way. */
static void registers_bound_the_loads_under_way(void **state)
{
    char loads[1024] = "";
    uint64_t twelve = 0, more;
    (void)state;
    for (int n = 0; n < 14; n++) {
        size_t end = strlen(loads);
        if (n == 12)
            twelve = alone(loads);
        snprintf(loads + end, sizeof loads - end,
                 "ld.global.f32 %%f1, [%%rd4+%d];", n * 4096);
    }
    more = alone(loads);
    assert_true(twelve < 900 && more > 2 * 600);
}

/* Copies are waited for where the program waits, and only those due. */
static void async_copies_are_waited_for(void **state)
{
    static const char issue[] =
        "cp.async.ca.shared.global [%r5], [%rd4], 4;"
        "cp.async.commit_group;"
        "cp.async.ca.shared.global [%r5+128], [%rd4+8192], 4;"
        "cp.async.commit_group;";
    char none[512], all[512];
    snprintf(none, sizeof none, "%s cp.async.wait_group 2; %s", issue,
             "mov.f32 %f1, 0f00000000;");
    snprintf(all, sizeof all, "%s cp.async.wait_group 0; %s", issue,
             "mov.f32 %f1, 0f00000000;");
    (void)state;
    assert_true(alone(none) < 200);
    assert_true(alone(all) > 600);
}

/* All threads add to one word, which ptxas knows or not; or each block to its
 * own. */
struct adding {
    const char *type, *value;
    int own;              /* bytes; 0: all to one word */
    bool known;
};

static struct traffic adds(uint32_t blocks, struct adding how)
{
    static char text[1024];
    snprintf(text, sizeof text,
             PTX_HEAD ".visible .entry k(.param .u64 k_x, .param .u64 k_y) {\n"
             ".reg .b32 %%r<8>; .reg .b64 %%rd<8>;\n"
             "ld.param.u64 %%rd1, [k_x]; mov.u32 %%r1, %s;\n"
             "shr.u32 %%r1, %%r1, %d;\n"
             "mul.wide.u32 %%rd2, %%r1, %d; add.s64 %%rd3, %%rd1, %%rd2;\n"
             "red.global.add.%s [%%rd3], %s; ret; }\n",
             how.known ? "%ctaid.x" : "%tid.x", how.known ? 0 : 10,
             how.own, how.type, how.value);
    struct bench b = open_bench(text, CHECK_TRAFFIC);
    b.launch.grid[0] = blocks;
    b.launch.sample = true;
    struct traffic t = *run(&b)->traffic;
    sample_close(&b.s);
    return t;
}

/* Two warps per block; a float takes 4.7 clocks per lane, an integer 1.5. One
 * multiprocessor has one or two blocks; of a single one, another tells whether
 * all meet. Of integers at an address that ptxas knows to be one, one lane of
 * each warp adds for all. */
static void atomics_meet(void **state)
{
    static const struct adding floats = {"f32", "0f3f800000", 512, true};
    static const struct adding near = {"f32", "0f3f800000", 4, true};
    (void)state;
    for (uint32_t blocks = 132; blocks <= 264; blocks += 132) {
        uint64_t counted = blocks / 132;
        struct traffic all =
            adds(blocks, (struct adding){"u32", "1", 0, false});
        struct traffic one =
            adds(blocks, (struct adding){"u32", "1", 0, true});
        struct traffic apart = adds(blocks, floats);
        assert_int_equal(all.blocks, counted);
        assert_int_equal(all.atomics, 64 * counted);
        assert_int_equal(all.atomic_clocks, 2 * 8 * counted);
        assert_int_equal(all.contended_clocks, 2 * 48 * counted);
        assert_int_equal(all.contended_own, 0);
        assert_int_equal(one.atomics, 2 * counted);
        assert_int_equal(one.atomic_clocks, 2 * 2 * counted);
        assert_int_equal(one.contended_clocks, 2 * 15 * counted / 10);
        assert_int_equal(one.issue_slots, all.issue_slots + 2 * 3 * counted);
        assert_int_equal(apart.blocks, counted);
        assert_int_equal(apart.contended_clocks, 0);
        assert_int_equal(apart.contended_own, 2 * 32 * 47 / 10);
        /* The next block that is seen is in the next unit. */
        apart = adds(blocks, near);
        assert_int_equal(apart.contended_clocks, 0);
        assert_int_equal(apart.contended_own,
                         2 * 32 * 14 * (blocks > 132 ? 133 : 131) / 10);
    }
}

/* A warp adds to 32 consecutive words of 512 bytes, which one unit of L2 does
 * sector by sector, or one in each 512 bytes. */
static void sectors_take_turns(void **state)
{
    static const char *const text =
        PTX_HEAD ".visible .entry k(.param .u64 k_x, .param .u64 k_y) {\n"
                 ".reg .b32 %r<8>; .reg .b64 %rd<8>;\n"
                 "ld.param.u64 %rd1, [k_x]; mov.u32 %r1, %tid.x;\n"
                 "and.b32 %r2, %r1, 31; mul.wide.u32 %rd2, %r2, WORD;\n"
                 "add.s64 %rd3, %rd1, %rd2;\n"
                 "red.global.add.f32 [%rd3], 0f3f800000; ret; }\n";
    (void)state;
    for (int apart = 0; apart < 2; apart++) {
        char changed[1024];
        const char *word = strstr(text, "WORD");
        snprintf(changed, sizeof changed, "%.*s%d%s", (int)(word - text), text,
                 apart ? 512 : 4, word + 4);
        struct bench b = open_bench(changed, CHECK_TRAFFIC);
        b.launch.grid[0] = 264;
        b.launch.sample = true;
        const struct traffic *t = run(&b)->traffic;
        assert_int_equal(t->blocks, 2);
        assert_int_equal(t->contended_clocks,
                         2 * 2 * (apart ? 47 : 4 * 14) / 10);
        sample_close(&b.s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_bytes_at_each_level),
        cmocka_unit_test(memory_gives_two_sectors_at_a_time),
        cmocka_unit_test(looking_changes_nothing),
        cmocka_unit_test(a_sample_stands_for_all),
        cmocka_unit_test(blocks_are_compared),
        cmocka_unit_test(fair_blocks_share_a_queue),
        cmocka_unit_test(fair_blocks_all_run),
        cmocka_unit_test(lines_of_the_source),
        cmocka_unit_test(events_of_one_warp),
        cmocka_unit_test(loads_side_by_side_wait_once),
        cmocka_unit_test(waiting_holds_up_no_load),
        cmocka_unit_test(a_branch_around_branches_stays),
        cmocka_unit_test(a_second_load_of_it_is_near),
        cmocka_unit_test(a_volatile_load_passes_l1),
        cmocka_unit_test(polls_are_told_from_work),
        cmocka_unit_test(constants_far_apart_take_turns),
        cmocka_unit_test(constants_may_be_far),
        cmocka_unit_test(lanes_all_over_an_array),
        cmocka_unit_test(few_blocks_share_l2),
        cmocka_unit_test(blocks_all_over_an_array),
        cmocka_unit_test(conflicts_take_time),
        cmocka_unit_test(turns_of_an_unrolled_loop_wait_together),
        cmocka_unit_test(registers_bound_the_loads_under_way),
        cmocka_unit_test(async_copies_are_waited_for),
        cmocka_unit_test(atomics_meet),
        cmocka_unit_test(sectors_take_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

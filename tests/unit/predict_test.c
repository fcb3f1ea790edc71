// SPDX-License-Identifier: MIT
/*
 * predict_test.c: the traffic model's parts, against sums done by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "simgpu/core/state/program.h"
#include "simgpu/core/model/model.h"

static void near(double got, double want)
{
    if (!(fabs(got - want) <= 1e-9 * fabs(want)))
        fail_msg("%.12g, not %.12g", got, want);
}

/* A grid of which each block did the same. */
struct made {
    struct traffic t;
    uint64_t by_class[ISSUE_CLASSES];
    struct traffic_array arrays[2];
};

static struct made make(uint64_t blocks, int warps, int resident)
{
    return (struct made){.t = {.grid_blocks = blocks, .blocks = 1,
                               .warps = warps, .resident = resident}};
}

static struct prediction predict(struct made *m, const char *gpu)
{
    struct prediction p;
    m->t.by_class = m->by_class;
    m->t.arrays = m->arrays;
    model_predict(gpu_find(gpu), &m->t, &p);
    return p;
}

static void occupancy(void **state)
{
    const struct gpu_model *h200 = gpu_find("h200"), *t4 = gpu_find("t4");
    (void)state;
    assert_int_equal(model_resident(h200, 8, 32, 0), 8);   /* threads */
    assert_int_equal(model_resident(h200, 1, 32, 0), 32);  /* blocks */
    assert_int_equal(model_resident(h200, 4, 168, 0), 3);  /* registers */
    assert_int_equal(model_resident(h200, 4, 33, 0), 12);  /* 40 are taken */
    assert_int_equal(model_resident(h200, 4, 32, 48 << 10), 4); /* shared */
    assert_int_equal(model_resident(t4, 8, 32, 0), 4);
    assert_int_equal(model_resident(h200, 32, 255, 0), 1); /* never none */
}

static void shared_memory_takes_from_l1(void **state)
{
    const struct gpu_model *h200 = gpu_find("h200"), *p100 = gpu_find("p100");
    (void)state;
    assert_int_equal(model_l1(h200, 8, 0), (256 - 8) << 10);
    assert_int_equal(model_l1(h200, 3, 24 << 10), (256 - 3 * 25) << 10);
    assert_true(model_l1(h200, 1, 227 << 10) >= 16 << 10);
    assert_int_equal(model_l1(p100, 1, 48 << 10), 24 << 10);
}

static void memory_binds_a_copy(void **state)
{
    struct made m = make(132 * 100, 8, 8);
    struct prediction p;
    (void)state;
    m.t.issue_slots = 100;
    m.t.n_arrays = 2;
    m.arrays[0] = (struct traffic_array){.bytes = 1 << 30,
                                         .read_sectors = 2048};
    m.arrays[1] = (struct traffic_array){.bytes = 1 << 30,
                                         .write_sectors = 2048};
    p = predict(&m, "h200");
    near(p.read_bytes, 13200.0 * 2048 * 32);
    near(p.part_ms[MODEL_memory],
         (2 * 13200.0 * 2048 * 32 + 15 * 1024 * 1024) / (4.8e12 * 0.87) * 1e3);
    assert_int_equal(p.bound, MODEL_memory);
    assert_true(p.ms >= p.part_ms[MODEL_memory]);
}

/* L2 (60 MiB, half of them a copy) is full of what others wrote: each line that
 * comes in sends one to memory. What the launch wrote stays there in turn. */
static void reading_drives_out_what_others_wrote(void **state)
{
    static const double rate = 4.8e12 * 0.87 / 1e3, mib = 1024 * 1024;
    struct made m = make(132, 8, 8);
    (void)state;
    m.t.n_arrays = 1;
    m.arrays[0] = (struct traffic_array){.bytes = 8 << 20,
                                         .read_sectors = 1 << 20};
    near(predict(&m, "h200").part_ms[MODEL_memory], 16 * mib / rate);
    m.arrays[0].bytes = 1 << 30;
    near(predict(&m, "h200").part_ms[MODEL_memory],
         (1024 * mib + 30 * mib) / rate);
    m.arrays[0].write_sectors = 1 << 20;
    near(predict(&m, "h200").part_ms[MODEL_memory],
         (2048 * mib + 15 * mib) / rate);
    m.arrays[0].read_sectors = 0;
    near(predict(&m, "h200").part_ms[MODEL_memory], 1024 * mib / rate);
}

/* What a launch before left in L2 is not read again, and clean lines need not
 * be written back. */
static void l2_spares_what_it_holds(void **state)
{
    struct made m = make(132, 8, 8);
    double bytes = 132.0 * 2048 * 32, room = 30 << 20, cold, ms;
    (void)state;
    m.t.n_arrays = 1;
    m.arrays[0] = (struct traffic_array){.bytes = 1 << 30,
                                         .read_sectors = 2048};
    cold = predict(&m, "h200").part_ms[MODEL_memory];
    assert_true(bytes < room);
    m.t.clean = 0.25;
    ms = predict(&m, "h200").part_ms[MODEL_memory];
    near(ms / cold, 1.75 / 2);
    m.t.clean = 1;
    m.arrays[0].held = 0.75;
    near(predict(&m, "h200").read_bytes, bytes / 4);
    near(predict(&m, "h200").part_ms[MODEL_memory] / cold, 0.25 / 2);
}

/* Lanes that lie farther apart than L2 is large find of an array what L2 holds
 * of it, however often it is read, and device memory takes 1.66 times as long
 * for the rest. */
static void lanes_far_apart_find_little(void **state)
{
    struct made m = make(132, 8, 8);
    double all = 1 << 30, room = 30 << 20, read = 132.0 * 2048 * 1024 * 32;
    struct prediction apart, near_by;
    (void)state;
    m.t.clean = 1;
    m.t.n_arrays = 1;
    m.arrays[0] = (struct traffic_array){.bytes = 1 << 30,
                                         .read_sectors = 2048 * 1024};
    near_by = predict(&m, "h200");
    near(near_by.read_bytes, all);
    m.arrays[0].apart_sectors = 2048 * 1024;
    apart = predict(&m, "h200");
    near(apart.read_bytes, read * (1 - room / all));
    near(apart.part_ms[MODEL_memory] / near_by.part_ms[MODEL_memory],
         1.66 * apart.read_bytes / near_by.read_bytes);
}

/* Of a large array only the part counts all over which the lanes of a request
 * lie, and an eighth more, as others may lie beyond those that were seen; not a
 * part that each request touches somewhere. */
static void a_part_of_an_array_may_be_all(void **state)
{
    struct made m = make(132, 8, 8);
    (void)state;
    m.t.n_arrays = 1;
    m.arrays[0] = (struct traffic_array){
        .bytes = 1 << 30, .read_sectors = 2048 * 1024, .first = 1000,
        .last = 1000 + 8191, .requests = 10, .spans = 10 * 7000};
    near(predict(&m, "h200").read_bytes, 8192 * 128 * 1.125);
    m.arrays[0].spans = 10 * 1000;
    near(predict(&m, "h200").read_bytes, 1 << 30);
}

/* A scheduler's only warp, which issues an instruction per clock, takes no
 * longer than that; one that waits besides, so much longer. */
static void a_lone_warp_issues_once(void **state)
{
    struct made m = make(132, 4, 1);
    struct prediction p;
    (void)state;
    m.t.issue_slots = 4 * 1980 * 1000;
    m.t.alone_clocks = m.t.alone_most = 1980 * 1000;
    p = predict(&m, "h200");
    near(p.ms, 1 + p.part_ms[MODEL_blocks] + 2.7e-3);
    m.t.alone_clocks = m.t.alone_most = 1980 * 3000;
    near(predict(&m, "h200").ms, 3 + p.part_ms[MODEL_blocks] + 2.7e-3);
}

/* So do two warps of a scheduler. If they meet at barriers all the time, the
 * second issues when the first has: the first finds no queue and goes round in
 * 1 + 1, half of it in the queue, and the second in 1 + 1.5, for both. */
static void warps_that_meet_issue_in_turn(void **state)
{
    struct made m = make(132, 8, 1);
    struct prediction p;
    (void)state;
    m.t.issue_slots = 4 * 1980 * 1000;
    m.t.alone_clocks = m.t.alone_most = 1980 * 500;
    p = predict(&m, "h200");
    near(p.ms, 1 + p.part_ms[MODEL_blocks] + 2.7e-3);
    m.t.by_pipe[PIPE_barrier] = m.t.issue_slots / 658 + 1;
    p = predict(&m, "h200");
    near(p.ms, 1.25 + p.part_ms[MODEL_blocks] + 2.7e-3);
    m.t.by_pipe[PIPE_barrier] /= 658; /* too rare to hold them together */
    p = predict(&m, "h200");
    assert_true(p.ms < 1.01);
}

/* What all blocks read is fetched once, not once per block. */
static void an_array_is_read_once(void **state)
{
    struct made m = make(132 * 100, 8, 8);
    (void)state;
    m.t.n_arrays = 1;
    m.arrays[0] = (struct traffic_array){.bytes = 4096, .read_sectors = 128};
    near(predict(&m, "h200").read_bytes, 4096);
}

static void a_lone_block_over_the_even_share(void **state)
{
    struct made even = make(132, 8, 8), one_more = make(133, 8, 8);
    (void)state;
    even.t.issue_slots = one_more.t.issue_slots = 1000 * 1000;
    near(predict(&one_more, "h200").part_ms[MODEL_issue],
         2 * predict(&even, "h200").part_ms[MODEL_issue]);
}

static void arithmetic_takes_all_pipes(void **state)
{
    struct made m = make(132, 8, 8);
    (void)state;
    m.t.by_pipe[PIPE_fp32] = 4000; /* 128 lanes per clock: four warps */
    assert_true(fabs(predict(&m, "h200").part_ms[MODEL_arithmetic] -
                     1000 / 1.98e6) < 0.01 * 1000 / 1.98e6);
    m.t.grid_blocks = 40;
    assert_true(fabs(predict(&m, "t4").part_ms[MODEL_arithmetic] -
                     2000 / 1.59e6) < 0.01 * 2000 / 1.59e6);
}

static void waves_wait_one_after_the_other(void **state)
{
    struct made m = make(132 * 8 * 5, 1, 8);
    struct prediction p;
    (void)state;
    m.t.alone_clocks = m.t.alone_most = 1980 * 1000;
    p = predict(&m, "h200");
    near(p.waves, 5);
    near(p.part_ms[MODEL_latency], 5);
    assert_int_equal(p.bound, MODEL_latency);
    m.t.alone_most = 1980 * 7000; /* one block takes longer than all waves */
    near(predict(&m, "h200").part_ms[MODEL_latency], 7);
    m.t.grid_blocks = 100; /* one wave: as long as its slowest block */
    m.t.blocks = 2;
    m.t.alone_most = 1980 * 900;
    near(predict(&m, "h200").part_ms[MODEL_latency], 0.9);
}

/* At the busiest place of L2 the whole grid's atomics wait for each other. */
static void contended_atomics_take_turns(void **state)
{
    struct made m = make(132 * 8, 8, 8);
    (void)state;
    m.t.atomic_clocks = 10;
    m.t.contended_clocks = 1980;
    near(predict(&m, "h200").part_ms[MODEL_l2], 1e-3 * 132 * 8);
    m.t.contended_clocks = 0;
    m.t.contended_own = 1980 * 5; /* one block alone: not the whole grid's */
    near(predict(&m, "h200").part_ms[MODEL_l2], 5e-3);
    m.t.contended_own = 0;
    near(predict(&m, "h200").part_ms[MODEL_l2], 10 * 8 / 1.98e6);
}

static void blocks_are_started_one_after_the_other(void **state)
{
    struct made m = make(132 * 1000, 1, 32);
    struct prediction p = predict(&m, "h200");
    (void)state;
    near(p.part_ms[MODEL_blocks], 159 * 1000 / 1.98e6);
    assert_int_equal(p.bound, MODEL_blocks);
    assert_true(p.ms > p.part_ms[MODEL_blocks]);
}

/* Two blocks go back and forth between their work and their start, each of
 * which takes as long: in a third of the time both wait for a start, in a third
 * both are at work, one after the other. */
static void a_place_is_empty_until_a_block_starts(void **state)
{
    struct made m = make(132 * 8, 4, 2);
    struct prediction p;
    (void)state;
    m.t.unit_clocks = 159;
    p = predict(&m, "h200");
    near(p.part_ms[MODEL_unit], p.part_ms[MODEL_blocks]);
    near(p.ms, 1.5 * p.part_ms[MODEL_unit] + 2.7e-3);
    m.t.unit_clocks = 1000 * 1000; /* nobody waits for a start */
    p = predict(&m, "h200");
    assert_true(p.ms < 1.0002 * p.part_ms[MODEL_unit] + 2.7e-3);
}

/* Eight warps, two per scheduler: a network of two customers, each of whom
 * waits as long alone as memory needs for both. By hand: one customer less
 * finds an empty queue and goes round in 1 + 2, a third of it in memory's
 * queue; so the second goes round in (1 + 1/3) + 2, and both are done in half
 * of that. */
static void what_is_alike_adds_up(void **state)
{
    struct made m = make(132 * 8, 1, 8);
    struct prediction p;
    double memory;
    (void)state;
    m.t.n_arrays = 1;
    m.arrays[0] = (struct traffic_array){.bytes = 1u << 31,
                                         .read_sectors = 4096};
    memory = predict(&m, "h200").part_ms[MODEL_memory];
    m.t.alone_clocks = m.t.alone_most = (uint64_t)(memory * 1.98e6);
    p = predict(&m, "h200");
    assert_true(fabs((p.ms - 2.7e-3) / memory - 5.0 / 3) < 0.01);
    m.t.alone_most /= 100; /* far shorter: as good as hidden */
    p = predict(&m, "h200");
    assert_true(p.ms - 2.7e-3 < 1.05 * memory);
}

/* One customer pays for everything in turn, many for the busiest alone. */
static void more_warps_overlap_more(void **state)
{
    struct made m = make(132 * 8, 1, 8);
    struct prediction p;
    double one, few, many, busiest;
    (void)state;
    m.t.issue_slots = 4 * 1000 * 1000;
    m.t.unit_clocks = 1000 * 1000;
    m.t.resident = 4;
    p = predict(&m, "h200");
    one = p.ms;
    busiest = p.part_ms[MODEL_issue];
    assert_true(fabs(one / (busiest + p.part_ms[MODEL_unit]) - 1) < 1e-3);
    m.t.resident = 8;
    few = predict(&m, "h200").ms;
    m.t.warps = 8;
    many = predict(&m, "h200").ms;
    assert_true(one > few && few > many);
    assert_true(many > busiest && many < 1.1 * busiest);
}

/* As what_is_alike_adds_up, but the bytes are copied ahead of their use, or
 * stored: then they pass while the warps wait. What a warp loads itself it
 * waits for, and without a copy under way it waits for all. */
static void copies_pass_beside_the_work(void **state)
{
    struct made m = make(132 * 8, 1, 8);
    double memory, beside;
    (void)state;
    m.t.n_arrays = 1;
    m.arrays[0] = (struct traffic_array){.bytes = 1u << 31,
                                         .read_sectors = 4096};
    m.t.l2_read_sectors = m.t.l2_copied_sectors = 4096;
    m.t.l2_write_sectors = 512;
    memory = predict(&m, "h200").part_ms[MODEL_memory];
    m.t.alone_clocks = m.t.alone_most = (uint64_t)(memory * 1.98e6);
    m.t.waits = m.t.waits_ahead = 10;
    beside = predict(&m, "h200").ms - 2.7e-3;
    assert_true(fabs(beside / memory - 1) < 0.01);
    m.t.l2_copied_sectors = 0;
    assert_true(predict(&m, "h200").ms > 1.4 * beside);
    m.t.l2_copied_sectors = 4096;
    m.t.waits_ahead = 0;
    assert_true(predict(&m, "h200").ms > 1.6 * beside);
}

/* Bytes per clock: 34.0 read, 35.0 of them by bulk copies, 18.6 written; 1.75
 * clocks for a sector that is read alone of its line, 3.4 for one that is
 * written in part. */
static void l2_has_its_rates(void **state)
{
    struct made m = make(132, 8, 8);
    (void)state;
    m.t.l2_read_sectors = 1000;
    near(predict(&m, "h200").part_ms[MODEL_l2], 32000 / 34.0 / 1.98e6);
    m.t.l2_single_sectors = 400;
    near(predict(&m, "h200").part_ms[MODEL_l2],
         (600 * 32 / 34.0 + 400 * 1.75) / 1.98e6);
    m.t.l2_single_sectors = 0;
    m.t.l2_bulk_sectors = 1000;
    near(predict(&m, "h200").part_ms[MODEL_l2], 32000 / 35.0 / 1.98e6);
    m.t.l2_read_sectors = m.t.l2_bulk_sectors = 0;
    m.t.l2_write_sectors = 1000;
    near(predict(&m, "h200").part_ms[MODEL_l2], 32000 / 18.6 / 1.98e6);
    m.t.l2_partial_sectors = 1000;
    near(predict(&m, "h200").part_ms[MODEL_l2], 3400 / 1.98e6);
}

/* One multiprocessor alone: 64 bytes per clock, each way. */
static void a_multiprocessor_has_a_port(void **state)
{
    struct made m = make(1, 32, 1);
    (void)state;
    m.t.l2_read_sectors = 64 * 1000;
    near(predict(&m, "h200").part_ms[MODEL_l2], 32 * 1000 / 1.98e6);
    m.t.l2_write_sectors = 64 * 2000;
    near(predict(&m, "h200").part_ms[MODEL_l2], 64 * 1000 / 1.98e6);
}

/* 600 bytes' time each, of those that are more than the same array's whole
 * ones. */
static void sectors_that_leave_in_part_cost(void **state)
{
    struct made m = make(132, 8, 8);
    (void)state;
    m.t.n_arrays = 2;
    m.arrays[0] = (struct traffic_array){.bytes = 1ull << 30,
                                         .left_whole = 1000,
                                         .left_partly = 1000};
    m.arrays[1] = (struct traffic_array){.left_whole = 5000};
    near(predict(&m, "h200").part_ms[MODEL_memory], 0);
    m.arrays[0].left_partly = 3000;
    near(predict(&m, "h200").part_ms[MODEL_memory],
         2000 * 132 * 600 / (4.8e12 * 0.87) * 1e3);
    /* An array that L2 holds leaves it once at most. */
    m.arrays[0].bytes = 1000 * 32;
    near(predict(&m, "h200").part_ms[MODEL_memory],
         1000 * 600 / (4.8e12 * 0.87) * 1e3);
    m.arrays[0].bytes = 60 << 20;
    near(predict(&m, "h200").part_ms[MODEL_memory],
         2000 * 132 * 600 / (4.8e12 * 0.87) * 1e3);
}

static void merged_instructions_are_not_issued(void **state)
{
    struct made m = make(132, 8, 8);
    (void)state;
    m.t.issue_slots = 4000;
    m.t.merged = 1000;
    near(predict(&m, "h200").part_ms[MODEL_issue], 750 / 1.98e6);
}

static void nothing_counted_is_nothing_predicted(void **state)
{
    struct made m = make(132, 8, 8);
    (void)state;
    m.t.blocks = 0;
    assert_true(predict(&m, "h200").ms == 0);
}

/* What a decoded instruction is said to be: class, unit and operations. */
static void works(void **state)
{
    static const struct {
        const char *text;
        enum issue_class class;
        enum gpu_pipe pipe;
        int ops;
    } rows[] = {
        {"fma.rn.f32 %f0, %f1, %f2, %f3;", ISSUE_FP32, PIPE_fp32, 1},
        {"neg.f32 %f0, %f1;", ISSUE_FP32, PIPE_none, 0},
        {"abs.f64 %d0, %d1;", ISSUE_FP64, PIPE_none, 0},
        {"mov.f32 %f0, 0f3f800000;", ISSUE_MOVE, PIPE_none, 0},
        {"mov.b32 %r0, %f0;", ISSUE_MOVE, PIPE_none, 0},
        {"mov.b32 %r0, %r1;", ISSUE_MOVE, PIPE_integer, 1},
        {"mov.u32 %r0, %tid.x;", ISSUE_MOVE, PIPE_integer, 1},
        {"mul.lo.s32 %r0, %r1, %r2;", ISSUE_INTEGER, PIPE_multiply, 1},
        {"mul.hi.u32 %r0, %r1, %r2;", ISSUE_INTEGER, PIPE_multiply, 2},
        {"add.s64 %l0, %l1, %l2;", ISSUE_INTEGER, PIPE_integer, 2},
        {"shl.b32 %r0, %r1, 2;", ISSUE_INTEGER, PIPE_shift, 1},
        {"div.u32 %r0, %r1, %r2;", ISSUE_INTEGER, PIPE_multiply, 17},
        {"rem.u64 %l0, %l1, %l2;", ISSUE_INTEGER, PIPE_multiply, 60},
        {"popc.b32 %r0, %r1;", ISSUE_INTEGER, PIPE_bits, 1},
        {"add.f64 %d0, %d1, %d2;", ISSUE_FP64, PIPE_fp64, 1},
        {"fma.rn.bf16x2 %r0, %r1, %r2, %r3;", ISSUE_FP16, PIPE_half, 1},
        {"sqrt.rn.f32 %f0, %f1;", ISSUE_SPECIAL, PIPE_fp32, 11},
        {"ex2.approx.f32 %f0, %f1;", ISSUE_SPECIAL, PIPE_special, 1},
        {"cvt.rzi.s32.f32 %r0, %f1;", ISSUE_MOVE, PIPE_convert, 1},
        {"cvt.rna.tf32.f32 %r0, %f1;", ISSUE_MOVE, PIPE_integer, 2},
        {"cvt.f64.f32 %d0, %f1;", ISSUE_MOVE, PIPE_convert64, 1},
        {"setp.lt.f32 %p0, %f0, %f1;", ISSUE_COMPARE, PIPE_integer, 1},
        {"ld.global.nc.f32 %f0, [%l0];", ISSUE_GLOBAL, PIPE_memory, 1},
        {"ld.shared.f32 %f0, [%r0];", ISSUE_SHARED, PIPE_memory, 1},
        {"ld.param.u64 %l0, [x];", ISSUE_MOVE, PIPE_memory, 1},
        {"st.local.u32 [%l0], %r0;", ISSUE_LOCAL, PIPE_memory, 1},
        {"atom.global.add.u32 %r0, [%l0], %r1;", ISSUE_ATOMIC, PIPE_memory, 1},
        {"red.shared.add.f32 [%r0], %f1;", ISSUE_ATOMIC, PIPE_memory, 1},
        {"cp.async.cg.shared.global [%r0], [%l0], 16;", ISSUE_GLOBAL,
         PIPE_memory, 1},
        {"bar.sync 0;", ISSUE_BARRIER, PIPE_barrier, 1},
        {"shfl.sync.idx.b32 %r0, %r1, %r2, 31, -1;", ISSUE_EXCHANGE,
         PIPE_exchange, 1},
        {"ret;", ISSUE_CONTROL, PIPE_control, 1},
    };
    char text[8192], why[256] = "";
    size_t n = (size_t)snprintf(
        text, sizeof text, ".version 8.0\n.target sm_90\n.address_size 64\n"
        ".visible .entry k(.param .u64 x)\n{.reg .pred %%p<4>; "
        ".reg .b32 %%r<8>; .reg .f32 %%f<8>; .reg .b64 %%l<8>; "
        ".reg .f64 %%d<4>;\n");
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s\n",
                              rows[i].text);
    n += (size_t)snprintf(text + n, sizeof text - n, "}\n");
    struct engine_config config = {.gpu = gpu_find("h200"), .workers = 1};
    struct engine *engine = engine_open(&config);
    struct ptx_module *ptx = ptx_read(text, n, why, sizeof why);
    struct module *m = ptx ? engine_load(engine, ptx, why, sizeof why) : NULL;
    if (!m)
        fail_msg("%s", why);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct source *s = &m->functions[0].sources[i];
        if (!s->form || s->class != rows[i].class ||
            s->form->work->pipe != rows[i].pipe ||
            s->form->work->ops != rows[i].ops)
            fail_msg("%s is %s", rows[i].text,
                     s->form ? issue_name(s->class) : "not known");
    }
    ptx_free(ptx);
    engine_close(engine);
}

/* A typing error in the table would make nonsense of every prediction. */
static void the_gpus_are_plausible(void **state)
{
    const struct gpu_model *list;
    size_t n = gpu_list(&list);
    (void)state;
    for (size_t i = 0; i < n; i++) {
        const struct gpu_model *g = &list[i];
        double hertz = g->clock_khz * 1e3;
        double fp32 = g->peak[GPU_PEAK_fp32] / 2 / g->sms / hertz;
        double fp64 = g->peak[GPU_PEAK_fp64] / 2 / g->sms / hertz;
        assert_true(fabs(fp32 - gpu_lanes(g, PIPE_fp32)) < 2);
        assert_true(fabs(fp64 / gpu_lanes(g, PIPE_fp64) - 1) < 0.03);
        assert_true(g->peak[GPU_PEAK_fp16] / g->peak[GPU_PEAK_fp32] <
                    4.1); /* two numbers per lane */
        if (g->peak[GPU_PEAK_bf16_tensor] > 0)
            assert_true(g->peak[GPU_PEAK_bf16_tensor] / 2.05 <
                        g->peak[GPU_PEAK_tf32_tensor]);
        assert_true(g->bandwidth > 300e9 && g->bandwidth < 5e12);
        assert_true(g->l2_bytes >= 4 << 20);
        assert_true(g->l1_bytes >= 24 << 10 && g->l1_bytes <= 256 << 10);
        assert_true(g->schedulers == 2 || g->schedulers == 4);
        assert_true(!g->l1_with_shared || g->l1_bytes > g->shared_sm);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(occupancy),
        cmocka_unit_test(shared_memory_takes_from_l1),
        cmocka_unit_test(memory_binds_a_copy),
        cmocka_unit_test(reading_drives_out_what_others_wrote),
        cmocka_unit_test(l2_spares_what_it_holds),
        cmocka_unit_test(lanes_far_apart_find_little),
        cmocka_unit_test(a_part_of_an_array_may_be_all),
        cmocka_unit_test(a_lone_warp_issues_once),
        cmocka_unit_test(warps_that_meet_issue_in_turn),
        cmocka_unit_test(an_array_is_read_once),
        cmocka_unit_test(a_lone_block_over_the_even_share),
        cmocka_unit_test(arithmetic_takes_all_pipes),
        cmocka_unit_test(waves_wait_one_after_the_other),
        cmocka_unit_test(contended_atomics_take_turns),
        cmocka_unit_test(blocks_are_started_one_after_the_other),
        cmocka_unit_test(a_place_is_empty_until_a_block_starts),
        cmocka_unit_test(what_is_alike_adds_up),
        cmocka_unit_test(more_warps_overlap_more),
        cmocka_unit_test(copies_pass_beside_the_work),
        cmocka_unit_test(l2_has_its_rates),
        cmocka_unit_test(a_multiprocessor_has_a_port),
        cmocka_unit_test(sectors_that_leave_in_part_cost),
        cmocka_unit_test(merged_instructions_are_not_issued),
        cmocka_unit_test(nothing_counted_is_nothing_predicted),
        cmocka_unit_test(works),
        cmocka_unit_test(the_gpus_are_plausible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

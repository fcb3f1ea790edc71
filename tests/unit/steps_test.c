// SPDX-License-Identifier: MIT
/*
 * steps_test.c: a launch in steps computes, counts and finds what the same
 * launch in one go does, however it is cut, also if it is followed to its
 * middle only; what a step reports, what one sees on the way, and what an
 * access of a step costs.
 */
#include "engine_kernel.h"

enum { BLOCKS = 3, THREADS = 48, WORDS = BLOCKS * THREADS };

static const struct program {
    const char *name, *before, *body;
    bool cooperative;
} programs[] = {
    {"a barrier", TILE,
     "mov.u32 %r5, tile; shl.b32 %r6, %r2, 2; add.s32 %r7, %r5, %r6;\n"
     "ld.global.u32 %r8, [%rd3]; st.shared.u32 [%r7], %r8; bar.sync 0;\n"
     "xor.b32 %r9, %r6, 60; add.s32 %r9, %r5, %r9;\n"
     "ld.shared.u32 %r10, [%r9]; st.global.u32 [%rd4], %r10;", false},
    {"a race", TILE,
     ".loc 1 5 0\n mov.u32 %r5, tile; shl.b32 %r6, %r2, 2;\n"
     "add.s32 %r7, %r5, %r6; st.shared.u32 [%r7], %r2;\n"
     ".loc 1 6 0\n xor.b32 %r9, %r6, 60; add.s32 %r9, %r5, %r9;\n"
     "ld.shared.u32 %r10, [%r9]; st.global.u32 [%rd4], %r10;", false},
    {"loops of different lengths", "",
     "and.b32 %r5, %r2, 7; mov.u32 %r6, 0;\n"
     "L: add.s32 %r6, %r6, %r5; add.s32 %r5, %r5, -1;\n"
     "setp.gt.s32 %p1, %r5, 0; @%p1 bra L;\n"
     "setp.lt.s32 %p2, %r6, 9; @%p2 bra E; mul.lo.s32 %r6, %r6, 3;\n"
     "E: st.global.u32 [%rd4], %r6;", false},
    {"an asynchronous copy", TILE,
     "mov.u32 %r5, tile; shl.b32 %r6, %r2, 2; add.s32 %r7, %r5, %r6;\n"
     "cp.async.ca.shared.global [%r7], [%rd3], 4;\n"
     "cp.async.commit_group; cp.async.wait_group 0; bar.sync 0;\n"
     "xor.b32 %r9, %r6, 60; add.s32 %r9, %r5, %r9;\n"
     "ld.shared.u32 %r10, [%r9]; st.global.u32 [%rd4], %r10;", false},
    {"atomics, and lanes that meet", "",
     "and.b32 %r5, %r1, 3; mul.wide.u32 %rd6, %r5, 4;\n"
     "add.s64 %rd6, %rd2, %rd6; st.global.u32 [%rd4], %r1; bar.sync 0;\n"
     "atom.global.add.u32 %r6, [%rd6], 1; setp.gt.u32 %p1, %r2, 40;\n"
     "@%p1 bra E; shfl.sync.bfly.b32 %r7, %r6, 1, 31, 0xffff;\n"
     "E: st.global.u32 [%rd4], %r6;", false},
    {"a call", ".func (.param .u32 r) f(.param .u32 a) { .reg .b32 %q<4>;\n"
     "ld.param.u32 %q1, [a]; mul.lo.u32 %q2, %q1, %q1;\n"
     "st.param.u32 [r], %q2; ret; }\n",
     "{ .param .u32 in; .param .u32 out; st.param.u32 [in], %r1;\n"
     "call (out), f, (in); ld.param.u32 %r5, [out]; }\n"
     "st.global.u32 [%rd4], %r5;", false},
    {"a store out of bounds", "",
     "setp.eq.u32 %p1, %r1, 70; @%p1 add.s64 %rd4, %rd4, 4096;\n"
     "st.global.u32 [%rd4], %r1;", false},
    {"blocks that wait for each other", "",
     "membar.gl; atom.global.add.u32 %r5, [%rd2], 1;\n"
     "L: ld.volatile.global.u32 %r6, [%rd2]; setp.lt.u32 %p1, %r6, 144;\n"
     "@%p1 bra L; bar.sync 0;\n"
     "setp.eq.u32 %p2, %r1, 0; @%p2 bra E;\n"
     "st.global.u32 [%rd4], %r6;\nE:", true},
};
enum { N = sizeof programs / sizeof *programs };

static struct launch shape(const struct buffers *b, const struct program *p)
{
    return (struct launch){.grid = {BLOCKS, 1, 1}, .block = {THREADS, 1, 1},
                           .params = b->params,
                           .cooperative = p->cooperative};
}

static void open_program(struct buffers *b, const struct program *p,
                         uint64_t seed)
{
    static const uint32_t zeros[WORDS];
    prepare(b, p->before, p->body, WORDS);
    engine_write(b->s.engine, b->params[1], zeros, sizeof zeros);
    sample_set(&b->s, 1, seed);
}

/* Steps of 1, or of changing sizes. Returns how many there were. */
static size_t go(struct engine_stepped *l, bool single)
{
    static struct engine_step steps[64];
    size_t all = 0, n, done;
    do {
        n = single ? 1 : 1 + all % 61;
        done = engine_launch_step(l, steps, n);
        all += done;
    } while (done == n);
    assert_int_equal(engine_launch_step(l, steps, 1), 0);
    return all;
}

static void same_findings(const struct launch_report *a,
                          const struct launch_report *b)
{
    assert_int_equal(a->fault, b->fault);
    assert_int_equal(a->n_findings, b->n_findings);
    assert_int_equal(a->races, b->races);
    for (size_t k = 0; k < a->n_findings; k++) {
        const struct finding *x = &a->findings[k], *y = &b->findings[k];
        assert_int_equal(x->kind, y->kind);
        assert_int_equal(x->count, y->count);
        assert_int_equal(x->at.line, y->at.line);
        assert_int_equal(x->other.line, y->other.line);
        assert_memory_equal(x->at.thread, y->at.thread, sizeof x->at.thread);
        assert_memory_equal(x->block, y->block, sizeof x->block);
        assert_string_equal(x->detail, y->detail);
    }
}

/* So many steps, one by one, then the rest at once. What is looked at on the
 * way only grows. */
static void go_part(struct engine_stepped *l, size_t steps)
{
    struct engine_step step;
    struct launch_report now;
    uint64_t before = 0;
    size_t found = 0;
    while (steps-- && engine_launch_step(l, &step, 1)) {
        engine_launch_look(l, &now);
        assert_true(now.counters.warp_instructions > before);
        assert_true(now.n_findings >= found);
        assert_int_equal(now.n_findings, engine_launch_found(l));
        before = now.counters.warp_instructions;
        found = now.n_findings;
        engine_report_free(&now);
    }
    engine_launch_finish(l);
    assert_int_equal(engine_launch_step(l, &step, 1), 0);
}

/* Runs of n unfollowed, with a step between two: neither may miss one. A run
 * stops soon after n. */
static void go_runs(struct engine_stepped *l, uint64_t n)
{
    enum { TURN = 5000 }; /* a warp that polls has the longest */
    struct engine_step step;
    struct launch_report now;
    uint64_t before = 0;
    for (bool over = false; !over;) {
        over = engine_launch_run(l, n);
        engine_launch_look(l, &now);
        assert_true(now.counters.warp_instructions <= before + n + TURN);
        assert_true(over || now.counters.warp_instructions > before);
        engine_report_free(&now);
        over |= engine_launch_step(l, &step, 1) == 0;
        engine_launch_look(l, &now);
        before = now.counters.warp_instructions;
        engine_report_free(&now);
    }
}

/* Else so many steps, and the rest. */
enum { RUNS_1 = -4, RUNS_50 = -3, SINGLE = -2, CHUNKS = -1 };

static void check(const struct program *p, uint64_t seed, int how)
{
    struct buffers whole, cut;
    struct launch_report stepped;
    open_program(&whole, p, seed);
    open_program(&cut, p, seed);
    struct launch launch = shape(&whole, p);
    engine_launch(whole.s.engine, whole.s.kernel, &launch, &whole.s.report);
    launch = shape(&cut, p);
    struct engine_stepped *l =
        engine_launch_open(cut.s.engine, cut.s.kernel, &launch);
    launch = (struct launch){0}; /* it was copied */
    size_t n = 1;
    if (how == RUNS_1 || how == RUNS_50)
        go_runs(l, how == RUNS_1 ? 1 : 50);
    else if (how < 0)
        n = go(l, how == SINGLE);
    else
        go_part(l, (size_t)how);
    engine_launch_close(l, &stepped);
    /* Blocks that wait for each other do more than counts. */
    assert_true(n > 0 && (p->cooperative ||
                          n <= stepped.counters.warp_instructions));
    assert_memory_equal(&stepped.counters, &whole.s.report.counters,
                        sizeof stepped.counters);
    same_findings(&stepped, &whole.s.report);
    engine_read(whole.s.engine, whole.y, whole.params[1], WORDS * 4);
    engine_read(cut.s.engine, cut.y, cut.params[1], WORDS * 4);
    assert_memory_equal(whole.y, cut.y, WORDS * 4);
    engine_report_free(&stepped);
    sample_close(&whole.s);
    sample_close(&cut.s);
}

static void a_launch_can_be_cut_anywhere(void **state)
{
    (void)state;
    for (int k = 0; k < N; k++)
        for (uint64_t seed = 0; seed < 3; seed++) {
            print_message("%s, seed %d\n", programs[k].name, (int)seed);
            for (int how = RUNS_1; how < 60; how += how < 6 ? 1 : 13)
                check(&programs[k], seed, how);
        }
}

/* The race and the fault must be seen at all. */
static void the_programs_have_findings(void **state)
{
    (void)state;
    static const struct {
        int program, fault;
        bool races;
    } known[] = {{1, FAULT_NONE, true}, {6, FAULT_ADDRESS, false}};
    for (int k = 0; k < 2; k++) {
        struct buffers b;
        const struct program *p = &programs[known[k].program];
        open_program(&b, p, 0);
        struct launch launch = shape(&b, p);
        engine_launch(b.s.engine, b.s.kernel, &launch, &b.s.report);
        assert_int_equal(b.s.report.fault, known[k].fault);
        assert_int_equal(b.s.report.races > 0, known[k].races);
        sample_close(&b.s);
    }
}

/* Block after block; the second warp of a block has 16 threads. */
static void a_step_says_what_was_executed(void **state)
{
    (void)state;
    struct buffers b;
    struct engine_step s;
    struct launch_report report;
    static const struct program p = {
        "", "", ".loc 1 12 0\n st.global.u32 [%rd4], %r1;", false};
    uint32_t stores = 0;
    open_program(&b, &p, 0);
    struct launch launch = shape(&b, &p);
    struct engine_stepped *l =
        engine_launch_open(b.s.engine, b.s.kernel, &launch);
    assert_int_equal(engine_launch_step(l, &s, 0), 0);
    while (engine_launch_step(l, &s, 1)) {
        assert_string_equal(s.function, "k");
        assert_true(strcmp(s.op, "st.global.u32") || s.n_accesses == 1);
        if (!s.n_accesses)
            continue;
        uint32_t block = stores / 2, warp = stores % 2;
        const struct engine_access *a = s.access;
        assert_string_equal(s.op, "st.global.u32");
        assert_int_equal(s.block[0], block);
        assert_int_equal(s.warp, warp);
        assert_int_equal(s.line, 12);
        assert_string_equal(s.file, "k.cu");
        assert_int_equal(s.mask, warp ? 0xffffu : UINT32_MAX);
        assert_int_equal(a->mask, s.mask);
        assert_int_equal(a->bytes, 4);
        assert_true(a->write && !a->atomic && a->space == PTX_SPACE_GLOBAL);
        for (uint32_t lane = 0; lane < (warp ? 16 : 32); lane++)
            assert_int_equal(a->address[lane],
                             b.params[1] +
                                 4 * (block * THREADS + warp * 32 + lane));
        /* It has happened by now. */
        engine_read(b.s.engine, b.y, b.params[1], WORDS * 4);
        uint32_t first = block * THREADS + warp * 32;
        assert_int_equal(b.y[first + 1], first + 1);
        assert_int_equal(b.y[first + (warp ? 16 : 32)], 0);
        if (++stores == 2 * BLOCKS - 1)
            break;
    }
    assert_int_equal(stores, 2 * BLOCKS - 1);
    engine_launch_close(l, &report); /* unfinished */
    engine_report_free(&report);
    b.s.report = (struct launch_report){0};
    clean(run(&b, BLOCKS, THREADS));
    assert_int_equal(b.y[WORDS - 1], WORDS - 1);
    sample_close(&b.s);
}

/* Each lane `stride` bytes after the one before it. */
static struct engine_access strided(int space, uint32_t bytes, uint32_t stride)
{
    struct engine_access a = {.space = (uint8_t)space, .mask = UINT32_MAX,
                              .bytes = bytes};
    for (uint32_t lane = 0; lane < 32; lane++)
        a.address[lane] = lane * stride;
    return a;
}

static void an_access_has_its_cost(void **state)
{
    (void)state;
    static const struct {
        int space;
        uint32_t bytes, stride;
        struct engine_cost cost;
    } known[] = {
        {PTX_SPACE_GLOBAL, 4, 4, {4, 0, 0}},
        {PTX_SPACE_GLOBAL, 4, 128, {32, 0, 0}},
        {PTX_SPACE_SHARED, 4, 4, {0, 32, 1}},
        {PTX_SPACE_SHARED, 4, 8, {0, 32, 2}},
        {PTX_SPACE_SHARED, 8, 8, {0, 16, 2}},
        {PTX_SPACE_SHARED, 16, 16, {0, 8, 4}},
        {PTX_SPACE_LOCAL, 4, 4, {0, 0, 0}},
        {PTX_SPACE_GLOBAL, 4096, 4096, {0, 0, 0}}, /* a bulk copy */
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        struct engine_access a =
            strided(known[k].space, known[k].bytes, known[k].stride);
        struct engine_cost c = engine_access_cost(&a);
        assert_int_equal(c.sectors, known[k].cost.sectors);
        assert_int_equal(c.lanes, known[k].cost.lanes);
        assert_int_equal(c.wavefronts, known[k].cost.wavefronts);
    }
    struct engine_access nobody = strided(PTX_SPACE_GLOBAL, 4, 4);
    nobody.mask = 0;
    assert_int_equal(engine_access_cost(&nobody).sectors, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_launch_can_be_cut_anywhere),
        cmocka_unit_test(the_programs_have_findings),
        cmocka_unit_test(a_step_says_what_was_executed),
        cmocka_unit_test(an_access_has_its_cost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
/*
 * clusters_test.c: how many clusters a GPU holds (blocks.c), and those of a
 * sampled launch that wait for each other (exec/scheduler.c).
 */
#include "engine_sample.h"

#include "simgpu/blocks.h"

enum { OF_CLUSTER = 2, THREADS = 64 };

/* What the runtime of an H200 and of an H100 answers, one block on each
 * multiprocessor. */
static void groups_hold_whole_clusters(void **state)
{
    static const struct {
        const char *gpu;
        int blocks, clusters;
    } known[] = {{"h200", 16, 7}, {"h200", 4, 31}, {"h200", 2, 66},
                 {"h100", 16, 6}, {"h100", 4, 30}, {"h100", 2, 66},
                 {"h200", 1, 132}};
    (void)state;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        assert_int_equal(gpu_clusters(gpu_find(known[k].gpu), 1,
                                      known[k].blocks), known[k].clusters);
    struct gpu_model part = *gpu_find("h200");
    part.sms = 8;
    assert_int_equal(gpu_clusters(&part, 1, 4), 2);
    assert_int_equal(gpu_clusters(&part, 2, 4), 4);
}

/* All clusters of the grid meet at a counter. */
static struct launch_report *meet(struct sample *s, uint32_t clusters)
{
    static const char text[] =
        ".version 8.0\n.target sm_90\n.address_size 64\n"
        ".visible .entry k(.param .u64 k_x) {\n"
        ".reg .b32 %r<16>; .reg .b64 %rd<8>; .reg .pred %p<8>;\n"
        "ld.param.u64 %rd1, [k_x]; mov.u32 %r2, %tid.x;\n"
        "mov.u32 %r3, %cluster_ctarank; or.b32 %r3, %r3, %r2;\n"
        "setp.ne.u32 %p1, %r3, 0; mov.u32 %r6, %nclusterid.x;\n"
        "@%p1 bra M; atom.global.add.u32 %r5, [%rd1], 1;\n"
        "L: ld.volatile.global.u32 %r4, [%rd1];\n"
        "setp.lt.u32 %p3, %r4, %r6; @%p3 bra L;\n"
        "M: barrier.cluster.arrive; barrier.cluster.wait;\n"
        "mul.wide.u32 %rd3, %r2, 4; add.s64 %rd4, %rd1, %rd3;\n"
        "st.global.u32 [%rd4+64], %r2; ret; }\n";
    static const uint32_t zeros[1024];
    *s = sample_open(text, CHECK_COUNTERS | CHECK_TRAFFIC);
    uint64_t x = sample_array(s, zeros, sizeof zeros);
    struct launch l = {.grid = {OF_CLUSTER * clusters, 1, 1},
                       .block = {THREADS, 1, 1}, .cluster = {OF_CLUSTER, 1, 1},
                       .params = &x, .sample = true};
    engine_report_free(&s->report);
    engine_launch(s->engine, s->kernel, &l, &s->report);
    return &s->report;
}

/* Two neighbours have one or two clusters, which wait for those of all others:
 * these join, and are not counted. */
static void strangers_join(void **state)
{
    static const uint32_t clusters[] = {1, 2, 66, 100, 132};
    (void)state;
    for (size_t k = 0; k < sizeof clusters / sizeof *clusters; k++) {
        struct sample s;
        const struct launch_report *r = meet(&s, clusters[k]);
        uint64_t mine = (clusters[k] + 65) / 66 * OF_CLUSTER;
        assert_int_equal(r->fault, FAULT_NONE);
        assert_int_equal(r->counters.global_atomics, mine / OF_CLUSTER);
        assert_int_equal(r->traffic->blocks, mine);
        sample_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_hold_whole_clusters),
        cmocka_unit_test(strangers_join),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

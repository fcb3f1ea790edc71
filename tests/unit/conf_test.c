// SPDX-License-Identifier: MIT
/*
 * conf_test.c: chapter.conf is read whole, and every slip in it is an error
 * that names file and line.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/conf/conf.h"

static struct conf conf;
static char error[512];

static bool read_text(const char *text)
{
    char path[] = "/tmp/conf_test.XXXXXX";
    int fd = mkstemp(path);
    bool ok;

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    ok = conf_read(path, &conf, error, sizeof error);
    unlink(path);
    return ok;
}

#define HEAD "[chapter]\ntitle = Coalesced\nprevious = 04\narch = compute_80\n"
#define KERNEL HEAD "[forward]\nop = dwconv_forward\n"
#define SHAPES "sim_shapes = B64 H128 L48 K48; B3 H5 L37 K11\n"

static void reads_everything(void **state)
{
    const struct kernel_conf *k = &conf.kernels[0];

    (void)state;
    assert_true(read_text(KERNEL "deterministic = yes\n" SHAPES
                          "optional = yes\n"
                          "time_shape = B16384 H128 L48 K48\n"
                          "min_speedup = 1.5\n"
                          "gate = global_load_sectors_per_request <= 6\n"
                          "gate = shared_load_requests >= 1\n"));
    assert_string_equal(conf.title, "Coalesced");
    assert_string_equal(conf.arch, "compute_80");
    assert_int_equal(conf.previous, 4);
    assert_int_equal(conf.n_kernels, 1);
    assert_string_equal(k->name, "forward");
    assert_string_equal(k->op->name, "dwconv_forward");
    assert_true(k->deterministic);
    assert_true(k->optional);
    assert_int_equal(k->n_sim_shapes, 2);
    assert_int_equal(k->sim_shapes[1].dim[2], 37);
    assert_true(k->has_time_shape);
    assert_int_equal(k->time_shape.dim[0], 16384);
    assert_true(k->min_speedup == 1.5);
    assert_int_equal(k->n_gates, 2);
    assert_int_equal(k->gates[1].op, GATE_GE);
    assert_true(k->gates[0].limit == 6.0);
}

#define OF_GEMM HEAD "[gemm]\nop = gemm_f32\n"                                 \
    "sim_shapes = M8 N8 K8; M9 N4 K5; M9 N4 K5 on 4; M9 N4 K6 off A\n"

static void a_gate_may_name_its_shape(void **state)
{
    const struct kernel_conf *k = &conf.kernels[0];
    char text[64];

    (void)state;
    assert_true(read_text(OF_GEMM "gate = barriers <= 6\n"
                          "gate = barriers >= 1 at M9 N4 K5\n"
                          "gate = barriers >= 2 at M9 N4 K5 on 4\n"));
    assert_int_equal(k->gates[0].at, 0);
    assert_int_equal(k->gates[1].at, 1);
    assert_int_equal(k->gates[2].at, 2);
    assert_true(k->gates[2].limit == 2.0);
    conf_shape_text(k, 2, text, sizeof text);
    assert_string_equal(text, "M9 N4 K5 on 4");
}

static void a_timer_needs_no_shapes(void **state)
{
    (void)state;
    assert_true(read_text("[chapter]\ntitle = T\nkind = timer\n"
                          "[timer]\nop = timer\n"));
    assert_true(conf.kernels[0].timer && !conf.kernels[0].host);
    assert_int_equal(conf.kernels[0].n_sim_shapes, 0);
    assert_string_equal(conf_extension(&conf.kernels[0]), "c");
    assert_true(read_text(KERNEL SHAPES "min_percent_of_roof = 90\n"));
    assert_true(conf.kernels[0].min_percent_of_roof == 90.0);
    assert_string_equal(conf_extension(&conf.kernels[0]), "cu");
}

static void a_list_goes_on_over_lines(void **state)
{
    (void)state;
    assert_true(read_text(KERNEL "sim_shapes = B1 H1 L1 K1\n"
                                 "  B2 H2 L2 K2; B3 H3 L3 K3\n"));
    assert_int_equal(conf.kernels[0].n_sim_shapes, 3);
}

static void a_size_has_its_multiprocessors(void **state)
{
    const struct kernel_conf *k = &conf.kernels[0];

    (void)state;
    assert_true(read_text(KERNEL "sim_shapes = B1 H1 L1 K1; B2 H2 L2 K2 on 4; "
                                 "B3 H3 L3 K3\n"));
    assert_int_equal(k->n_sim_shapes, 3);
    assert_int_equal(k->sim_shapes[1].dim[3], 2);
    assert_int_equal(k->multiprocessors[0], 0);
    assert_int_equal(k->multiprocessors[1], 4);
    assert_int_equal(k->multiprocessors[2], 0);
}

static void a_size_has_arrays_off_a_boundary(void **state)
{
    const struct kernel_conf *k = &conf.kernels[0];

    (void)state;
    assert_true(read_text(HEAD "[gemm]\nop = gemm_f32\n"
                          "sim_shapes = M1 N1 K1; M2 N2 K2 on 4 off A C\n"));
    assert_int_equal(k->off[0], 0);
    assert_int_equal(k->off[1], 5);
    assert_int_equal(k->multiprocessors[1], 4);
}

static void kind_is_inherited(void **state)
{
    (void)state;
    assert_true(read_text("[chapter]\ntitle = T\nkind = host\n"
                          "[program]\nop = vector_add\nsim_shapes = N1\n"
                          "[add]\nkind = kernel\nop = vector_add\n"
                          "sim_shapes = N1\n"));
    assert_true(conf.kernels[0].host);
    assert_false(conf.kernels[1].host);
}

static void a_kernel_names_the_one_before(void **state)
{
    (void)state;
    assert_true(read_text(KERNEL SHAPES "previous = 05/weight_grad\n"
                          "[fast]\nop = dwconv_forward\n" SHAPES
                          "previous = forward\n"));
    assert_int_equal(conf.kernels[0].previous, 5);
    assert_string_equal(conf.kernels[0].previous_kernel, "weight_grad");
    assert_int_equal(conf.kernels[1].previous, 0);
    assert_string_equal(conf.kernels[1].previous_kernel, "forward");
}

static void peers_have_named_shapes(void **state)
{
    (void)state;
    assert_true(read_text("[chapter]\ntitle = T\nladder = a-2\nstudy = b\n"
                          "aim = both: total/time_ms >= 2.5\n"
                          "[forward]\nop = dwconv_forward\n" SHAPES
                          "label = the way forward\n"
                          "peer_shape = long: B1 H2 L3 K4\n"
                          "peer_shape = short: B5 H6 L7 K8\n"));
    assert_int_equal(conf.kernels[0].n_peer_shapes, 2);
    assert_string_equal(conf.kernels[0].peer_shapes[1].name, "short");
    assert_int_equal(conf.kernels[0].peer_shapes[1].shape.dim[3], 8);
}

static void a_kernel_names_the_one_apart(void **state)
{
    (void)state;
    assert_true(read_text(KERNEL SHAPES "apart = slow\n"
                          "[slow]\nop = dwconv_forward\n" SHAPES));
    assert_string_equal(conf.kernels[0].apart, "slow");
    assert_string_equal(conf.kernels[1].apart, "");
}

static void pages_run_kernels(void **state)
{
    (void)state;
    assert_true(read_text(KERNEL SHAPES
                          "page = all: B 1 2*;H 2* 3;L 3*;K 4*\n"
                          "page = bug: B 1*;H 2*;L 3*;K 4*: s|a: b|c|;s|d|e|"
                          "\n"));
}

struct slip {
    const char *text;
    int line;         /* that the error must name */
    const char *says;
};

static void every_slip_is_named(void **state)
{
    static const struct slip slips[] = {
        {HEAD "titel = x\n", 5, "titel"},
        {HEAD "[forward]\nop = timer\nsim_shapes = TRAP1\n", 6, "timer"},
        {KERNEL SHAPES "gates = flops <= 1\n", 8, "gates"},
        {KERNEL SHAPES "gate = sectors <= 1\n", 8, "no such counter"},
        {KERNEL SHAPES "time_gate = sectors <= 1\n", 8, "no such counter"},
        {KERNEL SHAPES "gate = flops 1\n", 8, "COUNTER"},
        {KERNEL SHAPES "gate = flops <= 1 2\n", 8, "COUNTER"},
        {KERNEL SHAPES "gate = flops <= nan\n", 8, "finite"},
        {OF_GEMM "gate = flops <= 1 at M9 N4 K4\n", 8, "is none"},
        {OF_GEMM "gate = flops <= 1 at M9 N4 K6\n", 8, "is none"},
        {OF_GEMM "gate = flops <= 1 at M8 N8 K8 on 4\n", 8, "is none"},
        {OF_GEMM "gate = flops <= 1 at M9\n", 8, "M9"},
        {KERNEL "sim_shapes = B0 H1 L1 K1\n", 7, "B0 H1 L1 K1"},
        {KERNEL "sim_shapes = B1 H1 L1\n", 7, "B1 H1 L1"},
        {KERNEL "sim_shapes = B1 H1 L1 K1 ; B2 H2 L2 K2\n", 7, "no space"},
        {KERNEL "sim_shapes = B1 H1 L1 K1; B2 H2 L2 K2 on 0\n", 7, "1 to 99"},
        {KERNEL "sim_shapes = B1 H1 L1 K1; B2 H2 L2 K2 on\n", 7, "B2"},
        {KERNEL "sim_shapes = B1 H1 L1 K1; B2 H2 L2 K2 on 4x\n", 7, "4x"},
        {KERNEL "sim_shapes = B1 H1 L1 K1 on 4\n", 7, "whole GPU"},
        {KERNEL "sim_shapes = B1 H1 L1 K1 off x\n", 7, "boundaries"},
        {KERNEL "sim_shapes = B1 H1 L1 K1; B2 H2 L2 K2 off q\n", 7, "q"},
        {KERNEL SHAPES "min_speedup = fast\n", 8, "fast"},
        {KERNEL SHAPES "optional = perhaps\n", 8, "perhaps"},
        {KERNEL SHAPES "min_speedup = -1\n", 8, "-1"},
        {KERNEL SHAPES "min_percent_of_roof = 0\n", 8, "at most 100"},
        {KERNEL SHAPES "min_percent_of_roof = 101\n", 8, "at most 100"},
        {KERNEL SHAPES "min_percent_of_roof = \n", 8, "at most 100"},
        {KERNEL SHAPES "deterministic = true\n", 8, "yes or no"},
        {KERNEL SHAPES "nonsense\n", 8, "KEY = VALUE"},
        {KERNEL, 6, "lacks sim_shapes"},
        {HEAD "[forward]\ndeterministic = yes\n", 6, "lacks op"},
        {KERNEL "op = gemm_f32\n", 7, "second op"},
        {HEAD "[forward]\n" SHAPES, 6, "above its shapes"},
        {HEAD "[forward]\nop = dwconf\n", 6, "dwconf"},
        {HEAD "[for ward]\nop = dwconv_forward\n", 6, "for ward"},
        {HEAD, 1, "no kernel"},
        {"[chapter]\nprevious = x\n", 2, "number"},
        {KERNEL SHAPES "previous = 5/\n", 8, "1 to"},
        {KERNEL SHAPES "previous = x/forward\n", 8, "NN/KERNEL"},
        {KERNEL SHAPES "previous = 123/forward\n", 8, "NN/KERNEL"},
        {KERNEL SHAPES "previous = 0/forward\n", 8, "NN/KERNEL"},
        {KERNEL SHAPES "previous = forward\n", 6, "no kernel before it"},
        {KERNEL SHAPES "[forward]\nop = dwconv_forward\n", 8, "second"},
        {HEAD "[chapter]\ntitle = Again\n", 5, "second section [chapter]"},
        {"[chapter]\narch = sm_90\n", 2, "compute_75"},
        {"[forward]\nop = dwconv_forward\n" SHAPES, 1, "title"},
        {HEAD "ladder = two words\n", 5, "one word"},
        {HEAD "study =\n", 5, "one word"},
        {HEAD "aim = over_copy <= 1\n", 5, "WORDS: FACT"},
        {HEAD "aim = words: over_copy < 1\n", 5, "WORDS: FACT"},
        {HEAD "aim = words: over_copy <= 1 2\n", 5, "WORDS: FACT"},
        {HEAD "measure = long\n", 5, "NAME: FILE.cu"},
        {KERNEL "label =\n", 7, "label is text"},
        {KERNEL "peer_shape = B1 H1 L1 K1\n", 7, "NAME: SHAPE"},
        {KERNEL "peer_shape = long: B1 H1 L1\n", 7, "B1 H1 L1"},
        {KERNEL "page = B 1*;H 2*;L 3*;K 4*\n", 7, "TITLE: SIZES"},
        {KERNEL "page = all: B 1;H 2*;L 3*;K 4*\n", 7, "a star at one"},
        {KERNEL "page = all: B 1* 2*;H 2*;L 3*;K 4*\n", 7, "a star at one"},
        {KERNEL "page = all: B 1x*;H 2*;L 3*;K 4*\n", 7, "a star at one"},
        {KERNEL "page = all: B 1*;H 2*;L 3*\n", 7, "B1 H2 L3"},
        {KERNEL "page = all: B 0*;H 2*;L 3*;K 4*\n", 7, "B0 H2 L3 K4"},
        {HEAD "[forward]\npage = all: B 1*\n", 6, "above its shapes"},
        {KERNEL SHAPES "apart = forward\n", 6, "no other kernel"},
        {KERNEL SHAPES "apart = slow\n[slow]\nop = dwconv_input_grad\n" SHAPES,
         6, "same op"},
        {HEAD "[forward]\npeer_shape = long: B1 H1 L1 K1\n", 6,
         "above its shapes"},
    };
    char place[32];

    (void)state;
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++) {
        error[0] = '\0';
        if (read_text(slips[i].text))
            fail_msg("accepted: %s", slips[i].text);
        snprintf(place, sizeof place, ":%d: ", slips[i].line);
        if (!strstr(error, place) || !strstr(error, slips[i].says))
            fail_msg("expected \"%s...%s\" of\n%s\ngot: %s", place,
                     slips[i].says, slips[i].text, error);
    }
}

static void a_missing_file_is_an_error(void **state)
{
    (void)state;
    assert_false(conf_read("/nonexistent/chapter.conf", &conf, error,
                           sizeof error));
    assert_non_null(strstr(error, "/nonexistent/chapter.conf"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_everything),
        cmocka_unit_test(a_gate_may_name_its_shape),
        cmocka_unit_test(a_timer_needs_no_shapes),
        cmocka_unit_test(a_list_goes_on_over_lines),
        cmocka_unit_test(a_size_has_its_multiprocessors),
        cmocka_unit_test(a_size_has_arrays_off_a_boundary),
        cmocka_unit_test(kind_is_inherited),
        cmocka_unit_test(a_kernel_names_the_one_before),
        cmocka_unit_test(peers_have_named_shapes),
        cmocka_unit_test(a_kernel_names_the_one_apart),
        cmocka_unit_test(pages_run_kernels),
        cmocka_unit_test(every_slip_is_named),
        cmocka_unit_test(a_missing_file_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

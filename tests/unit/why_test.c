// SPDX-License-Identifier: MIT
/*
 * why_test.c: what the report says is to blame, and which line it names.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "check/report/hot.h"
#include "check/report/remedy.h"
#include "check/report/why.h"

static struct workbook workbook;
static struct options options;

/* A kernel that was judged by the gates, without a GPU. */
static struct kernel_result judged(struct kernel_conf *conf,
                                   const char *const *gates, json_t *counters)
{
    struct kernel_result r = {.conf = conf, .verdict = VERDICT_TECHNIQUE};
    struct run *run = &r.run[RUN_SIM];

    conf->op = op_find("dwconv_forward");
    conf->n_gates = 0;
    run->counters = counters;
    run->counters_shape = (struct op_shape){.dim = {64, 128, 48, 48}};
    run->gates_measured = true;
    for (int i = 0; gates[i]; i++) {
        struct gate *gate = &conf->gates[conf->n_gates++];

        assert_null(gate_parse(gates[i], gate));
        run->gate_measured[i] = true;
        run->gate_value[i] = gate_value(gate->counter, counters, conf->op,
                                        &run->counters_shape);
        run->gate_ok[i] = gate_holds(gate, run->gate_value[i]);
    }
    return r;
}

/* As chapter `number` says it. */
static void says_in(int number, struct kernel_result *r, const char *words,
                    const char *too)
{
    struct text t = {0};

    options.number = number;
    workbook.options = &options;
    why_say(&t, r, &workbook);
    if (!strstr(text_get(&t), words) || (too && !strstr(text_get(&t), too)))
        fail_msg("not said: %s %s\nsaid: %s", words, too ? too : "",
                 text_get(&t));
    text_free(&t);
    result_free(r);
}

static void says(struct kernel_result *r, const char *words)
{
    says_in(7, r, words, NULL);
}

static json_t *counters(void)
{
    static const char *const more[] = {
        "async_copy_fetches", "async_copy_sectors", "async_copy_bytes",
        "global_atomics", "global_atomic_sectors", "shared_atomics",
        "repeated_bytes"};
    json_t *c = json_pack("{si si si si si si si si si si si si}",
                     "global_load_requests", 100, "global_load_bytes", 12600,
                     "global_load_sectors", 400, "global_store_requests", 10,
                     "global_store_sectors", 40, "shared_load_requests",
                     60000000, "shared_load_conflicts", 0,
                     "shared_store_requests", 0, "shared_store_conflicts", 0,
                     "local_load_requests", 0, "local_store_requests", 0,
                     "warp_instructions", 1000);

    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        json_object_set_new(c, more[i], json_integer(0));
    return c;
}

/* Chapter 07's starter misses both; the first one is the chapter's idea. */
static void the_first_missed_gate(void **state)
{
    static const char *const gates[] = {
        "shared_load_requests_per_flop <= 0.004",
        "global_load_bytes_per_request >= 400", NULL};
    static const char *const turned[] = {
        "global_load_bytes_per_request >= 400",
        "shared_load_requests_per_flop <= 0.004", NULL};
    struct kernel_conf conf = {.name = "forward"};
    struct kernel_result r = judged(&conf, gates, counters());

    (void)state;
    says(&r, "shared loads per useful flop");
    r = judged(&conf, turned, counters());
    says(&r, "A warp's load asks for 126 bytes");
}

/* Unless one of bytes, whichever of them it is, is missed by far more. */
static void the_gate_that_weighs_most(void **state)
{
    static const char *const gates[] = {
        "global_load_bytes_per_request >= 400",
        "global_load_bytes_over_asked <= 1.05", NULL};
    static const char *const close[] = {
        "global_load_bytes_per_request >= 400",
        "global_load_bytes_over_asked <= 0.5", NULL};
    struct kernel_conf conf = {.name = "forward"};
    json_t *spread = counters();
    struct kernel_result r;

    (void)state;
    for (int i = 0; i < 2; i++) {
        static const char *const none[] = {"bulk_load_bytes",
                                           "bulk_load_sectors"};
        json_object_set_new(spread, none[i], json_integer(0));
    }
    json_object_set_new(spread, "async_copy_bytes", json_integer(0));
    json_object_set_new(spread, "global_atomic_bytes", json_integer(0));
    r = judged(&conf, close, json_deep_copy(spread)); /* 3.2 and 2.0 times */
    says(&r, "A warp's load asks for 126 bytes");
    json_object_set_new(spread, "global_load_sectors", json_integer(3150));
    r = judged(&conf, gates, spread);
    says(&r, "It fetches 8 times the bytes that its loads ask for");
}

/* Bytes over the compulsory ones: in vain, there and back, or again. */
static void what_moves_too_many_bytes(void **state)
{
    static const char *const gates[] = {"global_bytes_over_compulsory <= 1.1",
                                        NULL};
    static const struct {
        double loads, asked, stores; /* arrays of 64 x 128 x 48 floats */
        const char *words;
    } rows[] = {
        {8, 1, 1, "It fetches 8 times the bytes"},
        {3, 3, 1, "times the bytes of its inputs"},
        {2, 2, 2, "It stores 2 times the bytes of its results"},
    };
    struct kernel_conf conf = {.name = "forward"};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double bytes = 4.0 * 64 * 128 * 48;
        json_t *c = json_pack(
            "{s:f, s:f, s:f, s:f, s:i, s:i, s:i, s:i, s:i, s:i}",
            "global_load_sectors", rows[i].loads * bytes / 32,
            "global_load_bytes", rows[i].asked * bytes,
            "global_store_sectors", rows[i].stores * bytes / 32,
            "global_store_bytes", rows[i].stores * bytes, "async_copy_sectors",
            0, "bulk_load_sectors", 0, "bulk_store_sectors", 0,
            "global_atomic_sectors", 0, "api_sectors", 0, "repeated_bytes", 0);
        struct kernel_result r = judged(&conf, gates, c);

        for (int k = 0; k < 3; k++) {
            static const char *const none[] = {
                "async_copy_bytes", "bulk_load_bytes", "global_atomic_bytes"};
            json_object_set_new(c, none[k], json_integer(0));
        }
        json_object_set_new(c, "bulk_store_bytes", json_integer(0));
        says(&r, rows[i].words);
    }
}

/* Fewer bytes than the compulsory ones are no call's, and yet too many. */
static void fewer_bytes_than_compulsory(void **state)
{
    static const char *const gates[] = {
        "global_load_bytes_over_compulsory <= 0.75", NULL};
    struct kernel_conf conf = {.name = "forward"};
    json_t *c = counters();
    struct kernel_result r;
    struct text t = {0};

    (void)state;
    json_object_set_new(c, "global_load_sectors",
                        json_real(1.7 * 4 * 64 * 128 * 48 / 32));
    json_object_set_new(c, "bulk_load_sectors", json_integer(0));
    r = judged(&conf, gates, c);
    workbook.options = &options;
    assert_true(why_next(&t, &r, &workbook));
    assert_non_null(strstr(text_get(&t), "Give a block a larger tile"));
    text_free(&t);
    says(&r, "times the bytes that must move in all: several blocks");
}

/* Most of what is stored in excess may be atomics, which read, too. */
static void atomics_are_no_stores(void **state)
{
    static const char *const gates[] = {"global_bytes_over_compulsory <= 1.1",
                                        NULL};
    const double bytes = 4.0 * 64 * 128 * 48;
    struct kernel_conf conf = {.name = "forward"};
    json_t *c = json_pack(
        "{s:f, s:f, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:f, s:f, s:i}",
        "global_load_sectors", bytes / 32, "global_load_bytes", bytes,
        "global_store_sectors", 0, "global_store_bytes", 0,
        "async_copy_sectors", 0, "bulk_load_sectors", 0, "bulk_store_sectors",
        0, "async_copy_bytes", 0, "bulk_load_bytes", 0, "bulk_store_bytes", 0,
        "global_atomic_sectors", 8 * bytes / 32, "global_atomic_bytes",
        8 * bytes, "api_sectors", 0);
    struct kernel_result r = judged(&conf, gates, c);

    (void)state;
    says(&r, "Its atomics read, and write again, 8 times the bytes of its");
}

/* Of a kernel that passes, what only given headers do is no reason. */
static void given_code_is_no_reason(void **state)
{
    static const char *const gates[] = {NULL};
    static const char lines[] =
        "{\"launches\": [{\"traffic\": {\"blocks\": 1, \"grid_blocks\": 1},"
        " \"lines\": [{\"file\": \"%s\", \"line\": 3, \"shared_loads\": 9}]}]}";
    static const char *const files[] = {"common/op/tile.cuh", "forward.cu"};

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct kernel_conf conf = {.name = "forward"};
        struct kernel_result r = judged(&conf, gates, counters());
        struct text t = {0};
        char report[256];

        snprintf(report, sizeof report, lines, files[i]);
        path_set(r.source, "forward.cu");
        r.verdict = VERDICT_PASS;
        r.predicted.report = json_loads(report, 0, NULL);
        assert_non_null(r.predicted.report);
        options.number = 7;
        workbook.options = &options;
        why_say(&t, &r, &workbook);
        assert_int_equal(strstr(text_get(&t), "shared loads") != NULL, i);
        text_free(&t);
        result_free(&r);
    }
}

static void a_gate_that_holds_says_nothing(void **state)
{
    static const char *const gates[] = {
        "global_load_sectors_per_request <= 6",
        "global_load_bytes_per_request >= 400", NULL};
    struct kernel_conf conf = {.name = "forward"};
    struct kernel_result r = judged(&conf, gates, counters());

    (void)state;
    says(&r, "A warp's load asks for 126 bytes");
}

/* Too many atomics and too few are different mistakes. */
static void both_sides_of_a_limit(void **state)
{
    static const char *const few[] = {"global_atomics >= 96", NULL};
    static const char *const many[] = {"global_atomics <= 100", NULL};
    struct kernel_conf conf = {.name = "weight_grad"};
    struct kernel_result r =
        judged(&conf, few, json_pack("{si}", "global_atomics", 0));

    (void)state;
    says(&r, "cut into slices");
    r = judged(&conf, many, json_pack("{si}", "global_atomics", 19200));
    says(&r, "19200 atomic additions");
}

/* No gate asks for it, and few turns say nothing. */
static void constants_that_take_turns(void **state)
{
    struct kernel_conf conf = {.name = "forward"};
    static const char *const none[] = {NULL};
    json_t *c = json_pack("{si si si}", "warp_instructions", 1000,
                          "constant_load_requests", 10,
                          "constant_load_replays", 310);
    struct kernel_result r = judged(&conf, none, c);
    struct text t = {0};

    (void)state;
    says(&r, "A load of constants takes 31 further turns");
    r = judged(&conf, none,
               json_pack("{si si si}", "warp_instructions", 1000,
                         "constant_load_requests", 10,
                         "constant_load_replays", 10));
    why_say(&t, &r, &workbook);
    assert_null(strstr(text_get(&t), "constants"));
    text_free(&t);
    result_free(&r);
}

/* A spill speaks where no gate is missed. */
static void spills_come_after_gates(void **state)
{
    static const char *const gates[] = {
        "global_load_bytes_per_request >= 400", NULL};
    static const char *const none[] = {NULL};
    struct kernel_conf conf = {.name = "forward"};
    struct kernel_result r = judged(&conf, gates, counters());

    (void)state;
    r.build.spill_bytes = 8;
    says(&r, "A warp's load asks for 126 bytes");
    r = judged(&conf, none, counters());
    r.verdict = VERDICT_PASS;
    r.build.spill_bytes = 8;
    says(&r, "ptxas spilled 8 bytes");
}

/* After a step that passes comes the next one, and after the last a chapter. */
static void a_step_leads_to_the_next(void **state)
{
    static const char *const none[] = {NULL};
    struct kernel_conf conf = {.name = "inputs"};
    struct kernel_result r = judged(&conf, none, counters());

    (void)state;
    workbook.conf.n_kernels = 2;
    workbook.conf.kernels[0] = conf;
    workbook.conf.kernels[1] = (struct kernel_conf){
        .name = "halo", .previous_kernel = "inputs"};
    r.verdict = VERDICT_PASS;
    says_in(6, &r, "shared loads per useful flop", "The next step is halo.cu.");
    workbook.conf.kernels[1].previous = 5; /* of chapter 05 */
    r = judged(&conf, none, counters());
    r.verdict = VERDICT_PASS;
    says_in(6, &r, "See chapters/07-dwconv-warp-tiled/README.md.", NULL);
    workbook.conf.n_kernels = 0;
}

/* What a picture shows is offered as one, and every gate has a remedy. */
static void a_missed_gate_that_can_be_drawn(void **state)
{
    static const char *const drawn[] = {
        "global_load_sectors_per_request <= 3", NULL};
    static const char *const plain[] = {
        "shared_load_requests_per_flop <= 0.004", NULL};
    struct kernel_conf conf = {.name = "forward"};
    struct kernel_result r = judged(&conf, drawn, counters());
    struct text t = {0};

    (void)state;
    options.number = 5;
    workbook.options = &options;
    assert_true(why_next(&t, &r, &workbook));
    assert_non_null(strstr(text_get(&t), "`make trace 5 KERNEL=forward`"));
    text_free(&t);
    result_free(&r);
    r = judged(&conf, plain, counters());
    assert_true(why_next(&t, &r, &workbook));
    assert_non_null(strstr(text_get(&t), "Give each thread several outputs"));
    assert_null(strstr(text_get(&t), "make trace"));
    text_free(&t);
    result_free(&r);
}

/* Of a kernel for tensor cores neither a lane's multiply-add is a measure, nor
 * a thread's outputs a remedy. */
static void a_kernel_for_tensor_cores(void **state)
{
    static const char *const issues[] = {
        "warp_instructions_per_flop <= 1e-12",
        "tf32_tensor_ops_per_flop >= 0", NULL};
    static const char *const loads[] = {
        "shared_load_requests_per_flop <= 0.0005",
        "tf32_tensor_ops_per_flop >= 0", NULL};
    struct kernel_conf conf = {.name = "forward"};
    json_t *c = counters();
    struct kernel_result r;
    struct text t = {0};

    (void)state;
    workbook.options = &options;
    json_object_set_new(c, "tf32_tensor_ops", json_integer(1));
    r = judged(&conf, loads, json_deep_copy(c));
    assert_true(why_next(&t, &r, &workbook));
    assert_non_null(strstr(text_get(&t), "a warp own more rows and columns"));
    text_free(&t);
    says(&r, "or a fragment serves few mma");
    r = judged(&conf, issues, c);
    assert_true(why_next(&t, &r, &workbook));
    assert_non_null(strstr(text_get(&t), "carry addresses along as pointers"));
    text_free(&t);
    says(&r, "1/2048 = 0.000488");
}

/* The head of its file says what is new in a step, on one line or more. */
static void the_idea_of_a_step(void **state)
{
    struct text t = {0};

    (void)state;
    assert_true(remedy_idea(&t, "chapters/21-row-norm/registers.cu"));
    assert_string_equal(t.s, "what a thread has read it keeps, 16 floats, for "
                             "the result.");
    text_free(&t);
    assert_true(remedy_idea(&t, "chapters/14-gemm-vectorized/gemm.cu"));
    assert_string_equal(t.s, "a warp owns 64 x 32 elements, and its lanes "
                             "stand in an order that lets halves of the warp "
                             "share a wavefront.");
    text_free(&t);
    assert_false(remedy_idea(&t, "chapters/21-row-norm/README.md"));
}

/* Every gate of every chapter, so that no TECHNIQUE is left without a why. */
static void every_gate_has_a_sentence(void **state)
{
    glob_t found;
    int gates = 0;

    (void)state;
    assert_int_equal(glob("chapters/*/chapter.conf", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        FILE *file = fopen(found.gl_pathv[i], "r");
        char line[256];

        while (file && fgets(line, sizeof line, file)) {
            struct gate gate;
            char *at = strstr(line, " at ");

            if (strncmp(line, "gate = ", 7) != 0)
                continue;
            if (at) /* a shape of this chapter's */
                *at = '\0';
            assert_null(gate_parse(line + 7, &gate));
            if (!why_knows(&gate))
                fail_msg("%s: signs.c has no sentence for: %s",
                         found.gl_pathv[i], line);
            if (!strstr(gate.counter, "_over_compulsory") &&
                !remedy_of(gate.counter, gate.op == GATE_GE))
                fail_msg("%s: remedy.c has no sentence for: %s",
                         found.gl_pathv[i], line);
            gates++;
        }
        assert_non_null(file);
        fclose(file);
    }
    globfree(&found);
    assert_true(gates > 50);
}

static json_t *lines(void)
{
    static const char report[] =
        "{\"launches\": ["
        " {\"traffic\": {\"blocks\": 2, \"grid_blocks\": 200}, \"lines\": ["
        "  {\"file\": \"/a/forward.cu\", \"line\": 7, \"atomics\": 3},"
        "  {\"file\": \"/a/forward.cu\", \"line\": 9, \"atomics\": 1},"
        "  {\"file\": \"/cuda/helpers.h\", \"line\": 5, \"atomics\": 4}]},"
        " {\"traffic\": {\"blocks\": 1, \"grid_blocks\": 1}, \"lines\": ["
        "  {\"file\": \"/a/forward.cu\", \"line\": 20, \"atomics\": 200}]}]}";

    return json_loads(report, 0, NULL);
}

/* Counts of a launch of which a part ran weigh by the part. */
static void the_hot_line(void **state)
{
    json_t *report = lines();
    struct hot hot;

    (void)state;
    assert_non_null(report);
    assert_true(hot_line(report, "chapters/x/forward.cu", "atomics", &hot));
    assert_int_equal(hot.line, 7);
    assert_true(hot.share == 300.0 / 1000.0);
    assert_false(hot_line(report, "chapters/x/forward.cu", "barriers", &hot));
    assert_false(hot_line(report, "chapters/x/copy.cu", "atomics", &hot));
    assert_false(hot_line(NULL, "chapters/x/forward.cu", "atomics", &hot));
    json_decref(report);
}

/* Several, in the source's order, without those that have little. */
static void the_hot_lines(void **state)
{
    json_t *report = lines();
    struct hot at[3];

    (void)state;
    assert_int_equal(hot_lines(report, "chapters/x/forward.cu", "atomics", at,
                               3), 3);
    assert_int_equal(at[0].line, 7);
    assert_int_equal(at[1].line, 9);
    assert_true(at[1].share == 100.0 / 1000.0);
    assert_int_equal(at[2].line, 20);
    assert_int_equal(hot_lines(report, "chapters/x/forward.cu", "atomics", at,
                               2), 2);
    assert_int_equal(at[1].line, 20);
    json_decref(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_missed_gate),
        cmocka_unit_test(the_gate_that_weighs_most),
        cmocka_unit_test(what_moves_too_many_bytes),
        cmocka_unit_test(fewer_bytes_than_compulsory),
        cmocka_unit_test(atomics_are_no_stores),
        cmocka_unit_test(given_code_is_no_reason),
        cmocka_unit_test(a_gate_that_holds_says_nothing),
        cmocka_unit_test(both_sides_of_a_limit),
        cmocka_unit_test(constants_that_take_turns),
        cmocka_unit_test(spills_come_after_gates),
        cmocka_unit_test(a_step_leads_to_the_next),
        cmocka_unit_test(a_missed_gate_that_can_be_drawn),
        cmocka_unit_test(a_kernel_for_tensor_cores),
        cmocka_unit_test(the_idea_of_a_step),
        cmocka_unit_test(every_gate_has_a_sentence),
        cmocka_unit_test(the_hot_line),
        cmocka_unit_test(the_hot_lines),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

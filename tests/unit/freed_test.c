// SPDX-License-Identifier: MIT
/*
 * freed_test.c: what freed arrays leave of bits and race records goes, and
 * nothing else does.
 */
#include "engine_kernel.h"
#include "simgpu/host/pages.h"

/* Thread i stores at x + i * y. */
static const char *store = "mul.lo.u64 %rd6, %rd5, %rd2; shr.u64 %rd6, %rd6, "
                           "2; add.s64 %rd6, %rd6, %rd1;\n"
                           "st.global.u32 [%rd6], %r1;";
enum { THREADS = 256, STRIDE = 4096, ARRAY = THREADS * STRIDE };

static const struct launch_report *store_at(struct sample *s, uint64_t address,
                                            uint64_t stride)
{
    uint64_t params[2] = {address, stride};
    return sample_run(s, 1, THREADS, params);
}

static void finds(enum finding_kind kind, const struct launch_report *r)
{
    assert_int_equal(r->n_findings, 1);
    assert_int_equal(r->findings[0].kind, kind);
}

/* What a round touches is about 10 MB, of large arrays and of small ones. */
static void free_large(struct sample *s)
{
    uint64_t array = sample_array(s, NULL, ARRAY);
    clean(store_at(s, array, STRIDE));
    assert_int_equal(engine_free(s->engine, array), MEM_OK);
}

static void free_small(struct sample *s)
{
    uint64_t array[THREADS];
    for (int n = 0; n < THREADS; n++)
        array[n] = sample_array(s, NULL, sizeof(int));
    clean(store_at(s, array[0], array[1] - array[0]));
    for (int n = 0; n < THREADS; n++)
        assert_int_equal(engine_free(s->engine, array[n]), MEM_OK);
}

static void stays_small(void (*round)(struct sample *))
{
    enum { WARM = 2, ROUNDS = 12, ROOM = 48 << 20 };
    struct sample s = sample_open(kernel("", store), CHECK_ALL);
    uint64_t before = 0;
    for (int n = 0; n < WARM + ROUNDS; n++) {
        before = n == WARM ? pages_resident() : before;
        round(&s);
    }
    uint64_t now = pages_resident();
    if (now > before + ROOM)
        fail_msg("%d MB more after %d rounds", (int)((now - before) >> 20),
                 ROUNDS);
    sample_close(&s);
}

static void test_large(void **state)
{
    (void)state;
    stays_small(free_large);
}

static void test_small(void **state)
{
    (void)state;
    stays_small(free_small);
}

/* Beside what is given back, words keep their values, and count as written. */
static void test_neighbours(void **state)
{
    struct sample s = sample_open(kernel("", store), CHECK_ALL);
    enum { EACH = 3 };
    uint64_t array[EACH * THREADS], value = 5, got = 0;
    (void)state;
    for (int n = 0; n < EACH * THREADS; n++)
        array[n] = sample_array(&s, &value, sizeof value);
    for (int n = 0; n < EACH * THREADS; n++)
        if (n % EACH)
            assert_int_equal(engine_free(s.engine, array[n]), MEM_OK);
    clean(store_at(&s, array[0], array[EACH] - array[0]));
    for (int n = 0; n < EACH * THREADS; n += EACH) {
        engine_read(s.engine, &got, array[n], sizeof got);
        assert_int_equal(got, n / EACH);
    }
    finds(FIND_RACE, store_at(&s, array[0], 0));
    finds(FIND_USE_AFTER_FREE,
          store_at(&s, array[1], array[EACH] - array[0]));
    sample_close(&s);
}

/* Memory that lives again, as a graph's does, was never written. */
static void test_revived(void **state)
{
    struct sample s = sample_open(
        kernel("", "ld.global.u32 %r5, [%rd1]; st.global.u32 [%rd1], %r5;"),
        CHECK_ALL);
    uint64_t array = sample_array(&s, NULL, ARRAY), params[2] = {array, 0};
    (void)state;
    engine_fill(s.engine, array, 0, 4, ARRAY / 4);
    clean(sample_run(&s, 1, 1, params));
    assert_int_equal(engine_free(s.engine, array), MEM_OK);
    assert_int_equal(engine_revive(s.engine, array), MEM_OK);
    finds(FIND_UNINITIALISED, sample_run(&s, 1, 1, params));
    sample_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_large), cmocka_unit_test(test_small),
        cmocka_unit_test(test_neighbours), cmocka_unit_test(test_revived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

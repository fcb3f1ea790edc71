// SPDX-License-Identifier: MIT
/*
 * access_test.c: the access model against an H200's own counters: every row
 * of tests/simgpu/data/h200_access_probe.csv, as a kernel on the engine.
 * Accesses of 8 and 16 bytes are made in both forms that PTX has for them.
 */
#include "engine_sample.h"

enum { SHARED = 16384 };

struct row {
    char op[16], pattern[32];
    int bytes;
    uint64_t requests, wavefronts, conflicts, sectors;
    uint32_t offset[32];
};

static uint64_t number(char **at)
{
    uint64_t v = strtoull(*at, at, 10);
    if (**at == ',')
        ++*at;
    return v;
}

/* op,bytes,pattern,requests,wavefronts,conflicts,sectors,offsets */
static void parse(char *line, struct row *r)
{
    char *op = strsep(&line, ","), *bytes = strsep(&line, ",");
    snprintf(r->op, sizeof r->op, "%s", op);
    r->bytes = atoi(bytes);
    snprintf(r->pattern, sizeof r->pattern, "%s", strsep(&line, ","));
    r->requests = number(&line);
    r->wavefronts = number(&line);
    r->conflicts = number(&line);
    r->sectors = number(&line);
    for (int l = 0; l < 32; l++)
        r->offset[l] = (uint32_t)strtoul(line, &line, 10);
}

/* The access in PTX: [address], or {registers} before or after it. */
static void access_text(char *text, size_t n, const struct row *r, bool wide)
{
    static const struct { int bytes; const char *type, *list; } forms[] = {
        {4, "b32", "%r4"}, {8, "v2.b32", "{%r4, %r5}"},
        {16, "v4.b32", "{%r4, %r5, %r6, %r7}"}, {4, "f32", "%f1"},
        {8, "b64", "%rd4"}, {16, "v2.b64", "{%rd4, %rd5}"},
    };
    const char *space = strchr(r->op, '.') + 1;
    const char *address = strcmp(space, "shared") == 0 ? "%r3" : "%rd3";
    int k = wide ? 3 : 0;
    while (forms[k].bytes != r->bytes)
        k++;
    if (r->op[0] == 'l')
        snprintf(text, n, "ld.%s.%s %s, [%s];", space, forms[k].type,
                 forms[k].list, address);
    else
        snprintf(text, n, "st.%s.%s [%s], %s;", space, forms[k].type, address,
                 forms[k].list);
}

static void run_row(const struct row *r, bool wide,
                    struct engine_counters *counters)
{
    char access[128], text[1200];
    access_text(access, sizeof access, r, wide);
    snprintf(text, sizeof text,
             PTX_HEAD ".visible .entry k(.param .u64 k_o, .param .u64 k_x) {\n"
             ".reg .b32 %%r<8>; .reg .b64 %%rd<8>; .reg .f32 %%f<2>;\n"
             ".shared .align 128 .b8 s[%d];\n"
             "ld.param.u64 %%rd1, [k_o]; ld.param.u64 %%rd2, [k_x];\n"
             "mov.u32 %%r1, %%tid.x; mul.wide.u32 %%rd3, %%r1, 4;\n"
             "add.s64 %%rd1, %%rd1, %%rd3; ld.global.u32 %%r2, [%%rd1];\n"
             "cvt.u64.u32 %%rd3, %%r2; add.s64 %%rd3, %%rd3, %%rd2;\n"
             "mov.u32 %%r3, s; add.s32 %%r3, %%r3, %%r2;\n"
             "%s\n ret; }\n", SHARED, access);
    struct sample s = sample_open(text, CHECK_COUNTERS);
    uint64_t params[2] = {sample_array(&s, r->offset, sizeof r->offset),
                          sample_array(&s, NULL, SHARED)};
    const struct launch_report *report = sample_run(&s, 1, 32, params);
    assert_int_equal(report->fault, FAULT_NONE);
    *counters = report->counters;
    sample_close(&s);
}

static void same(const struct row *r, const char *what, uint64_t got,
                 uint64_t expected)
{
    if (got != expected)
        fail_msg("%s %d bytes, %s: %s %llu, the H200 counted %llu", r->op,
                 r->bytes, r->pattern, what, (unsigned long long)got,
                 (unsigned long long)expected);
}

static void check_row(const struct row *r, bool wide)
{
    enum { OWN_REQUESTS = 1, OWN_SECTORS = 4 }; /* reading the offsets */
    struct engine_counters c;
    run_row(r, wide, &c);
    if (strcmp(r->op, "ld.global") == 0) {
        same(r, "requests", c.global_load_requests,
             r->requests + OWN_REQUESTS);
        same(r, "sectors", c.global_load_sectors, r->sectors + OWN_SECTORS);
        return;
    }
    bool load = strcmp(r->op, "ld.shared") == 0;
    same(r, "requests", load ? c.shared_load_requests
                             : c.shared_store_requests, r->requests);
    same(r, "wavefronts", load ? c.shared_load_wavefronts
                               : c.shared_store_wavefronts, r->wavefronts);
    same(r, "conflicts", load ? c.shared_load_conflicts
                              : c.shared_store_conflicts, r->conflicts);
}

static void test_hardware_rows(void **state)
{
    char line[1024];
    int rows = 0;
    FILE *f = fopen("tests/simgpu/data/h200_access_probe.csv", "r");
    (void)state;
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    while (fgets(line, sizeof line, f)) {
        struct row r;
        parse(line, &r);
        check_row(&r, false);
        check_row(&r, true);
        rows++;
    }
    fclose(f);
    assert_int_equal(rows, 135);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hardware_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

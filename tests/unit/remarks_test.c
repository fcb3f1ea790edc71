// SPDX-License-Identifier: MIT
/*
 * remarks_test.c: what ptxas says of wgmma stands in the report of a kernel
 * that passes: no simulated GPU sees it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "check/report/remarks.h"

static const char injected[] =
    "ptxas info    : (C7519) warpgroup.arrive is injected in around line 392 "
    "by compiler to allow use of registers in GMMA in function '_Z4gemm'\n";
static const char serial[] =
    "ptxas info    : (C7514) Potential Performance Loss: wgmma.mma_async "
    "instructions are serialized due to non wgmma instructions reading "
    "accumulator registers in the function '_Z4gemm'\n";

static void says(const char *words, enum verdict verdict, const char *want)
{
    static struct options options;
    static struct workbook w = {.options = &options};
    struct kernel_conf conf = {.op = op_find("gemm_bf16")};
    struct kernel_result r = {.conf = &conf, .verdict = verdict};

    assert_non_null(conf.op);
    text_add(&r.build.words, "%s", words);
    remarks_add(&r, &w);
    if (want)
        assert_non_null(strstr(text_get(&r.notes), want));
    else
        assert_string_equal(text_get(&r.notes), "");
    text_free(&r.build.words);
    text_free(&r.notes);
}

static void ptxas_is_quoted_on_wgmma(void **state)
{
    (void)state;
    says(injected, VERDICT_PASS, "is wgmma.fence missing behind that");
    says(injected, VERDICT_PASS, "C7519");
    says(serial, VERDICT_PASS, "cannot keep several wgmma under way (C7514");
    says(serial, VERDICT_SLOW, "C7514");
    says(serial, VERDICT_WRONG, NULL);
    says("ptxas info    : Used 40 registers\n", VERDICT_PASS, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ptxas_is_quoted_on_wgmma),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
/* demangle_test.c: names that nvcc gave, what it means by them, and damage. */
#include "simgpu/device/device.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect(const char *mangled, const char *name)
{
    char *got = dev_demangle(mangled);
    assert_string_equal(got, name);
    free(got);
}

static void reads_what_nvcc_writes(void **state)
{
    (void)state;
    expect("_Z4namePKfPfi", "name");
    expect("_Z6noargsv", "noargs");
    expect("_ZZ1kPKfPfiE4tile", "tile");
    expect("_ZZ2sk6float4PyPA3_KiPfE4tile", "tile");
    expect("_Z2sk6float4PyPA3_KiPf", "sk");
    expect("_ZL5localPf", "local");
    expect("_ZZ1kPfE1s_0", "s");
    expect("_ZZ1kPfE1s__12_", "s");
    expect("_Z1kPFviE", "k");
    expect("_Z1kSt4pairS_", "k");
}

static void reads_templates_and_namespaces(void **state)
{
    (void)state;
    expect("_Z2tkIfEvPT_", "tk<float>");
    expect("_Z4gemmILi16ELi4EEvPf", "gemm<16, 4>");
    expect("_Z1fILb1ELin3ELj7EEvv", "f<true, -3, 7u>");
    expect("_Z1fIPKfEvT_", "f<float const*>");
    expect("_ZN2ns1hINS_1QELb1EEEvT_Pf", "ns::h<ns::Q, true>");
    expect("_Z1kISt4pairIifEEvT_", "k<std::pair<int, float> >");
    expect("_Z3runIXadL_Z4fastfEEEvPf", "run<&(fast(float))>");
    expect("_ZZ2tkIfEvPT_E4tile", "tile");
    expect("_ZN12_GLOBAL__N_14tileE", "tile");
    expect("_ZN2ns5inner1kEPf", "ns::inner::k");
    expect("_ZN2ns36_GLOBAL__N__0a51d7f0_4_b_cu_b8e8bbe51gILi16ELi4EfEEvPT1_",
           "ns::g<16, 4, float>");
    expect("_ZZN2ns36_GLOBAL__N__0a51d7f0_4_b_cu_b8e8bbe51gILi16ELi4EfEEvPT1_"
           "E5tile2", "tile2");
}

static void leaves_operators_whole(void **state)
{
    (void)state;
    expect("_ZN1aplEi", "a::operator+(int)");
    expect("_ZZN1aclEvE1t", "a::operator()()::t");
}

static void leaves_the_rest_alone(void **state)
{
    (void)state;
    expect("cname", "cname");
    expect("", "");
    expect("_Z", "_Z");
    expect("_Z99short", "_Z99short");
    expect("_Z99999999999999999999999a", "_Z99999999999999999999999a");
    expect("_ZZ1kPf", "_ZZ1kPf");
    expect("_Z1kI", "_Z1kI");
    expect("_Z1kILi", "_Z1kILi");
    expect("_Z1kA", "_Z1kA");
}

/* Every prefix of a real name, and endless nesting, must end. */
static void survives_damage(void **state)
{
    (void)state;
    char name[] = "_ZZN2ns1gILi16ELi4EfEEvPT1_E5tile2";
    for (size_t n = strlen(name); n > 0; n--) {
        name[n] = '\0';
        free(dev_demangle(name));
    }
    enum { DEEP = 5000 };
    static char deep[DEEP + 1] = "_Z1k";
    memset(deep + 4, 'P', DEEP - 4);
    expect(deep, deep);
    memset(deep + 2, 'Z', DEEP - 2);
    expect(deep, deep);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_nvcc_writes),
        cmocka_unit_test(reads_templates_and_namespaces),
        cmocka_unit_test(leaves_operators_whole),
        cmocka_unit_test(leaves_the_rest_alone),
        cmocka_unit_test(survives_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
/* unknown.cu: an instruction that the simulated GPU does not know (yet). */
__global__ void wait_for_nothing(void)
{
    __shared__ unsigned long long barrier;
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(
                     (unsigned)__cvta_generic_to_shared(&barrier)), "r"(1));
}

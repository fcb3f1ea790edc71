// SPDX-License-Identifier: MIT
/* unknown.cu: an instruction that the simulated GPU does not know (yet). */
__global__ void wait_for_nothing(void)
{
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

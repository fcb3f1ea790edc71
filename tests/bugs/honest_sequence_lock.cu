// SPDX-License-Identifier: MIT
/* No bug: a sequence lock. A reader takes two volatile words, and takes them
 * again if the number in front of them was odd or has changed. */
__global__ void watch(volatile unsigned *number, volatile int *pair, int *bad)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        for (int n = 1; n <= 20; n++) {
            unsigned now = *number;
            *number = now + 1;
            __threadfence();
            pair[0] = n;
            pair[1] = -n;
            __threadfence();
            *number = now + 2;
        }
        return;
    }
    for (int n = 0; n < 10; n++) {
        unsigned before;
        int sum;
        do {
            while ((before = *number) & 1)
                ;
            __threadfence();
            sum = pair[0] + pair[1];
            __threadfence();
        } while (*number != before);
        bad[blockIdx.x] += sum;
    }
}

static void run(void)
{
    watch<<<3, LANES>>>((unsigned *)cells(1), cells(2), cells(3));
    launched();
}

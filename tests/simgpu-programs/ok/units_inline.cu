// SPDX-License-Identifier: MIT
// units: inline_twin.cu inline_library.cu
/* units_inline.cu: a template kernel, an inline function with a static array, a
 * class with virtual functions, __managed__ variables and printed text that
 * several units have, with or without the same names. */
#include "../check.h"
#include "../units/inline.h"

__managed__ int notes[UNITS];

static __global__ void note()
{
    notes[0] = table_entry(3) + total_of_shared(5);
    printf("unit %d says %d\n", 0, notes[0]);
}

/* The object is made on the device, so that its functions are found there. */
__global__ void measure(float *area)
{
    circle c(2);
    square s(3);
    const shape *shapes[] = {&c, &s};
    for (int i = 0; i < 2; i++)
        area[i] = shapes[i]->area();
}

int main()
{
    int *x, h[THREADS];
    float *area, areas[2];
    CUDA(cudaMalloc(&x, sizeof h));
    CUDA(cudaMalloc(&area, sizeof areas));
    CUDA(cudaMemset(x, 0, sizeof h));
    add_to<3><<<1, THREADS>>>(x);
    twin_add(x); /* the same kernel, and add_to<4> */
    CUDA(cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < THREADS; i++)
        CHECK(h[i] == 10 + 3 * i);
    note<<<1, 1>>>();
    twin_note();
    CUDA(cudaDeviceSynchronize());
    CHECK(notes[0] == 9 + 5 && notes[1] == 9 + 6);
    measure<<<1, 1>>>(area);
    CUDA(cudaMemcpy(areas, area, sizeof areas, cudaMemcpyDeviceToHost));
    CHECK(areas[0] == 12 && areas[1] == 9); /* pi is three here */
    puts("three units");
}

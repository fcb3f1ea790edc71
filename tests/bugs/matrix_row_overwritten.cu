// SPDX-License-Identifier: MIT
/* Each lane gives the address of a row, and clears that row after ldmatrix: four
 * lanes have its words, and may still be about to read them. */
__global__ void clears(unsigned *y)
{
    __shared__ alignas(16) unsigned rows[8][4];
    int lane = threadIdx.x;
    rows[lane / 4][lane % 4] = (unsigned)lane;
    __syncwarp();
    unsigned word, *row = rows[lane % 8];
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(word) : "r"(in_shared(row)) : "memory"); // against
#ifdef MENDED
    __syncwarp();
#endif
    if (lane < 8)
        row[lane % 4] = 0; // finds: race
    y[lane] = word;
}

static void run(void)
{
    clears<<<1, LANES>>>((unsigned *)cells(LANES));
    launched();
}

// SPDX-License-Identifier: MIT
/* No bug: each lane writes the words that ldmatrix gave it back to where they
 * were, although another lane gave that row's address; transposed, it has two
 * halves, of which each has a neighbour that is another lane's. */
__global__ void doubles(unsigned *y)
{
    __shared__ alignas(16) unsigned rows[8][4];
    int lane = threadIdx.x;
    rows[lane / 4][lane % 4] = (unsigned)lane;
    __syncwarp();
    unsigned word;
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
                 : "=r"(word) : "r"(in_shared(rows[lane % 8])) : "memory");
    rows[lane / 4][lane % 4] = 2 * word;
    __syncwarp();
    y[lane] = rows[7 - lane / 4][lane % 4];
}

__global__ void doubles_columns(unsigned *y)
{
    __shared__ alignas(16) unsigned short rows[8][8];
    int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    rows[g][2 * t] = (unsigned short)(8 * g + 2 * t);
    rows[g][2 * t + 1] = (unsigned short)(8 * g + 2 * t + 1);
    __syncwarp();
    unsigned both;
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];"
                 : "=r"(both) : "r"(in_shared(rows[lane % 8])) : "memory");
    rows[2 * t][g] = (unsigned short)(2 * both);
    rows[2 * t + 1][g] = (unsigned short)(2 * (both >> 16));
    __syncwarp();
    y[lane] = rows[7 - g][2 * t];
}

static void run(void)
{
    int h[2 * LANES], *y = cells(2 * LANES);
    doubles<<<1, LANES>>>((unsigned *)y);
    doubles_columns<<<1, LANES>>>((unsigned *)y + LANES);
    CUDA(cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < LANES; i++) {
        CHECK(h[i] == 2 * ((7 - i / 4) * 4 + i % 4));
        CHECK(h[LANES + i] == 2 * ((7 - i / 4) * 8 + 2 * (i % 4)));
    }
    launched();
}

// SPDX-License-Identifier: MIT
/* Red cells are computed from black ones, then black ones from red: with the row
 * forgotten, neighbours above and below have one colour. */
enum { SIDE = 16 };

__global__ void relax(int *x)
{
    __shared__ int s[SIDE + 2][SIDE + 2];
    int i = threadIdx.y + 1, j = threadIdx.x + 1;
    for (int k = threadIdx.y * SIDE + threadIdx.x; k < (SIDE + 2) * (SIDE + 2);
         k += SIDE * SIDE)
        s[k / (SIDE + 2)][k % (SIDE + 2)] = x[k];
    __syncthreads();
    for (int colour = 0; colour < 2; colour++) {
#ifdef MENDED
        bool mine = (i + j) % 2 == colour;
#else
        bool mine = j % 2 == colour;
#endif
        if (mine)
            s[i][j] = (s[i - 1][j] + s[i + 1][j] + s[i][j - 1] + s[i][j + 1]) / 4 + 1; // finds: race
        __syncthreads();
    }
    x[i * (SIDE + 2) + j] = s[i][j];
}

static void run(void)
{
    relax<<<1, dim3(SIDE, SIDE)>>>(cells((SIDE + 2) * (SIDE + 2)));
    launched();
}

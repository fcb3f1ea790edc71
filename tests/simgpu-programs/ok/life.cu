// SPDX-License-Identifier: MIT
/* life.cu: the game of life, 32 cells per word, with funnel shifts and sums of
 * bits; then bytes and half-words in a register: the SIMD intrinsics, __dp4a,
 * __byte_perm, and what counts, finds and reverses bits. */
#include "../check.h"

enum { WORDS = 6, ROWS = 70, COLS = WORDS * 32, TURNS = 25 };

static __device__ unsigned west(const unsigned *row, int w)
{
    return __funnelshift_l(row[(w + WORDS - 1) % WORDS], row[w], 1);
}

static __device__ unsigned east(const unsigned *row, int w)
{
    return __funnelshift_r(row[w], row[(w + 1) % WORDS], 1);
}

/* (twos, ones) += x; what is past three stays in fours. */
static __device__ void count(unsigned x, unsigned *ones, unsigned *twos,
                             unsigned *fours)
{
    unsigned carry = *ones & x;
    *ones ^= x;
    *fours |= *twos & carry;
    *twos ^= carry;
}

__global__ void turn(const unsigned *from, unsigned *to)
{
    int w = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned ones = 0, twos = 0, fours = 0;
    if (w >= WORDS || r >= ROWS)
        return;
    for (int d = -1; d <= 1; d++) {
        const unsigned *row = from + (r + d + ROWS) % ROWS * WORDS;
        count(west(row, w), &ones, &twos, &fours);
        count(east(row, w), &ones, &twos, &fours);
        if (d)
            count(row[w], &ones, &twos, &fours);
    }
    to[r * WORDS + w] = twos & ~fours & (ones | from[r * WORDS + w]);
}

struct bits {
    unsigned add4, max4s, absdiff4, avg2, cmp4, sad4, perm, reversed;
    int dot, count, zeros, lowest, highest, mulhi;
    unsigned long long reversed64;
};

__global__ void pack(const unsigned *a, const unsigned *b, struct bits *to)
{
    unsigned x = a[threadIdx.x], y = b[threadIdx.x];
    struct bits t;
    t.add4 = __vadd4(x, y);
    t.max4s = __vmaxs4(x, y);
    t.absdiff4 = __vabsdiffu4(x, y);
    t.avg2 = __vavgs2(x, y);
    t.cmp4 = __vcmpgtu4(x, y);
    t.sad4 = __vsadu4(x, y);
    t.perm = __byte_perm(x, y, 0x3715);
    t.reversed = __brev(x);
    t.dot = __dp4a((int)x, (int)y, 5);
    t.count = __popc(x);
    t.zeros = __clz((int)x);
    t.lowest = __ffs((int)x);
    t.highest = __clzll(x);
    t.mulhi = __mulhi((int)x, (int)y);
    t.reversed64 = __brevll((unsigned long long)x << 32 | y);
    to[threadIdx.x] = t;
}

static unsigned byte(unsigned x, int k)
{
    return x >> 8 * k & 255;
}

static void compare(unsigned x, unsigned y, const struct bits *t)
{
    unsigned add = 0, most = 0, differ = 0, above = 0, sad = 0;
    int dot = 5;
    for (int k = 0; k < 4; k++) {
        unsigned p = byte(x, k), q = byte(y, k), d = p > q ? p - q : q - p;
        signed char sp = (signed char)p, sq = (signed char)q;
        add |= (p + q & 255) << 8 * k;
        most |= (sp > sq ? p : q) << 8 * k;
        differ |= d << 8 * k;
        above |= (p > q ? 255u : 0) << 8 * k;
        sad += d;
        dot += sp * sq;
    }
    CHECK(t->add4 == add && t->max4s == most && t->absdiff4 == differ);
    CHECK(t->cmp4 == above && t->sad4 == sad && t->dot == dot);
    for (int k = 0; k < 2; k++) {
        int p = (short)(x >> 16 * k), q = (short)(y >> 16 * k);
        int sum = p + q; // rounded away from zero, as documented
        int half = sum >= 0 ? (sum + 1) / 2 : -((-sum + 1) / 2);
        int floor_up = (sum + 1) >> 1;
        CHECK((short)(t->avg2 >> 16 * k) == half ||
              (short)(t->avg2 >> 16 * k) == floor_up);
    }
    unsigned chosen[4] = {5, 1, 7, 3}, perm = 0;
    for (int k = 0; k < 4; k++)
        perm |= byte(chosen[k] < 4 ? x : y, chosen[k] % 4) << 8 * k;
    CHECK(t->perm == perm);
    CHECK(t->count == __builtin_popcount(x));
    CHECK(t->zeros == (x ? __builtin_clz(x) : 32));
    CHECK(t->lowest == __builtin_ffs((int)x));
    CHECK(t->highest == 32 + t->zeros);
    CHECK(t->mulhi == (int)((long long)(int)x * (int)y >> 32));
    for (int k = 0; k < 32; k++) {
        CHECK((t->reversed >> k & 1) == (x >> (31 - k) & 1));
        CHECK((t->reversed64 >> k & 1) == (x >> (31 - k) & 1));
        CHECK((t->reversed64 >> (32 + k) & 1) == (y >> (31 - k) & 1));
    }
}

static unsigned char cell[2][ROWS][COLS];

int main(void)
{
    unsigned *m[2], x = 12345;
    for (int k = 0; k < 2; k++)
        CUDA(cudaMallocManaged(&m[k], ROWS * WORDS * sizeof **m));
    for (int i = 0; i < ROWS * WORDS; i++) {
        x = x * 1664525 + 1013904223;
        m[0][i] = x & x << 7;
        for (int b = 0; b < 32; b++)
            cell[0][i / WORDS][i % WORDS * 32 + b] = m[0][i] >> b & 1;
    }
    for (int t = 0; t < TURNS; t++)
        turn<<<dim3(2, 18), dim3(4, 4)>>>(m[t % 2], m[!(t % 2)]);
    CUDA(cudaDeviceSynchronize());
    for (int t = 0; t < TURNS; t++)
        for (int r = 0; r < ROWS; r++)
            for (int c = 0; c < COLS; c++) {
                int n = 0, from = t % 2;
                for (int d = 0; d < 9; d++)
                    n += d == 4 ? 0
                                : cell[from][(r + d / 3 - 1 + ROWS) % ROWS]
                                      [(c + d % 3 - 1 + COLS) % COLS];
                cell[!from][r][c] = n == 3 || (n == 2 && cell[from][r][c]);
            }
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLS; c++)
            CHECK((m[TURNS % 2][r * WORDS + c / 32] >> c % 32 & 1) ==
                  cell[TURNS % 2][r][c]);

    unsigned *a, *b;
    struct bits *to;
    CUDA(cudaMallocManaged(&a, 64 * sizeof *a));
    CUDA(cudaMallocManaged(&b, 64 * sizeof *b));
    CUDA(cudaMallocManaged(&to, 64 * sizeof *to));
    for (int i = 0; i < 64; i++) {
        a[i] = i ? x = x * 1664525 + 1013904223 : 0;
        b[i] = x = x * 1664525 + 1013904223;
    }
    pack<<<1, 64>>>(a, b, to);
    CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < 64; i++)
        compare(a[i], b[i], &to[i]);
    return 0;
}

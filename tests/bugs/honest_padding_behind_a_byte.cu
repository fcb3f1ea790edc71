// SPDX-License-Identifier: MIT
/* No bug: structs that end with padding, or have it behind a byte, are copied
 * by words. A library's loads are asm, so that nvcc cannot say which of their
 * bytes are used. */
struct found {
    bool any;
    long long at;
};

struct tagged {
    double x;
    char tag;
};

struct numbered {
    char tag;
    short n;
};

__global__ void fill(found *f, tagged *t, numbered *n)
{
    int i = threadIdx.x;
    f[i].any = i & 1;
    f[i].at = i;
    t[i].x = i;
    t[i].tag = 'x';
    n[i].tag = 'y';
    n[i].n = i;
}

__global__ void first(const found *f, int *y)
{
    long long any, at;
    asm("ld.global.nc.u64 %0, [%1];" : "=l"(any) : "l"(&f[threadIdx.x].any));
    asm("ld.global.nc.u64 %0, [%1];" : "=l"(at) : "l"(&f[threadIdx.x].at));
    y[threadIdx.x] = any & 255 ? (int)at : -1;
}

__global__ void move(const tagged *t, tagged *to, const numbered *n, int *y)
{
    int word;
    to[threadIdx.x] = t[LANES - 1 - threadIdx.x];
    asm("ld.global.nc.u32 %0, [%1];" : "=r"(word) : "l"(&n[threadIdx.x]));
    y[threadIdx.x] = word >> 16;
}

static void run(void)
{
    found *f = (found *)unset(4 * LANES);
    tagged *t = (tagged *)unset(4 * LANES), *to = (tagged *)unset(4 * LANES);
    numbered *n = (numbered *)unset(LANES);
    fill<<<1, LANES>>>(f, t, n);
    first<<<1, LANES>>>(f, cells(LANES));
    move<<<1, LANES>>>(t, to, n, cells(LANES));
    launched();
}

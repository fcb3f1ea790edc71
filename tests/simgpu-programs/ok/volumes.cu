// SPDX-License-Identifier: MIT
/* volumes.cu: heat in a box: cudaMalloc3D, cudaMemcpy3D in both directions and of
 * a part, cudaMemset3D, blocks of three dimensions with a halo in shared memory,
 * a grid whose z is walked plane by plane in registers; managed memory with
 * advice and prefetches. */
// alone: a struct and a function of one name
#include <string.h>

#include "../check.h"

enum { X = 37, Y = 21, Z = 13, BX = 8, BY = 8, BZ = 4 };

struct volume {
    char *data;
    size_t pitch, slice;
};

static __device__ float *cell(struct volume v, int x, int y, int z)
{
    return (float *)(v.data + z * v.slice + y * v.pitch) + x;
}

__global__ void block_step(struct volume from, struct volume to)
{
    __shared__ float tile[BZ + 2][BY + 2][BX + 2];
    int x0 = blockIdx.x * BX - 1, y0 = blockIdx.y * BY - 1,
        z0 = blockIdx.z * BZ - 1;
    int t = (threadIdx.z * BY + threadIdx.y) * BX + threadIdx.x;
    for (int i = t; i < (BX + 2) * (BY + 2) * (BZ + 2); i += BX * BY * BZ) {
        int x = i % (BX + 2), y = i / (BX + 2) % (BY + 2),
            z = i / (BX + 2) / (BY + 2);
        int gx = x0 + x, gy = y0 + y, gz = z0 + z;
        bool in = gx >= 0 && gx < X && gy >= 0 && gy < Y && gz >= 0 && gz < Z;
        tile[z][y][x] = in ? *cell(from, gx, gy, gz) : 0;
    }
    __syncthreads(); // the tile is loaded
    int x = threadIdx.x + 1, y = threadIdx.y + 1, z = threadIdx.z + 1;
    if (x0 + x < X && y0 + y < Y && z0 + z < Z)
        *cell(to, x0 + x, y0 + y, z0 + z) =
            tile[z][y][x] + tile[z - 1][y][x] + tile[z + 1][y][x] +
            tile[z][y - 1][x] + tile[z][y + 1][x] + tile[z][y][x - 1] +
            tile[z][y][x + 1];
}

__global__ void plane_step(struct volume from, struct volume to)
{
    __shared__ float plane[BY + 2][BX + 2];
    int x = blockIdx.x * BX + threadIdx.x - 1;
    int y = blockIdx.y * BY + threadIdx.y - 1;
    bool in = x >= 0 && x < X && y >= 0 && y < Y;
    bool mine = in && threadIdx.x > 0 && threadIdx.x <= BX &&
                threadIdx.y > 0 && threadIdx.y <= BY;
    float before = 0, now = in ? *cell(from, x, y, 0) : 0, after;
    for (int z = 0; z < Z; z++) {
        after = in && z + 1 < Z ? *cell(from, x, y, z + 1) : 0;
        plane[threadIdx.y][threadIdx.x] = now;
        __syncthreads(); // the plane is there
        if (mine)
            *cell(to, x, y, z) =
                now + before + after + plane[threadIdx.y - 1][threadIdx.x] +
                plane[threadIdx.y + 1][threadIdx.x] +
                plane[threadIdx.y][threadIdx.x - 1] +
                plane[threadIdx.y][threadIdx.x + 1];
        __syncthreads(); // the plane has been read
        before = now;
        now = after;
    }
}

static float host[Z][Y][X], want[Z][Y][X], got[Z][Y][X];

static float at(int z, int y, int x)
{
    bool in = x >= 0 && x < X && y >= 0 && y < Y && z >= 0 && z < Z;
    return in ? host[z][y][x] : 0;
}

static void expect(void)
{
    for (int z = 0; z < Z; z++)
        for (int y = 0; y < Y; y++)
            for (int x = 0; x < X; x++)
                want[z][y][x] = at(z, y, x) + at(z - 1, y, x) +
                                at(z + 1, y, x) + at(z, y - 1, x) +
                                at(z, y + 1, x) + at(z, y, x - 1) +
                                at(z, y, x + 1);
    memcpy(host, want, sizeof host);
}

static struct volume volume(struct cudaPitchedPtr *p)
{
    CUDA(cudaMalloc3D(p, make_cudaExtent(X * sizeof(float), Y, Z)));
    CUDA(cudaMemset3D(*p, 0, make_cudaExtent(X * sizeof(float), Y, Z)));
    return (struct volume){(char *)p->ptr, p->pitch, p->pitch * Y};
}

static struct cudaMemcpy3DParms whole(struct cudaPitchedPtr from,
                                      struct cudaPitchedPtr to,
                                      enum cudaMemcpyKind kind)
{
    struct cudaMemcpy3DParms p;
    memset(&p, 0, sizeof p);
    p.srcPtr = from;
    p.dstPtr = to;
    p.extent = make_cudaExtent(X * sizeof(float), Y, Z);
    p.kind = kind;
    return p;
}

__global__ void fills(float *x, size_t n)
{
    for (size_t i = threadIdx.x; i < n; i += blockDim.x)
        x[i] = 3;
}

static void ranges(void)
{
    float *x;
    size_t bytes = 1 << 20;
    CUDA(cudaMallocManaged(&x, bytes));
    memset(x, 0, bytes);
#if CUDART_VERSION >= 13000
    struct cudaMemLocation device = {};
    device.type = cudaMemLocationTypeDevice;
    CUDA(cudaMemAdvise(x, bytes, cudaMemAdviseSetReadMostly, device));
    CUDA(cudaMemPrefetchAsync(x, bytes, device, 0, 0));
#else
    CUDA(cudaMemAdvise(x, bytes, cudaMemAdviseSetReadMostly, 0));
    CUDA(cudaMemPrefetchAsync(x, bytes, 0, 0));
#endif
    fills<<<1, 32>>>(x, bytes / sizeof *x);
    CUDA(cudaDeviceSynchronize());
    CHECK(x[0] == 3 && x[bytes / sizeof *x - 1] == 3);
    CUDA(cudaFree(x));
}

int main(void)
{
    struct cudaPitchedPtr p[2];
    struct volume v[2] = {volume(&p[0]), volume(&p[1])};
    for (int i = 0; i < X * Y * Z; i++)
        host[i / X / Y][i / X % Y][i % X] = i * 11 % 17;
    struct cudaPitchedPtr h =
        make_cudaPitchedPtr(host, X * sizeof(float), X, Y);
    struct cudaPitchedPtr g = make_cudaPitchedPtr(got, X * sizeof(float), X, Y);
    struct cudaMemcpy3DParms in = whole(h, p[0], cudaMemcpyHostToDevice);
    CUDA(cudaMemcpy3D(&in));
    block_step<<<dim3((X + BX - 1) / BX, (Y + BY - 1) / BY, (Z + BZ - 1) / BZ),
                 dim3(BX, BY, BZ)>>>(v[0], v[1]);
    plane_step<<<dim3((X + BX - 1) / BX, (Y + BY - 1) / BY),
                 dim3(BX + 2, BY + 2)>>>(v[1], v[0]);
    struct cudaMemcpy3DParms out = whole(p[0], g, cudaMemcpyDeviceToHost);
    CUDA(cudaMemcpy3D(&out));
    expect();
    expect();
    CHECK(memcmp(got, host, sizeof got) == 0);

    memset(got, 0, sizeof got);
    out.srcPos = make_cudaPos(3 * sizeof(float), 2, 1);
    out.dstPos = make_cudaPos(0, 5, 4);
    out.extent = make_cudaExtent(10 * sizeof(float), 6, 7);
    CUDA(cudaMemcpy3DAsync(&out));
    CUDA(cudaDeviceSynchronize());
    for (int z = 0; z < Z; z++)
        for (int y = 0; y < Y; y++)
            for (int x = 0; x < X; x++) {
                bool is = x < 10 && y >= 5 && y < 11 && z >= 4 && z < 11;
                CHECK(got[z][y][x] ==
                      (is ? host[z - 3][y - 3][x + 3] : 0));
            }
    ranges();
    return 0;
}

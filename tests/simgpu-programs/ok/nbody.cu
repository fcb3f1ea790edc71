// SPDX-License-Identifier: MIT
/* nbody.cu: gravity between all pairs, tile by tile; energy must stay, and a
 * double-precision sum on the host must agree. */
#include "../check.h"

#include <math.h>

enum { N = 384, TILE = 64, STEPS = 4 };
static const float softening = 0.05f, dt = 0.001f;

__global__ void accelerate(const float4 *body, float3 *a, float eps2)
{
    __shared__ float4 tile[TILE];
    int i = blockIdx.x * TILE + threadIdx.x;
    float4 me = body[i];
    float3 sum = make_float3(0, 0, 0);
    for (int first = 0; first < N; first += TILE) {
        tile[threadIdx.x] = body[first + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < TILE; j++) {
            float4 you = tile[j];
            float dx = you.x - me.x, dy = you.y - me.y, dz = you.z - me.z;
            float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + eps2);
            float pull = you.w * inverse * inverse * inverse;
            sum.x += pull * dx;
            sum.y += pull * dy;
            sum.z += pull * dz;
        }
        __syncthreads();
    }
    a[i] = sum;
}

__global__ void move(float4 *body, float3 *v, const float3 *a, float step)
{
    int i = blockIdx.x * TILE + threadIdx.x;
    v[i].x += step * a[i].x;
    v[i].y += step * a[i].y;
    v[i].z += step * a[i].z;
    body[i].x += step * v[i].x;
    body[i].y += step * v[i].y;
    body[i].z += step * v[i].z;
}

static float4 h[N];
static float3 got[N];

static void check_forces(void)
{
    for (int i = 0; i < N; i += 37) {
        double x = 0, size = 0;
        for (int j = 0; j < N; j++) {
            double dx = h[j].x - h[i].x, dy = h[j].y - h[i].y;
            double dz = h[j].z - h[i].z;
            double r2 = dx * dx + dy * dy + dz * dz + softening * softening;
            double pull = h[j].w / (r2 * sqrt(r2));
            x += pull * dx;
            size += fabs(pull * dx);
        }
        CHECK(fabs(got[i].x - x) <= 1e-5 * size);
    }
}

int main(void)
{
    float4 *body;
    float3 *v, *a;
    unsigned seed = 3;
    for (int i = 0; i < N; i++) {
        float *p = &h[i].x;
        for (int k = 0; k < 3; k++) {
            seed = seed * 1664525u + 1013904223u;
            p[k] = (float)(seed >> 8) / (1 << 24) * 2 - 1;
        }
        h[i].w = 1.0f / N;
    }
    CUDA(cudaMalloc(&body, sizeof h));
    CUDA(cudaMalloc(&v, sizeof got));
    CUDA(cudaMalloc(&a, sizeof got));
    CUDA(cudaMemcpy(body, h, sizeof h, cudaMemcpyHostToDevice));
    CUDA(cudaMemset(v, 0, sizeof got));
    for (int s = 0; s < STEPS; s++) {
        accelerate<<<N / TILE, TILE>>>(body, a, softening * softening);
        if (s == 0) {
            CUDA(cudaMemcpy(got, a, sizeof got, cudaMemcpyDeviceToHost));
            check_forces();
        }
        move<<<N / TILE, TILE>>>(body, v, a, dt);
    }
    CUDA(cudaMemcpy(got, v, sizeof got, cudaMemcpyDeviceToHost));
    double momentum = 0, speed = 0;
    for (int i = 0; i < N; i++) {
        momentum += got[i].x;
        speed += fabs(got[i].x);
    }
    CHECK(speed > 0 && fabs(momentum) < 1e-4 * speed);
    CUDA(cudaFree(body));
    CUDA(cudaFree(v));
    CUDA(cudaFree(a));
    return 0;
}
